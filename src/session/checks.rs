//! Mutes checks of a recording, and saves them as a profile next to it.

use bevy::prelude::*;

use super::{
    files::{
        FileFailure, Files, OpenRecordings, RecordingDiagnostics, ReplaceQuestion, SaveOutcome,
        SourceChanged, display_name, display_output_path, profile_path, save_sidecar,
    },
    history::{Edit, EditHistory, EditedValue},
    jobs::Jobs,
};
use bevy_mutoscope::Recording;
use mutoscope_study::verdict::Profile;

/// A command on the checks of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckCommand {
    /// Turns a code off or on for a recording.
    SetMuted {
        /// The recording.
        recording: Entity,
        /// The code of the problem, such as `hand/jump`.
        code: String,
        /// `true` turns the code off.
        is_muted: bool,
    },
    /// Writes the profile with the muted codes next to the recording.
    Save {
        /// The recording.
        recording: Entity,
        /// Is `true` if a file that another program has written may be replaced without asking the
        /// user.
        replaces: bool,
    },
}

type Checked<'a> = (&'a Recording, &'a mut RecordingDiagnostics);

pub(in crate::session) fn plugin(app: &mut App) {
    app.add_observer(follow_source);
}

/// Applies a command. Returns a question if the command would replace a file.
pub(in crate::session) fn apply(
    In(command): In<CheckCommand>,
    mut recordings: ParamSet<(Query<Checked<'_>>, OpenRecordings)>,
    mut history: ResMut<EditHistory>,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
) -> Option<ReplaceQuestion<CheckCommand>> {
    match command {
        CheckCommand::SetMuted { recording: entity, code, is_muted } => {
            let mut checked = recordings.p0();
            let (recording, mut diagnostics) = checked.get_mut(entity).ok()?;
            let before = diagnostics.profile().clone();
            let mut after = before.clone();
            after.set_muted(&code, is_muted);
            diagnostics.set_profile(after.clone(), recording.clip().clone(), &jobs);
            let verb = if is_muted { "muting" } else { "unmuting" };
            history.record(Edit {
                name: format!("{verb} {code}"),
                before: EditedValue::Checks(entity, before),
                after: EditedValue::Checks(entity, after),
            });
            None
        }
        CheckCommand::Save { recording: entity, replaces } => {
            let open = recordings.p1();
            let path = profile_path(open.get(entity)?.source);
            let inputs = open.input_files(files.skeleton.as_ref());
            let mut checked = recordings.p0();
            let (_, mut diagnostics) = checked.get_mut(entity).ok()?;
            let content = diagnostics.profile().to_toml().into_bytes();
            let known = diagnostics.profile_bytes();
            match save_sidecar(&content, &path, replaces, known, &inputs) {
                SaveOutcome::Saved => {
                    let value = EditedValue::Checks(entity, diagnostics.profile().clone());
                    history.mark_saved(value);
                    diagnostics.set_profile_bytes(content);
                    files.notify(format!("Saved {}", display_output_path(&path)));
                }
                SaveOutcome::NeedsConfirmation(text) => {
                    let command = CheckCommand::Save { recording: entity, replaces: true };
                    return Some(ReplaceQuestion { text, command });
                }
                SaveOutcome::Failed(message) => {
                    files.write_failure = Some(FileFailure { name: display_name(&path), message });
                }
            }
            None
        }
    }
}

/// Restores the profile after undo or redo.
pub(in crate::session) fn restore(
    In((recording, profile)): In<(Entity, Profile)>,
    mut recordings: Query<Checked<'_>>,
    jobs: Res<Jobs>,
) {
    if let Ok((recording, mut diagnostics)) = recordings.get_mut(recording) {
        diagnostics.set_profile(profile, recording.clip().clone(), &jobs);
    }
}

/// Keeps the muted checks of a recording that was saved to another file. They are unsaved from then
/// on, because the new file has no profile yet.
fn follow_source(
    changed: On<SourceChanged>,
    recordings: Query<&RecordingDiagnostics>,
    mut history: ResMut<EditHistory>,
) {
    if let Ok(diagnostics) = recordings.get(changed.entity)
        && *diagnostics.profile() != Profile::default()
    {
        let profile = diagnostics.profile().clone();
        history.mark_unsaved(&EditedValue::Checks(changed.entity, profile));
    }
}
