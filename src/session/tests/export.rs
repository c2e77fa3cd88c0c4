//! Export.

use std::fs;

use super::*;
use crate::capture::BurnIn;
use crate::session::{ExportCommand, ExportOrder, Exports};
use mutoscope_core::export::ExportTarget;

fn order(path: PathBuf) -> Command {
    let extension = path.extension().unwrap().to_str().unwrap();
    Command::Export(ExportCommand::Start(ExportOrder {
        target: ExportTarget::of_extension(extension).unwrap(),
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
    session.tell(order(path.clone()));
    session.settle();
    let last = session.get::<Exports>().last.clone().unwrap();
    assert!(last.path == path && last.result.is_ok(), "{last:?}");
    // A line of names, and one for each tenth of a second.
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + 6);
}

#[test]
fn export_without_a_recording_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::new();
    session.tell(order(folder.path().join("out.csv")));
    session.settle();
    assert!(session.get::<Exports>().last.is_none());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn cancelled_export_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::with(file("assets/mcmocap/a-day.mcmocap_rec"));
    session.tell(order(folder.path().join("out.glb")));
    session.tell(Command::Export(ExportCommand::Cancel));
    session.settle();
    let exports: &Exports = session.get();
    assert!(exports.running().is_none());
    match &exports.last {
        // No message: the user cancelled it.
        None => assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0),
        // It was too fast.
        Some(last) => assert!(last.result.is_ok(), "{last:?}"),
    }
}
