//! Tests of `mutoscope:` links, from their text to the open recording.

use std::fs;

use super::*;
use crate::session::{Panels, ProgramLink};
use mutoscope_core::playback::TimeRange;

/// Returns a folder with a recording of hands, the path of the recording, and a link to a moment in
/// it.
fn write_take() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it's a take & more.bin");
    fs::copy(file(HANDS), &path).unwrap();
    let escaped = percent_encoding::utf8_percent_encode(
        path.to_str().unwrap(),
        percent_encoding::NON_ALPHANUMERIC,
    );
    let link =
        format!("mutoscope:open?file={escaped}&at=1.2500&range=1.0000..2.5000&select=right/Wrist");
    (folder, path, link)
}

/// Returns the command for a link, if `recent` are the recently opened files.
fn link_command(link: &str, recent: &[PathBuf]) -> Command {
    Command::File(match ProgramLink::parse(link, recent) {
        Ok(link) => FileCommand::OpenLinked(Box::new(link.linked_files())),
        Err(why) => FileCommand::ReportInvalidLink(why),
    })
}

impl Session {
    /// Returns the files that the viewer asks about.
    fn pending_files(&self) -> Vec<PathBuf> {
        let pending = &self.get::<Panels>().pending_link;
        pending.as_ref().map_or_else(Vec::new, |pending| pending.unknown.clone())
    }

    fn assert_link_view(&mut self) {
        assert_eq!(self.failure(), None);
        let clock = self.clock();
        assert_eq!((clock.time(), clock.is_playing()), (1.25, false));
        assert_eq!(clock.range(), Some(TimeRange::new(1.0, 2.5)));
        let wrist = self.node(0, "right/Wrist");
        assert_eq!(self.get::<bevy_mutoscope::stage::View>().selected, Some(wrist));
    }
}

#[test]
fn allowed_link_opens_the_unknown_file_with_its_view() {
    let (_folder, path, link) = write_take();
    let mut session = Session::new();
    session.send(link_command(&link, &[]));
    session.settle();
    assert_eq!((session.current(), session.pending_files()), (None, vec![path.clone()]));
    session.send(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(
        (session.sources().first().cloned(), session.pending_files()),
        (Some(Source::File(path)), vec![])
    );
    session.assert_link_view();
}

#[test]
fn refused_link_does_not_open_the_unknown_file() {
    let (_folder, path, link) = write_take();
    let mut session = Session::with(file(HANDS));
    let before = session.clock();
    session.send(link_command(&link, &[]));
    assert_eq!(session.pending_files(), [path]);
    session.send(Command::File(FileCommand::RefuseLinked));
    session.settle();
    assert_eq!(
        (session.current().as_deref(), session.pending_files()),
        (Some("two-hands.bin"), vec![])
    );
    // Allowing files without a pending question must do nothing.
    session.send(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    assert_eq!(session.failure(), None);
    assert_eq!(session.clock().range(), before.range());
    // The view of a refused link must not be applied to the next file.
    session.send(Command::File(FileCommand::Open(vec![file(WALK)])));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.clock().range(), None);
}

#[test]
fn link_to_a_recent_file_opens_without_a_question() {
    let (_folder, path, link) = write_take();
    let mut session = Session::new();
    session.send(link_command(&link, std::slice::from_ref(&path)));
    session.settle();
    assert_eq!(
        (session.pending_files(), session.sources().first().cloned()),
        (vec![], Some(Source::File(path)))
    );
    session.assert_link_view();
}

#[test]
fn question_lists_every_unknown_file() {
    let (folder, path, link) = write_take();
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    let link = format!("{link}&against={}", other.to_str().unwrap());
    let mut session = Session::new();
    session.send(link_command(&link, std::slice::from_ref(&path)));
    session.settle();
    assert_eq!((session.pending_files(), session.current()), (vec![other.clone()], None));
    session.send(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.sources()[1..], [Source::File(other)]);
}

#[test]
fn invalid_link_is_reported_until_something_opens() {
    let (_folder, path, link) = write_take();
    for hostile in [
        "mutoscope:run?file=take.bin".to_owned(),
        "mutoscope:open?file=https://example.org/take.bin".to_owned(),
        "mutoscope:open?file=//host/share/take.bin".to_owned(),
        "mutoscope:open?file=/dev".to_owned(),
        format!("{link}&output=/tmp/x.glb"),
        format!("{link}&at=soon"),
        format!("{link}%0A&rig=%5C%5Chost%5Crig.glb"),
    ] {
        let mut session = Session::with(file(HANDS));
        session.send(link_command(&hostile, std::slice::from_ref(&path)));
        session.settle();
        assert_eq!(
            (session.current().as_deref(), session.pending_files()),
            (Some("two-hands.bin"), vec![])
        );
        let message = session.files().refused_link.clone().unwrap_or_default();
        assert!(!message.is_empty() && !message.contains('\n'), "{hostile}: {message:?}");
        session.send(Command::File(FileCommand::DismissFailure));
        assert_eq!(session.files().refused_link, None);
    }
    let mut session = Session::new();
    session.send(link_command("mutoscope:open?", &[]));
    assert!(session.files().refused_link.is_some());
    session.send(Command::File(FileCommand::Open(vec![file(HANDS)])));
    session.settle();
    assert_eq!(session.files().refused_link, None);
}
