//! Tests the detection of a file's layout among five, and the files that are rejected.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, Variants},
    decode,
    diagnostics::{Diagnostics, ErrorKind, Severity},
    formats::{
        Failure, FormatId,
        prime::{self, Game},
    },
    io::bytes::NoSidecars,
};

use crate::prime::find_diagnostic;
use mutoscope_testing::{
    fixtures,
    prime::{Animation, Keys},
    property::check_property,
};

/// Returns the detected version, and the worst severity of the diagnostics.
fn detect(bytes: &[u8]) -> (String, Option<Severity>) {
    let clip = decode(bytes, &ReadOptions::default()).unwrap();
    (clip.version, clip.diagnostics.worst_severity())
}

#[test]
fn each_file_is_recognised_without_warnings() {
    for (name, bytes) in fixtures::prime_files() {
        let (version, worst) = detect(&bytes);
        let game = name.split('_').find(|text| text.starts_with("mp") || *text == "demo").unwrap();
        let game = if game == "demo" { "mp2-demo" } else { game };
        assert_eq!((version.starts_with(game), worst), (true, Some(Severity::Info)), "{name}");
    }
}

#[test]
fn wrong_game_is_rejected_with_a_location() {
    let games = [Game::Prime, Game::Echoes, Game::EchoesDemo];
    for (name, bytes) in fixtures::prime_files() {
        let own = prime::decode(&bytes, None, &mut Diagnostics::new()).unwrap().game;
        for game in games {
            let read = prime::decode(&bytes, Some(game), &mut Diagnostics::new());
            assert_eq!(read.is_ok(), game == own, "{name} as of {game}");
            if let Err(error) = read {
                assert!(error.location().first_byte().is_some(), "{name}: {error}");
            }
        }
    }
}

#[test]
fn game_can_be_chosen() {
    let bytes = fixtures::prime_file("walk_mp2_v2.ANIM");
    let rig = mutoscope_core::Registry::default()
        .decode_skeleton(&fixtures::prime_file("rig_mp2.CINF"), "rig", &NoSidecars)
        .unwrap();
    let read = |bytes: &[u8], format, name: &str| -> Result<Clip, Failure> {
        let mut options = ReadOptions::default().with_format(format).with_variant("game", name);
        if format == FormatId::PRIME {
            options = options.with_skeleton(rig.clone());
        }
        decode(bytes, &options)
    };
    let found = decode(&bytes, &ReadOptions::default()).unwrap();
    let games = ["Prime", "Echoes", "Echoes demo"];
    assert_eq!(found.variants, [Variants::detected("Game", games, 1)]);
    for (index, name) in games.into_iter().enumerate() {
        match read(&bytes, FormatId::PRIME, name) {
            Ok(clip) => {
                let chosen = Variants { is_chosen: true, ..Variants::detected("Game", games, 1) };
                assert_eq!(clip.variants, [chosen], "{name}");
                assert!(clip.skeleton.attached().is_some());
                // If the user chose the game, no diagnostic says that it was guessed.
                assert!(find_diagnostic(&found.diagnostics, "prime/game-guessed").is_some());
                assert!(find_diagnostic(&clip.diagnostics, "prime/game-guessed").is_none());
            }
            Err(failure) => {
                assert_ne!(index, 1);
                assert!(failure.error.location().first_byte().is_some(), "{name}: {failure}");
            }
        }
    }
    let failure = read(&bytes, FormatId::PRIME, "Corruption").unwrap_err();
    let message = "expected a game (Prime, Echoes, Echoes demo), found \"Corruption\"";
    assert_eq!(failure.error.message(), message);
    let mrtk = fixtures::small_mrtk_files().remove(0).1;
    let failure = read(&mrtk, FormatId::MRTK, "Prime").unwrap_err();
    assert_eq!(failure.error.message(), "MRTK input animation offers no choice of \"game\"");
}

#[test]
fn loop_flag_is_read() {
    let looping = |name: &str| {
        decode(&fixtures::prime_file(name), &ReadOptions::default()).unwrap().is_looping
    };
    // Version 0 does not store whether an animation loops.
    assert_eq!(looping("walk_mp1_v0.ANIM"), None);
    for is_looping in [true, false] {
        let keys = Keys { bone: 3, rotation: vec![[0.0, 0.0, 0.0, 1.0]; 2], ..Keys::default() };
        let animation = Animation { is_looping, channels: vec![keys], ..Animation::default() };
        let clip = decode(&animation.encode_version_2(), &ReadOptions::default()).unwrap();
        assert_eq!(clip.is_looping, Some(is_looping));
    }
}

/// Random files vary everything that the detection uses: the numbers of bones and frames, skipped
/// keys, padding, and an event id that looks like the marker of the other game.
#[test]
fn layout_is_detected_for_any_content() {
    check_property(|random| {
        let game = [Game::Prime, Game::Echoes, Game::EchoesDemo][random.below(3)];
        let frame_count = 2 + random.below(70) as u32;
        let keyed: Vec<u32> = (0..frame_count)
            .filter(|&frame| frame == 0 || frame == frame_count - 1 || random.below(3) > 0)
            .collect();
        let key_count = keyed.len();
        let channels = (0..1 + random.below(30)).map(|bone| {
            let mut vector = |size: f64| -> Vec<[f64; 3]> {
                let mut component = || random.in_range(-size, size);
                (0..key_count).map(|_| [component(), component(), component()]).collect()
            };
            let (translation, scale) = (vector(1.0), vector(2.0));
            let turn = |[x, y, z]: [f64; 3]| [x, y, z, 0.5];
            let rotation = vector(0.5).into_iter().map(turn).collect();
            let if_present =
                |is_present: bool, keys: Vec<[f64; 3]>| if is_present { keys } else { Vec::new() };
            Keys {
                bone: bone as u32,
                rotation,
                translation: if_present(random.below(2) == 0, translation),
                scale: if_present(game == Game::Echoes && random.below(2) == 0, scale),
            }
        });
        let animation = Animation {
            game,
            frame_count,
            keyed,
            channels: channels.collect(),
            events: [0, u32::MAX, 0x0101_abcd, 1, 2][random.below(5)],
            is_padded: random.below(2) == 0,
            ..Animation::default()
        };
        let expected =
            |version| (format!("{}-v{version}", game.version_prefix()), Some(Severity::Info));
        assert_eq!(detect(&animation.encode_version_2()), expected(2), "{animation:?}");
        if game != Game::EchoesDemo && animation.keyed.len() as u32 == frame_count {
            assert_eq!(detect(&animation.encode_version_0()), expected(0), "{animation:?}");
        }
    });
}

#[test]
fn unsupported_versions_are_named_in_the_error() {
    let mut bytes = fixtures::prime_file("walk_mp1_v2.ANIM");
    let cases = [
        (1_u32, ErrorKind::Unsupported, "Metroid Prime 3"),
        (3, ErrorKind::Unsupported, "metaforce"),
        (4, ErrorKind::Malformed, "0 or 2"),
    ];
    for (version, kind, text) in cases {
        bytes[..4].copy_from_slice(&version.to_be_bytes());
        let error = prime::decode(&bytes, None, &mut Diagnostics::new()).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(text), "{error}");
        let error =
            decode(SourceFile::new("x.ANIM", &bytes), &ReadOptions::default()).unwrap_err().error;
        let is_named = error.message().contains("found what looks like an animation of Metroid");
        assert_eq!(is_named, version < 4, "without a chosen format: {error}");
    }
}

#[test]
fn truncated_files_are_rejected_at_their_end() {
    for (name, bytes) in fixtures::prime_files() {
        let end = bytes.iter().rposition(|&byte| byte != 0xff).unwrap() + 1;
        for length in 4..end - 3 {
            let cut = &bytes[..length];
            let failure =
                decode(cut, &ReadOptions::default().with_format(FormatId::PRIME)).unwrap_err();
            let first_byte = failure.error.location().first_byte().unwrap();
            assert!(first_byte <= length as u64, "{name} cut at {length}: {failure}");
        }
        // A file that begins as an animation is reported as a broken one, not as unrecognised.
        let failure = decode(SourceFile::new("x.anim", &bytes[..end - 5]), &ReadOptions::default())
            .unwrap_err();
        assert_eq!(failure.format, Some(FormatId::PRIME), "{name}: {failure}");
        assert_eq!(failure.error.kind(), ErrorKind::Truncated, "{name}: {failure}");
    }
}

/// The games' files have constant values here, but other writers may differ.
#[test]
fn implausible_values_are_read_and_reported() {
    let bytes = fixtures::prime_file("walk_mp1_v2.ANIM");
    let cases: [(usize, u32, &str, u32); 5] = [
        (4, 7, "prime/unusual-value", 7),
        (0x0c, 2, "prime/unusual-value", 2),
        (0x10, 0x3f00_0000, "prime/frame-count", 31),
        (0x1c, 5, "prime/unusual-value", 5),
        (0x2c, 9, "prime/unusual-value", 9),
    ];
    for (offset, number, code, found) in cases {
        let mut implausible = bytes.clone();
        implausible[offset..offset + 4].copy_from_slice(&number.to_be_bytes());
        let clip = decode(&implausible, &ReadOptions::default()).unwrap();
        let mut warnings =
            clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
        let warning = warnings.next().unwrap_or_else(|| panic!("{offset:#x}"));
        assert_eq!(warning.code.as_str(), code, "{offset:#x}");
        assert_eq!(warning.value("found"), Some(&found.into()), "{offset:#x}");
        assert!(warnings.next().is_none(), "{offset:#x}");
        assert!(warning.location.first_byte().is_some(), "{offset:#x}");
    }
    let mut longer = bytes.clone();
    longer.extend([0xff; 32]);
    longer.push(0);
    assert_eq!(detect(&longer).1, Some(Severity::Warning));
}

#[test]
fn two_bone_skeletons_are_not_read_as_animations() {
    let bones = [(0, 97, [0.0; 3], "Root"), (1, 0, [0.0, 0.5, 1.0], "Head")];
    for game in [Game::Prime, Game::Echoes] {
        let bytes = mutoscope_testing::prime::encode_skeleton(game, &bones);
        let failure =
            decode(SourceFile::new("x.CINF", &bytes), &ReadOptions::default()).unwrap_err();
        assert!(failure.to_string().contains("skeleton"), "{failure}");
    }
}

#[test]
fn animation_is_limited_to_100_bones() {
    let read = |count| {
        let still =
            |bone| Keys { bone, rotation: vec![[0.0, 0.0, 0.0, 1.0]; 2], ..Keys::default() };
        let channels = (0..count).map(still).collect();
        let animation = Animation { game: Game::Echoes, channels, ..Animation::default() };
        let request = ReadOptions::default().with_format(FormatId::PRIME);
        decode(&animation.encode_version_2(), &request)
    };
    assert_eq!(read(100).unwrap().nodes.len(), 100);
    let failure = read(101).unwrap_err();
    assert!(failure.to_string().contains("a count of bones from 1 to 100, found 101"), "{failure}");
}
