//! The Bevy plugin of the session.

use bevy::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::watch;
use super::{
    areas, checks, commands, compare, export,
    files::{self, AttachedSkeleton, Files, default_read_options},
    footage,
    history::{self, EditHistory},
    jobs::Jobs,
    labels, report, scenes, schedule,
    view::{self, SavedView, Settings},
    viewport,
};
use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions, RotationRule},
    formats::{FormatId, ReadOptions},
};

/// Opens files and applies commands.
///
/// Needs [`RecordingPlugin`](bevy_mutoscope::RecordingPlugin). If there is no
/// [`StagePlugin`](bevy_mutoscope::stage::StagePlugin), the plugin stores the state of the view, but nothing
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

impl Plugin for SessionPlugin {
    fn build(&self, app: &mut App) {
        let rotation = self.options.assumptions.all_formats.rotation;
        app.insert_resource(Settings::for_user().with_rotation(rotation))
            .insert_resource(Files {
                skeleton: self.skeleton.clone(),
                options: self.options.clone(),
                ..Files::default()
            })
            .insert_resource(self.view.clone())
            .init_resource::<Jobs>()
            .init_resource::<EditHistory>()
            .add_observer(history::forget_closed)
            .add_plugins((
                (schedule::plugin, view::plugin, files::plugin),
                (compare::plugin, export::plugin, footage::plugin, labels::plugin),
                (areas::plugin, checks::plugin, report::plugin, scenes::plugin, viewport::plugin),
                commands::plugin,
            ));
        // A web page is not notified when its files change, so there is nothing to watch.
        #[cfg(not(target_family = "wasm"))]
        app.add_plugins(watch::plugin);
    }
}
