//! Parses numbers as C++ streams do, and the notations of other writers.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A number without separators, as Maya writes it.
    Plain(f64),
    /// With thousands separators: `1,234.5`.
    Grouped(f64),
    /// With a decimal comma: `0,5`.
    DecimalComma(f64),
}

impl Number {
    #[inline]
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        match parse_plain(word) {
            Some(value) => Some(Self::Plain(value)),
            None if word.contains(&b',') => parse_with_commas(word),
            None => None,
        }
    }

    pub(super) fn value(self) -> f64 {
        match self {
            Self::Plain(value) | Self::Grouped(value) | Self::DecimalComma(value) => value,
        }
    }
}

#[inline]
fn parse_plain(word: &[u8]) -> Option<f64> {
    // Fast path: all flags, and many times and values, are a single digit.
    if let [digit @ b'0'..=b'9'] = word {
        return Some(f64::from(digit - b'0'));
    }
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Parses a number with commas. A single comma after all points is a decimal comma, and the points
/// separate thousands. Otherwise the commas separate thousands, and a single point after all commas
/// is the decimal point.
fn parse_with_commas(word: &[u8]) -> Option<Number> {
    let commas = word.iter().filter(|&&byte| byte == b',').count();
    let points = word.iter().filter(|&&byte| byte == b'.').count();
    let comma_is_last =
        word.iter().rposition(|&b| b == b',') > word.iter().rposition(|&b| b == b'.');
    let without = |separator: u8| -> Vec<u8> {
        let kept = word.iter().filter(|&&byte| byte != separator);
        kept.map(|&byte| if byte == b',' { b'.' } else { byte }).collect()
    };
    if commas == 1 && comma_is_last {
        let value = parse_plain(&without(b'.'))?;
        return Some(if points == 0 {
            Number::DecimalComma(value)
        } else {
            Number::Grouped(value)
        });
    }
    let only_groups = points == 0 || (points == 1 && !comma_is_last);
    only_groups.then(|| parse_plain(&without(b','))).flatten().map(Number::Grouped)
}

#[cfg(test)]
mod tests {
    use super::{Number::*, *};

    #[test]
    fn numbers_of_different_writers_are_parsed() {
        let cases = [
            ("1", Some(Plain(1.0))),
            ("+5", Some(Plain(5.0))),
            (".5", Some(Plain(0.5))),
            ("5.", Some(Plain(5.0))),
            ("-1.5E-3", Some(Plain(-0.0015))),
            ("-2.9455214e-28", Some(Plain(-2.9455214e-28))),
            ("0,5", Some(DecimalComma(0.5))),
            ("-1,25", Some(DecimalComma(-1.25))),
            ("1,234.500000", Some(Grouped(1234.5))),
            ("-12,345,678.25", Some(Grouped(-12_345_678.25))),
            ("1.234,5", Some(Grouped(1234.5))),
            ("1,234,567", Some(Grouped(1_234_567.0))),
            ("auto", None),
            ("nan", None),
            ("inf", None),
            ("1e999", None),
            ("-1.#IND", None),
            (",", None),
            ("1,2.3,4", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(Number::parse(word.as_bytes()), expected, "{word:?}");
        }
    }
}
