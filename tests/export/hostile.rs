//! Recordings that no recorder makes.

use std::{ops::ControlFlow, time::Duration};

use mutoscope::{
    clip::Clip,
    export::{ExportError, ExportOptions, ExportTarget},
    formats::{self, DecodeRequest},
};

use crate::{
    exported, exported_as, glb, said,
    support::{
        recording::{Keys, Recording},
        scaling::{assert_grows_with_its_input, grows_with_its_input},
    },
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
fn empty_single_key_and_zero_length_clips_are_exported() {
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
        for target in ExportTarget::motion() {
            let mut bytes = Vec::new();
            let go_on = &mut |_| ControlFlow::Continue(());
            match target.write(clip, &ExportOptions::default(), &mut bytes, go_on) {
                Ok(_) => assert!(!bytes.is_empty(), "{}", target.extension),
                // Thirty years have more frames than the limit.
                Err(ExportError::TooMuch(_)) if target.extension == "bvh" => {}
                Err(error) => panic!("{}: {error}", target.extension),
            }
        }
    }
}

/// An empty output is reported.
#[test]
fn empty_exports_are_reported() {
    let clip = animation(&[]);
    for (target, words) in [("glb", "an empty scene"), ("anim", "the file has no curves")] {
        let text = said(&exported(&clip, target).1);
        assert!(text.contains("warning: ") && text.contains(words), "{target}: {text}");
    }
}

#[test]
fn names_may_be_anything() {
    let names =
        ["", "a b", "say \"hi\"", "two\nlines", "comma,", "{", "}", "é☃", "a", "a", "a;#//"];
    let tracks: Vec<_> =
        names.iter().map(|name| (*name, &[(0.0, 0.0), (1.0, 1.0)][..], "Linear")).collect();
    let clip = animation(&tracks);
    for target in ExportTarget::motion() {
        assert!(!exported(&clip, target.extension).0.is_empty(), "{}", target.extension);
    }
}

#[test]
fn export_refuses_unbounded_sample_counts() {
    let clip = animation(&[("far", &[(0.0, 0.0), (1e30, 1.0)], "Linear")]);
    for target in ExportTarget::motion() {
        let options = ExportOptions { rate: Some(1000.0), ..ExportOptions::default() };
        let result =
            target.write(&clip, &options, &mut Vec::new(), &mut |_| ControlFlow::Continue(()));
        assert!(matches!(result, Err(ExportError::TooMuch(_))), "{}", target.extension);
    }
}

#[test]
fn export_work_grows_linearly_with_keys() {
    let clip = |count: usize| {
        let keys: Vec<_> =
            (0..count / 8).map(|key| (key as f64 / 100.0, (key % 7) as f64)).collect();
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        animation(&names.map(|name| (name, &keys[..], "Linear")))
    };
    for target in ExportTarget::motion() {
        let work = |clip: &Clip| drop(exported(clip, target.id));
        assert_grows_with_its_input(target.id, 160_000, clip, work);
    }
}

/// The measure counts processor time only.
#[test]
fn idle_time_is_not_counted_as_work() {
    let wait = |size: &usize| std::thread::sleep(Duration::from_micros(*size as u64));
    assert_grows_with_its_input("waiting", 8_000, |size| size * size / 400, wait);
}

#[test]
fn quadratic_growth_is_detected() {
    let milliseconds = |times: &[[u64; 2]]| {
        let times: Vec<_> = times.iter().map(|pair| pair.map(Duration::from_millis)).collect();
        grows_with_its_input(times.into_iter())
    };
    assert_eq!(milliseconds(&[[10, 80], [10, 80]]), Ok(()));
    let square = [Duration::from_millis(10), Duration::from_millis(640)];
    assert_eq!(milliseconds(&[[10, 640], [12, 650]]), Err(square));
    // One disturbed measurement of the larger input is ignored.
    assert_eq!(milliseconds(&[[10, 640], [10, 85]]), Ok(()));
    // What is too short to be measured is never to blame.
    assert_eq!(milliseconds(&[[0, 19]]), Ok(()));
}

#[test]
fn ranges_before_and_after_the_clip_are_written() {
    let clip = animation(&[("a", &[(0.0, 0.0), (1.0, 1.0)], "Linear")]);
    for target in ExportTarget::motion() {
        for range in [-2.0..=-1.0, 0.5..=0.5, 5.0..=6.0, -1.0..=3.0] {
            let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
            assert!(!exported_as(&clip, target.extension, &options).0.is_empty());
        }
    }
    assert!(ExportTarget::of_extension("fbx").is_none());
}

#[test]
fn non_finite_values_are_skipped_and_reported() {
    let still = |value| Keys::simple(&[(0.0, value)]);
    let broken = Keys::simple(&[(0.0, 1.0), (1.0, f32::NAN), (2.0, 3.0), (3.0, f32::INFINITY)]);
    let gaze = [broken, still(2.0), still(3.0), still(0.0), still(0.0), still(1.0)];
    let clip =
        formats::decode(&Recording::of_gaze(gaze).bytes(), &DecodeRequest::default()).unwrap();
    for target in ExportTarget::motion() {
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
