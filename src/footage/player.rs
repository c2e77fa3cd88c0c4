//! The frame at a time that plays, jumps or rests.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    Frame, Input, Media, Programs, VideoStream,
    decoder::{Decoder, Decoding, Said},
    ring::{FrameRing, Need},
};

/// How much memory frames take, in bytes.
const MEMORY: usize = 64 << 20;

/// The most frames that are kept, however small they are.
const MOST_FRAMES: usize = 300;

/// Frames are decoded no higher than this, in pixels.
const HIGHEST: u32 = 1080;

/// A jump that takes longer is given up for the next.
const LONGEST_JUMP: Duration = Duration::from_secs(3);

/// Decodes a video around the time that is shown.
///
/// [`Player::update`] is called for every picture; it never waits. At most 64 MB of frames are kept. While
/// time goes on, frames are decoded ahead; for a jump, ffmpeg is restarted at another time.
#[derive(Debug)]
pub struct Player {
    input: Arc<Input>,
    /// Images a second, of a sequence.
    rate: f64,
    media: Arc<Media>,
    video: VideoStream,
    programs: Programs,
    size: [u32; 2],
    ring: FrameRing<Arc<Frame>>,
    decoder: Option<Decoder>,
    /// The time that the decoder was started for, and when, until its frame is there.
    jump: Option<(f64, Instant)>,
    /// How long before that time it was started, in seconds.
    lead: f64,
    shown: Option<Arc<Frame>>,
    is_waiting: bool,
    error: Option<String>,
}

impl Player {
    /// Of the video of `media`, which `input` has, shown `height` pixels high; nothing if there is none.
    pub fn new(
        input: Arc<Input>,
        rate: f64,
        media: Arc<Media>,
        height: u32,
        programs: Programs,
    ) -> Option<Self> {
        let video = media.video.clone()?;
        let size = video.fitted(height.min(HIGHEST));
        Some(Self {
            input,
            rate,
            media,
            video,
            programs,
            size,
            ring: FrameRing::new(most_frames(size)),
            decoder: None,
            jump: None,
            lead: 0.0,
            shown: None,
            is_waiting: false,
            error: None,
        })
    }

    /// Shows frames `height` pixels high from now on.
    pub fn set_height(&mut self, height: u32) {
        let size = self.video.fitted(height.min(HIGHEST));
        if size == self.size {
            return;
        }
        self.size = size;
        self.ring = FrameRing::new(most_frames(size));
        (self.decoder, self.jump) = (None, None);
    }

    /// Takes in what was decoded, and sees to it that the frame at `time`, in seconds of the footage, and
    /// those after it come; `speed` is that of the clock, 0 while it rests.
    pub fn update(&mut self, time: f64, speed: f64) {
        if self.error.is_some() {
            return;
        }
        let time = time.max(0.0).min(self.media.duration.unwrap_or(f64::INFINITY));
        self.receive(time);
        // Where time is fast, what is half a second of the screen away is not yet elsewhere.
        let patience = 1.0 + speed.abs();
        match self.ring.need(time, patience) {
            Need::Nothing => {}
            Need::More if self.decoder.is_some() => {}
            Need::Seek if self.is_jumping() => {}
            Need::More | Need::Seek => {
                let lead = self.usual_lead(time);
                self.jump_to(time, lead);
            }
        }
        self.show(time, speed);
    }

    /// The frame that is shown.
    pub fn shown(&self) -> Option<&Arc<Frame>> {
        self.shown.as_ref()
    }

    /// Whether the frame at the time of the last update is not there yet.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Why there are no frames, if that is known.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The times of the frames before and after the one at `time`: as they are, else as the rate says.
    pub fn neighbours(&self, time: f64) -> [f64; 2] {
        let [before, after] = self.ring.neighbours(time);
        let step = 1.0 / self.video.rate;
        let own = self.ring.at(time).map_or(time, |(own, _)| own);
        [before.unwrap_or(own - step), after.unwrap_or(own + step)]
    }

    fn receive(&mut self, time: f64) {
        while self.ring.has_room(time) {
            let Some(said) = self.decoder.as_mut().and_then(Decoder::next) else { break };
            match said {
                Said::Frame(frame) => self.ring.push(frame.time, Arc::new(frame)),
                Said::End(why) => {
                    self.decoder = None;
                    self.ring.end();
                    if self.ring.is_empty() && self.ring.starts() {
                        self.error = Some(why.unwrap_or_else(|| "it has no frames".to_owned()));
                        return;
                    }
                }
            }
            self.start_earlier_if_needed();
        }
        if let Some((target, _)) = self.jump
            && self.ring.is_known(target)
        {
            self.jump = None;
        }
    }

    /// Where a frame is shown for longer than the lead, or the video has ended before, the one that is
    /// looked for is before where the decoder was started.
    fn start_earlier_if_needed(&mut self) {
        let Some((target, _)) = self.jump else { return };
        let has_missed = match self.ring.first() {
            Some(_) => self.ring.at(target).is_none(),
            None => self.decoder.is_none(),
        };
        if has_missed && !self.ring.starts() {
            let lead = (4.0 * self.lead).max(0.5);
            self.jump_to(target, lead);
        }
    }

    /// How long before `time` to start: a few frames, or many if time runs backwards.
    fn usual_lead(&self, time: f64) -> f64 {
        let few = 2.5 / self.video.rate;
        let reach = self.ring.reach(self.video.rate);
        let is_just_before =
            self.ring.first().is_some_and(|first| time < first && first - time < reach);
        if is_just_before { few.max(0.5 * reach) } else { few }
    }

    fn is_jumping(&self) -> bool {
        self.jump.is_some_and(|(_, since)| since.elapsed() < LONGEST_JUMP)
    }

    /// Starts a decoder for the frame at `time`.
    fn jump_to(&mut self, time: f64, lead: f64) {
        let from = Some(time - lead).filter(|from| *from > 0.0);
        self.ring.restart(from.is_none());
        // The one before ends first.
        self.decoder = None;
        let how = Decoding {
            input: &self.input,
            rate: self.rate,
            media: &self.media,
            stream: self.video.index,
            size: self.size,
            from,
        };
        match Decoder::start(&how, &self.programs) {
            Ok(decoder) => self.decoder = Some(decoder),
            Err(error) => self.error = Some(error.to_string()),
        }
        self.jump = Some((time, Instant::now()));
        self.lead = lead;
    }

    fn show(&mut self, time: f64, speed: f64) {
        self.is_waiting = !self.ring.is_known(time) && self.error.is_none();
        // While time goes on, a frame that is late is better than none.
        let is_of_use = !self.is_waiting || (speed > 0.0 && self.jump.is_none());
        if let Some((_, frame)) = self.ring.at(time).filter(|_| is_of_use) {
            self.shown = Some(frame.clone());
        }
    }

    /// The number of the process that decodes.
    #[cfg(test)]
    pub(super) fn process_id(&self) -> Option<u32> {
        self.decoder.as_ref().map(Decoder::process_id)
    }

    #[cfg(test)]
    pub(super) fn size(&self) -> [u32; 2] {
        self.size
    }
}

/// How many frames of this size are kept.
fn most_frames([width, height]: [u32; 2]) -> usize {
    let bytes = width as usize * height as usize * 4;
    (MEMORY / bytes).clamp(4, MOST_FRAMES)
}
