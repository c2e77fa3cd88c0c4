//! The Bevy plugin of the session.

use bevy::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::files::watch;
use super::{
    AttachedSkeleton, CommandQueue, Exports, FileListing, Files, Jobs, OpenFootage, Panels,
    SavedView, SessionClock, SnapshotRequests, Waker, WindowRequest,
    commands::apply,
    compare::{comparing, footage},
    files::{loading, previews},
    jobs::{diagnostics, exporting, file_listing},
    labels, scenes,
    view::{persistence, settings, snapshots},
};
use crate::{
    recording::RecordingSystems,
    stage::{CameraRequest, HoveredTime, MatchedSelection, PlayerSkin, StageScreen, View},
};
use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions, RotationRule},
    formats::{Fit, FormatId, ReadOptions},
};

/// Opens files and applies commands.
///
/// Needs [`RecordingPlugin`](crate::recording::RecordingPlugin). If there is no
/// [`StagePlugin`](crate::stage::StagePlugin), the plugin stores the state of the view, but nothing
/// draws it.
#[derive(Clone, Debug)]
pub struct SessionPlugin {
    /// The options for reading files. The user can change the fit and the rotation rule.
    pub options: ReadOptions,
    /// The skeleton that recordings are attached to at first, if they support it.
    pub skeleton: Option<AttachedSkeleton>,
    /// The first view of the first recording. The default frames the whole recording at its start.
    pub view: SavedView,
}

impl SessionPlugin {
    /// Creates the plugin for the parameters of a link.
    pub fn for_link(
        format: Option<FormatId>,
        rotation: Option<RotationRule>,
        view: SavedView,
    ) -> Self {
        let assumptions = Assumptions { rotation, ..Assumptions::default() };
        let assumptions = FormatAssumptions::for_all_formats(assumptions);
        let options = ReadOptions { format, assumptions, ..default_read_options() };
        Self { options, skeleton: None, view }
    }
}

impl Default for SessionPlugin {
    fn default() -> Self {
        Self { options: default_read_options(), skeleton: None, view: SavedView::default() }
    }
}

/// Returns the options with which the window reads files, unless the user requests others.
pub fn default_read_options() -> ReadOptions {
    ReadOptions {
        fit: Fit::Automatic,
        plays_all_clips: true,
        // Show a recording that does not match its skeleton, because the user must see what does
        // not match and why.
        allows_unmatched_skeleton: true,
        ..ReadOptions::from(crate::registry())
    }
}

/// The steps of the session within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionSystems {
    /// Reads commands that come from outside the panels: dropped, chosen or rewritten files.
    Input,
    /// Applies commands and installs loaded recordings. The recordings are sampled after this step.
    Apply,
    /// Starts to compute the content of the panels after another recording is shown.
    Prepare,
    /// Starts background computations.
    Check,
}

impl Plugin for SessionPlugin {
    fn build(&self, app: &mut App) {
        let rotation = self.options.assumptions.all_formats.rotation;
        app.insert_resource(settings::Settings::for_user().with_rotation(rotation))
            .insert_resource(Files {
                skeleton: self.skeleton.clone(),
                options: self.options.clone(),
                ..Files::default()
            })
            .insert_resource(self.view.clone());
        init_resources(app);
        add_systems(app);
        // A web page is not notified when its files change, so there is nothing to watch.
        #[cfg(not(target_family = "wasm"))]
        app.add_plugins(watch::plugin);
    }
}

fn init_resources(app: &mut App) {
    app.init_resource::<CommandQueue>()
        .init_resource::<Exports>()
        .init_resource::<Jobs>()
        .init_resource::<FileListing>()
        .init_resource::<OpenFootage>()
        .init_resource::<Panels>()
        .init_resource::<labels::Reports>()
        .init_resource::<SessionClock>()
        .init_resource::<SnapshotRequests>()
        .init_resource::<loading::Interpolation>()
        .init_resource::<loading::LoadingJob>()
        .init_resource::<loading::OverlayJobs>()
        .init_resource::<Waker>()
        .init_resource::<previews::Previews>()
        .add_message::<WindowRequest>()
        // An app without a stage needs these resources too. If there is a stage, it adds the same
        // resources.
        .init_resource::<MatchedSelection>()
        .init_resource::<HoveredTime>()
        .init_resource::<StageScreen>()
        .init_resource::<View>()
        .init_resource::<PlayerSkin>()
        .add_message::<CameraRequest>();
}

fn add_systems(app: &mut App) {
    use SessionSystems::{Apply, Check, Input, Prepare};
    app.configure_sets(
        Update,
        (
            (Input, Apply).chain().before(RecordingSystems::Load),
            // Prepare the timeline before the checks run, because users notice missing rows sooner
            // than missing diagnostics.
            (Prepare, Check).chain().after(RecordingSystems::ApplyJoints),
        ),
    )
    .add_systems(Startup, persistence::restore_settings)
    .add_systems(
        Update,
        (
            (
                apply::apply_commands,
                snapshots::carry_out_requests,
                loading::finish_loading,
                loading::finish_overlays,
                scenes::update_edited_scenes,
                scenes::play_edited_scenes,
                labels::find_labels,
                loading::update_sources,
                (exporting::finish_export, labels::finish_report),
                previews::update_previews,
            )
                .chain()
                .in_set(Apply),
            (
                diagnostics::check_recordings,
                file_listing::update_file_listing,
                labels::measure_labels,
                (
                    comparing::match_joints,
                    comparing::measure_distances,
                    comparing::apply_alignments,
                )
                    .chain(),
                comparing::update_matched_selection,
            )
                .in_set(Check),
            footage::play_footage.in_set(Prepare),
        ),
    )
    .add_systems(Last, persistence::save_settings);
}
