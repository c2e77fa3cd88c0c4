//! Compares drawn lines with their curves.

use super::*;
use crate::ui::{curves::pane::ChannelId, testing::two_hands};
use mutoscope_core::clip::{AnyCurve, Clip, KeyTimes, ScalarCurve, Segment, Shapes, TrackId};
use mutoscope_view::timeline::TimeWindow;

fn clip_of(curve: ScalarCurve) -> Clip {
    let mut clip = two_hands();
    clip.tracks[0].curve = AnyCurve::Number(curve);
    clip
}

/// Traces `curve` from 0 to 10 seconds over this many points.
fn trace(curve: ScalarCurve, points: f32) -> Trace {
    let clip = clip_of(curve);
    let source =
        Source::for_channel(&clip, ChannelId::Keyed { track: TrackId::new(0), component: 0 });
    let source = source.expect("the channel is a track");
    let extremes = Extremes::new((0..source.times().len()).map(|index| source.key_value(index)));
    Trace::new(&source, &extremes, &axis(points))
}

/// An axis from 0 to 10 seconds, without margins.
fn axis(points: f32) -> TimeAxis {
    TimeAxis::new(TimeWindow { start: 0.0, end: 10.0 }, 0.0, points)
}

fn curve(times: &[f64], values: &[f32], shapes: Shapes) -> ScalarCurve {
    ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes)
}

fn pairs(strokes: &[Stroke]) -> Vec<Vec<(f32, f64)>> {
    let stroke = |stroke: &Stroke| stroke.iter().map(|point| (point.x, point.value)).collect();
    strokes.iter().map(stroke).collect()
}

#[test]
fn drawn_line_passes_through_keys_and_follows_the_curve() {
    let shape = Segment::Hermite { out_slope: 3.0, in_slope: -2.0 };
    let cubic = curve(&[2.03, 7.77], &[1.0, 4.0], Shapes::Segments([shape].into()));
    let trace = trace(cubic.clone(), 100.0);
    let [stroke] = &trace.inside[..] else { panic!("{trace:?}") };
    assert_eq!(stroke.first(), Some(&Point { x: 20.3, value: 1.0 }));
    assert_eq!(stroke.last(), Some(&Point { x: 77.7, value: 4.0 }));
    assert!(stroke.len() > 56, "{}", stroke.len());
    for point in stroke {
        let value = cubic.evaluate(f64::from(point.x) / 10.0, &mut Hint::default());
        assert!((value - point.value).abs() < 1e-4, "{point:?} {value}");
    }
    assert_eq!(pairs(&trace.outside).len(), 2, "constant on both sides");
}

#[test]
fn steps_are_vertical() {
    let steps = curve(&[0.0, 5.05, 10.0], &[1.0, 3.0, 2.0], Shapes::Step);
    let trace = trace(steps, 100.0);
    let [stroke] = &trace.inside[..] else { panic!("{trace:?}") };
    let slanted: Vec<_> = stroke
        .windows(2)
        .filter(|pair| pair[0].value != pair[1].value && pair[0].x != pair[1].x)
        .collect();
    assert!(slanted.is_empty(), "{slanted:?}");
    let risers: Vec<_> = stroke.windows(2).filter(|pair| pair[0].x == pair[1].x).collect();
    let x: Vec<_> = risers.iter().map(|pair| pair[0].x).collect();
    assert_eq!(x, [50.5, 100.0]);
}

#[test]
fn steps_at_point_edges_are_vertical() {
    let steps = curve(&[0.0, 5.0, 10.0], &[1.0, 3.0, 2.0], Shapes::Step);
    let trace = trace(steps, 100.0);
    let slanted = |pair: &[Point]| pair[0].value != pair[1].value && pair[0].x != pair[1].x;
    assert!(!trace.inside[0].windows(2).any(slanted), "{trace:?}");
}

#[test]
fn a_million_keys_draw_few_points_and_keep_the_maximum() {
    let times: Vec<f64> = (0..1_000_000).map(|index| f64::from(index) * 1e-5).collect();
    let value = |index: usize| if index == 654_321 { 77.0 } else { (index % 100) as f32 * 0.01 };
    let values: Vec<f32> = (0..times.len()).map(value).collect();
    let trace = trace(curve(&times, &values, Shapes::Linear), 500.0);
    let [stroke] = &trace.inside[..] else { panic!("{} strokes", trace.inside.len()) };
    assert_eq!(trace.bounds(), Some((0.0, 77.0)));
    assert!(stroke.len() <= 5 * 502, "{}", stroke.len());
    let spike = stroke.iter().find(|point| point.value == 77.0).unwrap();
    assert!((spike.x - 327.16).abs() < 1.0, "{spike:?}");
}

#[test]
fn non_finite_values_break_the_line_and_are_marked() {
    let times = [0.0, 2.0, 4.0, 6.0, 10.0];
    let values = [1.0, 2.0, f32::NAN, 2.0, 1.0];
    let trace = trace(curve(&times, &values, Shapes::Step), 100.0);
    assert_eq!(trace.inside.len(), 2, "{trace:?}");
    assert!(trace.non_finite.contains(&40.0), "{:?}", trace.non_finite);
    let mut times = vec![0.0];
    times.extend((0..1000).map(|index| 3.0 + f64::from(index) * 1e-6));
    let mut values = vec![1.0; times.len()];
    values[500] = f32::INFINITY;
    let crowded = self::trace(curve(&times, &values, Shapes::Linear), 100.0);
    assert!(!crowded.non_finite.is_empty());
}

#[test]
fn cycles_are_drawn_outside_the_keys() {
    let teeth = |end: f64| {
        let tooth = curve(&[4.0, end], &[0.0, 1.0], Shapes::Linear);
        trace(
            tooth.with_extrapolation(Extrapolation::Cycle, Extrapolation::CycleWithOffset),
            1000.0,
        )
    };
    let wide = teeth(6.0);
    assert_eq!(wide.outside.len(), 2);
    let last = wide.outside[1].last().unwrap();
    assert_eq!(last.x, 1000.0);
    assert!((last.value - 3.0).abs() < 1e-6, "{last:?}");
    let narrow = teeth(4.01);
    let low = narrow.outside[0].iter().map(|point| point.value).fold(f64::INFINITY, f64::min);
    let high = narrow.outside[0].iter().map(|point| point.value).fold(0.0, f64::max);
    assert_eq!((low, high), (0.0, 1.0), "the band covers the whole range");
    let last = narrow.outside[1].last().unwrap();
    assert!((last.value - 600.0).abs() < 2.0, "{last:?}");
}

#[test]
fn galloping_count_is_exact() {
    let times: Vec<f64> = (0..100).map(|index| f64::from(index / 3)).collect();
    for limit in 0..40 {
        let expected = times.iter().filter(|&&time| time < f64::from(limit)).count();
        assert_eq!(count_before(&times, |time| time < f64::from(limit)), expected);
    }
    assert_eq!(count_before(&[], |_| true), 0);
}
