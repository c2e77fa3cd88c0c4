//! Converts times of a scene to times of a recording in it.

use super::{Round, timing::StartWaits};
use crate::time::{FRAME_TOLERANCE_S, TICKS_PER_SECOND};

/// The times at which a recording plays within a scene, in ticks. A recording without a scene plays
/// from time 0 on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cue {
    delay: f64,
    /// The number of ticks after `delay` in which the recording waits at its start.
    wait: f64,
    /// `true` if the first tick runs as soon as the recording is present. The recording then waits
    /// in the state after that tick.
    starts_at_once: bool,
    /// The ends of the element and of the scenes that contain it. The element of the outermost
    /// scene comes first, the element of the recording last. Empty for a recording without a scene.
    levels: Box<[Level]>,
}

/// The end of an element of a scene, which is a recording or a nested scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The tick at which the element ends. The delays, the waits and the wait at the end are
    /// included.
    pub end: f64,
    /// `true` if the element loops. Each loop repeats the delay and the wait.
    pub loops: bool,
    /// `true` if the element holds its last frame until the scene ends.
    pub stays: bool,
}

impl Level {
    /// Returns the number of ticks of a round, or `None` if the element does not loop. A round is
    /// one tick longer than the element, because the mod uses the last tick to rewind the element.
    fn period(&self) -> Option<f64> {
        (self.loops && self.end > 0.0).then_some(self.end + 1.0)
    }
}

impl Cue {
    pub(super) fn new(waits: &StartWaits, level: Level) -> Self {
        Self {
            delay: waits.delay_ticks(),
            wait: waits.wait_ticks(),
            starts_at_once: waits.is_legacy(),
            levels: [level].into(),
        }
    }

    /// Returns the cue with an additional outer level. `self` must already include the delay and
    /// the wait of the outer level.
    pub(super) fn nested_in(self, level: Level) -> Self {
        let levels = [level].into_iter().chain(self.levels).collect();
        Self { levels, ..self }
    }

    /// Returns the time in the recording at `time` of the scene, both in seconds. The time in the
    /// recording is negative while the recording waits at its start. Returns `None` while the
    /// recording is absent.
    pub fn local_time(&self, time: f64) -> Option<f64> {
        if self.levels.is_empty() {
            return Some(time);
        }
        let tick = time * TICKS_PER_SECOND;
        // Round to whole ticks first. Otherwise rounding errors could put a time just before the
        // end of a round.
        let whole = tick.round();
        let is_whole = (tick - whole).abs() <= FRAME_TOLERANCE_S * TICKS_PER_SECOND;
        let mut tick = if is_whole { whole } else { tick };
        for level in &self.levels {
            if let Some(period) = level.period() {
                tick = if tick < 0.0 { tick } else { tick % period };
                if tick >= level.end {
                    // The mod rewinds the element here, and starts the next round one tick later.
                    tick -= period;
                }
            } else if !level.loops && !level.stays && tick >= level.end {
                return None;
            }
        }
        let is_there = self.delay == 0.0 || tick >= self.delay;
        is_there.then(|| self.clamp_to_first_tick(tick - self.start_tick()) / TICKS_PER_SECOND)
    }

    fn clamp_to_first_tick(&self, tick: f64) -> f64 {
        if self.starts_at_once { tick.max(0.0) } else { tick }
    }

    /// Returns `true` if the first tick runs as soon as the recording is present.
    pub fn starts_at_once(&self) -> bool {
        self.starts_at_once
    }

    /// Returns the number of ticks before the recording appears for the first time.
    pub fn delay_ticks(&self) -> f64 {
        self.delay
    }

    /// Returns the tick at which the recording begins to play for the first time.
    pub fn start_tick(&self) -> f64 {
        self.delay + self.wait
    }

    /// Returns the time of the scene at which the recording reaches `time` for the first time, both
    /// in seconds.
    pub fn first_scene_time(&self, time: f64) -> f64 {
        time + self.start_tick() / TICKS_PER_SECOND
    }

    /// Returns the end of the top-level element that contains the recording, or `None` for a
    /// recording without a scene.
    pub fn outermost_level(&self) -> Option<Level> {
        self.levels.first().copied()
    }

    /// Returns `true` if the recording or a scene that contains it loops.
    pub fn loops(&self) -> bool {
        self.levels.iter().any(|level| level.loops)
    }

    /// Returns the rounds of the recording within a scene of `ticks` ticks, in order. At most
    /// `max_rounds` rounds are returned.
    pub fn rounds(&self, ticks: f64, max_rounds: usize) -> Vec<Round> {
        let mut rounds = vec![Round::new(ticks)];
        for level in &self.levels {
            if let Some(period) = level.period() {
                let divided = rounds.iter().flat_map(|round| round.split_loops(period, level.end));
                rounds = divided.take(max_rounds).collect();
            } else if !level.loops && !level.stays {
                rounds.iter_mut().for_each(|round| round.limit_end(level.end));
            }
        }
        rounds.iter_mut().for_each(|round| round.apply_start(self.delay, self.start_tick()));
        rounds.retain(|round| !round.is_empty());
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Timing;

    const STAYS: Level = Level { end: 0.0, loops: false, stays: true };

    fn waits(delay: f64, wait: f64) -> StartWaits {
        let [start_delay, wait_on_start] = [delay, wait].map(|ticks| ticks / TICKS_PER_SECOND);
        StartWaits::default()
            .with_element(&Timing { start_delay, wait_on_start, ..Timing::default() }, false)
    }

    fn at<const N: usize>(cue: &Cue, ticks: [f64; N]) -> [Option<f64>; N] {
        ticks.map(|tick| {
            let time = cue.local_time(tick / TICKS_PER_SECOND)?;
            Some((time * TICKS_PER_SECOND * 1e6).round() / 1e6)
        })
    }

    #[test]
    fn single_recording_starts_immediately() {
        let cue = Cue::default();
        assert_eq!([-1.0, 0.3].map(|time| cue.local_time(time)), [Some(-1.0), Some(0.3)]);
        assert_eq!(cue.first_scene_time(2.0), 2.0);
    }

    #[test]
    fn cue_has_delay_wait_play_and_end() {
        // Four ticks of recording and one tick of rest.
        let level = Level { end: 2.0 + 3.0 + 4.0 + 1.0, ..STAYS };
        let cue = Cue::new(&waits(2.0, 3.0), level);
        let ticks = [1.5, 2.0, 4.9, 5.0, 6.5, 9.0, 10.0, 99.0];
        let stays =
            [None, Some(-3.0), Some(-0.1), Some(0.0), Some(1.5), Some(4.0), Some(5.0), Some(94.0)];
        assert_eq!(at(&cue, ticks), stays);
        let goes = Cue::new(&waits(2.0, 3.0), Level { stays: false, ..level });
        assert_eq!(at(&goes, [9.9, 10.0]), [Some(4.9), None]);
        assert_eq!(cue.start_tick(), 5.0);
        let legacy = StartWaits::default().with_element(&Timing::legacy(0.2), true);
        let at_once = Cue::new(&legacy, level);
        assert_eq!(at(&at_once, [0.0, 2.9, 3.0, 4.5]), [0.0, 0.0, 0.0, 1.5].map(Some));
    }

    /// Every round repeats the delay and the wait, and is one tick longer than its parts because
    /// the rewind takes a tick.
    #[test]
    fn loops_repeat_delay_and_wait() {
        let level = Level { end: 8.0, loops: true, stays: true };
        let cue = Cue::new(&waits(2.0, 1.0), level);
        let first = at(&cue, [1.0, 2.0, 3.0, 7.5]);
        assert_eq!(first, [None, Some(-1.0), Some(0.0), Some(4.5)]);
        let second = at(&cue, [8.0, 10.9, 11.0, 12.0, 18.0]);
        assert_eq!(second, [None, None, Some(-1.0), Some(0.0), None]);
        let at_once = Cue::new(&waits(0.0, 0.0), Level { end: 3.0, ..level });
        let put_back = at(&at_once, [0.0, 2.9, 3.0, 4.0]);
        assert_eq!(put_back, [Some(0.0), Some(2.9), Some(-1.0), Some(0.0)]);
        let empty = Cue::new(&waits(0.0, 0.0), Level { end: 0.0, ..level });
        assert_eq!(at(&empty, [7.0]), [Some(7.0)], "a round of no length is none");
    }

    #[test]
    fn looping_scene_restarts_its_elements() {
        let cue = Cue::new(&waits(12.0, 5.0), Level { end: 22.0, ..STAYS });
        let ticks = [11.0, 12.0, 16.0, 17.0, 18.0];
        let once = cue.clone().nested_in(Level { end: 25.0, ..STAYS });
        assert_eq!(at(&once, ticks), [None, Some(-5.0), Some(-1.0), Some(0.0), Some(1.0)]);
        let looping = cue.nested_in(Level { end: 25.0, loops: true, stays: true });
        let again = at(&looping, [24.9, 25.0, 37.9, 38.0, 43.0]);
        assert_eq!(again, [Some(7.9), None, None, Some(-5.0), Some(0.0)]);
    }

    /// `rounds` must agree with `local_time` at every half tick.
    #[test]
    fn rounds_match_presence() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..4000 {
            let mut ticks = |max_rounds: u32| f64::from(rng.u32(0..max_rounds));
            let (delay, wait) = (ticks(5), ticks(4));
            let mut end = delay + wait + ticks(9);
            let mut level = |end: f64| Level { end, loops: rng.bool(), stays: rng.bool() };
            let mut cue = Cue::new(&waits(delay, wait), level(end));
            cue.starts_at_once = rng.bool();
            for _ in 0..rng.u32(0..3) {
                end += f64::from(rng.u32(0..5));
                let (loops, stays) = (rng.bool(), rng.bool());
                cue = cue.nested_in(Level { end, loops, stays });
            }
            let ticks = f64::from(rng.u32(0..60));
            let rounds = cue.rounds(ticks, usize::MAX);
            assert!(rounds.windows(2).all(|pair| pair[0].end <= pair[1].start), "{cue:?}");
            for half in 0..2 * ticks as u32 {
                let tick = f64::from(half) / 2.0;
                let there = rounds.iter().find(|round| (round.start..round.end).contains(&tick));
                let local = there.map(|round| cue.clamp_to_first_tick(tick - round.shift));
                assert_eq!(at(&cue, [tick])[0], local, "{cue:?} at {tick} of {ticks}: {rounds:?}");
            }
            let last = rounds.last().is_some_and(|round| round.includes_end);
            let ends = cue.local_time(ticks / TICKS_PER_SECOND).is_some();
            assert!(last == ends || cue.loops(), "{cue:?} of {ticks}: {rounds:?}");
        }
    }
}
