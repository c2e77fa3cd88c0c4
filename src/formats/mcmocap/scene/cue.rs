//! When a recording plays within a scene.

use super::Round;
use crate::formats::mcmocap::time::{SAME, TICKS_PER_SECOND};

/// When a recording plays within a scene: what the scene says of it, and before that what is said
/// of the scenes that it is in, the outermost first. On its own it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cue(Box<[Timing]>);

/// What a scene says of when one of its elements plays. Everything is in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// How long it is not there.
    pub delay: f64,
    /// How long it then stands at its start.
    pub wait: f64,
    /// How long it plays.
    pub length: f64,
    /// How long it then stands at its end, before it begins anew or vanishes.
    pub rest: f64,
    /// Whether it begins anew, delay and waiting included.
    pub loops: bool,
    /// Whether it stays at its end until the scene ends, too.
    pub stays: bool,
    /// Whether its first tick runs as soon as it is there, and it stands so while it waits.
    pub starts_at_once: bool,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            delay: 0.0,
            wait: 0.0,
            length: 0.0,
            rest: 0.0,
            loops: false,
            stays: true,
            starts_at_once: false,
        }
    }
}

impl Timing {
    /// The tick at which it has ended, for the first time if it loops.
    pub fn end(&self) -> f64 {
        self.delay + self.wait + self.length + self.rest
    }
}

impl Cue {
    /// That of an element of a scene that plays by itself.
    pub fn new(timing: Timing) -> Self {
        Self([timing].into())
    }

    /// The same if the scene is an element of another.
    pub fn within(&self, timing: Timing) -> Self {
        Self([timing].into_iter().chain(self.0.iter().copied()).collect())
    }

    /// The time of the recording at `time` of the scene, both in seconds: negative while it stands
    /// at its start. Nothing while it is not there.
    pub fn local(&self, time: f64) -> Option<f64> {
        if self.0.is_empty() {
            return Some(time);
        }
        let tick = time * TICKS_PER_SECOND;
        // Whole ticks stay whole: nothing is a little less than the end of a round.
        let whole = tick.round();
        let is_whole = (tick - whole).abs() <= SAME * TICKS_PER_SECOND;
        let mut tick = if is_whole { whole } else { tick };
        for (timing, begin) in self.levels() {
            let end = begin + timing.length + timing.rest;
            if timing.loops && end > 0.0 {
                tick = if tick < 0.0 { tick } else { tick % end };
            } else if !timing.loops && !timing.stays && tick >= end {
                return None;
            }
        }
        (tick >= self.delay()).then(|| self.at_once(tick - self.start()) / TICKS_PER_SECOND)
    }

    /// The tick of the recording, which for some never is before the first.
    fn at_once(&self, tick: f64) -> f64 {
        if self.starts_at_once() { tick.max(0.0) } else { tick }
    }

    /// Whether its first tick runs as soon as it is there.
    pub fn starts_at_once(&self) -> bool {
        self.0.iter().any(|timing| timing.starts_at_once)
    }

    /// What is said at each level, the outermost first, and the tick at which what it is said of
    /// begins to play: what an element waits adds to what the scene that it is in does.
    fn levels(&self) -> impl Iterator<Item = (&Timing, f64)> {
        self.0.iter().scan(0.0, |begin, timing| {
            *begin += timing.delay + timing.wait;
            Some((timing, *begin))
        })
    }

    /// For how many ticks it is not there at first.
    fn delay(&self) -> f64 {
        self.0.iter().map(|timing| timing.delay).sum()
    }

    /// The tick at which it begins to play for the first time.
    pub fn start(&self) -> f64 {
        self.0.iter().map(|timing| timing.delay + timing.wait).sum()
    }

    /// The time in seconds of the scene at which `time` of the recording comes for the first time.
    pub fn first(&self, time: f64) -> f64 {
        time + self.start() / TICKS_PER_SECOND
    }

    /// Whether it, or anything that it is in, begins anew.
    pub fn loops(&self) -> bool {
        self.0.iter().any(|timing| timing.loops)
    }

    /// When it is there in a scene of so many `ticks`, and each time that it plays: ascending, of
    /// which there are `most` at most.
    pub fn rounds(&self, ticks: f64, most: usize) -> Vec<Round> {
        let mut rounds = vec![Round::new(ticks)];
        for (timing, begin) in self.levels() {
            let end = begin + timing.length + timing.rest;
            if timing.loops && end > 0.0 {
                rounds = rounds.iter().flat_map(|round| round.divided(end)).take(most).collect();
            } else if !timing.loops && !timing.stays {
                rounds.iter_mut().for_each(|round| round.end_at(end));
            }
        }
        let (delay, start) = (self.delay(), self.start());
        rounds.iter_mut().for_each(|round| round.begin(delay, start));
        rounds.retain(|round| !round.is_empty());
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tick of the recording at each of these ticks of the scene.
    fn at<const N: usize>(cue: &Cue, ticks: [f64; N]) -> [Option<f64>; N] {
        ticks.map(|tick| {
            let time = cue.local(tick / TICKS_PER_SECOND)?;
            Some((time * TICKS_PER_SECOND * 1e6).round() / 1e6)
        })
    }

    #[test]
    fn on_its_own_it_plays_at_once() {
        let cue = Cue::default();
        assert_eq!([-1.0, 0.3].map(|time| cue.local(time)), [Some(-1.0), Some(0.3)]);
        assert_eq!(cue.first(2.0), 2.0);
    }

    #[test]
    fn it_comes_waits_plays_and_stays_or_goes() {
        let timing = Timing { delay: 2.0, wait: 3.0, length: 4.0, rest: 1.0, ..Timing::default() };
        let cue = Cue::new(timing);
        let ticks = [1.5, 2.0, 4.9, 5.0, 6.5, 9.0, 10.0, 99.0];
        let stays =
            [None, Some(-3.0), Some(-0.1), Some(0.0), Some(1.5), Some(4.0), Some(5.0), Some(94.0)];
        assert_eq!(at(&cue, ticks), stays);
        let goes = Cue::new(Timing { stays: false, ..timing });
        assert_eq!(at(&goes, [9.9, 10.0]), [Some(4.9), None]);
        assert_eq!((timing.end(), cue.start()), (10.0, 5.0));
        let at_once = Cue::new(Timing { starts_at_once: true, ..timing });
        assert_eq!(at(&at_once, [1.9, 2.0, 4.9, 5.5]), [None, Some(0.0), Some(0.0), Some(0.5)]);
    }

    #[test]
    fn it_begins_anew_with_its_delay_and_its_wait() {
        let cue = Cue::new(Timing {
            delay: 2.0,
            wait: 1.0,
            length: 4.0,
            rest: 1.0,
            loops: true,
            ..Timing::default()
        });
        let ticks = [1.0, 2.0, 3.0, 7.5, 8.0, 9.9, 10.0, 11.0, 16.0];
        let first = [None, Some(-1.0), Some(0.0), Some(4.5)];
        let second = [None, None, Some(-1.0), Some(0.0), None];
        assert_eq!(at(&cue, ticks)[..4], first);
        assert_eq!(at(&cue, ticks)[4..], second);
        let empty = Cue::new(Timing { loops: true, ..Timing::default() });
        assert_eq!(at(&empty, [7.0]), [Some(7.0)], "a round of no length is none");
    }

    /// A child's delays and waits add to those of what it is in.
    #[test]
    fn what_is_in_a_scene_in_a_scene_adds_up() {
        let child = Timing { delay: 2.0, wait: 1.0, length: 5.0, ..Timing::default() };
        let parent = Timing { delay: 10.0, wait: 4.0, length: 8.0, ..Timing::default() };
        let cue = Cue::new(child).within(parent);
        assert_eq!(cue.start(), 17.0);
        let ticks = [11.0, 12.0, 16.0, 17.0, 18.0];
        assert_eq!(at(&cue, ticks), [None, Some(-5.0), Some(-1.0), Some(0.0), Some(1.0)]);
        let looping = Cue::new(child).within(Timing { loops: true, ..parent });
        // The second round begins at 10 + 4 + 8: all that is waited for is waited for again.
        assert_eq!(
            at(&looping, [21.9, 22.0, 33.9, 34.0, 39.0]),
            [Some(4.9), None, None, Some(-5.0), Some(0.0)]
        );
    }

    fn timing(chance: &mut fastrand::Rng) -> Timing {
        let mut ticks = |most: u32| f64::from(chance.u32(0..most));
        let (delay, wait, length, rest) = (ticks(5), ticks(4), ticks(9), ticks(4));
        let (loops, stays, starts_at_once) = (chance.bool(), chance.bool(), chance.bool());
        Timing { delay, wait, length, rest, loops, stays, starts_at_once }
    }

    /// Rounds say of the whole scene what is asked for tick by tick.
    #[test]
    fn rounds_are_when_it_is_there() {
        let mut chance = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let mut cue = Cue::new(timing(&mut chance));
            for _ in 0..chance.u32(0..3) {
                cue = cue.within(timing(&mut chance));
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
            let restarts = cue.loops();
            assert!(last == ends || restarts, "{cue:?} of {ticks}: {rounds:?}");
        }
    }
}
