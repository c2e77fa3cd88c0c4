//! The formats of videos: of what the viewport shows over time.

use super::ExportTarget;

/// The extension of a PNG sequence: of a folder, or of the one file that a browser downloads.
const FRAMES: &str = if cfg!(target_family = "wasm") { "zip" } else { "frames" };

/// The videos that recordings can be exported as: rows for [`register`](super::register), by programs that draw them
/// or say who does. A browser has no ffmpeg.
pub static VIDEOS: &[ExportTarget] = &[
    ExportTarget::of_video("gif", "Animated GIF", "gif", VideoFormat::Gif),
    #[cfg(not(target_family = "wasm"))]
    ExportTarget::of_video("mp4", "MP4 video, needs ffmpeg", "mp4", VideoFormat::Mp4),
    ExportTarget::of_video("png-sequence", "PNG sequence", FRAMES, VideoFormat::PngSequence),
];

/// The format of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// An animated GIF, which loops.
    Gif,
    /// An MP4, which the program ffmpeg encodes.
    Mp4,
    /// A PNG for every frame, `00001.png` and so on: in a folder, or in a browser in a zip file.
    PngSequence,
}

impl VideoFormat {
    /// Its default frame rate.
    pub fn default_rate(self) -> f64 {
        match self {
            // Its clock counts hundredths of a second.
            Self::Gif => 25.0,
            Self::Mp4 | Self::PngSequence => 30.0,
        }
    }

    /// The highest frame rate that players show correctly.
    pub fn max_rate(self) -> f64 {
        match self {
            Self::Gif => 50.0,
            Self::Mp4 | Self::PngSequence => 1000.0,
        }
    }
}
