//! The formats of videos: of what the viewport shows over time.

/// What a video is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// An animated GIF, which loops.
    Gif,
    /// An MP4, which the program ffmpeg encodes.
    Mp4,
    /// A folder with a PNG for every frame: `00001.png`.
    PngSequence,
}

impl VideoFormat {
    /// How many frames a second it has unless another number is asked for.
    pub fn default_rate(self) -> f64 {
        match self {
            // Its clock counts hundredths of a second.
            Self::Gif => 25.0,
            Self::Mp4 | Self::PngSequence => 30.0,
        }
    }

    /// The most frames a second that players show as they are meant.
    pub fn max_rate(self) -> f64 {
        match self {
            Self::Gif => 50.0,
            Self::Mp4 | Self::PngSequence => 1000.0,
        }
    }
}
