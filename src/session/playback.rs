//! Controls the clock, and steps through keys and events.

use bevy::prelude::*;

use super::files::OpenRecordingsMut;
use bevy_mutoscope::stage::View;
use mutoscope_core::{
    clip::{Clip, Owner},
    playback::{Direction, TimeCommand},
};

/// A command on the playhead.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayheadCommand {
    /// Starts the range at the current time.
    SetInPoint,
    /// Ends the range at the current time.
    SetOutPoint,
    /// Pauses at the next or previous key of the selected node, or of any track if no node is
    /// selected.
    StepKey(Direction),
    /// Pauses at the next or previous marker, or diagnostic with a time.
    StepEvent(Direction),
}

pub(in crate::session) fn apply_time_command(
    In(command): In<TimeCommand>,
    mut open: OpenRecordingsMut,
    view: Res<View>,
) {
    match command {
        TimeCommand::Step(direction) => step_sample(direction, &mut open, &view),
        command => open.apply_to_clock([command]),
    }
}

pub(in crate::session) fn apply_playhead_command(
    In(command): In<PlayheadCommand>,
    mut open: OpenRecordingsMut,
    view: Res<View>,
) {
    let now = open.clock().time();
    match command {
        PlayheadCommand::SetInPoint => open.apply_to_clock([TimeCommand::SetIn(now)]),
        PlayheadCommand::SetOutPoint => open.apply_to_clock([TimeCommand::SetOut(now)]),
        PlayheadCommand::StepKey(direction) => match view.selected {
            Some(selected) => step_through(direction, &mut open, &view, |clip| {
                clip.key_times_of(Owner::Node(selected.node))
            }),
            None => step_sample(direction, &mut open, &view),
        },
        PlayheadCommand::StepEvent(direction) => step_event(direction, &mut open, &view),
    }
}

fn step_sample(direction: Direction, open: &mut OpenRecordingsMut, view: &View) {
    let focus = open.focused(view);
    let times = focus.and_then(|focus| Some(open.recording(focus)?.asset().sample_times.clone()));
    match focus.zip(times) {
        Some((focus, times)) => open.step_through(focus, direction, &times),
        None => open.apply_to_clock([TimeCommand::Step(direction)]),
    }
}

fn step_event(direction: Direction, open: &mut OpenRecordingsMut, view: &View) {
    let focus = open.focused(view);
    let Some(issues) = focus.and_then(|focus| open.diagnostics(focus)) else { return };
    let diagnostic_times: Vec<f64> = issues.all().iter().filter_map(|issue| issue.time).collect();
    step_through(direction, open, view, |clip| {
        let events = clip.events.iter().map(|event| event.time);
        events.chain(diagnostic_times.iter().copied()).collect()
    });
}

fn step_through(
    direction: Direction,
    open: &mut OpenRecordingsMut,
    view: &View,
    times_of: impl Fn(&Clip) -> Vec<f64>,
) {
    let Some(focus) = open.focused(view) else { return };
    let Some(recording) = open.recording(focus) else { return };
    let mut times = times_of(recording.clip());
    times.sort_unstable_by(f64::total_cmp);
    open.step_through(focus, direction, &times);
}
