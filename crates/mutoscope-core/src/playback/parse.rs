//! Parsers for times and rates, for the command line and for links.

use std::ops::RangeInclusive;

/// The error for text that is not a time, a time range or a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    /// The text is not a finite number.
    #[error("expected a time in seconds, found {0:?}")]
    Time(String),
    /// The text is not two times with `..` between them.
    #[error("expected two times with .. between them")]
    Range,
    /// The second time of a range is before the first.
    #[error("the range ends before it starts")]
    ReversedRange,
    /// The text is not a finite number above 0.
    #[error("expected a rate above 0, found {0:?}")]
    Rate(String),
}

/// Parses a time in seconds.
///
/// # Errors
/// Fails if `text` is not a finite number.
pub fn parse_seconds(text: &str) -> Result<f64, ParseTimeError> {
    let time: Option<f64> = text.trim().parse().ok();
    time.filter(|time| time.is_finite()).ok_or_else(|| ParseTimeError::Time(text.to_owned()))
}

/// Parses a time range in seconds, such as `0.5..2.5`.
///
/// # Errors
/// Fails if `text` is not two times in ascending order.
pub fn parse_time_range(text: &str) -> Result<RangeInclusive<f64>, ParseTimeError> {
    let (from, to) = text.split_once("..").ok_or(ParseTimeError::Range)?;
    let (from, to) = (parse_seconds(from)?, parse_seconds(to)?);
    if from <= to { Ok(from..=to) } else { Err(ParseTimeError::ReversedRange) }
}

/// Parses a speed factor, or a rate in Hz.
///
/// # Errors
/// Fails if `text` is not a finite number above 0.
pub fn parse_rate(text: &str) -> Result<f64, ParseTimeError> {
    let rate: Option<f64> = text.parse().ok();
    let usable = |rate: &f64| rate.is_finite() && *rate > 0.0;
    rate.filter(usable).ok_or_else(|| ParseTimeError::Rate(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_ranges_and_rates_are_parsed() {
        assert_eq!(parse_seconds(" -2.5e0"), Ok(-2.5));
        assert_eq!(parse_time_range("-1..2"), Ok(-1.0..=2.0));
        assert_eq!(parse_time_range("0.25..0.25"), Ok(0.25..=0.25));
        for wrong in ["1", "2..1", "..", "1..", "a..b", "nan..1", "0..inf"] {
            assert!(parse_time_range(wrong).is_err(), "{wrong:?}");
        }
        for wrong in ["0", "-1", "nan", "inf", ""] {
            assert!(parse_rate(wrong).is_err(), "{wrong:?}");
        }
    }
}
