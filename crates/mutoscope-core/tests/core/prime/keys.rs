//! Tests the locations of keys in a file, and the stored integers there.

use std::f64::consts::PI;

use glam::DQuat;
use mutoscope_core::{
    clip::{Clip, ErrorBound, Track, Value},
    diagnostics::SourceLocation,
};

use crate::prime::clip;
use mutoscope_testing::{
    fixtures,
    prime::{Animation, Keys},
    property::check_property,
};

fn track<'a>(clip: &'a Clip, owner: &str, property: &str) -> &'a Track {
    let is_wanted =
        |track: &&Track| clip.owner_name(track.owner) == owner && track.property == property;
    clip.tracks.iter().find(is_wanted).unwrap()
}

fn numbers<const N: usize>(value: Value) -> [f64; N] {
    let Value::Numbers(numbers) = value else { panic!("expected a vector, found {value:?}") };
    std::array::from_fn(|component| numbers[component])
}

/// Builds two bones, rotated about x and z by small integers, with keys at three of four frames.
fn small_animation() -> Animation {
    let turn = |x: i32, z: i32| {
        let [x, z] = [x, z].map(|integer| (f64::from(integer) * PI / 2.0 / 1000.0).sin());
        [x, 0.0, z, (1.0 - x * x - z * z).sqrt()]
    };
    let rotation =
        |bone, keys: [[f64; 4]; 3]| Keys { bone, rotation: keys.into(), ..Keys::default() };
    Animation {
        divisor: 1000,
        frame_count: 4,
        keyed: vec![0, 1, 3],
        channels: vec![
            rotation(7, [turn(10, 0), turn(13, -12), turn(9, -1)]),
            rotation(8, [turn(5, 2), turn(5, 3), turn(2, 1)]),
        ],
        ..Animation::default()
    }
}

#[test]
fn keys_have_their_bit_ranges_and_integers() {
    let clip = clip(&small_animation().encode_version_2());
    let rotation_track = |owner| track(&clip, owner, "rotation");
    assert_eq!(rotation_track("bone_7").curve.key_times().len(), 3);
    let integers = |owner, key| rotation_track(owner).source.quantized_key(key).unwrap().integers;
    assert_eq!(*integers("bone_7", 0), [10, 0, 0]);
    assert_eq!(*integers("bone_7", 2), [9, 0, -1]);
    assert_eq!(*integers("bone_8", 1), [5, 0, 3]);
    assert_eq!(rotation_track("bone_8").source.quantized_key(3), None);

    // The header with its bitmap has 0x38 bytes, the counts 8, a descriptor 17 with a count of
    // translations. In a record, bone 7 takes 1 + 3 + 0 + 5 bits and bone 8 takes 1 + 3 + 0 + 2.
    let location = |owner, key| rotation_track(owner).source.key_location(key);
    assert_eq!(location("bone_7", 0), SourceLocation::span(0x46, 9));
    assert_eq!(location("bone_8", 0), SourceLocation::span(0x57, 9));
    assert_eq!(location("bone_7", 1), SourceLocation::bits(0x62, 0, 9));
    assert_eq!(location("bone_8", 1), SourceLocation::bits(0x62, 9, 6));
    assert_eq!(location("bone_7", 2), SourceLocation::bits(0x62, 15, 9));
}

#[test]
fn quantisation_error_is_at_most_half_a_step() {
    check_property(|random| {
        let divisor = [255, 4095, 32_767][random.below(3)];
        let mut turn = || {
            let mut component = || random.in_range(-1.0, 1.0);
            let quaternion = DQuat::from_xyzw(component(), component(), component(), component());
            if quaternion.length() < 0.1 { DQuat::IDENTITY } else { quaternion.normalize() }
        };
        let rotations: Vec<DQuat> =
            std::iter::once(DQuat::IDENTITY).chain((0..6).map(|_| turn())).collect();
        let mut vector = || {
            let mut component = || random.in_range(-3.0, 3.0);
            [component(), component(), component()]
        };
        let translation: Vec<[f64; 3]> = (0..7).map(|_| vector()).collect();
        let animation = Animation {
            divisor,
            frame_count: 7,
            keyed: (0..7).collect(),
            channels: vec![Keys {
                bone: 3,
                rotation: rotations.iter().map(|rotation| rotation.to_array()).collect(),
                translation: translation.clone(),
                ..Keys::default()
            }],
            ..Animation::default()
        };
        let clip = clip(&animation.encode_version_2());
        let (rotation, translation_track) =
            (track(&clip, "bone_3", "rotation"), track(&clip, "bone_3", "translation"));
        for key in 0..7 {
            let found = DQuat::from_array(numbers(rotation.curve.key_value(key)));
            let chord = (found - rotations[key]).length();
            let error = 4.0 * (0.5 * chord).min(1.0).asin();
            let Some(ErrorBound::Turn(max_error)) =
                rotation.source.quantized_key(key).map(|code| code.max_error)
            else {
                panic!("expected an angle as the error bound")
            };
            assert!(
                error <= max_error + 1e-9,
                "{divisor}: key {key} is off by {error}, expected at most {max_error}: {found}"
            );
            let found = glam::DVec3::from_array(numbers(translation_track.curve.key_value(key)));
            let error = found.distance(glam::DVec3::from_array(translation[key]));
            let Some(ErrorBound::Length(max_error)) =
                translation_track.source.quantized_key(key).map(|code| code.max_error)
            else {
                panic!("expected a length as the error bound")
            };
            assert!(
                error <= max_error + 1e-12,
                "key {key} is off by {error}, expected at most {max_error}"
            );
        }
    });
}

#[test]
fn differences_wrap_around_at_sixteen_bits() {
    let wrapping = |integer: f64| [integer * 1e-4, 0.0, 0.0];
    let animation = Animation {
        channels: vec![Keys {
            bone: 3,
            rotation: vec![[0.0, 0.0, 0.0, 1.0]; 2],
            translation: vec![wrapping(-32_000.0), wrapping(32_000.0)],
            ..Keys::default()
        }],
        ..Animation::default()
    };
    let clip = clip(&animation.encode_version_2());
    let x: [f64; 3] = numbers(track(&clip, "bone_3", "translation").curve.key_value(1));
    assert!((x[0] - 3.2).abs() < 1e-6, "{x:?}");
}

#[test]
fn zero_width_numbers_are_constant() {
    let clip = clip(&fixtures::prime_file("long_mp1_v2.ANIM"));
    let still = track(&clip, "bone_12", "rotation");
    assert_eq!(still.curve.key_count(), 34);
    assert_eq!(still.curve.key_value(0), still.curve.key_value(33));
}

#[test]
fn array_keys_have_their_byte_ranges() {
    let bytes = fixtures::prime_file("walk_mp1_v0.ANIM");
    let clip = clip(&bytes);
    let rotation = track(&clip, "bone_4", "rotation");
    let SourceLocation::Bytes(range) = rotation.source.key_location(5) else {
        panic!("expected bytes as the location")
    };
    let key = &bytes[range.start as usize..range.end as usize];
    let [w, x, y, z]: [f32; 4] =
        std::array::from_fn(|c| f32::from_be_bytes(key[4 * c..4 * c + 4].try_into().unwrap()));
    assert_eq!(numbers(rotation.curve.key_value(5)), [x, y, z, w].map(f64::from));
    assert_eq!(rotation.source.quantized_key(5), None);
}
