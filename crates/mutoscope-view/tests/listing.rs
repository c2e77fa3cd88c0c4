//! Tests listings of files in every format: from each key to its bytes, and from bytes back to
//! keys.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{borrow::Cow, ops::Range};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, KeyId, TrackId, Value},
    decode,
    diagnostics::SourceLocation,
    io::bytes::FileContent,
};
use mutoscope_testing::property;
use mutoscope_view::listing::Listing;

fn decode_and_list(bytes: &'static [u8]) -> (Clip, Listing) {
    let options = ReadOptions::default().with_formats(mutoscope_minecraft::formats());
    let clip = decode(bytes, &options).unwrap();
    let listing = Listing::new(&clip, &FileContent::from(bytes), &options.registry);
    (clip, listing)
}

fn all_bytes(listing: &Listing) -> Cow<'_, [u8]> {
    listing.bytes(0..listing.size()).unwrap()
}

fn keys(clip: &Clip) -> impl Iterator<Item = KeyId> + '_ {
    let tracks = clip.tracks.iter().enumerate();
    tracks.flat_map(|(track, curve)| {
        let keys = 0..curve.curve.key_count();
        keys.map(move |index| KeyId { track: TrackId::new(track), index })
    })
}

/// Concatenates the byte ranges of `key`.
fn key_bytes(clip: &Clip, listing: &Listing, key: KeyId) -> Vec<u8> {
    let ranges = listing.key_ranges(clip, key);
    ranges.into_iter().flat_map(|range| listing.bytes(range).unwrap().to_vec()).collect()
}

fn key_time(clip: &Clip, key: KeyId) -> f64 {
    clip.track(key.track).curve.key_times()[key.index]
}

fn to_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Bool(is_on) => f64::from(*is_on),
        other => panic!("expected a number, found {other:?}"),
    }
}

const HANDS: &[u8] = include_bytes!("../../../assets/mrtk/two-hands.bin");
const UNSORTED: &[u8] = include_bytes!("../../../tests/data/mrtk/bad/keys-unsorted.bin");
const WALK: &[u8] = include_bytes!("../../../assets/prime/walk.ANIM");
const ARRAYS: &[u8] = include_bytes!("../../../tests/data/prime/walk_mp1_v0.ANIM");
const MAYA: &[u8] = include_bytes!("../../../assets/maya/walk-with-hat.anim");
const ANIMJ: &[u8] = include_bytes!("../../../tests/data/animj/generated/all_types.animj");
const PLAIN: &[u8] = include_bytes!("../../../tests/data/animj/rig/arm_swing.animx");
const PACKED: &[u8] = include_bytes!("../../../tests/data/animj/rig/arm_swing_lzma.animx");
const DAY: &[u8] = include_bytes!("../../../tests/data/mcmocap/walk_v5.mcmocap_rec");

#[test]
fn key_bytes_hold_time_and_value() {
    for file in [HANDS, UNSORTED] {
        let (clip, listing) = decode_and_list(file);
        for key in keys(&clip) {
            let bytes = key_bytes(&clip, &listing, key);
            let single =
                |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
            assert_eq!(single(0), key_time(&clip, key), "{key:?}");
            let track = &clip.track(key.track).curve;
            if !track.is_switch() {
                assert_eq!(single(4), to_number(&track.key_value(key.index)), "{key:?}");
            }
        }
    }
}

#[test]
fn key_line_has_its_value() {
    let (clip, listing) = decode_and_list(MAYA);
    let mut compared = 0;
    for key in keys(&clip) {
        let line = String::from_utf8(key_bytes(&clip, &listing, key)).unwrap();
        let value = to_number(&clip.track(key.track).curve.key_value(key.index));
        let numbers =
            line.split_whitespace().filter_map(|word| word.trim_end_matches(';').parse().ok());
        assert!(numbers.into_iter().any(|number: f64| number == value), "{line:?} for {value}");
        assert!(!line.contains('\n'), "{line:?}");
        compared += 1;
    }
    assert!(compared > 100);
}

#[test]
fn key_text_is_a_json_value_with_its_time() {
    let (clip, listing) = decode_and_list(ANIMJ);
    let mut compared = 0;
    for key in keys(&clip) {
        let text = key_bytes(&clip, &listing, key);
        let value: serde_json::Value = serde_json::from_slice(&text)
            .unwrap_or_else(|error| panic!("{:?}: {error}", String::from_utf8_lossy(&text)));
        if let Some(time) = value.get("time") {
            assert_eq!(time.as_f64().unwrap() as f32, key_time(&clip, key) as f32, "{value}");
            compared += 1;
        }
    }
    assert!(compared > 100);
}

#[test]
fn packed_data_is_listed_unpacked() {
    let [(_, plain), (clip, packed)] = [decode_and_list(PLAIN), decode_and_list(PACKED)];
    assert!(packed.is_unpacked() && !plain.is_unpacked());
    assert!(
        all_bytes(&plain).ends_with(&all_bytes(&packed)),
        "the unpacked listing equals the plain file without its header"
    );
    let mut compared = 0;
    for key in keys(&clip) {
        let bytes = key_bytes(&clip, &packed, key);
        let time = (key_time(&clip, key) as f32).to_le_bytes();
        assert!(bytes.windows(4).any(|four| four == time), "{key:?}: {bytes:02x?}");
        compared += 1;
    }
    assert!(compared > 10);
}

#[test]
fn bytes_map_back_to_keys_in_every_format() {
    for file in [HANDS, UNSORTED, WALK, ARRAYS, MAYA, ANIMJ, PLAIN, PACKED, DAY] {
        let (clip, listing) = decode_and_list(file);
        let all: Vec<_> = keys(&clip).map(|key| (key, listing.key_ranges(&clip, key))).collect();
        let located = all.iter().filter(|(_, bytes)| !bytes.is_empty()).count();
        assert!(located > 0 && located == all.len(), "{}: {located} of {}", clip.format, all.len());
        property::check_property_times(60, |random| {
            let start = random.below(listing.size());
            let range = start..(start + 1 + random.below(300)).min(listing.size());
            let within = |bytes: &[Range<usize>]| {
                bytes.iter().any(|one| one.start < range.end && one.end > range.start)
            };
            let mut expected: Vec<_> =
                all.iter().filter(|one| within(&one.1)).map(|one| one.0).collect();
            let found = listing.keys_in(&clip, range.clone());
            let mut found: Vec<_> = found.into_iter().map(|one| one.key).collect();
            let order = |key: &KeyId| (key.track, key.index);
            expected.sort_by_key(order);
            found.sort_by_key(order);
            assert_eq!(found, expected, "{} at {range:?}", clip.format);
        });
    }
}

#[test]
fn ambiguous_byte_prefers_the_selected_track() {
    let (clip, listing) = decode_and_list(DAY);
    let offset_of_key = |key: KeyId| listing.key_ranges(&clip, key)[0].start;
    let yaw = clip.tracks.iter().position(|track| track.property == "yaw").unwrap();
    let key = KeyId { track: TrackId::new(yaw), index: 3 };
    let offset = offset_of_key(key);
    assert!(
        listing.keys_in(&clip, offset..offset + 1).len() > 1,
        "one action holds position and yaw, so the byte is ambiguous"
    );
    let selected = Some(KeyId { index: 0, ..key });
    assert_eq!(listing.key_at(&clip, offset, selected), Some(key));
    assert_eq!(listing.key_at(&clip, 0, selected), None, "the header belongs to no key");
}

#[test]
fn rows_cover_the_file_and_are_found_by_byte() {
    for file in [HANDS, MAYA, ANIMJ] {
        let (_, listing) = decode_and_list(file);
        let mut next = 0;
        for row in 0..listing.row_count() {
            let bytes = listing.row_range(row);
            let between = listing.bytes(next..bytes.start).unwrap();
            assert!(between.iter().all(|byte| matches!(byte, b'\r' | b'\n')), "{row}: {between:?}");
            if !bytes.is_empty() {
                assert_eq!(listing.row_at(bytes.start), row);
                assert_eq!(listing.row_at(bytes.end - 1), row);
            }
            next = bytes.end;
        }
    }
}

#[test]
fn bit_locations_map_to_bytes_least_significant_first() {
    let (clip, listing) = decode_and_list(WALK);
    // Bits 12 to 44 cover 20 bits of the first 32-bit word and 12 bits of the second one.
    let location = SourceLocation::Bits { word: 16, bits: 12..44 };
    assert_eq!(listing.location_ranges(&location), [16..19, 22..24]);
    // The listed bits must be the bits from which the decoder read the key.
    let rotation =
        clip.tracks.iter().find(|track| track.source.quantized_key(1).is_some()).unwrap();
    let [previous, second] = [0, 1].map(|key| rotation.source.quantized_key(key).unwrap());
    let bits = listing.location_bits(&rotation.source.key_location(1)).unwrap().replace(' ', "");
    let first_is_sign = bits.starts_with(if second.is_negative { '1' } else { '0' });
    assert!(first_is_sign, "{bits}: {previous:?}, {second:?}");
}
