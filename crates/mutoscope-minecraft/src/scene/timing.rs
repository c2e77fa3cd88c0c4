//! When an element of a scene plays.

use crate::TICKS_PER_SECOND;

/// The timing of an element of a scene, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// How long it is not there.
    pub start_delay: f64,
    /// How long it then waits at its start.
    pub wait_on_start: f64,
    /// How long it waits at its end, before it loops or vanishes.
    pub wait_on_end: f64,
    /// Whether it stays at its end until the scene ends.
    pub waits_for_parent_end: bool,
    /// Whether it loops, delay and waiting included.
    pub loops: bool,
    /// Whether `wait_on_start` is a delay as mod versions 1.0 to 1.3 and the alphas of 1.4 have it:
    /// the first tick runs at once, and the second when the delay is over.
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
    /// The timing of an element that plays after a delay as mod versions 1.0 to 1.3 have it.
    pub(super) fn legacy(delay: f64) -> Self {
        Self { wait_on_start: delay, is_legacy: true, ..Self::default() }
    }
}

/// The delays and waits of all levels down to an element: seconds are added up before they become
/// ticks, but legacy delays each become ticks of their own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits {
    delay: f64,
    wait: f64,
    legacy_ticks: f64,
    is_legacy: bool,
}

impl Waits {
    /// The same for an element with this timing; `plays_legacy` if the scene is played as mod
    /// versions 1.0 to 1.3 play it.
    pub(super) fn of(mut self, timing: &Timing, plays_legacy: bool) -> Self {
        self.delay += timing.start_delay;
        if timing.is_legacy && plays_legacy {
            self.is_legacy = true;
            // The first tick does not wait, so a delay of one tick is none.
            self.legacy_ticks += (ticks(timing.wait_on_start) - 1.0).max(0.0);
        } else {
            self.wait += timing.wait_on_start;
        }
        self
    }

    /// For how many ticks the element is not there.
    pub(super) fn delay_ticks(&self) -> f64 {
        ticks(self.delay)
    }

    /// For how many ticks it then waits at its start.
    pub(super) fn wait_ticks(&self) -> f64 {
        ticks(self.wait) + self.legacy_ticks
    }

    /// Whether its first tick runs as soon as it is there.
    pub(super) fn is_legacy(&self) -> bool {
        self.is_legacy
    }
}

/// Seconds as the mod rounds them to ticks.
pub(super) fn ticks(seconds: f64) -> f64 {
    super::blocks::round_half_up(seconds * TICKS_PER_SECOND)
}

/// Whether it is a valid delay, in seconds.
pub(super) fn is_sound(seconds: f64) -> bool {
    /// A year: longer delays are invalid.
    const LONGEST: f64 = 365.25 * 86_400.0;
    (0.0..=LONGEST).contains(&seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_add_up_before_they_become_ticks() {
        let timing = Timing { start_delay: 0.02, wait_on_start: 0.02, ..Timing::default() };
        let twice = Waits::default().of(&timing, false).of(&timing, false);
        assert_eq!((twice.delay_ticks(), twice.wait_ticks()), (1.0, 1.0));
        assert_eq!([0.0, 0.025, 0.07, 1.0].map(ticks), [0.0, 1.0, 1.0, 20.0]);
    }

    #[test]
    fn legacy_delays_are_rounded_separately_and_one_tick_short() {
        let old = |delay: f64| Timing::legacy(delay);
        let waits = Waits::default().of(&old(0.4), true).of(&old(0.3), true);
        assert_eq!((waits.wait_ticks(), waits.is_legacy()), (7.0 + 5.0, true));
        assert_eq!(Waits::default().of(&old(0.05), true).wait_ticks(), 0.0);
        let now = Waits::default().of(&old(0.4), false);
        assert_eq!((now.wait_ticks(), now.is_legacy()), (8.0, false), "as the current mod has it");
    }

    #[test]
    fn invalid_delays_are_rejected() {
        assert!([0.0, 1e6].into_iter().all(is_sound));
        assert!(![-0.1, f64::NAN, 1e12].into_iter().any(is_sound));
    }
}
