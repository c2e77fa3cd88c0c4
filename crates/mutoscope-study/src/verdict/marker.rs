//! Checks of markers.

use glam::DVec3;
use mutoscope_core::{clip::NodeId, diagnostics::Severity};

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::marker as codes,
    hand::is_exchange,
    moment::Moment,
    sample_values::SampleValues,
    scene::Scene,
};

/// Two markers together move at least this far when they exchange places, in metres.
const MIN_EXCHANGE_M: f64 = 0.04;

/// A marker that moves less between two samples does not exchange its place, in metres.
const MIN_STEP_M: f64 = MIN_EXCHANGE_M / 4.0;

/// If more markers move that far, the whole scene moves.
const MAX_MOVING_MARKERS: usize = 64;

pub(super) static CHECKS: [MotionCheck; 2] = [
    MotionCheck {
        code: codes::ZERO,
        severity: Severity::Error,
        need: Need::Markers,
        measured: Some(Measured::duration(0.0)),
        min_duration_s: 0.0,
        problem: "the marker is exactly at the origin",
        definition: "the time in which all three coordinates are exactly 0",
        source: "A measured coordinate is never exactly 0.",
        find: Find::Frame(find_zeros),
    },
    MotionCheck {
        code: codes::SWAPPED,
        severity: Severity::Error,
        need: Need::Markers,
        measured: None,
        min_duration_s: 0.0,
        problem: "the markers exchange places",
        definition: "Between two samples both markers together move at least 0.04 m, and each ends where the other was: the sum of both distances is below 0.3 of the way.",
        source: "–",
        find: Find::Frame(find_exchanges),
    },
];

fn find_zeros(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    for (index, marker) in scene.markers.iter().enumerate() {
        if moment.position(*marker) == Some(DVec3::ZERO) {
            values.add(index, moment, 0.0, &[*marker]);
        }
    }
}

fn find_exchanges(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let step = |marker: &NodeId| {
        let step = moment.step(*marker)?;
        (step[0].distance(step[1]) >= MIN_STEP_M).then_some((*marker, step))
    };
    let moving: Vec<_> = scene.markers.iter().filter_map(step).collect();
    if moving.len() > MAX_MOVING_MARKERS {
        return;
    }
    for (index, (one, one_step)) in moving.iter().enumerate() {
        for (other, other_step) in &moving[index + 1..] {
            if is_exchange(*one_step, *other_step, MIN_EXCHANGE_M) {
                values.add(one.index(), moment, 0.0, &[*one, *other]);
            }
        }
    }
}
