//! Tests of Maya exports, read back by our own decoder.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, Pose, TrackId, Value},
    decode,
    export::ExportOptions,
    formats::FormatId,
};

use crate::export::{
    compare::{PoseErrors, largest_pose_errors},
    exported, exported_as, recordings, report_text, times,
};

fn read(bytes: &[u8]) -> Clip {
    decode(bytes, &ReadOptions::from(mutoscope_cli::registry()).with_format(FormatId::MAYA))
        .unwrap()
}

/// Returns the nodes depth first, which is the order of the curves in the file.
fn depth_first(clip: &Clip) -> Vec<NodeId> {
    fn add(clip: &Clip, parent: Option<NodeId>, order: &mut Vec<NodeId>) {
        for (id, _) in clip.nodes.with_ids().filter(|(_, node)| node.parent == parent) {
            order.push(id);
            add(clip, Some(id), order);
        }
    }
    let mut order = Vec::new();
    add(clip, None, &mut order);
    order
}

#[test]
fn maya_recordings_read_back_equal() {
    let (mut values, mut farthest) = (0, 0.0_f64);
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| clip.format == FormatId::MAYA) {
        let (bytes, report) = exported(&clip, "anim");
        let back = read(&bytes);
        // The export has the range of the recording, which leaves out the same keys.
        let mut warnings = back.diagnostics.iter().filter(|diagnostic| {
            diagnostic.severity > mutoscope_core::diagnostics::Severity::Info
                && !diagnostic.message.contains("outside of startTime and endTime")
        });
        assert_eq!(warnings.next(), None, "{name}");
        let names = |clip: &Clip| -> Vec<_> {
            clip.nodes.iter().map(|node| (node.name.clone(), node.parent)).collect()
        };
        assert_eq!(names(&clip), names(&back), "{name}");
        assert_eq!(clip.tracks.len(), back.tracks.len(), "{name}");
        assert!(report_text(&report).contains("tangents and infinities are the recording's own"));
        let span = clip.span.start..=clip.span.end();
        let length = clip.span.duration.max(1.0);
        let outside = [-2.3, -0.4, 1.3, 2.7].map(|part| span.start() + part * length);
        for id in (0..clip.tracks.len()).map(TrackId::new) {
            let (own, written) = (clip.track(id), back.track(id));
            assert_eq!(own.property, written.property, "{name}");
            assert_eq!(own.curve.key_count(), written.curve.key_count(), "{name}");
            assert_eq!(own.curve.type_name(), written.curve.type_name(), "{name}");
            for time in times(&clip, 300).into_iter().chain(outside) {
                match (clip.value(id, time), back.value(id, time)) {
                    (Value::Number(own), Value::Number(theirs)) => {
                        let off = (own - theirs).abs() / own.abs().max(1.0);
                        assert!(
                            off < 1e-5,
                            "{name}: {} at {time}: {own} {theirs}",
                            written.property
                        );
                        farthest = farthest.max(off);
                        values += 1;
                    }
                    (own, theirs) => assert_eq!(own, theirs, "{name} at {time}"),
                }
            }
        }
        let (mut one, mut other) = (Pose::default(), Pose::default());
        for time in times(&clip, 100) {
            clip.sample(time, &mut one);
            back.sample(time, &mut other);
            for (own, theirs) in one.nodes.iter().zip(&other.nodes) {
                let off = own.world.translation.distance(theirs.world.translation);
                assert!(off <= 1e-5 * own.world.translation.length().max(1.0), "{name} at {time}");
                assert_eq!(own.is_visible, theirs.is_visible, "{name} at {time}");
            }
        }
    }
    println!("{values} values, at most {farthest:.1e} off");
    assert!(values > 2000, "{values}");
}

#[test]
fn positions_of_other_formats_are_kept() {
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| clip.format != FormatId::MAYA) {
        let (bytes, report) = exported(&clip, "anim");
        let back = read(&bytes);
        let order = depth_first(&clip);
        assert_eq!(order.len(), back.nodes.len(), "{name}");
        let mut pose = Pose::default();
        let mut locals = vec![mutoscope_core::clip::Transform::IDENTITY; order.len()];
        let found = largest_pose_errors(&name, &clip, |time| {
            back.sample(time, &mut pose);
            for (id, stands) in order.iter().zip(&pose.nodes) {
                locals[id.index()] = stands.local;
            }
            locals.clone()
        });
        let PoseErrors { off, turned, compared } = found;
        println!("{name}: {off:.1e} m, {turned:.1e} rad, {compared} poses, {} B", bytes.len());
        let is_reported = report_text(&report).contains("too suddenly");
        assert!(off < 5e-5 || is_reported, "{name}: {off}");
        assert!(turned < 1e-4 || is_reported, "{name}: {turned}");
    }
}

#[test]
fn angles_continue_without_jumps() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let back = read(&exported(&clip, "anim").0);
    let rotations = back.tracks.iter().filter(|track| track.property.starts_with("rotate"));
    let mut keys = 0;
    for track in rotations {
        let values: Vec<f64> = track.curve.scalar().values().iter().collect();
        for pair in values.windows(2) {
            assert!((pair[0] - pair[1]).abs() < 90.0, "{}: {pair:?}", track.property);
            keys += 1;
        }
    }
    assert!(keys > 1000);
}

#[test]
fn samples_are_evenly_spaced() {
    let (_, clip) =
        recordings().into_iter().find(|(name, _)| name == "3p_smashforge.anim").unwrap();
    let options = ExportOptions { rate: Some(30.0), ..ExportOptions::default() };
    let back = read(&exported_as(&clip, "anim", &options).0);
    assert_eq!(back.rate_hz, Some(30.0));
    for track in back.tracks.iter().filter(|track| !track.curve.key_times().is_empty()) {
        let gaps = track.curve.key_times().windows(2);
        assert!(gaps.clone().all(|gap| gap[1] - gap[0] < 1.0 / 30.0 + 1e-9), "{}", track.property);
    }
}

/// Maya would merge two curves of one attribute. A signal with the name of a motion attribute would
/// move its node.
#[test]
fn signals_with_the_same_name_are_numbered() {
    let track = |property: &str, value: u32| {
        format!(
            r#"{{"trackType": "Discrete", "valueType": "float", "data": {{"node": "N",
            "property": "{property}", "keyframes": [{{"time": 0, "value": {value}}}]}}}}"#
        )
    };
    let names = ["p", "p", "a.b", "a_b", "translateX", "visibility", "p_001"];
    let tracks: Vec<_> = names.iter().zip(1..).map(|(name, value)| track(name, value)).collect();
    let text = format!(r#"{{"tracks": [{}]}}"#, tracks.join(","));
    let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let (bytes, report) = exported(&clip, "anim");
    let back = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let found: Vec<_> = back
        .tracks
        .iter()
        .enumerate()
        .map(|(index, track)| {
            let value = back.value(mutoscope_core::clip::TrackId::new(index), 0.0);
            (track.property.as_str(), value)
        })
        .collect();
    let expected = [
        "visibility",
        "p",
        "p_001",
        "a_b",
        "a_b_001",
        "translateX_001",
        "visibility_001",
        "p_001_001",
    ];
    // A node without motion is hidden, so the visibility of value 0 comes first.
    let values = (0..).map(|value| mutoscope_core::clip::Value::Number(f64::from(value)));
    let expected: Vec<_> = expected.into_iter().zip(values).collect();
    assert_eq!(found, expected);
    assert_eq!(back.signals.len(), 7, "no signal may move or hide the node");
    let text = report_text(&report);
    assert!(
        text.contains("info: 5 signals renamed to be unique: \"N.p\" is \"N.p_001\""),
        "{text}"
    );
}
