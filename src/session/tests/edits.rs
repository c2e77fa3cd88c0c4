//! Tests of the undo history over all kinds of edits, and of saving them.

use std::fs;

use super::{
    columns::{head_position_at_end, set_mapping, set_role, write_table},
    opening::{HUMANIK, cmu_walk, mapped_bones},
    *,
};
use crate::session::{
    AreaCommand, CheckCommand, ColumnsCommand, ConventionCommand, PendingCommands, SavedView,
    SkeletonCommand,
};
use bevy_mutoscope::stage::View;
use mutoscope_core::{
    clip::{Assumption, UpAxis},
    formats::Fit,
    measure::analysis::NamedArea,
    playback::Direction,
    retarget::BoneMap,
};
use mutoscope_logs::ColumnRole;

const CUP: &str = "cup=sphere:0,1,-1,0.5";
const DOOR: &str = "door=box:1,1,-2,1,2,0.1";

fn areas(texts: &[&str]) -> Vec<NamedArea> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Copies a recording of hands twice into a folder of its own, and opens the first copy.
fn open_takes() -> (tempfile::TempDir, [PathBuf; 2], Session) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one.bin", "two.bin"].map(|name| folder.path().join(name));
    for path in &paths {
        fs::copy(file(HANDS), path).unwrap();
    }
    let mut session = Session::new();
    session.send(Command::File(FileCommand::Open(paths.to_vec())));
    session.settle();
    (folder, paths, session)
}

impl Session {
    fn areas(&self) -> &[NamedArea] {
        &self.get::<View>().areas
    }

    fn set_areas(&mut self, texts: &[&str]) {
        self.send(Command::Area(AreaCommand::Set(areas(texts))));
    }

    fn undo(&mut self) -> String {
        self.send_edit_command(EditCommand::Undo);
        self.confirmation_text().to_owned()
    }
}

#[test]
fn edits_of_all_kinds_are_undone_in_their_order() {
    let (_folder, path) = write_table();
    let mut session = Session::with(&path);
    let end = |session: &mut Session| head_position_at_end(session, 0);
    session.send(set_mapping("space.unit", "\"cm\""));
    session.settle();
    session.set_areas(&[CUP]);
    session.send(Command::Convention(ConventionCommand::Assume(Assumption::Up(UpAxis::Z))));
    session.settle();
    session.send(Command::Convention(ConventionCommand::SetFrameRate(Some(50.0))));
    session.settle();
    let edited = end(&mut session);
    for expected in
        ["Undid: frame rate", "Undid: up axis", "Undid: adding cup", "Undid: setting space.unit"]
    {
        assert_eq!(session.undo(), expected);
    }
    assert_eq!((end(&mut session), session.areas()), ([0.0, 20.0, 2.0], &[][..]));
    assert_eq!((session.undo().as_str(), session.unsaved()), ("Nothing to undo", Vec::new()));
    for _ in 0..4 {
        session.send_edit_command(EditCommand::Redo);
    }
    assert_eq!((end(&mut session), session.areas()), (edited, &areas(&[CUP])[..]));
    assert_eq!(session.unsaved().len(), 2, "the mapping and the areas have files");
}

#[test]
fn mapping_that_cannot_be_read_is_no_edit() {
    let (folder, path) = write_table();
    let mut session = Session::with(&path);
    for (column, role) in [("head_rz", ColumnRole::Signal), ("head_x", ColumnRole::Unused)] {
        session.send(set_role(column, role));
        session.settle();
    }
    assert!(session.failure().is_some(), "a head needs all its coordinates");
    assert_eq!(session.undo(), "Undid: use of column head_rz");
    session.send(set_mapping("space.unit", "\"cm\""));
    session.settle();
    let other = folder.path().join("other.csv");
    fs::copy(&path, &other).unwrap();
    session.send(Command::File(FileCommand::Open(vec![other])));
    session.settle();
    let table = session.open(|open| open[0].entity);
    assert_eq!(session.get::<PendingCommands>().lost, [Document::Columns(table)]);
    session.send_edit_command(EditCommand::SaveAndContinue);
    assert!(folder.path().join("take.columns.toml").exists());
    assert_eq!(session.current().as_deref(), Some("other.csv"));
    assert_eq!(session.undo(), "Nothing to undo", "the edited table is closed");
    // A mapping that is saved by itself is not unsaved either.
    session.send(set_mapping("space.unit", "\"mm\""));
    session.settle();
    session.send(Command::Columns(ColumnsCommand::Save));
    session.settle();
    assert_eq!(session.unsaved(), []);
}

#[test]
fn areas_are_saved_and_read_next_to_the_recording() {
    let (folder, paths, mut session) = open_takes();
    session.set_areas(&[CUP]);
    session.send(Command::CloseWindow);
    assert_eq!(session.get::<PendingCommands>().lost, [Document::Areas]);
    session.send(Command::Edit(EditCommand::SaveAndContinue));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    let area_path = folder.path().join("one.areas.txt");
    assert_eq!(fs::read_to_string(&area_path).unwrap(), format!("{CUP}\n"));
    // The next recording has no file, so it keeps the areas. Its own file would be written.
    session.send(Command::File(FileCommand::Step(Direction::Forward)));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("two.bin"));
    assert_eq!(session.areas(), areas(&[CUP]));
    fs::write(folder.path().join("two.areas.txt"), format!("# seen\n{DOOR}\n")).unwrap();
    let mut other = Session::with(&paths[1]);
    assert_eq!((other.areas(), other.unsaved()), (&areas(&[DOOR])[..], Vec::new()));
    // Unsaved areas are not replaced by the file of the next recording.
    other.send(Command::File(FileCommand::Open(paths.to_vec())));
    other.settle();
    assert_eq!(other.areas(), areas(&[CUP]));
    other.set_areas(&[]);
    other.send(Command::File(FileCommand::Step(Direction::Forward)));
    other.settle();
    assert_eq!(other.areas(), []);
    // The file of this recording is replaced only after a question, because it was not read.
    other.send_edit_command(EditCommand::Save);
    assert!(other.get::<PendingCommands>().replacement.is_some());
    other.send_edit_command(EditCommand::Replace);
    assert_eq!(fs::read_to_string(folder.path().join("two.areas.txt")).unwrap(), "");
    assert_eq!(other.unsaved(), []);
}

#[test]
fn broken_area_file_is_reported_and_requested_areas_win() {
    let (folder, paths, _) = open_takes();
    fs::write(folder.path().join("one.areas.txt"), format!("{CUP}\nscreen\n")).unwrap();
    let mut session = Session::new();
    session.send(Command::File(FileCommand::Open(vec![paths[0].clone()])));
    session.settle();
    let (name, message) = session.failure().unwrap();
    assert!(name == "one.areas.txt" && message.starts_with("at line 2: "), "{name}: {message}");
    assert_eq!(session.areas(), []);
    fs::write(folder.path().join("one.areas.txt"), CUP).unwrap();
    let mut session = Session::new();
    session.get_mut::<SavedView>().areas = areas(&[DOOR]);
    session.send(Command::File(FileCommand::Open(vec![paths[0].clone()])));
    session.settle();
    assert_eq!(session.areas(), areas(&[DOOR]));
}

#[test]
fn bone_map_is_undone_saved_and_asked_about() {
    let (folder, walk) = cmu_walk();
    let mut session = Session::with(&walk);
    session.send(Command::Skeleton(SkeletonCommand::Attach(file(HUMANIK))));
    session.settle();
    let bone_count = mapped_bones(&mut session).unwrap();
    let map = BoneMap::parse(r#"{"motion": {"leftHand": null}}"#).unwrap();
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::Map(map))));
    session.settle();
    assert_eq!(mapped_bones(&mut session), Some(bone_count - 1));
    assert_eq!(session.undo(), "Undid: matching of bones");
    assert_eq!(
        (mapped_bones(&mut session), session.unsaved()),
        (Some(bone_count), Vec::new()),
        "automatic matching has no file"
    );
    session.send_edit_command(EditCommand::Redo);
    assert_eq!(mapped_bones(&mut session), Some(bone_count - 1));
    // The map is kept for the next recording, so only closing the window would lose it.
    session.send(Command::File(FileCommand::Open(vec![walk])));
    session.settle();
    assert_eq!(session.get::<PendingCommands>().discard, None);
    session.send(Command::CloseWindow);
    assert_eq!(session.get::<PendingCommands>().lost, [Document::Fit]);
    session.send(Command::Edit(EditCommand::SaveAndContinue));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    let path = folder.path().join("walk.bones.json");
    assert!(path.exists());
    // A map that was opened from a file is saved already.
    let mut other = Session::with(folder.path().join("walk.bvh"));
    other.send(Command::Skeleton(SkeletonCommand::Attach(file(HUMANIK))));
    other.settle();
    other.send(Command::Skeleton(SkeletonCommand::OpenMap(path)));
    other.settle();
    assert_eq!((mapped_bones(&mut other), other.unsaved()), (Some(bone_count - 1), Vec::new()));
    assert_eq!(other.undo(), "Undid: matching of bones");
}

#[test]
fn assumed_axes_are_undone_in_the_settings() {
    let mut session = Session::with(file(WALK));
    let up = |session: &mut Session| session.open(|open| open[0].clip().convention.up.value);
    let before = up(&mut session);
    for axis in [UpAxis::Y, UpAxis::Z] {
        let assume = ConventionCommand::Assume(Assumption::Up(axis));
        session.send(Command::Convention(assume));
        session.settle();
        assert_eq!(up(&mut session), axis);
    }
    session.send(Command::Convention(ConventionCommand::Reset));
    session.settle();
    assert_eq!(up(&mut session), before);
    assert_eq!(session.undo(), "Undid: resetting axes and units");
    assert_eq!(up(&mut session), UpAxis::Z);
    session.undo();
    assert_eq!(up(&mut session), UpAxis::Y);
    session.undo();
    assert_eq!((up(&mut session), session.unsaved()), (before, Vec::new()));
    let format = session.open(|open| open[0].clip().format);
    assert_eq!(session.get::<Settings>().assumptions(format), Default::default());
}

#[test]
fn muted_checks_are_undone_and_saved_next_to_the_recording() {
    let (folder, paths, mut session) = open_takes();
    let checked = |session: &mut Session, code: &str| {
        session.settle();
        let code = code.to_owned();
        session.open(move |open| {
            let diagnostics = open[0].diagnostics;
            assert!(diagnostics.verdict().is_some(), "the checks are done");
            diagnostics.all().iter().filter(|issue| issue.code.as_str() == code).count()
        })
    };
    session.settle();
    let code = session.open(|open| {
        let first = open[0].diagnostics.all().first();
        first.expect("the recording has issues").code.as_str().to_owned()
    });
    let all = checked(&mut session, &code);
    let recording = session.open(|open| open[0].entity);
    let mute = CheckCommand::SetMuted { recording, code: code.clone(), is_muted: true };
    session.send(Command::Check(mute));
    assert_eq!(checked(&mut session, &code), 0);
    assert_eq!(session.undo(), format!("Undid: muting {code}"));
    assert_eq!(checked(&mut session, &code), all);
    assert_eq!(session.unsaved(), []);
    session.send_edit_command(EditCommand::Redo);
    assert_eq!(session.unsaved(), [Document::Checks(recording)]);
    session.send_edit_command(EditCommand::Save);
    assert_eq!(session.unsaved(), []);
    let text = fs::read_to_string(folder.path().join("one.checks.toml")).unwrap();
    assert!(text.contains(&format!("[codes.\"{code}\"]\nseverity = \"off\"")), "{text}");
    let mut other = Session::with(&paths[0]);
    assert_eq!(checked(&mut other, &code), 0, "the profile is read again");
    let recording = other.open(|open| open[0].entity);
    let unmute = CheckCommand::SetMuted { recording, code: code.clone(), is_muted: false };
    other.send(Command::Check(unmute));
    assert_eq!(checked(&mut other, &code), all);
    // A file that is no profile is named, and the recording is checked with the default profile.
    fs::write(folder.path().join("one.checks.toml"), "[codes.\"hand/none\"]\n").unwrap();
    let mut broken = Session::new();
    broken.send(Command::File(FileCommand::Open(vec![paths[0].clone()])));
    assert_eq!(checked(&mut broken, &code), all);
    let failure = broken.get::<Files>().failure.clone().unwrap();
    assert_eq!(failure.name, "one.checks.toml");
    assert!(failure.message.contains("unknown code"), "{}", failure.message);
}
