//! The sound track of footage: its waveform, its playback, and its part in a video.
//!
//! ```text
//! ffmpeg ─▶ samples ─┬▶ peaks ─▶ Waveform
//!                    └▶ decoder ─▶ Feed ◀─ time of the clock
//!                                   └─▶ speaker
//! ```
//!
//! | file | purpose |
//! |---|---|
//! | `samples` | parses samples from pieces of ffmpeg's output |
//! | `waveform`, `peaks` | compute peaks over time |
//! | `feed` | buffers samples and plays them in sync with the clock |
//! | `decoder` | fills a feed with ffmpeg from a given time on |
//! | `speaker`, `no_speaker` | the sound output of the system; browsers do not support it |
//! | `player` | plays the sound at the time of a clock |
//! | `soundtrack` | adds the sound of footage to a video |

mod decoder;
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "browsers cannot play the sound of footage")
)]
mod feed;
mod peaks;
mod player;
mod samples;
#[cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "browsers cannot play the sound of footage")
)]
mod soundtrack;
#[cfg_attr(target_family = "wasm", path = "no_speaker.rs")]
mod speaker;
mod waveform;

pub use {player::SoundPlayer, soundtrack::Soundtrack, waveform::Waveform};
