//! Plays sound at the time of a clock that plays, jumps or stands still.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    decoder::{Decoder, DecoderOptions},
    feed::{ClockSample, Feed},
    speaker::{Speaker, SpeakerState},
};
use crate::footage::{Input, Media, Programs};

const AUDIBLE_SPEEDS: std::ops::RangeInclusive<f64> = 0.5..=2.0;

const JUMP_THRESHOLD_S: f64 = 0.1;

const REOPEN_INTERVAL: Duration = Duration::from_secs(5);

/// Plays the sound of footage in sync with the clock.
///
/// Call [`SoundPlayer::update`] for every frame of the viewer. It never waits for ffmpeg. When the
/// clock starts or jumps, the sound begins about a tenth of a second later, because ffmpeg has to
/// decode it first. Afterwards the sound and the clock differ by less than a frame.
#[derive(Debug)]
pub struct SoundPlayer {
    input: Arc<Input>,
    stream: u32,
    duration: f64,
    programs: Programs,
    feed: Arc<Mutex<Feed>>,
    speaker: Option<(Speaker, Instant)>,
    decoder: Option<Decoder>,
    /// The clock at the last update. `None` if it did not run.
    last_clock: Option<ClockSample>,
    error: Option<String>,
}

impl SoundPlayer {
    /// Creates a player for the sound of `media`, which was read from `input`. Returns `None` if
    /// there is no sound.
    pub fn new(input: Arc<Input>, media: &Media, programs: Programs) -> Option<Self> {
        Some(Self {
            input,
            stream: media.sound?,
            duration: media.duration.unwrap_or(f64::INFINITY),
            programs,
            feed: Arc::default(),
            speaker: None,
            decoder: None,
            last_clock: None,
            error: None,
        })
    }

    /// Plays the sound that belongs to `time`, in seconds of the footage. `speed` is the speed of
    /// the clock, 0 while it stands still.
    pub fn update(&mut self, time: f64, speed: f64) {
        let now = Instant::now();
        if !AUDIBLE_SPEEDS.contains(&speed) || time > self.duration {
            self.stop();
            return;
        }
        let Some(rate) = self.output_rate(now) else { return };
        if self.decoder.is_none() || self.has_jumped(now, time, speed) {
            self.start_decoder(time, speed, rate);
        }
        self.last_clock = Some(ClockSample { at: now, time, speed });
        self.feed().set_clock(now, time, speed);
    }

    /// Returns the reason why no sound is heard, if the output or the decoder failed.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    fn feed(&self) -> MutexGuard<'_, Feed> {
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&mut self) {
        if self.last_clock.take().is_some() {
            self.feed().stop();
            self.decoder = None;
        }
    }

    fn output_rate(&mut self, now: Instant) -> Option<u32> {
        let feed = &self.feed;
        let (speaker, since) =
            self.speaker.get_or_insert_with(|| (Speaker::open(feed.clone()), now));
        match speaker.state() {
            SpeakerState::Open(rate) => {
                let rate = *rate;
                self.error = None;
                Some(rate)
            }
            SpeakerState::Opening => None,
            SpeakerState::Closed(why) => {
                self.error = Some(why.clone());
                if now.duration_since(*since) > REOPEN_INTERVAL {
                    self.speaker = None;
                }
                self.decoder = None;
                None
            }
        }
    }

    fn has_jumped(&self, now: Instant, time: f64, speed: f64) -> bool {
        self.last_clock.is_none_or(|last| {
            let expected = last.time + last.speed * now.duration_since(last.at).as_secs_f64();
            last.speed != speed || (time - expected).abs() > JUMP_THRESHOLD_S * speed
        })
    }

    fn start_decoder(&mut self, time: f64, speed: f64, rate: u32) {
        // End the old decoder before the new one starts.
        self.decoder = None;
        let (input, stream, from) = (&self.input, self.stream, time.max(0.0));
        let options = DecoderOptions { input, stream, from, rate, speed };
        match Decoder::start(&options, &self.programs, &self.feed) {
            Ok(decoder) => self.decoder = Some(decoder),
            Err(error) => self.error = Some(error.to_string()),
        }
    }
}
