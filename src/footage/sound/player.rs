//! The sound at a time that plays, jumps or rests.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    decoder::{Decoder, Decoding},
    feed::Feed,
    speaker::{Speaker, State},
};
use crate::footage::{Input, Media, Programs};

/// The speeds at which sound is heard; its pitch stays.
const HEARD: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// Where time is so far from where it would be, in seconds, it has jumped.
const JUMP: f64 = 0.1;

/// An output that failed is tried again after this.
const AGAIN: Duration = Duration::from_secs(5);

/// Lets the sound of footage be heard with the clock.
///
/// [`SoundPlayer::update`] is called for every picture; it never waits. Sound begins about a tenth of a
/// second after the clock starts or jumps, when it is decoded, and is then within a frame of its time.
#[derive(Debug)]
pub struct SoundPlayer {
    input: Arc<Input>,
    stream: u32,
    duration: f64,
    programs: Programs,
    feed: Arc<Mutex<Feed>>,
    speaker: Option<(Speaker, Instant)>,
    decoder: Option<Decoder>,
    /// The clock at the last update, if it ran.
    last: Option<(Instant, f64, f64)>,
    failed: Option<String>,
}

impl SoundPlayer {
    /// Of the sound of `media`, which `input` has; nothing if there is none.
    pub fn new(input: Arc<Input>, media: &Media, programs: Programs) -> Option<Self> {
        Some(Self {
            input,
            stream: media.sound?,
            duration: media.duration.unwrap_or(f64::INFINITY),
            programs,
            feed: Arc::default(),
            speaker: None,
            decoder: None,
            last: None,
            failed: None,
        })
    }

    /// Sees to it that what belongs to `time`, in seconds of the footage, is heard now; `speed` is that of
    /// the clock, 0 while it rests.
    pub fn update(&mut self, time: f64, speed: f64) {
        let now = Instant::now();
        if !HEARD.contains(&speed) || time > self.duration {
            self.rest();
            return;
        }
        let Some(rate) = self.rate(now) else { return };
        if self.decoder.is_none() || self.has_jumped(now, time, speed) {
            self.start(time, speed, rate);
        }
        self.last = Some((now, time, speed));
        self.feed().follow(now, time, speed);
    }

    /// Why nothing is heard, if there is a reason.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    fn feed(&self) -> MutexGuard<'_, Feed> {
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rest(&mut self) {
        if self.last.take().is_some() {
            self.feed().rest();
            self.decoder = None;
        }
    }

    /// How many samples a second the output takes, once it is open.
    fn rate(&mut self, now: Instant) -> Option<u32> {
        let feed = &self.feed;
        let (speaker, since) =
            self.speaker.get_or_insert_with(|| (Speaker::open(feed.clone()), now));
        match speaker.state() {
            State::Open(rate) => {
                let rate = *rate;
                self.failed = None;
                Some(rate)
            }
            State::Opening => None,
            State::Closed(why) => {
                self.failed = Some(why.clone());
                if now.duration_since(*since) > AGAIN {
                    self.speaker = None;
                }
                self.decoder = None;
                None
            }
        }
    }

    fn has_jumped(&self, now: Instant, time: f64, speed: f64) -> bool {
        self.last.is_none_or(|(at, before, own)| {
            let expected = before + own * now.duration_since(at).as_secs_f64();
            own != speed || (time - expected).abs() > JUMP * speed
        })
    }

    fn start(&mut self, time: f64, speed: f64, rate: u32) {
        // The one before ends first.
        self.decoder = None;
        let (input, stream, from) = (&self.input, self.stream, time.max(0.0));
        let how = Decoding { input, stream, from, rate, speed };
        match Decoder::start(&how, &self.programs, &self.feed) {
            Ok(decoder) => self.decoder = Some(decoder),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }
}
