//! Broken and corrupted archives are read as far as possible or rejected with a location, and none
//! causes a panic.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::Pose,
    decode,
    diagnostics::{Diagnostics, Severity},
    formats::prime::{
        archive::{Archive, ArchiveResources, ResourceType},
        characters::{
            FileKind, Library, Selection, SkeletonPreference, check_archive, check_library,
            check_resource,
        },
    },
};

use crate::prime::{characters::read_fixture, find_diagnostic};
use mutoscope_testing::fixtures;

/// The outcome of a file: rejected, or read with this worst severity.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Rejected,
    Read(Option<Severity>),
}

fn outcome(name: &str, bytes: &[u8]) -> Outcome {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let kind = FileKind::detect(bytes, extension).unwrap();
    if let FileKind::Part(part) = kind {
        let mut diagnostics = Diagnostics::new();
        return match check_resource(part, bytes, None, &mut diagnostics) {
            Ok(()) => Outcome::Read(diagnostics.worst_severity()),
            Err(_) => Outcome::Rejected,
        };
    }
    match Library::decode(bytes, kind, name) {
        Err(_) => Outcome::Rejected,
        Ok(library) if kind == FileKind::Archive => {
            Outcome::Read(check_archive(&library, bytes).worst_severity())
        }
        Ok(library) => {
            let no_sidecars = mutoscope_core::io::bytes::NoSidecars;
            let diagnostics =
                library.with_resources(bytes, &no_sidecars, |files| check_library(&library, files));
            Outcome::Read(diagnostics.worst_severity())
        }
    }
}

#[test]
fn broken_files_give_the_expected_outcome() {
    let verdicts = fixtures::json("prime-characters/bad/bad.json");
    let verdicts = verdicts.as_object().unwrap();
    assert_eq!(verdicts.len(), 57);
    for (name, verdict) in verdicts {
        let found = outcome(name, &read_fixture(&format!("bad/{name}")));
        let is_reported = matches!(found, Outcome::Read(Some(Severity::Warning | Severity::Error)));
        // A bone that the skeleton lacks can only be reported with the skeleton.
        let needs_rig = name.ends_with("bone.CSKR");
        match verdict["verdict"].as_str().unwrap() {
            "error" => assert!(found == Outcome::Rejected || is_reported, "{name}: {found:?}"),
            "partial" => assert!(is_reported || needs_rig, "{name}: {found:?}"),
            "any" => {}
            other => panic!("{other}"),
        }
        let is_archive = name.ends_with(".pak");
        if is_archive && verdict["verdict"] == "error" {
            assert_eq!(found, Outcome::Rejected, "{name}");
        }
    }
}

#[test]
fn missing_bone_is_reported_with_the_skeleton() {
    for (game, rig) in [("mp1", "loose_mp1/ACAAF075.CINF"), ("mp2", "loose_mp2/7D3AA524.CINF")] {
        let no_sidecars = mutoscope_core::io::bytes::NoSidecars;
        let rig = mutoscope_core::Registry::default()
            .decode_skeleton(&read_fixture(rig), "rig", &no_sidecars)
            .unwrap();
        let bytes = read_fixture(&format!("bad/{game}_bone.CSKR"));
        let mut diagnostics = Diagnostics::new();
        check_resource(ResourceType::CSKR, &bytes, Some(&rig), &mut diagnostics).unwrap();
        let missing = find_diagnostic(&diagnostics, "prime/skin-bones-missing").unwrap();
        assert_eq!(missing.severity, Severity::Error);
        assert_eq!(missing.value("count"), Some(&1.into()));
        let message = "the skin refers to bones that rig does not have: 77; using the root";
        assert_eq!(missing.message, message);
    }
}

#[test]
fn content_before_an_error_is_kept() {
    for game in ["mp1", "mp2"] {
        let library = |name: &str| {
            Library::from_archive(&read_fixture(&format!("bad/{game}_{name}.pak"))).unwrap()
        };
        let unknown = library("unknown_meta");
        assert_eq!(unknown.characters().count(), 2);
        assert_eq!(unknown.sets[0].ancs.animations.len(), 3);
        let wide = library("wide_meta");
        assert_eq!((wide.characters().count(), wide.sets[0].ancs.animations.len()), (2, 0));
        let deep = library("deep_meta");
        assert_eq!(deep.sets[0].ancs.animations[0].tree.depth, 100_001);
        assert!(deep.sets[0].ancs.animations.len() > 1 && deep.sets[0].ancs.incomplete.is_none());
        let unlisted_name = library("name_not_in_set");
        let set = &unlisted_name.sets[0].ancs;
        assert_eq!(set.index_in_set(&set.characters[0], 0), None);
    }
}

#[test]
fn unknown_names_are_rejected_and_the_first_match_is_used() {
    let bytes = read_fixture("warden_mp1.pak");
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
    let bytes = read_fixture("warden_mp2.pak");
    let clip = decode(SourceFile::new("x.bin", &bytes), &ReadOptions::default()).unwrap();
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
    let clip = decode(&bytes, &ReadOptions { variants: chosen.to_vec(), ..ReadOptions::default() })
        .unwrap();
    assert_eq!((clip.name.as_str(), clip.variants[2].current), ("B_attack", 1));
    assert!(clip.variants[1].is_chosen);
    let nobody = [choice("character", "Nobody")];
    assert!(
        decode(&bytes, &ReadOptions { variants: nobody.to_vec(), ..ReadOptions::default() })
            .is_err()
    );
}

/// Reads a whole archive, opens up to ten animations on each of four characters, and checks
/// everything. Returns `false` if the archive is rejected.
fn read_everything(bytes: &[u8], pose: &mut Pose) -> bool {
    let library = match Library::from_archive(bytes) {
        Ok(library) => library,
        Err(error) => {
            let first_byte = error.location().first_byte();
            assert!(first_byte.is_none_or(|first| first <= bytes.len() as u64), "{error}");
            return false;
        }
    };
    check_archive(&library, bytes);
    let archive = library.archive.as_ref().unwrap();
    let resources = ArchiveResources { archive, bytes };
    let options = ReadOptions { with_model: true, ..ReadOptions::default() };
    for (set, character) in library.characters().take(4) {
        let selection = Selection {
            animation: None,
            character: set.id.map(|id| format!("{id}/{}", character.id)),
        };
        let Ok(chosen) = library.select(&selection) else { continue };
        for animation in chosen.iter().take(10) {
            let Ok(opened) =
                library.open_first(&[*animation], &resources, &options, SkeletonPreference::Given)
            else {
                continue;
            };
            let clip = opened.clip;
            for time in [0.0, 0.3, f64::NAN, -1e30, 1e30] {
                clip.sample(time, pose);
            }
            clip.sample(clip.span.start, pose);
            let (mut matrices, mut positions) = (Vec::new(), Vec::new());
            clip.nodes.fill_world_matrices(pose, &mut matrices);
            for piece in opened.model.iter().flat_map(|model| &model.model.pieces) {
                piece.fill_posed_positions(&matrices, &mut positions);
                assert_eq!(positions.len(), piece.positions.len());
            }
        }
    }
    true
}

#[test]
fn truncated_archives_are_read_as_far_as_possible() {
    let mut pose = Pose::default();
    for name in ["warden_mp1.pak", "warden_mp2.pak"] {
        let bytes = read_fixture(name);
        let read =
            (0..bytes.len()).step_by(97).filter(|&end| read_everything(&bytes[..end], &mut pose));
        assert!(read.count() > 300, "a cut after the table must not reject the archive");
    }
}

#[test]
fn corrupted_archives_never_panic() {
    const ROUNDS: usize = 400;
    let mut random = fastrand::Rng::with_seed(22);
    let mut pose = Pose::default();
    let mut read = 0;
    for name in ["warden_mp1.pak", "warden_mp2.pak", "bad/mp1_empty.pak", "bad/mp1_wide_meta.pak"] {
        let bytes = read_fixture(name);
        for _ in 0..ROUNDS {
            let mut corrupted = bytes.clone();
            crate::prime::mutilated::corrupt(&mut corrupted, &mut random);
            read += usize::from(read_everything(&corrupted, &mut pose));
        }
    }
    assert!(read > 500, "only {read} corrupted files could be decoded, too few for this test");
}

#[test]
fn corrupted_character_parts_never_panic() {
    const ROUNDS: usize = 1500;
    let mut random = fastrand::Rng::with_seed(23);
    let mut read = 0;
    for folder in ["loose_mp1", "loose_mp2"] {
        for entry in std::fs::read_dir(fixtures::path("prime-characters").join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let extension = name.rsplit_once('.').unwrap().1.to_owned();
            let Some(kind) = FileKind::detect(b"", Some(&extension)) else { continue };
            let bytes = read_fixture(&format!("{folder}/{name}"));
            let rounds = if extension == "TXTR" { ROUNDS / 30 } else { ROUNDS };
            for _ in 0..rounds {
                let mut corrupted = bytes.clone();
                crate::prime::mutilated::corrupt(&mut corrupted, &mut random);
                let mut diagnostics = Diagnostics::new();
                read += usize::from(match kind {
                    FileKind::Part(part) => {
                        check_resource(part, &corrupted, None, &mut diagnostics).is_ok()
                    }
                    _ => Library::from_ancs(&corrupted, &name).is_ok(),
                });
            }
        }
    }
    assert!(read > 3000, "only {read} corrupted files could be decoded, too few for this test");
}

#[test]
fn memory_is_bounded_by_file_size() {
    for game in ["mp1", "mp2"] {
        let bytes = read_fixture(&format!("bad/{game}_huge_unpacked_size.pak"));
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let model = archive.entries.iter().find(|entry| entry.kind == ResourceType::CMDL).unwrap();
        let resource = model.read(&bytes);
        assert!(resource.damage.is_some() && resource.bytes.is_empty());
        // The stated size is reported even though the resource cannot be unpacked.
        assert!(model.unpacked_size(&bytes).unwrap() > 4_000_000_000);
    }
}
