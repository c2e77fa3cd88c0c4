//! Parses units in column names.

use super::vocabulary::VOCABULARY;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnitWord {
    /// A length, as metres per unit.
    Length(f64),
    /// An angle, as radians per unit.
    Angle(f64),
    /// A time: the name of a [`TimeUnit`](crate::mapping::TimeUnit).
    Time(&'static str),
    /// A unit of another quantity, or an unknown one.
    Other,
}

impl UnitWord {
    pub(crate) fn parse(text: &str) -> Self {
        // Greek mu and the micro sign look the same.
        let text = text.trim().to_lowercase().replace('\u{3bc}', "µ");
        let units = &VOCABULARY.units;
        // A short word such as `ms` is no plural.
        let plural = text.strip_suffix('s').filter(|word| word.len() > 2);
        let find = |of: fn(&str, &super::vocabulary::Units) -> Option<f64>| {
            of(&text, units).or_else(|| of(plural?, units))
        };
        if let Some(metres) = find(|word, units| units.length.get(word).copied()) {
            return Self::Length(metres);
        }
        if let Some(degrees) = find(|word, units| units.degrees.get(word).copied()) {
            return Self::Angle(degrees.to_radians());
        }
        match text.as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => Self::Time("s"),
            "ms" | "millis" | "millisecond" | "milliseconds" => Self::Time("ms"),
            "us" | "µs" | "micros" | "microsecond" | "microseconds" => Self::Time("us"),
            "ns" | "nanos" | "nanosecond" | "nanoseconds" => Self::Time("ns"),
            "100ns" | "ticks" => Self::Time("ticks"),
            _ => Self::Other,
        }
    }

    /// Parses the last word of a name as a unit. Accepts fewer units than [`Self::parse`] does,
    /// because the word may be part of the name.
    pub(crate) fn parse_last_word(word: &str) -> Option<Self> {
        let is_sure = matches!(
            word,
            "m" | "s"
                | "sec"
                | "secs"
                | "seconds"
                | "ms"
                | "millis"
                | "milliseconds"
                | "us"
                | "micros"
                | "microseconds"
                | "ns"
                | "nanos"
                | "nanoseconds"
                | "ticks"
        );
        (is_sure || VOCABULARY.units.words.has(word)).then(|| Self::parse(word))
    }
}

/// Returns `true` if a cell may belong to a row of units. Such a row may have empty cells and
/// dashes.
pub(crate) fn is_unit(text: &str) -> bool {
    const OTHER_UNITS: [&str; 14] =
        ["n", "g", "v", "mv", "nm", "nmm", "hz", "px", "pixel", "pixels", "w", "pa", "ut", "µt"];
    text.is_empty()
        || text == "-"
        || text.contains(['/', '^', '²'])
        || OTHER_UNITS.contains(&&*text.to_lowercase())
        || UnitWord::parse(text) != UnitWord::Other
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
