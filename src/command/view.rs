//! Opens the viewer, which is what the program does without a subcommand.

use std::path::{Path, PathBuf};

use mutoscope_cli::{ReadArgs, Status, print_message};
use mutoscope_core::{
    formats::{ReadOptions, SkeletonSource},
    read::{Message, Source, format_path},
};

use super::ViewArgs;
use crate::{
    session::{
        self, Command, FileCommand, ProgramLink, SavedView, SessionPlugin, recent_recordings,
    },
    viewer,
};
use bevy_mutoscope::stage::PlayerSkin;

pub(super) fn run(paths: &[PathBuf], view: &ViewArgs, read_args: &ReadArgs) -> Status {
    viewer::leave_own_console();
    if let Some(link) =
        paths.iter().find_map(|path| path.to_str().filter(|it| ProgramLink::is_link(it)))
    {
        return open_link(link, paths.len() == 1 && *view == ViewArgs::default());
    }
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match session::recordings_in(path, read_args.format) {
                Ok(found) if found.is_empty() => report_path(path, "the folder has no recordings"),
                Ok(found) => files.extend(found),
                Err(error) => report_path(path, &format!("cannot be read: {error}")),
            }
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() && !paths.is_empty() {
        return Status::Failed;
    }
    let Some(read_options) = read_args.read_options() else { return Status::Failed };
    let Some(skins) = read_args.read_player_skins() else { return Status::Failed };
    let path = read_args.rig.as_ref().and_then(Source::path).map(Path::to_owned);
    let skeleton = match read_options.skeleton.clone() {
        SkeletonSource::Given(skeleton) => Some(session::AttachedSkeleton { skeleton, path }),
        SkeletonSource::Own | SkeletonSource::Beside => None,
    };
    let defaults = session::default_read_options();
    let options = ReadOptions {
        fit: if read_args.retarget.is_some() { read_options.fit } else { defaults.fit },
        skeleton: defaults.skeleton,
        plays_all_clips: defaults.plays_all_clips,
        allows_unmatched_skeleton: defaults.allows_unmatched_skeleton,
        ..read_options
    };
    let view = match view.clone().into_saved_view() {
        Ok(view) => view,
        Err(message) => {
            report_error(&message);
            return Status::WrongUsage;
        }
    };
    let command = match files.is_empty() {
        true => None,
        false => Some(Command::File(FileCommand::Open(files))),
    };
    to_status(viewer::run(command, SessionPlugin { options, skeleton, view }, PlayerSkin(skins)))
}

/// Opens the viewer on a `mutoscope:` link. Refuses all other arguments next to the link. The
/// browser inserts the link into a command line, so a web page could otherwise add options there.
fn open_link(text: &str, is_alone: bool) -> Status {
    let link = match is_alone {
        true => ProgramLink::parse(text, &recent_recordings()),
        false => Err("expected a link alone, found other arguments next to it".to_owned()),
    };
    let link = match link {
        Ok(link) => link,
        Err(why) => {
            refuse_link(why);
            return Status::WrongUsage;
        }
    };
    let (sample, format, rotation) = (link.sample, link.format, link.rotation);
    let sample_view = if sample.is_some() { link.view.clone() } else { SavedView::default() };
    let command = match sample {
        Some(index) => FileCommand::OpenSample(index),
        None => FileCommand::OpenLinked(Box::new(link.linked_files())),
    };
    let session = SessionPlugin::for_link(format, rotation, sample_view);
    to_status(viewer::run(Some(Command::File(command)), session, PlayerSkin::default()))
}

/// Prints the reason why a link is refused. If nobody can read standard error, for example because
/// a browser started the program, this also shows the reason in the window.
fn refuse_link(why: String) {
    print_message(format_args!("error: the link cannot be opened: {why}"));
    if viewer::stderr_has_reader() {
        return;
    }
    let command = Command::File(FileCommand::ReportInvalidLink(why.clone()));
    let shown = viewer::run(Some(command), SessionPlugin::default(), PlayerSkin::default());
    if let Err(error) = shown {
        report_error(&format!("the link cannot be opened: {why}; {error}"));
    }
}

fn to_status(result: Result<(), viewer::RunError>) -> Status {
    match result {
        Ok(()) => Status::Done,
        Err(error) => {
            report_error(&error.to_string());
            Status::Failed
        }
    }
}

fn report_path(path: &Path, message: &str) {
    let name = format_path(path);
    print_message(Message::for_file(&name, message.to_owned()));
    viewer::show_error_dialog(&format!("{name}: {message}"));
}

fn report_error(message: &str) {
    print_message(format_args!("error: {message}"));
    viewer::show_error_dialog(message);
}
