//! The session within a Bevy app.

use bevy::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::files::watch;
use super::{
    CommandQueue, Exports, Files, Jobs, Listed, OpenFootage, Panels, RigFile, SavedView,
    SessionClock, Snapshots, Waker, WindowRequest,
    commands::apply,
    compare::{comparing, footage},
    files::{loading, previews},
    jobs::{exporting, issues, listed},
    labels, scenes,
    view::{remember, settings, snapshots},
};
use crate::{
    recording::RecordingSystems,
    stage::{CameraRequest, HoveredTime, MatchedSelection, PlayerSkin, StageScreen, View},
};
use mutoscope_core::{
    clip::RotationRule,
    formats::{FormatId, MappingFile},
    read::Retarget,
};

/// Opening files, and doing what commands say.
///
/// Works on what [`RecordingPlugin`](crate::recording::RecordingPlugin) plays and
/// [`StagePlugin`](crate::stage::StagePlugin) shows. Without the stage, what would be seen is kept all
/// the same.
#[derive(Clone, Debug, Default)]
pub struct SessionPlugin {
    /// The format that every file is read as, if the user sets one.
    pub format: Option<FormatId>,
    /// The skeleton that recordings are put on at first, if they take it.
    pub rig: Option<RigFile>,
    /// How recordings are put on it; by default by the names of nodes if most match, else bone by bone.
    pub retarget: Option<Retarget>,
    /// The mapping of the columns of tables; by default what is kept beside them, else by the names of columns.
    pub columns: Option<MappingFile>,
    /// How quaternion components are interpolated between keys at first, if not by each format's
    /// default.
    pub rotation: Option<RotationRule>,
    /// The first view of the first recording; by default all of it, from its start.
    pub view: SavedView,
}

/// When the session does its work, within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionSystems {
    /// Commands come in from outside of the panels: files that were dropped, chosen or written.
    Input,
    /// Commands are done, and what was read is taken over; then the player samples.
    Apply,
    /// The computation of what panels show of another recording begins.
    Prepare,
    /// Background computations begin.
    Check,
}

impl Plugin for SessionPlugin {
    fn build(&self, app: &mut App) {
        crate::register();
        let mut job = loading::LoadingJob::default();
        job.format = self.format;
        app.insert_resource(job)
            .insert_resource(settings::Settings::of_user().with_rotation(self.rotation))
            .insert_resource(Files {
                rig: self.rig.clone(),
                retarget: self.retarget.clone(),
                columns: self.columns.clone(),
                ..Files::default()
            })
            .insert_resource(self.view.clone());
        init_resources(app);
        add_systems(app);
        // A web page is not notified of changes to its files.
        #[cfg(not(target_family = "wasm"))]
        app.add_plugins(watch::plugin);
    }
}

fn init_resources(app: &mut App) {
    app.init_resource::<CommandQueue>()
        .init_resource::<Exports>()
        .init_resource::<Jobs>()
        .init_resource::<Listed>()
        .init_resource::<OpenFootage>()
        .init_resource::<Panels>()
        .init_resource::<labels::Reports>()
        .init_resource::<SessionClock>()
        .init_resource::<Snapshots>()
        .init_resource::<loading::Interpolation>()
        .init_resource::<loading::OverlayJobs>()
        .init_resource::<Waker>()
        .init_resource::<previews::Previews>()
        .add_message::<WindowRequest>()
        // Resources that the stage adds too, for apps without a stage.
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
            (Input, Apply).chain().before(RecordingSystems::Sample),
            // Rows are missed until they come, issues are not.
            (Prepare, Check).chain().after(RecordingSystems::Sample),
        ),
    )
    .add_systems(Startup, remember::recall)
    .add_systems(
        Update,
        (
            (
                apply::apply_commands,
                snapshots::take,
                loading::finish,
                loading::finish_overlays,
                scenes::find_scenes,
                scenes::play_edited,
                labels::find_labels,
                loading::note_sources,
                (exporting::finish, labels::finish_report),
                previews::update_previews,
            )
                .chain()
                .in_set(Apply),
            (
                issues::look_for_issues,
                listed::list_the_file,
                labels::measure_labels,
                (comparing::match_joints, comparing::measure, comparing::take_alignment).chain(),
                comparing::note_matched_selection,
            )
                .in_set(Check),
            footage::play.in_set(Prepare),
        ),
    )
    .add_systems(Last, remember::remember);
}
