//! The meanings of columns of tables.

use std::fs;

use super::*;
use crate::session::ColumnsCommand;
use mutoscope_core::clip::{ChoiceOrigin, MappingChoice, Pose};
use mutoscope_logs::{ColumnRole, MappingChange};

/// A head that moves up by 10, of centimetres as it turns out, and three angles of no stated order.
const TABLE: &str = "time,clock,head_x,head_y,head_z,head_rx,head_ry,head_rz,pinch\n\
                     0,5,0,10,2,0,0,1.5,0\n1,6,0,20,2,0,0,1.5,1\n";

fn take() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.csv");
    fs::write(&path, TABLE).unwrap();
    (folder, path)
}

fn set(key: &str, toml: &str) -> Command {
    let (key, toml) = (key.to_owned(), toml.to_owned());
    Command::Columns(ColumnsCommand::Change(MappingChange::Set { key, toml }))
}

fn give(column: &str, role: ColumnRole) -> Command {
    let column = column.to_owned();
    Command::Columns(ColumnsCommand::Change(MappingChange::Use { column, role }))
}

/// Where the head of the recording with this index is at the end.
fn end(session: &mut Session, index: usize) -> [f64; 3] {
    session.open(move |open| {
        let clip = open[index].clip();
        let mut pose = Pose::default();
        clip.sample(clip.span.start + clip.span.duration, &mut pose);
        let head = clip.nodes.iter().position(|node| node.name == "head").unwrap();
        pose.nodes[head].world.translation.to_array()
    })
}

fn choice(session: &mut Session, key: &'static str) -> Option<MappingChoice> {
    session.open(move |open| {
        let columns = open[0].clip().columns().unwrap();
        columns.choices.iter().find(|choice| choice.key == key).cloned()
    })
}

#[test]
fn what_is_assumed_is_changed_one_by_one_and_reset() {
    let (_folder, path) = take();
    let mut session = Session::with(&path);
    assert_eq!(end(&mut session, 0), [0.0, 20.0, 2.0]);
    for command in [set("space.unit", "\"cm\""), set("space.axes", r#"["right", "up", "forward"]"#)]
    {
        session.tell(command);
        session.settle();
    }
    assert_eq!(session.failure(), None);
    let [x, y, z] = end(&mut session, 0);
    assert!(x == 0.0 && (y - 0.2).abs() < 1e-12 && (z + 0.02).abs() < 1e-12, "{x} {y} {z}");
    let origin = |session: &mut Session, key| choice(session, key).unwrap().origin;
    assert_eq!(origin(&mut session, "space.unit"), ChoiceOrigin::Chosen);
    assert_eq!(origin(&mut session, "space.euler"), ChoiceOrigin::Assumed, "what was not chosen");
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(origin(&mut session, "space.axes"), ChoiceOrigin::Chosen, "it outlives reloading");
    session.tell(Command::Columns(ColumnsCommand::Reset));
    session.settle();
    assert_eq!(end(&mut session, 0), [0.0, 20.0, 2.0]);
}

#[test]
fn columns_get_another_use() {
    let (_folder, path) = take();
    let mut session = Session::with(&path);
    session.tell(give("clock", ColumnRole::Time));
    session.settle();
    let span = session.open(|open| open[0].clip().span);
    assert_eq!((span.start, span.duration), (5.0, 1.0));
    let signals = |session: &mut Session| -> Vec<String> {
        session.open(|open| open[0].clip().signals.iter().map(|one| one.name.clone()).collect())
    };
    assert_eq!(signals(&mut session), ["time", "pinch"]);
    session.tell(give("pinch", ColumnRole::Event));
    session.settle();
    let events = session.open(|open| open[0].clip().events.len());
    assert_eq!((signals(&mut session), events), (vec!["time".to_owned()], 2));
    session.tell(give("head_rz", ColumnRole::Signal));
    session.settle();
    assert_eq!(session.failure(), None);
    assert!(choice(&mut session, "space.euler").is_none(), "no angles are left");
    assert_eq!(signals(&mut session), ["time", "head_rz"]);
    session.tell(give("head_x", ColumnRole::Unused));
    session.settle();
    let (name, message) = session.failure().unwrap();
    assert!(name == "take.csv" && message.contains("head_x"), "{message}");
    assert_eq!(signals(&mut session), ["time", "head_rz"], "what plays goes on");
}

#[test]
fn a_saved_mapping_is_read_with_the_table() {
    let (folder, path) = take();
    let mut session = Session::with(&path);
    session.tell(set("space.unit", "\"cm\""));
    session.settle();
    session.tell(set("space.euler", "\"vector\""));
    session.settle();
    session.tell(Command::Columns(ColumnsCommand::Save));
    session.settle();
    let kept = folder.path().join("take.columns.toml");
    assert!(session.files().confirmation.words.contains("take.columns.toml"));
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.contains("unit = \"cm\"") && text.contains("rotation_vector"), "{text}");

    let mut again = Session::with(&path);
    let end_again = end(&mut again, 0);
    assert_eq!(end_again, end(&mut session, 0));
    let assumed = again.open(|open| open[0].clip().columns().unwrap().assumed.len());
    assert_eq!(assumed, 0);
    // Changed again, it is saved in its own place; one that was edited by hand stays.
    again.tell(set("space.euler", "\"YXZ\""));
    again.settle();
    again.tell(Command::Columns(ColumnsCommand::Save));
    assert!(fs::read_to_string(&kept).unwrap().contains("euler = [\"head_rx\""));
    let edited = "[space]\nunit = \"mm\"   # as Ada said\n";
    fs::write(&kept, edited).unwrap();
    again.tell(Command::Columns(ColumnsCommand::Save));
    assert_eq!(fs::read_to_string(&kept).unwrap(), edited);
    assert!(folder.path().join("take-2.columns.toml").exists());
}

#[test]
fn a_compared_table_is_changed_when_it_is_selected() {
    let (folder, path) = take();
    let other = folder.path().join("other.csv");
    fs::write(&other, TABLE).unwrap();
    let mut session = Session::with(&path);
    session.tell(Command::Compare(crate::session::Compare::With(
        Source::File(other),
        Default::default(),
    )));
    session.settle();
    let head = session.node(1, "head");
    session.tell(Command::View(crate::session::ViewCommand::Select(Some(head))));
    session.tell(set("space.unit", "\"cm\""));
    session.settle();
    assert_eq!(end(&mut session, 0)[1], 20.0);
    assert!((end(&mut session, 1)[1] - 0.2).abs() < 1e-12);
    session.tell(Command::File(FileCommand::Reload));
    session.settle();
    assert!((end(&mut session, 1)[1] - 0.2).abs() < 1e-12, "it outlives reloading");
}
