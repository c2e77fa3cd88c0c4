//! The order of the session's systems within a frame.

use bevy::prelude::*;

use bevy_mutoscope::RecordingSystems;

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

/// The steps of [`SessionSystems::Apply`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::session) enum ApplyStep {
    /// Applies the queued commands.
    Commands,
    /// Installs recordings that were loaded.
    Load,
    /// Decodes edited recordings again.
    Edit,
    /// Follows the changes of the recordings, and polls the jobs of features.
    Follow,
}

pub(in crate::session) fn plugin(app: &mut App) {
    use SessionSystems::{Apply, Check, Input, Prepare};
    app.configure_sets(
        Update,
        (
            (Input, Apply).chain().before(RecordingSystems::Load),
            // Prepare the timeline before the checks run, because users notice missing rows sooner
            // than missing diagnostics.
            (Prepare, Check).chain().after(RecordingSystems::ApplyJoints),
            (ApplyStep::Commands, ApplyStep::Load, ApplyStep::Edit, ApplyStep::Follow)
                .chain()
                .in_set(Apply),
        ),
    );
}
