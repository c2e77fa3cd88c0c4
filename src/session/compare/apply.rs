//! Commands on the comparison of recordings, and how they are applied.

use bevy::{math::DVec3, prelude::*};

use super::Comparing;
use crate::session::{
    files::{FileFailure, FileOpener, OpenRecordingsMut, Source},
    view::{FilePurpose, WindowRequest},
};
use bevy_mutoscope::stage::{CameraRequest, StageScreen, View};
use mutoscope_core::{
    clip::NodeId,
    measure::compare::{CompareOptions, Placement, Timing},
};

/// A command on the comparison of recordings. A command whose recording is `None` applies to all
/// compared recordings.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareCommand {
    /// Asks the user for recordings and adds them to the open ones.
    Choose,
    /// Opens this recording next to the others, and compares it with the reference.
    Add(Source, CompareOptions),
    /// Sets the offset and the rate of a recording.
    SetTiming(Entity, Timing),
    /// Aligns a recording in time with the recording that it is compared with.
    Align(Option<Entity>),
    /// Sets where a recording is drawn relative to the recording that it is compared with.
    SetPlacement(Option<Entity>, Placement),
    /// Sets the next of the three placements for all compared recordings.
    CyclePlacement,
    /// Compares a recording with another base.
    Rebase {
        /// The recording.
        recording: Entity,
        /// The new base.
        base: Entity,
    },
    /// Matches a joint of the base with a joint of the recording. If `second` is `None`, the joint
    /// of the base is matched by name again.
    Match {
        /// The compared recording.
        recording: Entity,
        /// The joint of the base.
        first: NodeId,
        /// The joint of the recording.
        second: Option<NodeId>,
    },
    /// Closes all recordings except the reference.
    Stop,
}

pub(in crate::session) fn apply(
    In(command): In<CompareCommand>,
    mut opener: FileOpener,
    mut comparisons: Query<&mut Comparing>,
    mut view: ResMut<View>,
    screen: Res<StageScreen>,
    mut camera: MessageWriter<CameraRequest>,
    mut window: MessageWriter<WindowRequest>,
) {
    // Recordings side by side are beside each other as the user sees them now.
    let yaw = f64::from(screen.camera_pose.yaw).to_radians();
    let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
    let mut place_and_frame = |open: &mut OpenRecordingsMut, recording, placement| {
        if set_placements(open, recording, placement, right) && screen.frames_all {
            camera.write(CameraRequest::FrameAll { at_once: false });
        }
    };
    match command {
        CompareCommand::Choose | CompareCommand::Add(..) if opener.open.reference().is_none() => {
            opener.files.failure = Some(no_reference_failure());
        }
        CompareCommand::Choose => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::Comparison));
        }
        CompareCommand::Add(source, options) => opener.open_compared(source, options),
        CompareCommand::SetTiming(recording, timing) => {
            if let Ok(mut comparing) = comparisons.get_mut(recording) {
                comparing.clear_alignment();
            }
            if let Some(mut recording) = opener.open.recording_mut(recording) {
                recording.set_timing(timing);
            }
        }
        CompareCommand::Align(recording) => {
            for entity in compared_recordings(&opener.open, recording) {
                if let Ok(mut comparing) = comparisons.get_mut(entity) {
                    comparing.request_alignment();
                }
            }
        }
        CompareCommand::SetPlacement(recording, placement) => {
            place_and_frame(&mut opener.open, recording, placement);
        }
        CompareCommand::CyclePlacement => {
            let first = opener.open.compared().first().copied();
            let overlay = first.and_then(|entity| opener.open.overlay(entity));
            if let Some(placement) = overlay.map(|overlay| overlay.placement.next()) {
                place_and_frame(&mut opener.open, None, placement);
            }
        }
        CompareCommand::Rebase { recording, base } => rebase(&mut opener.open, recording, base),
        CompareCommand::Match { recording, first, second } => {
            let open = &opener.open;
            let base = open.overlay(recording).map(|overlay| overlay.base);
            let clip = |entity: Option<Entity>| Some(open.recording(entity?)?.clip());
            if let (Some(base), Some(clip)) = (clip(base), clip(Some(recording)))
                && let Ok(mut comparing) = comparisons.get_mut(recording)
            {
                comparing.choose_match([base, clip], first, second);
            }
        }
        CompareCommand::Stop => {
            opener.overlays.cancel();
            opener.files.loading_compared = None;
            for recording in opener.open.compared() {
                opener.close(recording, &mut view);
            }
        }
    }
}

fn no_reference_failure() -> FileFailure {
    FileFailure {
        name: "comparison".to_owned(),
        message: "no recording is open, so there is nothing to compare. Open a recording first"
            .to_owned(),
    }
}

fn compared_recordings(open: &OpenRecordingsMut, recording: Option<Entity>) -> Vec<Entity> {
    let mut compared = open.compared();
    compared.retain(|entity| recording.is_none_or(|recording| *entity == recording));
    compared
}

/// Places a compared recording, or all of them. `right` is the direction for side by side. Returns
/// `true` if that moves any.
fn set_placements(
    open: &mut OpenRecordingsMut,
    recording: Option<Entity>,
    placement: Placement,
    right: DVec3,
) -> bool {
    let mut has_changed = false;
    for entity in compared_recordings(open, recording) {
        if let Some(mut overlay) = open.overlay_mut(entity)
            && overlay.placement != placement
        {
            (overlay.placement, overlay.right) = (placement, Some(right));
            has_changed = true;
        }
    }
    has_changed
}

/// Compares `recording` with `base`. Does nothing if `base` is already compared with `recording`,
/// directly or through other recordings, because the comparisons would form a cycle.
fn rebase(open: &mut OpenRecordingsMut, recording: Entity, base: Entity) {
    let mut above = Some(base);
    while let Some(entity) = above {
        if entity == recording {
            return;
        }
        above = open.overlay(entity).map(|overlay| overlay.base);
    }
    if let Some(mut overlay) = open.overlay_mut(recording)
        && overlay.base != base
    {
        (overlay.base, overlay.mean_offset) = (base, None);
    }
}
