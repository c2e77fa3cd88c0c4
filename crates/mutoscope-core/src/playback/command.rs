//! Commands for a clock.

use super::{Looping, TimeRange};

/// A command for a [`Clock`](super::Clock). Times are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeCommand {
    /// Plays if paused and pauses if playing.
    TogglePlay,
    /// Plays; from the other end again if the clip is played out.
    Play,
    /// Pauses.
    Pause,
    /// Goes to a time.
    Seek(f64),
    /// Goes on by some seconds, or back by a negative number of them.
    Skip(f64),
    /// Pauses and goes to the next or previous sample that the recording holds.
    Step(Direction),
    /// Goes to the start of the range, or of the clip.
    ToStart,
    /// Goes to the end of the range, or of the clip.
    ToEnd,
    /// Plays at this speed; backwards if negative.
    SetSpeed(f64),
    /// Plays at the next faster preset, in the same direction.
    Faster,
    /// Plays at the next slower preset, in the same direction.
    Slower,
    /// Cycles through the looping modes that apply.
    CycleLooping,
    /// Loops in this way.
    SetLooping(Looping),
    /// Sets the in point here; clears an out point before it.
    SetIn(f64),
    /// Sets the out point here; clears an in point after it.
    SetOut(f64),
    /// Sets or clears the range.
    SetRange(Option<TimeRange>),
    /// Holds playback, without pausing, while the user drags the playhead.
    Hold,
    /// Ends a [`TimeCommand::Hold`].
    Release,
}

/// A direction in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards later times.
    Forward,
    /// Towards earlier times.
    Backward,
}
