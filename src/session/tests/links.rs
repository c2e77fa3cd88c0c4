//! Links of the scheme `mutoscope:`, from their text to what is open.

use std::fs;

use super::*;
use crate::session::{Panels, ProgramLink};
use mutoscope_core::playback::TimeRange;

/// A folder with a recording of hands, its path, and a link to a moment of it.
fn take() -> (tempfile::TempDir, PathBuf, String) {
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

/// The command that the viewer starts with for a link, where these were open lately.
fn command(link: &str, recent: &[PathBuf]) -> Command {
    Command::File(match ProgramLink::parse(link, recent) {
        Ok(link) => FileCommand::OpenLinked(Box::new(link.linked_files())),
        Err(why) => FileCommand::LinkRefused(why),
    })
}

impl Session {
    /// The files that it asks about.
    fn asked(&self) -> Vec<PathBuf> {
        let asked = &self.get::<Panels>().would_open;
        asked.as_ref().map_or_else(Vec::new, |asked| asked.unknown.clone())
    }

    /// Whether it is at the moment of the link.
    fn assert_at_the_moment(&mut self) {
        assert_eq!(self.failure(), None);
        let clock = self.clock();
        assert_eq!((clock.time(), clock.is_playing()), (1.25, false));
        assert_eq!(clock.range(), Some(TimeRange::new(1.0, 2.5)));
        let wrist = self.node(0, "right/Wrist");
        assert_eq!(self.get::<crate::stage::View>().selected, Some(wrist));
    }
}

#[test]
fn link_to_an_unknown_file_asks_and_opens_the_moment_on_yes() {
    let (_folder, path, link) = take();
    let mut session = Session::new();
    session.tell(command(&link, &[]));
    session.settle();
    assert_eq!((session.current(), session.asked()), (None, vec![path.clone()]));
    session.tell(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(
        (session.files().current.clone(), session.asked()),
        (Some(Source::File(path)), vec![])
    );
    session.assert_at_the_moment();
}

#[test]
fn link_to_an_unknown_file_opens_nothing_on_no() {
    let (_folder, path, link) = take();
    let mut session = Session::with(file(HANDS));
    let before = session.clock();
    session.tell(command(&link, &[]));
    assert_eq!(session.asked(), [path]);
    session.tell(Command::File(FileCommand::RefuseLinked));
    session.settle();
    assert_eq!((session.current().as_deref(), session.asked()), (Some("two-hands.bin"), vec![]));
    // An answer to no question does nothing either.
    session.tell(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    assert_eq!(session.failure(), None);
    assert_eq!(session.clock().range(), before.range());
    // The view of the link is not that of what is opened next.
    session.tell(Command::File(FileCommand::Open(vec![file(WALK)])));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.clock().range(), None);
}

#[test]
fn link_to_a_recent_file_opens_at_once() {
    let (_folder, path, link) = take();
    let mut session = Session::new();
    session.tell(command(&link, std::slice::from_ref(&path)));
    session.settle();
    assert_eq!(
        (session.asked(), session.files().current.clone()),
        (vec![], Some(Source::File(path)))
    );
    session.assert_at_the_moment();
}

#[test]
fn question_is_about_every_unknown_file() {
    let (folder, path, link) = take();
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    let link = format!("{link}&against={}", other.to_str().unwrap());
    let mut session = Session::new();
    session.tell(command(&link, std::slice::from_ref(&path)));
    session.settle();
    assert_eq!((session.asked(), session.current()), (vec![other.clone()], None));
    session.tell(Command::File(FileCommand::AllowLinked));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.files().compared, [Source::File(other)]);
}

#[test]
fn refused_link_opens_nothing_and_is_told_until_something_opens() {
    let (_folder, path, link) = take();
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
        session.tell(command(&hostile, std::slice::from_ref(&path)));
        session.settle();
        assert_eq!(
            (session.current().as_deref(), session.asked()),
            (Some("two-hands.bin"), vec![])
        );
        let told = session.files().refused_link.clone().unwrap_or_default();
        assert!(!told.is_empty() && !told.contains('\n'), "{hostile}: {told:?}");
        session.tell(Command::File(FileCommand::DismissFailure));
        assert_eq!(session.files().refused_link, None);
    }
    let mut session = Session::new();
    session.tell(command("mutoscope:open?", &[]));
    assert!(session.files().refused_link.is_some());
    session.tell(Command::File(FileCommand::Open(vec![file(HANDS)])));
    session.settle();
    assert_eq!(session.files().refused_link, None);
}
