//! The window: files, panels and keys around the stage.
//!
//! Each frame: dropped files, dialogs and panels put [`Command`]s into one queue;
//! `apply::apply_commands` does them; a loading that ended hands its recording to the
//! [`Player`](crate::player::Player); the player samples the pose and the stage follows. Nothing
//! but `apply` changes the model.

mod action;
mod apply;
mod command;
mod comparing;
mod dialogs;
mod drop;
mod exporting;
mod files;
mod findings;
mod folder;
mod gallery;
mod glance;
mod idle;
mod listed;
mod loading;
mod order;
mod pictures;
mod reader;
mod remember;
mod run;
mod same_node;
mod saved_view;
mod settings;
mod sketch;
mod sorting;
mod watch;

pub use action::{ACTIONS, Action, Section};
pub use command::{Command, Compare, Toggle};
pub use comparing::{Comparing, Measured};
pub use dialogs::AskedFor;
pub use exporting::{ExportOrder, Exported, Exports};
pub use files::{FailedLoading, Files, Listing, Loading, Progress, Remark, RigFile, Source};
pub use findings::Findings;
pub use folder::recordings_in;
pub use gallery::{SAMPLES, Sample};
pub use glance::{Glance, Seen};
pub use listed::Listed;
pub use run::{RunError, run};
pub use saved_view::SavedView;
pub use sketch::{Sketch, Stroke};

use bevy::prelude::*;

use crate::{clip::RotationRule, formats::FormatId, player::PlayerSystems, ui::UiSystems};

/// Everything around stage and panels: opening files, and doing what commands say.
#[derive(Clone, Debug, Default)]
pub struct ViewerPlugin {
    /// The format that every file is taken for, if the user says so.
    pub format: Option<FormatId>,
    /// The skeleton that recordings are put on at first, if they take it.
    pub rig: Option<RigFile>,
    /// How rotations run from key to key at first, if not as is usual for each format.
    pub rotation: Option<RotationRule>,
    /// What is shown of the first recording, if not all from its start.
    pub view: SavedView,
}

impl Plugin for ViewerPlugin {
    fn build(&self, app: &mut App) {
        let mut job = loading::LoadingJob::default();
        job.format = self.format;
        app.insert_resource(job)
            .insert_resource(settings::Settings::of_user().with_rotation(self.rotation))
            .insert_resource(Files { rig: self.rig.clone(), ..Files::default() })
            .insert_resource(self.view.clone())
            .init_resource::<dialogs::OpenDialog>()
            .init_resource::<glance::Looking>()
            .init_resource::<Comparing>()
            .init_resource::<Exports>()
            .init_resource::<Findings>()
            .init_resource::<Listed>()
            .init_resource::<watch::Watch>()
            .add_systems(Startup, (pictures::show_sample_pictures, remember::recall))
            .add_systems(
                Update,
                (
                    drop::take_dropped_files,
                    watch::read_what_was_written,
                    dialogs::answer,
                    apply::apply_commands,
                    loading::finish,
                    comparing::take_over,
                    exporting::finish,
                    glance::look_around,
                )
                    .chain()
                    .before(PlayerSystems::Sample),
            )
            .add_systems(
                Update,
                (
                    findings::look_for_findings,
                    listed::list_the_file,
                    comparing::measure,
                    comparing::align,
                )
                    .after(PlayerSystems::Sample)
                    // Rows are missed until they come, findings are not.
                    .after(UiSystems::Prepare),
            )
            .add_systems(PostUpdate, run::name_the_window)
            .add_systems(Last, (idle::rest_while_nothing_moves, remember::remember));
    }
}
