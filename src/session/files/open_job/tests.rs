use std::fs;

use super::*;
use crate::session::{files::default_read_options, view::Settings};
use mutoscope_core::{
    clip::{Assumption, FactOrigin, UpAxis},
    io::{bytes::NoSidecars, cooperative::block_on},
};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

const RECORDING: &str = "maya/spec_example_4joints.anim";
const SKELETON: &str = "rig/still/arm.glb";
/// A recording of a format that supports no body skeleton.
const HANDS: &str = "../../assets/mrtk/two-hands.bin";

fn open_files(files: &[&str], open: Option<&str>) -> OpenOutcome {
    let files = files.iter().map(|name| data(name)).collect();
    let open = open.map(|name| Source::File(data(name)));
    run(OpenTarget::Files { files, open }, SkeletonOrigin::None, OpenMode::New)
}

fn run(target: OpenTarget, skeleton: SkeletonOrigin, mode: OpenMode) -> OpenOutcome {
    run_with(default_read_options(), target, skeleton, mode)
}

fn run_with(
    options: ReadOptions,
    target: OpenTarget,
    skeleton: SkeletonOrigin,
    mode: OpenMode,
) -> OpenOutcome {
    let job =
        OpenJob { target, skeleton, options, mode, edited: Vec::new(), edit: None, reloads: None };
    block_on(job.run(&Progress::default()))
}

/// Returns the name of the opened recording, and whether it has an attached skeleton.
fn opened_file(outcome: &OpenOutcome) -> Option<(String, bool)> {
    let (source, recording) = outcome.opened.as_ref()?;
    Some((source.name(), recording.clip.skeleton.attached().is_some()))
}

fn failure(outcome: &OpenOutcome) -> Option<(&str, &str)> {
    outcome.failure.as_ref().map(|failure| (failure.name.as_str(), failure.message.as_str()))
}

fn write_broken_skeleton(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("broken.glb");
    fs::write(&path, &fs::read(data(SKELETON)).unwrap()[..500]).unwrap();
    path
}

#[test]
fn recording_and_skeleton_open_in_any_order() {
    for files in [[RECORDING, SKELETON], [SKELETON, RECORDING]] {
        let outcome = open_files(&files, Some(HANDS));
        assert_eq!(opened_file(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
        assert_eq!(failure(&outcome), None);
        assert_eq!(outcome.recordings, [data(RECORDING)]);
        assert_eq!(outcome.skeleton.unwrap().path, Some(data(SKELETON)));
        assert_eq!(outcome.mode, OpenMode::New);
    }
}

#[test]
fn lone_skeleton_is_attached_or_shown() {
    let outcome = open_files(&[SKELETON], Some(RECORDING));
    assert_eq!(opened_file(&outcome), Some(("spec_example_4joints.anim".to_owned(), true)));
    assert!(
        outcome.mode == OpenMode::Reload
            && outcome.skeleton.is_some()
            && outcome.recordings.is_empty()
    );
    let outcome = open_files(&[SKELETON], None);
    assert_eq!(failure(&outcome), None);
    let (name, is_attached) = opened_file(&outcome).unwrap();
    assert!(name.ends_with(".glb") && !is_attached, "the character itself is shown: {name}");
    assert!(outcome.mode == OpenMode::New && outcome.recordings.is_empty());
    assert!(outcome.skeleton.is_some(), "the next recording plays on it");
}

#[test]
fn broken_skeleton_keeps_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write_broken_skeleton(&folder);
    let files = vec![broken.clone(), data(RECORDING)];
    let outcome = run(OpenTarget::Files { files, open: None }, SkeletonOrigin::None, OpenMode::New);
    assert_eq!(opened_file(&outcome), Some(("spec_example_4joints.anim".to_owned(), false)));
    let (name, message) = failure(&outcome).unwrap();
    assert!(name == "broken.glb" && message.starts_with("as a skeleton: at byte"), "{message}");
    assert!(outcome.skeleton.is_none());

    let open = Some(Source::File(data(RECORDING)));
    let what = OpenTarget::Files { files: vec![], open };
    let outcome = run(what, SkeletonOrigin::File(broken), OpenMode::Reload);
    assert!(outcome.opened.is_none() && outcome.skeleton.is_none());
    assert_eq!(failure(&outcome).unwrap().0, "broken.glb");
}

#[test]
fn unsupported_skeleton_is_reported() {
    let expected =
        "mrtk at the whole file: expected hand bones, found none in arm.glb; not retargeted";
    let outcome = open_files(&[HANDS, SKELETON], None);
    assert_eq!(opened_file(&outcome), Some(("two-hands.bin".to_owned(), false)));
    assert_eq!(failure(&outcome), Some(("arm.glb", expected)));

    let outcome = open_files(&[SKELETON], Some(HANDS));
    assert_eq!((opened_file(&outcome), failure(&outcome)), (None, Some(("arm.glb", expected))));
    assert!(outcome.skeleton.is_none());

    let skeleton = crate::registry()
        .decode_skeleton(&fs::read(data(SKELETON)).unwrap(), "arm.glb", &NoSidecars)
        .unwrap();
    let attached = SkeletonOrigin::Attached(AttachedSkeleton::new(skeleton, None));
    let outcome = run(OpenTarget::Source(Source::File(data(HANDS))), attached, OpenMode::New);
    assert_eq!((opened_file(&outcome).unwrap().1, failure(&outcome)), (false, None));
}

#[test]
fn second_skeleton_is_reported() {
    let outcome = open_files(&[SKELETON, RECORDING, "prime/rig_mp2.CINF"], None);
    assert!(opened_file(&outcome).unwrap().1);
    assert_eq!(failure(&outcome).unwrap().0, "rig_mp2.CINF");
}

#[test]
fn standard_input_is_not_reloaded() {
    let what = OpenTarget::Files { files: vec![], open: Some(Source::Stdin) };
    let outcome = run(what, SkeletonOrigin::File(data(SKELETON)), OpenMode::Reload);
    assert!(outcome.opened.is_none());
    assert!(failure(&outcome).unwrap().1.contains("only once"));
}

const WALK: &str = "../../assets/prime/walk.ANIM";
const BIPED: &str = "../../assets/prime/walk.CINF";

fn open_walk_with_skeletons(skeletons: &[&str], on: SkeletonOrigin) -> OpenOutcome {
    let folder = tempfile::tempdir().unwrap();
    for (index, skeleton) in skeletons.iter().enumerate() {
        fs::copy(data(skeleton), folder.path().join(format!("{index}.CINF"))).unwrap();
    }
    let path = folder.path().join("walk.ANIM");
    fs::copy(data(WALK), &path).unwrap();
    run(OpenTarget::Source(Source::File(path)), on, OpenMode::New)
}

#[test]
fn only_skeleton_in_the_folder_is_attached_and_reported() {
    let outcome = open_walk_with_skeletons(&[BIPED], SkeletonOrigin::Folder);
    assert!(opened_file(&outcome).unwrap().1);
    assert!(outcome.skeleton.is_none(), "the skeleton is used for this folder only");
    let has_diagnostic = |outcome: &OpenOutcome, text: &str| {
        let clip = &outcome.opened.as_ref().unwrap().1.clip;
        clip.diagnostics.iter().any(|diagnostic| diagnostic.message.contains(text))
    };
    assert!(has_diagnostic(&outcome, "on the skeleton 0.CINF, the only one in its folder"));
    for (skeletons, on) in [
        (&[BIPED][..], SkeletonOrigin::None),
        (&[BIPED, BIPED], SkeletonOrigin::Folder),
        (&[], SkeletonOrigin::Folder),
    ] {
        assert!(!opened_file(&open_walk_with_skeletons(skeletons, on)).unwrap().1, "{skeletons:?}");
    }
    let broken = open_walk_with_skeletons(&[WALK], SkeletonOrigin::Folder);
    assert!(!opened_file(&broken).unwrap().1);
    assert!(has_diagnostic(&broken, "not on the skeleton 0.CINF in its folder: as a skeleton"));
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
        run(what, SkeletonOrigin::Folder, OpenMode::New)
    };
    let outcome = open(folder.path());
    assert_eq!(opened_file(&outcome), Some(("9.ANIM".to_owned(), true)));
    assert_eq!(outcome.recordings.len(), 2);
    let empty = tempfile::tempdir().unwrap();
    let outcome = open(empty.path());
    assert_eq!(opened_file(&outcome), None);
    assert_eq!(failure(&outcome).unwrap().1, "the folder has no recordings");
}

#[test]
fn unknown_variant_is_rejected() {
    let read = |name: &str| {
        let what = OpenTarget::Source(Source::File(data(WALK)));
        let options = default_read_options().with_variant("Game", name);
        run_with(options, what, SkeletonOrigin::None, OpenMode::Reload)
    };
    let clip = &read("Prime").opened.unwrap().1.clip;
    assert!(clip.variants[0].is_chosen);
    let wrong = read("Echoes");
    assert!(wrong.opened.is_none());
    let (_, message) = failure(&wrong).unwrap();
    assert!(message.starts_with("as Echoes: prime at byte"), "{message}");
}

#[test]
fn assumptions_apply_to_opened_files() {
    let mut settings = Settings::default();
    settings.assume(FormatId::MAYA, Assumption::Up(UpAxis::Z)).unwrap();
    let open = |name: &str, on: SkeletonOrigin| {
        let what = OpenTarget::Source(Source::File(data(name)));
        let assumptions = settings.format_assumptions();
        let options = ReadOptions { assumptions, ..default_read_options() };
        run_with(options, what, on, OpenMode::New).opened.unwrap().1.clip.convention.up
    };
    let up = open(RECORDING, SkeletonOrigin::None);
    assert_eq!((up.value, up.origin), (UpAxis::Z, FactOrigin::Chosen));
    // The skeleton file declares its own up axis.
    let up = open(RECORDING, SkeletonOrigin::File(data(SKELETON)));
    assert_eq!((up.value, up.origin), (UpAxis::Y, FactOrigin::Declared));
    assert_eq!(open(HANDS, SkeletonOrigin::None).origin, FactOrigin::Assumed);
}
