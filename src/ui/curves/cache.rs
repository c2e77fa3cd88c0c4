//! Cached lines, kept while the axis is unchanged.

use std::{collections::HashMap, sync::Arc};

use super::{
    extremes::Extremes, kinematic_curves::Moved, pane::ChannelId, source::Source, trace::Trace,
    typical::typical_bounds,
};
use mutoscope_core::{
    clip::{Clip, Hint, NodeId, RotationRule},
    measure::timeline::{TimeAxis, Window},
};

/// The resolution at which a whole recording is sampled for the bounds of a curve, in points.
const FINENESS: f32 = 1000.0;

/// The line of each channel: computed once for each axis, not in each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    rule: Option<RotationRule>,
    traces: HashMap<ChannelId, Arc<Trace>>,
    /// Whatever the axis.
    extremes: HashMap<ChannelId, Extremes>,
    /// Over the whole recording: of all values, and of those that are not far away from all others.
    bounds: HashMap<ChannelId, [Option<(f64, f64)>; 2]>,
    /// How nodes move.
    pub(super) moved: Moved,
}

impl Cache {
    /// Drops the lines of another axis, or of another rotation rule.
    pub(super) fn aim_at(&mut self, axis: &TimeAxis, rule: RotationRule) {
        if self.rule.replace(rule) != Some(rule) {
            self.bounds.clear();
            self.moved = Moved::default();
            self.axis = None;
        }
        if self.axis.as_ref() != Some(axis) {
            self.axis = Some(axis.clone());
            self.traces.clear();
        }
    }

    /// Samples the motion of `nodes` on the current axis, and at these times, in seconds; returns
    /// whether that was all, or there is more to sample in the next frame.
    pub(super) fn look_at_movement(
        &mut self,
        clip: &Clip,
        nodes: impl Iterator<Item = NodeId>,
        axis: &TimeAxis,
        times: [f64; 2],
    ) -> bool {
        let (is_complete, is_news) = self.moved.prepare(clip, nodes, axis, times);
        if is_news {
            self.traces.retain(|id, _| matches!(id, ChannelId::Keyed { .. }));
        }
        is_complete
    }

    /// The line of a channel on the axis aimed at.
    pub(super) fn trace(&mut self, clip: &Clip, id: ChannelId, axis: &TimeAxis) -> Arc<Trace> {
        if let Some(known) = self.traces.get(&id) {
            return known.clone();
        }
        let trace = Arc::new(match id {
            ChannelId::Moved(measure) => self.moved.trace(measure, axis),
            ChannelId::Keyed { .. } => self.keyed(clip, id, axis),
        });
        self.traces.insert(id, trace.clone());
        trace
    }

    fn keyed(&mut self, clip: &Clip, id: ChannelId, axis: &TimeAxis) -> Trace {
        let Some(source) = Source::of(clip, id) else { return Trace::default() };
        let values = (0..source.times().len()).map(|index| source.key_value(index));
        let extremes = self.extremes.entry(id).or_insert_with(|| Extremes::new(values));
        Trace::new(&source, extremes, axis)
    }

    /// The value of a channel at `time`, in seconds; NaN where it has none.
    pub(super) fn value(&self, clip: &Clip, id: ChannelId, axis: &TimeAxis, time: f64) -> f64 {
        match (id, Source::of(clip, id)) {
            (ChannelId::Moved(measure), _) => self.moved.value(measure, axis, time),
            (_, source) => source.map_or(f64::NAN, |it| it.at(time, &mut Hint::default())),
        }
    }

    /// The least and the greatest value of a channel over the whole recording, and at all keys.
    pub(super) fn bounds(&mut self, clip: &Clip, id: ChannelId) -> Option<(f64, f64)> {
        match id {
            ChannelId::Moved(measure) => self.moved.bounds(measure),
            ChannelId::Keyed { .. } => self.keyed_bounds(clip, id)[0],
        }
    }

    /// The same without values that are far away from most others.
    pub(super) fn typical_bounds(&mut self, clip: &Clip, id: ChannelId) -> Option<(f64, f64)> {
        match id {
            ChannelId::Moved(measure) => self.moved.bounds(measure),
            ChannelId::Keyed { .. } => self.keyed_bounds(clip, id)[1],
        }
    }

    fn keyed_bounds(&mut self, clip: &Clip, id: ChannelId) -> [Option<(f64, f64)>; 2] {
        if let Some(known) = self.bounds.get(&id) {
            return *known;
        }
        let all = TimeAxis::new(Window::all_of(clip.span), 0.0, FINENESS);
        let trace = self.keyed(clip, id, &all);
        let bounds = [trace.bounds(), typical_bounds(trace.values())];
        self.bounds.insert(id, bounds);
        bounds
    }
}
