//! What a clock can be told.

use super::{Looping, TimeRange};

/// What a [`Clock`](super::Clock) can be told. Times are seconds.
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
    /// Turns to the next way of looping that makes sense.
    CycleLooping,
    /// Loops in this way.
    SetLooping(Looping),
    /// Starts the range here; drops an end that lies before.
    SetIn(f64),
    /// Ends the range here; drops a start that lies behind.
    SetOut(f64),
    /// Sets the range, or drops it.
    SetRange(Option<TimeRange>),
    /// Stands still, without pausing, while somebody drags the playhead.
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
