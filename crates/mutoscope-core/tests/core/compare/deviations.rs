//! Compares computed distances of joints with known values.

use glam::DVec3;
use mutoscope_core::measure::compare::{Timing, deviations, pair_joints};

use crate::compare::walk::{head, mrtk};

#[test]
fn translated_copy_deviates_by_the_translation() {
    let translation = DVec3::new(0.03, -0.04, 0.0);
    let (first, second) =
        (mrtk(head, 0.0, 4.0, 60.0), mrtk(|time| head(time) + translation, 1.0, 2.0, 60.0));
    let pairs = pair_joints(&first, &second);
    let timing = Timing { offset: 1.0, rate: 1.0 };
    let times: Vec<f64> = (0..=120).map(|frame| 1.0 + f64::from(frame) / 60.0).collect();
    let [found] = deviations([&first, &second], &pairs, timing, &times).try_into().unwrap();
    assert_eq!(found.visible_count, 121);
    for distance in [found.max, found.rms] {
        assert!((distance - 0.05).abs() < 1e-6, "{distance}");
    }
    assert!(found.rms_in_place < 1e-6, "{}", found.rms_in_place);
    assert!(found.mean_offset.abs_diff_eq(translation, 1e-6), "{}", found.mean_offset);
    assert_eq!((found.max_angle, found.rms_angle), (0.0, 0.0));
}

#[test]
fn time_of_the_largest_distance_is_reported() {
    let bump = |time: f64| {
        let weight = (1.0 - 4.0 * (time - 2.5).abs()).max(0.0);
        head(time) + DVec3::Y * 0.2 * weight
    };
    let (first, second) = (mrtk(head, 0.0, 4.0, 60.0), mrtk(bump, 0.0, 4.0, 60.0));
    let pairs = pair_joints(&first, &second);
    let times: Vec<f64> = (0..=240).map(|frame| f64::from(frame) / 60.0).collect();
    let found = &deviations([&first, &second], &pairs, Timing::default(), &times)[0];
    assert!((found.max - 0.2).abs() < 1e-6 && (found.max_at - 2.5).abs() < 1e-9, "{found:?}");
    // The distance ramps up and down within half a second of four. The mean square of a ramp is a
    // third of its maximum's square.
    let expected = 0.2 * (0.5 / 4.0 / 3.0_f64).sqrt();
    assert!((found.rms - expected).abs() < 1e-3, "{} instead of {expected}", found.rms);
    assert_eq!(found.distances.len(), times.len());
}
