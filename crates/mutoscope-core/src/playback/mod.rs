//! The playback clock and its commands.
//!
//! [`Clock`] is plain data. Commands change it, [`Clock::advance`] moves it on; neither knows of
//! windows, engines or real time, so a test drives it with a fixed step.

mod clock;
mod command;
mod words;

pub use clock::{Clock, Looping, SLOWEST, SPEED_PRESETS, TimeRange};
pub use command::{Direction, TimeCommand};
pub use words::{parse_rate, parse_seconds, parse_time_range};
