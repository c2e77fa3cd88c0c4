//! Measures distances, heights and angles of nodes over the whole recording, because no track of a
//! file has them.

use std::collections::HashMap;

use glam::DVec3;

use super::trace::Trace;
use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Pose},
    measure::compare::Path,
};
use mutoscope_view::timeline::TimeAxis;

/// A quantity of the positions of nodes in world space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Measurement {
    /// The distance between two nodes, in metres.
    Distance([NodeId; 2]),
    /// The height above the ground, in metres.
    Height(NodeId),
    /// The angle at the middle node between the directions to the other two, in degrees. It is 180°
    /// if the three nodes are on a line.
    Angle([NodeId; 3]),
}

/// The finest interval between samples, in seconds.
const MIN_INTERVAL_S: f64 = 1.0 / 240.0;

/// The largest number of samples of a recording. A longer recording is sampled more coarsely.
const MAX_SAMPLES: usize = 8000;

/// The largest number of node positions that are sampled in a frame. Long recordings are measured
/// over several frames, so that no frame is delayed.
const MAX_NODE_SAMPLES_PER_FRAME: usize = 200_000;

impl Measurement {
    /// Returns the angle at a joint between the bones to its parent and to its first child. `None`
    /// if the node has no parent or no child.
    pub(super) fn bend(clip: &Clip, node: NodeId) -> Option<Self> {
        let parent = clip.nodes[node].parent?;
        let is_child = |id: &NodeId| {
            let other = &clip.nodes[*id];
            other.parent == Some(node) && matches!(other.kind, NodeKind::Joint | NodeKind::Tip)
        };
        let child = clip.nodes.with_ids().map(|(id, _)| id).find(is_child)?;
        Some(Self::Angle([parent, node, child]))
    }

    pub(super) fn nodes(self) -> Vec<NodeId> {
        match self {
            Self::Distance(nodes) => nodes.to_vec(),
            Self::Height(node) => vec![node],
            Self::Angle(nodes) => nodes.to_vec(),
        }
    }

    /// Returns the same quantity of other nodes. `None` if `map` returns `None` for a node.
    pub(super) fn map_nodes(self, map: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        Some(match self {
            Self::Distance([a, b]) => Self::Distance([map(a)?, map(b)?]),
            Self::Height(node) => Self::Height(map(node)?),
            Self::Angle([a, b, c]) => Self::Angle([map(a)?, map(b)?, map(c)?]),
        })
    }

    /// Computes the quantity from the positions of [`nodes`](Self::nodes). Returns NaN if one of
    /// them is unknown.
    fn value(self, positions: &[Option<DVec3>]) -> f64 {
        let value = match (self, positions) {
            (Self::Distance(_), &[Some(a), Some(b)]) => Some(a.distance(b)),
            (Self::Height(_), &[Some(node)]) => Some(node.y),
            (Self::Angle(_), &[Some(a), Some(b), Some(c)]) => {
                Some((a - b).angle_between(c - b).to_degrees())
            }
            _ => None,
        };
        value.unwrap_or(f64::NAN)
    }

    /// Measures at one time, in seconds of the clip.
    pub(super) fn value_at(self, clip: &Clip, time: f64) -> f64 {
        let mut pose = Pose::default();
        clip.sample(time, &mut pose);
        let position = |id: NodeId| {
            let node = &pose[id];
            node.is_visible.then_some(node.world.translation)
        };
        let positions: Vec<_> = self.nodes().into_iter().map(position).collect();
        self.value(&positions)
    }
}

/// The samples of each measurement over the whole recording.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured(HashMap<Measurement, Samples>);

#[derive(Clone, Debug)]
struct Samples {
    interval: f64,
    count: usize,
    values: Vec<f64>,
}

impl Samples {
    fn new(clip: &Clip) -> Self {
        let duration = clip.span.duration.max(0.0);
        let count = (duration / MIN_INTERVAL_S).ceil().clamp(1.0, MAX_SAMPLES as f64) as usize;
        Self { interval: duration / count as f64, count: count + 1, values: Vec::new() }
    }
}

impl Measured {
    /// Measures until the budget of a frame is spent. Returns `false` if samples are still missing.
    pub(super) fn prepare(
        &mut self,
        clip: &Clip,
        measurements: impl Iterator<Item = Measurement>,
    ) -> bool {
        let mut budget = (MAX_NODE_SAMPLES_PER_FRAME / clip.nodes.len().max(1)).max(1);
        let mut is_complete = true;
        for measurement in measurements {
            let samples = self.0.entry(measurement).or_insert_with(|| Samples::new(clip));
            let first = samples.values.len();
            let count = (samples.count - first).min(budget);
            budget -= count;
            let start = clip.span.start + first as f64 * samples.interval;
            let paths =
                Path::sample_joints(clip, &measurement.nodes(), start, samples.interval, count);
            samples.values.extend((0..count).map(|index| {
                let positions: Vec<_> = paths.iter().map(|path| path.positions[index]).collect();
                measurement.value(&positions)
            }));
            is_complete &= samples.values.len() == samples.count;
        }
        is_complete
    }

    pub(super) fn trace(&self, clip: &Clip, measurement: Measurement, axis: &TimeAxis) -> Trace {
        let Some(samples) = self.0.get(&measurement) else { return Trace::default() };
        let time = |index: usize| clip.span.start + index as f64 * samples.interval;
        let window = axis.window();
        let reach = samples.interval;
        let is_visible =
            |index: &usize| (window.start - reach..=window.end + reach).contains(&time(*index));
        let visible = (0..samples.values.len()).filter(is_visible);
        Trace::from_points(visible.map(|index| (axis.x_at(time(index)), samples.values[index])))
    }

    pub(super) fn bounds(&self, measurement: Measurement) -> Option<(f64, f64)> {
        let samples = self.0.get(&measurement)?;
        let finite = samples.values.iter().filter(|value| value.is_finite());
        finite.map(|value| (*value, *value)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::two_hands;
    use mutoscope_view::timeline::TimeWindow;

    fn node(clip: &Clip, name: &str) -> NodeId {
        clip.nodes.with_ids().find(|(_, node)| node.name == name).unwrap().0
    }

    #[test]
    fn measured_distance_is_that_of_the_pose_at_any_time() {
        let clip = two_hands();
        let pair = [node(&clip, "right/ThumbTip"), node(&clip, "right/IndexTip")];
        let distance = Measurement::Distance(pair);
        let mut measured = Measured::default();
        while !measured.prepare(&clip, [distance].into_iter()) {}
        let axis = TimeAxis::new(TimeWindow::around(clip.span), 0.0, 1000.0);
        let trace = measured.trace(&clip, distance, &axis);
        let mut pose = Pose::default();
        let mut compared = 0;
        for point in trace.inside.iter().flatten().step_by(37) {
            let steps = ((axis.time_at(point.x) - clip.span.start) / MIN_INTERVAL_S).round();
            let time = clip.span.start + steps * MIN_INTERVAL_S;
            clip.sample(time, &mut pose);
            let [a, b] = pair.map(|id| pose[id].world.translation);
            assert!((point.value - a.distance(b)).abs() < 1e-9, "{time}");
            assert!((distance.value_at(&clip, time) - a.distance(b)).abs() < 1e-12);
            compared += 1;
        }
        assert!(compared > 10);
        let (low, high) = measured.bounds(distance).unwrap();
        assert!(low < 0.04 && high > 0.06, "the hand pinches and opens: {low} {high}");
    }

    #[test]
    fn angle_is_180_degrees_on_a_line() {
        let ids = [0, 1, 2].map(NodeId::new);
        let angle = |positions: [[f64; 3]; 3]| {
            let positions = positions.map(|position| Some(DVec3::from_array(position)));
            Measurement::Angle(ids).value(&positions)
        };
        let straight = angle([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, -2.0, 0.0]]);
        let bent = angle([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 3.0]]);
        assert!((straight - 180.0).abs() < 1e-9 && (bent - 90.0).abs() < 1e-9);
        assert!(Measurement::Distance([ids[0], ids[1]]).value(&[None, Some(DVec3::X)]).is_nan());
    }
}
