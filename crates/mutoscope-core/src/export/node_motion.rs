//! The motion of a node, in the viewer's space and relative to its parent.

use glam::{DQuat, DVec3};

use super::{
    Job,
    budget::EvaluationBudget,
    keyed_curve::{Interpolate, KeyedCurve},
    tracer::{TraceStats, Tracer},
};
use crate::clip::{Node, StraightParts, Transform};

/// The motion of a node, relative to its parent.
#[derive(Clone, Debug)]
pub struct NodeMotion {
    /// The translation, in metres.
    pub translation: KeyedCurve<DVec3>,
    /// The rotation. Adjacent quaternions lie in the same hemisphere.
    pub rotation: KeyedCurve<DQuat>,
    /// The scale along the node's own axes.
    pub scale: KeyedCurve<DVec3>,
    /// The visibility.
    pub shown: KeyedCurve<bool>,
}

impl NodeMotion {
    /// Returns `true` if the node is hidden at all times.
    pub fn is_never_shown(&self) -> bool {
        self.shown.is_constant() && !self.shown.first_value()
    }

    /// Returns the transform at the first keys.
    pub fn first_transform(&self) -> Transform {
        Transform {
            translation: self.translation.first_value(),
            rotation: self.rotation.first_value(),
            scale: self.scale.first_value(),
        }
    }

    /// Returns the rest transform, with the constant value of each channel that does not move.
    pub(super) fn rest_unless_constant(&self, rest: Transform) -> Transform {
        let first = self.first_transform();
        Transform {
            translation: if self.translation.is_constant() {
                first.translation
            } else {
                rest.translation
            },
            rotation: if self.rotation.is_constant() { first.rotation } else { rest.rotation },
            scale: if self.scale.is_constant() { first.scale } else { rest.scale },
        }
    }

    pub(super) fn constant(local: Transform, shown: bool) -> Self {
        let local = if local.is_finite() { local } else { Transform::IDENTITY };
        Self {
            translation: KeyedCurve::constant(local.translation),
            rotation: KeyedCurve::constant(local.rotation),
            scale: KeyedCurve::constant(local.scale),
            shown: KeyedCurve::constant(shown),
        }
    }
}

pub(super) struct NodeTracer {
    translation: Tracer<DVec3>,
    rotation: Tracer<DQuat>,
    scale: Tracer<DVec3>,
    shown: Tracer<bool>,
    is_scaled: bool,
    /// `true` if [`Self::trace_visibility`] traces the visibility, at the times at which it may
    /// change. At evenly spaced samples, the changes would be late.
    traces_visibility_separately: bool,
    rest: Transform,
}

impl NodeTracer {
    pub(super) fn for_node(job: &Job<'_>, skips_still_keys: bool, node: &Node) -> Self {
        let rest = job.clip.convention.viewer_from_source().convert_transform(&node.rest);
        let is_scaled = skips_still_keys || node.motion.scale.is_some();
        Self { is_scaled, ..Self::new(job, skips_still_keys, rest) }
    }

    /// Creates a tracer for a view, which has no scale.
    pub(super) fn for_view(job: &Job<'_>) -> Self {
        Self::new(job, true, Transform::IDENTITY)
    }

    pub(super) fn for_part(job: &Job<'_>, rest: Transform, tolerance: f64) -> Self {
        let Self { translation, rotation, scale, .. } = Self::new(job, true, rest);
        Self {
            translation: translation.with_tolerance(tolerance),
            rotation: rotation.with_tolerance(tolerance),
            scale: scale.with_tolerance(tolerance),
            is_scaled: true,
            ..Self::new(job, true, rest)
        }
    }

    fn new(job: &Job<'_>, skips_still_keys: bool, rest: Transform) -> Self {
        let (steps, min_gap, inserts_keys) = (job.time_steps, job.min_key_gap, job.rate.is_none());
        Self {
            translation: Tracer::new(steps, inserts_keys, skips_still_keys).with_min_gap(min_gap),
            rotation: Tracer::new(steps, inserts_keys, skips_still_keys).with_min_gap(min_gap),
            scale: Tracer::new(steps, inserts_keys, true).with_min_gap(min_gap),
            // Insert keys even if the other channels get none, because the visibility changes at
            // exact times.
            shown: Tracer::new(steps, true, true),
            is_scaled: false,
            traces_visibility_separately: !inserts_keys,
            rest,
        }
    }

    pub(super) fn trace_gap(
        &mut self,
        from: f64,
        to: f64,
        straight: StraightParts,
        budget: &EvaluationBudget,
        at: &mut impl FnMut(f64) -> (Transform, bool),
    ) {
        fn trace<T: Interpolate>(
            tracer: &mut Tracer<T>,
            [from, to]: [f64; 2],
            is_straight: bool,
            budget: &EvaluationBudget,
            at: &mut impl FnMut(f64) -> T,
        ) {
            if is_straight {
                tracer.trace_straight_gap(from, to, at);
            } else {
                tracer.trace_gap(from, to, budget, at);
            }
        }
        let gap = [from, to];
        let StraightParts { translation, rotation, scale, visibility } = straight;
        trace(&mut self.translation, gap, translation, budget, &mut |time| at(time).0.translation);
        trace(&mut self.rotation, gap, rotation, budget, &mut |time| at(time).0.rotation);
        if self.is_scaled {
            trace(&mut self.scale, gap, scale, budget, &mut |time| at(time).0.scale);
        }
        if !self.traces_visibility_separately {
            trace(&mut self.shown, gap, visibility, budget, &mut |time| at(time).1);
        }
    }

    pub(super) fn trace_visibility(
        &mut self,
        from: f64,
        to: f64,
        budget: &EvaluationBudget,
        at: &mut impl FnMut(f64) -> bool,
    ) {
        if self.traces_visibility_separately {
            self.shown.trace_gap(from, to, budget, at);
        }
    }

    pub(super) fn finish(
        self,
        time: f64,
        (local, shown): (Transform, bool),
    ) -> (NodeMotion, TraceStats) {
        let mut stats = TraceStats::default();
        let (translation, translation_stats) = self.translation.finish(time, local.translation);
        let (rotation, rotation_stats) = self.rotation.finish(time, local.rotation);
        let (scale, scale_stats) = self.scale.finish(time, local.scale);
        let (visibility, _) = self.shown.finish(time, shown);
        [translation_stats, rotation_stats, scale_stats]
            .into_iter()
            .for_each(|channel_stats| stats.add(channel_stats));
        // If a channel has no finite value at all, it keeps the rest pose.
        let motion = NodeMotion {
            translation: translation.unwrap_or(KeyedCurve::constant(self.rest.translation)),
            rotation: rotation
                .unwrap_or(KeyedCurve::constant(self.rest.rotation))
                .with_continuous_signs(),
            scale: scale.unwrap_or(KeyedCurve::constant(self.rest.scale)),
            shown: visibility.unwrap_or(KeyedCurve::constant(shown)),
        };
        (motion, stats)
    }
}
