//! Reference footage: a video, an image sequence or a sound file that plays alongside a recording.
//!
//! Frames and sound are decoded by the programs ffmpeg and ffprobe, as processes: they may be missing,
//! fail or hang, and the viewer never waits for them. Times are seconds of the footage: 0
//! is where its container starts.
//!
//! ```text
//! path ─▶ Input ─▶ Media (ffprobe) ─▶ Player: Decoder (ffmpeg) ─▶ FrameRing ─▶ the frame at a time
//!                        ├──────────▶ Waveform (ffmpeg)
//!                        └──────────▶ SoundPlayer: ffmpeg ─▶ the loudspeaker
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `kind` | recognition by the first bytes |
//! | `input` | a file, or a sequence of numbered images |
//! | `process` | running a program, and ending it |
//! | `media` | the streams of a file, as ffprobe reports them |
//! | `shown_times` | the times of frames, from ffmpeg's report |
//! | `decoder` | an ffmpeg that gives frames from a time on |
//! | `ring` | the frame at a time, the frames that are kept, and the missing ones |
//! | `player` | the frame at a time that plays, jumps or rests |
//! | `sound` | the sound track: as peaks over time, at the loudspeaker, in a video |

mod decoder;
mod input;
mod kind;
mod media;
mod player;
mod process;
mod ring;
mod shown_times;
mod sound;
#[cfg(test)]
mod tests;

pub use decoder::Frame;
pub use input::{Input, USUAL_RATE};
pub use kind::{Kind, recognise};
pub use media::{Media, VideoStream};
pub use player::Player;
#[cfg(not(target_family = "wasm"))]
pub(crate) use process::without_console;
pub use process::{FootageError, Programs};
pub use sound::{SoundPlayer, Soundtrack, Waveform};
