//! What of the table of actions can be done now, and what is on.

use super::{Model, PreparedTimeline};
use crate::{
    session::{Command, Compare, Source, Toggle},
    stage::{CameraMode, Follow, Ghosts},
};

/// Whether a command has something to act on.
pub(super) fn makes_sense(command: &Command, model: &Model<'_>) -> bool {
    let clip = model.clip();
    match command {
        Command::AskForSkeleton => clip.is_none_or(|clip| clip.format.format().on_rig.is_some()),
        Command::DetachSkeleton => {
            model.files.rig.is_some() || clip.is_some_and(|clip| clip.skeleton.attached().is_some())
        }
        Command::Toggle(Toggle::Skeleton) => {
            clip.is_some_and(|clip| clip.skeleton.attached().is_some())
        }
        Command::Toggle(Toggle::Export) | Command::Compare(Compare::Choose) => clip.is_some(),
        Command::Compare(_) => model.recordings.len() > 1,
        Command::ZoomToRange => model.clock.range().is_some(),
        Command::Toggle(Toggle::Folds) => {
            model.timeline().is_none_or(PreparedTimeline::has_empty_stretches)
        }
        Command::CopyView => matches!(model.files.current, Some(Source::File(_))),
        _ => true,
    }
}

/// Whether a command turns something on and off that is on.
pub(super) fn is_on(command: &Command, model: &Model<'_>) -> bool {
    let toggle = match *command {
        Command::Toggle(toggle) => toggle,
        Command::CycleFollow => return model.screen.follows != Follow::Off,
        _ => return false,
    };
    let view = model.view;
    if let Some(is_on) = model.panels.is_on(toggle) {
        return is_on;
    }
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
        _ => false,
    }
}
