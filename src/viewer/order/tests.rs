use super::*;
use crate::clip::{Assumption, Origin, Up};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

const RECORDING: &str = "maya/spec_example_4joints.anim";
const SKELETON: &str = "rig/arm.glb";
/// Of a format that goes on no skeleton.
const HANDS: &str = "../../assets/mrtk/two-hands.bin";

fn together(files: &[&str], open: Option<&str>) -> Outcome {
    let files = files.iter().map(|name| data(name)).collect();
    let open = open.map(|name| Source::File(data(name)));
    carried_out(What::Together { files, open }, On::Nothing, false)
}

fn carried_out(what: What, on: On, goes_on: bool) -> Outcome {
    Order { what, on, format: None, settings: Settings::default(), goes_on }
        .carry_out(&Progress::default())
}

/// The name of the file that was opened, and whether it is on a skeleton.
fn opened(outcome: &Outcome) -> Option<(String, bool)> {
    let (source, recording) = outcome.opened.as_ref()?;
    Some((source.name(), recording.clip.skeleton.attached().is_some()))
}

fn failed(outcome: &Outcome) -> Option<(&str, &str)> {
    outcome.failed.as_ref().map(|failed| (failed.name.as_str(), failed.message.as_str()))
}

fn a_broken_skeleton(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("broken.glb");
    fs::write(&path, &fs::read(data(SKELETON)).unwrap()[..500]).unwrap();
    path
}

#[test]
fn a_recording_and_a_skeleton_come_together_in_any_order() {
    for files in [[RECORDING, SKELETON], [SKELETON, RECORDING]] {
        let outcome = together(&files, Some(HANDS));
        assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
        assert_eq!(failed(&outcome), None);
        assert_eq!(outcome.recordings, [data(RECORDING)]);
        assert_eq!(outcome.rig.unwrap().path, Some(data(SKELETON)));
        assert!(!outcome.goes_on);
    }
}

#[test]
fn a_skeleton_alone_is_for_what_is_open_or_waits() {
    let outcome = together(&[SKELETON], Some(RECORDING));
    assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
    assert!(outcome.goes_on && outcome.rig.is_some() && outcome.recordings.is_empty());
    let outcome = together(&[SKELETON], None);
    assert_eq!((opened(&outcome), failed(&outcome)), (None, None));
    assert!(outcome.rig.is_some());
}

#[test]
fn a_broken_skeleton_leaves_the_recording_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let broken = a_broken_skeleton(&folder);
    let files = vec![broken.clone(), data(RECORDING)];
    let outcome = carried_out(What::Together { files, open: None }, On::Nothing, false);
    assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), false)));
    let (name, message) = failed(&outcome).unwrap();
    assert!(name == "broken.glb" && message.starts_with("as a skeleton: at byte"), "{message}");
    assert!(outcome.rig.is_none());

    let open = Some(Source::File(data(RECORDING)));
    let what = What::Together { files: vec![], open };
    let outcome = carried_out(what, On::File(broken), true);
    assert!(outcome.opened.is_none() && outcome.rig.is_none());
    assert_eq!(failed(&outcome).unwrap().0, "broken.glb");
}

#[test]
fn what_takes_no_skeleton_says_so_if_one_is_given_for_it() {
    let expected = "at the whole file: expected a recording that takes a skeleton of glTF or GLB, \
                    found MRTK input animation, which takes none";
    let outcome = together(&[HANDS, SKELETON], None);
    assert_eq!(opened(&outcome), Some(("two-hands.bin".to_owned(), false)));
    assert_eq!(failed(&outcome), Some(("arm.glb", expected)));

    let outcome = together(&[SKELETON], Some(HANDS));
    assert_eq!((opened(&outcome), failed(&outcome)), (None, Some(("arm.glb", expected))));
    assert!(outcome.rig.is_none());

    let rig = rig::decode(&fs::read(data(SKELETON)).unwrap(), "arm.glb").unwrap();
    let kept = On::Kept(RigFile::new(rig, None));
    let outcome = carried_out(What::Source(Source::File(data(HANDS))), kept, false);
    assert_eq!((opened(&outcome).unwrap().1, failed(&outcome)), (false, None));
}

#[test]
fn a_second_skeleton_is_one_too_many() {
    let outcome = together(&[SKELETON, RECORDING, "prime/rig_mp2.CINF"], None);
    assert!(opened(&outcome).unwrap().1);
    assert_eq!(failed(&outcome).unwrap().0, "rig_mp2.CINF");
}

#[test]
fn what_can_be_read_only_once_is_not_read_again() {
    let what = What::Together { files: vec![], open: Some(Source::Stdin) };
    let outcome = carried_out(what, On::File(data(SKELETON)), true);
    assert!(outcome.opened.is_none());
    assert!(failed(&outcome).unwrap().1.contains("only once"));
}

#[test]
fn what_is_assumed_of_the_format_holds_for_what_is_opened() {
    let mut settings = Settings::default();
    settings.assume(FormatId::Maya, Assumption::Up(Up::Z)).unwrap();
    let open = |name: &str, on: On| {
        let what = What::Source(Source::File(data(name)));
        let order = Order { what, on, format: None, settings: settings.clone(), goes_on: false };
        order.carry_out(&Progress::default()).opened.unwrap().1.clip.convention.up
    };
    let up = open(RECORDING, On::Nothing);
    assert_eq!((up.value, up.origin), (Up::Z, Origin::Chosen));
    // A skeleton says it itself.
    let up = open(RECORDING, On::File(data(SKELETON)));
    assert_eq!((up.value, up.origin), (Up::Y, Origin::Declared));
    assert_eq!(open(HANDS, On::Nothing).origin, Origin::Assumed);
}
