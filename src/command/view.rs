//! Without a subcommand: the viewer.

use std::path::{Path, PathBuf};

use mutoscope_cli::{Reading, Status, tell};
use mutoscope_core::read::{Message, Reader, Source, path_text};

use super::ViewArgs;
use crate::{
    session::{
        self, Command, FileCommand, ProgramLink, SavedView, SessionPlugin, recent_recordings,
    },
    stage::PlayerSkin,
    viewer,
};

/// Opens the viewer on `paths`; folders stand for the recordings in them.
pub(super) fn run(paths: &[PathBuf], view: &ViewArgs, reading: &Reading) -> Status {
    viewer::leave_own_console();
    if let Some(link) =
        paths.iter().find_map(|path| path.to_str().filter(|it| ProgramLink::is_one(it)))
    {
        return open_link(link, paths.len() == 1 && *view == ViewArgs::default());
    }
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match session::recordings_in(path, reading.format) {
                Ok(found) if found.is_empty() => tell_of(path, "no recording found in it"),
                Ok(found) => files.extend(found),
                Err(error) => tell_of(path, &format!("cannot be read: {error}")),
            }
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() && !paths.is_empty() {
        return Status::Failed;
    }
    let Some(reader) = reading.reader() else { return Status::Failed };
    let Some(skins) = reading.player_skins() else { return Status::Failed };
    let path = reading.rig.as_ref().and_then(Source::path).map(Path::to_owned);
    let rig = reader.rig.map(|rig| session::RigFile::new(rig, path));
    let retarget = reading.retarget.is_some().then_some(reader.retarget);
    let Reader { format, assumptions, columns, .. } = reader;
    let rotation = assumptions.of_all.rotation;
    let view = match view.clone().saved() {
        Ok(view) => view,
        Err(message) => {
            tell_failure(&message);
            return Status::WrongUsage;
        }
    };
    let command = match files.is_empty() {
        true => None,
        false => Some(Command::File(FileCommand::Open(files))),
    };
    ended(viewer::run(
        command,
        SessionPlugin { format, rig, retarget, columns, rotation, view },
        PlayerSkin(skins),
    ))
}

/// Opens the viewer on what a link asks for. Nothing else on the command line goes with it: what another program
/// passes on may have been meant to add options.
fn open_link(text: &str, is_alone: bool) -> Status {
    let link = match is_alone {
        true => ProgramLink::parse(text, &recent_recordings()),
        false => Err("expected a link alone, found other arguments with it".to_owned()),
    };
    let link = match link {
        Ok(link) => link,
        Err(why) => {
            refuse_link(why);
            return Status::WrongUsage;
        }
    };
    let (sample, format, rotation) = (link.sample, link.format, link.rotation);
    let of_sample = if sample.is_some() { link.view.clone() } else { SavedView::default() };
    let command = match sample {
        Some(index) => FileCommand::OpenSample(index),
        None => FileCommand::OpenLinked(Box::new(link.linked_files())),
    };
    let session = SessionPlugin { format, rotation, view: of_sample, ..SessionPlugin::default() };
    ended(viewer::run(Some(Command::File(command)), session, PlayerSkin::default()))
}

/// Tells why a link opens nothing: on standard error, and in the window where nobody reads that, as when a browser
/// passed the link on.
fn refuse_link(why: String) {
    tell(format_args!("error: the link cannot be opened: {why}"));
    if viewer::has_reader() {
        return;
    }
    let command = Command::File(FileCommand::LinkRefused(why.clone()));
    let shown = viewer::run(Some(command), SessionPlugin::default(), PlayerSkin::default());
    if let Err(error) = shown {
        tell_failure(&format!("the link cannot be opened: {why}; {error}"));
    }
}

fn ended(result: Result<(), viewer::RunError>) -> Status {
    match result {
        Ok(()) => Status::Done,
        Err(error) => {
            tell_failure(&error.to_string());
            Status::Failed
        }
    }
}

/// Tells of a path that does not open.
fn tell_of(path: &Path, message: &str) {
    let name = path_text(path);
    tell(Message::about_file(&name, message.to_owned()));
    viewer::show_failure(&format!("{name}: {message}"));
}

/// Tells why there is no window.
fn tell_failure(message: &str) {
    tell(format_args!("error: {message}"));
    viewer::show_failure(message);
}
