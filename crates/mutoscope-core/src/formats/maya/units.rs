//! The words for units, and what they mean.

use crate::clip::Unit;

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeUnit {
    /// This many of it take [`Self::seconds`]: two numbers, because both are whole and their
    /// quotient is not.
    pub count: f64,
    /// The seconds that [`Self::count`] of it take.
    pub seconds: f64,
    /// Whether it is a frame of film or video.
    pub is_frame: bool,
    /// Whether Maya reads this word in an `.anim` file.
    pub is_known_to_maya: bool,
}

/// The unit that Maya assumes where a file states none: film, 24 frames a second.
pub(super) const FILM: TimeUnit = unit(24.0, 1.0, true);

/// The unit of curves that are not over time.
pub(super) const PLAIN: TimeUnit = unit(1.0, 1.0, false);

/// The word that Maya writes for every rate that it has no word for.
pub(super) const UNKNOWN_TIME_UNIT: &str = "Unknown Time Unit";

const fn unit(count: f64, seconds: f64, is_frame: bool) -> TimeUnit {
    TimeUnit { count, seconds, is_frame, is_known_to_maya: true }
}

impl TimeUnit {
    /// How many of it make a second.
    pub(super) fn per_second(self) -> f64 {
        self.count / self.seconds
    }

    /// `time`, in this unit, in seconds.
    pub(super) fn in_seconds(self, time: f64) -> f64 {
        time * self.seconds / self.count
    }

    /// The unit of its numbers.
    pub(super) fn unit(self) -> Unit {
        match (self.is_frame, self.count, self.seconds) {
            (false, 1000.0, _) => Unit::Milliseconds,
            (false, _, 60.0) => Unit::Minutes,
            (false, _, 3600.0) => Unit::Hours,
            (false, ..) => Unit::Seconds,
            (true, ..) => Unit::Frames,
        }
    }

    /// The unit with this word: Maya's own, or a rate as MEL spells it (`23.976fps`, `29.97df`), or
    /// a word that others write.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        let known = match word.as_str() {
            "game" => unit(15.0, 1.0, true),
            "film" => FILM,
            "pal" => unit(25.0, 1.0, true),
            "ntsc" => unit(30.0, 1.0, true),
            "show" => unit(48.0, 1.0, true),
            "palf" => unit(50.0, 1.0, true),
            "ntscf" => unit(60.0, 1.0, true),
            "hour" => unit(1.0, 3600.0, false),
            "min" => unit(1.0, 60.0, false),
            "sec" => unit(1.0, 1.0, false),
            "millisec" => unit(1000.0, 1.0, false),
            _ => return Self::of_strange_word(&word),
        };
        Some(known)
    }

    fn of_strange_word(word: &str) -> Option<Self> {
        let no_frames =
            |count, seconds| Some(Self { is_known_to_maya: false, ..unit(count, seconds, false) });
        match word {
            "hours" => no_frames(1.0, 3600.0),
            "minute" | "minutes" => no_frames(1.0, 60.0),
            "second" | "seconds" => no_frames(1.0, 1.0),
            "milisec" | "ms" | "millisecond" | "milliseconds" => no_frames(1000.0, 1.0),
            _ => {
                let number = word.strip_suffix("fps").or_else(|| word.strip_suffix("df"));
                let (count, seconds) = rate(number.unwrap_or(word).trim())?;
                Some(Self { is_known_to_maya: false, ..unit(count, seconds, true) })
            }
        }
    }
}

/// The frames, and the seconds they take, of the rate that is written like this; those of
/// television are 1000/1001 of a whole number.
fn rate(number: &str) -> Option<(f64, f64)> {
    let rate: f64 = number.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0)?;
    match number {
        "23.976" | "23.98" | "29.97" | "47.952" | "47.95" | "59.94" | "119.88" => {
            Some((rate.round() * 1000.0, 1001.0))
        }
        _ => Some((rate, 1.0)),
    }
}

/// The unit of length with this word, short or long.
pub(super) fn length(word: &str) -> Option<Unit> {
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

/// The unit of angle with this word, short or long.
pub(super) fn angle(word: &str) -> Option<Unit> {
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
    fn rates() {
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
            assert_eq!(TimeUnit::of_word(word).map(TimeUnit::per_second), expected, "{word:?}");
        }
    }

    #[test]
    fn minute_is_a_unit_of_angle_and_of_time() {
        let factor = |unit: Option<Unit>| unit.map(Unit::factor);
        assert_eq!(factor(angle("min")), Some(PI / 10_800.0));
        assert_eq!(length("min"), None);
        assert_eq!(factor(length("foot")), Some(0.3048));
    }
}
