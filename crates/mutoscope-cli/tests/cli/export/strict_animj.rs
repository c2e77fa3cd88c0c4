//! A reader of AnimJ that is as strict as Resonite, and that shares no code with our decoder.
//!
//! The rules: the members of a track have a fixed order, and nothing follows them. Integers have no
//! decimal point and are within the range of their type. Numbers fit into single precision. Times
//! ascend from 0.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, Transform},
    decode,
    export::ExportOptions,
    formats::FormatId,
};
use serde::{
    Deserialize,
    de::{Error, MapAccess, Visitor},
};
use serde_json::Value;

use crate::export::{
    animj::unique_names,
    compare::{PoseErrors, largest_pose_errors},
    exported, exported_as, exported_once, recordings, report_text, small_recordings,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Animation {
    #[allow(dead_code, reason = "only the type is checked")]
    name: String,
    pub(crate) global_duration: f64,
    pub(crate) tracks: Vec<Track>,
}

/// A track whose members are in the order that Resonite requires.
pub(crate) struct Track {
    pub(crate) track_type: String,
    value_type: String,
    pub(crate) data: Data,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    pub(crate) node: String,
    pub(crate) property: String,
    pub(crate) keyframes: Vec<Key>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Key {
    pub(crate) time: f64,
    pub(crate) value: Value,
    interpolation: Option<String>,
    left_tangent: Option<Value>,
    right_tangent: Option<Value>,
}

impl<'de> Deserialize<'de> for Track {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Track;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("trackType, valueType and data, in this order")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Track, A::Error> {
                fn member<'de, A: MapAccess<'de>>(map: &mut A, name: &str) -> Result<(), A::Error> {
                    let found: Option<String> = map.next_key()?;
                    let matches = found.as_deref() == Some(name);
                    matches.then_some(()).ok_or_else(|| A::Error::custom(format!("no {name}")))
                }
                member(&mut map, "trackType")?;
                let track_type = map.next_value()?;
                member(&mut map, "valueType")?;
                let value_type = map.next_value()?;
                member(&mut map, "data")?;
                let data = map.next_value()?;
                let after: Option<String> = map.next_key()?;
                match after {
                    None => Ok(Track { track_type, value_type, data }),
                    Some(name) => Err(A::Error::custom(format!("{name} after data"))),
                }
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn integer_range(scalar: &str) -> Option<RangeInclusive<i128>> {
    Some(match scalar {
        "byte" => 0..=u8::MAX.into(),
        "ushort" => 0..=u16::MAX.into(),
        "uint" => 0..=u32::MAX.into(),
        "ulong" => 0..=u64::MAX.into(),
        "sbyte" => i8::MIN.into()..=i8::MAX.into(),
        "short" => i16::MIN.into()..=i16::MAX.into(),
        "int" => i32::MIN.into()..=i32::MAX.into(),
        "long" => i64::MIN.into()..=i64::MAX.into(),
        _ => return None,
    })
}

fn is_component(value: &Value, scalar: &str) -> bool {
    if let Some(bounds) = integer_range(scalar) {
        let number = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
        return number.is_some_and(|number| bounds.contains(&number));
    }
    match scalar {
        "bool" => value.is_boolean(),
        "string" => value.is_string() || value.is_null(),
        "float" => value.as_f64().is_some_and(|number| (number as f32).is_finite()),
        "double" => value.is_number(),
        _ => false,
    }
}

fn is_of_type(value: &Value, value_type: &str) -> bool {
    let several = |members: &[&str], scalar: &str| {
        value.as_object().is_some_and(|object| {
            object.len() == members.len()
                && members.iter().all(|member| {
                    object.get(*member).is_some_and(|value| is_component(value, scalar))
                })
        })
    };
    const MEMBERS: [&str; 4] = ["x", "y", "z", "w"];
    match value_type {
        "color" => several(&["r", "g", "b", "a"], "float"),
        "color32" => several(&["r", "g", "b", "a"], "byte"),
        "floatQ" => several(&MEMBERS, "float"),
        "doubleQ" => several(&MEMBERS, "double"),
        _ => match value_type.char_indices().next_back() {
            Some((at, digit @ '2'..='4')) => {
                let count = digit as usize - '0' as usize;
                let scalar = &value_type[..at];
                let has_vectors = ["bool", "int", "uint", "long", "float", "double"];
                has_vectors.contains(&scalar) && several(&MEMBERS[..count], scalar)
            }
            _ => is_component(value, value_type),
        },
    }
}

/// Reads a file. Panics if Resonite would refuse the file.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Animation {
    let animation: Animation = serde_json::from_slice(bytes)
        .unwrap_or_else(|error| panic!("{name}: Resonite refuses it: {error}"));
    assert!(animation.global_duration >= 0.0, "{name}");
    for track in &animation.tracks {
        let title = format!("{name}: {}.{}", track.data.node, track.data.property);
        let is_curve = match track.track_type.as_str() {
            "Curve" => true,
            "Discrete" => false,
            other => panic!("{title}: unexpected track type {other}"),
        };
        let keys = &track.data.keyframes;
        for (index, key) in keys.iter().enumerate() {
            let Key { time, value, interpolation, left_tangent, right_tangent } = key;
            assert!(*time >= 0.0 && (*time as f32).is_finite(), "{title}: {time}");
            assert!(is_of_type(value, &track.value_type), "{title} at {time}: {value}");
            assert_eq!(interpolation.is_some(), is_curve, "{title} at {time}");
            for tangent in [left_tangent, right_tangent].into_iter().flatten() {
                assert!(is_of_type(tangent, &track.value_type), "{title} at {time}: {tangent}");
                assert!(is_curve, "{title} at {time}: a Discrete track must not have tangents");
            }
            let uses_tangents = match interpolation.as_deref() {
                Some("Tangent" | "CubicBezier") => true,
                Some("Hold" | "Linear") | None => false,
                Some(other) => panic!("{title}: unknown interpolation {other}"),
            };
            if let (true, Some(next)) = (uses_tangents, keys.get(index + 1)) {
                let has_both = right_tangent.is_some() && next.left_tangent.is_some();
                assert!(
                    has_both,
                    "{title} at {time}: expected both tangents, because Resonite uses 0 for a missing one"
                );
            }
        }
        let ascend = keys.windows(2).all(|pair| pair[0].time <= pair[1].time);
        assert!(ascend, "{title}: key times must ascend");
    }
    animation
}

fn is_resonites(clip: &Clip) -> bool {
    matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX)
}

#[test]
fn every_export_follows_resonites_rules() {
    let mut keys = 0;
    for (name, clip) in small_recordings() {
        let (from, to) = (clip.span.start, clip.span.end());
        let part = from + 0.31 * (to - from)..=from + 0.83 * (to - from);
        let all_options = [
            ExportOptions::default(),
            ExportOptions { range: Some(part), ..ExportOptions::default() },
            ExportOptions { rate: Some(7.0), ..ExportOptions::default() },
        ];
        for options in &all_options {
            let animation = read(&name, &exported_as(&clip, "animj", options).0);
            keys += animation.tracks.iter().map(|track| track.data.keyframes.len()).sum::<usize>();
        }
    }
    assert!(keys > 20_000, "{keys}");
}

type Slots<'a> = BTreeMap<(&'a str, &'a str), &'a [Key]>;

/// Returns three or four components at `time`, interpolated linearly, or held after keys that hold.
fn interpolate(keys: &[Key], time: f64, is_rotation: bool) -> [f64; 4] {
    let values = |key: &Key| {
        let number = |member: &str| key.value.get(member).and_then(Value::as_f64);
        ["x", "y", "z", "w"].map(|member| number(member).unwrap_or_default())
    };
    let after = keys.partition_point(|key| key.time <= time);
    let left = &keys[after.saturating_sub(1)];
    let Some(right) = keys.get(after).filter(|_| after > 0) else { return values(left) };
    if left.interpolation.as_deref() != Some("Linear") {
        return values(left);
    }
    let part = (time - left.time) / (right.time - left.time);
    let (a, b) = (values(left), values(right));
    if is_rotation {
        return DQuat::from_array(a)
            .normalize()
            .slerp(DQuat::from_array(b).normalize(), part)
            .into();
    }
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

#[test]
fn slot_transforms_match_nodes() {
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| !is_resonites(clip)) {
        let (bytes, report) = &*exported_once(&name, &clip, "animj");
        let animation = read(&name, bytes);
        let slots: Slots = animation
            .tracks
            .iter()
            .map(|Track { data: Data { node, property, keyframes }, .. }| {
                ((node.as_str(), property.as_str()), keyframes.as_slice())
            })
            .collect();
        let names = unique_names(&clip);
        // Resonite is left-handed, so Z is mirrored.
        let local = |node: &str, time: f64| {
            let find_keys = |property| slots.get(&(node, property));
            let vector = |property, rest: DVec3| {
                find_keys(property).map_or(rest, |keys| {
                    let [x, y, z, _] = interpolate(keys, time, false);
                    DVec3::new(x, y, z)
                })
            };
            let position = vector("Position", DVec3::ZERO);
            let [x, y, z, w] = find_keys("Rotation")
                .map_or([0.0, 0.0, 0.0, 1.0], |keys| interpolate(keys, time, true));
            Transform {
                translation: DVec3::new(position.x, position.y, -position.z),
                rotation: DQuat::from_xyzw(-x, -y, z, w).normalize(),
                scale: vector("Scale", DVec3::ONE),
            }
        };
        let PoseErrors { off, turned, .. } = largest_pose_errors(&name, &clip, |time| {
            names.iter().map(|name| local(name, time - clip.span.start)).collect()
        });
        let is_reported = report_text(report).contains("too suddenly");
        assert!(off < 2e-5 || is_reported, "{name}: {off}");
        assert!(turned < 1e-4 || is_reported, "{name}: {turned}");
        let mut pose = Pose::default();
        for track in animation.tracks.iter().filter(|track| track.data.property == "Active") {
            assert_eq!(
                track.track_type, "Discrete",
                "{name}: {} must not be interpolated",
                track.data.node
            );
            let index = names.iter().position(|name| *name == track.data.node).unwrap();
            for key in &track.data.keyframes {
                clip.sample(key.time + clip.span.start + 1e-6, &mut pose);
                assert_eq!(key.value, pose.nodes[index].is_visible, "{name} at {}", key.time);
            }
        }
    }
}

fn with_tangents(value_type: &str, right: &str, left: &str) -> String {
    format!(
        r#"{{"tracks": [{{"trackType": "Curve", "valueType": "{value_type}", "data": {{"node": "N",
        "property": "p", "keyframes": [
        {{"time": 0, "value": 0, "interpolation": "CubicBezier", "leftTangent": 0, "rightTangent": {right}}},
        {{"time": 1, "value": 9, "interpolation": "Hold", "leftTangent": {left}, "rightTangent": 0}}]}}}}]}}"#
    )
}

#[test]
fn tangents_have_the_value_type_of_their_track() {
    let cases = [
        ("int", "147", "-3", "147", "-3", "tangents are the recording's own"),
        ("int", "147.0", "-3.6", "147", "-4", "of 1 integer track rounded"),
        ("byte", "300", "-3", "255", "0", "of 1 integer track rounded"),
        ("ulong", "18446744073709551615", "1", "18446744073709551615", "1", "rounded to 53 bits"),
        ("long", "9007199254740993", "1", "9007199254740992", "1", "rounded to 53 bits"),
        ("float", "1.5", "-2", "1.5", "-2.0", "tangents are the recording's own"),
    ];
    for (value_type, right, left, expected_right, expected_left, expected) in cases {
        let text = with_tangents(value_type, right, left);
        let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let (bytes, report) = exported(&clip, "animj");
        let animation = read(value_type, &bytes);
        let keys = &animation.tracks[0].data.keyframes;
        let text = |tangent: &Option<Value>| tangent.as_ref().unwrap().to_string();
        assert_eq!(text(&keys[0].right_tangent), expected_right, "{value_type} {right}");
        assert_eq!(text(&keys[1].left_tangent), expected_left, "{value_type} {left}");
        assert!(report_text(&report).contains(expected), "{value_type}: {}", report_text(&report));
    }
}

/// The recordings include AnimX files with 64-bit tangents.
#[test]
fn integer_tangents_of_resonite_recordings_follow_the_rules() {
    let mut integer_tracks = 0;
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| is_resonites(clip)) {
        let animation = read(&name, &exported_once(&name, &clip, "animj").0);
        let is_integer_track = |track: &&Track| {
            integer_range(track.value_type.trim_end_matches(['2', '3', '4'])).is_some()
                && track.data.keyframes.iter().any(|key| key.right_tangent.is_some())
        };
        integer_tracks += animation.tracks.iter().filter(is_integer_track).count();
    }
    assert!(integer_tracks > 3, "{integer_tracks}");
}

#[test]
fn cuts_between_integer_keys_are_reported() {
    let text = with_tangents("int", "3", "6");
    let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let report_for = |range| {
        let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
        report_text(&exported_as(&clip, "animj", &options).1)
    };
    let expected = "warning: 1 integer track cut between two keys";
    assert!(report_for(0.25..=1.0).contains(expected), "{}", report_for(0.25..=1.0));
    assert!(!report_for(0.0..=1.0).contains(expected), "{}", report_for(0.0..=1.0));
}
