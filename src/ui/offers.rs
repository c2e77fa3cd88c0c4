//! What of the table of actions can be done now, and what is on.

use super::{Model, PreparedTimeline, UiState};
use crate::{
    clip::Clip,
    formats::format,
    stage::{CameraMode, Follow, Ghosts},
    viewer::{Command, Compare, Source, Toggle},
};

/// Whether a command has something to act on.
pub(super) fn makes_sense(command: &Command, model: &Model<'_>) -> bool {
    let clip = model.player.clip();
    match command {
        Command::AskForSkeleton => {
            let takes_one = |clip: &Clip| format(clip.format).is_some_and(|row| row.rig.is_some());
            clip.is_none_or(takes_one)
        }
        Command::DetachSkeleton => {
            model.files.rig.is_some() || clip.is_some_and(|clip| clip.skeleton.attached().is_some())
        }
        Command::Toggle(Toggle::Skeleton) => {
            clip.is_some_and(|clip| clip.skeleton.attached().is_some())
        }
        Command::Toggle(Toggle::Export) | Command::Compare(Compare::Choose) => clip.is_some(),
        Command::Compare(_) => model.counterpart.clip().is_some(),
        Command::ZoomToRange => model.player.clock().range().is_some(),
        Command::Toggle(Toggle::Folds) => {
            model.timeline.is_none_or(PreparedTimeline::has_empty_stretches)
        }
        Command::CopyView => matches!(model.files.current, Some(Source::File(_))),
        _ => true,
    }
}

/// Whether a command turns something on and off that is on.
pub(super) fn is_on(command: &Command, model: &Model<'_>, state: &UiState) -> bool {
    let toggle = match *command {
        Command::Toggle(toggle) => toggle,
        Command::CycleFollow => return model.screen.follows != Follow::Off,
        _ => return false,
    };
    let view = model.view;
    match toggle {
        Toggle::Labels => view.labels,
        Toggle::Axes => view.axes,
        Toggle::Bones => view.bones,
        Toggle::Model => view.model,
        Toggle::Grid => view.grid,
        Toggle::RestPose => view.rest_pose,
        Toggle::InPlace => view.in_place,
        Toggle::Trails => view.travel.trails,
        Toggle::Ghosts => view.travel.ghosts != Ghosts::Off,
        Toggle::FadeUntracked => view.fade_untracked,
        Toggle::HeadCamera => view.camera == CameraMode::Head,
        Toggle::Curves => state.timeline.shows_curves(),
        Toggle::Bytes => state.shows_bytes(),
        Toggle::MovedCurves => state.timeline.shows_curves() && state.timeline.curves.shows_moved,
        Toggle::NormalisedCurves => state.timeline.curves.normalised,
        Toggle::Frames => state.timeline.counts_frames,
        Toggle::Folds => state.timeline.folds,
        Toggle::Snapping => state.timeline.snaps,
        Toggle::Panels => !state.panels_hidden,
        Toggle::Chooser => state.chooser.is_open(),
        Toggle::Help => state.help_open,
        Toggle::Export => state.export.open,
        Toggle::Findings => state.findings.open,
        Toggle::Skeleton => state.skeleton.open,
        Toggle::FullScreen => false,
    }
}
