//! Scenes that are edited, played again, saved and closed.

use std::fs;

use super::*;
use crate::session::{EditCommand, LabelCommand, Panels, SceneCommand, ViewCommand};
use mutoscope_core::playback::{TimeCommand, TimeRange};
use mutoscope_minecraft::{
    Scene,
    scene::{ElementEdit, SceneEdit},
};

const SCENES: &str = "tests/data/mcmocap-more";

/// A folder with a scene of three recordings, and a session in which that is open.
fn open_scene(name: &str) -> (tempfile::TempDir, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let files = ["p.mcmocap_rec", "q.mcmocap_rec", "r.mcmocap_rec", "old.mcmocap_rec"];
    for file_name in files.into_iter().chain(["old2.mcmocap_rec", name]) {
        fs::copy(file(SCENES).join(file_name), folder.path().join(file_name)).unwrap();
    }
    let path = folder.path().join(name);
    let session = Session::with(&path);
    (folder, path, session)
}

fn trio() -> (tempfile::TempDir, PathBuf, Session) {
    open_scene("trio.mcmocap_scene")
}

impl Session {
    fn edit(&mut self, edit: SceneEdit) {
        let recording = self.open(|open| open[0].entity);
        self.tell(Command::Scene(SceneCommand::Edit(recording, edit)));
        self.tell(Command::Scene(SceneCommand::EndStep(recording)));
        self.settle();
    }

    fn delay(&mut self, element: usize, seconds: f64) {
        self.edit(SceneEdit::Change(element, ElementEdit::StartDelay(seconds)));
    }

    fn scene(&mut self, command: SceneCommand) {
        self.tell(Command::Scene(command));
        self.settle();
    }

    fn edits(&mut self, command: EditCommand) {
        self.tell(Command::Edit(command));
        self.settle();
    }

    /// The ticks at which what plays begins to.
    fn starts(&mut self) -> Vec<f64> {
        self.open(|open| {
            let scene: &Scene = open[0].clip().procedural_as().unwrap();
            scene.takes.iter().map(|take| take.cue.start()).collect()
        })
    }

    fn is_changed(&mut self) -> bool {
        self.open(|open| open[0].scene.unwrap().is_changed())
    }

    fn said(&self) -> &str {
        &self.files().confirmation.words
    }
}

#[test]
fn edits_are_played_and_undone() {
    let (_folder, path, mut session) = trio();
    let original = fs::read(&path).unwrap();
    assert_eq!(session.starts(), [0.0; 3]);
    let node = session.node(0, "q/player");
    session.tell(Command::View(ViewCommand::Select(Some(node))));
    session.tell(Command::Time(TimeCommand::Pause));
    session.tell(Command::Time(TimeCommand::Seek(0.3)));
    session.camera_requests();
    let length = session.clock().span().duration;
    session.delay(1, 10.0);
    assert_eq!(session.failure(), None);
    assert_eq!(session.starts(), [0.0, 200.0, 0.0]);
    assert!(session.is_changed());
    assert_eq!(session.clock().time(), 0.3);
    assert!(session.clock().span().duration > length, "as long as it plays now");
    assert_eq!(session.get::<crate::stage::View>().selected, Some(node));
    assert_eq!(session.camera_requests(), [], "the view stays");
    session.edit(SceneEdit::Remove(0));
    assert_eq!(session.starts(), [200.0, 0.0]);
    session.edits(EditCommand::Undo);
    assert_eq!((session.starts(), session.said()), (vec![0.0, 200.0, 0.0], "Undid: removing p"));
    session.edits(EditCommand::Undo);
    assert_eq!((session.starts(), session.is_changed()), (vec![0.0; 3], false));
    session.edits(EditCommand::Undo);
    assert_eq!(session.said(), "Nothing to undo");
    session.edits(EditCommand::Redo);
    assert_eq!(session.starts(), [0.0, 200.0, 0.0]);
    assert_eq!(fs::read(&path).unwrap(), original, "the file is not touched");
}

#[test]
fn edits_in_a_row_end_with_the_last() {
    let (_folder, _, mut session) = trio();
    let recording = session.open(|open| open[0].entity);
    for ticks in 1..=40 {
        let edit = ElementEdit::StartDelay(f64::from(ticks) / 20.0);
        let edit = SceneEdit::Change(2, edit);
        session.tell(Command::Scene(SceneCommand::Edit(recording, edit)));
    }
    session.settle();
    assert_eq!(session.starts(), [0.0, 0.0, 40.0]);
    session.edits(EditCommand::Undo);
    assert_eq!(session.starts(), [0.0; 3], "one drag is one step");
}

#[test]
fn refused_edits_change_nothing_and_say_why() {
    let (_folder, _, mut session) = trio();
    session.edit(SceneEdit::Change(0, ElementEdit::EntityFilter(Some("a cow".to_owned()))));
    assert!(session.said().contains("not a filter"), "{}", session.said());
    assert!(!session.is_changed());
    let mut other = Session::with(file(HANDS));
    other.edits(EditCommand::Undo);
    assert!(other.said().starts_with("Nothing to undo"));
    other.scene(SceneCommand::ChooseRecordings);
    assert!(other.failure().unwrap().1.contains("no scene is open"));
}

#[test]
fn reloading_keeps_unsaved_edits() {
    let (folder, path, mut session) = trio();
    session.delay(1, 0.5);
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!((session.starts(), session.is_changed()), (vec![0.0, 10.0, 0.0], true));
    session.edits(EditCommand::Undo);
    assert_eq!(session.starts(), [0.0; 3]);
    // Without any, it is as the file is by then.
    fs::copy(file(SCENES).join("duo.mcmocap_scene"), &path).unwrap();
    fs::copy(file(SCENES).join("s.mcmocap_rec"), folder.path().join("s.mcmocap_rec")).unwrap();
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.starts(), [0.0, 4.0]);
    let redo = session.open(|open| open[0].scene.unwrap().redo_name().map(str::to_owned));
    assert_eq!(redo, None, "it is another scene");
}

#[test]
fn unsaved_edits_are_asked_about_before_they_are_lost() {
    let (_folder, path, mut session) = trio();
    session.delay(1, 0.5);
    let other = vec![file(HANDS)];
    for command in [
        Command::File(FileCommand::Open(other.clone())),
        Command::File(FileCommand::ShowGallery),
        Command::CloseWindow,
        Command::File(FileCommand::Step(mutoscope_core::playback::Direction::Forward)),
    ] {
        session.tell(command.clone());
        session.settle();
        assert_eq!(session.get::<Panels>().would_discard.as_deref(), Some(&command));
        assert_eq!(session.current().as_deref(), Some("trio.mcmocap_scene"));
        session.edits(EditCommand::KeepOpen);
        assert_eq!(session.get::<Panels>().would_discard, None);
    }
    assert_eq!(session.window_requests(), []);
    session.tell(Command::CloseWindow);
    session.tell(Command::Edit(EditCommand::Discard));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    session.tell(Command::File(FileCommand::Open(other)));
    session.edits(EditCommand::Discard);
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    // Nothing is asked where nothing was edited.
    session.tell(Command::File(FileCommand::Open(vec![path])));
    session.settle();
    session.tell(Command::CloseWindow);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
}

#[test]
fn scene_is_saved_beside_the_original() {
    let (folder, path, mut session) = trio();
    let original = fs::read(&path).unwrap();
    session.delay(1, 0.5);
    let save = |path: &Path, replaces| {
        let path = path.to_owned();
        SceneCommand::Save { path, replaces }
    };
    session.scene(save(&path, false));
    let asked = session
        .open(|open| open[0].scene.unwrap().question().map(|(_, question)| question.to_owned()));
    assert!(asked.unwrap().contains("Replace the original?"));
    assert_eq!(fs::read(&path).unwrap(), original);
    session.scene(SceneCommand::KeepFile);
    let copy = folder.path().join("trio-edited.mcmocap_scene");
    session.scene(save(&copy, false));
    assert_eq!(fs::read(&path).unwrap(), original);
    assert!(!session.is_changed());
    assert_eq!(session.current().as_deref(), Some("trio-edited.mcmocap_scene"));
    assert_eq!(session.starts(), [0.0, 10.0, 0.0]);
    let mut other = Session::with(&copy);
    assert_eq!(other.starts(), [0.0, 10.0, 0.0]);
    // It can be undone beyond that, and saved again.
    session.edits(EditCommand::Undo);
    assert_eq!((session.starts(), session.is_changed()), (vec![0.0; 3], true));
    session.scene(save(&copy, true));
    assert!(!session.is_changed());
    assert!(String::from_utf8(fs::read(&copy).unwrap()).unwrap().contains("\"version\": 4"));
}

#[test]
fn text_scenes_are_saved_as_version_4() {
    let (folder, _, mut session) = open_scene("text_v1.mcmocap_scene");
    let start = session.starts();
    let copy = folder.path().join("new.mcmocap_scene");
    session.scene(SceneCommand::Save { path: copy.clone(), replaces: false });
    let saved = session.open(|open| open[0].scene.unwrap().saved().cloned()).unwrap();
    assert_eq!(saved.result.unwrap().len(), 2, "JSON, and other delays");
    let text = fs::read_to_string(&copy).unwrap();
    assert!(text.starts_with('{') && text.contains("\"player_name\": \"Alex\""), "{text}");
    assert_eq!(session.open(|open| open[0].clip().version.clone()), "scene-v4");
    assert_eq!(session.starts(), start);
}

#[test]
fn recordings_are_added_by_name() {
    let (folder, _, mut session) = trio();
    session.scene(SceneCommand::AddRecordings(vec![folder.path().join("q.mcmocap_rec")]));
    assert_eq!((session.starts().len(), session.said()), (4, "Added q"));
    let elsewhere = tempfile::tempdir().unwrap();
    let far = elsewhere.path().join("far.mcmocap_rec");
    fs::copy(file(SCENES).join("s.mcmocap_rec"), &far).unwrap();
    session.scene(SceneCommand::AddRecordings(vec![far]));
    assert!(session.said().contains("copy it to"), "{}", session.said());
    let problem = session.open(|open| {
        let scene: &Scene = open[0].clip().procedural_as().unwrap();
        scene.issues.iter().map(|one| (one.element, one.message.clone())).collect::<Vec<_>>()
    });
    assert!(problem[0].0 == 4 && problem[0].1.contains("is missing"), "{problem:?}");
    session.scene(SceneCommand::AddRecordings(vec![file(HANDS)]));
    assert!(session.said().contains("expected a file that ends in"), "{}", session.said());
    assert_eq!(session.starts().len(), 4);
}

#[test]
fn undo_is_of_what_was_edited_last() {
    let (_folder, _, mut session) = trio();
    session.edit(SceneEdit::Remove(0));
    let range = Some(TimeRange::new(0.1, 0.2));
    session.tell(Command::Time(TimeCommand::SetRange(range)));
    session.tell(Command::Label(LabelCommand::Mark));
    session.tell(Command::Label(LabelCommand::Name("jump".to_owned())));
    for expected in ["Undid: adding jump", "Undid: removing p", "Nothing to undo"] {
        session.edits(EditCommand::Undo);
        assert_eq!(session.said(), expected);
    }
}
