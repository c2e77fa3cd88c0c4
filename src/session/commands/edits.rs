//! Undoes and saves edits of labels and scenes, and asks before edits are lost or a file is
//! replaced.

use bevy::prelude::*;

use super::{
    Command, EditCommand,
    dispatch::{are_labels, dispatch, run},
};
use crate::session::{
    compare::CompareCommand,
    features::AllOpenRecordings,
    files::{FileCommand, ReplaceQuestion},
    labels::{self, EditedLabels, LabelCommand, LabelContext},
    scenes::{self, EditedScene},
    view::{Panel, Panels},
};

/// The commands that wait for an answer of the user.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct PendingCommands {
    /// The command that would discard unsaved edits.
    pub discard: Option<Box<Command>>,
    /// The command that would replace a file, and the question.
    pub replacement: Option<(Box<Command>, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EditStep {
    Undo,
    Redo,
}

pub(super) fn apply(world: &mut World, command: EditCommand) {
    match command {
        EditCommand::Undo => run(world, step_edits, EditStep::Undo),
        EditCommand::Redo => run(world, step_edits, EditStep::Redo),
        EditCommand::Save => {
            let question = run(world, save_edits, ());
            ask_to_replace(world, question, Command::Label);
        }
        EditCommand::SaveAndContinue => save_and_continue(world),
        EditCommand::Discard => {
            if let Some(command) = pending(world).discard.take() {
                dispatch(world, *command);
            }
        }
        EditCommand::KeepOpen => pending(world).discard = None,
        EditCommand::Replace => {
            if let Some((command, _)) = pending(world).replacement.take() {
                dispatch(world, *command);
            }
        }
        EditCommand::KeepFile => pending(world).replacement = None,
    }
}

fn pending(world: &mut World) -> Mut<'_, PendingCommands> {
    world.resource_mut()
}

/// Stores the command that replaces a file until the user has answered the question.
pub(super) fn ask_to_replace<C>(
    world: &mut World,
    question: Option<ReplaceQuestion<C>>,
    to_command: fn(C) -> Command,
) {
    if let Some(ReplaceQuestion { text, command }) = question {
        pending(world).replacement = Some((Box::new(to_command(command)), text));
    }
}

/// Closes the panels that float over the viewport, and drops all questions. Returns `false` if
/// there is none of them.
pub(super) fn close_questions(world: &mut World) -> bool {
    let pending = std::mem::take(&mut *pending(world));
    world.resource_mut::<Panels>().close_floating() || pending != PendingCommands::default()
}

/// Returns `true` if `command` would discard unsaved edits. The command is then stored until the
/// user has answered the question.
pub(super) fn ask_before_losing_edits(world: &mut World, command: &Command) -> bool {
    let closed = match command {
        Command::File(FileCommand::Open(files)) if are_labels(world, files) => return false,
        Command::File(
            FileCommand::Open(_)
            | FileCommand::OpenSample(_)
            | FileCommand::OpenListed(_)
            | FileCommand::Step(_)
            | FileCommand::ShowGallery,
        )
        | Command::CloseWindow => ClosedRecordings::All,
        Command::File(FileCommand::Close(recording)) => ClosedRecordings::One(*recording),
        Command::Compare(CompareCommand::Stop) => ClosedRecordings::Compared,
        _ => return false,
    };
    let loses_edits = run(world, have_unsaved_edits, closed);
    if loses_edits {
        pending(world).discard = Some(Box::new(command.clone()));
    }
    loses_edits
}

#[derive(Clone, Copy, Debug)]
enum ClosedRecordings {
    All,
    Compared,
    One(Entity),
}

fn have_unsaved_edits(In(closed): In<ClosedRecordings>, open: AllOpenRecordings) -> bool {
    open.in_order().iter().any(|open| {
        let is_closed = match closed {
            ClosedRecordings::All => true,
            ClosedRecordings::Compared => open.index > 0,
            ClosedRecordings::One(recording) => open.entity == recording,
        };
        is_closed && open.has_unsaved_edits()
    })
}

/// Makes the scene the target of the next undo, because it was edited later than the labels.
pub(super) fn note_scene_edit(
    In(recording): In<Entity>,
    mut labels: Query<&mut EditedLabels, With<EditedScene>>,
) {
    if let Ok(mut labels) = labels.get_mut(recording) {
        labels.is_edited_last = false;
    }
}

fn step_edits(
    In(step): In<EditStep>,
    mut context: LabelContext,
    mut scenes: Query<&mut EditedScene>,
    mut commands: Commands,
) {
    let Some(recording) = context.label_target() else { return };
    let is_label_edit_next = |labels: &EditedLabels| {
        let scene = scenes.get(recording).ok();
        let [label_edit, scene_edit] = match step {
            EditStep::Undo => [labels.undo_name(), scene.and_then(EditedScene::undo_name)],
            EditStep::Redo => [labels.redo_name(), scene.and_then(EditedScene::redo_name)],
        };
        label_edit.is_some() && (labels.is_edited_last || scene_edit.is_none())
    };
    let name = if context.labels(recording).is_some_and(is_label_edit_next) {
        context.labels_mut(recording).and_then(|mut labels| match step {
            EditStep::Undo => labels.undo(),
            EditStep::Redo => labels.redo(),
        })
    } else {
        scenes.get_mut(recording).ok().and_then(|mut scene| match step {
            EditStep::Undo => scene.undo(),
            EditStep::Redo => scene.redo(),
        })
    };
    commands.run_system_cached(scenes::mark_unsaved_content);
    context.files.notify(match (name, step) {
        (Some(name), EditStep::Undo) => format!("Undid: {name}"),
        (Some(name), EditStep::Redo) => format!("Redid: {name}"),
        (None, EditStep::Undo) => "Nothing to undo".to_owned(),
        (None, EditStep::Redo) => "Nothing to redo".to_owned(),
    });
}

fn save_edits(
    mut context: LabelContext,
    scenes: Query<&EditedScene>,
) -> Option<ReplaceQuestion<LabelCommand>> {
    let recording = context.label_target()?;
    let has_labels = context.labels(recording).is_some_and(EditedLabels::has_unsaved_edits);
    let question = if has_labels { context.save_labels(recording, false) } else { None };
    let scene = context.focused().and_then(|focus| scenes.get(focus).ok());
    if scene.is_some_and(|scene| scene.has_unsaved_edits() || !has_labels) {
        context.panels.open_panel(Panel::SAVE_SCENE);
    } else if !has_labels {
        context.files.notify("No unsaved edits".to_owned());
    }
    question
}

/// Saves all labels and runs the pending command. If anything could not be saved, the command is
/// dropped, because it would discard the edits.
fn save_and_continue(world: &mut World) {
    let Some(command) = pending(world).discard.take() else { return };
    let question = run(world, labels::save_all, ());
    ask_to_replace(world, question, Command::Label);
    if !run(world, have_unsaved_edits, ClosedRecordings::All) {
        dispatch(world, *command);
    }
}
