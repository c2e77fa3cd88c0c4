//! What is drawn, kept while the axis stays as it is.

use std::{collections::HashMap, sync::Arc};

use super::{channels::ChannelId, extremes::Extremes, source::Source, trace::Trace};
use crate::{
    clip::{Clip, RotationRule},
    timeline::{TimeAxis, Window},
};

/// How fine the whole of a recording is looked at to know the bounds of a curve, in points.
const FINENESS: f32 = 1000.0;

/// What is drawn of each channel: found once for each axis, not in each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    rule: Option<RotationRule>,
    traces: HashMap<ChannelId, Arc<Trace>>,
    /// Whatever the axis.
    extremes: HashMap<ChannelId, Arc<Extremes>>,
    /// Over the whole recording.
    bounds: HashMap<ChannelId, Option<(f64, f64)>>,
}

impl Cache {
    /// Forgets what another axis, or another rule for rotations, showed.
    pub(super) fn aim_at(&mut self, axis: &TimeAxis, rule: RotationRule) {
        if self.rule.replace(rule) != Some(rule) {
            self.bounds.clear();
            self.axis = None;
        }
        if self.axis.as_ref() != Some(axis) {
            self.axis = Some(axis.clone());
            self.traces.clear();
        }
    }

    /// What is drawn of a channel on the axis aimed at.
    pub(super) fn trace(&mut self, clip: &Clip, id: ChannelId, axis: &TimeAxis) -> Arc<Trace> {
        if let Some(known) = self.traces.get(&id) {
            return known.clone();
        }
        let extremes = self.extremes(clip, id);
        let trace = Arc::new(Trace::new(&Source::of(clip, id), &extremes, axis));
        self.traces.insert(id, trace.clone());
        trace
    }

    /// The least and the greatest value of a channel over the whole recording, and at all keys.
    pub(super) fn bounds(&mut self, clip: &Clip, id: ChannelId) -> Option<(f64, f64)> {
        if let Some(known) = self.bounds.get(&id) {
            return *known;
        }
        let extremes = self.extremes(clip, id);
        let all = TimeAxis::new(Window::all_of(clip.span), 0.0, FINENESS);
        let bounds = Trace::new(&Source::of(clip, id), &extremes, &all).bounds();
        self.bounds.insert(id, bounds);
        bounds
    }

    fn extremes(&mut self, clip: &Clip, id: ChannelId) -> Arc<Extremes> {
        let source = Source::of(clip, id);
        let values = (0..source.times().len()).map(|index| source.key_value(index));
        let find = || Arc::new(Extremes::new(values));
        self.extremes.entry(id).or_insert_with(find).clone()
    }
}
