//! Commands for the playback clock.

use super::{Looping, TimeRange};

/// A command for a [`Clock`](super::Clock). All times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeCommand {
    /// Plays if paused, and pauses if playing.
    TogglePlay,
    /// Plays. If the clock does not loop and has reached the end, playback restarts from the other
    /// end.
    Play,
    /// Pauses.
    Pause,
    /// Goes to a clip time.
    Seek(f64),
    /// Skips forward by a number of seconds, or backward if the number is negative.
    Skip(f64),
    /// Pauses, and goes to the next or the previous sample of the recording.
    Step(Direction),
    /// Goes to the start of the looped range, or of the clip.
    ToStart,
    /// Goes to the end of the looped range, or of the clip.
    ToEnd,
    /// Plays at a speed. A negative speed plays backwards.
    SetSpeed(f64),
    /// Plays at the next faster preset, in the same direction.
    Faster,
    /// Plays at the next slower preset, in the same direction.
    Slower,
    /// Changes to the next looping mode. [`Looping::Range`] is skipped if no range is set.
    CycleLooping,
    /// Changes to a looping mode.
    SetLooping(Looping),
    /// Sets the start of the range. If the end of the range is not after the start, the end is
    /// reset to the end of the clip.
    SetIn(f64),
    /// Sets the end of the range. If the start of the range is not before the end, the start is
    /// reset to the start of the clip.
    SetOut(f64),
    /// Sets the range, or clears it.
    SetRange(Option<TimeRange>),
    /// Stops the time without pausing, while the user drags the playhead.
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
