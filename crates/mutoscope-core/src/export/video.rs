//! The formats of videos: of what the viewport shows over time.

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
