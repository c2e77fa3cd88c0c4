//! The keywords for units, and their sizes.

use crate::clip::Unit;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeUnit {
    /// The number of units that last [`Self::seconds`]. The rate is stored as two numbers, because
    /// both are integers but their quotient often is not.
    pub count: f64,
    /// The duration of [`Self::count`] units, in seconds.
    pub seconds: f64,
    /// `true` if the unit is a frame of film or video.
    pub is_frame: bool,
    /// `true` if Maya accepts the keyword in an `.anim` file.
    pub is_known_to_maya: bool,
}

/// 24 frames a second, which Maya assumes if a file has no time unit.
pub(super) const FILM: TimeUnit = known_unit(24.0, 1.0, true);

pub(super) const UNITLESS: TimeUnit = known_unit(1.0, 1.0, false);

/// The keyword that Maya writes for frame rates without a keyword of their own.
pub(super) const UNKNOWN_TIME_UNIT: &str = "Unknown Time Unit";

const fn known_unit(count: f64, seconds: f64, is_frame: bool) -> TimeUnit {
    TimeUnit { count, seconds, is_frame, is_known_to_maya: true }
}

impl TimeUnit {
    pub(super) fn per_second(self) -> f64 {
        self.count / self.seconds
    }

    pub(super) fn to_seconds(self, time: f64) -> f64 {
        time * self.seconds / self.count
    }

    pub(super) fn to_clip_unit(self) -> Unit {
        match (self.is_frame, self.count, self.seconds) {
            (false, 1000.0, _) => Unit::Milliseconds,
            (false, _, 60.0) => Unit::Minutes,
            (false, _, 3600.0) => Unit::Hours,
            (false, ..) => Unit::Seconds,
            (true, ..) => Unit::Frames,
        }
    }

    /// Accepts Maya's own keywords, rates as MEL spells them (`23.976fps`, `29.97df`), and keywords
    /// of other writers.
    pub(super) fn from_keyword(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        let known = match word.as_str() {
            "game" => known_unit(15.0, 1.0, true),
            "film" => FILM,
            "pal" => known_unit(25.0, 1.0, true),
            "ntsc" => known_unit(30.0, 1.0, true),
            "show" => known_unit(48.0, 1.0, true),
            "palf" => known_unit(50.0, 1.0, true),
            "ntscf" => known_unit(60.0, 1.0, true),
            "hour" => known_unit(1.0, 3600.0, false),
            "min" => known_unit(1.0, 60.0, false),
            "sec" => known_unit(1.0, 1.0, false),
            "millisec" => known_unit(1000.0, 1.0, false),
            _ => return Self::from_foreign_keyword(&word),
        };
        Some(known)
    }

    fn from_foreign_keyword(word: &str) -> Option<Self> {
        let time_unit = |count, seconds| {
            Some(Self { is_known_to_maya: false, ..known_unit(count, seconds, false) })
        };
        match word {
            "hours" => time_unit(1.0, 3600.0),
            "minute" | "minutes" => time_unit(1.0, 60.0),
            "second" | "seconds" => time_unit(1.0, 1.0),
            "milisec" | "ms" | "millisecond" | "milliseconds" => time_unit(1000.0, 1.0),
            _ => {
                let number = word.strip_suffix("fps").or_else(|| word.strip_suffix("df"));
                let (count, seconds) = parse_rate(number.unwrap_or(word).trim())?;
                Some(Self { is_known_to_maya: false, ..known_unit(count, seconds, true) })
            }
        }
    }
}

/// Returns the frame rate `number` as a number of frames and the seconds that they last. Television
/// rates are integers times 1000/1001, and their decimal notation is rounded, so this function
/// replaces them by the exact rates.
fn parse_rate(number: &str) -> Option<(f64, f64)> {
    let rate: f64 = number.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0)?;
    match number {
        "23.976" | "23.98" | "29.97" | "47.952" | "47.95" | "59.94" | "119.88" => {
            Some((rate.round() * 1000.0, 1001.0))
        }
        _ => Some((rate, 1.0)),
    }
}

pub(super) fn parse_length_unit(word: &str) -> Option<Unit> {
    Some(match word.to_ascii_lowercase().as_str() {
        "mm" | "millimeter" => Unit::Millimetres,
        "cm" | "centimeter" => Unit::Centimetres,
        "m" | "meter" => Unit::Metres,
        "km" | "kilometer" => Unit::Kilometres,
        "in" | "inch" => Unit::Inches,
        "ft" | "foot" => Unit::Feet,
        "yd" | "yard" => Unit::Yards,
        "mi" | "mile" => Unit::Miles,
        _ => return None,
    })
}

pub(super) fn parse_angle_unit(word: &str) -> Option<Unit> {
    Some(match word.to_ascii_lowercase().as_str() {
        "rad" | "radian" => Unit::Radians,
        "deg" | "degree" => Unit::Degrees,
        "min" | "minute" => Unit::ArcMinutes,
        "sec" | "second" => Unit::ArcSeconds,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn frame_rates_are_parsed() {
        let cases = [
            ("film", Some(24.0)),
            ("ntsc", Some(30.0)),
            ("hour", Some(1.0 / 3600.0)),
            ("milisec", Some(1000.0)),
            ("120fps", Some(120.0)),
            ("23.976fps", Some(24_000.0 / 1001.0)),
            ("29.97df", Some(30_000.0 / 1001.0)),
            ("29.97fps", Some(30_000.0 / 1001.0)),
            ("12.5fps", Some(12.5)),
            ("25", Some(25.0)),
            ("0fps", None),
            ("-1fps", None),
            ("nanfps", None),
            ("Unknown Time Unit", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(
                TimeUnit::from_keyword(word).map(TimeUnit::per_second),
                expected,
                "{word:?}"
            );
        }
    }

    #[test]
    fn minute_is_a_unit_of_angle_and_of_time() {
        let factor = |unit: Option<Unit>| unit.map(Unit::si_factor);
        assert_eq!(factor(parse_angle_unit("min")), Some(PI / 10_800.0));
        assert_eq!(parse_length_unit("min"), None);
        assert_eq!(factor(parse_length_unit("foot")), Some(0.3048));
    }
}
