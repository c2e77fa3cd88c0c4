//! The clock that recordings follow.

use bevy::{
    prelude::*,
    reflect::{ReflectDeserialize, ReflectSerialize},
};
use serde::{Deserialize, Serialize};

use crate::ClipAsset;
use mutoscope_core::{
    clip::Span,
    playback::{Clock, Looping, TimeCommand, TimeRange},
};

/// A clock for the recordings on the same entity, and for recordings that follow it with
/// [`FollowsClock`]. It advances by itself while it plays.
///
/// All times are in seconds. Reading goes through [`Clock`].
#[derive(
    Component, Clone, Debug, Default, PartialEq, Deref, DerefMut, Reflect, Serialize, Deserialize,
)]
#[reflect(opaque, Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "ClockState", into = "ClockState")]
#[require(ClockStep)]
pub struct PlaybackClock(pub Clock);

/// Makes a recording follow the [`PlaybackClock`] of another entity.
///
/// If the clock is despawned, the recording stays at its last time.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[relationship(relationship_target = ClockFollowers)]
pub struct FollowsClock(#[entities] pub Entity);

/// The recordings that follow the [`PlaybackClock`] of this entity. Bevy updates it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[relationship_target(relationship = FollowsClock)]
pub struct ClockFollowers(Vec<Entity>);

/// Time ranges that the [`PlaybackClock`] of the same entity skips, as (start, end) in seconds,
/// sorted.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct SkippedGaps(pub Vec<(f64, f64)>);

impl PlaybackClock {
    /// Creates a clock that plays all of `asset` from the start. It loops unless the file declares
    /// that the clip does not loop.
    pub fn for_asset(asset: &ClipAsset) -> Self {
        let mut clock = Self(Clock::new(asset.clip.span));
        clock.set_looping(default_looping(asset));
        clock.play();
        clock
    }

    /// Plays. If the clock does not loop and has reached the end, playback restarts.
    pub fn play(&mut self) {
        self.0.apply(TimeCommand::Play, &[]);
    }

    /// Pauses.
    pub fn pause(&mut self) {
        self.0.apply(TimeCommand::Pause, &[]);
    }

    /// Plays if paused, and pauses if playing.
    pub fn toggle(&mut self) {
        self.0.apply(TimeCommand::TogglePlay, &[]);
    }

    /// Goes to `time`, in seconds, limited to the span of the clock. Ignores a time that is not
    /// finite.
    pub fn seek(&mut self, time: f64) {
        self.0.apply(TimeCommand::Seek(time), &[]);
    }

    /// Sets the speed as a factor of the recorded speed. A negative speed plays backwards. The
    /// speed is limited to the range from 0.01 to 8 in both directions: to stop, pause the clock.
    pub fn set_speed(&mut self, speed: f64) {
        self.0.apply(TimeCommand::SetSpeed(speed), &[]);
    }

    /// Sets the looping mode.
    pub fn set_looping(&mut self, looping: Looping) {
        self.0.apply(TimeCommand::SetLooping(looping), &[]);
    }

    /// Extends the span so that it contains `span`.
    pub(crate) fn extend_span(&mut self, span: Span) {
        let start = self.span().start.min(span.start);
        let end = self.span().end().max(span.end());
        self.set_span(Span { start, duration: end - start });
    }
}

/// Returns the entity of the clock that a recording follows: its own, unless it follows another.
pub(crate) fn clock_of(recording: Entity, follows: Option<&FollowsClock>) -> Entity {
    follows.map_or(recording, |follows| follows.0)
}

/// Returns the looping mode of a newly opened recording: [`Looping::Off`] if its file says so,
/// otherwise [`Looping::All`].
pub fn default_looping(asset: &ClipAsset) -> Looping {
    if asset.clip.is_looping == Some(false) { Looping::Off } else { Looping::All }
}

/// A clock as it is stored in scenes and sent by Bevy's remote protocol.
#[derive(Serialize, Deserialize)]
#[serde(default)]
struct ClockState {
    start: f64,
    duration: f64,
    time: f64,
    is_playing: bool,
    speed: f64,
    looping: Looping,
    range: Option<(f64, f64)>,
}

impl Default for ClockState {
    fn default() -> Self {
        PlaybackClock::default().into()
    }
}

impl From<PlaybackClock> for ClockState {
    fn from(clock: PlaybackClock) -> Self {
        Self {
            start: clock.span().start,
            duration: clock.span().duration,
            time: clock.time(),
            is_playing: clock.is_playing(),
            speed: clock.speed(),
            looping: clock.looping(),
            range: clock.range().map(|range| (range.start(), range.end())),
        }
    }
}

impl From<ClockState> for PlaybackClock {
    fn from(state: ClockState) -> Self {
        let mut clock = Clock::new(Span { start: state.start, duration: state.duration });
        let range = state.range.map(|(start, end)| TimeRange::new(start, end));
        clock.apply(TimeCommand::SetRange(range), &[]);
        clock.apply(TimeCommand::SetLooping(state.looping), &[]);
        clock.apply(TimeCommand::Seek(state.time), &[]);
        clock.apply(TimeCommand::SetSpeed(state.speed), &[]);
        if state.is_playing {
            clock.apply(TimeCommand::Play, &[]);
        }
        Self(clock)
    }
}

/// The part of the time that a clock passed in this frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ClockStep {
    pub(crate) passes: [Option<Pass>; 3],
    pub(crate) has_looped: bool,
    pub(crate) has_finished: bool,
    is_started: bool,
}

/// A part of a step without a jump or a change of direction, in clock times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pass {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// `true` if the part begins at `from`. Otherwise the part before ended there.
    pub(crate) includes_from: bool,
}

impl ClockStep {
    /// Advances the clock by `elapsed` seconds of real time, and stores what it passed.
    fn advance(&mut self, clock: &mut Clock, gaps: &[(f64, f64)], elapsed: f64) {
        let (from, was_forward) = (clock.time(), clock.is_forward());
        let (start, end) = clock.playback_bounds();
        let target = from + elapsed * clock.speed().abs() * if was_forward { 1.0 } else { -1.0 };
        clock.advance_skipping_gaps(gaps, elapsed);
        let is_past_bounds = !(start..=end).contains(&target) && start < end;
        let (near, far) = if was_forward { (start, end) } else { (end, start) };
        let to = clock.time();
        let pass = |from, to, includes_from| Some(Pass { from, to, includes_from });
        let includes_from = !self.is_started;
        self.is_started = true;
        self.has_finished = !clock.is_playing();
        self.has_looped = is_past_bounds && !self.has_finished;
        self.passes = match clock.looping() {
            _ if !self.has_looped => [pass(from, to, includes_from), None, None],
            Looping::PingPong if clock.is_forward() == was_forward => {
                [pass(from, far, includes_from), pass(far, near, false), pass(near, to, false)]
            }
            Looping::PingPong => [pass(from, far, includes_from), pass(far, to, false), None],
            _ => [pass(from, far, includes_from), pass(near, to, true), None],
        };
    }
}

pub(crate) fn advance_clocks(
    mut clocks: Query<(&mut PlaybackClock, &mut ClockStep, Option<&SkippedGaps>)>,
    time: Res<Time>,
) {
    for (mut clock, mut step, gaps) in &mut clocks {
        // Do not change a clock that stands still. Otherwise Bevy would report a change, and an app
        // that redraws on changes would never rest.
        if clock.is_running() {
            let gaps = gaps.map_or(&[][..], |gaps| &gaps.0);
            step.advance(&mut clock, gaps, time.delta_secs_f64());
        } else if step.passes[0].is_some() {
            *step = ClockStep { is_started: step.is_started, ..ClockStep::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn clock_loops_by_default() {
        for (is_looping, expected) in
            [(Some(true), Looping::All), (Some(false), Looping::Off), (None, Looping::All)]
        {
            let bytes = include_bytes!("../../../assets/prime/walk.ANIM");
            let mut clip = decode(bytes, &ReadOptions::default()).unwrap();
            clip.is_looping = is_looping;
            let clock = PlaybackClock::for_asset(&ClipAsset::new(clip));
            assert_eq!(clock.looping(), expected, "{is_looping:?}");
            assert!(clock.is_playing());
        }
    }
}
