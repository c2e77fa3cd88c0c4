//! Tests of the column mapping of tables.

use std::fs;

use super::*;
use crate::session::ColumnsCommand;
use mutoscope_core::clip::{ChoiceOrigin, MappingChoice, Pose};
use mutoscope_logs::{ColumnRole, MappingChange};

/// A head that moves up by 10 units, later found to be centimetres, with three angles of unknown
/// order.
const TABLE: &str = "time,clock,head_x,head_y,head_z,head_rx,head_ry,head_rz,pinch\n\
                     0,5,0,10,2,0,0,1.5,0\n1,6,0,20,2,0,0,1.5,1\n";

pub(super) fn write_table() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.csv");
    fs::write(&path, TABLE).unwrap();
    (folder, path)
}

pub(super) fn set_mapping(key: &str, toml: &str) -> Command {
    let (key, toml) = (key.to_owned(), toml.to_owned());
    Command::Columns(ColumnsCommand::Change(MappingChange::Set { key, toml }))
}

pub(super) fn set_role(column: &str, role: ColumnRole) -> Command {
    let column = column.to_owned();
    Command::Columns(ColumnsCommand::Change(MappingChange::Use { column, role }))
}

/// Returns the position of the head at the end of the recording with this index.
pub(super) fn head_position_at_end(session: &mut Session, index: usize) -> [f64; 3] {
    session.open(move |open| {
        let clip = open[index].clip();
        let mut pose = Pose::default();
        clip.sample(clip.span.start + clip.span.duration, &mut pose);
        let head = clip.nodes.iter().position(|node| node.name == "head").unwrap();
        pose.nodes[head].world.translation.to_array()
    })
}

fn mapping_choice(session: &mut Session, key: &'static str) -> Option<MappingChoice> {
    session.open(move |open| {
        let columns = open[0].clip().columns().unwrap();
        columns.choices.iter().find(|choice| choice.key == key).cloned()
    })
}

#[test]
fn assumed_mapping_choices_are_changed_and_reset() {
    let (_folder, path) = write_table();
    let mut session = Session::with(&path);
    assert_eq!(head_position_at_end(&mut session, 0), [0.0, 20.0, 2.0]);
    for command in [
        set_mapping("space.unit", "\"cm\""),
        set_mapping("space.axes", r#"["right", "up", "forward"]"#),
    ] {
        session.send(command);
        session.settle();
    }
    assert_eq!(session.failure(), None);
    let [x, y, z] = head_position_at_end(&mut session, 0);
    assert!(x == 0.0 && (y - 0.2).abs() < 1e-12 && (z + 0.02).abs() < 1e-12, "{x} {y} {z}");
    let origin = |session: &mut Session, key| mapping_choice(session, key).unwrap().origin;
    assert_eq!(origin(&mut session, "space.unit"), ChoiceOrigin::Chosen);
    assert_eq!(
        origin(&mut session, "space.euler"),
        ChoiceOrigin::Assumed,
        "other choices stay assumed"
    );
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(
        origin(&mut session, "space.axes"),
        ChoiceOrigin::Chosen,
        "the choice survives reloading"
    );
    session.send(Command::Columns(ColumnsCommand::Reset));
    session.settle();
    assert_eq!(head_position_at_end(&mut session, 0), [0.0, 20.0, 2.0]);
}

#[test]
fn column_role_can_be_changed() {
    let (_folder, path) = write_table();
    let mut session = Session::with(&path);
    session.send(set_role("clock", ColumnRole::Time));
    session.settle();
    let span = session.open(|open| open[0].clip().span);
    assert_eq!((span.start, span.duration), (5.0, 1.0));
    let signals = |session: &mut Session| -> Vec<String> {
        session
            .open(|open| open[0].clip().signals.iter().map(|signal| signal.name.clone()).collect())
    };
    assert_eq!(signals(&mut session), ["time", "pinch"]);
    session.send(set_role("pinch", ColumnRole::Event));
    session.settle();
    let events = session.open(|open| open[0].clip().events.len());
    assert_eq!((signals(&mut session), events), (vec!["time".to_owned()], 2));
    session.send(set_role("head_rz", ColumnRole::Signal));
    session.settle();
    assert_eq!(session.failure(), None);
    assert!(mapping_choice(&mut session, "space.euler").is_none(), "no angles are left");
    assert_eq!(signals(&mut session), ["time", "head_rz"]);
    session.send(set_role("head_x", ColumnRole::Unused));
    session.settle();
    let (name, message) = session.failure().unwrap();
    assert!(name == "take.csv" && message.contains("head_x"), "{message}");
    assert_eq!(signals(&mut session), ["time", "head_rz"], "the recording stays open");
}

#[test]
fn saved_mapping_is_read_with_the_table() {
    let (folder, path) = write_table();
    let mut session = Session::with(&path);
    session.send(set_mapping("space.unit", "\"cm\""));
    session.settle();
    session.send(set_mapping("space.euler", "\"vector\""));
    session.settle();
    session.send(Command::Columns(ColumnsCommand::Save));
    session.settle();
    let mapping_path = folder.path().join("take.columns.toml");
    assert!(session.files().confirmation.text.contains("take.columns.toml"));
    let text = fs::read_to_string(&mapping_path).unwrap();
    assert!(text.contains("unit = \"cm\"") && text.contains("rotation_vector"), "{text}");

    let mut reopened = Session::with(&path);
    let reopened_end = head_position_at_end(&mut reopened, 0);
    assert_eq!(reopened_end, head_position_at_end(&mut session, 0));
    let assumed = reopened.open(|open| open[0].clip().columns().unwrap().assumed.len());
    assert_eq!(assumed, 0);
    // Saving again replaces a mapping file that the viewer wrote, but not one that a person has
    // edited.
    reopened.send(set_mapping("space.euler", "\"YXZ\""));
    reopened.settle();
    reopened.send(Command::Columns(ColumnsCommand::Save));
    assert!(fs::read_to_string(&mapping_path).unwrap().contains("euler = [\"head_rx\""));
    let edited = "[space]\nunit = \"mm\"   # as Ada said\n";
    fs::write(&mapping_path, edited).unwrap();
    reopened.send(Command::Columns(ColumnsCommand::Save));
    assert_eq!(fs::read_to_string(&mapping_path).unwrap(), edited);
    assert!(folder.path().join("take-2.columns.toml").exists());
}

#[test]
fn mapping_of_a_selected_compared_table_is_changed() {
    let (folder, path) = write_table();
    let other = folder.path().join("other.csv");
    fs::write(&other, TABLE).unwrap();
    let mut session = Session::with(&path);
    session.send(Command::Compare(crate::session::CompareCommand::Add(
        Source::File(other),
        Default::default(),
    )));
    session.settle();
    let head = session.node(1, "head");
    session.send(Command::View(crate::session::ViewCommand::Select(Some(head))));
    session.send(set_mapping("space.unit", "\"cm\""));
    session.settle();
    assert_eq!(head_position_at_end(&mut session, 0)[1], 20.0);
    assert!((head_position_at_end(&mut session, 1)[1] - 0.2).abs() < 1e-12);
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert!(
        (head_position_at_end(&mut session, 1)[1] - 0.2).abs() < 1e-12,
        "the choice survives reloading"
    );
}

#[test]
fn answered_question_is_saved_with_the_mapping() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.csv");
    let table = "time,head_x,head_y,head_z,head_yaw,head_pitch,head_roll\n0,0,1.6,0,0,0,0\n\
                 1,0,1.6,0,90,0,0\n";
    fs::write(&path, table).unwrap();
    let mut session = Session::with(&path);
    let questions = |session: &mut Session| {
        session.open(|open| open[0].clip().columns().unwrap().questions.clone())
    };
    let asked = questions(&mut session);
    let toml = asked[0].readings[0].toml.clone();
    let change = MappingChange::Read { toml };
    session.send(Command::Columns(ColumnsCommand::Change(change)));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(questions(&mut session), []);
    session.send(Command::Columns(ColumnsCommand::Save));
    session.settle();
    let text = fs::read_to_string(folder.path().join("take.columns.toml")).unwrap();
    assert!(text.contains("euler = [\"head_pitch\", \"head_yaw\", \"head_roll\"]"), "{text}");
    let mut reopened = Session::with(&path);
    assert_eq!(questions(&mut reopened), []);
}
