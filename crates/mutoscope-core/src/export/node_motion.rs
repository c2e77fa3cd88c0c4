//! The motion of a node, in the viewer's space and relative to its parent.

use glam::{DQuat, DVec3};

use super::{
    Job,
    effort::Effort,
    keyed_curve::KeyedCurve,
    tracer::{Tally, Tracer},
};
use crate::clip::{Node, Transform};

/// The motion of a node, relative to its parent.
#[derive(Clone, Debug)]
pub struct NodeMotion {
    /// Its translation, in metres.
    pub translation: KeyedCurve<DVec3>,
    /// Its rotation; no quaternion of the other sign than the one before it.
    pub rotation: KeyedCurve<DQuat>,
    /// Its scale along its own axes.
    pub scale: KeyedCurve<DVec3>,
    /// Whether it is visible.
    pub shown: KeyedCurve<bool>,
}

impl NodeMotion {
    /// Whether it is hidden at all times.
    pub fn is_never_shown(&self) -> bool {
        self.shown.is_still() && !self.shown.first()
    }

    /// Where it is at its first key.
    pub fn first(&self) -> Transform {
        Transform {
            translation: self.translation.first(),
            rotation: self.rotation.first(),
            scale: self.scale.first(),
        }
    }

    pub(super) fn still(local: Transform, shown: bool) -> Self {
        let local = if local.is_finite() { local } else { Transform::IDENTITY };
        Self {
            translation: KeyedCurve::still(local.translation),
            rotation: KeyedCurve::still(local.rotation),
            scale: KeyedCurve::still(local.scale),
            shown: KeyedCurve::still(shown),
        }
    }
}

/// Traces the motion of a node.
pub(super) struct Tracers {
    translation: Tracer<DVec3>,
    rotation: Tracer<DQuat>,
    scale: Tracer<DVec3>,
    shown: Tracer<bool>,
    is_scaled: bool,
    /// Whether it is visible is traced by [`Self::states`], from change to change: at even times it would be
    /// late.
    has_own_states: bool,
    rest: Transform,
}

impl Tracers {
    pub(super) fn of_node(job: &Job<'_>, thins: bool, node: &Node) -> Self {
        let rest = job.clip.convention.viewer_from_source().transform(&node.rest);
        let is_scaled = thins || node.motion.scale.is_some();
        Self { is_scaled, ..Self::new(job, thins, rest) }
    }

    /// Views have no size.
    pub(super) fn of_view(job: &Job<'_>) -> Self {
        Self::new(job, true, Transform::IDENTITY)
    }

    /// Of a part of a figure that rests somewhere, traced within a tolerance of its own.
    pub(super) fn of_part(job: &Job<'_>, rest: Transform, tolerance: f64) -> Self {
        let Self { translation, rotation, scale, .. } = Self::new(job, true, rest);
        Self {
            translation: translation.within(tolerance),
            rotation: rotation.within(tolerance),
            scale: scale.within(tolerance),
            is_scaled: true,
            ..Self::new(job, true, rest)
        }
    }

    fn new(job: &Job<'_>, thins: bool, rest: Transform) -> Self {
        let refines = job.rate.is_none();
        Self {
            translation: Tracer::new(refines, thins).apart(job.shortest),
            rotation: Tracer::new(refines, thins).apart(job.shortest),
            scale: Tracer::new(refines, true).apart(job.shortest),
            // A state holds until the moment at which it changes.
            shown: Tracer::new(true, true),
            is_scaled: false,
            has_own_states: !refines,
            rest,
        }
    }

    pub(super) fn gap(
        &mut self,
        from: f64,
        to: f64,
        effort: &Effort,
        at: &mut impl FnMut(f64) -> (Transform, bool),
    ) {
        self.translation.gap(from, to, effort, &mut |time| at(time).0.translation);
        self.rotation.gap(from, to, effort, &mut |time| at(time).0.rotation);
        if self.is_scaled {
            self.scale.gap(from, to, effort, &mut |time| at(time).0.scale);
        }
        if !self.has_own_states {
            self.shown.gap(from, to, effort, &mut |time| at(time).1);
        }
    }

    /// Traces whether it is visible from one time at which that may change to the next, where the motion is
    /// sampled at other times: else [`Self::gap`] does.
    pub(super) fn states(
        &mut self,
        from: f64,
        to: f64,
        effort: &Effort,
        at: &mut impl FnMut(f64) -> bool,
    ) {
        if self.has_own_states {
            self.shown.gap(from, to, effort, at);
        }
    }

    pub(super) fn end(self, time: f64, (local, shown): (Transform, bool)) -> (NodeMotion, Tally) {
        let mut tally = Tally::default();
        let (translation, of_translation) = self.translation.end(time, local.translation);
        let (rotation, of_rotation) = self.rotation.end(time, local.rotation);
        let (scale, of_scale) = self.scale.end(time, local.scale);
        let (seen, _) = self.shown.end(time, shown);
        [of_translation, of_rotation, of_scale].into_iter().for_each(|one| tally.add(one));
        // Channels that are never finite keep the rest pose.
        let motion = NodeMotion {
            translation: translation.unwrap_or(KeyedCurve::still(self.rest.translation)),
            rotation: rotation.unwrap_or(KeyedCurve::still(self.rest.rotation)).continuous(),
            scale: scale.unwrap_or(KeyedCurve::still(self.rest.scale)),
            shown: seen.unwrap_or(KeyedCurve::still(shown)),
        };
        (motion, tally)
    }
}
