//! Tests of the option that thins keys.

use glam::DQuat;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    export::{ExportOptions, TargetSettings},
};
use mutoscope_testing::minute_mrtk;

use crate::export::{exported_as, report_text};

/// The end of the exported range, in seconds.
const END_S: f64 = 6.0;

/// The rounding of targets: f32 values, and normalised interpolation within 10⁻⁵ rad.
const ROUNDING: f64 = 2e-5;

fn hands() -> Clip {
    let bytes = minute_mrtk::recording(minute_mrtk::Keyed::EveryFrame).encode();
    decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}

fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a - b).length().min((a + b).length())
}

#[test]
fn thinned_keys_are_within_the_bounds_at_every_original_key() {
    let clip = hands();
    let (millimetres, degrees) = (5.0, 4.0);
    for (target, min_ratio) in [("animx", 2.0), ("glb", 1.1), ("fbx", 1.1), ("anim", 1.1)] {
        let option = mutoscope_cli::targets().target(target).unwrap().option("thin").unwrap();
        let settings = TargetSettings::default()
            .with(option, format!("{millimetres},{degrees}").as_str().into());
        let range = Some(0.0..=END_S);
        let whole = ExportOptions { range: range.clone(), ..ExportOptions::default() };
        let thin = ExportOptions { range, settings, ..ExportOptions::default() };
        let (all, _) = exported_as(&clip, target, &whole);
        let (bytes, report) = exported_as(&clip, target, &thin);
        assert!(report_text(&report).contains("within 5 mm and 4°"), "{target}");
        let back = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let before = decode(&all, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let ratio = before.key_count() as f64 / back.key_count() as f64;
        assert!(ratio > min_ratio, "{target}: {ratio}");
        let [mut expected, mut found] = [Pose::default(), Pose::default()];
        let mut largest = [0.0_f64; 2];
        let times = clip.tracks[0].curve.key_times().iter().take_while(|time| **time <= END_S);
        for &time in times {
            before.sample_motion(time, &mut expected);
            back.sample_motion(time, &mut found);
            for (expected, found) in expected.nodes.iter().zip(&found.nodes) {
                // The joints have no parents, and the world of every target is in metres.
                let [expected, found] = [expected.world, found.world];
                largest[0] = largest[0].max(expected.translation.distance(found.translation));
                largest[1] = largest[1].max(angle(expected.rotation, found.rotation));
            }
        }
        let bounds = [1e-3 * millimetres, f64::to_radians(degrees)];
        for (error, bound) in largest.into_iter().zip(bounds) {
            assert!(error <= bound + ROUNDING && error > 0.2 * bound, "{target}: {largest:?}");
        }
    }
}

#[test]
fn bounds_of_zero_keep_the_motion() {
    let clip = hands();
    let option = mutoscope_cli::targets().target("animx").unwrap().option("thin").unwrap();
    let range = Some(0.0..=2.0);
    let whole = ExportOptions { range, ..ExportOptions::default() };
    let settings = TargetSettings::default().with(option, "0,0".into());
    let thin = ExportOptions { settings, ..whole.clone() };
    assert_eq!(exported_as(&clip, "animx", &thin).0, exported_as(&clip, "animx", &whole).0);
}
