//! Samples measurements over the whole recording, a part in each frame.

use std::collections::HashMap;

use super::trace::Trace;
use mutoscope_core::{clip::Clip, measure::Measurement};
use mutoscope_view::timeline::TimeAxis;

/// The finest interval between samples, in seconds.
const MIN_INTERVAL_S: f64 = 1.0 / 240.0;

/// The largest number of samples of a recording. A longer recording is sampled more coarsely.
const MAX_SAMPLES: usize = 8000;

/// The largest number of node positions that are sampled in a frame. Long recordings are measured
/// over several frames, so that no frame is delayed.
const MAX_NODE_SAMPLES_PER_FRAME: usize = 200_000;

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
            samples.values.extend(measurement.sample(clip, start, samples.interval, count));
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
    use mutoscope_core::clip::{NodeId, Pose};
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
}
