//! Units of values.

use std::f64::consts::PI;

/// The unit of a track's values, in the terms of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "their names state it")]
pub enum Unit {
    /// No unit: a factor, a component of a quaternion, a boolean.
    #[default]
    None,
    Millimetres,
    Centimetres,
    Metres,
    Kilometres,
    Inches,
    Feet,
    Yards,
    Miles,
    Degrees,
    Radians,
    /// Sixtieths of a degree.
    ArcMinutes,
    /// Sixtieths of a minute of arc.
    ArcSeconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    /// Frames of film or video, at the rate of the clip.
    Frames,
}

impl Unit {
    /// Returns the symbol that follows a number: `cm`, `°`. Empty for [`Unit::None`].
    pub fn symbol(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Millimetres => "mm",
            Self::Centimetres => "cm",
            Self::Metres => "m",
            Self::Kilometres => "km",
            Self::Inches => "in",
            Self::Feet => "ft",
            Self::Yards => "yd",
            Self::Miles => "mi",
            Self::Degrees => "°",
            Self::Radians => "rad",
            Self::ArcMinutes => "′",
            Self::ArcSeconds => "″",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "min",
            Self::Hours => "h",
            Self::Frames => "frames",
        }
    }

    /// Returns the size of the unit in metres, radians or seconds. Returns 1 for [`Unit::None`] and
    /// [`Unit::Frames`].
    pub fn si_factor(self) -> f64 {
        match self {
            Self::Millimetres | Self::Milliseconds => 0.001,
            Self::Centimetres => 0.01,
            Self::Kilometres => 1000.0,
            Self::Inches => 0.0254,
            Self::Feet => 0.3048,
            Self::Yards => 0.9144,
            Self::Miles => 1609.344,
            Self::Degrees => PI / 180.0,
            Self::ArcMinutes => PI / 10_800.0,
            Self::ArcSeconds => PI / 648_000.0,
            Self::Minutes => 60.0,
            Self::Hours => 3600.0,
            Self::None | Self::Metres | Self::Radians | Self::Seconds | Self::Frames => 1.0,
        }
    }
}
