//! Tests of adding, changing, saving, importing, measuring and reporting labels.

use std::fs;

use clap::Parser as _;

use super::*;
use crate::session::{
    CompareCommand, EditedLabels, LabelCommand, Naming, Panel, Panels, PendingCommands,
    PlayheadCommand, ReportCommand, Reports, SAMPLES, ViewCommand,
};
use mutoscope_core::{
    measure::compare::CompareOptions,
    playback::{Looping, TimeCommand, TimeRange},
};
use mutoscope_study::labels::{self, Label, LabelFormat, find_sidecar};

/// Copies a recording of hands into a folder of its own and opens it, paused.
fn open_take() -> (tempfile::TempDir, PathBuf, Session) {
    open_take_with_labels(None)
}

/// Copies and opens a recording of hands as `open_take` does, with a label file next to it.
fn open_take_with_labels(labels: Option<(&str, &str)>) -> (tempfile::TempDir, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.bin");
    fs::copy(file(HANDS), &path).unwrap();
    if let Some((name, text)) = labels {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut session = Session::new();
    session.send(Command::File(FileCommand::Open(vec![path.clone()])));
    session.settle();
    session.send(Command::Time(TimeCommand::Pause));
    (folder, path, session)
}

fn label(start: f64, end: f64, name: &str) -> Label {
    Label { start, end, label: name.to_owned(), tier: None }
}

impl Session {
    fn write_report(&mut self, path: PathBuf) {
        self.send(Command::Report(ReportCommand { path, replaces: false }));
        self.settle();
    }

    fn send_label_command(&mut self, command: LabelCommand) {
        self.send(Command::Label(command));
        self.settle();
    }

    fn seek(&mut self, time: f64) {
        self.send(Command::Time(TimeCommand::Seek(time)));
    }

    fn set_range(&mut self, start: f64, end: f64) {
        self.send(Command::Time(TimeCommand::SetRange(Some(TimeRange::new(start, end)))));
    }

    fn name_range(&mut self, start: f64, end: f64, name: &str) {
        self.set_range(start, end);
        self.send_label_command(LabelCommand::Mark);
        self.send_label_command(LabelCommand::Name(name.to_owned()));
    }

    /// Returns the result of `look` for the labels of the reference.
    fn labels<T: 'static>(
        &mut self,
        look: impl Fn(&EditedLabels) -> T + Send + Sync + 'static,
    ) -> T {
        self.open(move |open| look(open[0].labels().unwrap()))
    }

    /// Returns why the last file was not written.
    fn write_failure_message(&self) -> &str {
        self.files().write_failure.as_ref().map_or("", |failed| &failed.message)
    }

    fn all_labels(&mut self) -> Vec<Label> {
        self.labels(|labels| labels.labels().to_vec())
    }
}

/// Reads the labels next to a recording in the same way as the command line.
fn read_sidecar_labels(recording: &Path) -> Vec<Label> {
    let (path, format) = find_sidecar(recording).unwrap();
    labels::read(&fs::read(path).unwrap(), format).unwrap().labels
}

#[test]
fn naming_a_labelled_range_renames_its_label() {
    let (_folder, _, mut session) = open_take();
    session.set_range(1.0, 2.0);
    session.send_label_command(LabelCommand::Mark);
    let naming = session.labels(EditedLabels::naming);
    assert_eq!(naming, Some(Naming::New { start: 1.0, end: 2.0 }));
    session.send_label_command(LabelCommand::CancelNaming);
    assert_eq!(session.all_labels(), [], "naming was cancelled");
    session.name_range(1.0, 2.0, " reach ");
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "reach")]);
    session.send_label_command(LabelCommand::Mark);
    assert_eq!(session.labels(EditedLabels::naming), Some(Naming::Label(0)));
    session.send_label_command(LabelCommand::Name("grasp".to_owned()));
    session.send_label_command(LabelCommand::Repeat);
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "grasp")]);
}

#[test]
fn label_is_begun_and_ended_at_the_playhead() {
    let (_folder, _, mut session) = open_take();
    session.send_label_command(LabelCommand::Repeat);
    assert!(session.files().confirmation.text.contains("No label to repeat yet"));
    session.seek(0.5);
    session.send_label_command(LabelCommand::Mark);
    assert_eq!(session.labels(EditedLabels::open_start), Some(0.5));
    session.seek(1.25);
    session.send_label_command(LabelCommand::Mark);
    session.send_label_command(LabelCommand::Name("reach".to_owned()));
    // Repeat the name, this time with the end before the start.
    session.seek(3.0);
    session.send_label_command(LabelCommand::Repeat);
    session.seek(2.0);
    session.send_label_command(LabelCommand::Repeat);
    assert_eq!(session.all_labels(), [label(0.5, 1.25, "reach"), label(2.0, 3.0, "reach")]);
    // Cancelling drops a label that was begun.
    session.send_label_command(LabelCommand::Mark);
    session.send(Command::Cancel);
    assert_eq!(session.labels(EditedLabels::open_start), None);
    assert_eq!(session.all_labels().len(), 2);
}

#[test]
fn empty_name_repeats_the_last_name() {
    let (_folder, _, mut session) = open_take();
    session.name_range(1.0, 2.0, "");
    assert_eq!(session.all_labels(), [], "no name was given before");
    assert!(session.labels(|labels| labels.naming().is_some()), "the viewer still asks for a name");
    session.send_label_command(LabelCommand::Name("reach".to_owned()));
    session.name_range(3.0, 4.0, "");
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "reach"), label(3.0, 4.0, "reach")]);
}

#[test]
fn playing_a_label_sets_the_range_until_cancelled() {
    let (_folder, _, mut session) = open_take();
    session.name_range(1.0, 2.0, "reach");
    session.send(Command::Time(TimeCommand::SetRange(None)));
    let recording = session.open(|open| open[0].entity);
    session.send_label_command(LabelCommand::Play { recording, label: 0 });
    let clock = session.clock();
    assert_eq!(clock.range(), Some(TimeRange::new(1.0, 2.0)));
    assert_eq!((clock.looping(), clock.is_playing()), (Looping::Range, true));
    session.send(Command::Cancel);
    assert!(session.labels(|labels| labels.selected().is_none()));
    assert_eq!(session.clock().range(), None);
}

#[test]
fn labels_are_changed_removed_and_undone() {
    let (_folder, _, mut session) = open_take();
    session.name_range(1.0, 2.0, "reach");
    let recording = session.open(|open| open[0].entity);
    let to = label(0.75, 2.5, "reach");
    session.send_label_command(LabelCommand::Change { recording, label: 0, to: to.clone() });
    assert_eq!(session.all_labels(), std::slice::from_ref(&to));
    assert_eq!(session.clock().range(), Some(TimeRange::new(0.75, 2.5)), "the range follows");
    let backwards = label(2.0, 1.0, "reach");
    session.send_label_command(LabelCommand::Change { recording, label: 0, to: backwards });
    assert_eq!(
        session.all_labels(),
        std::slice::from_ref(&to),
        "a label cannot end before it starts"
    );
    session.send_label_command(LabelCommand::Remove);
    assert_eq!((session.all_labels(), session.clock().range()), (Vec::new(), None));
    session.send_edit_command(EditCommand::Undo);
    assert_eq!(session.files().confirmation.text, "Undid: removing reach");
    assert_eq!(session.all_labels(), [to]);
    session.send_edit_command(EditCommand::Undo);
    session.send_edit_command(EditCommand::Undo);
    assert_eq!((session.all_labels(), session.unsaved()), (Vec::new(), Vec::new()));
    session.send_edit_command(EditCommand::Redo);
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "reach")]);
}

#[test]
fn saved_labels_are_read_by_the_command_line() {
    let (folder, path, mut session) = open_take();
    session.name_range(1.0, 2.0, "reach, \"far\"");
    session.name_range(0.1, 0.30000000000000004, "rest");
    session.send_edit_command(EditCommand::Save);
    assert_eq!(session.failure(), None);
    assert!(session.unsaved().is_empty());
    assert_eq!(read_sidecar_labels(&path), session.all_labels());
    let report = folder.path().join("report.json");
    let arguments = ["mutoscope", "report"].map(Into::into).into_iter();
    let arguments = arguments.chain([path.clone().into(), "-o".into(), report.clone().into()]);
    let command: Vec<std::ffi::OsString> = arguments.collect();
    let status = mutoscope_cli::Cli::try_parse_from(command).unwrap().run();
    assert_eq!(status, mutoscope_cli::Status::Done);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let ranges = report["recordings"][0]["ranges"].as_array().unwrap();
    let names: Vec<_> = ranges.iter().map(|range| range["label"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "rest", "reach, \"far\""]);
    assert_eq!(ranges[1]["end_s"].as_f64(), Some(0.30000000000000004));
    // The viewer must show the same measures as the command line writes.
    let recording = session.open(|open| open[0].entity);
    session.send_label_command(LabelCommand::Play { recording, label: 1 });
    let shown = session.labels(|labels| {
        let measures = &labels.measures().unwrap().unwrap().measures;
        measures.get("right_path_length_m").unwrap().value()
    });
    assert_eq!(shown, ranges[2]["measures"]["right_path_length_m"].as_f64());
    assert!(shown > Some(0.0));
}

#[test]
fn sidecar_labels_are_read_and_reloaded() {
    let csv = "start_s,end_s,label,tier\n1,2,reach,right\n";
    let (folder, _, mut session) = open_take_with_labels(Some(("take.labels.csv", csv)));
    let tier = Some("right".to_owned());
    assert_eq!(session.all_labels(), [Label { tier, ..label(1.0, 2.0, "reach") }]);
    assert!(session.unsaved().is_empty());
    fs::write(folder.path().join("take.labels.csv"), "start_s,end_s,label\n3,4,rest\n").unwrap();
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.all_labels(), [label(3.0, 4.0, "rest")]);
    // Edits survive reloading. The file is replaced only after a question, because another program
    // wrote it.
    session.name_range(1.0, 2.0, "reach");
    fs::write(folder.path().join("take.labels.csv"), "start_s,end_s,label\n5,6,turn\n").unwrap();
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.all_labels().len(), 2);
    session.send_edit_command(EditCommand::Save);
    let question = session.get::<PendingCommands>().replacement.clone().unwrap().1;
    assert!(question.contains("another program"), "{question}");
    session.send_edit_command(EditCommand::KeepFile);
    assert_eq!(session.get::<PendingCommands>().replacement, None);
    assert!(!session.unsaved().is_empty());
    session.send_edit_command(EditCommand::Save);
    session.send_edit_command(EditCommand::Replace);
    assert!(session.unsaved().is_empty());
    let text = fs::read_to_string(folder.path().join("take.labels.csv")).unwrap();
    assert_eq!(text, "start_s,end_s,label\n1.0,2.0,reach\n3.0,4.0,rest\n");
}

#[test]
fn broken_label_file_is_reported_and_the_recording_opens() {
    for (name, text, expected) in [
        ("take.labels.csv", "start_s,end_s,label\n2,1,late\n", "at line 2"),
        ("take.labels.csv", "a,b\n", "expected the header"),
        ("take.eaf", "<ANNOTATION_DOCUMENT>", ""),
        ("take.TextGrid", "File type = \"ooTextFile\"\nxmin", ""),
    ] {
        let (folder, _, mut session) = open_take_with_labels(Some((name, text)));
        assert_eq!(session.current().as_deref(), Some("take.bin"));
        let (failed, message) = session.failure().unwrap();
        assert_eq!(failed, name);
        assert!(message.contains(expected) && !message.is_empty(), "{message}");
        session.name_range(1.0, 2.0, "reach");
        session.send_edit_command(EditCommand::Save);
        if name == "take.labels.csv" {
            // A label file that could not be read must not be replaced without a question.
            assert!(session.get::<PendingCommands>().replacement.is_some());
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
        }
    }
}

#[test]
fn unsaved_labels_are_confirmed_before_discarding() {
    let (_folder, path, mut session) = open_take();
    session.name_range(1.0, 2.0, "reach");
    for command in [
        Command::File(FileCommand::Open(vec![file(WALK)])),
        Command::File(FileCommand::ShowGallery),
        Command::CloseWindow,
    ] {
        session.send(command.clone());
        session.settle();
        assert_eq!(session.get::<PendingCommands>().discard.as_deref(), Some(&command));
        session.send_edit_command(EditCommand::KeepOpen);
        assert_eq!(session.all_labels().len(), 1);
    }
    assert_eq!(session.window_requests(), []);
    session.send(Command::CloseWindow);
    // Do not wait for jobs here, because Bevy drops messages after two frames.
    session.send(Command::Edit(EditCommand::SaveAndContinue));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    assert_eq!(read_sidecar_labels(&path), [label(1.0, 2.0, "reach")]);
    // There is no question if the labels are saved, and discarded labels are not written.
    session.send(Command::CloseWindow);
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    session.send_label_command(LabelCommand::Remove);
    session.send(Command::CloseWindow);
    session.send(Command::Edit(EditCommand::Discard));
    assert_eq!(session.window_requests(), [WindowRequest::Close]);
    assert_eq!(read_sidecar_labels(&path).len(), 1);
}

#[test]
fn opening_another_file_replaces_the_labels() {
    let (folder, path, mut session) =
        open_take_with_labels(Some(("take.labels.csv", "start_s,end_s,label\n1,2,reach\n")));
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    session.send(Command::File(FileCommand::Open(vec![path, other])));
    session.settle();
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "reach")]);
    for (listed, expected) in [(1, vec![]), (0, vec![label(1.0, 2.0, "reach")])] {
        session.send(Command::File(FileCommand::OpenListed(listed)));
        session.settle();
        assert_eq!(session.all_labels(), expected);
    }
}

#[test]
fn labels_are_imported_and_exported() {
    let (folder, _, mut session) = open_take();
    let path = |name: &str| folder.path().join(name);
    let csv = "start_s,end_s,label,tier\n1,2,reach,right\n1.5,3,turn,head\n";
    fs::write(path("trials.csv"), csv).unwrap();
    session.send_label_command(LabelCommand::Import(path("trials.csv")));
    assert_eq!(session.files().confirmation.text, "Imported 2 labels");
    for (name, format) in [("out.eaf", LabelFormat::Eaf), ("out.TextGrid", LabelFormat::TextGrid)] {
        session.send_label_command(LabelCommand::Export { path: path(name), replaces: false });
        assert_eq!(session.failure(), None);
        let mut read = labels::read(&fs::read(path(name)).unwrap(), format).unwrap().labels;
        read.sort_by(|a, b| a.start.total_cmp(&b.start));
        assert_eq!(read, session.all_labels(), "{name}");
        session.send_label_command(LabelCommand::Export { path: path(name), replaces: false });
        assert!(session.get::<PendingCommands>().replacement.is_some());
        session.send_edit_command(EditCommand::KeepFile);
    }
    assert!(!session.unsaved().is_empty(), "the labels are not saved next to the recording");
    session.send_label_command(LabelCommand::Export { path: path("out.txt"), replaces: false });
    assert!(session.write_failure_message().contains("expected a name that ends in"));
    session.send_label_command(LabelCommand::Export { path: path("take.csv"), replaces: false });
    session.send_label_command(LabelCommand::Import(path("missing.eaf")));
    assert_eq!(session.failure().unwrap().0, "missing.eaf");
    session.send_label_command(LabelCommand::Export { path: path("take.bin"), replaces: true });
    assert!(is_recording(&path("take.bin")), "the recording is not replaced");
}

/// Other programs wrote these files; `reaches.labels.csv` has the same ranges.
#[test]
fn labels_of_elan_praat_and_spreadsheets_are_imported() {
    let study_file = |name: &str| file("tests/data/study").join(name);
    let expected = [
        (1.615, 5.009, "rest", "phase"),
        (7.406, 10.673, "reach, \"fast\"", "phase"),
        (11.929, 12.281, "é – grasp", "phase"),
        (0.0, 7.75, "first half", "trial"),
    ];
    let sorted = |mut labels: Vec<Label>| {
        labels.sort_by(|a, b| (&a.tier, a.start).partial_cmp(&(&b.tier, b.start)).unwrap());
        labels
    };
    let expected = expected.map(|(start, end, name, tier)| Label {
        tier: Some(tier.to_owned()),
        ..label(start, end, name)
    });
    for name in
        ["reaches.labels.csv", "reaches.eaf", "reaches-long.TextGrid", "reaches-short.TextGrid"]
    {
        let (folder, path, mut session) = open_take();
        session.name_range(0.5, 0.75, "kept");
        session.send_label_command(LabelCommand::Import(study_file(name)));
        assert_eq!(session.failure(), None, "{name}");
        let (kept, imported): (Vec<_>, Vec<_>) =
            session.all_labels().into_iter().partition(|label| label.label == "kept");
        assert_eq!(kept, [label(0.5, 0.75, "kept")], "{name}");
        assert_eq!(sorted(imported), expected, "{name}");
        // The import is a single undo step, and saving writes the labels next to the recording.
        session.send_edit_command(EditCommand::Save);
        assert_eq!(sorted(read_sidecar_labels(&path)), sorted(session.all_labels()), "{name}");
        session.send_edit_command(EditCommand::Undo);
        assert_eq!(session.all_labels(), [label(0.5, 0.75, "kept")], "{name}");
        drop(folder);
    }
}

#[test]
fn dropped_label_files_are_imported() {
    let (folder, _, mut session) = open_take();
    let path = folder.path().join("trials.labels.csv");
    fs::write(&path, "start_s,end_s,label\n1,2,reach\n").unwrap();
    session.send(Command::File(FileCommand::Open(vec![path])));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.all_labels(), [label(1.0, 2.0, "reach")]);
    assert_eq!(session.current().as_deref(), Some("take.bin"));
}

fn is_recording(path: &Path) -> bool {
    crate::registry().is_recognised(&fs::read(path).unwrap(), None)
}

#[test]
fn labels_of_samples_are_exported_instead_of_saved() {
    let mut session = Session::new();
    let hands = SAMPLES.iter().position(|sample| sample.bytes.len() > 100).unwrap();
    session.send(Command::File(FileCommand::OpenSample(hands)));
    session.settle();
    session.name_range(0.1, 0.2, "reach");
    session.send_edit_command(EditCommand::Save);
    assert!(session.get::<Panels>().is_open(Panel::EXPORT_LABELS));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.labels.csv");
    session.send_label_command(LabelCommand::Export { path, replaces: false });
    assert!(session.unsaved().is_empty(), "exporting saves the labels of a sample");
}

#[test]
fn each_recording_has_its_own_labels() {
    let (folder, _, mut session) = open_take();
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    let add = CompareCommand::Add(Source::File(other.clone()), CompareOptions::default());
    session.send(Command::Compare(add));
    session.settle();
    session.name_range(1.0, 2.0, "a");
    let node = session.node(1, "camera");
    session.send(Command::View(ViewCommand::Select(Some(node))));
    session.name_range(3.0, 4.0, "b");
    let names = session.open(|open| {
        let label_name = |index: usize| open[index].labels().unwrap().labels()[0].label.clone();
        [label_name(0), label_name(1)]
    });
    assert_eq!(names, ["a", "b"]);
    session.send_edit_command(EditCommand::Save);
    assert_eq!(read_sidecar_labels(&other), [label(3.0, 4.0, "b")]);
    // Commands apply to the recording whose label was used last.
    let first = session.open(|open| open[0].entity);
    session.send_label_command(LabelCommand::Play { recording: first, label: 0 });
    session.send_label_command(LabelCommand::Remove);
    assert_eq!(session.all_labels(), []);
    assert_eq!(session.open(|open| open[1].labels().unwrap().labels().len()), 1);
}

#[test]
fn commands_of_one_frame_see_the_effects_of_earlier_ones() {
    let (folder, _, mut session) = open_take();
    let other = folder.path().join("other.bin");
    fs::copy(file(HANDS), &other).unwrap();
    let add = CompareCommand::Add(Source::File(other), CompareOptions::default());
    session.send(Command::Compare(add));
    session.settle();
    session.name_range(1.0, 2.0, "a");
    let first = session.open(|open| open[0].entity);
    let node = session.node(1, "camera");
    session.send_together([
        Command::Label(LabelCommand::Play { recording: first, label: 0 }),
        Command::View(ViewCommand::Select(Some(node))),
        Command::Label(LabelCommand::Remove),
    ]);
    assert_eq!(session.files().confirmation.text, "No label is selected");
    assert_eq!(session.all_labels().len(), 1, "the other recording was selected last");
}

#[test]
fn report_contains_the_labels_of_all_recordings() {
    let (folder, _, mut session) = open_take();
    session.name_range(1.0, 2.0, "reach <b>");
    let path = folder.path().join("report.html");
    session.write_report(path.clone());
    assert_eq!(session.failure(), None);
    assert_eq!(session.get::<Reports>().running(), None);
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("reach &lt;b&gt;") && page.contains("right_path_length_m"));
    session.write_report(path.clone());
    assert!(session.get::<PendingCommands>().replacement.is_some());
    session.send_edit_command(EditCommand::Replace);
    assert!(session.files().confirmation.text.starts_with("Wrote "));
    let nowhere = folder.path().join("missing/report.html");
    session.write_report(nowhere);
    assert!(session.write_failure_message().contains("cannot be written"));
    session.send(Command::File(FileCommand::DismissFailure));
    assert_eq!(session.files().write_failure, None);
}

#[test]
fn in_and_out_points_set_the_named_range() {
    let (_folder, _, mut session) = open_take();
    for (time, point) in [(0.5, PlayheadCommand::SetInPoint), (1.5, PlayheadCommand::SetOutPoint)] {
        session.seek(time);
        session.send(Command::Playhead(point));
    }
    session.send_label_command(LabelCommand::Mark);
    session.send_label_command(LabelCommand::Name("reach".to_owned()));
    assert_eq!(session.all_labels(), [label(0.5, 1.5, "reach")]);
}
