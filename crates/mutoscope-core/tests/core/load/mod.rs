//! Tests loading: from a named file and its sidecars to a clip, the same for every caller.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{collections::BTreeMap, fs, io};

use mutoscope_core::{
    ReadOptions, Registry, SourceFile,
    clip::{Assumptions, Clip, FactOrigin, FormatAssumptions, FormatId, RotationRule},
    decode,
    diagnostics::{ErrorKind, Severity},
    formats::SkeletonSource,
    io::bytes::{FetchedSidecars, FolderSidecars, MemorySidecars, NoSidecars, Sidecars},
    read::{Purpose, detect_purpose, is_recording},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_testing::fixtures;

/// A scene of two recordings, of which `lost` does not exist. `walk_bytes` has 200 ticks.
const SCENE: &[u8] = br#"{"version":4,"subscenes":[{"name":"walk"},{"name":"lost"}]}"#;

fn walk_bytes() -> Vec<u8> {
    fixtures::prime_file("walk_mp2_v2.ANIM")
}

fn skeleton_bytes() -> Vec<u8> {
    fixtures::prime_file("rig_mp2.CINF")
}

fn skeleton(bytes: &[u8]) -> LoadedSkeleton {
    Registry::default().decode_skeleton(bytes, "rig", &NoSidecars).unwrap()
}

/// Returns the options for reading scenes of Minecraft, too.
fn with_scenes() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_minecraft::formats())
}

fn sidecars_from(files: &[(&str, Vec<u8>)]) -> MemorySidecars {
    MemorySidecars::new(files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())))
}

fn has_diagnostic(clip: &Clip, severity: Severity, text: &str) -> bool {
    clip.diagnostics.iter().any(|one| one.severity == severity && one.message.contains(text))
}

/// Loads the walk with the skeleton that the folder of `sidecars` contains.
fn load_with_kept_skeleton(sidecars: &dyn Sidecars) -> Clip {
    let bytes = walk_bytes();
    let options = ReadOptions { skeleton: SkeletonSource::Beside, ..ReadOptions::default() };
    decode(SourceFile::new("walk.ANIM", &bytes).with_sidecars(sidecars), &options).unwrap()
}

#[test]
fn sidecars_are_read_from_memory_and_from_folders() {
    let recording = fixtures::mcmocap_file("walk_v5");
    let name = "scenes/both.mcmocap_scene";
    let memory =
        sidecars_from(&[("recordings/walk.mcmocap_rec", recording.clone())]).for_file(name);
    let root = tempfile::tempdir().unwrap();
    for folder in ["scenes", "recordings"] {
        fs::create_dir(root.path().join(folder)).unwrap();
    }
    fs::write(root.path().join("recordings/walk.mcmocap_rec"), recording).unwrap();
    let folder = FolderSidecars::for_file(&root.path().join(name));
    for sidecars in [&memory as &dyn Sidecars, &folder] {
        let clip =
            decode(SourceFile::new(name, SCENE).with_sidecars(sidecars), &with_scenes()).unwrap();
        assert_eq!(clip.span.duration, 10.0);
        assert!(has_diagnostic(&clip, Severity::Error, "the recording \"lost\" is missing"));
        assert!(!has_diagnostic(&clip, Severity::Error, "\"walk\" is missing"));
    }
    let alone = decode(SourceFile::new(name, SCENE), &with_scenes()).unwrap();
    assert_eq!(alone.span.duration, 0.0, "without sidecars, no recording can be read");
}

#[test]
fn sidecars_fetched_later_give_the_same_clip() {
    let stored =
        sidecars_from(&[("recordings/walk.mcmocap_rec", fixtures::mcmocap_file("walk_v5"))]);
    let stored = stored.for_file("scenes/both.mcmocap_scene");
    let mut sidecars = FetchedSidecars::default();
    let mut rounds = 0;
    let clip = loop {
        let file = SourceFile::new("both", SCENE).with_sidecars(&sidecars);
        let loaded = decode(file, &with_scenes());
        let requested = sidecars.take_requested();
        if requested.is_empty() {
            break loaded.unwrap();
        }
        rounds += 1;
        for name in requested {
            let bytes = stored.read(&name);
            sidecars.insert(name, bytes);
        }
    };
    assert_eq!((clip.span.duration, rounds > 0), (10.0, true));
}

#[test]
fn decoding_waits_until_the_skeleton_is_fetched() {
    let mut sidecars = FetchedSidecars::default();
    let bytes = walk_bytes();
    let options = ReadOptions { skeleton: SkeletonSource::Beside, ..ReadOptions::default() };
    let load = |sidecars: &FetchedSidecars| {
        decode(SourceFile::new("walk.ANIM", &bytes).with_sidecars(sidecars), &options)
    };
    assert!(load(&sidecars).is_err() && sidecars.requests_names());
    sidecars.set_names(vec!["rig.CINF".to_owned()]);
    assert!(load(&sidecars).is_err());
    assert_eq!(sidecars.take_requested(), ["rig.CINF"]);
    sidecars.insert("rig.CINF".to_owned(), Ok(skeleton_bytes()));
    let clip = load(&sidecars).unwrap();
    assert!(!sidecars.has_unfetched());
    assert_eq!(clip.skeleton.attached().unwrap().matched.len(), 20);
}

#[test]
fn sidecars_are_read_when_a_skeleton_is_given() {
    let rig = skeleton(&skeleton_bytes());
    let name = "both.mcmocap_scene";
    let sidecars = sidecars_from(&[("walk.mcmocap_rec", fixtures::mcmocap_file("walk_v5"))]);
    let file = SourceFile::new(name, SCENE).with_sidecars(&sidecars);
    let required = with_scenes().with_skeleton(rig);
    let if_supported = ReadOptions { skips_unsupported_skeleton: true, ..required.clone() };
    let clip = decode(file, &if_supported).unwrap();
    assert_eq!(clip.span.duration, 10.0);
    let failure = decode(file, &required).unwrap_err();
    assert_eq!(failure.error.kind(), ErrorKind::Unsupported);
    let message = "expected a recording that takes a skeleton of CINF, found Minecraft Motion \
                   Capture, which takes none";
    assert_eq!(failure.error.message(), message);
}

#[test]
fn only_skeleton_in_the_folder_is_used() {
    let clip = load_with_kept_skeleton(&sidecars_from(&[
        ("rig.CINF", skeleton_bytes()),
        ("arm.glb", Vec::new()),
    ]));
    assert_eq!(clip.skeleton.attached().unwrap().matched.len(), 20);
    assert!(has_diagnostic(
        &clip,
        Severity::Info,
        "on the skeleton rig.CINF, the only one in its folder"
    ));
    for several in [&[][..], &[("a.cinf", skeleton_bytes()), ("b.CINF", skeleton_bytes())]] {
        assert!(load_with_kept_skeleton(&sidecars_from(several)).skeleton.attached().is_none());
    }
    assert!(
        load_with_kept_skeleton(&sidecars_from(&[("sub/rig.CINF", skeleton_bytes())]))
            .skeleton
            .attached()
            .is_none()
    );
    let broken = load_with_kept_skeleton(&sidecars_from(&[("rig.CINF", walk_bytes())]));
    assert!(broken.skeleton.attached().is_none());
    let why = "not on the skeleton rig.CINF in its folder: as a skeleton: at";
    assert!(has_diagnostic(&broken, Severity::Warning, why), "{:?}", broken.diagnostics);
}

#[test]
fn facts_record_how_they_were_set() {
    let bytes = fixtures::maya_file("spec_example_4joints.anim");
    let rotation = RotationRule::Continuous;
    let for_all = Assumptions {
        rotation: Some(rotation),
        metres_per_unit: Some(2.0),
        ..Assumptions::default()
    };
    let assumptions = FormatAssumptions::for_all_formats(for_all);
    let usual = decode(&bytes, &ReadOptions::default()).unwrap().convention;
    assert_eq!(usual.rotation.origin, FactOrigin::Assumed);
    let options = ReadOptions { assumptions, ..ReadOptions::default() };
    let chosen = decode(&bytes, &options).unwrap().convention;
    assert_eq!((chosen.rotation.value, chosen.rotation.origin), (rotation, FactOrigin::Chosen));
    assert_eq!(usual.metres_per_unit.origin, FactOrigin::Declared);
    assert_eq!(
        chosen.metres_per_unit, usual.metres_per_unit,
        "a declared unit cannot be overridden"
    );
}

#[test]
fn assumptions_apply_only_to_their_format() {
    let bytes = walk_bytes();
    let for_prime = Assumptions { metres_per_unit: Some(0.5), ..Assumptions::default() };
    let length = |word: &str| {
        let by_format = BTreeMap::from([(word.to_owned(), for_prime)]);
        let assumptions = FormatAssumptions { by_format, ..FormatAssumptions::default() };
        decode(&bytes, &ReadOptions { assumptions, ..ReadOptions::default() })
            .unwrap()
            .convention
            .metres_per_unit
    };
    assert_eq!((length("prime").value, length("prime").origin), (0.5, FactOrigin::Chosen));
    assert_eq!((length("maya").value, length("maya").origin), (1.0, FactOrigin::Assumed));
}

#[test]
fn unknown_variants_are_rejected() {
    let bytes = walk_bytes();
    let load_variant = |label: &str, name: &str| {
        let options = ReadOptions::default().with_variant(label, name);
        decode(SourceFile::new("walk.ANIM", &bytes), &options)
            .map(|clip| clip.variants[0].user_choice().unwrap())
    };
    assert_eq!(load_variant("Game", "echoes").unwrap().name, "Echoes");
    assert_eq!(
        load_variant("Game", "Corruption").unwrap_err().error.kind(),
        ErrorKind::Unsupported
    );
    // Metroid Prime has no takes. It has named animations, but only in archives, and this file is
    // not an archive.
    let cases = [("Take", "Metroid Prime animation"), ("Animation", "this file")];
    for (label, what) in cases {
        let none = load_variant(label, "walk").unwrap_err();
        assert_eq!(none.format, Some(FormatId::PRIME));
        assert_eq!(none.error.kind(), ErrorKind::UnknownVariant);
        assert_eq!(none.error.message(), format!("{what} offers no choice of {label:?}"));
    }
}

#[test]
fn unrecognised_files_name_the_likely_kind() {
    let failure =
        decode(SourceFile::new("text.anim", b"no animation at all"), &ReadOptions::default())
            .unwrap_err();
    assert_eq!((failure.format, failure.error.kind()), (None, ErrorKind::Unrecognised));
    let options = ReadOptions::default().with_format(FormatId::new("fbx"));
    let failure = decode(SCENE, &options).unwrap_err();
    assert!(failure.error.message().contains("found \"fbx\""), "{failure}");
}

#[test]
fn purpose_is_detected_by_content() {
    let registry = &with_scenes().registry;
    let purpose = |bytes: &[u8], format| detect_purpose(registry, bytes, format, || Some(bytes));
    assert_eq!(purpose(&walk_bytes(), None), Purpose::Recording);
    assert_eq!(purpose(&skeleton_bytes(), None), Purpose::Skeleton);
    assert_eq!(purpose(SCENE, None), Purpose::Recording);
    assert_eq!(purpose(SCENE, Some(FormatId::MAYA)), Purpose::Unknown);
    assert_eq!(purpose(b"", None), Purpose::Unknown);
    // A model with animations is both. Its first bytes alone do not decide, so the whole file is
    // read.
    let arm = fixtures::resonite_file("rig/arm.glb");
    assert_eq!(purpose(&arm, None), Purpose::RecordingOrSkeleton);
    assert_eq!(
        detect_purpose(registry, &arm[..4096], None, || Some(&arm)),
        Purpose::RecordingOrSkeleton
    );
    assert_eq!(purpose(&arm, Some(FormatId::MAYA)), Purpose::Skeleton);
    assert!(is_recording(registry, &arm[..4096], None, || Some(&arm)));
    let still = br#"{"asset":{"version":"2.0"},"nodes":[{}],"animations":[]}"#;
    assert_eq!(purpose(still, None), Purpose::Skeleton);
    assert_eq!(detect_purpose(registry, &still[..40], None, || Some(still)), Purpose::Skeleton);
    assert!(!is_recording(registry, &still[..40], None, || Some(still)));
    // The decisive member may come after the first 4,096 bytes, so the whole file is read.
    let late = format!("{{\"comment\":\"{}\",\"tracks\":[]}}", "x".repeat(5000));
    assert!(is_recording(registry, &late.as_bytes()[..4096], None, || Some(&late)));
    let other = late.replace("tracks", "songs");
    assert!(!is_recording(registry, &other.as_bytes()[..4096], None, || Some(&other)));
    let unreadable = detect_purpose::<Vec<u8>>(registry, &skeleton_bytes()[..8], None, || None);
    assert_eq!(unreadable, Purpose::Unknown);
}

#[test]
fn unreadable_sidecar_is_reported() {
    let denied = |_: &str| Err(io::ErrorKind::PermissionDenied.into());
    let file = SourceFile::new("a.mcmocap_scene", SCENE).with_sidecars(&denied);
    let clip = decode(file, &with_scenes()).unwrap();
    assert!(
        has_diagnostic(&clip, Severity::Error, "cannot be read: permission denied"),
        "{clip:?}"
    );
}
