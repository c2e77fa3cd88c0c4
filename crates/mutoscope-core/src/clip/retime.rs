//! Retiming of clips and curves: other units of time, offsets and speeds.

use std::sync::Arc;

use super::{
    AnyCurve, Clip, ComputedCurve, ExportModel, Extrapolation, FigureMotion, Humanoid, KeyTimes,
    KeyTimesPool, NodeId, ProceduralAnimation, ScalarCurve, Segment, Shapes, Span, Tangents,
    Transform, Value, View,
};

/// A linear map from source times to target times, in seconds: `time * seconds_per_unit +
/// offset_s`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMap {
    /// The duration of one unit of source time; above 0 and finite.
    pub(crate) seconds_per_unit: f64,
    pub(crate) offset_s: f64,
}

impl TimeMap {
    pub(crate) fn apply(self, time: f64) -> f64 {
        time * self.seconds_per_unit + self.offset_s
    }

    /// Maps key times. Keeps the original times if the new ones overflow, because a curve with
    /// infinite times cannot be played.
    fn apply_to_keys(self, times: &KeyTimes, pool: &mut KeyTimesPool) -> KeyTimes {
        let mapped: Vec<f64> = times.as_slice().iter().map(|time| self.apply(*time)).collect();
        match mapped.last() {
            Some(last) if !last.is_finite() => times.clone(),
            _ => pool.share(mapped),
        }
    }

    fn invert(self, time: f64) -> f64 {
        (time - self.offset_s) / self.seconds_per_unit
    }
}

impl Clip {
    /// Scales all times by `seconds` per unit, so that a recording whose times are frame numbers
    /// plays at the intended speed. The [rate](Self::rate_hz) stays.
    ///
    /// # Panics
    /// If `seconds` is not above 0 and finite.
    pub fn scale_time(&mut self, seconds: f64) {
        assert!(seconds > 0.0 && seconds.is_finite(), "a unit of {seconds} s");
        let Span { start, duration } = self.span;
        self.span = Span { start: start * seconds, duration: duration * seconds };
        let map = TimeMap { seconds_per_unit: seconds, offset_s: 0.0 };
        let mut pool = KeyTimesPool::default();
        for track in &mut self.tracks {
            track.curve = track.curve.retimed(map, &mut pool);
        }
        self.nodes.edit_motions(|motion| {
            motion.unpack_keys(|curve| {
                let times = map.apply_to_keys(curve.times(), &mut KeyTimesPool::default());
                retime_scalar_curve(curve, times, seconds)
            });
        });
        if let Some(source) = self.procedural.take() {
            self.procedural = Some(Arc::new(RetimedAnimation { source, map }));
        }
        for event in &mut self.events {
            event.time *= seconds;
            if let Some(details) = &mut event.details {
                details.duration *= seconds;
            }
        }
        self.diagnostics.iter_mut().filter_map(|diagnostic| diagnostic.time.as_mut()).for_each(
            |time| {
                *time *= seconds;
            },
        );
    }
}

impl AnyCurve {
    /// Returns the curve with its times mapped by `map`. Driven curves are unchanged, because their
    /// keys are not times. Curves that share their key times still share them if the same `pool` is
    /// used for all of them.
    pub(crate) fn retimed(&self, map: TimeMap, pool: &mut KeyTimesPool) -> Self {
        let seconds = map.seconds_per_unit;
        let mut times = |times: &KeyTimes| map.apply_to_keys(times, pool);
        match self {
            Self::Number(curve) => {
                Self::Number(retime_scalar_curve(curve, times(curve.times()), seconds))
            }
            Self::Switch(curve) => {
                Self::Switch(retime_scalar_curve(curve, times(curve.times()), seconds))
            }
            Self::Typed(curve) => {
                let times = times(curve.times());
                let components = curve.components().iter();
                let components: Vec<_> = components
                    .map(|curve| retime_scalar_curve(curve, times.clone(), seconds))
                    .collect();
                Self::Typed(Box::new(curve.with_components(components)))
            }
            Self::Text(curve) => Self::Text(Box::new(curve.with_times(times(curve.times())))),
            Self::Driven(_) => self.clone(),
            Self::Computed(source) => {
                let times = times(source.times());
                Self::Computed(Arc::new(RetimedCurve { source: source.clone(), times, map }))
            }
        }
    }
}

#[derive(Debug)]
struct RetimedCurve {
    source: Arc<dyn ComputedCurve>,
    times: KeyTimes,
    map: TimeMap,
}

impl ComputedCurve for RetimedCurve {
    fn type_name(&self) -> &'static str {
        self.source.type_name()
    }

    fn times(&self) -> &KeyTimes {
        &self.times
    }

    fn key_value(&self, index: usize) -> Value {
        self.source.key_value(index)
    }

    fn value(&self, time: f64) -> Value {
        self.source.value(self.map.invert(time))
    }
}

#[derive(Debug)]
struct RetimedAnimation {
    source: Arc<dyn ProceduralAnimation>,
    map: TimeMap,
}

impl ProceduralAnimation for RetimedAnimation {
    fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
        self.source.animate(self.map.invert(time), set);
    }

    fn export_model(&self) -> Option<ExportModel> {
        let mut export = self.source.export_model()?;
        for figure in &mut export.figures {
            let source = figure.motion.clone();
            figure.motion = Arc::new(RetimedFigure { source, map: self.map });
        }
        Some(export)
    }

    fn views(&self) -> Vec<View> {
        self.source.views()
    }

    fn view_transform(&self, view: usize, time: f64) -> Transform {
        self.source.view_transform(view, self.map.invert(time))
    }

    fn bodies(&self) -> Vec<Humanoid> {
        self.source.bodies()
    }

    fn body_transform(&self, hips: NodeId, time: f64) -> Option<Transform> {
        self.source.body_transform(hips, self.map.invert(time))
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        self.source.root_motion_node()
    }
}

#[derive(Debug)]
struct RetimedFigure {
    source: Arc<dyn FigureMotion>,
    map: TimeMap,
}

impl FigureMotion for RetimedFigure {
    fn is_visible(&self, time: f64) -> bool {
        self.source.is_visible(self.map.invert(time))
    }

    fn pose_parts(&self, time: f64, set: &mut dyn FnMut(usize, Transform, bool)) {
        self.source.pose_parts(self.map.invert(time), set);
    }
}

/// Slopes are in value per second, so this function divides them by `seconds`.
fn retime_scalar_curve(curve: &ScalarCurve, times: KeyTimes, seconds: f64) -> ScalarCurve {
    let shapes = match curve.shapes() {
        Shapes::Step => Shapes::Step,
        Shapes::Linear => Shapes::Linear,
        Shapes::Nearest => Shapes::Nearest,
        Shapes::Tangents(tangents) => {
            let retime_slope = |slope: f32| (f64::from(slope) / seconds) as f32;
            let retimed = tangents.iter().map(|tangents| Tangents {
                in_slope: retime_slope(tangents.in_slope),
                out_slope: retime_slope(tangents.out_slope),
                ..*tangents
            });
            Shapes::Tangents(retimed.collect())
        }
        Shapes::Segments(segments) => Shapes::Segments(
            segments.iter().map(|segment| retime_segment(*segment, seconds)).collect(),
        ),
    };
    let (before, after) = curve.extrapolation();
    let retime_extrapolation = |extrapolation| match extrapolation {
        Extrapolation::Linear { slope } => Extrapolation::Linear { slope: slope / seconds },
        other => other,
    };
    ScalarCurve::new(times, curve.values().clone(), shapes)
        .with_extrapolation(retime_extrapolation(before), retime_extrapolation(after))
}

fn retime_segment(segment: Segment, seconds: f64) -> Segment {
    match segment {
        Segment::Hermite { out_slope, in_slope } => {
            Segment::Hermite { out_slope: out_slope / seconds, in_slope: in_slope / seconds }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{
        clip::{
            Convention, Event, EventDetails, ExportFigure, FormatId, Handedness, Hint, TrackId,
            UpAxis, procedural::tests::TimeCurve,
        },
        diagnostics::SourceLocation,
        formats::{ReadOptions, decode},
    };

    #[test]
    fn retimed_curves_continue_with_scaled_slopes() {
        let curve = |end: f64, slopes: [f64; 2]| {
            let times = KeyTimes::new([0.0, end]).unwrap();
            let [before, after] = slopes.map(|slope| Extrapolation::Linear { slope });
            ScalarCurve::new(times, &[1.0, 2.0][..], Shapes::Linear)
                .with_extrapolation(before, after)
        };
        let retimed = retime_scalar_curve(
            &curve(1.0, [3.0, -5.0]),
            KeyTimes::new([0.0, 0.25]).unwrap(),
            0.25,
        );
        assert_eq!(retimed.extrapolation(), curve(0.25, [12.0, -20.0]).extrapolation());
    }

    #[test]
    fn retimed_shapes_have_equal_values_at_scaled_times() {
        let plain = Tangents { in_slope: 1.0, out_slope: -3.0, in_weight: None, out_weight: None };
        let weighted = Tangents { in_weight: Some(0.5), out_weight: Some(0.75), ..plain };
        let times = |end: f64| KeyTimes::new([0.0, end]).unwrap();
        for shapes in [
            Shapes::Tangents([plain, plain].into()),
            Shapes::Tangents([weighted, weighted].into()),
            Shapes::Segments([Segment::Hermite { out_slope: 1.0, in_slope: -3.0 }].into()),
        ] {
            let curve = ScalarCurve::new(times(1.0), &[1.0, 2.0][..], shapes);
            let retimed = retime_scalar_curve(&curve, times(0.5), 0.5);
            for time in [0.25, 0.5, 0.75] {
                let expected = curve.evaluate(time, &mut Hint::default());
                let found = retimed.evaluate(time / 2.0, &mut Hint::default());
                assert!((found - expected).abs() < 1e-6, "{curve:?}: {found}, not {expected}");
            }
        }
    }

    const HALF_SPEED_FROM_3: TimeMap = TimeMap { seconds_per_unit: 2.0, offset_s: 3.0 };

    #[test]
    fn times_that_overflow_are_kept() {
        let times = KeyTimes::new([0.0, 1e300]).unwrap();
        let map = TimeMap { seconds_per_unit: 1e300, offset_s: 0.0 };
        let mut pool = KeyTimesPool::default();
        assert_eq!(map.apply_to_keys(&times, &mut pool).as_slice(), [0.0, 1e300]);
        assert_eq!(HALF_SPEED_FROM_3.apply_to_keys(&times, &mut pool).as_slice(), [3.0, 2e300]);
    }

    /// An animation that moves everything along x with the time.
    #[derive(Debug)]
    struct Clock;

    fn x_at(time: f64) -> Transform {
        Transform { translation: DVec3::X * time, ..Transform::IDENTITY }
    }

    impl ProceduralAnimation for Clock {
        fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
            set(NodeId::new(0), x_at(time), time < 1.0);
        }

        fn export_model(&self) -> Option<ExportModel> {
            let (node, motion) = (NodeId::new(1), Arc::new(Self));
            let figure = ExportFigure { node, parts: Vec::new(), motion };
            Some(ExportModel { figures: vec![figure], ..ExportModel::default() })
        }

        fn views(&self) -> Vec<View> {
            vec![View { name: "eyes".to_owned(), vertical_fov_degrees: 60.0 }]
        }

        fn view_transform(&self, view: usize, time: f64) -> Transform {
            x_at(time + view as f64)
        }

        fn bodies(&self) -> Vec<Humanoid> {
            vec![Humanoid { is_t_pose: true, ..Humanoid::default() }]
        }

        fn body_transform(&self, hips: NodeId, time: f64) -> Option<Transform> {
            Some(x_at(time + hips.index() as f64))
        }

        fn root_motion_node(&self) -> Option<NodeId> {
            Some(NodeId::new(2))
        }
    }

    impl FigureMotion for Clock {
        fn is_visible(&self, time: f64) -> bool {
            time < 1.0
        }

        fn pose_parts(&self, time: f64, set: &mut dyn FnMut(usize, Transform, bool)) {
            set(3, x_at(time), time < 1.0);
        }
    }

    #[test]
    fn retimed_computed_curve_has_equal_values_at_mapped_times() {
        let source: Arc<dyn ComputedCurve> =
            Arc::new(TimeCurve(KeyTimes::new([0.0, 5.0]).unwrap()));
        let curve = AnyCurve::Computed(source);
        let AnyCurve::Computed(retimed) =
            curve.retimed(HALF_SPEED_FROM_3, &mut KeyTimesPool::default())
        else {
            panic!("{curve:?}")
        };
        assert_eq!(retimed.type_name(), "time");
        assert_eq!(retimed.times().as_slice(), [3.0, 13.0]);
        assert_eq!(retimed.key_value(1), Value::Number(5.0));
        assert_eq!(retimed.value(7.0), Value::Number(2.0));
    }

    #[test]
    fn retimed_animation_has_equal_poses_at_mapped_times() {
        let retimed = RetimedAnimation { source: Arc::new(Clock), map: HALF_SPEED_FROM_3 };
        assert_eq!(retimed.views(), Clock.views());
        assert_eq!(retimed.bodies(), Clock.bodies());
        assert_eq!(retimed.root_motion_node(), Clock.root_motion_node());
        let part_of = |animation: &dyn ProceduralAnimation, time: f64| {
            let figure = animation.export_model().unwrap().figures.remove(0);
            let mut part = None;
            figure.motion.pose_parts(time, &mut |index, transform, is_visible| {
                part = Some((index, transform, is_visible));
            });
            (figure.node, figure.motion.is_visible(time), part.unwrap())
        };
        let pose = |animation: &dyn ProceduralAnimation, time: f64| {
            let mut node = None;
            animation.animate(time, &mut |id, transform, is_visible| {
                node = Some((id, transform, is_visible));
            });
            let view = animation.view_transform(1, time);
            let body = animation.body_transform(NodeId::new(4), time);
            (node.unwrap(), view, body, part_of(animation, time))
        };
        for (time, source_time) in [(3.0, 0.0), (4.0, 0.5), (9.0, 3.0)] {
            assert_eq!(pose(&retimed, time), pose(&Clock, source_time));
        }
    }

    #[test]
    fn retimed_clip_has_equal_values_at_scaled_times() {
        let text = include_bytes!("../../../../tests/data/animj/generated/all_types.animj");
        let clip = decode(text, &ReadOptions::default()).unwrap();
        let mut in_frames = clip.clone();
        in_frames.scale_time(0.25);
        assert_eq!(in_frames.span.duration, clip.span.duration / 4.0);
        for track in (0..clip.tracks.len()).map(TrackId::new) {
            for step in 0..50 {
                // Times in quarters are exact in binary, so both clips are sampled at the same
                // times, even on keys.
                let time = f64::from(step) * 0.125 - 1.0;
                let (found, expected) =
                    (in_frames.value(track, time / 4.0), clip.value(track, time));
                assert_eq!(found, expected, "track {track:?} at {time}");
            }
        }
        let times = |clip: &crate::clip::Clip| -> Vec<f64> {
            clip.diagnostics.iter().filter_map(|diagnostic| diagnostic.time).collect()
        };
        assert!(times(&clip).iter().zip(times(&in_frames)).all(|(one, other)| one / 4.0 == other));
    }

    #[test]
    fn retimed_events_last_as_long_as_the_motion() {
        let event = Event {
            time: 1.0,
            owner: None,
            name: "step".to_owned(),
            value: None,
            location: SourceLocation::File,
            details: Some(Box::new(EventDetails {
                kind: "sound",
                node: String::new(),
                is_fired: true,
                effect: None,
                duration: 0.5,
            })),
        };
        let convention = Convention::assumed(Handedness::Right, UpAxis::Y);
        let mut clip = Clip { events: vec![event], ..Clip::new(FormatId::new("test"), convention) };
        clip.scale_time(4.0);
        assert_eq!(clip.events[0].time, 4.0);
        assert_eq!(clip.events[0].details.as_ref().unwrap().duration, 2.0);
    }
}
