//! Recordings that play far from the origin, where single precision is too coarse.

use glam::DVec3;

use super::{Job, Report};
use crate::clip::{Pose, Shown};

/// How far from the origin single precision still tells hundredths of a millimetre apart, in
/// metres, more or less.
const NEAR: f64 = 500.0;

/// The coarseness of positions from which on it is reported, in metres.
const COARSE: f64 = 1e-4;

/// How many times of the recording are sampled.
const LOOKS: u32 = 64;

/// The origin that is subtracted from all nodes without a parent where single precision would be
/// too coarse: whole metres, which single precision has. Zero near the origin.
pub fn of(job: &Job<'_>) -> DVec3 {
    let Some((low, high)) = bounds(job) else { return DVec3::ZERO };
    if low.abs().max(high.abs()).max_element() <= NEAR {
        return DVec3::ZERO;
    }
    (low * 0.5 + high * 0.5).as_vec3().round().as_dvec3()
}

/// The box of the positions of nodes without a parent: of what is visible or, if nothing is, of
/// all.
fn bounds(job: &Job<'_>) -> Option<(DVec3, DVec3)> {
    let mut pose = Pose::default();
    let mut boxes: [Option<(DVec3, DVec3)>; 2] = [None; 2];
    for look in 0..=LOOKS {
        let part = f64::from(look) / f64::from(LOOKS);
        job.clip.sample_motion(job.from + (job.to - job.from) * part, &mut pose);
        for (node, stands) in job.clip.nodes.iter().zip(&pose.nodes) {
            let position = stands.local.translation;
            if node.parent.is_some()
                || node.motion.shown == Shown::Never
                || !position.as_vec3().is_finite()
            {
                continue;
            }
            let known = &mut boxes[usize::from(!stands.shown)];
            let (low, high) = known.unwrap_or((position, position));
            *known = Some((low.min(position), high.max(position)));
        }
    }
    let [shown, hidden] = boxes;
    shown.or(hidden)
}

/// How coarse single precision makes the positions that are written.
#[derive(Debug, Default)]
pub(super) struct Precision {
    /// The largest coordinate.
    farthest: f64,
}

impl Precision {
    /// Notes a position, in metres, as it is written.
    pub(super) fn note(&mut self, position: DVec3) {
        if position.is_finite() {
            self.farthest = self.farthest.max(position.abs().max_element());
        }
    }

    /// Reports how coarse positions are if that could be visible. `reader` is the program that has
    /// them in single precision.
    pub(super) fn report(&self, reader: &str, report: &mut Report) {
        // Beyond its range, single precision stays at its end.
        let farthest = self.farthest.min(f32::MAX.into()) as f32;
        let step = f64::from(farthest) - f64::from(farthest.next_down());
        if 0.5 * step > COARSE {
            report.warning(format!(
                "positions up to {:.3e} m from the origin: {reader} rounds them to steps of {step:.1e} m",
                self.farthest
            ));
        }
    }
}
