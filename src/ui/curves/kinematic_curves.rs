//! Velocity and acceleration of nodes in the world, which no track has: computed where they are
//! visible.

use std::collections::HashMap;

use super::trace::Trace;
use crate::ui::words;
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::{
        compare::{Change, Detail, Kinematics, Part},
        timeline::TimeAxis,
    },
};

/// How many moments are sampled for each point of the curves' width.
const MOMENTS_PER_POINT: f32 = 2.0;

/// How many moments the whole of a recording is looked at to know the bounds of its curves.
const FINENESS: usize = 2000;

/// At most this many nodes are sampled for one frame: curves grow rather than delaying it.
const NODES_A_PICTURE: usize = 200_000;

/// One number of how a node moves in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Measure {
    pub(super) node: NodeId,
    pub(super) change: Change,
    pub(super) part: Part,
}

/// The motion of nodes, as far as it was sampled.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved(HashMap<NodeId, Kinematics>);

impl Moved {
    /// Samples `nodes` over `axis`, at `times`, in seconds, and over the whole recording more
    /// coarsely. Some of it, if it is much: returns whether all of it is there, and whether
    /// anything was sampled.
    pub(super) fn prepare(
        &mut self,
        clip: &Clip,
        nodes: impl Iterator<Item = NodeId>,
        axis: &TimeAxis,
        times: [f64; 2],
    ) -> (bool, bool) {
        let most = (NODES_A_PICTURE / (Kinematics::CHUNK * clip.nodes.len().max(1))).max(1);
        let (mut left, mut is_complete) = (most, true);
        for node in nodes {
            let kinematics = self.0.entry(node).or_insert_with(|| Kinematics::new(clip, node));
            let shown = detail(kinematics, axis);
            let whole = kinematics.detail(clip.span.duration, FINENESS);
            let [one, other] = times.map(|time| (shown, time..=time));
            let all = (whole, clip.span.start..=clip.span.end());
            let stretches = axis.open_stretches().map(|(start, end)| (shown, start..=end));
            for (detail, window) in [one, other].into_iter().chain(stretches).chain([all]) {
                is_complete &= kinematics.prepare(clip, detail, &window, &mut left);
            }
        }
        (is_complete, left < most)
    }

    /// The line on `axis` of one component of a node's motion.
    pub(super) fn trace(&self, measure: Measure, axis: &TimeAxis) -> Trace {
        let Some(kinematics) = self.0.get(&measure.node) else { return Trace::default() };
        let detail = detail(kinematics, axis);
        let mut last: Option<f64> = None;
        let interval = kinematics.interval(detail);
        let stretch =
            |(start, end)| kinematics.movements(detail, &(start..=end)).collect::<Vec<_>>();
        let movements = axis.open_stretches().flat_map(stretch);
        let points = movements.flat_map(|(time, movement)| {
            // Compressed gaps, and parts that are not sampled yet, are not bridged.
            let is_apart = last.replace(time).is_some_and(|last| time - last > 1.5 * interval);
            let gap = is_apart.then_some((axis.x_at(time), f64::NAN));
            let number = movement.number(measure.change, measure.part).unwrap_or(f64::NAN);
            gap.into_iter().chain([(axis.x_at(time), number)])
        });
        Trace::through(points)
    }

    /// One component of a node's motion at `time`, in seconds; NaN where it is unknown.
    pub(super) fn value(&self, measure: Measure, axis: &TimeAxis, time: f64) -> f64 {
        let movement = self.0.get(&measure.node).map(|it| it.at(detail(it, axis), time));
        let number = movement.and_then(|it| it.number(measure.change, measure.part));
        number.unwrap_or(f64::NAN)
    }

    /// The least and the greatest of one number of how a node moves.
    pub(super) fn bounds(&self, measure: Measure) -> Option<(f64, f64)> {
        let (low, high) = self.0.get(&measure.node)?.bounds(measure.change, measure.part)?;
        // Bounds of speeds include zero.
        Some(if measure.part == Part::Magnitude { (0.0, high) } else { (low, high) })
    }

    /// How a curve was worked out.
    pub(super) fn explanation(&self, measure: Measure, axis: &TimeAxis) -> String {
        let interval = self.0.get(&measure.node).map_or(0.0, |it| it.interval(detail(it, axis)));
        let apart = words::trimmed(1e3 * interval, 2);
        let how = match measure.change {
            Change::Velocity => {
                format!("the central difference of positions {apart} ms before and after")
            }
            Change::Acceleration => {
                format!("the central difference of velocities {apart} ms before and after")
            }
        };
        format!(
            "Computed from the position in world space, in metres: {how}. Not stored in the file"
        )
    }
}

/// How finely a node is looked at on `axis`, apart from what is folded.
fn detail(kinematics: &Kinematics, axis: &TimeAxis) -> Detail {
    let seconds = axis.open_stretches().map(|(start, end)| end - start).sum();
    kinematics.detail(seconds, (MOMENTS_PER_POINT * axis.width()) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::two_hands;
    use mutoscope_core::{
        clip::Pose,
        measure::timeline::{Folds, Window},
    };

    fn axis(clip: &Clip, points: f32) -> TimeAxis {
        TimeAxis::new(Window::all_of(clip.span), 0.0, points)
    }

    /// The speed of the left wrist, looked at on an axis so wide.
    fn speed(clip: &Clip, points: f32) -> (Moved, Measure, TimeAxis) {
        let axis = axis(clip, points);
        let (moved, measure) = speed_on(clip, &axis);
        (moved, measure, axis)
    }

    fn speed_on(clip: &Clip, axis: &TimeAxis) -> (Moved, Measure) {
        let wrist = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap().0;
        let mut moved = Moved::default();
        while !moved.prepare(clip, [wrist].into_iter(), axis, [0.0; 2]).0 {}
        let measure = Measure { node: wrist, change: Change::Velocity, part: Part::Magnitude };
        (moved, measure)
    }

    #[test]
    fn folded_gaps_are_not_drawn_or_sampled() {
        let clip = two_hands();
        let ends = [clip.span.start, clip.span.start + 0.2, clip.span.end() - 0.2];
        let folds = Folds::of_empty_stretches(ends, clip.span);
        let window = Window::all_of(clip.span);
        let axis = TimeAxis::folded(window, 0.0, 100.0, folds);
        let fold = axis.folds().next().unwrap();
        let (moved, measure) = speed_on(&clip, &axis);
        let kinematics = &moved.0[&measure.node];
        let interval = kinematics.interval(detail(kinematics, &axis));
        let unfolded = TimeAxis::new(window, 0.0, 100.0);
        assert!(interval < kinematics.interval(detail(kinematics, &unfolded)));
        let trace = moved.trace(measure, &axis);
        let times = trace.inside.iter().flatten().map(|point| axis.time_at(point.x));
        let folded = times
            .clone()
            .filter(|time| (fold.start + 2.0 * interval..fold.end - 2.0 * interval).contains(time));
        assert_eq!((folded.count(), times.count() > 10), (0, true));
    }

    #[test]
    fn drawn_speed_matches_the_joint() {
        let clip = two_hands();
        let (moved, measure, axis) = speed(&clip, 1000.0);
        let trace = moved.trace(measure, &axis);
        assert!(trace.inside.len() >= 2, "the hand is lost for a while");
        assert!(trace.outside.is_empty() && trace.broken.is_empty());
        let interval = {
            let kinematics = &moved.0[&measure.node];
            kinematics.interval(detail(kinematics, &axis))
        };
        let mut pose = Pose::default();
        let mut place = |time: f64| {
            clip.sample(time, &mut pose);
            let node = &pose.nodes[measure.node.index()];
            node.shown.then_some(node.world.translation)
        };
        let mut compared = 0;
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for point in trace.inside.iter().flatten() {
            let steps = ((axis.time_at(point.x) - clip.span.start) / interval).round();
            let time = clip.span.start + steps * interval;
            let (before, after) = (time - interval, time + interval);
            let is_inside = before >= clip.span.start && after <= clip.span.end();
            if let (Some(before), Some(after)) = (place(before), place(after))
                && is_inside
            {
                let expected = before.distance(after) / (2.0 * interval);
                assert!((point.value - expected).abs() < 1e-6, "{time}: {}", point.value);
                assert_eq!(moved.value(measure, &axis, time), point.value);
                compared += 1;
            }
            (low, high) = (low.min(point.value), high.max(point.value));
        }
        assert!(compared > 100 && low < high, "{compared} {low} {high}");
        assert_eq!(moved.bounds(measure), Some((0.0, high)), "from standing still on");
    }

    #[test]
    fn sampling_follows_width_and_covers_the_edges() {
        let clip = two_hands();
        let count = |points: f32| {
            let (moved, measure, axis) = speed(&clip, points);
            moved.trace(measure, &axis).inside.iter().map(Vec::len).sum::<usize>()
        };
        assert!(count(20.0) <= 43 && count(1000.0) > 100, "{} {}", count(20.0), count(1000.0));
        let (mut moved, measure, _) = speed(&clip, 1000.0);
        let close = TimeAxis::new(Window { start: 1.0, end: 1.01 }, 0.0, 500.0);
        moved.prepare(&clip, [measure.node].into_iter(), &close, [1.0; 2]);
        let line = moved.trace(measure, &close).inside.concat();
        assert!(line[0].x <= 0.0 && line[line.len() - 1].x >= 500.0, "{line:?}");
    }

    #[test]
    fn many_nodes_are_sampled_incrementally() {
        let mut clip = two_hands();
        let wrist = NodeId::new(3);
        let crowd = std::iter::repeat_n(clip.nodes[wrist].clone(), 5000).collect();
        clip.nodes = mutoscope_core::clip::Nodes::new(
            crowd,
            &mut mutoscope_core::diagnostics::Notices::new(),
        );
        let (mut moved, axis) = (Moved::default(), axis(&clip, 1000.0));
        let mut pictures = 1;
        while !moved.prepare(&clip, [wrist].into_iter(), &axis, [0.0; 2]).0 {
            pictures += 1;
        }
        assert!(pictures > 2, "{pictures}");
        assert_eq!(moved.prepare(&clip, [wrist].into_iter(), &axis, [0.0; 2]), (true, false));
    }
}
