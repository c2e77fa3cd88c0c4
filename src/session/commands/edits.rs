//! Undoes and saves edits, and asks before edits are lost or a file is replaced.

use bevy::prelude::*;

use super::{
    Command, EditCommand,
    dispatch::{are_labels, dispatch, run},
};
use crate::session::{
    areas::{self, AreaCommand},
    checks::{self, CheckCommand},
    columns,
    compare::{CompareCommand, Comparing},
    conventions,
    export::Exports,
    files::{FileCommand, Files, ReplaceQuestion},
    history::{Document, EditHistory, EditedValue},
    labels,
    scenes::{self, EditedScene},
    skeleton::{self, SkeletonCommand},
    view::{Panel, Panels},
};

/// The commands that wait for an answer of the user.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct PendingCommands {
    /// The command that would discard unsaved edits or stop an export.
    pub discard: Option<Box<Command>>,
    /// The documents whose edits that command would discard.
    pub lost: Vec<Document>,
    /// The command that would replace a file, and the question.
    pub replacement: Option<(Box<Command>, String)>,
}

impl PendingCommands {
    fn take_discard(&mut self) -> Option<Box<Command>> {
        self.lost.clear();
        self.discard.take()
    }
}

pub(super) fn apply(world: &mut World, command: EditCommand) {
    match command {
        EditCommand::Undo => {
            let edit = world.resource_mut::<EditHistory>().undo();
            let message = edit.as_ref().map(|edit| format!("Undid: {}", edit.name));
            restore(world, edit.map(|edit| edit.before));
            notify(world, message.unwrap_or_else(|| "Nothing to undo".to_owned()));
        }
        EditCommand::Redo => {
            let edit = world.resource_mut::<EditHistory>().redo();
            let message = edit.as_ref().map(|edit| format!("Redid: {}", edit.name));
            restore(world, edit.map(|edit| edit.after));
            notify(world, message.unwrap_or_else(|| "Nothing to redo".to_owned()));
        }
        EditCommand::EndStep => world.resource_mut::<EditHistory>().end_step(),
        EditCommand::Save => save_or_ask(world),
        EditCommand::SaveAndContinue => save_and_continue(world),
        EditCommand::Discard => {
            if let Some(command) = pending(world).take_discard() {
                dispatch(world, *command);
            }
        }
        EditCommand::KeepOpen => drop(pending(world).take_discard()),
        EditCommand::Replace => {
            if let Some((command, _)) = pending(world).replacement.take() {
                dispatch(world, *command);
            }
        }
        EditCommand::KeepFile => pending(world).replacement = None,
    }
}

/// Gives a document the value that it had before or after an edit.
fn restore(world: &mut World, value: Option<EditedValue>) {
    match value {
        None => {}
        Some(EditedValue::Labels(recording, labels)) => {
            run(world, labels::restore, (recording, labels));
        }
        Some(EditedValue::Scene(recording, content)) => {
            run(world, scenes::restore, (recording, content));
        }
        Some(EditedValue::Columns(table, mapping)) => {
            run(world, columns::restore, (table, mapping));
        }
        Some(EditedValue::FrameRate(recording, rate_hz)) => {
            run(world, conventions::restore_frame_rate, (recording, rate_hz));
        }
        Some(EditedValue::Checks(recording, profile)) => {
            run(world, checks::restore, (recording, profile));
        }
        Some(EditedValue::Areas(areas)) => run(world, areas::restore, areas),
        Some(EditedValue::Fit(fit)) => run(world, skeleton::restore, fit),
        Some(EditedValue::Assumptions(format, assumptions, rotation)) => {
            run(world, conventions::restore_assumptions, (format, assumptions, rotation));
        }
    }
}

fn notify(world: &mut World, message: String) {
    world.resource_mut::<Files>().notify(message);
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

/// Returns `true` if `command` would discard unsaved edits or stop an export. The command is then
/// stored until the user has answered the question.
pub(super) fn ask_before_losing_edits(world: &mut World, command: &Command) -> bool {
    if let Command::File(FileCommand::Open(files)) = command
        && are_labels(world, files)
    {
        return false;
    }
    let unsaved = world.resource::<EditHistory>().unsaved();
    let lost: Vec<_> = unsaved.filter(|document| is_lost(world, *document, command)).collect();
    let stops_export =
        *command == Command::CloseWindow && world.resource::<Exports>().running().is_some();
    let needs_answer = !lost.is_empty() || stops_export;
    if needs_answer {
        let mut pending = pending(world);
        (pending.discard, pending.lost) = (Some(Box::new(command.clone())), lost);
    }
    needs_answer
}

/// Returns `true` if `command` closes the document. Documents that recordings share are kept until
/// the window is closed.
fn is_lost(world: &World, document: Document, command: &Command) -> bool {
    match command {
        Command::CloseWindow => true,
        Command::File(
            FileCommand::Open(_)
            | FileCommand::OpenSample(_)
            | FileCommand::OpenListed(_)
            | FileCommand::Step(_)
            | FileCommand::ShowGallery,
        ) => document.recording().is_some(),
        Command::File(FileCommand::Close(closed)) => document.recording() == Some(*closed),
        Command::Compare(CompareCommand::Stop) => document
            .recording()
            .is_some_and(|recording| world.entity(recording).contains::<Comparing>()),
        _ => false,
    }
}

/// Saves all unsaved edits. A scene is saved under a name that the user chooses, so its dialog is
/// opened.
fn save_or_ask(world: &mut World) {
    let unsaved: Vec<Document> = world.resource::<EditHistory>().unsaved().collect();
    let has_scene = world.query::<&EditedScene>().iter(world).next().is_some();
    if unsaved.is_empty() && !has_scene {
        notify(world, "No unsaved edits".to_owned());
        return;
    }
    let is_scene = |document: &Document| matches!(document, Document::Scene(_));
    if unsaved.is_empty() || unsaved.iter().any(is_scene) {
        world.resource_mut::<Panels>().open_panel(Panel::SAVE_SCENE);
    }
    save(world, unsaved);
}

/// Saves documents next to their recordings, except scenes.
fn save(world: &mut World, documents: Vec<Document>) {
    for document in documents {
        match document {
            Document::Labels(recording) => {
                let question = run(world, labels::save, recording);
                ask_to_replace(world, question, Command::Label);
            }
            Document::Checks(recording) => {
                let command = CheckCommand::Save { recording, replaces: false };
                dispatch(world, Command::Check(command));
            }
            Document::Areas => {
                dispatch(world, Command::Area(AreaCommand::Save { replaces: false }));
            }
            Document::Columns(table) => run(world, columns::save, table),
            Document::Fit => dispatch(world, Command::Skeleton(SkeletonCommand::SaveMap)),
            Document::Scene(_) | Document::FrameRate(_) | Document::Assumptions(_) => {}
        }
    }
}

/// Saves all edits except scenes, and runs the pending command. If anything could not be
/// saved, the command is dropped, because it would discard the edits.
fn save_and_continue(world: &mut World) {
    let Some(command) = pending(world).take_discard() else { return };
    let unsaved = world.resource::<EditHistory>().unsaved().collect();
    save(world, unsaved);
    let is_saved = world.resource::<EditHistory>().unsaved().next().is_none();
    if is_saved {
        dispatch(world, *command);
    }
}
