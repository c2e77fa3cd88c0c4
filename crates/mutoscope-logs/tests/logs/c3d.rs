//! Compares C3D files with the values that two independent readers return.

use std::{collections::HashMap, fs, path::Path};

use mutoscope_core::{
    clip::{Clip, Pose, Value as ClipValue},
    diagnostics::Severity,
    formats::ReadOptions,
};
use serde_json::Value;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/c3d")
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.c3d"))).unwrap()
}

fn decode(bytes: &[u8]) -> Clip {
    mutoscope_core::decode(bytes, &ReadOptions::default().with_formats(mutoscope_logs::formats()))
        .unwrap()
}

fn cases() -> HashMap<String, Value> {
    serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
}

#[test]
fn points_and_channels_match_independent_readers() {
    let (mut positions, mut samples) = (0, 0);
    for (name, case) in cases() {
        let clip = decode(&bytes(&name));
        assert_eq!((clip.format.as_str(), clip.version.as_str()), ("table", "c3d"), "{name}");
        let (rate, first) = (case["rate"].as_f64().unwrap(), case["first"].as_f64().unwrap());
        let frames = case["frames"].as_f64().unwrap();
        let rate = f64::from(rate as f32);
        assert!((clip.span.start - (first - 1.0) / rate).abs() < 1e-12, "{name}");
        assert!((clip.span.duration - (frames - 1.0) / rate).abs() < 1e-9, "{name}");
        let metres = if case["unit"] == "mm" { 0.001 } else { 1.0 };
        assert_eq!(clip.convention.metres_per_unit.value, metres, "{name}");
        let mut points = strings(&case["points"]);
        // The last point of this file is an angle, which becomes signals.
        let angle = (name == "intel_whole").then(|| points.pop().unwrap());
        let nodes: Vec<&str> = clip.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(nodes, points, "{name}");
        let convention = clip.convention.viewer_from_source();
        let mut pose = Pose::default();
        for row in case["frames_at"].as_array().unwrap() {
            let time = clip.span.start + row["frame"].as_f64().unwrap() / rate;
            // Sample right after the frame, because times are rounded.
            clip.sample(time + 1e-9, &mut pose);
            for (index, position) in
                row["places"].as_array().unwrap()[..nodes.len()].iter().enumerate()
            {
                let node = &pose.nodes[index];
                let title = format!("{name}: {} at {time}", nodes[index]);
                assert_eq!(node.is_visible, !position.is_null(), "{title}");
                let Some(position) = position.as_array() else { continue };
                let position: Vec<f64> = position.iter().map(|it| it.as_f64().unwrap()).collect();
                let position = convention.convert_point(glam::DVec3::from_slice(&position) * 1.0);
                let distance = node.world.translation.distance(position);
                assert!(
                    distance < 1e-6,
                    "{title}: {} instead of {position}",
                    node.world.translation
                );
                positions += 1;
            }
        }
        let channels = strings(&case["channels"]);
        for (channel, volts) in channels.iter().zip(case["volts"].as_array().unwrap()) {
            let signal = clip.signals.iter().find(|signal| signal.name == *channel).unwrap();
            let curve = &clip.track(signal.track).curve;
            let volts = volts.as_array().unwrap();
            assert_eq!(curve.key_count(), volts.len(), "{name}: {channel}");
            for (sample, volts) in volts.iter().enumerate() {
                let ClipValue::Number(found) = curve.key_value(sample) else { panic!() };
                let volts = volts.as_f64().unwrap();
                assert!(
                    (found - volts).abs() < 2e-6 * (1.0 + volts.abs()),
                    "{name}: {found} {volts}"
                );
                samples += 1;
            }
        }
        if let Some(angle) = angle {
            let signals = clip.signals.iter().map(|signal| signal.name.as_str());
            let angle_signals = signals.filter(|name| name.starts_with(angle)).count();
            assert_eq!(angle_signals, 3, "x, y and z of an angle must be signals");
        }
    }
    assert!(positions > 60 && samples > 500, "{positions} {samples}");
}

#[test]
fn stated_axes_units_and_events_are_used() {
    let clip = decode(&bytes("intel_float"));
    let columns = clip.columns().unwrap();
    assert!(columns.assumed.is_empty(), "{:?}", columns.assumed);
    let is_plain = clip.convention.axes.is_none();
    assert!(is_plain, "right, forward, up must be the plain Z-up convention");
    let events: Vec<(f64, &str)> =
        clip.events.iter().map(|event| (event.time, event.name.as_str())).collect();
    assert_eq!(events.len(), 2);
    assert!((events[0].0 - 0.05).abs() < 1e-6 && events[0].1 == "Left Foot Strike", "{events:?}");
    assert_eq!(events[1].1, "Start");
    // In this file Z points right, Y up and X forward. The viewer's forward is −Z.
    let clip = decode(&bytes("mips_float"));
    assert!(clip.columns().unwrap().assumed.is_empty());
    let moved = clip.convention.viewer_from_source().convert_point(glam::DVec3::Z * 1000.0);
    assert!(moved.distance(glam::DVec3::X) < 1e-12, "{moved}");
    let moved = clip.convention.viewer_from_source().convert_point(glam::DVec3::X * 1000.0);
    assert!(moved.distance(glam::DVec3::NEG_Z) < 1e-12, "{moved}");
    // The file does not state its axes, so they are assumed.
    let clip = decode(&bytes("dec_float"));
    let facts: Vec<_> = clip.columns().unwrap().assumed.iter().map(|one| one.fact).collect();
    assert_eq!(facts, ["axes"]);
}

#[test]
fn truncated_file_keeps_its_complete_frames() {
    let whole = bytes("intel_float");
    let cut = decode(&whole[..whole.len() - 1]);
    assert!((cut.span.duration - 0.28).abs() < 1e-9, "{}", cut.span.duration);
    let worst = cut.diagnostics.iter().find(|notice| notice.severity == Severity::Error).unwrap();
    assert!(worst.message.contains("ends after 29 of 30 frames"), "{}", worst.message);
}

#[test]
fn damaged_files_are_read_or_refused() {
    let mut random = 99_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    let mut read = 0;
    let rotations =
        "../mutoscope-cli/tests/cases/c3d-rotations-and-points/c3d-rotations-and-points.c3d";
    let rotations = Path::new(env!("CARGO_MANIFEST_DIR")).join(rotations);
    let files = cases().into_keys().map(|name| bytes(&name));
    for whole in files.chain([fs::read(rotations).unwrap()]) {
        for _ in 0..400 {
            let mut broken = whole[..whole.len() - next(whole.len() / 2)].to_vec();
            for _ in 0..next(12) {
                // Change mostly the header and the parameters, because errors there have the
                // largest effect.
                let below = if next(4) > 0 { 1400 } else { broken.len() };
                let at = next(below).min(broken.len() - 1);
                let any = next(256) as u8;
                broken[at] = [0, 1, 0x7f, 0x80, 0xff, any][next(6)];
            }
            read += u32::from(crate::can_read_and_sample(&broken));
        }
    }
    assert!(read > 100, "{read}");
}
