//! Shows the video frame at the time of a clock that plays, jumps or stands still.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    Frame, Input, Media, Programs, VideoStream,
    decoder::{Decoder, DecoderMessage, DecoderOptions},
    ring::{FrameRing, Need},
};

const FRAME_MEMORY_BYTES: usize = 64 << 20;

const MAX_FRAMES: usize = 300;

const MAX_FRAME_HEIGHT_PX: u32 = 1080;

/// While a jump waits for its target frame, no other jump starts until this time has passed.
const JUMP_TIMEOUT: Duration = Duration::from_secs(3);

/// Decodes a video around the time that is shown.
///
/// Call [`Player::update`] for every frame of the viewer. It never waits for ffmpeg. The player
/// keeps at most 64 MiB of decoded frames. While the clock runs, the player decodes frames ahead of
/// the clock. After a jump of the clock, the player restarts ffmpeg at the new time.
#[derive(Debug)]
pub struct Player {
    input: Arc<Input>,
    /// The rate of an image sequence, in Hz.
    rate: f64,
    media: Arc<Media>,
    video: VideoStream,
    programs: Programs,
    size: [u32; 2],
    ring: FrameRing<Arc<Frame>>,
    decoder: Option<Decoder>,
    /// The target time of a jump, and the moment at which the decoder was started for it. `None`
    /// once the target frame is decoded.
    jump: Option<(f64, Instant)>,
    /// The decoder starts this much before the target of the jump, in seconds.
    lead: f64,
    shown_frame: Option<Arc<Frame>>,
    is_waiting: bool,
    error: Option<String>,
}

impl Player {
    /// Creates a player for the video of `media`, which was read from `input`. Frames are decoded
    /// at `height` pixels or less. Returns `None` if there is no video.
    pub fn new(
        input: Arc<Input>,
        rate: f64,
        media: Arc<Media>,
        height: u32,
        programs: Programs,
    ) -> Option<Self> {
        let video = media.video.clone()?;
        let size = video.size_at_height(height.min(MAX_FRAME_HEIGHT_PX));
        Some(Self {
            input,
            rate,
            media,
            video,
            programs,
            size,
            ring: FrameRing::new(ring_capacity(size)),
            decoder: None,
            jump: None,
            lead: 0.0,
            shown_frame: None,
            is_waiting: false,
            error: None,
        })
    }

    /// Sets the height at which frames are decoded, in pixels.
    pub fn set_height(&mut self, height: u32) {
        let size = self.video.size_at_height(height.min(MAX_FRAME_HEIGHT_PX));
        if size == self.size {
            return;
        }
        self.size = size;
        self.ring = FrameRing::new(ring_capacity(size));
        (self.decoder, self.jump) = (None, None);
    }

    /// Receives decoded frames, and starts the decoder if the frame at `time` or the following
    /// frames are missing. `time` is in seconds of the footage. `speed` is the speed of the clock,
    /// or 0 while the clock stands still.
    pub fn update(&mut self, time: f64, speed: f64) {
        if self.error.is_some() {
            return;
        }
        let time = time.max(0.0).min(self.media.duration.unwrap_or(f64::INFINITY));
        self.receive(time);
        // If the clock is fast, the running decoder may be seconds behind the clock and still reach
        // the frame sooner than a new decoder.
        let max_ahead = 1.0 + speed.abs();
        match self.ring.need(time, max_ahead) {
            Need::Nothing => {}
            Need::More if self.decoder.is_some() => {}
            Need::Seek if self.is_jumping() => {}
            Need::More | Need::Seek => {
                let lead = self.choose_lead(time);
                self.jump_to(time, lead);
            }
        }
        self.update_shown_frame(time, speed);
    }

    /// Returns the frame to show, or `None` if none is decoded yet.
    pub fn shown_frame(&self) -> Option<&Arc<Frame>> {
        self.shown_frame.as_ref()
    }

    /// Returns `true` if the frame at the time of the last update is not decoded yet.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// Returns the reason why there are no frames, if decoding failed.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Returns the times of the frames before and after the frame at `time`. If such a frame is not
    /// decoded, its time is computed from the frame rate.
    pub fn neighbour_times(&self, time: f64) -> [f64; 2] {
        let [before, after] = self.ring.neighbour_times(time);
        let step = 1.0 / self.video.rate;
        let frame_time = self.ring.frame_at(time).map_or(time, |(frame_time, _)| frame_time);
        [before.unwrap_or(frame_time - step), after.unwrap_or(frame_time + step)]
    }

    fn receive(&mut self, time: f64) {
        while self.ring.has_room(time) {
            let Some(message) = self.decoder.as_mut().and_then(Decoder::try_next) else { break };
            match message {
                DecoderMessage::Frame(frame) => self.ring.push(frame.time, Arc::new(frame)),
                DecoderMessage::End(error) => {
                    self.decoder = None;
                    self.ring.mark_end();
                    if self.ring.is_empty() && self.ring.has_first_frame() {
                        self.error =
                            Some(error.unwrap_or_else(|| "the video has no frames".to_owned()));
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

    /// Restarts the decoder at an earlier time if it has missed the target frame. This happens if
    /// the target frame began before the start time and is shown for longer than the lead. It also
    /// happens if the video ends before the start time.
    fn start_earlier_if_needed(&mut self) {
        let Some((target, _)) = self.jump else { return };
        let has_missed = match self.ring.first_time() {
            Some(_) => self.ring.frame_at(target).is_none(),
            None => self.decoder.is_none(),
        };
        if has_missed && !self.ring.has_first_frame() {
            let lead = (4.0 * self.lead).max(0.5);
            self.jump_to(target, lead);
        }
    }

    fn choose_lead(&self, time: f64) -> f64 {
        let few = 2.5 / self.video.rate;
        let ring_duration = self.ring.full_duration(self.video.rate);
        let is_just_before = self
            .ring
            .first_time()
            .is_some_and(|first| time < first && first - time < ring_duration);
        if is_just_before { few.max(0.5 * ring_duration) } else { few }
    }

    fn is_jumping(&self) -> bool {
        self.jump.is_some_and(|(_, since)| since.elapsed() < JUMP_TIMEOUT)
    }

    fn jump_to(&mut self, time: f64, lead: f64) {
        let from = Some(time - lead).filter(|from| *from > 0.0);
        self.ring.restart(from.is_none());
        // End the old decoder before the new one starts.
        self.decoder = None;
        let options = DecoderOptions {
            input: &self.input,
            rate: self.rate,
            media: &self.media,
            stream: self.video.index,
            size: self.size,
            from,
        };
        match Decoder::start(&options, &self.programs) {
            Ok(decoder) => self.decoder = Some(decoder),
            Err(error) => self.error = Some(error.to_string()),
        }
        self.jump = Some((time, Instant::now()));
        self.lead = lead;
    }

    fn update_shown_frame(&mut self, time: f64, speed: f64) {
        self.is_waiting = !self.ring.is_known(time) && self.error.is_none();
        // While the clock runs, show an older frame until the right frame is decoded, so that the
        // video does not freeze.
        let can_show = !self.is_waiting || (speed > 0.0 && self.jump.is_none());
        if let Some((_, frame)) = self.ring.frame_at(time).filter(|_| can_show) {
            self.shown_frame = Some(frame.clone());
        }
    }

    #[cfg(test)]
    pub(super) fn process_id(&self) -> Option<u32> {
        self.decoder.as_ref().map(Decoder::process_id)
    }

    #[cfg(test)]
    pub(super) fn size(&self) -> [u32; 2] {
        self.size
    }
}

fn ring_capacity([width, height]: [u32; 2]) -> usize {
    let bytes = width as usize * height as usize * 4;
    (FRAME_MEMORY_BYTES / bytes).clamp(4, MAX_FRAMES)
}
