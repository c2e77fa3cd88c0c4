//! The sound track: as peaks, at the loudspeaker, and in a video.
//!
//! ```text
//! ffmpeg ─▶ samples ─┬▶ peaks ─▶ Waveform
//!                    └▶ decoder ─▶ Feed ◀─ time of the clock
//!                                   └─▶ speaker
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `samples` | samples from pieces of ffmpeg's output |
//! | `waveform`, `peaks` | peaks over time, and where they come from |
//! | `feed` | the samples that wait, and which of them are heard at a moment |
//! | `decoder` | an ffmpeg that fills a feed from a time on |
//! | `speaker`, `no_speaker` | the sound output of the system; a browser has none for this |
//! | `player` | the sound at a time that plays, jumps or rests |
//! | `soundtrack` | the sound of footage in a video |

mod decoder;
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "browsers have no output for it"))]
mod feed;
mod peaks;
mod player;
mod samples;
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "browsers have no output for it"))]
mod soundtrack;
#[cfg_attr(target_family = "wasm", path = "no_speaker.rs")]
mod speaker;
mod waveform;

pub use {player::SoundPlayer, soundtrack::Soundtrack, waveform::Waveform};
