//! Recordings that no recorder makes.

use std::ops::ControlFlow;

use mutoscope::{
    clip::Clip,
    export::{ExportError, TARGETS, Target, Wanted},
    formats::{self, DecodeRequest},
};

use crate::{
    exported, exported_as, glb, said,
    support::recording::{Keys, Recording},
};

/// A node, its keys of `x` over time, and how they run.
type Track<'a> = (&'a str, &'a [(f64, f64)], &'a str);

/// An animation of these tracks.
fn animation(tracks: &[Track]) -> Clip {
    let track = |(node, keys, run): &Track| {
        let keys: Vec<_> = keys
            .iter()
            .map(|(time, x)| {
                format!(
                    r#"{{"time": {time:?}, "value": {{"x": {x:?}, "y": 0, "z": 0}}, "interpolation": "{run}"}}"#
                )
            })
            .collect();
        format!(
            r#"{{"trackType": "Curve", "valueType": "float3", "data": {{"node": {}, "property": "Position",
               "keyframes": [{}]}}}}"#,
            serde_json::to_string(node).unwrap(),
            keys.join(",")
        )
    };
    let tracks: Vec<_> = tracks.iter().map(track).collect();
    let text = format!(r#"{{"tracks": [{}]}}"#, tracks.join(","));
    formats::decode(text.as_bytes(), &DecodeRequest::default().format(formats::FormatId::ANIMJ))
        .unwrap()
}

#[test]
fn clips_of_nothing_one_key_and_no_time_are_written() {
    let clips = [
        animation(&[]),
        animation(&[("still", &[(0.0, 1.0)], "Linear")]),
        animation(&[("late", &[(5.0, 1.0)], "Linear")]),
        animation(&[("jump", &[(0.0, 1.0), (0.0, 2.0)], "Linear")]),
        animation(&[("none", &[], "Hold")]),
        animation(&[("tiny", &[(0.0, 0.0), (1e-300, 1.0)], "Linear")]),
        animation(&[("huge", &[(0.0, 1e38), (1e9, -1e38)], "Linear")]),
    ];
    for clip in &clips {
        for target in &TARGETS {
            let mut bytes = Vec::new();
            let go_on = &mut |_| ControlFlow::Continue(());
            match target.write(clip, &Wanted::default(), &mut bytes, go_on) {
                Ok(_) => assert!(!bytes.is_empty(), "{}", target.extension),
                // Thirty years are more frames than anybody can want.
                Err(ExportError::TooMuch(_)) if target.extension == "bvh" => {}
                Err(error) => panic!("{}: {error}", target.extension),
            }
        }
    }
}

#[test]
fn names_may_be_anything() {
    let names =
        ["", "a b", "say \"hi\"", "two\nlines", "comma,", "{", "}", "é☃", "a", "a", "a;#//"];
    let tracks: Vec<_> =
        names.iter().map(|name| (*name, &[(0.0, 0.0), (1.0, 1.0)][..], "Linear")).collect();
    let clip = animation(&tracks);
    for target in &TARGETS {
        assert!(!exported(&clip, target.extension).0.is_empty(), "{}", target.extension);
    }
}

#[test]
fn what_would_be_endless_is_refused() {
    let clip = animation(&[("far", &[(0.0, 0.0), (1e30, 1.0)], "Linear")]);
    for target in &TARGETS {
        let wanted = Wanted { rate: Some(1000.0), ..Wanted::default() };
        let result =
            target.write(&clip, &wanted, &mut Vec::new(), &mut |_| ControlFlow::Continue(()));
        assert!(matches!(result, Err(ExportError::TooMuch(_))), "{}", target.extension);
    }
}

#[test]
fn a_million_keys_take_seconds_at_most() {
    let keys: Vec<_> =
        (0..125_000).map(|key| (f64::from(key) / 100.0, f64::from(key % 7))).collect();
    let tracks: Vec<_> =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| (name, &keys[..], "Linear")).into();
    let clip = animation(&tracks);
    assert_eq!(clip.key_count(), 1_000_000);
    for target in &TARGETS {
        let start = std::time::Instant::now();
        let (bytes, _) = exported(&clip, target.extension);
        let took = start.elapsed().as_secs_f64();
        println!("{}: {took:.2} s, {} bytes", target.extension, bytes.len());
        assert!(took < 30.0, "{}: {took} s", target.extension);
    }
}

#[test]
fn ranges_before_and_after_the_clip_are_written() {
    let clip = animation(&[("a", &[(0.0, 0.0), (1.0, 1.0)], "Linear")]);
    for target in &TARGETS {
        for range in [-2.0..=-1.0, 0.5..=0.5, 5.0..=6.0, -1.0..=3.0] {
            let wanted = Wanted { range: Some(range), ..Wanted::default() };
            assert!(!exported_as(&clip, target.extension, &wanted).0.is_empty());
        }
    }
    assert!(Target::of_extension("fbx").is_none());
}

#[test]
fn what_is_no_number_is_left_out_and_said() {
    let still = |value| Keys::simple(&[(0.0, value)]);
    let broken = Keys::simple(&[(0.0, 1.0), (1.0, f32::NAN), (2.0, 3.0), (3.0, f32::INFINITY)]);
    let gaze = [broken, still(2.0), still(3.0), still(0.0), still(0.0), still(1.0)];
    let clip =
        formats::decode(&Recording::of_gaze(gaze).bytes(), &DecodeRequest::default()).unwrap();
    for target in &TARGETS {
        let (bytes, report) = exported(&clip, target.extension);
        if target.extension == "glb" {
            assert!(glb::numbers(&bytes).iter().all(|number| number.is_finite()));
        } else {
            let text = String::from_utf8(bytes).unwrap();
            let is_number = |word: &&str| word.parse::<f64>().is_ok_and(|it| !it.is_finite());
            let words = text.split(|c: char| c.is_whitespace() || ",;:".contains(c));
            assert_eq!(words.filter(|word| !word.is_empty()).find(is_number), None);
        }
        let is_told = said(&report).contains("not finite");
        // Tables have empty cells.
        assert!(is_told || target.extension == "csv", "{}", said(&report));
    }
}
