//! When a recording plays within a scene.

use super::{Round, timing::Waits};
use crate::time::{SAME, TICKS_PER_SECOND};

/// When a recording plays within a scene, in ticks. On its own it plays at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cue {
    /// For how many ticks it is not there.
    delay: f64,
    /// For how many ticks it then waits at its start.
    wait: f64,
    /// Whether its first tick runs as soon as it is there, and it stands so while it waits.
    starts_at_once: bool,
    /// The levels that end, the outermost scene first and the recording itself last; none for a
    /// recording on its own.
    levels: Box<[Level]>,
}

/// A recording, or a scene that it is in: when it ends, and what becomes of it then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The tick at which it has ended: delays, waiting and its own rest at the end included.
    pub end: f64,
    /// Whether it loops, delays and waiting included.
    pub loops: bool,
    /// Whether it stays at its end until the scene ends, too.
    pub stays: bool,
}

impl Level {
    /// The ticks of a round of a looping level: in the tick of its end it is put back to its start.
    fn period(&self) -> Option<f64> {
        (self.loops && self.end > 0.0).then_some(self.end + 1.0)
    }
}

impl Cue {
    /// The cue of an element with these waits and this end.
    pub(super) fn new(waits: &Waits, level: Level) -> Self {
        Self {
            delay: waits.delay_ticks(),
            wait: waits.wait_ticks(),
            starts_at_once: waits.is_legacy(),
            levels: [level].into(),
        }
    }

    /// The same if it is in a scene that ends so. (What is waited for there it knows already.)
    pub(super) fn within(self, level: Level) -> Self {
        let levels = [level].into_iter().chain(self.levels).collect();
        Self { levels, ..self }
    }

    /// The time of the recording at `time` of the scene, both in seconds: negative while it stands
    /// at its start. Nothing while it is not there.
    pub fn local(&self, time: f64) -> Option<f64> {
        if self.levels.is_empty() {
            return Some(time);
        }
        let tick = time * TICKS_PER_SECOND;
        // Whole ticks stay whole: nothing is a little less than the end of a round.
        let whole = tick.round();
        let is_whole = (tick - whole).abs() <= SAME * TICKS_PER_SECOND;
        let mut tick = if is_whole { whole } else { tick };
        for level in &self.levels {
            if let Some(period) = level.period() {
                tick = if tick < 0.0 { tick } else { tick % period };
                if tick >= level.end {
                    // Put back: the next round is a tick away.
                    tick -= period;
                }
            } else if !level.loops && !level.stays && tick >= level.end {
                return None;
            }
        }
        let is_there = self.delay == 0.0 || tick >= self.delay;
        is_there.then(|| self.at_once(tick - self.start()) / TICKS_PER_SECOND)
    }

    /// The tick of the recording, which for some never is before the first.
    fn at_once(&self, tick: f64) -> f64 {
        if self.starts_at_once { tick.max(0.0) } else { tick }
    }

    /// Whether its first tick runs as soon as it is there.
    pub fn starts_at_once(&self) -> bool {
        self.starts_at_once
    }

    /// For how many ticks it is not there.
    pub fn delay(&self) -> f64 {
        self.delay
    }

    /// The tick at which it begins to play for the first time.
    pub fn start(&self) -> f64 {
        self.delay + self.wait
    }

    /// The time in seconds of the scene at which `time` of the recording comes for the first time.
    pub fn first(&self, time: f64) -> f64 {
        time + self.start() / TICKS_PER_SECOND
    }

    /// When the outermost scene's element ends that it is, or is in; nothing on its own.
    pub fn outermost(&self) -> Option<Level> {
        self.levels.first().copied()
    }

    /// Whether it, or a scene that it is in, loops.
    pub fn loops(&self) -> bool {
        self.levels.iter().any(|level| level.loops)
    }

    /// When it is there in a scene of this many `ticks`, and each time that it plays: ascending, of
    /// which there are `most` at most.
    pub fn rounds(&self, ticks: f64, most: usize) -> Vec<Round> {
        let mut rounds = vec![Round::new(ticks)];
        for level in &self.levels {
            if let Some(period) = level.period() {
                let divided = rounds.iter().flat_map(|round| round.divided(period, level.end));
                rounds = divided.take(most).collect();
            } else if !level.loops && !level.stays {
                rounds.iter_mut().for_each(|round| round.end_at(level.end));
            }
        }
        rounds.iter_mut().for_each(|round| round.begin(self.delay, self.start()));
        rounds.retain(|round| !round.is_empty());
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Timing;

    const STAYS: Level = Level { end: 0.0, loops: false, stays: true };

    fn waits(delay: f64, wait: f64) -> Waits {
        let [start_delay, wait_on_start] = [delay, wait].map(|ticks| ticks / TICKS_PER_SECOND);
        Waits::default().of(&Timing { start_delay, wait_on_start, ..Timing::default() }, false)
    }

    /// The tick of the recording at each of these ticks of the scene.
    fn at<const N: usize>(cue: &Cue, ticks: [f64; N]) -> [Option<f64>; N] {
        ticks.map(|tick| {
            let time = cue.local(tick / TICKS_PER_SECOND)?;
            Some((time * TICKS_PER_SECOND * 1e6).round() / 1e6)
        })
    }

    #[test]
    fn single_recording_starts_immediately() {
        let cue = Cue::default();
        assert_eq!([-1.0, 0.3].map(|time| cue.local(time)), [Some(-1.0), Some(0.3)]);
        assert_eq!(cue.first(2.0), 2.0);
    }

    #[test]
    fn cue_has_delay_wait_play_and_end() {
        // Four ticks, and one of rest.
        let level = Level { end: 2.0 + 3.0 + 4.0 + 1.0, ..STAYS };
        let cue = Cue::new(&waits(2.0, 3.0), level);
        let ticks = [1.5, 2.0, 4.9, 5.0, 6.5, 9.0, 10.0, 99.0];
        let stays =
            [None, Some(-3.0), Some(-0.1), Some(0.0), Some(1.5), Some(4.0), Some(5.0), Some(94.0)];
        assert_eq!(at(&cue, ticks), stays);
        let goes = Cue::new(&waits(2.0, 3.0), Level { stays: false, ..level });
        assert_eq!(at(&goes, [9.9, 10.0]), [Some(4.9), None]);
        assert_eq!(cue.start(), 5.0);
        let legacy = Waits::default().of(&Timing::legacy(0.2), true);
        let at_once = Cue::new(&legacy, level);
        assert_eq!(at(&at_once, [0.0, 2.9, 3.0, 4.5]), [0.0, 0.0, 0.0, 1.5].map(Some));
    }

    /// Delay and waiting come again; a round is a tick longer than its parts, for the end takes one.
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
        let once = cue.clone().within(Level { end: 25.0, ..STAYS });
        assert_eq!(at(&once, ticks), [None, Some(-5.0), Some(-1.0), Some(0.0), Some(1.0)]);
        let looping = cue.within(Level { end: 25.0, loops: true, stays: true });
        let again = at(&looping, [24.9, 25.0, 37.9, 38.0, 43.0]);
        assert_eq!(again, [Some(7.9), None, None, Some(-5.0), Some(0.0)]);
    }

    /// Rounds say of the whole scene what is asked for tick by tick.
    #[test]
    fn rounds_match_presence() {
        let mut chance = fastrand::Rng::with_seed(7);
        for _ in 0..4000 {
            let mut ticks = |most: u32| f64::from(chance.u32(0..most));
            let (delay, wait) = (ticks(5), ticks(4));
            let mut end = delay + wait + ticks(9);
            let mut level = |end: f64| Level { end, loops: chance.bool(), stays: chance.bool() };
            let mut cue = Cue::new(&waits(delay, wait), level(end));
            cue.starts_at_once = chance.bool();
            for _ in 0..chance.u32(0..3) {
                end += f64::from(chance.u32(0..5));
                let (loops, stays) = (chance.bool(), chance.bool());
                cue = cue.within(Level { end, loops, stays });
            }
            let ticks = f64::from(chance.u32(0..60));
            let rounds = cue.rounds(ticks, usize::MAX);
            assert!(rounds.windows(2).all(|pair| pair[0].end <= pair[1].start), "{cue:?}");
            for half in 0..2 * ticks as u32 {
                let tick = f64::from(half) / 2.0;
                let there = rounds.iter().find(|round| (round.start..round.end).contains(&tick));
                let local = there.map(|round| cue.at_once(tick - round.shift));
                assert_eq!(at(&cue, [tick])[0], local, "{cue:?} at {tick} of {ticks}: {rounds:?}");
            }
            let last = rounds.last().is_some_and(|round| round.lasts);
            let ends = cue.local(ticks / TICKS_PER_SECOND).is_some();
            assert!(last == ends || cue.loops(), "{cue:?} of {ticks}: {rounds:?}");
        }
    }
}
