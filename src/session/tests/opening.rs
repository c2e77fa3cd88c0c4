//! Tests of opening files, attaching skeletons and stepping through lists.

use std::fs;

use super::*;
use crate::session::{CompareCommand, SAMPLES, SkeletonCommand, Source};
use mutoscope_core::{
    clip::Variants,
    formats::Fit,
    measure::compare::CompareOptions,
    playback::Direction,
    retarget::{BoneMap, Retargeting},
};

/// Copies the walk into a folder under each of these names.
fn copy_walks(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &&str| {
        let path = folder.path().join(name);
        fs::copy(file(WALK), &path).unwrap();
        path
    };
    let paths = names.iter().map(copy).collect();
    (folder, paths)
}

#[test]
fn several_files_are_stepped_through() {
    let (_folder, paths) = copy_walks(&["take 1.ANIM", "take 2.ANIM", "take 10.ANIM"]);
    let mut session = Session::new();
    session.send(Command::File(FileCommand::Open(paths.clone())));
    // A small file may already be loaded after one frame.
    let is_loading = session.files().loading.is_some();
    assert!(is_loading || session.current().is_some(), "loading starts in the same frame");
    session.settle();
    assert_eq!(session.current().as_deref(), Some("take 1.ANIM"));
    assert_eq!(session.files().listed, paths);
    assert!(session.files().loading.is_none());
    for (direction, expected) in [
        (Direction::Forward, "take 2.ANIM"),
        (Direction::Forward, "take 10.ANIM"),
        (Direction::Forward, "take 10.ANIM"),
        (Direction::Backward, "take 2.ANIM"),
    ] {
        session.send(Command::File(FileCommand::Step(direction)));
        session.settle();
        assert_eq!(session.current().as_deref(), Some(expected));
    }
    session.send(Command::File(FileCommand::OpenListed(0)));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("take 1.ANIM"));
    assert_eq!(
        session.get::<Settings>().recent().next(),
        Some(&paths[0]),
        "the latest file comes first"
    );
}

#[test]
fn single_file_lists_its_siblings() {
    let (_folder, paths) = copy_walks(&["take 2.ANIM", "take 1.ANIM"]);
    let session = Session::with(&paths[0]);
    assert_eq!(session.files().listed, [paths[1].clone(), paths[0].clone()]);
    assert_eq!(session.files().previews.len(), 2);
}

#[test]
fn failed_opening_keeps_the_recording_and_shows_a_message() {
    let mut session = Session::with(file(HANDS));
    let (folder, _) = copy_walks(&[]);
    let broken = folder.path().join("broken.bin");
    fs::write(&broken, &fs::read(file(HANDS)).unwrap()[..5000]).unwrap();
    session.send(Command::File(FileCommand::Open(vec![broken])));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    let (name, message) = session.failure().unwrap();
    assert!(name == "broken.bin" && message.contains("at byte"), "{message}");
    session.send(Command::File(FileCommand::DismissFailure));
    assert_eq!(session.failure(), None);
}

#[test]
fn every_example_opens() {
    let mut session = Session::new();
    for (index, sample) in SAMPLES.iter().enumerate() {
        session.send(Command::File(FileCommand::OpenSample(index)));
        session.settle();
        assert_eq!(session.failure(), None);
        assert_eq!(session.current().as_deref(), Some(sample.name));
    }
    session.send(Command::File(FileCommand::ShowGallery));
    assert_eq!(session.current(), None);
}

#[test]
fn reload_is_reported_and_keeps_the_time() {
    let mut session = Session::with(file(HANDS));
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(session.current().as_deref(), Some("two-hands.bin"));
    assert!(session.files().confirmation.text.contains("two-hands.bin"));
    assert_eq!(session.camera_requests(), []);
}

#[test]
fn skeleton_is_attached_and_detached() {
    let (_folder, paths) = copy_walks(&["take.ANIM"]);
    let mut session = Session::with(&paths[0]);
    assert!(session.files().skeleton.is_none());
    session.send(Command::Skeleton(SkeletonCommand::Attach(file(WALK_RIG))));
    session.settle();
    assert_eq!(session.failure(), None);
    assert_eq!(session.files().skeleton.as_ref().unwrap().skeleton.name, "walk.CINF");
    session.send(Command::Skeleton(SkeletonCommand::Detach));
    session.settle();
    assert!(session.files().skeleton.is_none());
    assert_eq!(session.sources(), [Source::File(paths[0].clone())]);
}

/// Returns the number of bones that are retargeted to the skeleton, or `None` if the recording is
/// not retargeted.
pub(super) fn mapped_bones(session: &mut Session) -> Option<usize> {
    session.open(|open| {
        let retargeting = open[0].clip().procedural_as::<Retargeting>()?;
        Some(retargeting.mapped.len())
    })
}

/// Copies a walk with the node names of CMU into a folder of its own.
pub(super) fn cmu_walk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    fs::copy(file("tests/data/characters/cmu_names.bvh"), &path).unwrap();
    (folder, path)
}

/// An avatar without animations, so that it can only be a skeleton.
const AVATAR: &str = "tests/data/characters/boxes.vrm";

/// A character with the node names of HumanIK.
pub(super) const HUMANIK: &str = "tests/data/characters/humanik_z_up_ascii.fbx";

#[test]
fn dropped_character_with_other_node_names_is_retargeted() {
    let (_folder, walk) = cmu_walk();
    let mut session = Session::with(&walk);
    assert_eq!(mapped_bones(&mut session), None);
    session.send(Command::File(FileCommand::Open(vec![file(AVATAR)])));
    session.settle();
    assert_eq!(session.failure(), None);
    assert!(mapped_bones(&mut session).unwrap() > 15);
    assert_eq!(session.current().as_deref(), Some("walk.bvh"));

    // The user can match by node name instead.
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::ByName)));
    session.settle();
    assert_eq!(mapped_bones(&mut session), None);
    assert!(session.open(|open| open[0].clip().skeleton.attached().is_some()));
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::Automatic)));
    session.settle();
    assert!(mapped_bones(&mut session).is_some());
    // The next recording is attached to the same character.
    session.send(Command::File(FileCommand::Open(vec![walk])));
    session.settle();
    assert!(mapped_bones(&mut session).is_some());
}

/// Attaches a character to a Minecraft recording, and the Minecraft player to a walk.
#[test]
fn minecraft_player_and_bodies_are_retargeted_to_each_other() {
    let mut session = Session::with(file("assets/mcmocap/a-day.mcmocap_rec"));
    session.send(Command::File(FileCommand::Open(vec![file(AVATAR)])));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(7), None));
    assert_eq!(session.current().as_deref(), Some("a-day.mcmocap_rec"));
    session.send(Command::Skeleton(SkeletonCommand::Detach));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (None, None));

    let (_folder, walk) = cmu_walk();
    session.send(Command::File(FileCommand::Open(vec![walk])));
    session.settle();
    session.send(Command::Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(7), None));
    let has_skin = |session: &mut Session| {
        session.open(|open| open[0].clip().model().is_some_and(|model| model.pieces.len() == 12))
    };
    assert!(has_skin(&mut session));
    // The node names of the player occur in no recording, so the recording is retargeted by bone
    // even with `Off`.
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::ByName)));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(7), None));
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert!(has_skin(&mut session));
    let hands = file("assets/mrtk/two-hands.bin");
    session.send(Command::Skeleton(SkeletonCommand::Detach));
    session.send(Command::File(FileCommand::Open(vec![hands])));
    session.settle();
    session.send(Command::Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")));
    session.settle();
    assert!(session.failure().unwrap().1.contains("expected hand bones"));
}

/// The bone map form sends whole maps. A chosen map is applied immediately, saved unchanged, and
/// can be reset.
#[test]
fn bone_map_is_edited_in_the_viewer() {
    let (folder, walk) = cmu_walk();
    let mut session = Session::with(&walk);
    session.send(Command::Skeleton(SkeletonCommand::Attach(file(HUMANIK))));
    session.settle();
    let bone_count = mapped_bones(&mut session).unwrap();
    let chosen = BoneMap::parse(
        r#"{"motion": {"leftHand": null, "head": "Neck", "neck": null}, "hip_scale": 0.5}"#,
    );
    let chosen = chosen.unwrap();
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::Map(chosen.clone()))));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(bone_count - 2), None));
    session.send(Command::Skeleton(SkeletonCommand::SaveMap));
    session.settle();
    let text = fs::read_to_string(folder.path().join("walk.bones.json")).unwrap();
    let saved = BoneMap::parse(&text).unwrap();
    for (bone, node) in &chosen.motion {
        assert_eq!(saved.motion.get(bone), Some(node), "{bone}: the chosen node is saved");
    }
    assert_eq!(saved.hip_scale, Some(0.5));
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::ByBones)));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(bone_count), None));
    session.send(Command::Skeleton(SkeletonCommand::Retarget(Fit::Map(saved))));
    session.settle();
    assert_eq!(
        mapped_bones(&mut session),
        Some(bone_count - 2),
        "the saved map has the same effect"
    );
}

#[test]
fn bone_map_is_saved_edited_and_opened() {
    let (folder, walk) = cmu_walk();
    let mut session = Session::with(&walk);
    session.send(Command::Skeleton(SkeletonCommand::Attach(file(HUMANIK))));
    session.settle();
    let bone_count = mapped_bones(&mut session).unwrap();
    session.send(Command::Skeleton(SkeletonCommand::SaveMap));
    session.settle();
    let path = folder.path().join("walk.bones.json");
    let mut map = BoneMap::parse(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(map.motion.len() == bone_count && map.character.len() == bone_count);

    map.motion.insert("head".to_owned(), None);
    fs::write(&path, map.to_json()).unwrap();
    session.send(Command::Skeleton(SkeletonCommand::OpenMap(path.clone())));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (Some(bone_count - 1), None));
    // Saving must not replace a map that the user has edited.
    session.send(Command::Skeleton(SkeletonCommand::SaveMap));
    session.settle();
    assert!(folder.path().join("walk-2.bones.json").exists());

    fs::write(&path, "{\"motion\": {\"wing\": \"Wing\"}}").unwrap();
    session.send(Command::Skeleton(SkeletonCommand::OpenMap(path)));
    session.settle();
    let failure = session.failure().unwrap();
    assert!(failure.1.contains("wing"), "{failure:?}");
    assert_eq!(mapped_bones(&mut session), Some(bone_count - 1), "the recording stays open");
    let path = folder.path().join("elsewhere.json");
    fs::write(&path, "{\"motion\": {\"hips\": null}}").unwrap();
    session.send(Command::Skeleton(SkeletonCommand::OpenMap(path)));
    session.settle();
    assert!(session.failure().is_some());
    let Fit::Map(kept) = session.files().options.fit.clone() else { panic!() };
    assert!(kept.motion.contains_key("hips"), "a map that does not fit is not used");
    // A sample keeps its own skeleton.
    let arm = SAMPLES.iter().position(|sample| sample.name.contains("arm")).unwrap();
    session.send(Command::File(FileCommand::OpenSample(arm)));
    session.settle();
    assert_eq!((mapped_bones(&mut session), session.failure()), (None, None));
    assert!(session.open(|open| open[0].clip().skeleton.attached().is_some()));
}

#[test]
fn chosen_variant_is_read_or_rejected() {
    let (_folder, paths) = copy_walks(&["take.ANIM"]);
    let mut session = Session::with(&paths[0]);
    let variants = |session: &mut Session| session.open(|open| open[0].clip().variants[0].clone());
    let found = variants(&mut session);
    assert!(!found.is_chosen, "the decoder decided");
    let label = found.label.to_owned();
    let recording = session.open(|open| open[0].entity);
    for name in found.names.iter() {
        session.send(Command::File(FileCommand::ChooseVariant {
            recording,
            label: label.clone(),
            name: Some(name.clone()),
        }));
        session.settle();
        match session.failure() {
            None => assert_eq!(variants(&mut session).user_choice().unwrap().name, *name),
            Some((_, message)) => assert!(message.contains(name.as_str()), "{message}"),
        }
        session.send(Command::File(FileCommand::DismissFailure));
    }
    session.send(Command::File(FileCommand::ChooseVariant { recording, label, name: None }));
    session.settle();
    assert_eq!(session.failure(), None);
    assert!(!variants(&mut session).is_chosen);
}

#[test]
fn animation_stepping_wraps_around() {
    let walker = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/gltf/walker.glb");
    let mut session = Session::with(walker);
    let name = |session: &mut Session| {
        session.open(|open| {
            let animations = open[0].clip().animations().unwrap();
            animations.names[animations.current].clone()
        })
    };
    assert_eq!(name(&mut session), "Walk");
    for (direction, expected) in [
        (Direction::Forward, "Greet"),
        (Direction::Forward, "Walk"),
        (Direction::Backward, "Greet"),
    ] {
        session.send(Command::File(FileCommand::StepAnimation(direction)));
        session.settle();
        assert_eq!(session.failure(), None);
        assert_eq!(name(&mut session), expected);
        assert!(session.confirmation_text().ends_with(&format!("of 2: {expected}")));
    }
}

#[test]
fn compared_recordings_of_one_file_have_their_own_animations() {
    let walker = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/gltf/walker.glb");
    let mut session = Session::with(walker);
    for _ in 0..2 {
        let source = Source::File(walker.into());
        let options = CompareOptions::default();
        session.send(Command::Compare(CompareCommand::Add(source, options)));
        session.settle();
    }
    let entities = session.open(|open| open.iter().map(|one| one.entity).collect::<Vec<_>>());
    let (label, name) = (Variants::ANIMATION.to_owned(), Some("Greet".to_owned()));
    let choice = FileCommand::ChooseVariant { recording: entities[2], label, name };
    session.send(Command::File(choice));
    session.settle();
    let playing = session.open(|open| {
        let animations = open.iter().map(|one| one.clip().animations().unwrap());
        animations.map(|one| one.names[one.current].clone()).collect::<Vec<_>>()
    });
    assert_eq!(playing, ["Walk", "Walk", "Greet"]);
}

#[test]
fn character_alone_is_shown_and_the_next_recording_plays_on_it() {
    let character = file("tests/data/characters/boxes.vrm");
    let mut session = Session::with(&character);
    assert_eq!(session.failure(), None);
    assert_eq!(session.current().as_deref(), Some("boxes.vrm"));
    assert!(session.open(|open| open[0].clip().tracks.is_empty()), "it is in its rest pose");
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("boxes.vrm")));
    let walk = file("tests/data/characters/cmu_names.bvh");
    session.send(Command::File(FileCommand::Open(vec![walk])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("cmu_names.bvh")));
    let is_attached = session.open(|open| open[0].clip().skeleton.attached().is_some());
    assert!(is_attached, "the recording plays on the character");
    let other = file("tests/data/characters/boxes_v0.vrm");
    session.send(Command::File(FileCommand::Open(vec![other])));
    session.settle();
    assert_eq!((session.failure(), session.current().as_deref()), (None, Some("cmu_names.bvh")));
}
