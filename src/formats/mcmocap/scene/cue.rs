//! When a recording plays within a scene.

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
    /// Whether it begins anew, waiting included.
    pub loops: bool,
    /// Whether it stays at its end until the scene ends, too.
    pub stays: bool,
}

impl Default for Timing {
    fn default() -> Self {
        Self { delay: 0.0, wait: 0.0, length: 0.0, rest: 0.0, loops: false, stays: true }
    }
}

impl Timing {
    /// The tick at which it has ended, for the first time if it loops.
    pub fn end(&self) -> f64 {
        self.delay + self.wait + self.length + self.rest
    }

    /// The tick of what plays at `tick` of what it is in; nothing while it is not there. Before 0,
    /// it waits at its start. `waited` is for how long it has done so and becomes for how long it
    /// does, what it is in included.
    fn local(&self, tick: f64, waited: &mut f64) -> Option<f64> {
        let tick = tick - self.delay - self.wait;
        *waited += self.wait;
        if tick < -*waited {
            return None;
        }
        let round = self.wait + self.length + self.rest;
        if self.loops && round > 0.0 && tick + self.wait >= round {
            *waited = self.wait;
            return Some((tick + self.wait) % round - self.wait);
        }
        let is_gone = !self.loops && !self.stays && tick >= self.length + self.rest;
        (!is_gone).then_some(tick)
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

    /// The time of the recording at `time` of the scene, both in seconds; nothing while it is not
    /// there.
    pub fn local(&self, time: f64) -> Option<f64> {
        if self.0.is_empty() {
            return Some(time);
        }
        let tick = time * TICKS_PER_SECOND;
        // Whole ticks stay whole: nothing is a little less than the end of a round.
        let whole = tick.round();
        let is_whole = (tick - whole).abs() <= SAME * TICKS_PER_SECOND;
        let start = if is_whole { whole } else { tick };
        let mut waited = 0.0;
        let local = self.0.iter().try_fold(start, |tick, one| one.local(tick, &mut waited))?;
        Some(local.max(0.0) / TICKS_PER_SECOND)
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
            [None, Some(0.0), Some(0.0), Some(0.0), Some(1.5), Some(4.0), Some(5.0), Some(94.0)];
        assert_eq!(at(&cue, ticks), stays);
        let goes = Cue::new(Timing { stays: false, ..timing });
        assert_eq!(at(&goes, [9.9, 10.0]), [Some(4.9), None]);
        assert_eq!((timing.end(), cue.start()), (10.0, 5.0));
    }

    #[test]
    fn it_begins_anew_with_its_wait_and_without_its_delay() {
        let cue = Cue::new(Timing {
            delay: 2.0,
            wait: 1.0,
            length: 4.0,
            rest: 1.0,
            loops: true,
            stays: true,
        });
        let ticks = [1.0, 2.0, 3.0, 7.5, 8.0, 9.0, 10.0, 14.0, 15.0];
        let expected = [
            None,
            Some(0.0),
            Some(0.0),
            Some(4.5),
            Some(0.0),
            Some(0.0),
            Some(1.0),
            Some(0.0),
            Some(0.0),
        ];
        assert_eq!(at(&cue, ticks), expected);
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
        assert_eq!(at(&cue, ticks), [None, Some(0.0), Some(0.0), Some(0.0), Some(1.0)]);
        let looping = Cue::new(child).within(Timing { loops: true, ..parent });
        // The second round begins at 10 + 12, and waits 4 again.
        assert_eq!(
            at(&looping, [21.9, 22.0, 24.0, 29.0, 30.0]),
            [Some(4.9), None, Some(0.0), Some(0.0), Some(1.0)]
        );
    }
}
