//! The samples that wait, and which of them are heard at a moment.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// Left and right.
pub(super) type Stereo = [f32; 2];

/// Sound may be so far from its time before it is moved there, in seconds: less than a frame at 60 Hz.
const TOLERANCE: f64 = 0.015;

/// Without news of the clock for so long, there is silence: the viewer hangs, or its window is not drawn.
const SILENT_AFTER: Duration = Duration::from_millis(500);

/// How many seconds of sound are decoded ahead.
const AHEAD: f64 = 2.0;

/// Samples between a decoder, which adds them, and a loudspeaker, which takes them; the clock says which
/// of them are heard when. Times are seconds of the footage.
#[derive(Debug, Default)]
pub(super) struct Feed {
    queue: VecDeque<Stereo>,
    /// The time of the first sample that waits.
    head: f64,
    /// How far apart samples are: more than one of the output, if time is fast.
    step: f64,
    /// How often it began anew.
    generation: u64,
    clock: Option<Beat>,
}

/// The time of the clock at a moment.
#[derive(Clone, Copy, Debug)]
struct Beat {
    at: Instant,
    time: f64,
    speed: f64,
}

impl Feed {
    /// Empties it, for samples that are `step` seconds apart from `time` on. Returns the number by which
    /// they are added.
    pub(super) fn restart(&mut self, time: f64, step: f64) -> u64 {
        self.queue.clear();
        (self.head, self.step) = (time, step);
        self.generation += 1;
        self.generation
    }

    /// Adds samples, if there is room for more; says so if not. Those of a decoder of before are gone.
    pub(super) fn add(&mut self, generation: u64, samples: &[Stereo]) -> Added {
        if generation != self.generation {
            return Added::Unwanted;
        }
        if self.queue.len() as f64 * self.step > AHEAD {
            return Added::Full;
        }
        self.queue.extend(samples);
        Added::Taken
    }

    /// From now on, `time` is shown at `at`, and goes on at `speed`.
    pub(super) fn follow(&mut self, at: Instant, time: f64, speed: f64) {
        self.clock = Some(Beat { at, time, speed });
    }

    /// Nothing is heard from now on.
    pub(super) fn rest(&mut self) {
        self.clock = None;
    }

    /// Fills `out`, which has this many channels and is heard from `at` on.
    pub(super) fn fill(&mut self, out: &mut [f32], channels: usize, at: Instant) {
        out.fill(0.0);
        let Some(wanted) = self.wanted(at).filter(|_| self.step > 0.0) else { return };
        let early = self.head - wanted;
        let samples = |seconds: f64| (seconds / self.step).round() as usize;
        let mut silent = 0;
        if early > TOLERANCE {
            silent = samples(early);
        } else if early < -TOLERANCE {
            let late = samples(-early).min(self.queue.len());
            self.queue.drain(..late);
            self.head += late as f64 * self.step;
        }
        for frame in out.chunks_mut(channels.max(1)).skip(silent) {
            let Some(sample) = self.queue.pop_front() else { return };
            self.head += self.step;
            spread(sample, frame);
        }
    }

    /// The time that is shown at `at`, if anything is.
    fn wanted(&self, at: Instant) -> Option<f64> {
        let beat = self.clock?;
        let passed = at.saturating_duration_since(beat.at);
        (passed < SILENT_AFTER).then_some(beat.time + passed.as_secs_f64() * beat.speed)
    }
}

/// The result of adding samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// They wait to be heard.
    Taken,
    /// There are enough; later they will be taken.
    Full,
    /// It began anew, with others.
    Unwanted,
}

/// Left and right on the channels that there are: one hears both, and of more the first two sound.
fn spread([left, right]: Stereo, frame: &mut [f32]) {
    match frame {
        [] => {}
        [only] => *only = (left + right) / 2.0,
        [first, second, ..] => (*first, *second) = (left, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 1000.0;

    /// A feed whose samples are their numbers, from `head` on.
    fn feed(head: f64, count: u16) -> Feed {
        let mut feed = Feed::default();
        let generation = feed.restart(head, 1.0 / RATE);
        let samples: Vec<Stereo> = (1..=count).map(|number| [number.into(); 2]).collect();
        assert_eq!(feed.add(generation, &samples), Added::Taken);
        feed
    }

    fn heard(feed: &mut Feed, count: usize, at: Instant) -> Vec<f32> {
        let mut out = vec![9.0; 2 * count];
        feed.fill(&mut out, 2, at);
        assert!(out.chunks(2).all(|pair| pair[0] == pair[1]));
        out.into_iter().step_by(2).collect()
    }

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn sound_is_heard_at_its_time() {
        let now = Instant::now();
        let mut feed = feed(2.0, 500);
        feed.follow(now, 2.0, 1.0);
        assert_eq!(heard(&mut feed, 3, now), [1.0, 2.0, 3.0]);
        assert_eq!(heard(&mut feed, 2, now + milliseconds(3)), [4.0, 5.0]);
        // The output asks a little early or late: sound is not torn.
        assert_eq!(heard(&mut feed, 2, now + milliseconds(14)), [6.0, 7.0]);
    }

    #[test]
    fn late_sound_is_skipped_and_early_sound_waits() {
        let now = Instant::now();
        let mut late = feed(2.0, 500);
        late.follow(now, 2.1, 1.0);
        assert_eq!(heard(&mut late, 2, now), [101.0, 102.0]);
        let mut early = feed(2.0, 500);
        early.follow(now, 1.9, 1.0);
        let out = heard(&mut early, 102, now);
        assert_eq!(out[..100], [0.0; 100]);
        assert_eq!(out[100..], [1.0, 2.0]);
        // Footage that has not begun yet.
        early.follow(now, -3.0, 1.0);
        assert_eq!(heard(&mut early, 4, now), [0.0; 4]);
    }

    #[test]
    fn twice_as_fast_is_on_time() {
        let now = Instant::now();
        let mut feed = Feed::default();
        let generation = feed.restart(0.0, 2.0 / RATE);
        feed.add(generation, &[[1.0; 2]; 1000]);
        feed.follow(now, 0.0, 2.0);
        heard(&mut feed, 400, now);
        // 400 samples of the output later the clock is at 0.8 s, and so is the sound.
        assert!((feed.head - 0.8).abs() < 1e-9);
        heard(&mut feed, 1, now + milliseconds(400));
        assert!((feed.head - 0.802).abs() < 1e-9);
    }

    #[test]
    fn there_is_silence_at_rest_without_samples_and_without_news() {
        let now = Instant::now();
        let mut feed = feed(0.0, 3);
        assert_eq!(heard(&mut feed, 2, now), [0.0, 0.0], "no clock yet");
        feed.follow(now, 0.0, 1.0);
        assert_eq!(heard(&mut feed, 2, now + milliseconds(600)), [0.0, 0.0], "no news");
        feed.follow(now, 0.0, 1.0);
        assert_eq!(heard(&mut feed, 5, now), [1.0, 2.0, 3.0, 0.0, 0.0], "no more samples");
        feed.rest();
        assert_eq!(heard(&mut feed, 1, now), [0.0]);
    }

    #[test]
    fn samples_of_a_decoder_of_before_are_gone_and_room_ends() {
        let mut feed = feed(0.0, 10);
        let old = feed.generation;
        let new = feed.restart(5.0, 1.0 / RATE);
        assert_eq!(feed.add(old, &[[1.0; 2]]), Added::Unwanted);
        assert_eq!(feed.add(new, &[[1.0; 2]; 3000]), Added::Taken);
        assert_eq!(feed.add(new, &[[1.0; 2]]), Added::Full);
    }

    #[test]
    fn channels_of_any_number() {
        let mut frames = [vec![], vec![7.0], vec![7.0; 2], vec![7.0; 4]];
        frames.iter_mut().for_each(|frame| spread([0.5, 0.25], frame));
        assert_eq!(frames, [vec![], vec![0.375], vec![0.5, 0.25], vec![0.5, 0.25, 7.0, 7.0]]);
    }
}
