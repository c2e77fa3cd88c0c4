//! The formats of videos, which show the viewport over time.

use super::ExportTarget;

/// The extension of a PNG sequence: a folder, or the single file that a browser downloads.
const PNG_SEQUENCE_EXTENSION: &str = if cfg!(target_family = "wasm") { "zip" } else { "frames" };

/// The video targets. Programs add them to their [`Targets`](super::Targets) if they render videos, or refer
/// to a program that does. MP4 is missing in browsers, because they cannot run ffmpeg.
pub static VIDEO_TARGETS: &[ExportTarget] = &[
    ExportTarget::for_video("gif", "Animated GIF", "gif", VideoFormat::Gif),
    #[cfg(not(target_family = "wasm"))]
    ExportTarget::for_video("mp4", "MP4 video, needs ffmpeg", "mp4", VideoFormat::Mp4),
    ExportTarget::for_video(
        "png-sequence",
        "PNG sequence",
        PNG_SEQUENCE_EXTENSION,
        VideoFormat::PngSequence,
    ),
];

/// The format of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// An animated GIF, which loops.
    Gif,
    /// An MP4 file, encoded by the program ffmpeg.
    Mp4,
    /// A PNG for every frame, `00001.png` and so on: in a folder, or in a zip file in a browser.
    PngSequence,
}

impl VideoFormat {
    /// Returns the default frame rate, in Hz.
    pub fn default_rate(self) -> f64 {
        match self {
            // GIF delays are multiples of 10 ms, and 25 Hz is exactly 40 ms.
            Self::Gif => 25.0,
            Self::Mp4 | Self::PngSequence => 30.0,
        }
    }

    /// Returns the highest frame rate that players show correctly, in Hz.
    pub fn max_rate(self) -> f64 {
        match self {
            Self::Gif => 50.0,
            Self::Mp4 | Self::PngSequence => 1000.0,
        }
    }
}
