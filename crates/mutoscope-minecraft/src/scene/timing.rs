//! The delays and waits of a scene's elements.

use crate::TICKS_PER_SECOND;

/// The timing of an element of a scene, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The time at the start in which the element is absent.
    pub start_delay: f64,
    /// The time after `start_delay` in which the element waits at its start.
    pub wait_on_start: f64,
    /// The time in which the element waits at its end, before it loops or vanishes.
    pub wait_on_end: f64,
    /// `true` if the element stays at its end until the scene ends.
    pub waits_for_parent_end: bool,
    /// `true` if the element loops. Each loop repeats the delay and the wait.
    pub loops: bool,
    /// `true` if `wait_on_start` is a delay of mod versions 1.0 to 1.3 or of the alphas of 1.4.
    /// With such a delay, the first tick runs at once, and the second tick runs when the delay is
    /// over.
    pub is_legacy: bool,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            start_delay: 0.0,
            wait_on_start: 0.0,
            wait_on_end: 0.0,
            waits_for_parent_end: true,
            loops: false,
            is_legacy: false,
        }
    }
}

impl Timing {
    pub(super) fn legacy(delay: f64) -> Self {
        Self { wait_on_start: delay, is_legacy: true, ..Self::default() }
    }
}

/// The sums of the delays and waits of an element and of all scenes that contain the element. The
/// sums in seconds are rounded to ticks. Each legacy delay is rounded on its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StartWaits {
    delay: f64,
    wait: f64,
    legacy_ticks: f64,
    is_legacy: bool,
}

impl StartWaits {
    pub(super) fn with_element(mut self, timing: &Timing, legacy_playback: bool) -> Self {
        self.delay += timing.start_delay;
        if timing.is_legacy && legacy_playback {
            self.is_legacy = true;
            // The first tick does not wait, so a delay of one tick has no effect.
            self.legacy_ticks += (round_to_ticks(timing.wait_on_start) - 1.0).max(0.0);
        } else {
            self.wait += timing.wait_on_start;
        }
        self
    }

    pub(super) fn delay_ticks(&self) -> f64 {
        round_to_ticks(self.delay)
    }

    pub(super) fn wait_ticks(&self) -> f64 {
        round_to_ticks(self.wait) + self.legacy_ticks
    }

    pub(super) fn is_legacy(&self) -> bool {
        self.is_legacy
    }
}

pub(super) fn round_to_ticks(seconds: f64) -> f64 {
    super::blocks::round_half_up(seconds * TICKS_PER_SECOND)
}

pub(super) fn is_valid_delay(seconds: f64) -> bool {
    /// The maximum delay: a year. A longer delay is regarded as an error.
    const MAX_DELAY_S: f64 = 365.25 * 86_400.0;
    (0.0..=MAX_DELAY_S).contains(&seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_added_before_rounding_to_ticks() {
        let timing = Timing { start_delay: 0.02, wait_on_start: 0.02, ..Timing::default() };
        let twice = StartWaits::default().with_element(&timing, false).with_element(&timing, false);
        assert_eq!((twice.delay_ticks(), twice.wait_ticks()), (1.0, 1.0));
        assert_eq!([0.0, 0.025, 0.07, 1.0].map(round_to_ticks), [0.0, 1.0, 1.0, 20.0]);
    }

    #[test]
    fn legacy_delays_are_rounded_separately_and_one_tick_short() {
        let old = |delay: f64| Timing::legacy(delay);
        let waits =
            StartWaits::default().with_element(&old(0.4), true).with_element(&old(0.3), true);
        assert_eq!((waits.wait_ticks(), waits.is_legacy()), (7.0 + 5.0, true));
        assert_eq!(StartWaits::default().with_element(&old(0.05), true).wait_ticks(), 0.0);
        let now = StartWaits::default().with_element(&old(0.4), false);
        assert_eq!((now.wait_ticks(), now.is_legacy()), (8.0, false), "as the current mod has it");
    }

    #[test]
    fn invalid_delays_are_rejected() {
        assert!([0.0, 1e6].into_iter().all(is_valid_delay));
        assert!(![-0.1, f64::NAN, 1e12].into_iter().any(is_valid_delay));
    }
}
