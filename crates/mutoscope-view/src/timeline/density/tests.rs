//! Compares the keys on an axis with a naive count of every key.

use super::*;

use crate::timeline::{DENSITY_LEVELS, Folds, Gap, GlyphSide, ItemKind, KeyIndex, TimeWindow};
use mutoscope_core::clip::Span;
use mutoscope_core::{ReadOptions, decode};

fn axis(duration: f64, width: f32) -> TimeAxis {
    TimeAxis::new(TimeWindow::around(Span { start: 0.0, duration }), 100.0, 100.0 + width)
}

fn density(lists: &[Vec<f64>], axis: &TimeAxis) -> Density {
    let clip = two_hands();
    let curves = RowCurves { clip: &clip, tracks: &[], list_of_track: &[] };
    let lists: Vec<_> = lists.iter().map(|times| KeyTimes::new(times.clone()).unwrap()).collect();
    let counts = CountPyramid::new(lists.iter().map(KeyTimes::as_slice));
    let keys = RowKeys { counts, ..RowKeys::new((0..lists.len() as u32).collect()) };
    keys.density_on(axis, &lists, &curves)
}

fn two_hands() -> Clip {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    decode(bytes, &ReadOptions::default()).unwrap()
}

#[test]
fn separate_keys_are_shown_individually() {
    let found = density(&[vec![0.0, 1.0, 1.0, 7.5], vec![1.0, 2.0]], &axis(10.0, 500.0));
    let times: Vec<f64> = found.marks.iter().map(|mark| mark.time).collect();
    assert_eq!((times, found.runs), (vec![0.0, 1.0, 2.0, 7.5], Vec::new()));
}

#[test]
fn dense_keys_do_not_hide_separate_ones() {
    let dense_keys: Vec<f64> = (0..100).map(|index| 4.0 + 0.01 * f64::from(index)).collect();
    let axis = axis(10.0, 500.0);
    let found = density(&[dense_keys, vec![1.0, 8.0]], &axis);
    let times: Vec<f64> = found.marks.iter().map(|mark| mark.time).collect();
    assert_eq!(times, [1.0, 8.0]);
    let (from, to) = (found.runs[0].from as f32, found.runs[found.runs.len() - 1].to as f32);
    assert!((from - (axis.x_at(4.0) - axis.left)).abs() < 3.0, "{from}");
    assert!((to - (axis.x_at(5.0) - axis.left)).abs() < 3.0, "{to}");
}

/// Returns the number of keys in each point.
fn counts(point_counts: &PointCounts) -> Vec<f64> {
    point_counts.cumulative.windows(2).map(|edges| edges[1] - edges[0]).collect()
}

fn folds() -> Folds {
    Folds::new(vec![Gap { start: 2.0, end: 3.0 }, Gap { start: 5.5, end: 8.0 }])
}

#[test]
fn point_counts_match_direct_counts() {
    let mut random = fastrand::Rng::with_seed(5);
    for folds in [Folds::default(), folds()] {
        for _ in 0..50 {
            let mut times: Vec<f64> = (0..10_000).map(|_| 10.0 * random.f64().powi(3)).collect();
            times.sort_unstable_by(f64::total_cmp);
            let window = TimeWindow { start: 0.0, end: 10.0 };
            let axis = TimeAxis::folded(window, 100.0, 740.0, folds.clone());
            let counted = AxisPoints::from_axis(&axis).count_keys([&*times].into_iter());
            let mut naive = vec![0; counted.len()];
            for &time in &times {
                naive[(axis.points_to(time) as usize).min(counted.len() - 1)] += 1;
            }
            let differ = counted.iter().zip(&naive).filter(|(a, b)| a != b).count();
            assert!(differ <= 4, "a key on an edge may be on either side, not {differ} of them");
            assert_eq!(counted.iter().sum::<u32>(), 10_000);
        }
    }
}

#[test]
fn bucket_counts_match_direct_counts() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut times: Vec<f64> = (0..200_000).map(|_| 100.0 * random.f64()).collect();
    times.sort_unstable_by(f64::total_cmp);
    let bucketed = CountPyramid::new([&*times].into_iter()).unwrap();
    let mut compared = 0;
    for (start, folds) in [(0.0, folds()), (0.0, Folds::default()), (13.7, Folds::default())] {
        for length in [7.0, 30.0, 80.0] {
            let window = TimeWindow { start, end: start + length };
            let axis = TimeAxis::folded(window, 0.0, 700.0, folds.clone());
            let Some(level) = bucketed.level(axis.seconds_per_point) else { continue };
            let points = AxisPoints::from_axis(&axis);
            let bucketed = counts(&level.cumulative_counts(&points));
            let shown = times.partition_point(|&time| time < axis.start)
                ..times.partition_point(|&time| time <= axis.end);
            let direct = points.count_keys([&times[shown]].into_iter());
            let direct = counts(&PointCounts::from_counts(&direct));
            // In a single point, the counts differ by up to the keys of a bucket. Over several
            // points, the difference remains that small.
            let tolerance = 2.0 * level.peak_within(axis.seconds_per_point);
            let total = |counts: &[f64]| counts.iter().sum::<f64>();
            assert!((total(&bucketed) - total(&direct)).abs() <= tolerance);
            for (bucketed, direct) in bucketed.chunks(16).zip(direct.chunks(16)) {
                assert!((total(bucketed) - total(direct)).abs() <= tolerance);
            }
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared} axes");
}

#[test]
fn even_rate_gives_even_density() {
    for count in [7_777_u32, 777_777] {
        let rate = f64::from(count) / 10.0;
        let times: Vec<f64> = (0..count).map(|index| f64::from(index) / rate).collect();
        let runs = density(&[times], &axis(10.0, 640.0)).runs;
        assert!(runs.len() < 40, "{runs:?}");
        assert!(
            runs.iter().any(|run| run.to - run.from > 100 && run.level >= DENSITY_LEVELS - 2),
            "{runs:?}"
        );
    }
}

#[test]
fn single_key_next_to_a_million_others_is_visible() {
    let mut times: Vec<f64> = (0..1_000_000).map(|index| f64::from(index) * 1e-6).collect();
    times.push(9.0);
    let axis = axis(10.0, 640.0);
    let found = density(&[times], &axis);
    let x = (axis.x_at(9.0) - axis.left) as u32;
    assert!(found.runs.iter().any(|run| run.from.abs_diff(x) <= 2), "{:?}", found.runs);
}

#[test]
fn rows_with_equal_keys_share_counts() {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::default()).unwrap();
    let index = KeyIndex::new(&clip, &clip.sample_times());
    let keys: usize = clip.tracks.iter().map(|track| track.curve.key_count()).sum();
    assert!(index.bucket_count() < keys / 4, "{} numbers for {keys} keys", index.bucket_count());
}

#[test]
fn key_glyphs_show_interpolation_on_both_sides() {
    let bytes = include_bytes!("../../../../../assets/maya/walk-with-hat.anim");
    let clip = decode(bytes, &ReadOptions::default()).unwrap();
    let index = KeyIndex::new(&clip, &clip.sample_times());
    let axis = TimeAxis::new(TimeWindow::around(clip.span), 0.0, 1000.0);
    let mut smooth = 0;
    for id in index.tree().ids() {
        let ItemKind::Track(track) = index.tree().item(id).kind else { continue };
        let curve = &clip.track(track).curve;
        for mark in index.density(&clip, id, &axis).marks {
            let key = mark.key.expect("a curve's own key");
            assert_eq!((key.track, curve.key_times()[key.index]), (track, mark.time));
            assert_eq!(mark.glyph, Glyph::for_key(curve, key.index));
            smooth += usize::from(mark.glyph.after == GlyphSide::Smooth);
        }
    }
    assert!(smooth > 10, "{smooth} keys with tangents");
}
