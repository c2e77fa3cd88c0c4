//! Tests of recordings with gaps, without samples or with few keys, and of unusual labels.

use std::ops::ControlFlow;

use mutoscope_core::{
    clip::Clip,
    io::progress::{Cancelled, Progress},
    measure::analysis::NamedArea,
};
use mutoscope_study::{Number, Request, Study, StudyError, StudyOptions, labels::Label, study};
use mutoscope_testing::recording::{HandKeys, Keys, Recording};

use crate::{clip, recording};

fn measured(clip: &Clip, labels: &[Label]) -> Study {
    let areas: Vec<NamedArea> = [
        "near=sphere:0,1.6,-2,0.3",
        "behind=plane:0,1.6,-5,9,9",
        "box=box:5,1,-2,1,1,1",
        "moving=sphere:0,0,0,0.1@right/Wrist",
    ]
    .map(|area| area.parse().unwrap())
    .into();
    let request =
        Request { labels, areas: &areas, options: StudyOptions::default(), with_plots: true };
    study(clip, &request, &mut Progress::default()).unwrap()
}

fn decoded(recording: &Recording) -> Clip {
    clip(&recording.encode(), "take.bin")
}

fn value(study: &Study, range: usize, name: &str) -> Option<f64> {
    study.ranges[range].measures.get(name).unwrap_or_else(|| panic!("no {name}")).value()
}

/// Returns a curve with 60 keys per second.
fn wave(seconds: usize, value: impl Fn(f32) -> f32) -> Keys {
    let keys: Vec<(f32, f32)> = (0..=60 * seconds)
        .map(|index| index as f32 / 60.0)
        .map(|time| (time, value(time)))
        .collect();
    Keys::simple(&keys)
}

fn still(value: f32) -> Keys {
    Keys::simple(&[(0.0, value)])
}

fn pose(x: Keys, y: Keys, z: Keys) -> [Keys; 7] {
    [x, y, z, still(0.0), still(0.0), still(0.0), still(1.0)]
}

/// Returns a recording in which only the right wrist has keys.
fn right_wrist(wrist: [Keys; 7], tracked: Keys) -> Recording {
    let mut hand = HandKeys { tracked, pinch: still(0.0), ..HandKeys::default() };
    hand.poses[1] = wrist;
    Recording {
        version: mutoscope_core::formats::mrtk::Version::V1_1 { parts: [0, 1, 0] },
        hands: Some([HandKeys::default(), hand]),
        ..Recording::v1_1()
    }
}

#[test]
fn empty_recording_has_one_range_without_measures() {
    for recording in [Recording::v1_0(), Recording::v1_1()] {
        let study = measured(&decoded(&recording), &[]);
        assert_eq!(study.ranges.len(), 1);
        assert_eq!(study.ranges[0].measures.iter().count(), 0);
    }
}

#[test]
fn one_sample_has_no_kinematics_and_no_zeros() {
    let recording = right_wrist(pose(still(0.1), still(1.0), still(0.5)), still(1.0));
    let study = measured(&decoded(&recording), &[]);
    for name in [
        "right_path_length_m",
        "right_speed_peak_mps",
        "right_speed_peak_at_s",
        "right_workspace_m3",
        "right_tremor_rms_m",
        "right_movements",
    ] {
        assert_eq!(value(&study, 0, name), None, "{name}");
    }
}

#[test]
fn hand_that_is_never_tracked_has_one_loss_and_no_other_measures() {
    let x = wave(5, |time| 0.2 * time.sin());
    let study = measured(&decoded(&right_wrist(pose(x, still(1.0), still(0.5)), still(0.0))), &[]);
    assert_eq!(value(&study, 0, "right_tracked_share"), Some(0.0));
    assert_eq!(value(&study, 0, "right_losses"), Some(1.0));
    assert_eq!(value(&study, 0, "right_longest_loss_s"), Some(5.0));
    assert_eq!(value(&study, 0, "right_path_length_m"), None);
    assert_eq!(value(&study, 0, "right_movements"), None);
    assert_eq!(value(&study, 0, "right_pinch_rate_per_min"), None);
    assert!(
        study.ranges[0].measures.get("left_tracked_share").is_none(),
        "a hand without keys has no measures"
    );
}

#[test]
fn nan_keys_are_a_gap() {
    let x = wave(
        6,
        |time| if (2.9..3.1).contains(&time) { f32::NAN } else { 0.3 * (2.0 * time).sin() },
    );
    let study = measured(&decoded(&right_wrist(pose(x, still(1.0), still(0.5)), still(1.0))), &[]);
    let whole = value(&study, 0, "right_path_length_m").unwrap();
    // A wave of 0.3 m moves by 0.3 · ∫ |2 cos 2t| dt in six seconds, minus the gap.
    assert!((1.8..2.4).contains(&whole), "{whole}");
    assert!(
        study.events.movements.iter().all(|one| one.end_s < 2.95 || one.start_s > 3.05),
        "{:?}",
        study.events.movements
    );
    assert!(study.events.movements.iter().any(|one| one.cut));
}

#[test]
fn labels_may_overlap_and_lie_outside_the_recording() {
    let clip = recording("reaches.bin");
    let label = |start, end, name: &str| Label { start, end, label: name.to_owned(), tier: None };
    let labels = [
        label(-10.0, -5.0, "before"),
        label(99.0, 100.0, "after"),
        label(4.0, 4.0, "point"),
        label(0.0, 1e9, "beyond"),
        label(3.0, 8.0, "one"),
        label(5.0, 9.0, "other"),
    ];
    let study = measured(&clip, &labels);
    assert_eq!(study.ranges.len(), 7);
    let columns = |range: usize| {
        study.ranges[range].measures.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    for range in 1..=3 {
        assert_eq!(columns(range), columns(0));
        for (name, number) in study.ranges[range].measures.iter() {
            assert_eq!(number, Number::Unknown, "{name} of {}", study.ranges[range].label);
        }
    }
    for (name, number) in study.ranges[0].measures.iter() {
        assert_eq!(study.ranges[4].measures.get(name), Some(number), "{name}");
    }
    assert_eq!(
        (study.ranges[4].start_s, study.ranges[4].end_s),
        (0.0, 1e9),
        "a range keeps the times of its label"
    );
    assert!(
        value(&study, 5, "right_movements") > Some(0.0)
            && value(&study, 6, "right_movements") > Some(0.0)
    );
    let label_notes = study.notes.iter().filter(|note| note.measure == "label").count();
    assert_eq!(label_notes, 4);
}

/// Returns a gaze from 1.6 m above the ground. The yaw is in degrees.
fn gaze(seconds: usize, yaw: impl Fn(f32) -> f32 + Copy) -> Recording {
    Recording::with_gaze([
        still(0.0),
        still(1.6),
        still(0.0),
        wave(seconds, move |time| yaw(time).to_radians().sin()),
        still(0.0),
        wave(seconds, move |time| yaw(time).to_radians().cos()),
    ])
}

#[test]
fn still_gaze_is_one_fixation_on_the_nearest_area() {
    let study = measured(&decoded(&gaze(4, |_| 0.0)), &[]);
    assert_eq!(study.events.fixations.len(), 1);
    assert_eq!(value(&study, 0, "gaze_saccades"), Some(0.0));
    assert_eq!(value(&study, 0, "gaze_scan_path_deg"), Some(0.0));
    for name in [
        "gaze_saccade_duration_median_s",
        "gaze_main_sequence_exponent",
        "gaze_head_share",
        "gaze_fixation_duration_sd_s",
    ] {
        assert_eq!(value(&study, 0, name), None, "{name}");
    }
    let areas = &study.ranges[0].areas;
    // The last area is missing, because the recording has no right wrist.
    assert_eq!(areas.iter().map(|area| &*area.area).collect::<Vec<_>>(), ["near", "behind", "box"]);
    assert_eq!(
        (areas[0].dwells, areas[0].revisits, areas[0].dwell_share),
        (Some(1), Some(0), Some(1.0))
    );
    assert_eq!(
        (areas[1].dwells, areas[1].revisits, areas[1].first_dwell_s, areas[1].dwell_s),
        (Some(0), None, None, Some(0.0))
    );
    assert!(study.notes.iter().any(|note| note.text.contains("no joint right/Wrist")));
}

#[test]
fn saccade_with_a_gap_is_split_at_the_gap() {
    // The gaze turns at 200°/s from 1 s to 1.2 s, but the middle of the turn is lost.
    let yaw = |time: f32| 200.0 * (time - 1.0).clamp(0.0, 0.2);
    let yaw_with_gap = |time: f32| if (1.08..1.12).contains(&time) { f32::NAN } else { yaw(time) };
    let study = measured(&decoded(&gaze(3, yaw_with_gap)), &[]);
    assert!(study.events.saccades.len() == 2, "{:?}", study.events.saccades);
    let [first, second] = [&study.events.saccades[0], &study.events.saccades[1]];
    assert!(first.end_s < 1.09 && second.start_s > 1.11, "{first:?} {second:?}");
    assert!(
        (first.peak_velocity_degps - 200.0).abs() < 1.0,
        "the step across the gap must not be part of the saccade"
    );
    assert!(value(&study, 0, "gaze_tracked_share") < Some(1.0));
}

#[test]
fn too_many_samples_are_an_error() {
    let keys = Keys::simple(&[(0.0, 0.0), (3e7, 1.0)]);
    let clip = decoded(&right_wrist(pose(keys, still(1.0), still(0.5)), still(1.0)));
    let error = study(&clip, &Request::default(), &mut Progress::default()).unwrap_err();
    assert!(error.to_string().contains("nothing measured"), "{error}");
    let options = StudyOptions { rate: Some(1e300), ..StudyOptions::default() };
    let clip = recording("reaches.bin");
    study(&clip, &Request { options, ..Request::default() }, &mut Progress::default()).unwrap_err();
}

#[test]
fn rate_above_the_key_rate_gives_the_same_path_length() {
    let clip = recording("reaches.bin");
    let path_length = |rate: f64| {
        let options = StudyOptions { rate: Some(rate), ..StudyOptions::default() };
        let study =
            study(&clip, &Request { options, ..Request::default() }, &mut Progress::default())
                .unwrap();
        value(&study, 0, "right_path_length_m").unwrap()
    };
    assert!(
        (path_length(240.0) / path_length(60.0) - 1.0).abs() < 0.01,
        "{} {}",
        path_length(240.0),
        path_length(60.0)
    );
    assert!(path_length(5.0) > 0.5, "a rate too low to filter must still give a path");
}

#[test]
fn recordings_of_other_formats_are_measured() {
    let assets = std::path::Path::new(mutoscope_testing::ROOT).join("assets");
    for name in ["mrtk/two-hands.bin", "bvh/walk.bvh", "maya/walk-with-hat.anim", "gltf/walker.glb"]
    {
        let clip = clip(&std::fs::read(assets.join(name)).unwrap(), name);
        let study = measured(&clip, &[]);
        assert!(
            study.ranges[0].measures.iter().any(|(_, number)| number.value().is_some()),
            "{name}"
        );
    }
}

#[test]
fn body_pop_is_noted() {
    let walk = String::from_utf8(crate::read_fixture("walk.bvh")).unwrap();
    let mut lines: Vec<String> = walk.lines().map(str::to_owned).collect();
    let at = lines.len() - 40;
    let mut numbers: Vec<String> = lines[at].split_whitespace().map(str::to_owned).collect();
    // This channel is a rotation of an upper leg.
    numbers[7] = (numbers[7].parse::<f64>().unwrap() + 70.0).to_string();
    lines[at] = numbers.join(" ");
    let noted = |text: &str| {
        measured(&clip(text.as_bytes(), "walk.bvh"), &[])
            .notes
            .iter()
            .any(|note| note.measure == "pops")
    };
    assert!(noted(&lines.join("\n")));
    assert!(!noted(&walk));
}

#[test]
fn cancelled_study_ends_at_the_next_check() {
    let clip = recording("reaches.bin");
    let checks = std::cell::Cell::new(0);
    let study_with_checks = |max_checks: u32| {
        checks.set(0);
        let mut progress = Progress::new(|_| {
            checks.set(checks.get() + 1);
            match checks.get() > max_checks {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        study(&clip, &Request::default(), &mut progress)
    };
    study_with_checks(u32::MAX).unwrap();
    let all = checks.get();
    assert!(all > 3, "expected checks for samples, the body and the ranges: {all}");
    for max_checks in 0..all {
        assert_eq!(study_with_checks(max_checks).unwrap_err(), StudyError::Cancelled(Cancelled));
        assert_eq!(checks.get(), max_checks + 1, "no work may follow a cancelled check");
    }
}
