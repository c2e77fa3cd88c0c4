//! Checks of heads.

use mutoscope_core::diagnostics::Severity;

use super::{
    check::{Find, Measured, MotionCheck, Need},
    codes::head as codes,
    moment::Moment,
    sample_values::SampleValues,
    scene::Scene,
};
use crate::signal::angle;

pub(super) static CHECKS: [MotionCheck; 2] = [
    MotionCheck {
        code: codes::SPEED,
        severity: Severity::Warning,
        need: Need::Head,
        measured: Some(Measured::above("angular speed", "rad/s", 20.0)),
        min_duration_s: 0.0,
        problem: "the head turns faster than a person can",
        definition: "the angle between two samples, divided by Δt",
        source: "The fastest voluntary head turns reach about 1000°/s, which is 17.5 rad/s.",
        find: Find::Frame(find_fast_turns),
    },
    MotionCheck {
        code: codes::SPEED,
        severity: Severity::Warning,
        need: Need::Head,
        measured: Some(Measured { key: "threshold_mps", ..Measured::above("speed", "m/s", 12.0) }),
        min_duration_s: 0.0,
        problem: "the head moves faster than a person can",
        definition: "\\|p(t) − p(t − Δt)\\| / Δt",
        source: "The fastest sprinters reach 12.4 m/s.",
        find: Find::Frame(find_fast_heads),
    },
];

fn find_fast_turns(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(head) = scene.head.filter(|_| moment.elapsed_s > 0.0) else { return };
    let [from, to] = [&moment.previous[head], &moment.pose[head]];
    if from.is_visible && to.is_visible {
        let turn = angle::rotation_vector(from.world.rotation, to.world.rotation).length();
        values.add(0, moment, turn.to_radians() / moment.elapsed_s, &[head]);
    }
}

fn find_fast_heads(scene: &Scene<'_>, moment: &Moment<'_>, values: &mut SampleValues) {
    let Some(head) = scene.head else { return };
    if let Some(speed) = moment.speed(head) {
        values.add(0, moment, speed, &[head]);
    }
}
