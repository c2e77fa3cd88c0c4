//! Caches the lines of curves while the time axis is unchanged.

use std::{collections::HashMap, sync::Arc};

use super::{
    extremes::Extremes, kinematic_curves::NodeKinematics, measured::Measured, pane::ChannelId,
    source::Source, trace::Trace, typical::typical_bounds,
};
use mutoscope_core::{
    clip::{Clip, Hint, NodeId, RotationRule},
    measure::Measurement,
};
use mutoscope_view::timeline::{TimeAxis, TimeWindow};

/// The width of the time axis on which a whole recording is traced, in points. The trace is only
/// used to find the bounds of a curve.
const BOUNDS_AXIS_WIDTH: f32 = 1000.0;

#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    rule: Option<RotationRule>,
    traces: HashMap<ChannelId, Arc<Trace>>,
    extremes: HashMap<ChannelId, Extremes>,
    /// The bounds of each curve over the whole recording. The first pair includes all values, the
    /// second excludes outliers.
    bounds: HashMap<ChannelId, [Option<(f64, f64)>; 2]>,
    pub(super) kinematics: NodeKinematics,
    measured: Measured,
}

impl Cache {
    pub(super) fn set_axis(&mut self, axis: &TimeAxis, rule: RotationRule) {
        if self.rule.replace(rule) != Some(rule) {
            self.bounds.clear();
            self.kinematics = NodeKinematics::default();
            self.measured = Measured::default();
            self.axis = None;
        }
        if self.axis.as_ref() != Some(axis) {
            self.axis = Some(axis.clone());
            self.traces.clear();
        }
    }

    /// Samples the motion of `nodes` on `axis` and at `times`, in seconds. Returns `false` if
    /// samples are still missing, so that the caller requests another frame.
    pub(super) fn sample_kinematics(
        &mut self,
        clip: &Clip,
        nodes: impl Iterator<Item = NodeId>,
        axis: &TimeAxis,
        times: [f64; 2],
    ) -> bool {
        let progress = self.kinematics.prepare(clip, nodes, axis, times);
        if progress.has_new_samples {
            self.traces.retain(|id, _| !matches!(id, ChannelId::Kinematic(_)));
        }
        progress.is_complete
    }

    /// Measures distances, heights and angles. Returns `false` if samples are still missing, so that
    /// the caller requests another frame.
    pub(super) fn measure(
        &mut self,
        clip: &Clip,
        measurements: impl Iterator<Item = Measurement>,
    ) -> bool {
        let is_complete = self.measured.prepare(clip, measurements);
        if !is_complete {
            self.traces.retain(|id, _| !matches!(id, ChannelId::Measured(_)));
        }
        is_complete
    }

    pub(super) fn trace(&mut self, clip: &Clip, id: ChannelId, axis: &TimeAxis) -> Arc<Trace> {
        if let Some(known) = self.traces.get(&id) {
            return known.clone();
        }
        let trace = Arc::new(match id {
            ChannelId::Kinematic(channel) => self.kinematics.trace(channel, axis),
            ChannelId::Measured(measurement) => self.measured.trace(clip, measurement, axis),
            ChannelId::Keyed { .. } => self.trace_keys(clip, id, axis),
        });
        self.traces.insert(id, trace.clone());
        trace
    }

    fn trace_keys(&mut self, clip: &Clip, id: ChannelId, axis: &TimeAxis) -> Trace {
        let Some(source) = Source::for_channel(clip, id) else { return Trace::default() };
        let values = (0..source.times().len()).map(|index| source.key_value(index));
        let extremes = self.extremes.entry(id).or_insert_with(|| Extremes::new(values));
        Trace::new(&source, extremes, axis)
    }

    /// Returns NaN if the channel has no value at `time`, in seconds.
    pub(super) fn value_at(&self, clip: &Clip, id: ChannelId, axis: &TimeAxis, time: f64) -> f64 {
        match (id, Source::for_channel(clip, id)) {
            (ChannelId::Kinematic(channel), _) => self.kinematics.value(channel, axis, time),
            (ChannelId::Measured(measurement), _) => measurement.value_at(clip, time),
            (_, source) => source.map_or(f64::NAN, |it| it.value_at(time, &mut Hint::default())),
        }
    }

    pub(super) fn bounds(&mut self, clip: &Clip, id: ChannelId) -> Option<(f64, f64)> {
        match id {
            ChannelId::Kinematic(channel) => self.kinematics.bounds(channel),
            ChannelId::Measured(measurement) => self.measured.bounds(measurement),
            ChannelId::Keyed { .. } => self.keyed_bounds(clip, id)[0],
        }
    }

    pub(super) fn typical_bounds(&mut self, clip: &Clip, id: ChannelId) -> Option<(f64, f64)> {
        match id {
            ChannelId::Kinematic(channel) => self.kinematics.bounds(channel),
            ChannelId::Measured(measurement) => self.measured.bounds(measurement),
            ChannelId::Keyed { .. } => self.keyed_bounds(clip, id)[1],
        }
    }

    fn keyed_bounds(&mut self, clip: &Clip, id: ChannelId) -> [Option<(f64, f64)>; 2] {
        if let Some(known) = self.bounds.get(&id) {
            return *known;
        }
        let all = TimeAxis::new(TimeWindow::around(clip.span), 0.0, BOUNDS_AXIS_WIDTH);
        let trace = self.trace_keys(clip, id, &all);
        let bounds = [trace.bounds(), typical_bounds(trace.values())];
        self.bounds.insert(id, bounds);
        bounds
    }
}
