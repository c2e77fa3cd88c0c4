//! Tests of AnimJ exports, read back by our own decoder.

use std::collections::HashMap;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, Pose, TrackId, Transform, Value},
    decode,
    export::ExportOptions,
    formats::FormatId,
};

use crate::export::{
    compare::{PoseErrors, largest_pose_errors},
    exported, exported_as, exported_once, recordings, report_text, times,
};

fn read(bytes: &[u8]) -> Clip {
    let clip =
        decode(bytes, &ReadOptions::from(mutoscope_cli::registry()).with_format(FormatId::ANIMJ))
            .unwrap();
    let messages: Vec<_> = clip.diagnostics.iter().map(|notice| notice.message.as_str()).collect();
    // Nodes without motion have no tracks, and signals keep the names of their own format, so these
    // diagnostics are expected.
    let is_expected =
        |message: &&str| *message == "no tracks" || message.contains("is not a field of a slot");
    assert!(messages.iter().all(is_expected), "{messages:?}");
    clip
}

fn is_resonites(clip: &Clip) -> bool {
    matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX)
}

/// AnimJ has no matrices, so matrix tracks are not exported.
fn exportable_tracks(clip: &Clip) -> Vec<TrackId> {
    let is_matrix = |name: &str| name.contains("x2") || name.contains("x3") || name.contains("x4");
    let ids = clip.tracks.iter().enumerate();
    ids.filter(|(_, track)| !is_matrix(track.curve.type_name()))
        .map(|(index, _)| TrackId::new(index))
        .collect()
}

#[test]
fn resonite_recordings_read_back_equal_in_values_and_types() {
    let mut values = 0;
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| is_resonites(clip)) {
        if clip.skeleton.attached().is_some() {
            continue;
        }
        let back = decode(
            &exported_once(&name, &clip, "animj").0,
            &ReadOptions::from(mutoscope_cli::registry()).with_format(FormatId::ANIMJ),
        );
        let back = back.unwrap();
        let own = exportable_tracks(&clip);
        assert_eq!(own.len(), back.tracks.len(), "{name}");
        assert_eq!(clip.span, back.span, "{name}");
        for (own, theirs) in own.into_iter().zip((0..).map(TrackId::new)) {
            let (track, written) = (clip.track(own), back.track(theirs));
            let title = format!("{name}: {}.{}", clip.owner_name(track.owner), track.property);
            assert_eq!(clip.owner_name(track.owner), back.owner_name(written.owner), "{title}");
            assert_eq!(track.property, written.property, "{title}");
            assert_eq!(track.curve.type_name(), written.curve.type_name(), "{title}");
            let keys = track.curve.key_count();
            if written.curve.key_count() == keys {
                for key in 0..keys {
                    let (own, theirs) = (track.curve.key_value(key), written.curve.key_value(key));
                    assert_eq!(own, theirs, "{title}, key {key}");
                }
            }
            for time in times(&clip, 300).into_iter().chain([-1.0, clip.span.end() + 1.0]) {
                assert_eq!(clip.value(own, time), back.value(theirs, time), "{title} at {time}");
                values += 1;
            }
        }
    }
    assert!(values > 10_000, "{values}");
}

#[test]
fn range_of_a_resonite_recording_is_cut_exactly() {
    let mut values = 0;
    for (name, clip) in recordings().into_iter().filter(|(_, clip)| is_resonites(clip)) {
        let (from, to) = (0.31 * clip.span.duration, 0.83 * clip.span.duration);
        if clip.skeleton.attached().is_some() || from >= to {
            continue;
        }
        let options = ExportOptions { range: Some(from..=to), ..ExportOptions::default() };
        let back = decode_animj(&exported_as(&clip, "animj", &options).0);
        for (own, theirs) in exportable_tracks(&clip).into_iter().zip((0..).map(TrackId::new)) {
            for step in 0..=40 {
                let time = from + (to - from) * f64::from(step) / 40.0;
                let (own, theirs) = (clip.value(own, time), back.value(theirs, time - from));
                assert!(is_nearly_equal(&own, &theirs), "{name} at {time}: {own:?} {theirs:?}");
                values += 1;
            }
        }
    }
    assert!(values > 5_000, "{values}");
}

fn decode_animj(bytes: &[u8]) -> Clip {
    decode(bytes, &ReadOptions::from(mutoscope_cli::registry()).with_format(FormatId::ANIMJ))
        .unwrap()
}

/// Integers may be off by one between keys, because both values are rounded.
fn is_nearly_equal(one: &Value, other: &Value) -> bool {
    let numbers = |value: &Value| -> Option<Vec<f64>> {
        match value {
            Value::Number(number) => Some(vec![*number]),
            Value::Numbers(numbers) => Some(numbers.to_vec()),
            Value::Integer(integer) => Some(vec![*integer as f64]),
            Value::Integers(integers) => Some(integers.iter().map(|it| *it as f64).collect()),
            _ => None,
        }
    };
    let is_integer = matches!(one, Value::Integer(_) | Value::Integers(_));
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => one.iter().zip(&other).all(|(one, other)| {
            let tolerance =
                if is_integer { 1.0 + 1e-9 * one.abs() } else { 1e-6 * one.abs().max(1.0) };
            (one - other).abs() <= tolerance
        }),
        _ => one == other,
    }
}

#[test]
fn positions_of_other_formats_are_kept() {
    for (name, clip) in recordings() {
        if is_resonites(&clip) && clip.skeleton.attached().is_none() {
            continue;
        }
        let (bytes, report) = &*exported_once(&name, &clip, "animj");
        let mut back = read(bytes);
        back.convention.mirror = clip.convention.mirror;
        if is_resonites(&clip) {
            continue;
        }
        let slots: HashMap<&str, usize> = back
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (node.name.as_str(), index))
            .collect();
        let names = unique_names(&clip);
        let mut pose = Pose::default();
        let found = largest_pose_errors(&name, &clip, |time| {
            back.sample(time - clip.span.start, &mut pose);
            let local = |name: &String| {
                slots.get(name.as_str()).map_or(Transform::IDENTITY, |&slot| pose.nodes[slot].local)
            };
            names.iter().map(local).collect()
        });
        let PoseErrors { off, turned, compared } = found;
        println!("{name}: {off:.1e} m, {turned:.1e} rad, {compared} poses, {} B", bytes.len());
        let is_reported = report_text(report).contains("too suddenly");
        assert!(off < 2e-5 || is_reported, "{name}: {off}");
        assert!(turned < 1e-4 || is_reported, "{name}: {turned}");
    }
}

/// Numbers repeated names in the same way as the exporter.
pub(crate) fn unique_names(clip: &Clip) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for node in clip.nodes.iter() {
        let mut name = node.name.clone();
        let mut number = 0;
        while unique.contains(&name) {
            number += 1;
            name = format!("{}.{number:03}", node.name);
        }
        unique.push(name);
    }
    unique
}

#[test]
fn hidden_nodes_are_inactive_and_signals_exported() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let back = read(&exported(&clip, "animj").0);
    let track = |name: &str| {
        let signal = back.signals.iter().find(|signal| signal.name == name);
        signal.unwrap_or_else(|| panic!("{name} is there")).track
    };
    let (active, pinch) = (track("left/Wrist.Active"), track("left.pinch"));
    let wrist = clip.nodes.iter().position(|node| node.name == "left/Wrist").unwrap();
    let own_pinch = clip.signals.iter().position(|signal| signal.name == "left/pinch").unwrap();
    let mut pose = Pose::default();
    for time in times(&clip, 300) {
        clip.sample(time, &mut pose);
        let shown = Value::Bool(pose[NodeId::new(wrist)].is_visible);
        assert_eq!(back.value(active, time), shown, "{time}");
        assert_eq!(back.value(pinch, time), pose.signals[own_pinch], "{time}");
    }
}

/// A signal with the name of a slot's field would move or hide its node, so it is renamed, too.
#[test]
fn signals_with_the_same_name_are_numbered() {
    let curve = |name: &str, at: usize, value: u32| {
        format!(
            "anim {name} {name} N 0 0 {at};\nanimData {{\noutput unitless;\nkeys {{\n\
             0 {value} linear linear 1 1 0;\n1 {value} linear linear 1 1 0;\n}}\n}}\n"
        )
    };
    let names = ["p", "Position", "p", "Active"];
    let curves: String =
        names.iter().enumerate().map(|(at, name)| curve(name, at, at as u32 + 1)).collect();
    let text =
        format!("animVersion 1.1;\ntimeUnit sec;\nlinearUnit m;\nangularUnit deg;\n{curves}");
    let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    assert_eq!(clip.signals.len(), 4);
    let (bytes, report) = exported(&clip, "animj");
    let back = read(&bytes);
    let found: Vec<_> = back.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(found, ["N.p", "N.Position.001", "N.p.001", "N.Active.001"]);
    let report_lines = report_text(&report);
    assert!(report_lines.contains("3 signals renamed to be unique"), "{report_lines}");
}
