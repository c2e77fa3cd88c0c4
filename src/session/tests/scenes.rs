//! Tests of editing, playing, saving and closing scenes.

use std::fs;

use super::*;
use crate::session::{LabelCommand, PendingCommands, SceneCommand, ViewCommand};
use mutoscope_core::playback::{TimeCommand, TimeRange};
use mutoscope_minecraft::{
    Scene,
    scene::{ElementEdit, SceneEdit},
};

const SCENES: &str = "tests/data/mcmocap-more";

/// Copies a scene and its recordings into a folder, and opens the scene.
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

fn open_trio() -> (tempfile::TempDir, PathBuf, Session) {
    open_scene("trio.mcmocap_scene")
}

impl Session {
    fn edit(&mut self, edit: SceneEdit) {
        let recording = self.open(|open| open[0].entity);
        self.send(Command::Scene(SceneCommand::Edit(recording, edit)));
        self.send(Command::Edit(EditCommand::EndStep));
        self.settle();
    }

    fn delay(&mut self, element: usize, seconds: f64) {
        self.edit(SceneEdit::Change(element, ElementEdit::StartDelay(seconds)));
    }

    fn send_scene_command(&mut self, command: SceneCommand) {
        self.send(Command::Scene(command));
        self.settle();
    }

    /// Returns the tick at which each element starts.
    fn start_ticks(&mut self) -> Vec<f64> {
        self.open(|open| {
            let scene: &Scene = open[0].clip().procedural_as().unwrap();
            scene.takes.iter().map(|take| take.cue.start_tick()).collect()
        })
    }

    fn is_changed(&mut self) -> bool {
        let recording = self.open(|open| open[0].entity);
        self.unsaved() == [Document::Scene(recording)]
    }
}

#[test]
fn edits_are_played_and_undone() {
    let (_folder, path, mut session) = open_trio();
    let original = fs::read(&path).unwrap();
    assert_eq!(session.start_ticks(), [0.0; 3]);
    let node = session.node(0, "q/player");
    session.send(Command::View(ViewCommand::Select(Some(node))));
    session.send(Command::Time(TimeCommand::Pause));
    session.send(Command::Time(TimeCommand::Seek(0.3)));
    session.camera_requests();
    let length = session.clock().span().duration;
    session.delay(1, 10.0);
    assert_eq!(session.failure(), None);
    assert_eq!(session.start_ticks(), [0.0, 200.0, 0.0]);
    assert!(session.is_changed());
    assert_eq!(session.clock().time(), 0.3);
    assert!(session.clock().span().duration > length, "the span grows with the delay");
    assert_eq!(session.get::<bevy_mutoscope::stage::View>().selected, Some(node));
    assert_eq!(session.camera_requests(), [], "the view stays");
    session.edit(SceneEdit::Remove(0));
    assert_eq!(session.start_ticks(), [200.0, 0.0]);
    session.send_edit_command(EditCommand::Undo);
    assert_eq!(
        (session.start_ticks(), session.confirmation_text()),
        (vec![0.0, 200.0, 0.0], "Undid: removing p")
    );
    session.send_edit_command(EditCommand::Undo);
    assert_eq!((session.start_ticks(), session.is_changed()), (vec![0.0; 3], false));
    session.send_edit_command(EditCommand::Undo);
    assert_eq!(session.confirmation_text(), "Nothing to undo");
    session.send_edit_command(EditCommand::Redo);
    assert_eq!(session.start_ticks(), [0.0, 200.0, 0.0]);
    assert_eq!(fs::read(&path).unwrap(), original, "the file is not touched");
}

#[test]
fn repeated_edits_are_one_undo_step() {
    let (_folder, _, mut session) = open_trio();
    let recording = session.open(|open| open[0].entity);
    for ticks in 1..=40 {
        let edit = ElementEdit::StartDelay(f64::from(ticks) / 20.0);
        let edit = SceneEdit::Change(2, edit);
        session.send(Command::Scene(SceneCommand::Edit(recording, edit)));
    }
    session.settle();
    assert_eq!(session.start_ticks(), [0.0, 0.0, 40.0]);
    session.send_edit_command(EditCommand::Undo);
    assert_eq!(session.start_ticks(), [0.0; 3], "one drag is one undo step");
}

#[test]
fn invalid_edits_are_rejected_with_a_reason() {
    let (_folder, _, mut session) = open_trio();
    session.edit(SceneEdit::Change(0, ElementEdit::EntityFilter(Some("a cow".to_owned()))));
    assert!(
        session.confirmation_text().contains("expected an entity filter"),
        "{}",
        session.confirmation_text()
    );
    assert!(!session.is_changed());
    let mut other = Session::with(file(HANDS));
    other.send_edit_command(EditCommand::Undo);
    assert!(other.confirmation_text().starts_with("Nothing to undo"));
    other.send_scene_command(SceneCommand::ChooseRecordings);
    assert!(other.failure().unwrap().1.contains("no scene is open"));
}

#[test]
fn reloading_keeps_unsaved_edits() {
    let (folder, path, mut session) = open_trio();
    session.delay(1, 0.5);
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!((session.start_ticks(), session.is_changed()), (vec![0.0, 10.0, 0.0], true));
    session.send_edit_command(EditCommand::Undo);
    assert_eq!(session.start_ticks(), [0.0; 3]);
    // Without unsaved edits, reloading reads the new content of the file.
    fs::copy(file(SCENES).join("duo.mcmocap_scene"), &path).unwrap();
    fs::copy(file(SCENES).join("s.mcmocap_rec"), folder.path().join("s.mcmocap_rec")).unwrap();
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.start_ticks(), [0.0, 4.0]);
    assert_eq!(session.get::<EditHistory>().redo_name(), None, "the file has another scene now");
}

#[test]
fn reloading_in_the_frame_of_an_edit_keeps_the_edit() {
    let (_folder, _, mut session) = open_trio();
    let recording = session.open(|open| open[0].entity);
    let edit = SceneEdit::Change(1, ElementEdit::StartDelay(0.5));
    session.send_together([
        Command::Scene(SceneCommand::Edit(recording, edit)),
        Command::File(FileCommand::Reload),
    ]);
    session.settle();
    assert_eq!((session.start_ticks(), session.is_changed()), (vec![0.0, 10.0, 0.0], true));
}

#[test]
fn unsaved_edits_are_confirmed_before_discarding() {
    let (_folder, path, mut session) = open_trio();
    session.delay(1, 0.5);
    let other = vec![file(HANDS)];
    for command in [
        Command::File(FileCommand::Open(other.clone())),
        Command::File(FileCommand::ShowGallery),
        Command::CloseWindow,
        Command::File(FileCommand::Step(mutoscope_core::playback::Direction::Forward)),
    ] {
        session.send(command.clone());
        session.settle();
        assert_eq!(session.get::<PendingCommands>().discard.as_deref(), Some(&command));
        assert_eq!(session.current().as_deref(), Some("trio.mcmocap_scene"));
        session.send_edit_command(EditCommand::KeepOpen);
        assert_eq!(session.get::<PendingCommands>().discard, None);
    }
    assert_eq!(session.window_requests(), []);
    session.send(Command::CloseWindow);
    session.send(Command::Edit(EditCommand::Discard));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    session.send(Command::File(FileCommand::Open(other)));
    session.send_edit_command(EditCommand::Discard);
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    // Without edits there is no question.
    session.send(Command::File(FileCommand::Open(vec![path])));
    session.settle();
    session.send(Command::CloseWindow);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
}

#[test]
fn scene_is_saved_next_to_the_original() {
    let (folder, path, mut session) = open_trio();
    let original = fs::read(&path).unwrap();
    session.delay(1, 0.5);
    let save = |path: &Path, replaces| {
        let path = path.to_owned();
        SceneCommand::Save { path, replaces }
    };
    session.send_scene_command(save(&path, false));
    let question = session
        .open(|open| open[0].scene().unwrap().question().map(|(_, question)| question.to_owned()));
    assert!(question.unwrap().contains("Replace the original?"));
    assert_eq!(fs::read(&path).unwrap(), original);
    session.send_scene_command(SceneCommand::KeepFile);
    let copy = folder.path().join("trio-edited.mcmocap_scene");
    session.send_scene_command(save(&copy, false));
    assert_eq!(fs::read(&path).unwrap(), original);
    assert!(!session.is_changed());
    assert_eq!(session.current().as_deref(), Some("trio-edited.mcmocap_scene"));
    assert_eq!(session.start_ticks(), [0.0, 10.0, 0.0]);
    let mut other = Session::with(&copy);
    assert_eq!(other.start_ticks(), [0.0, 10.0, 0.0]);
    // Undo goes back beyond the saved state, and the result can be saved again.
    session.send_edit_command(EditCommand::Undo);
    assert_eq!((session.start_ticks(), session.is_changed()), (vec![0.0; 3], true));
    session.send_scene_command(save(&copy, true));
    assert!(!session.is_changed());
    assert!(String::from_utf8(fs::read(&copy).unwrap()).unwrap().contains("\"version\": 4"));
}

#[test]
fn text_scenes_are_saved_as_version_4() {
    let (folder, _, mut session) = open_scene("text_v1.mcmocap_scene");
    let start = session.start_ticks();
    let copy = folder.path().join("new.mcmocap_scene");
    session.send_scene_command(SceneCommand::Save { path: copy.clone(), replaces: false });
    let saved = session.open(|open| open[0].scene().unwrap().save_result().cloned()).unwrap();
    assert_eq!(saved.result.unwrap().len(), 2, "the format and the delays have changed");
    let text = fs::read_to_string(&copy).unwrap();
    assert!(text.starts_with('{') && text.contains("\"player_name\": \"Alex\""), "{text}");
    assert_eq!(session.open(|open| open[0].clip().version.clone()), "scene-v4");
    assert_eq!(session.start_ticks(), start);
}

#[test]
fn recordings_are_added_by_name() {
    let (folder, _, mut session) = open_trio();
    session
        .send_scene_command(SceneCommand::AddRecordings(vec![folder.path().join("q.mcmocap_rec")]));
    assert_eq!((session.start_ticks().len(), session.confirmation_text()), (4, "Added q"));
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere_path = elsewhere.path().join("far.mcmocap_rec");
    fs::copy(file(SCENES).join("s.mcmocap_rec"), &elsewhere_path).unwrap();
    session.send_scene_command(SceneCommand::AddRecordings(vec![elsewhere_path]));
    assert!(session.confirmation_text().contains("Copy it to"), "{}", session.confirmation_text());
    let problem = session.open(|open| {
        let scene: &Scene = open[0].clip().procedural_as().unwrap();
        scene
            .element_diagnostics
            .iter()
            .map(|diagnostic| (diagnostic.element, diagnostic.message.clone()))
            .collect::<Vec<_>>()
    });
    assert!(problem[0].0 == 4 && problem[0].1.contains("is missing"), "{problem:?}");
    session.send_scene_command(SceneCommand::AddRecordings(vec![file(HANDS)]));
    assert!(
        session.confirmation_text().contains("expected a file that ends in"),
        "{}",
        session.confirmation_text()
    );
    assert_eq!(session.start_ticks().len(), 4);
}

#[test]
fn undo_applies_to_the_last_edit_of_labels_or_scene() {
    let (_folder, _, mut session) = open_trio();
    session.edit(SceneEdit::Remove(0));
    let range = Some(TimeRange::new(0.1, 0.2));
    session.send(Command::Time(TimeCommand::SetRange(range)));
    session.send(Command::Label(LabelCommand::Mark));
    session.send(Command::Label(LabelCommand::Name("jump".to_owned())));
    for expected in ["Undid: adding jump", "Undid: removing p", "Nothing to undo"] {
        session.send_edit_command(EditCommand::Undo);
        assert_eq!(session.confirmation_text(), expected);
    }
}
