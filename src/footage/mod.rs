//! Reference footage: a video, an image sequence or a sound file that plays alongside a recording.
//!
//! The programs ffmpeg and ffprobe decode frames and sound as separate processes. They may be
//! missing, fail or hang, so the viewer never waits for them. All times are in seconds of the
//! footage; 0 is the start of its container.
//!
//! ```text
//! path ─▶ Input ─▶ Media (ffprobe) ─▶ Player: Decoder (ffmpeg) ─▶ FrameRing ─▶ the frame at a time
//!                        ├──────────▶ Waveform (ffmpeg)
//!                        └──────────▶ SoundPlayer: ffmpeg ─▶ the loudspeaker
//! ```
//!
//! | file | purpose |
//! |---|---|
//! | `kind` | recognises footage by the first bytes |
//! | `input` | a file, or a sequence of numbered images |
//! | `process` | runs a program and ends it |
//! | `media` | reads the streams of a file with ffprobe |
//! | `frame_times` | parses the times of frames in ffmpeg's report |
//! | `decoder` | decodes frames from a given time on with ffmpeg |
//! | `ring` | keeps the frames around a time, and says which are missing |
//! | `player` | shows the frame at the time of a clock |
//! | `sound` | the sound track: its waveform, its playback, and its part in a video |

mod decoder;
mod frame_times;
mod input;
mod kind;
mod media;
mod player;
mod process;
mod ring;
mod sound;
#[cfg(test)]
mod tests;

pub use decoder::Frame;
pub use input::{DEFAULT_IMAGE_RATE_HZ, Input};
pub use kind::{FootageKind, recognise};
pub use media::{Media, VideoStream};
pub use player::Player;
#[cfg(not(target_family = "wasm"))]
pub(crate) use process::without_console;
pub use process::{FootageError, Programs};
pub use sound::{SoundPlayer, Soundtrack, Waveform};
