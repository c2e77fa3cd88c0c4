//! Tests of exports.

use std::fs;

use super::*;
use crate::capture::BurnIn;
use crate::session::{ExportCommand, ExportRequest, Exports};

fn export_command(path: PathBuf) -> Command {
    let extension = path.extension().unwrap().to_str().unwrap();
    Command::Export(ExportCommand::Start(ExportRequest {
        target: crate::targets().target_for_extension(extension).unwrap(),
        path,
        range: Some((0.5, 1.0)),
        rate: Some(10.0),
        size: [64, 36],
        burn_in: BurnIn::default(),
        sound: false,
    }))
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
