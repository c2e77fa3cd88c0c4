//! Passes each queued command to the feature that applies it.

use std::path::PathBuf;

use bevy::prelude::*;

use super::{Command, CommandQueue, Toggle, edits};
use crate::session::{
    areas, checks, columns, compare, conventions, export,
    files::{self, FileCommand, OpenRecordings},
    footage::{self, OpenFootage},
    labels::{self, LabelCommand},
    playback, report, scenes, skeleton,
    view::{self, Panels, SavedFootage, WindowRequest},
    viewport,
};
use bevy_mutoscope::stage::View;

/// Applies the queued commands in order. Each command sees the effects of the commands before it.
pub(super) fn apply_commands(world: &mut World) {
    if world.resource::<CommandQueue>().0.is_empty() {
        return;
    }
    for command in std::mem::take(&mut world.resource_mut::<CommandQueue>().0) {
        if !edits::ask_before_losing_edits(world, &command) {
            dispatch(world, command);
        }
    }
}

pub(super) fn dispatch(world: &mut World, command: Command) {
    match command {
        Command::Time(command) => run(world, playback::apply_time_command, command),
        Command::Playhead(command) => run(world, playback::apply_playhead_command, command),
        Command::File(FileCommand::Open(paths)) if are_labels(world, &paths) => {
            for path in paths {
                dispatch(world, Command::Label(LabelCommand::Import(path)));
            }
        }
        Command::File(command) => run(world, files::apply, command),
        Command::Skeleton(command) => run(world, skeleton::apply, command),
        Command::View(command) => run(world, viewport::apply_view_command, command),
        Command::Camera(command) => run(world, viewport::apply_camera_command, command),
        Command::Toggle(toggle) => run(world, apply_toggle, toggle),
        Command::Convention(command) => run(world, conventions::apply, command),
        Command::Columns(command) => run(world, columns::apply, command),
        Command::Compare(command) => run(world, compare::apply, command),
        Command::Area(command) => {
            let question = run(world, areas::apply, command);
            edits::ask_to_replace(world, question, Command::Area);
        }
        Command::Check(command) => {
            let question = run(world, checks::apply, command);
            edits::ask_to_replace(world, question, Command::Check);
        }
        Command::Scene(command) => run(world, scenes::apply, command),
        Command::Label(command) => {
            let question = run(world, labels::apply, command);
            edits::ask_to_replace(world, question, Command::Label);
        }
        Command::Report(command) => {
            let labels = run(world, labels::all_labels, ());
            let question = run(world, report::apply, (command, labels));
            edits::ask_to_replace(world, question, Command::Report);
        }
        Command::Edit(command) => edits::apply(world, command),
        Command::Footage(command) => run(world, footage::apply, command),
        Command::Panel(command) => run(world, view::apply_panel_command, command),
        Command::Export(command) => {
            let footage = open_footage(world);
            let question = run(world, export::apply, (command, footage));
            edits::ask_to_replace(world, question, Command::Export);
        }
        // The timeline panel has already handled this command, because it stores its own view.
        Command::Timeline(_) => {}
        Command::CopyView => {
            let footage = open_footage(world);
            run(world, export::copy_view, footage);
        }
        Command::Screenshot => request_window(world, WindowRequest::SaveScreenshot),
        Command::CloseWindow => {
            if !run(world, export::close_window_after_export, ()) {
                request_window(world, WindowRequest::Close);
            }
        }
        Command::Cancel => {
            let is_done = edits::close_questions(world) || run(world, labels::cancel, ());
            if !is_done {
                run(world, viewport::deselect, ());
            }
        }
    }
}

/// Runs a system of a feature and applies its deferred commands.
pub(super) fn run<I, O, M, S>(world: &mut World, system: S, input: I::Inner<'_>) -> O
where
    I: SystemInput + 'static,
    O: 'static,
    S: IntoSystem<I, O, M> + 'static,
{
    match world.run_system_cached_with(system, input) {
        Ok(output) => output,
        Err(error) => panic!("the resources of all features exist: {error}"),
    }
}

fn apply_toggle(
    In(toggle): In<Toggle>,
    mut view: ResMut<View>,
    mut panels: ResMut<Panels>,
    mut window: MessageWriter<WindowRequest>,
) {
    if let Some(request) = toggle.switch(&mut view, &mut panels) {
        window.write(request);
    }
}

/// Returns `true` if the files are labels to add to the open recording.
pub(super) fn are_labels(world: &mut World, paths: &[PathBuf]) -> bool {
    let is_open = |open: OpenRecordings| open.reference_source().is_some();
    paths.iter().all(|path| files::is_label_file(path)) && run(world, is_open, ())
}

fn open_footage(world: &World) -> Option<SavedFootage> {
    world.resource::<OpenFootage>().saved().cloned()
}

fn request_window(world: &mut World, request: WindowRequest) {
    world.write_message(request);
}
