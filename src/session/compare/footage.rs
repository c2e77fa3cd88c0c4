//! The reference footage of the session: a video, an image sequence or a sound file on the clock of the
//! recordings.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;

use crate::footage::{
    FootageError, Frame, Input, Media, Player, Programs, SoundPlayer, USUAL_RATE, Waveform,
};
use crate::session::{Busy, Job, Jobs, OpenRecordings, Panel, Panels};
use mutoscope_core::{measure::compare::Timing, playback::Direction};

/// Whether footage is offered: a browser has no ffmpeg.
pub(in crate::session) const OFFERED: bool = !cfg!(target_family = "wasm");

/// How high frames are decoded until it is known how high they are shown, in pixels.
const HEIGHT: u32 = 270;

/// The reference footage and its timing, as a view keeps them.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedFootage {
    /// The file, an image of a sequence, or a folder of images.
    pub path: PathBuf,
    /// The time of the clock, in seconds, at which it is at its own time 0.
    pub offset: f64,
    /// Images a second, of a sequence.
    pub rate: Option<f64>,
}

impl SavedFootage {
    /// The footage at `path`, from the start of the clock on.
    pub fn of_path(path: PathBuf) -> Self {
        Self { path, offset: 0.0, rate: None }
    }
}

/// The reference footage that is open, if any is.
#[derive(Resource, Debug, Default)]
pub struct OpenFootage {
    open: Option<Open>,
    programs: Programs,
}

#[derive(Debug)]
struct Open {
    saved: SavedFootage,
    reading: Job<(), Result<(Input, Media), FootageError>>,
    hearing: Job<(), Result<Option<Waveform>, FootageError>>,
    content: Option<Content>,
    failed: Option<String>,
    height: u32,
    waveform: Option<Waveform>,
    sound_failed: Option<String>,
    /// Until the frame of now is there.
    waiting: Option<Busy>,
}

#[derive(Debug)]
struct Content {
    media: Arc<Media>,
    is_images: bool,
    player: Option<Player>,
    sound: Option<SoundPlayer>,
}

/// Where a time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootagePlace {
    /// Before the footage begins.
    Before,
    /// Within it.
    Within,
    /// After it has ended.
    After,
}

impl OpenFootage {
    /// The open footage and its timing.
    pub fn saved(&self) -> Option<&SavedFootage> {
        self.open.as_ref().map(|open| &open.saved)
    }

    /// Whether any is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Its name, for the user.
    pub fn name(&self) -> Option<String> {
        let path = &self.saved()?.path;
        Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
    }

    /// When it plays on the clock.
    pub fn timing(&self) -> Timing {
        Timing { offset: self.saved().map_or(0.0, |saved| saved.offset), rate: 1.0 }
    }

    /// The streams of the footage, as soon as they are known.
    pub fn media(&self) -> Option<&Media> {
        Some(&self.open.as_ref()?.content.as_ref()?.media)
    }

    /// Why there is nothing to see or hear, if that is so.
    pub fn failed(&self) -> Option<&str> {
        self.open.as_ref()?.failed.as_deref().or_else(|| self.player()?.error())
    }

    /// Images a second, if it is an image sequence.
    pub fn image_rate(&self) -> Option<f64> {
        let open = self.open.as_ref()?;
        open.content.as_ref()?.is_images.then(|| open.rate())
    }

    /// How long it is, in seconds, if that is known.
    pub fn duration(&self) -> Option<f64> {
        self.media()?.duration.or_else(|| self.waveform().map(Waveform::duration))
    }

    /// Its own time when the clock is at `time`.
    pub fn time(&self, time: f64) -> f64 {
        self.timing().second(time)
    }

    /// Where in it the clock is at `time`.
    pub fn place(&self, time: f64) -> FootagePlace {
        let own = self.time(time);
        if own < 0.0 {
            FootagePlace::Before
        } else if self.duration().is_some_and(|duration| own > duration) {
            FootagePlace::After
        } else {
            FootagePlace::Within
        }
    }

    /// The frame that is shown.
    pub fn frame(&self) -> Option<&Arc<Frame>> {
        self.player()?.shown()
    }

    /// How high frames are decoded, in pixels.
    pub fn height(&self) -> u32 {
        self.open.as_ref().map_or(HEIGHT, |open| open.height)
    }

    /// The sound track, as soon as it was read.
    pub fn waveform(&self) -> Option<&Waveform> {
        self.open.as_ref()?.waveform.as_ref()
    }

    /// Whether the sound track is being read.
    pub fn is_reading_sound(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.hearing.is_running())
    }

    /// Why there is no waveform, if the sound track cannot be read.
    pub fn sound_failed(&self) -> Option<&str> {
        self.open.as_ref()?.sound_failed.as_deref()
    }

    /// Why its sound is not heard, if there is a reason.
    pub fn silent(&self) -> Option<&str> {
        self.open.as_ref()?.content.as_ref()?.sound.as_ref()?.failed()
    }

    /// Reads `saved` in place of what is open.
    pub(in crate::session) fn open(&mut self, saved: SavedFootage, jobs: &Jobs) {
        let mut open = Open { height: self.height(), ..Open::new(saved) };
        open.read(&self.programs, jobs);
        self.open = Some(open);
    }

    /// Closes it; its processes end.
    pub(in crate::session) fn close(&mut self) {
        self.open = None;
    }

    pub(in crate::session) fn set_offset(&mut self, offset: f64) {
        if let Some(open) = self.open.as_mut().filter(|_| offset.is_finite()) {
            open.saved.offset = offset;
        }
    }

    /// Sets the image rate.
    pub(in crate::session) fn set_rate(&mut self, rate: f64, jobs: &Jobs) {
        if let Some(open) = self.open.as_ref().filter(|_| rate.is_finite() && rate > 0.0) {
            let saved = SavedFootage { rate: Some(rate), ..open.saved.clone() };
            self.open(saved, jobs);
        }
    }

    /// Puts the beginning of the next or previous frame at `time` of the clock.
    pub(in crate::session) fn step(&mut self, direction: Direction, time: f64) {
        let own = self.time(time);
        let Some(player) = self.player() else { return };
        let [before, after] = player.neighbours(own);
        let own = match direction {
            Direction::Forward => after,
            Direction::Backward => before,
        };
        self.set_offset(time - own);
    }

    /// Decodes frames at this height, in pixels.
    pub(in crate::session) fn set_height(&mut self, height: u32) {
        let Some(open) = &mut self.open else { return };
        open.height = height;
        if let Some(player) = open.player_mut() {
            player.set_height(height);
        }
    }

    fn player(&self) -> Option<&Player> {
        self.open.as_ref()?.content.as_ref()?.player.as_ref()
    }

    /// Footage of which only this is known, for tests of panels.
    #[cfg(test)]
    pub(crate) fn with(saved: SavedFootage, media: Media, waveform: Option<Waveform>) -> Self {
        let content =
            Content { media: Arc::new(media), is_images: false, player: None, sound: None };
        let open = Open { content: Some(content), waveform, ..Open::new(saved) };
        Self { open: Some(open), programs: Programs::default() }
    }

    /// The same, with programs that are elsewhere.
    #[cfg(test)]
    pub(in crate::session) fn set_programs(&mut self, programs: Programs) {
        self.programs = programs;
    }
}

impl Open {
    /// Of which nothing is known yet.
    fn new(saved: SavedFootage) -> Self {
        Self {
            saved,
            reading: Job::default(),
            hearing: Job::default(),
            content: None,
            failed: None,
            height: HEIGHT,
            waveform: None,
            sound_failed: None,
            waiting: None,
        }
    }

    fn rate(&self) -> f64 {
        self.saved.rate.unwrap_or(USUAL_RATE)
    }

    fn player_mut(&mut self) -> Option<&mut Player> {
        self.content.as_mut()?.player.as_mut()
    }

    /// Begins to ask what is in the file.
    fn read(&mut self, programs: &Programs, jobs: &Jobs) {
        let (path, rate, programs) = (self.saved.path.clone(), self.rate(), programs.clone());
        let started = self.reading.start_on_thread(jobs, (), move |progress| {
            let input = Input::of_path(&path)
                .map_err(|error| FootageError::Unreadable(error.to_string()))?;
            let media = Media::of(&input, rate, &programs, &|| progress.is_cancelled())?;
            Ok((input, media))
        });
        if let Err(error) = started {
            self.failed = Some(error.to_string());
        }
    }

    /// Takes what was found out; begins to read the sound.
    fn take_results(&mut self, programs: &Programs, jobs: &Jobs) {
        if let Some((_, result)) = self.reading.poll() {
            match result {
                Err(crashed) => self.failed = Some(crashed.to_string()),
                Ok(Err(error)) => self.failed = Some(error.to_string()),
                Ok(Ok((input, media))) => self.play(input, media, programs, jobs),
            }
        }
        if let Some((_, result)) = self.hearing.poll() {
            match result {
                Err(crashed) => self.sound_failed = Some(crashed.to_string()),
                Ok(Err(error)) => self.sound_failed = Some(error.to_string()),
                Ok(Ok(waveform)) => self.waveform = waveform,
            }
        }
    }

    fn play(&mut self, input: Input, media: Media, programs: &Programs, jobs: &Jobs) {
        let (input, media) = (Arc::new(input), Arc::new(media));
        let is_images = input.is_images();
        if media.sound.is_some() {
            let (input, media, programs) = (input.clone(), media.clone(), programs.clone());
            let started = self.hearing.start_on_thread(jobs, (), move |progress| {
                Waveform::of(&input, &media, &programs, &|| progress.is_cancelled())
            });
            self.sound_failed = started.err().map(|error| error.to_string());
        }
        let (rate, height) = (self.rate(), self.height);
        let sound = SoundPlayer::new(input.clone(), &media, programs.clone());
        let player = Player::new(input, rate, media.clone(), height, programs.clone());
        self.content = Some(Content { media, is_images, player, sound });
    }
}

/// Lets the footage follow the clock.
pub(in crate::session) fn play(
    mut footage: ResMut<OpenFootage>,
    open: OpenRecordings,
    panels: Res<Panels>,
    jobs: Res<Jobs>,
) {
    let OpenFootage { open: Some(footage), programs } = footage.bypass_change_detection() else {
        return;
    };
    footage.take_results(programs, &jobs);
    let clock = open.clock().filter(|_| open.reference().is_some());
    let is_seen = panels.is_open(Panel::FOOTAGE) && !panels.hidden;
    let offset = footage.saved.offset;
    let mut is_waiting = false;
    let speed = clock.filter(|clock| clock.is_running()).map_or(0.0, |clock| clock.speed());
    if let Some((clock, player)) = clock.filter(|_| is_seen).zip(footage.player_mut()) {
        player.update(clock.time() - offset, speed);
        is_waiting = player.is_waiting();
    }
    if let Some(sound) = footage.content.as_mut().and_then(|content| content.sound.as_mut()) {
        let heard = if panels.is_muted { 0.0 } else { speed };
        sound.update(clock.map_or(0.0, |clock| clock.time()) - offset, heard);
    }
    match (is_waiting, &footage.waiting) {
        (true, None) => footage.waiting = Some(jobs.begin()),
        (false, Some(_)) => footage.waiting = None,
        _ => {}
    }
}

/// Whether the file at `path` is a folder of images.
pub(in crate::session) fn is_image_folder(path: &Path) -> bool {
    OFFERED && Input::of_path(path).is_ok_and(|input| input.is_images())
}
