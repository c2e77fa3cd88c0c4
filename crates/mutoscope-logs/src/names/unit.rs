//! Parses units in column names.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnitWord {
    /// A length, as metres per unit.
    Length(f64),
    /// An angle, as radians per unit.
    Angle(f64),
    /// A time: `s`, `ms`, `us`, `ns` or `ticks`.
    Time(&'static str),
    /// Pixels, which are not positions in space.
    Pixels,
    /// Any other unit, which is ignored.
    Other,
}

impl UnitWord {
    pub(crate) fn parse(text: &str) -> Self {
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

    /// Parses the last word of a name as a unit. Accepts fewer units than [`Self::parse`] does,
    /// because the word may be part of the name.
    pub(crate) fn parse_last_word(word: &str) -> Option<Self> {
        let unit = match word {
            "mm" | "cm" | "m" | "rad" | "rads" | "deg" | "degs" | "radians" | "degrees" => {
                Self::parse(word)
            }
            "s" | "sec" | "secs" | "seconds" | "ms" | "millis" | "milliseconds" | "us"
            | "micros" | "microseconds" | "ns" | "nanos" | "nanoseconds" | "ticks" => {
                Self::parse(word)
            }
            _ => return None,
        };
        Some(unit)
    }
}

/// Returns `true` if a cell may belong to a row of units. Such a row may have empty cells and
/// dashes.
pub(crate) fn is_unit(text: &str) -> bool {
    text.is_empty() || text == "-" || UnitWord::parse(text) != UnitWord::Other
}

/// The units of length that mapping files name, the most usual first.
pub(crate) const LENGTH_UNITS: [&str; 5] = ["m", "cm", "mm", "in", "ft"];

/// Returns the name of a unit of length, or `None` if it has none.
pub(crate) fn length_unit_name(metres: f64) -> Option<&'static str> {
    LENGTH_UNITS.into_iter().find(|name| parse_length_unit(name) == Some(metres))
}

/// Formats a unit of length for messages and labels.
pub(crate) fn format_length_unit(metres: f64) -> String {
    length_unit_name(metres).map_or_else(|| format!("{metres} m"), ToOwned::to_owned)
}

pub(crate) fn parse_length_unit(text: &str) -> Option<f64> {
    match UnitWord::parse(text) {
        UnitWord::Length(metres) => Some(metres),
        _ => None,
    }
}
