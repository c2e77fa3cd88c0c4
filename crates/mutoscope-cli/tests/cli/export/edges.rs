//! Tests of the ends of exported ranges, and of recordings far from the origin.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    export::ExportOptions,
};

use crate::export::{
    exported, exported_as, recordings, report_text, small_recordings, strict_animj,
};

/// Returns export options, each with the start and end of the exported range: the whole clip and a
/// part, with the clip's own keys and at a rate that does not meet the end.
fn export_ranges(clip: &Clip) -> Vec<(ExportOptions, f64, f64)> {
    let (from, to) = (clip.span.start, clip.span.end());
    let part = (from + 0.31 * (to - from), from + 0.83 * (to - from));
    let options = |range: Option<(f64, f64)>, rate| ExportOptions {
        range: range.map(|(from, to)| from..=to),
        rate,
        ..ExportOptions::default()
    };
    // The last frame is before the end, because the range has 10.5 frame intervals.
    let rate = Some(10.5 / (to - from)).filter(|rate| rate.is_finite());
    vec![
        (options(None, None), from, to),
        (options(Some(part), None), part.0, part.1),
        (options(None, rate), from, to),
        (options(Some(part), rate), part.0, part.1),
    ]
}

#[test]
fn glb_duration_equals_the_range() {
    let mut animated = 0;
    for (name, clip) in small_recordings() {
        for (options, from, to) in export_ranges(&clip) {
            let bytes = exported_as(&clip, "glb", &options).0;
            let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
            let blob = gltf.blob.as_deref().unwrap_or_default();
            let inputs = gltf.animations().flat_map(|animation| animation.channels()).map(|one| {
                let times: Vec<f32> = one.reader(|_| Some(blob)).read_inputs().unwrap().collect();
                (times[0], times[times.len() - 1])
            });
            let Some(ends) = inputs.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { continue };
            let expected = (to - from) as f32;
            assert!((ends.1 - expected).abs() <= 2e-6 * expected.max(1.0), "{name}: {ends:?}");
            assert!(ends.0 <= 2e-6 * expected.max(1.0), "{name} {options:?}: {ends:?}");
            animated += 1;
        }
    }
    assert!(animated > 100, "{animated}");
}

#[test]
fn table_has_rows_at_both_ends() {
    for (name, clip) in small_recordings() {
        for (options, from, to) in export_ranges(&clip) {
            let bytes = exported_as(&clip, "csv", &options).0;
            let text = String::from_utf8(bytes).unwrap();
            let times: Vec<f64> = crate::export::csv::parse_rows(&text)[1..]
                .iter()
                .map(|row| row[0].parse().unwrap())
                .collect();
            assert_eq!((times[0], times[times.len() - 1]), (from, to), "{name} {options:?}");
        }
    }
}

#[test]
fn animj_has_keys_at_both_ends_and_equal_duration() {
    for (name, clip) in small_recordings() {
        for (options, from, to) in export_ranges(&clip) {
            let animation = strict_animj::read(&name, &exported_as(&clip, "animj", &options).0);
            assert!((animation.global_duration - (to - from)).abs() < 1e-9, "{name}");
            let times = animation.tracks.iter().flat_map(|track| &track.data.keyframes);
            let last = times.map(|key| key.time).fold(0.0, f64::max);
            let has_motion = animation.tracks.iter().any(|track| track.data.keyframes.len() > 1);
            let is_own = name.ends_with(".animj") || name.ends_with(".animx");
            // Unchanged tracks of the recording end with their own last keys, but sampled and cut
            // tracks have a key at the end. Tracks that only step are not sampled.
            let has_curves = animation.tracks.iter().any(|track| track.track_type == "Curve");
            if has_motion && (!is_own || options.rate.is_some() && has_curves) {
                assert!((last - (to - from)).abs() < 1e-6 * to.max(1.0), "{name}: {last}");
            }
        }
    }
}

#[test]
fn stepped_tracks_are_cut_at_both_ends() {
    let text = r#"{"tracks": [{"trackType": "Discrete", "valueType": "string", "data":
        {"node": "Sub", "property": "Text", "keyframes": [
        {"time": 0, "value": "a"}, {"time": 1, "value": "b"}, {"time": 2, "value": "c"}]}}]}"#;
    let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let options = ExportOptions { range: Some(0.5..=1.5), ..ExportOptions::default() };
    let animation = strict_animj::read("text", &exported_as(&clip, "animj", &options).0);
    let keys: Vec<_> = animation.tracks[0]
        .data
        .keyframes
        .iter()
        .map(|key| (key.time, key.value.as_str().unwrap()))
        .collect();
    assert_eq!(keys, [(0.0, "a"), (0.5, "b"), (1.0, "b")]);
}

#[test]
fn bvh_reports_a_last_frame_before_the_end() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let report_for = |range, rate| {
        let options = ExportOptions { range: Some(range), rate, ..ExportOptions::default() };
        report_text(&exported_as(&clip, "bvh", &options).1)
    };
    let between = report_for(0.0..=1.0, Some(0.75));
    let expected = "warning: the end, 1 s, is between two frames; the last frame is at 0 s";
    assert!(between.contains(expected), "{between}");
    let even = report_for(0.0..=1.0, Some(10.0));
    assert!(!even.contains("between two frames"), "{even}");
}

/// Returns a clip in which a node moves between two positions in one second.
fn straight_move(from: [f64; 3], to: [f64; 3]) -> Clip {
    let key = |time: f64, [x, y, z]: [f64; 3]| {
        format!(
            "{time} {x} linear linear 1 1 0;|{time} {y} linear linear 1 1 0;|\
             {time} {z} linear linear 1 1 0;"
        )
    };
    let (first, last) = (key(0.0, from), key(1.0, to));
    let curves: String = ["X", "Y", "Z"]
        .iter()
        .zip(first.split('|').zip(last.split('|')))
        .enumerate()
        .map(|(index, (axis, (first, last)))| {
            format!(
                "anim translate.translate{axis} translate{axis} far 0 0 {index};\nanimData {{\n\
                 input time;\noutput linear;\nweighted 0;\npreInfinity constant;\n\
                 postInfinity constant;\nkeys {{\n{first}\n{last}\n}}\n}}\n"
            )
        })
        .collect();
    let text = format!(
        "animVersion 1.1;\nmayaVersion 2022;\ntimeUnit sec;\nlinearUnit m;\nangularUnit deg;\n\
         startTime 0;\nendTime 1;\n{curves}"
    );
    decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}

#[test]
fn distant_positions_are_written_relative_to_a_reported_origin() {
    let clip = straight_move([3e7, 64.0, -3e7], [3e7 + 3.0, 65.0, -3e7]);
    let (bytes, report) = exported(&clip, "glb");
    let text = report_text(&report);
    assert!(text.contains("far from the origin") && !text.contains("to steps of"), "{text}");
    let back = crate::export::glb::GlbFile::new(&bytes);
    let mut pose = Pose::default();
    for time in [0.0, 0.3, 1.0] {
        clip.sample(time, &mut pose);
        let held = back.rest[1].translation;
        let found = held + back.local(0, time).translation;
        let off = found.distance(pose.nodes[0].world.translation);
        assert!(off < 1e-5, "{time}: {off}");
    }
    let (bytes, report) = exported(&clip, "animj");
    let text = report_text(&report);
    assert!(text.contains("warning: far from the origin: positions are relative to"), "{text}");
    for key in &strict_animj::read("far", &bytes).tracks[0].data.keyframes {
        for axis in ["x", "y", "z"] {
            assert!(key.value[axis].as_f64().unwrap().abs() < 10.0, "{:?}", key.value);
        }
    }
}

#[test]
fn loss_of_precision_at_large_extents_is_reported() {
    let clip = straight_move([0.0; 3], [6e7, 0.0, 0.0]);
    for (target, reader) in [("glb", "glTF"), ("animj", "Resonite"), ("bvh", "a reader")] {
        let text = report_text(&exported(&clip, target).1);
        assert!(text.contains(reader) && text.contains("to steps of"), "{target}: {text}");
    }
    let near = straight_move([0.0; 3], [100.0, 0.0, 0.0]);
    for target in ["glb", "animj", "bvh"] {
        let text = report_text(&exported(&near, target).1);
        assert!(!text.contains("to steps of") && !text.contains("far from"), "{target}: {text}");
    }
}
