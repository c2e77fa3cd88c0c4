//! Units in names.

/// A unit that a name states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnitWord {
    /// Metres in one unit.
    Length(f64),
    /// Radians in one unit.
    Angle(f64),
    /// A unit of time: `s`, `ms`, `us`, `ns` or `ticks`.
    Time(&'static str),
    /// Pixels: no place in space.
    Pixels,
    /// Anything else; it is not used.
    Other,
}

impl UnitWord {
    /// The unit with this text between brackets.
    pub(crate) fn of(text: &str) -> Self {
        match text.trim().to_ascii_lowercase().as_str() {
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => {
                Self::Length(0.001)
            }
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => {
                Self::Length(0.01)
            }
            "m" | "meter" | "meters" | "metre" | "metres" => Self::Length(1.0),
            "in" | "inch" | "inches" => Self::Length(0.0254),
            "ft" | "foot" | "feet" => Self::Length(0.3048),
            "rad" | "rads" | "radian" | "radians" => Self::Angle(1.0),
            "deg" | "degs" | "degree" | "degrees" | "°" => Self::Angle(1f64.to_radians()),
            "s" | "sec" | "secs" | "second" | "seconds" => Self::Time("s"),
            "ms" | "millis" | "millisecond" | "milliseconds" => Self::Time("ms"),
            "us" | "µs" | "micros" | "microsecond" | "microseconds" => Self::Time("us"),
            "ns" | "nanos" | "nanosecond" | "nanoseconds" => Self::Time("ns"),
            "100ns" | "ticks" => Self::Time("ticks"),
            "px" | "pix" | "pixel" | "pixels" => Self::Pixels,
            _ => Self::Other,
        }
    }

    /// The unit as the last word of a name, where fewer words are units.
    pub(crate) fn of_last_word(word: &str) -> Option<Self> {
        let unit = match word {
            "mm" | "cm" | "m" | "rad" | "rads" | "deg" | "degs" | "radians" | "degrees" => {
                Self::of(word)
            }
            "s" | "sec" | "secs" | "seconds" | "ms" | "millis" | "milliseconds" | "us"
            | "micros" | "microseconds" | "ns" | "nanos" | "nanoseconds" | "ticks" => {
                Self::of(word)
            }
            _ => return None,
        };
        Some(unit)
    }
}

/// Whether a text is a unit, as in a row of units.
pub(crate) fn is_unit(text: &str) -> bool {
    text.is_empty() || text == "-" || UnitWord::of(text) != UnitWord::Other
}

/// The length in metres of a unit with this name.
pub(crate) fn length_of(text: &str) -> Option<f64> {
    match UnitWord::of(text) {
        UnitWord::Length(metres) => Some(metres),
        _ => None,
    }
}
