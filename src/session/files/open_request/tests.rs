use std::fs;

use super::*;
use crate::session::view::settings::Settings;
use mutoscope_core::{
    clip::{Assumption, Origin, Up},
    formats,
    io::{bytes::NoSidecars, cooperative::block_on},
};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

const RECORDING: &str = "maya/spec_example_4joints.anim";
const SKELETON: &str = "rig/still/arm.glb";
/// Of a format that goes on no skeleton.
const HANDS: &str = "../../assets/mrtk/two-hands.bin";

fn together(files: &[&str], open: Option<&str>) -> Outcome {
    let files = files.iter().map(|name| data(name)).collect();
    let open = open.map(|name| Source::File(data(name)));
    carried_out(OpenTarget::Files { files, open }, SkeletonSource::None, OpenMode::New)
}

fn carried_out(what: OpenTarget, on: SkeletonSource, mode: OpenMode) -> Outcome {
    block_on(order(what, on, mode).run(&Progress::default()))
}

fn order(what: OpenTarget, on: SkeletonSource, mode: OpenMode) -> OpenRequest {
    let (variants, assumptions) = (Vec::new(), FormatAssumptions::default());
    let (retarget, format, edited) = (None, None, Vec::new());
    let columns = None;
    OpenRequest { what, on, retarget, format, columns, variants, assumptions, mode, edited }
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
fn recording_and_skeleton_open_in_any_order() {
    for files in [[RECORDING, SKELETON], [SKELETON, RECORDING]] {
        let outcome = together(&files, Some(HANDS));
        assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
        assert_eq!(failed(&outcome), None);
        assert_eq!(outcome.recordings, [data(RECORDING)]);
        assert_eq!(outcome.rig.unwrap().path, Some(data(SKELETON)));
        assert_eq!(outcome.mode, OpenMode::New);
    }
}

#[test]
fn lone_skeleton_is_attached_or_kept_for_later() {
    let outcome = together(&[SKELETON], Some(RECORDING));
    assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
    assert!(
        outcome.mode == OpenMode::Reload && outcome.rig.is_some() && outcome.recordings.is_empty()
    );
    let outcome = together(&[SKELETON], None);
    assert_eq!((opened(&outcome), failed(&outcome)), (None, None));
    assert!(outcome.rig.is_some());
}

#[test]
fn broken_skeleton_keeps_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let broken = a_broken_skeleton(&folder);
    let files = vec![broken.clone(), data(RECORDING)];
    let outcome =
        carried_out(OpenTarget::Files { files, open: None }, SkeletonSource::None, OpenMode::New);
    assert_eq!(opened(&outcome), Some(("spec_example_4joints.anim".to_owned(), false)));
    let (name, message) = failed(&outcome).unwrap();
    assert!(name == "broken.glb" && message.starts_with("as a skeleton: at byte"), "{message}");
    assert!(outcome.rig.is_none());

    let open = Some(Source::File(data(RECORDING)));
    let what = OpenTarget::Files { files: vec![], open };
    let outcome = carried_out(what, SkeletonSource::File(broken), OpenMode::Reload);
    assert!(outcome.opened.is_none() && outcome.rig.is_none());
    assert_eq!(failed(&outcome).unwrap().0, "broken.glb");
}

#[test]
fn unsupported_skeleton_is_reported() {
    let expected =
        "mrtk at the whole file: expected bones of hands, found none in arm.glb; not retargeted";
    let outcome = together(&[HANDS, SKELETON], None);
    assert_eq!(opened(&outcome), Some(("two-hands.bin".to_owned(), false)));
    assert_eq!(failed(&outcome), Some(("arm.glb", expected)));

    let outcome = together(&[SKELETON], Some(HANDS));
    assert_eq!((opened(&outcome), failed(&outcome)), (None, Some(("arm.glb", expected))));
    assert!(outcome.rig.is_none());

    let rig = formats::decode_skeleton(&fs::read(data(SKELETON)).unwrap(), "arm.glb", &NoSidecars)
        .unwrap();
    let kept = SkeletonSource::Attached(RigFile::new(rig, None));
    let outcome = carried_out(OpenTarget::Source(Source::File(data(HANDS))), kept, OpenMode::New);
    assert_eq!((opened(&outcome).unwrap().1, failed(&outcome)), (false, None));
}

#[test]
fn second_skeleton_is_reported() {
    let outcome = together(&[SKELETON, RECORDING, "prime/rig_mp2.CINF"], None);
    assert!(opened(&outcome).unwrap().1);
    assert_eq!(failed(&outcome).unwrap().0, "rig_mp2.CINF");
}

#[test]
fn standard_input_is_not_reloaded() {
    let what = OpenTarget::Files { files: vec![], open: Some(Source::Stdin) };
    let outcome = carried_out(what, SkeletonSource::File(data(SKELETON)), OpenMode::Reload);
    assert!(outcome.opened.is_none());
    assert!(failed(&outcome).unwrap().1.contains("only once"));
}

const WALK: &str = "../../assets/prime/walk.ANIM";
const BIPED: &str = "../../assets/prime/walk.CINF";

/// Opens the walk in a folder with its skeleton, or several, or none.
fn in_folder_with(skeletons: &[&str], on: SkeletonSource) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    for (index, skeleton) in skeletons.iter().enumerate() {
        fs::copy(data(skeleton), folder.path().join(format!("{index}.CINF"))).unwrap();
    }
    let path = folder.path().join("walk.ANIM");
    fs::copy(data(WALK), &path).unwrap();
    carried_out(OpenTarget::Source(Source::File(path)), on, OpenMode::New)
}

#[test]
fn only_skeleton_in_the_folder_is_attached_and_reported() {
    let outcome = in_folder_with(&[BIPED], SkeletonSource::Folder);
    assert!(opened(&outcome).unwrap().1);
    assert!(outcome.rig.is_none(), "it is for this folder only");
    let said = |outcome: &Outcome, text: &str| {
        let clip = &outcome.opened.as_ref().unwrap().1.clip;
        clip.notices.iter().any(|notice| notice.message.contains(text))
    };
    assert!(said(&outcome, "on the skeleton 0.CINF, the only one in its folder"));
    for (skeletons, on) in [
        (&[BIPED][..], SkeletonSource::None),
        (&[BIPED, BIPED], SkeletonSource::Folder),
        (&[], SkeletonSource::Folder),
    ] {
        assert!(!opened(&in_folder_with(skeletons, on)).unwrap().1, "{skeletons:?}");
    }
    let broken = in_folder_with(&[WALK], SkeletonSource::Folder);
    assert!(!opened(&broken).unwrap().1);
    assert!(said(&broken, "not on the skeleton 0.CINF in its folder: as a skeleton"));
}

#[test]
fn folder_opens_its_recordings() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["10.ANIM", "9.ANIM"] {
        fs::copy(data(WALK), folder.path().join(name)).unwrap();
    }
    fs::copy(data(BIPED), folder.path().join("walk.CINF")).unwrap();
    let open = |folder: &Path| {
        let what = OpenTarget::Files { files: vec![folder.to_owned()], open: None };
        carried_out(what, SkeletonSource::Folder, OpenMode::New)
    };
    let outcome = open(folder.path());
    assert_eq!(opened(&outcome), Some(("9.ANIM".to_owned(), true)));
    assert_eq!(outcome.recordings.len(), 2);
    let empty = tempfile::tempdir().unwrap();
    let outcome = open(empty.path());
    assert_eq!(opened(&outcome), None);
    assert_eq!(failed(&outcome).unwrap().1, "no recording found in it");
}

#[test]
fn unknown_variant_is_rejected() {
    let read = |name: &str| {
        let what = OpenTarget::Source(Source::File(data(WALK)));
        let choice = VariantChoice { label: "Game".to_owned(), name: name.to_owned() };
        let variants = vec![choice];
        let order = OpenRequest { variants, ..order(what, SkeletonSource::None, OpenMode::Reload) };
        block_on(order.run(&Progress::default()))
    };
    let clip = &read("Prime").opened.unwrap().1.clip;
    assert!(clip.variants[0].is_chosen);
    let wrong = read("Echoes");
    assert!(wrong.opened.is_none());
    let (_, message) = failed(&wrong).unwrap();
    assert!(message.starts_with("as Echoes: prime at byte"), "{message}");
}

#[test]
fn assumptions_apply_to_opened_files() {
    let mut settings = Settings::default();
    settings.assume(FormatId::MAYA, Assumption::Up(Up::Z)).unwrap();
    let open = |name: &str, on: SkeletonSource| {
        let what = OpenTarget::Source(Source::File(data(name)));
        let assumptions = settings.format_assumptions();
        let order = OpenRequest { assumptions, ..order(what, on, OpenMode::New) };
        block_on(order.run(&Progress::default())).opened.unwrap().1.clip.convention.up
    };
    let up = open(RECORDING, SkeletonSource::None);
    assert_eq!((up.value, up.origin), (Up::Z, Origin::Chosen));
    // A skeleton says it itself.
    let up = open(RECORDING, SkeletonSource::File(data(SKELETON)));
    assert_eq!((up.value, up.origin), (Up::Y, Origin::Declared));
    assert_eq!(open(HANDS, SkeletonSource::None).origin, Origin::Assumed);
}
