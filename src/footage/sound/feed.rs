//! Buffers decoded samples, and plays them in sync with the clock.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The left and right sample, from -1 to 1.
pub(super) type Stereo = [f32; 2];

/// If the sound differs from the clock by more than this, samples are skipped or silence is
/// inserted. A smaller difference is not noticeable, because it is shorter than a frame at 60 Hz.
const SYNC_TOLERANCE_S: f64 = 0.015;

/// If the clock has not been updated for this long, the feed is silent. This happens if the viewer
/// hangs or its window is not drawn.
const CLOCK_TIMEOUT: Duration = Duration::from_millis(500);

const MAX_BUFFERED_S: f64 = 2.0;

/// A queue of samples. A decoder adds samples, and the sound output takes them. The clock
/// determines when a sample is played. Times are in seconds of the footage.
#[derive(Debug, Default)]
pub(super) struct Feed {
    queue: VecDeque<Stereo>,
    head: f64,
    /// The footage time between two samples, in seconds. At double speed, this is twice the sample
    /// interval of the sound output.
    step: f64,
    generation: u64,
    clock: Option<ClockSample>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ClockSample {
    pub(super) at: Instant,
    pub(super) time: f64,
    pub(super) speed: f64,
}

impl Feed {
    /// Empties the feed. The next samples begin at `time` and are `step` seconds apart. Returns a
    /// generation number, which the decoder passes when it adds samples.
    pub(super) fn restart(&mut self, time: f64, step: f64) -> u64 {
        self.queue.clear();
        (self.head, self.step) = (time, step);
        self.generation += 1;
        self.generation
    }

    pub(super) fn push(&mut self, generation: u64, samples: &[Stereo]) -> PushResult {
        if generation != self.generation {
            return PushResult::Outdated;
        }
        if self.queue.len() as f64 * self.step > MAX_BUFFERED_S {
            return PushResult::Full;
        }
        self.queue.extend(samples);
        PushResult::Accepted
    }

    pub(super) fn set_clock(&mut self, at: Instant, time: f64, speed: f64) {
        self.clock = Some(ClockSample { at, time, speed });
    }

    pub(super) fn stop(&mut self) {
        self.clock = None;
    }

    /// Fills `out` with the samples that are played from the moment `at` on. `out` holds
    /// interleaved samples of `channels` channels.
    pub(super) fn fill(&mut self, out: &mut [f32], channels: usize, at: Instant) {
        out.fill(0.0);
        let Some(time) = self.time_at(at).filter(|_| self.step > 0.0) else { return };
        let early = self.head - time;
        let sample_count = |seconds: f64| (seconds / self.step).round() as usize;
        let mut silent_frames = 0;
        if early > SYNC_TOLERANCE_S {
            silent_frames = sample_count(early);
        } else if early < -SYNC_TOLERANCE_S {
            let late_samples = sample_count(-early).min(self.queue.len());
            self.queue.drain(..late_samples);
            self.head += late_samples as f64 * self.step;
        }
        for frame in out.chunks_mut(channels.max(1)).skip(silent_frames) {
            let Some(sample) = self.queue.pop_front() else { return };
            self.head += self.step;
            write_channels(sample, frame);
        }
    }

    /// Returns the footage time at the moment `at`. `None` if playback is stopped or the clock is
    /// out of date.
    fn time_at(&self, at: Instant) -> Option<f64> {
        let clock = self.clock?;
        let passed = at.saturating_duration_since(clock.at);
        (passed < CLOCK_TIMEOUT).then_some(clock.time + passed.as_secs_f64() * clock.speed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushResult {
    Accepted,
    /// The feed is full. Try again later.
    Full,
    /// The feed was restarted with newer samples.
    Outdated,
}

fn write_channels([left, right]: Stereo, frame: &mut [f32]) {
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

    fn feed(head: f64, count: u16) -> Feed {
        let mut feed = Feed::default();
        let generation = feed.restart(head, 1.0 / RATE);
        let samples: Vec<Stereo> = (1..=count).map(|number| [number.into(); 2]).collect();
        assert_eq!(feed.push(generation, &samples), PushResult::Accepted);
        feed
    }

    fn play(feed: &mut Feed, count: usize, at: Instant) -> Vec<f32> {
        let mut out = vec![9.0; 2 * count];
        feed.fill(&mut out, 2, at);
        assert!(out.chunks(2).all(|pair| pair[0] == pair[1]));
        out.into_iter().step_by(2).collect()
    }

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn sound_is_played_in_sync() {
        let now = Instant::now();
        let mut feed = feed(2.0, 500);
        feed.set_clock(now, 2.0, 1.0);
        assert_eq!(play(&mut feed, 3, now), [1.0, 2.0, 3.0]);
        assert_eq!(play(&mut feed, 2, now + milliseconds(3)), [4.0, 5.0]);
        // The output asks slightly early or late, which must not interrupt the sound.
        assert_eq!(play(&mut feed, 2, now + milliseconds(14)), [6.0, 7.0]);
    }

    #[test]
    fn late_sound_is_skipped_and_early_sound_waits() {
        let now = Instant::now();
        let mut late = feed(2.0, 500);
        late.set_clock(now, 2.1, 1.0);
        assert_eq!(play(&mut late, 2, now), [101.0, 102.0]);
        let mut early = feed(2.0, 500);
        early.set_clock(now, 1.9, 1.0);
        let out = play(&mut early, 102, now);
        assert_eq!(out[..100], [0.0; 100]);
        assert_eq!(out[100..], [1.0, 2.0]);
        // The footage has not begun yet.
        early.set_clock(now, -3.0, 1.0);
        assert_eq!(play(&mut early, 4, now), [0.0; 4]);
    }

    #[test]
    fn double_speed_stays_in_sync() {
        let now = Instant::now();
        let mut feed = Feed::default();
        let generation = feed.restart(0.0, 2.0 / RATE);
        feed.push(generation, &[[1.0; 2]; 1000]);
        feed.set_clock(now, 0.0, 2.0);
        play(&mut feed, 400, now);
        // After 400 samples of the output, both the clock and the sound are at 0.8 s.
        assert!((feed.head - 0.8).abs() < 1e-9);
        play(&mut feed, 1, now + milliseconds(400));
        assert!((feed.head - 0.802).abs() < 1e-9);
    }

    #[test]
    fn feed_is_silent_if_stopped_or_without_samples_or_clock() {
        let now = Instant::now();
        let mut feed = feed(0.0, 3);
        assert_eq!(play(&mut feed, 2, now), [0.0, 0.0], "no clock yet");
        feed.set_clock(now, 0.0, 1.0);
        assert_eq!(
            play(&mut feed, 2, now + milliseconds(600)),
            [0.0, 0.0],
            "the clock is out of date"
        );
        feed.set_clock(now, 0.0, 1.0);
        assert_eq!(play(&mut feed, 5, now), [1.0, 2.0, 3.0, 0.0, 0.0], "no more samples");
        feed.stop();
        assert_eq!(play(&mut feed, 1, now), [0.0]);
    }

    #[test]
    fn feed_rejects_older_generations_and_is_bounded() {
        let mut feed = feed(0.0, 10);
        let old = feed.generation;
        let new = feed.restart(5.0, 1.0 / RATE);
        assert_eq!(feed.push(old, &[[1.0; 2]]), PushResult::Outdated);
        assert_eq!(feed.push(new, &[[1.0; 2]; 3000]), PushResult::Accepted);
        assert_eq!(feed.push(new, &[[1.0; 2]]), PushResult::Full);
    }

    #[test]
    fn samples_are_written_to_any_number_of_channels() {
        let mut frames = [vec![], vec![7.0], vec![7.0; 2], vec![7.0; 4]];
        frames.iter_mut().for_each(|frame| write_channels([0.5, 0.25], frame));
        assert_eq!(frames, [vec![], vec![0.375], vec![0.5, 0.25], vec![0.5, 0.25, 7.0, 7.0]]);
    }
}
