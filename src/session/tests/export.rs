//! Tests of exports.

use std::fs;

use super::*;
use crate::session::{ExportCommand, ExportRequest, Exports, PendingCommands};
use mutoscope_core::{
    clip::NodeId,
    export::{OptionValue, TargetSettings},
    measure::Measurement,
};

fn export_command(path: PathBuf) -> Command {
    let extension = path.extension().unwrap().to_str().unwrap();
    let target = crate::targets().target_for_extension(extension).unwrap();
    Command::Export(ExportCommand::Start(Box::new(ExportRequest {
        range: Some((0.5, 1.0)),
        rate: Some(10.0),
        size: [64, 36],
        ..ExportRequest::new(target, path)
    })))
}

#[test]
fn measured_curves_are_written_as_signals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let Command::Export(ExportCommand::Start(request)) = export_command(path.clone()) else {
        unreachable!()
    };
    let measurements = vec![Measurement::Height(NodeId::new(1))];
    let mut session = Session::with(file(HANDS));
    let request = ExportRequest { measurements, ..*request };
    session.send(Command::Export(ExportCommand::Start(Box::new(request))));
    session.settle();
    let written = fs::read_to_string(&path).unwrap();
    let (header, rows) = written.split_once('\n').unwrap();
    let column = |name: &str| header.split(',').position(|column| column == name).unwrap();
    let (height, wrist) = (column("height(left/Wrist)"), column("left/Wrist.ty"));
    for row in rows.lines() {
        let value = |column: usize| row.split(',').nth(column).unwrap().parse::<f64>().unwrap();
        assert!((value(height) - value(wrist)).abs() < 1e-6, "{row}");
    }
}

#[test]
fn animations_of_a_file_become_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.fbx");
    let Command::Export(ExportCommand::Start(request)) = export_command(path.clone()) else {
        unreachable!()
    };
    let takes = request.target.option("takes").unwrap();
    let settings = TargetSettings::default().with(takes, OptionValue::Flag);
    let request = ExportRequest { settings, range: None, rate: None, ..*request };
    let mut session = Session::with(file("assets/gltf/walker.glb"));
    session.send(Command::Export(ExportCommand::Start(Box::new(request))));
    session.settle();
    let last = session.get::<Exports>().last.clone().unwrap();
    let report = last.result.unwrap();
    assert!(report.remarks().iter().any(|remark| remark.message == "takes: Walk, Greet"));
}

#[test]
fn export_writes_the_recording_and_reports_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let mut session = Session::with(file(HANDS));
    session.send(export_command(path.clone()));
    session.settle();
    let last = session.get::<Exports>().last.clone().unwrap();
    assert!(last.path == path && last.result.is_ok(), "{last:?}");
    // A header, and six samples from 0.5 s to 1.0 s at 10 Hz.
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + 6);
}

#[test]
fn existing_files_are_replaced_only_after_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    fs::write(&path, "mine").unwrap();
    let mut session = Session::with(file(HANDS));
    session.send(export_command(path.clone()));
    session.settle();
    let (_, question) = session.get::<PendingCommands>().replacement.clone().unwrap();
    assert_eq!(question, "out.csv exists already. Replace it?");
    session.send_edit_command(EditCommand::KeepFile);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    session.send(export_command(path.clone()));
    session.send_edit_command(EditCommand::Replace);
    assert!(session.get::<Exports>().last.clone().unwrap().result.is_ok());
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + 6);
}

#[test]
fn listed_recordings_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.bin", "two.bvh"].map(|name| folder.path().join(name));
    fs::copy(file(HANDS), &one).unwrap();
    fs::copy(file("tests/data/characters/cmu_names.bvh"), &two).unwrap();
    let before = fs::read(&two).unwrap();
    let mut session = Session::with(folder.path());
    assert_eq!(session.files().listed.len(), 2);
    session.send(export_command(two.clone()));
    session.settle();
    let last = session.get::<Exports>().last.clone().unwrap();
    assert!(last.result.unwrap_err().contains("a listed recording"));
    assert_eq!(fs::read(&two).unwrap(), before);
}

#[test]
fn closing_the_window_during_an_export_asks_and_cleans_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::with(file("assets/mcmocap/a-day.mcmocap_rec"));
    session.send_together([export_command(folder.path().join("out.glb")), Command::CloseWindow]);
    assert_eq!(session.get::<PendingCommands>().discard.as_deref(), Some(&Command::CloseWindow));
    assert_eq!(session.get::<PendingCommands>().lost, []);
    session.send(Command::Edit(EditCommand::Discard));
    let mut requests = session.window_requests();
    while session.get::<Exports>().running().is_some() {
        session.0.update();
        requests.extend(session.window_requests());
    }
    assert_eq!(requests, [WindowRequest::Close], "the window closes after the export has ended");
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert!(files.iter().all(|file| file.file_name() == "out.glb"), "{files:?}");
}

#[test]
fn failed_export_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::with(file(HANDS));
    session.send(export_command(folder.path().join("missing/out.glb")));
    session.settle();
    let failed = session.get::<Exports>().last.clone().unwrap().result.unwrap_err();
    assert!(failed.starts_with("cannot be written"), "{failed}");
    assert_eq!(session.files().write_failure.as_ref().unwrap().message, failed);
}

#[test]
fn export_without_a_recording_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::new();
    session.send(export_command(folder.path().join("out.csv")));
    session.settle();
    assert!(session.get::<Exports>().last.is_none());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn cancelled_export_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::with(file("assets/mcmocap/a-day.mcmocap_rec"));
    session.send(export_command(folder.path().join("out.glb")));
    session.send(Command::Export(ExportCommand::Cancel));
    session.settle();
    let exports: &Exports = session.get();
    assert!(exports.running().is_none());
    match &exports.last {
        // The user cancelled the export, so there is no message.
        None => assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0),
        // The export may have ended before it was cancelled.
        Some(last) => assert!(last.result.is_ok(), "{last:?}"),
    }
}
