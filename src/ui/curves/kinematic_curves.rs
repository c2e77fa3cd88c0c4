//! Computes the velocity and acceleration of nodes in world space, because no track of a file has
//! them. Only the visible time is sampled finely.

use std::collections::HashMap;

use super::trace::Trace;
use crate::ui::display_text;
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{DetailLevel, KinematicQuantity, Kinematics, VectorComponent},
};
use mutoscope_view::timeline::TimeAxis;

const SAMPLES_PER_POINT: f32 = 2.0;

const BOUNDS_SAMPLE_COUNT: usize = 2000;

/// The largest number of samples in a frame. Long curves are sampled over several frames, so that
/// no frame is delayed.
const MAX_NODE_SAMPLES_PER_FRAME: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct KinematicChannel {
    pub(super) node: NodeId,
    pub(super) quantity: KinematicQuantity,
    pub(super) component: VectorComponent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SamplingProgress {
    pub(super) is_complete: bool,
    pub(super) has_new_samples: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct NodeKinematics(HashMap<NodeId, Kinematics>);

impl NodeKinematics {
    /// Samples `nodes` over `axis`, at `times`, in seconds, and coarsely over the whole recording,
    /// until the budget of a frame is spent.
    pub(super) fn prepare(
        &mut self,
        clip: &Clip,
        nodes: impl Iterator<Item = NodeId>,
        axis: &TimeAxis,
        times: [f64; 2],
    ) -> SamplingProgress {
        let max_chunks =
            (MAX_NODE_SAMPLES_PER_FRAME / (Kinematics::CHUNK_LEN * clip.nodes.len().max(1))).max(1);
        let (mut budget, mut is_complete) = (max_chunks, true);
        for node in nodes {
            let kinematics = self.0.entry(node).or_insert_with(|| Kinematics::new(clip, node));
            let shown = detail_on_axis(kinematics, axis);
            let whole = kinematics.detail_for(clip.span.duration, BOUNDS_SAMPLE_COUNT);
            let [one, other] = times.map(|time| (shown, time..=time));
            let all = (whole, clip.span.start..=clip.span.end());
            let stretches = axis.open_stretches().map(|(start, end)| (shown, start..=end));
            for (detail, window) in [one, other].into_iter().chain(stretches).chain([all]) {
                is_complete &= kinematics.prepare(clip, detail, &window, &mut budget);
            }
        }
        SamplingProgress { is_complete, has_new_samples: budget < max_chunks }
    }

    pub(super) fn trace(&self, channel: KinematicChannel, axis: &TimeAxis) -> Trace {
        let Some(kinematics) = self.0.get(&channel.node) else { return Trace::default() };
        let detail = detail_on_axis(kinematics, axis);
        let mut last: Option<f64> = None;
        let interval = kinematics.interval(detail);
        let stretch = |(start, end)| kinematics.samples(detail, &(start..=end)).collect::<Vec<_>>();
        let samples = axis.open_stretches().flat_map(stretch);
        let points = samples.flat_map(|(time, sample)| {
            // Do not draw a line across folded gaps or across parts that are not sampled yet.
            let is_apart = last.replace(time).is_some_and(|last| time - last > 1.5 * interval);
            let gap = is_apart.then_some((axis.x_at(time), f64::NAN));
            let number = sample.value(channel.quantity, channel.component).unwrap_or(f64::NAN);
            gap.into_iter().chain([(axis.x_at(time), number)])
        });
        Trace::from_points(points)
    }

    /// Returns NaN if the value at `time`, in seconds, is unknown.
    pub(super) fn value(&self, channel: KinematicChannel, axis: &TimeAxis, time: f64) -> f64 {
        let sample =
            self.0.get(&channel.node).map(|it| it.sample_at(detail_on_axis(it, axis), time));
        let number = sample.and_then(|it| it.value(channel.quantity, channel.component));
        number.unwrap_or(f64::NAN)
    }

    pub(super) fn bounds(&self, channel: KinematicChannel) -> Option<(f64, f64)> {
        let (low, high) = self.0.get(&channel.node)?.bounds(channel.quantity, channel.component)?;
        // Magnitudes are never negative, so their bounds begin at zero.
        Some(if channel.component == VectorComponent::Magnitude {
            (0.0, high)
        } else {
            (low, high)
        })
    }

    pub(super) fn explanation(&self, channel: KinematicChannel, axis: &TimeAxis) -> String {
        let interval =
            self.0.get(&channel.node).map_or(0.0, |it| it.interval(detail_on_axis(it, axis)));
        let apart = display_text::format_decimal(1e3 * interval, 2);
        let method = match channel.quantity {
            KinematicQuantity::Velocity => {
                format!("the central difference of positions {apart} ms before and after")
            }
            KinematicQuantity::Acceleration => {
                format!("the central difference of velocities {apart} ms before and after")
            }
        };
        format!(
            "Computed from the position in world space, in metres: {method}. Not stored in the file"
        )
    }
}

fn detail_on_axis(kinematics: &Kinematics, axis: &TimeAxis) -> DetailLevel {
    let seconds = axis.open_stretches().map(|(start, end)| end - start).sum();
    kinematics.detail_for(seconds, (SAMPLES_PER_POINT * axis.width()) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::two_hands;
    use mutoscope_core::clip::Pose;
    use mutoscope_view::timeline::{Folds, TimeWindow};

    fn axis(clip: &Clip, points: f32) -> TimeAxis {
        TimeAxis::new(TimeWindow::around(clip.span), 0.0, points)
    }

    fn speed(clip: &Clip, points: f32) -> (NodeKinematics, KinematicChannel, TimeAxis) {
        let axis = axis(clip, points);
        let (sampled, channel) = speed_on(clip, &axis);
        (sampled, channel, axis)
    }

    fn speed_on(clip: &Clip, axis: &TimeAxis) -> (NodeKinematics, KinematicChannel) {
        let wrist = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap().0;
        let mut sampled = NodeKinematics::default();
        while !sampled.prepare(clip, [wrist].into_iter(), axis, [0.0; 2]).is_complete {}
        let channel = KinematicChannel {
            node: wrist,
            quantity: KinematicQuantity::Velocity,
            component: VectorComponent::Magnitude,
        };
        (sampled, channel)
    }

    #[test]
    fn folded_gaps_are_not_drawn_or_sampled() {
        let clip = two_hands();
        let ends = [clip.span.start, clip.span.start + 0.2, clip.span.end() - 0.2];
        let folds = Folds::from_empty_stretches(ends, clip.span);
        let window = TimeWindow::around(clip.span);
        let axis = TimeAxis::folded(window, 0.0, 100.0, folds);
        let fold = axis.folds().next().unwrap();
        let (sampled, channel) = speed_on(&clip, &axis);
        let kinematics = &sampled.0[&channel.node];
        let interval = kinematics.interval(detail_on_axis(kinematics, &axis));
        let unfolded = TimeAxis::new(window, 0.0, 100.0);
        assert!(interval < kinematics.interval(detail_on_axis(kinematics, &unfolded)));
        let trace = sampled.trace(channel, &axis);
        let times = trace.inside.iter().flatten().map(|point| axis.time_at(point.x));
        let folded = times
            .clone()
            .filter(|time| (fold.start + 2.0 * interval..fold.end - 2.0 * interval).contains(time));
        assert_eq!((folded.count(), times.count() > 10), (0, true));
    }

    #[test]
    fn drawn_speed_matches_the_joint() {
        let clip = two_hands();
        let (sampled, channel, axis) = speed(&clip, 1000.0);
        let trace = sampled.trace(channel, &axis);
        assert!(trace.inside.len() >= 2, "tracking loss splits the line");
        assert!(trace.outside.is_empty() && trace.non_finite.is_empty());
        let interval = {
            let kinematics = &sampled.0[&channel.node];
            kinematics.interval(detail_on_axis(kinematics, &axis))
        };
        let mut pose = Pose::default();
        let mut position_at = |time: f64| {
            clip.sample(time, &mut pose);
            let node = &pose[channel.node];
            node.is_visible.then_some(node.world.translation)
        };
        let mut compared = 0;
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for point in trace.inside.iter().flatten() {
            let steps = ((axis.time_at(point.x) - clip.span.start) / interval).round();
            let time = clip.span.start + steps * interval;
            let (before, after) = (time - interval, time + interval);
            let is_inside = before >= clip.span.start && after <= clip.span.end();
            if let (Some(before), Some(after)) = (position_at(before), position_at(after))
                && is_inside
            {
                let expected = before.distance(after) / (2.0 * interval);
                assert!((point.value - expected).abs() < 1e-6, "{time}: {}", point.value);
                assert_eq!(sampled.value(channel, &axis, time), point.value);
                compared += 1;
            }
            (low, high) = (low.min(point.value), high.max(point.value));
        }
        assert!(compared > 100 && low < high, "{compared} {low} {high}");
        assert_eq!(sampled.bounds(channel), Some((0.0, high)), "speeds begin at zero");
    }

    #[test]
    fn sampling_follows_width_and_covers_the_edges() {
        let clip = two_hands();
        let count = |points: f32| {
            let (sampled, channel, axis) = speed(&clip, points);
            sampled.trace(channel, &axis).inside.iter().map(Vec::len).sum::<usize>()
        };
        assert!(count(20.0) <= 43 && count(1000.0) > 100, "{} {}", count(20.0), count(1000.0));
        let (mut sampled, channel, _) = speed(&clip, 1000.0);
        let close = TimeAxis::new(TimeWindow { start: 1.0, end: 1.01 }, 0.0, 500.0);
        sampled.prepare(&clip, [channel.node].into_iter(), &close, [1.0; 2]);
        let line = sampled.trace(channel, &close).inside.concat();
        assert!(line[0].x <= 0.0 && line[line.len() - 1].x >= 500.0, "{line:?}");
    }

    #[test]
    fn many_nodes_are_sampled_incrementally() {
        let mut clip = two_hands();
        let wrist = NodeId::new(3);
        let crowd = std::iter::repeat_n(clip.nodes[wrist].clone(), 5000).collect();
        clip.nodes = mutoscope_core::clip::Nodes::new(
            crowd,
            &mut mutoscope_core::diagnostics::Diagnostics::new(),
        );
        let (mut sampled, axis) = (NodeKinematics::default(), axis(&clip, 1000.0));
        let mut frames = 1;
        while !sampled.prepare(&clip, [wrist].into_iter(), &axis, [0.0; 2]).is_complete {
            frames += 1;
        }
        assert!(frames > 2, "{frames}");
        let progress = sampled.prepare(&clip, [wrist].into_iter(), &axis, [0.0; 2]);
        assert_eq!(progress, SamplingProgress { is_complete: true, has_new_samples: false });
    }
}
