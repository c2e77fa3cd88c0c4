//! Labels that are made, changed, saved, imported, measured and reported.

use std::fs;

use clap::Parser as _;

use super::*;
use crate::session::{
    Compare, EditCommand, EditedLabels, LabelCommand, Naming, Panel, Panels, PlayheadCommand,
    Reports, SAMPLES, ViewCommand,
};
use mutoscope_core::{
    measure::compare::CompareOptions,
    playback::{Looping, TimeCommand, TimeRange},
};
use mutoscope_study::labels::{self, Label, LabelFormat, find_sidecar};

/// A folder with a recording of hands, and a session in which that is open, paused.
fn take() -> (tempfile::TempDir, PathBuf, Session) {
    take_with(None)
}

/// The same with a label file beside it.
fn take_with(labels: Option<(&str, &str)>) -> (tempfile::TempDir, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.bin");
    fs::copy(file(HANDS), &path).unwrap();
    if let Some((name, text)) = labels {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut session = Session::new();
    session.tell(Command::File(FileCommand::Open(vec![path.clone()])));
    session.settle();
    session.tell(Command::Time(TimeCommand::Pause));
    (folder, path, session)
}

fn label(start: f64, end: f64, name: &str) -> Label {
    Label { start, end, label: name.to_owned(), tier: None }
}

impl Session {
    fn label(&mut self, command: LabelCommand) {
        self.tell(Command::Label(command));
        self.settle();
    }

    fn edit_labels(&mut self, command: EditCommand) {
        self.tell(Command::Edit(command));
        self.settle();
    }

    fn seek(&mut self, time: f64) {
        self.tell(Command::Time(TimeCommand::Seek(time)));
    }

    fn set_range(&mut self, start: f64, end: f64) {
        self.tell(Command::Time(TimeCommand::SetRange(Some(TimeRange::new(start, end)))));
    }

    fn name_range(&mut self, start: f64, end: f64, name: &str) {
        self.set_range(start, end);
        self.label(LabelCommand::Mark);
        self.label(LabelCommand::Name(name.to_owned()));
    }

    /// The result of `look` for the labels of the reference.
    fn labels<T: 'static>(
        &mut self,
        look: impl Fn(&EditedLabels) -> T + Send + Sync + 'static,
    ) -> T {
        self.open(move |open| look(open[0].labels.unwrap()))
    }

    /// Why a file was not written.
    fn unwritten(&self) -> &str {
        self.files().unwritten.as_ref().map_or("", |failed| &failed.message)
    }

    /// The labels of the reference.
    fn all(&mut self) -> Vec<Label> {
        self.labels(|labels| labels.labels().to_vec())
    }
}

/// The labels beside a recording, as the command line finds and reads them.
fn beside(recording: &Path) -> Vec<Label> {
    let (path, format) = find_sidecar(recording).unwrap();
    labels::read(&fs::read(path).unwrap(), format).unwrap().labels
}

#[test]
fn range_is_named_and_its_label_is_not_made_twice() {
    let (_folder, _, mut session) = take();
    session.set_range(1.0, 2.0);
    session.label(LabelCommand::Mark);
    let naming = session.labels(EditedLabels::naming);
    assert_eq!(naming, Some(Naming::New { start: 1.0, end: 2.0 }));
    session.label(LabelCommand::KeepUnnamed);
    assert_eq!(session.all(), [], "it was not named");
    session.name_range(1.0, 2.0, " reach ");
    assert_eq!(session.all(), [label(1.0, 2.0, "reach")]);
    session.label(LabelCommand::Mark);
    assert_eq!(session.labels(EditedLabels::naming), Some(Naming::Label(0)));
    session.label(LabelCommand::Name("grasp".to_owned()));
    session.label(LabelCommand::Repeat);
    assert_eq!(session.all(), [label(1.0, 2.0, "grasp")]);
}

#[test]
fn label_is_begun_and_ended_at_the_playhead() {
    let (_folder, _, mut session) = take();
    session.label(LabelCommand::Repeat);
    assert!(session.files().confirmation.words.contains("No label to repeat yet"));
    session.seek(0.5);
    session.label(LabelCommand::Mark);
    assert_eq!(session.labels(EditedLabels::began), Some(0.5));
    session.seek(1.25);
    session.label(LabelCommand::Mark);
    session.label(LabelCommand::Name("reach".to_owned()));
    // The same name again, from its end to its start.
    session.seek(3.0);
    session.label(LabelCommand::Repeat);
    session.seek(2.0);
    session.label(LabelCommand::Repeat);
    assert_eq!(session.all(), [label(0.5, 1.25, "reach"), label(2.0, 3.0, "reach")]);
    // One that was begun is dropped.
    session.label(LabelCommand::Mark);
    session.tell(Command::Cancel);
    assert_eq!(session.labels(EditedLabels::began), None);
    assert_eq!(session.all().len(), 2);
}

#[test]
fn enter_without_a_name_repeats_the_last() {
    let (_folder, _, mut session) = take();
    session.name_range(1.0, 2.0, "");
    assert_eq!(session.all(), [], "there is none yet");
    assert!(session.labels(|labels| labels.naming().is_some()), "it is still asked for");
    session.label(LabelCommand::Name("reach".to_owned()));
    session.name_range(3.0, 4.0, "");
    assert_eq!(session.all(), [label(1.0, 2.0, "reach"), label(3.0, 4.0, "reach")]);
}

#[test]
fn click_plays_the_range_and_escape_leaves_it() {
    let (_folder, _, mut session) = take();
    session.name_range(1.0, 2.0, "reach");
    session.tell(Command::Time(TimeCommand::SetRange(None)));
    let recording = session.open(|open| open[0].entity);
    session.label(LabelCommand::Play { recording, label: 0 });
    let clock = session.clock();
    assert_eq!(clock.range(), Some(TimeRange::new(1.0, 2.0)));
    assert_eq!((clock.looping(), clock.is_playing()), (Looping::Range, true));
    session.tell(Command::Cancel);
    assert!(session.labels(|labels| labels.selected().is_none()));
    assert_eq!(session.clock().range(), None);
}

#[test]
fn labels_are_changed_removed_and_undone() {
    let (_folder, _, mut session) = take();
    session.name_range(1.0, 2.0, "reach");
    let recording = session.open(|open| open[0].entity);
    let to = label(0.75, 2.5, "reach");
    session.label(LabelCommand::Change { recording, label: 0, to: to.clone() });
    assert_eq!(session.all(), std::slice::from_ref(&to));
    assert_eq!(session.clock().range(), Some(TimeRange::new(0.75, 2.5)), "the range follows");
    let backwards = label(2.0, 1.0, "reach");
    session.label(LabelCommand::Change { recording, label: 0, to: backwards });
    assert_eq!(session.all(), std::slice::from_ref(&to), "a label ends after it starts");
    session.label(LabelCommand::Remove);
    assert_eq!((session.all(), session.clock().range()), (Vec::new(), None));
    session.edit_labels(EditCommand::Undo);
    assert_eq!(session.files().confirmation.words, "Undid: removing reach");
    assert_eq!(session.all(), [to]);
    session.edit_labels(EditCommand::Undo);
    session.edit_labels(EditCommand::Undo);
    assert_eq!((session.all(), session.labels(EditedLabels::is_changed)), (Vec::new(), false));
    session.edit_labels(EditCommand::Redo);
    assert_eq!(session.all(), [label(1.0, 2.0, "reach")]);
}

#[test]
fn saved_labels_are_read_by_the_command_line() {
    let (folder, path, mut session) = take();
    session.name_range(1.0, 2.0, "reach, \"far\"");
    session.name_range(0.1, 0.30000000000000004, "rest");
    session.edit_labels(EditCommand::Save);
    assert_eq!(session.failure(), None);
    assert!(!session.labels(EditedLabels::is_changed));
    assert_eq!(beside(&path), session.all());
    let report = folder.path().join("report.json");
    let words = ["mutoscope", "report"].map(Into::into).into_iter();
    let words = words.chain([path.clone().into(), "-o".into(), report.clone().into()]);
    let command: Vec<std::ffi::OsString> = words.collect();
    let status = mutoscope_cli::Cli::try_parse_from(command).unwrap().status();
    assert_eq!(status, mutoscope_cli::Status::Done);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let ranges = report["recordings"][0]["ranges"].as_array().unwrap();
    let names: Vec<_> = ranges.iter().map(|range| range["label"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "rest", "reach, \"far\""]);
    assert_eq!(ranges[1]["end_s"].as_f64(), Some(0.30000000000000004));
    // What the viewer shows of a label is what the command line writes.
    let recording = session.open(|open| open[0].entity);
    session.label(LabelCommand::Play { recording, label: 1 });
    let shown = session.labels(|labels| {
        let measures = &labels.measures().unwrap().unwrap().measures;
        measures.get("right_path_length_m").unwrap().value()
    });
    assert_eq!(shown, ranges[2]["measures"]["right_path_length_m"].as_f64());
    assert!(shown > Some(0.0));
}

#[test]
fn labels_beside_a_recording_are_read_and_reloaded() {
    let csv = "start_s,end_s,label,tier\n1,2,reach,right\n";
    let (folder, _, mut session) = take_with(Some(("take.labels.csv", csv)));
    let tier = Some("right".to_owned());
    assert_eq!(session.all(), [Label { tier, ..label(1.0, 2.0, "reach") }]);
    assert!(!session.labels(EditedLabels::is_changed));
    fs::write(folder.path().join("take.labels.csv"), "start_s,end_s,label\n3,4,rest\n").unwrap();
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.all(), [label(3.0, 4.0, "rest")]);
    // Edits stay, and the file is replaced after a question only, if another program wrote it.
    session.name_range(1.0, 2.0, "reach");
    fs::write(folder.path().join("take.labels.csv"), "start_s,end_s,label\n5,6,turn\n").unwrap();
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.all().len(), 2);
    session.edit_labels(EditCommand::Save);
    let question = session.get::<Panels>().would_replace.clone().unwrap().1;
    assert!(question.contains("another program"), "{question}");
    session.edit_labels(EditCommand::KeepFile);
    assert_eq!(session.get::<Panels>().would_replace, None);
    assert!(session.labels(EditedLabels::is_changed));
    session.edit_labels(EditCommand::Save);
    session.edit_labels(EditCommand::Replace);
    assert!(!session.labels(EditedLabels::is_changed));
    let text = fs::read_to_string(folder.path().join("take.labels.csv")).unwrap();
    assert_eq!(text, "start_s,end_s,label\n1.0,2.0,reach\n3.0,4.0,rest\n");
}

#[test]
fn broken_labels_give_a_message_and_the_recording_opens() {
    for (name, text, expected) in [
        ("take.labels.csv", "start_s,end_s,label\n2,1,late\n", "at line 2"),
        ("take.labels.csv", "a,b\n", "expected the header"),
        ("take.eaf", "<ANNOTATION_DOCUMENT>", ""),
        ("take.TextGrid", "File type = \"ooTextFile\"\nxmin", ""),
    ] {
        let (folder, _, mut session) = take_with(Some((name, text)));
        assert_eq!(session.current().as_deref(), Some("take.bin"));
        let (failed, message) = session.failure().unwrap();
        assert_eq!(failed, name);
        assert!(message.contains(expected) && !message.is_empty(), "{message}");
        session.name_range(1.0, 2.0, "reach");
        session.edit_labels(EditCommand::Save);
        if name == "take.labels.csv" {
            // What could not be read is not lost.
            assert!(session.get::<Panels>().would_replace.is_some());
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
    }
}

#[test]
fn unsaved_labels_are_asked_about_before_they_are_lost() {
    let (_folder, path, mut session) = take();
    session.name_range(1.0, 2.0, "reach");
    for command in [
        Command::File(FileCommand::Open(vec![file(WALK)])),
        Command::File(FileCommand::ShowGallery),
        Command::CloseWindow,
    ] {
        session.tell(command.clone());
        session.settle();
        assert_eq!(session.get::<Panels>().would_discard.as_deref(), Some(&command));
        session.edit_labels(EditCommand::KeepOpen);
        assert_eq!(session.all().len(), 1);
    }
    assert_eq!(session.window_requests(), []);
    session.tell(Command::CloseWindow);
    session.edit_labels(EditCommand::SaveAndContinue);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    assert_eq!(beside(&path), [label(1.0, 2.0, "reach")]);
    // Saved labels are not asked about; discarded ones are not saved.
    session.tell(Command::CloseWindow);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    session.label(LabelCommand::Remove);
    session.tell(Command::CloseWindow);
    session.edit_labels(EditCommand::Discard);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    assert_eq!(beside(&path).len(), 1);
}

#[test]
fn labels_of_another_file_take_their_place() {
    let (folder, path, mut session) =
        take_with(Some(("take.labels.csv", "start_s,end_s,label\n1,2,reach\n")));
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    session.tell(Command::File(FileCommand::Open(vec![path, other])));
    session.settle();
    assert_eq!(session.all(), [label(1.0, 2.0, "reach")]);
    for (listed, expected) in [(1, vec![]), (0, vec![label(1.0, 2.0, "reach")])] {
        session.tell(Command::File(FileCommand::OpenListed(listed)));
        session.settle();
        assert_eq!(session.all(), expected);
    }
}

#[test]
fn labels_are_imported_and_exported() {
    let (folder, _, mut session) = take();
    let path = |name: &str| folder.path().join(name);
    let csv = "start_s,end_s,label,tier\n1,2,reach,right\n1.5,3,turn,head\n";
    fs::write(path("trials.csv"), csv).unwrap();
    session.label(LabelCommand::Import(path("trials.csv")));
    assert_eq!(session.files().confirmation.words, "Imported 2 labels");
    for (name, format) in [("out.eaf", LabelFormat::Eaf), ("out.TextGrid", LabelFormat::TextGrid)] {
        session.label(LabelCommand::Export { path: path(name), replaces: false });
        assert_eq!(session.failure(), None);
        let mut read = labels::read(&fs::read(path(name)).unwrap(), format).unwrap().labels;
        read.sort_by(|one, other| one.start.total_cmp(&other.start));
        assert_eq!(read, session.all(), "{name}");
        session.label(LabelCommand::Export { path: path(name), replaces: false });
        assert!(session.get::<Panels>().would_replace.is_some());
        session.edit_labels(EditCommand::KeepFile);
    }
    assert!(session.labels(EditedLabels::is_changed), "they are not beside the recording");
    session.label(LabelCommand::Export { path: path("out.txt"), replaces: false });
    assert!(session.unwritten().contains("expected a name that ends in"));
    session.label(LabelCommand::Export { path: path("take.csv"), replaces: false });
    session.label(LabelCommand::Import(path("missing.eaf")));
    assert_eq!(session.failure().unwrap().0, "missing.eaf");
    session.label(LabelCommand::Export { path: path("take.bin"), replaces: true });
    assert!(formats_recognise(&path("take.bin")), "the recording is not replaced");
}

/// The files were written by other programs; `reaches.labels.csv` has the same ranges.
#[test]
fn labels_of_elan_praat_and_spreadsheets_are_imported() {
    let study = |name: &str| file("tests/data/study").join(name);
    let expected = [
        (1.615, 5.009, "rest", "phase"),
        (7.406, 10.673, "reach, \"fast\"", "phase"),
        (11.929, 12.281, "é – grasp", "phase"),
        (0.0, 7.75, "first half", "trial"),
    ];
    let sorted = |mut labels: Vec<Label>| {
        labels.sort_by(|one, other| {
            (&one.tier, one.start).partial_cmp(&(&other.tier, other.start)).unwrap()
        });
        labels
    };
    let expected = expected.map(|(start, end, name, tier)| Label {
        tier: Some(tier.to_owned()),
        ..label(start, end, name)
    });
    for name in
        ["reaches.labels.csv", "reaches.eaf", "reaches-long.TextGrid", "reaches-short.TextGrid"]
    {
        let (folder, path, mut session) = take();
        session.name_range(0.5, 0.75, "kept");
        session.label(LabelCommand::Import(study(name)));
        assert_eq!(session.failure(), None, "{name}");
        let (own, imported): (Vec<_>, Vec<_>) =
            session.all().into_iter().partition(|label| label.label == "kept");
        assert_eq!(own, [label(0.5, 0.75, "kept")], "{name}");
        assert_eq!(sorted(imported), expected, "{name}");
        // One step to undo, and beside the recording when they are saved.
        session.edit_labels(EditCommand::Save);
        assert_eq!(sorted(beside(&path)), sorted(session.all()), "{name}");
        session.edit_labels(EditCommand::Undo);
        assert_eq!(session.all(), [label(0.5, 0.75, "kept")], "{name}");
        drop(folder);
    }
}

#[test]
fn label_files_that_are_dropped_are_imported() {
    let (folder, _, mut session) = take();
    let path = folder.path().join("trials.labels.csv");
    fs::write(&path, "start_s,end_s,label\n1,2,reach\n").unwrap();
    session.tell(Command::File(FileCommand::Open(vec![path])));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.all(), [label(1.0, 2.0, "reach")]);
    assert_eq!(session.current().as_deref(), Some("take.bin"));
}

fn formats_recognise(path: &Path) -> bool {
    mutoscope_core::formats::is_recognised(&fs::read(path).unwrap(), None)
}

#[test]
fn samples_have_no_folder_and_are_exported() {
    let mut session = Session::new();
    let hands = SAMPLES.iter().position(|sample| sample.bytes.len() > 100).unwrap();
    session.tell(Command::File(FileCommand::OpenSample(hands)));
    session.settle();
    session.name_range(0.1, 0.2, "reach");
    session.edit_labels(EditCommand::Save);
    assert!(session.get::<Panels>().is_open(Panel::EXPORT_LABELS));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.labels.csv");
    session.label(LabelCommand::Export { path, replaces: false });
    assert!(!session.labels(EditedLabels::is_changed), "that is where they are kept");
}

#[test]
fn each_recording_has_labels_of_its_own() {
    let (folder, _, mut session) = take();
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    let with = Compare::With(super::super::Source::File(other.clone()), CompareOptions::default());
    session.tell(Command::Compare(with));
    session.settle();
    session.name_range(1.0, 2.0, "a");
    let node = session.node(1, "camera");
    session.tell(Command::View(ViewCommand::Select(Some(node))));
    session.name_range(3.0, 4.0, "b");
    let names = session.open(|open| {
        let of = |index: usize| open[index].labels.unwrap().labels()[0].label.clone();
        [of(0), of(1)]
    });
    assert_eq!(names, ["a", "b"]);
    session.edit_labels(EditCommand::Save);
    assert_eq!(beside(&other), [label(3.0, 4.0, "b")]);
    // The label that was used last is meant.
    let first = session.open(|open| open[0].entity);
    session.label(LabelCommand::Play { recording: first, label: 0 });
    session.label(LabelCommand::Remove);
    assert_eq!(session.all(), []);
    assert_eq!(session.open(|open| open[1].labels.unwrap().labels().len()), 1);
}

#[test]
fn report_has_the_labels_of_all_recordings() {
    let (folder, _, mut session) = take();
    session.name_range(1.0, 2.0, "reach <b>");
    let path = folder.path().join("report.html");
    session.label(LabelCommand::Report { path: path.clone(), replaces: false });
    assert_eq!(session.failure(), None);
    assert_eq!(session.get::<Reports>().running(), None);
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("reach &lt;b&gt;") && page.contains("right_path_length_m"));
    session.label(LabelCommand::Report { path: path.clone(), replaces: false });
    assert!(session.get::<Panels>().would_replace.is_some());
    session.edit_labels(EditCommand::Replace);
    assert!(session.files().confirmation.words.starts_with("Wrote "));
    let nowhere = folder.path().join("missing/report.html");
    session.label(LabelCommand::Report { path: nowhere, replaces: false });
    assert!(session.unwritten().contains("cannot be written"));
    session.tell(Command::File(FileCommand::DismissFailure));
    assert_eq!(session.files().unwritten, None);
}

#[test]
fn in_and_out_points_make_the_range_that_is_named() {
    let (_folder, _, mut session) = take();
    for (time, point) in [(0.5, PlayheadCommand::SetInHere), (1.5, PlayheadCommand::SetOutHere)] {
        session.seek(time);
        session.tell(Command::Playhead(point));
    }
    session.label(LabelCommand::Mark);
    session.label(LabelCommand::Name("reach".to_owned()));
    assert_eq!(session.all(), [label(0.5, 1.5, "reach")]);
}
