//! The units of time columns.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    /// 100 ns.
    Ticks,
    Minutes,
    Hours,
    Frames,
}

impl TimeUnit {
    pub(crate) const ALL: [Self; 8] = [
        Self::Seconds,
        Self::Milliseconds,
        Self::Microseconds,
        Self::Nanoseconds,
        Self::Ticks,
        Self::Minutes,
        Self::Hours,
        Self::Frames,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        self.spellings()[0]
    }

    /// Returns all names of the unit, in lower case. The first is the one in mapping files.
    fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Seconds => &["s", "sec", "secs", "second", "seconds"],
            Self::Milliseconds => &[
                "ms",
                "msec",
                "msecs",
                "millis",
                "millisec",
                "millisecs",
                "millisecond",
                "milliseconds",
            ],
            // The micro sign is U+00B5, the Greek letter U+03BC.
            Self::Microseconds => &[
                "us",
                "\u{b5}s",
                "\u{3bc}s",
                "usec",
                "usecs",
                "\u{b5}sec",
                "\u{3bc}sec",
                "micros",
                "microsec",
                "microsecs",
                "microsecond",
                "microseconds",
            ],
            Self::Nanoseconds => &[
                "ns",
                "nsec",
                "nsecs",
                "nanos",
                "nanosec",
                "nanosecs",
                "nanosecond",
                "nanoseconds",
            ],
            Self::Ticks => &["ticks", "100ns", "100 ns"],
            Self::Minutes => &["min", "mins", "minute", "minutes"],
            Self::Hours => &["h", "hr", "hrs", "hour", "hours"],
            Self::Frames => &["frames", "frame"],
        }
    }

    /// Parses any name of a unit, without regard to case.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let word = word.trim().trim_end_matches('.').to_lowercase();
        Self::ALL.into_iter().find(|unit| unit.spellings().contains(&word.as_str()))
    }

    /// Returns the seconds in `time`. For frames, `frame_rate` is in Hz.
    pub(crate) fn to_seconds(self, time: f64, frame_rate: Option<f64>) -> f64 {
        match self {
            Self::Hours => time * 3600.0,
            Self::Minutes => time * 60.0,
            Self::Seconds => time,
            Self::Milliseconds => time / 1e3,
            Self::Microseconds => time / 1e6,
            Self::Nanoseconds => time / 1e9,
            Self::Ticks => time / 1e7,
            Self::Frames => time / frame_rate.unwrap_or(crate::DEFAULT_FRAME_RATE_HZ),
        }
    }

    /// Returns the number of units in a second, or `None` for units that are longer than a second.
    pub(crate) fn per_second(self) -> Option<i64> {
        match self {
            Self::Seconds => Some(1),
            Self::Milliseconds => Some(1_000),
            Self::Microseconds => Some(1_000_000),
            Self::Ticks => Some(10_000_000),
            Self::Nanoseconds => Some(1_000_000_000),
            Self::Minutes | Self::Hours | Self::Frames => None,
        }
    }
}
