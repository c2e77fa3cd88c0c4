//! Broken archives, and thousands of corrupted ones: each is read as far as it goes or refused at a
//! place, and none causes a panic.

use mutoscope_core::{
    clip::Pose,
    diagnostics::{Diagnostics, Severity},
    formats::{
        self, DecodeRequest,
        prime::{
            archive::{Archive, ArchiveResources, ResourceType},
            characters::{
                FileKind, Library, OpenOptions, Selection, check_archive, check_library,
                check_resource,
            },
        },
    },
};

use crate::prime::characters::bytes_of;
use mutoscope_testing::fixtures;

/// The outcome of a file: rejected, or its worst severity.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    Told(Option<Severity>),
}

fn outcome(name: &str, bytes: &[u8]) -> Outcome {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let kind = FileKind::detect(bytes, extension).unwrap();
    if let FileKind::Part(part) = kind {
        let mut notices = Diagnostics::new();
        return match check_resource(part, bytes, None, &mut notices) {
            Ok(()) => Outcome::Told(notices.worst_severity()),
            Err(_) => Outcome::Refused,
        };
    }
    match Library::decode(bytes, kind, name) {
        Err(_) => Outcome::Refused,
        Ok(library) if kind == FileKind::Archive => {
            Outcome::Told(check_archive(&library, bytes).worst_severity())
        }
        Ok(library) => {
            let none = mutoscope_core::io::bytes::NoSidecars;
            let told = library.with_resources(bytes, &none, |files| check_library(&library, files));
            Outcome::Told(told.worst_severity())
        }
    }
}

#[test]
fn broken_files_give_the_expected_outcome() {
    let verdicts = fixtures::json("prime-characters/bad/bad.json");
    let verdicts = verdicts.as_object().unwrap();
    assert_eq!(verdicts.len(), 57);
    for (name, verdict) in verdicts {
        let found = outcome(name, &bytes_of(&format!("bad/{name}")));
        let is_told = matches!(found, Outcome::Told(Some(Severity::Warning | Severity::Error)));
        // A fault that only shows against the skeleton cannot be reported without it.
        // refused.
        let needs_rig = name.ends_with("bone.CSKR");
        match verdict["verdict"].as_str().unwrap() {
            "error" => assert!(found == Outcome::Refused || is_told, "{name}: {found:?}"),
            "partial" => assert!(is_told || needs_rig, "{name}: {found:?}"),
            "any" => {}
            other => panic!("{other}"),
        }
        let is_archive = name.ends_with(".pak");
        if is_archive && verdict["verdict"] == "error" {
            assert_eq!(found, Outcome::Refused, "{name}");
        }
    }
}

#[test]
fn missing_bone_is_reported_with_the_skeleton() {
    for (game, rig) in [("mp1", "loose_mp1/ACAAF075.CINF"), ("mp2", "loose_mp2/7D3AA524.CINF")] {
        let none = mutoscope_core::io::bytes::NoSidecars;
        let rig = formats::decode_skeleton(&bytes_of(rig), "rig", &none).unwrap();
        let bytes = bytes_of(&format!("bad/{game}_bone.CSKR"));
        let mut notices = Diagnostics::new();
        check_resource(ResourceType::CSKR, &bytes, Some(&rig), &mut notices).unwrap();
        assert_eq!(notices.worst_severity(), Some(Severity::Error));
        assert!(notices.iter().any(|notice| notice.message.contains("77")), "{notices:?}");
    }
}

#[test]
fn content_before_a_mistake_is_kept() {
    for game in ["mp1", "mp2"] {
        let library = |name: &str| {
            Library::from_archive(&bytes_of(&format!("bad/{game}_{name}.pak"))).unwrap()
        };
        let unknown = library("unknown_meta");
        assert_eq!(unknown.characters().count(), 2);
        assert_eq!(unknown.sets[0].ancs.animations.len(), 3);
        let wide = library("wide_meta");
        assert_eq!((wide.characters().count(), wide.sets[0].ancs.animations.len()), (2, 0));
        let deep = library("deep_meta");
        assert_eq!(deep.sets[0].ancs.animations[0].tree.depth, 100_001);
        assert!(deep.sets[0].ancs.animations.len() > 1 && deep.sets[0].ancs.incomplete.is_none());
        let nowhere = library("name_not_in_set");
        let set = &nowhere.sets[0].ancs;
        assert_eq!(set.index_in_set(&set.characters[0], 0), None);
    }
}

#[test]
fn unknown_names_are_rejected_and_the_first_match_is_used() {
    let bytes = bytes_of("warden_mp1.pak");
    let library = Library::from_archive(&bytes).unwrap();
    let select = |animation: Option<&str>, character: Option<&str>| {
        let selection = Selection {
            animation: animation.map(str::to_owned),
            character: character.map(str::to_owned),
        };
        library.select(&selection).map(|chosen| {
            let first = &chosen[0];
            (first.name.to_owned(), first.character.unwrap().name.clone())
        })
    };
    let found = |animation: &str, character: &str| Ok((animation.to_owned(), character.to_owned()));
    assert_eq!(select(None, None), found("B_drift", "Warden"));
    assert_eq!(select(None, Some("WardenBox")), found("B_attack", "WardenBox"));
    assert_eq!(select(Some("B_idle"), None), found("B_idle", "Warden"));
    assert_eq!(select(Some("B_idle"), Some("B17BD330/1")), found("B_idle", "WardenBox"));
    assert!(select(Some("b_idle"), None).is_err(), "names are matched exactly");
    assert!(select(Some("B_idle"), Some("B17BD330/2")).is_err());
    assert!(select(None, Some("Nobody")).is_err());
}

#[test]
fn archives_decode_as_recordings() {
    let bytes = bytes_of("warden_mp2.pak");
    let clip = formats::decode(&bytes, &DecodeRequest::default().named("x.bin")).unwrap();
    assert_eq!(clip.name, "B_idle");
    let labels: Vec<_> = clip.variants.iter().map(|variants| variants.label).collect();
    assert_eq!(labels, ["Game", "Animation", "Character"]);
    assert_eq!(clip.variants[1].names.len(), 8);
    assert!(!clip.skeleton.attached().unwrap().model.is_empty());
    let choice = |label: &str, name: &str| mutoscope_core::clip::VariantChoice {
        label: label.to_owned(),
        name: name.to_owned(),
    };
    let chosen = [choice("animation", "B_attack"), choice("character", "WardenBox")];
    let clip = formats::decode(&bytes, &DecodeRequest::default().variants(&chosen)).unwrap();
    assert_eq!((clip.name.as_str(), clip.variants[2].current), ("B_attack", 1));
    assert!(clip.variants[1].is_chosen);
    let nobody = [choice("character", "Nobody")];
    assert!(formats::decode(&bytes, &DecodeRequest::default().variants(&nobody)).is_err());
}

/// Reads all of an archive, opens every animation on every character, and checks everything.
fn use_all(bytes: &[u8], pose: &mut Pose) -> bool {
    let library = match Library::from_archive(bytes) {
        Ok(library) => library,
        Err(error) => {
            let place = error.location().first_byte();
            assert!(place.is_none_or(|first| first <= bytes.len() as u64), "{error}");
            return false;
        }
    };
    check_archive(&library, bytes);
    let archive = library.archive.as_ref().unwrap();
    let resources = ArchiveResources { archive, bytes };
    let options = OpenOptions { with_model: true, ..OpenOptions::default() };
    for (set, character) in library.characters().take(4) {
        let selection = Selection {
            animation: None,
            character: set.id.map(|id| format!("{id}/{}", character.id)),
        };
        let Ok(chosen) = library.select(&selection) else { continue };
        for one in chosen.iter().take(10) {
            let Ok(opened) = library.open_first(&[*one], &resources, &options) else { continue };
            let clip = opened.clip;
            for time in [0.0, 0.3, f64::NAN, -1e30, 1e30] {
                clip.sample(time, pose);
            }
            clip.sample(clip.span.start, pose);
            let (mut matrices, mut places) = (Vec::new(), Vec::new());
            clip.nodes.fill_world_matrices(pose, &mut matrices);
            for piece in opened.model.iter().flat_map(|model| &model.model.pieces) {
                piece.fill_posed_positions(&matrices, &mut places);
                assert_eq!(places.len(), piece.positions.len());
            }
        }
    }
    true
}

#[test]
fn truncated_archives_are_read_as_far_as_possible() {
    let mut pose = Pose::default();
    for name in ["warden_mp1.pak", "warden_mp2.pak"] {
        let bytes = bytes_of(name);
        let read = (0..bytes.len()).step_by(97).filter(|&end| use_all(&bytes[..end], &mut pose));
        assert!(read.count() > 300, "most of an archive is not its table");
    }
}

#[test]
fn corrupted_archives_never_panic() {
    const ROUNDS: usize = 400;
    let mut dice = fastrand::Rng::with_seed(22);
    let mut pose = Pose::default();
    let mut read = 0;
    for name in ["warden_mp1.pak", "warden_mp2.pak", "bad/mp1_empty.pak", "bad/mp1_wide_meta.pak"] {
        let bytes = bytes_of(name);
        for _ in 0..ROUNDS {
            let mut mutilated = bytes.clone();
            crate::prime::mutilated::mutilate(&mut mutilated, &mut dice);
            read += usize::from(use_all(&mutilated, &mut pose));
        }
    }
    assert!(read > 500, "only {read} were sound enough to be read: that tests little");
}

#[test]
fn corrupted_character_parts_never_panic() {
    const ROUNDS: usize = 1500;
    let mut dice = fastrand::Rng::with_seed(23);
    let mut read = 0;
    for folder in ["loose_mp1", "loose_mp2"] {
        for entry in std::fs::read_dir(fixtures::path("prime-characters").join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let extension = name.rsplit_once('.').unwrap().1.to_owned();
            let Some(kind) = FileKind::detect(b"", Some(&extension)) else { continue };
            let bytes = bytes_of(&format!("{folder}/{name}"));
            let rounds = if extension == "TXTR" { ROUNDS / 30 } else { ROUNDS };
            for _ in 0..rounds {
                let mut mutilated = bytes.clone();
                crate::prime::mutilated::mutilate(&mut mutilated, &mut dice);
                let mut notices = Diagnostics::new();
                read += usize::from(match kind {
                    FileKind::Part(part) => {
                        check_resource(part, &mutilated, None, &mut notices).is_ok()
                    }
                    _ => Library::from_ancs(&mutilated, &name).is_ok(),
                });
            }
        }
    }
    assert!(read > 3000, "only {read} were sound enough to be read: that tests little");
}

#[test]
fn memory_is_bounded_by_file_size() {
    for game in ["mp1", "mp2"] {
        let bytes = bytes_of(&format!("bad/{game}_huge_unpacked_size.pak"));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let model = archive.entries.iter().find(|entry| entry.kind == ResourceType::CMDL).unwrap();
        let resource = model.read(&bytes);
        assert!(resource.damage.is_some() && resource.bytes.is_empty());
        // The table tells what is stated all the same.
        assert!(model.unpacked_size(&bytes).unwrap() > 4_000_000_000);
    }
}
