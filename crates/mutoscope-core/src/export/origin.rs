//! Chooses an origin for recordings that are so far from 0 that f32 positions are too coarse.

use glam::DVec3;

use super::{Job, Report};
use crate::clip::{NodeVisibility, Pose};

/// The largest coordinate, in metres, for which the recording is not moved. Up to here, f32
/// resolves about 0.03 mm.
const NEAR_ORIGIN_M: f64 = 500.0;

const MIN_REPORTED_ERROR_M: f64 = 1e-4;

const SAMPLE_INTERVALS: u32 = 64;

/// Returns the origin to subtract from all nodes without a parent. The coordinates are whole
/// metres, because f32 represents these exactly. Returns zero if the recording is near the origin.
pub fn choose_origin(job: &Job<'_>) -> DVec3 {
    let Some((low, high)) = root_bounds(job) else { return DVec3::ZERO };
    if low.abs().max(high.abs()).max_element() <= NEAR_ORIGIN_M {
        return DVec3::ZERO;
    }
    (low * 0.5 + high * 0.5).as_vec3().round().as_dvec3()
}

/// Returns the [origin](choose_origin), and reports it if it is not zero.
pub(super) fn choose_reported_origin(job: &Job<'_>, report: &mut Report) -> DVec3 {
    let origin = choose_origin(job);
    if origin != DVec3::ZERO {
        report
            .info(format!("far from the origin; the root node is at {origin}, the others near it"));
    }
    origin
}

fn root_bounds(job: &Job<'_>) -> Option<(DVec3, DVec3)> {
    let mut pose = Pose::default();
    let mut boxes: [Option<(DVec3, DVec3)>; 2] = [None; 2];
    for index in 0..=SAMPLE_INTERVALS {
        let fraction = f64::from(index) / f64::from(SAMPLE_INTERVALS);
        job.clip.sample_motion(job.from + (job.to - job.from) * fraction, &mut pose);
        for (node, node_pose) in job.clip.nodes.iter().zip(&pose.nodes) {
            let position = node_pose.local.translation;
            if node.parent.is_some()
                || node.motion.visibility == NodeVisibility::Never
                || !position.as_vec3().is_finite()
            {
                continue;
            }
            let bounds = &mut boxes[usize::from(!node_pose.is_visible)];
            let (low, high) = bounds.unwrap_or((position, position));
            *bounds = Some((low.min(position), high.max(position)));
        }
    }
    let [shown, hidden] = boxes;
    shown.or(hidden)
}

#[derive(Debug, Default)]
pub(super) struct PositionPrecision {
    largest_coordinate: f64,
}

impl PositionPrecision {
    pub(super) fn record_position(&mut self, position: DVec3) {
        if position.is_finite() {
            self.largest_coordinate = self.largest_coordinate.max(position.abs().max_element());
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.largest_coordinate = self.largest_coordinate.max(other.largest_coordinate);
    }

    pub(super) fn report(&self, reader: &str, report: &mut Report) {
        // Clamp to the range of f32, because larger values would become infinite.
        let largest = self.largest_coordinate.min(f32::MAX.into()) as f32;
        let step = f64::from(largest) - f64::from(largest.next_down());
        if 0.5 * step > MIN_REPORTED_ERROR_M {
            report.warning(format!(
                "positions up to {:.3e} m from the origin: {reader} rounds them to steps of {step:.1e} m",
                self.largest_coordinate
            ));
        }
    }
}
