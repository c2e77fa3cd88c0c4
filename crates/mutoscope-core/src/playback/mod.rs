//! The playback clock and its commands.
//!
//! [`Clock`] is plain data. [`Clock::apply`] changes it by a command, and [`Clock::advance`]
//! advances its time. The clock does not depend on a window, an engine or real time, so a test can
//! drive it with fixed steps.

mod clock;
mod command;
mod parse;

pub use clock::{Clock, Looping, MIN_SPEED, SPEED_PRESETS, TimeRange};
pub use command::{Direction, TimeCommand};
pub use parse::{ParseTimeError, parse_rate, parse_seconds, parse_time_range};
