//! The reference footage of the session: a video, an image sequence or a sound file that plays on
//! the clock of the recordings.

use std::sync::Arc;

use bevy::prelude::*;

use super::{
    files::{Files, FootageFound, OpenRecordings},
    jobs::{Busy, Job, Jobs},
    schedule::SessionSystems,
    view::{FilePurpose, Panel, Panels, SavedFootage, WindowRequest},
};
use crate::footage::{
    DEFAULT_IMAGE_RATE_HZ, FootageError, Frame, Input, Media, Player, Programs, SoundPlayer,
    Waveform,
};
use mutoscope_core::{
    measure::compare::Timing,
    playback::{Clock, Direction},
};

/// The height in pixels at which frames are decoded until the panel knows its own height.
const DEFAULT_HEIGHT_PX: u32 = 270;

/// A command on reference footage.
#[derive(Clone, Debug, PartialEq)]
pub enum FootageCommand {
    /// Asks the user for a file and plays it as reference footage.
    Choose,
    /// Plays this reference footage in place of the current footage.
    Open(SavedFootage),
    /// Closes the reference footage.
    Remove,
    /// Sets the clock time, in seconds, at which the footage starts.
    SetOffset(f64),
    /// Sets the frame rate of an image sequence, in Hz.
    SetRate(f64),
    /// Changes the offset of the footage so that the next or previous frame begins at the current
    /// time.
    Step(Direction),
    /// Decodes frames at this height, in pixels.
    SetHeight(u32),
}

/// The reference footage that is open, if any.
#[derive(Resource, Debug, Default)]
pub struct OpenFootage {
    open: Option<FootageState>,
    programs: Programs,
}

#[derive(Debug)]
struct FootageState {
    saved: SavedFootage,
    reading: Job<(), Result<(Input, Media), FootageError>>,
    reading_sound: Job<(), Result<Option<Waveform>, FootageError>>,
    content: Option<Content>,
    failed: Option<String>,
    height: u32,
    waveform: Option<Waveform>,
    waveform_error: Option<String>,
    frame_wait: Option<Busy>,
}

#[derive(Debug)]
struct Content {
    media: Arc<Media>,
    is_images: bool,
    player: Option<Player>,
    sound: Option<SoundPlayer>,
}

/// The state of the footage at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootagePhase {
    /// Before the footage starts.
    Before,
    /// While the footage plays.
    Within,
    /// After the footage has ended.
    After,
}

impl OpenFootage {
    /// Returns the open footage and its timing.
    pub fn saved(&self) -> Option<&SavedFootage> {
        self.open.as_ref().map(|open| &open.saved)
    }

    /// Returns `true` if footage is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Returns the name that the user sees.
    pub fn name(&self) -> Option<String> {
        let path = &self.saved()?.path;
        Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
    }

    /// Returns the offset of the footage on the clock, with rate 1.
    pub fn timing(&self) -> Timing {
        Timing { offset: self.saved().map_or(0.0, |saved| saved.offset), rate: 1.0 }
    }

    /// Returns the streams of the footage, or `None` until they are known.
    pub fn media(&self) -> Option<&Media> {
        Some(&self.open.as_ref()?.content.as_ref()?.media)
    }

    /// Returns why the footage cannot be shown, if reading or decoding it failed.
    pub fn error(&self) -> Option<&str> {
        self.open.as_ref()?.failed.as_deref().or_else(|| self.player()?.error())
    }

    /// Returns the frame rate of an image sequence in Hz. `None` for other footage.
    pub fn image_rate(&self) -> Option<f64> {
        let open = self.open.as_ref()?;
        open.content.as_ref()?.is_images.then(|| open.rate())
    }

    /// Returns the duration in seconds, if it is known.
    pub fn duration(&self) -> Option<f64> {
        self.media()?.duration.or_else(|| self.waveform().map(Waveform::duration))
    }

    /// Returns the time within the footage at the clock time `time`, in seconds.
    pub fn footage_time(&self, time: f64) -> f64 {
        self.timing().to_clip_time(time)
    }

    /// Returns the phase of the footage at the clock time `time`, in seconds.
    pub fn phase(&self, time: f64) -> FootagePhase {
        let footage_time = self.footage_time(time);
        if footage_time < 0.0 {
            FootagePhase::Before
        } else if self.duration().is_some_and(|duration| footage_time > duration) {
            FootagePhase::After
        } else {
            FootagePhase::Within
        }
    }

    /// Returns the frame that is shown.
    pub fn frame(&self) -> Option<&Arc<Frame>> {
        self.player()?.shown_frame()
    }

    /// Returns the height at which frames are decoded, in pixels.
    pub fn height(&self) -> u32 {
        self.open.as_ref().map_or(DEFAULT_HEIGHT_PX, |open| open.height)
    }

    /// Returns the waveform of the sound track, or `None` until it was read.
    pub fn waveform(&self) -> Option<&Waveform> {
        self.open.as_ref()?.waveform.as_ref()
    }

    /// Returns `true` while the sound track is being read.
    pub fn is_reading_sound(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.reading_sound.is_running())
    }

    /// Returns why the waveform could not be read, if reading it failed.
    pub fn waveform_error(&self) -> Option<&str> {
        self.open.as_ref()?.waveform_error.as_deref()
    }

    /// Returns why no sound is played, if playing it failed.
    pub fn sound_error(&self) -> Option<&str> {
        self.open.as_ref()?.content.as_ref()?.sound.as_ref()?.error()
    }

    pub(in crate::session) fn open(&mut self, saved: SavedFootage, jobs: &Jobs) {
        let mut open = FootageState { height: self.height(), ..FootageState::new(saved) };
        open.read(&self.programs, jobs);
        self.open = Some(open);
    }

    pub(in crate::session) fn close(&mut self) {
        self.open = None;
    }

    pub(in crate::session) fn set_offset(&mut self, offset: f64) {
        if let Some(open) = self.open.as_mut().filter(|_| offset.is_finite()) {
            open.saved.offset = offset;
        }
    }

    pub(in crate::session) fn set_rate(&mut self, rate: f64, jobs: &Jobs) {
        if let Some(open) = self.open.as_ref().filter(|_| rate.is_finite() && rate > 0.0) {
            let saved = SavedFootage { rate: Some(rate), ..open.saved.clone() };
            self.open(saved, jobs);
        }
    }

    pub(in crate::session) fn step(&mut self, direction: Direction, time: f64) {
        let footage_time = self.footage_time(time);
        let Some(player) = self.player() else { return };
        let [before, after] = player.neighbour_times(footage_time);
        let footage_time = match direction {
            Direction::Forward => after,
            Direction::Backward => before,
        };
        self.set_offset(time - footage_time);
    }

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

    #[cfg(test)]
    pub(crate) fn with_media(
        saved: SavedFootage,
        media: Media,
        waveform: Option<Waveform>,
    ) -> Self {
        let content =
            Content { media: Arc::new(media), is_images: false, player: None, sound: None };
        let open = FootageState { content: Some(content), waveform, ..FootageState::new(saved) };
        Self { open: Some(open), programs: Programs::default() }
    }

    #[cfg(test)]
    pub(in crate::session) fn set_programs(&mut self, programs: Programs) {
        self.programs = programs;
    }
}

impl FootageState {
    fn new(saved: SavedFootage) -> Self {
        Self {
            saved,
            reading: Job::default(),
            reading_sound: Job::default(),
            content: None,
            failed: None,
            height: DEFAULT_HEIGHT_PX,
            waveform: None,
            waveform_error: None,
            frame_wait: None,
        }
    }

    fn rate(&self) -> f64 {
        self.saved.rate.unwrap_or(DEFAULT_IMAGE_RATE_HZ)
    }

    fn player_mut(&mut self) -> Option<&mut Player> {
        self.content.as_mut()?.player.as_mut()
    }

    fn read(&mut self, programs: &Programs, jobs: &Jobs) {
        let (path, rate, programs) = (self.saved.path.clone(), self.rate(), programs.clone());
        let started = self.reading.start_on_thread(jobs, (), move |progress| {
            let input = Input::from_path(&path)
                .map_err(|error| FootageError::Unreadable(error.to_string()))?;
            let media = Media::probe(&input, rate, &programs, &|| progress.is_cancelled())?;
            Ok((input, media))
        });
        if let Err(error) = started {
            self.failed = Some(error.to_string());
        }
    }

    fn poll_jobs(&mut self, programs: &Programs, jobs: &Jobs) {
        if let Some((_, result)) = self.reading.poll() {
            match result {
                Err(crashed) => self.failed = Some(crashed.to_string()),
                Ok(Err(error)) => self.failed = Some(error.to_string()),
                Ok(Ok((input, media))) => self.install_media(input, media, programs, jobs),
            }
        }
        if let Some((_, result)) = self.reading_sound.poll() {
            match result {
                Err(crashed) => self.waveform_error = Some(crashed.to_string()),
                Ok(Err(error)) => self.waveform_error = Some(error.to_string()),
                Ok(Ok(waveform)) => self.waveform = waveform,
            }
        }
    }

    fn install_media(&mut self, input: Input, media: Media, programs: &Programs, jobs: &Jobs) {
        let (input, media) = (Arc::new(input), Arc::new(media));
        let is_images = input.is_images();
        if media.sound.is_some() {
            let (input, media, programs) = (input.clone(), media.clone(), programs.clone());
            let started = self.reading_sound.start_on_thread(jobs, (), move |progress| {
                Waveform::decode(&input, &media, &programs, &|| progress.is_cancelled())
            });
            self.waveform_error = started.err().map(|error| error.to_string());
        }
        let (rate, height) = (self.rate(), self.height);
        let sound = SoundPlayer::new(input.clone(), &media, programs.clone());
        let player = Player::new(input, rate, media.clone(), height, programs.clone());
        self.content = Some(Content { media, is_images, player, sound });
    }
}

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<OpenFootage>()
        .add_observer(open_found_footage)
        .add_systems(Update, play_footage.in_set(SessionSystems::Prepare));
}

pub(in crate::session) fn apply(
    In(command): In<FootageCommand>,
    open: OpenRecordings,
    mut footage: ResMut<OpenFootage>,
    mut panels: ResMut<Panels>,
    mut files: ResMut<Files>,
    jobs: Res<Jobs>,
    mut window: MessageWriter<WindowRequest>,
) {
    match command {
        FootageCommand::Choose => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::Footage));
        }
        FootageCommand::Open(saved) => {
            footage.open(saved, &jobs);
            panels.open_panel(Panel::FOOTAGE);
            if open.reference().is_none()
                && let Some(name) = footage.name()
            {
                files.notify(format!("{name} will play with the next recording that is opened"));
            }
        }
        FootageCommand::Remove => footage.close(),
        FootageCommand::SetOffset(offset) => footage.set_offset(offset),
        FootageCommand::SetRate(rate) => footage.set_rate(rate, &jobs),
        FootageCommand::Step(direction) => {
            footage.step(direction, open.clock().map_or(0.0, Clock::time));
        }
        FootageCommand::SetHeight(height) => footage.set_height(height),
    }
}

fn open_found_footage(found: On<FootageFound>, mut commands: Commands) {
    commands.run_system_cached_with(apply, FootageCommand::Open(found.0.clone()));
}

fn play_footage(
    mut footage: ResMut<OpenFootage>,
    open: OpenRecordings,
    panels: Res<Panels>,
    jobs: Res<Jobs>,
) {
    let OpenFootage { open: Some(footage), programs } = footage.bypass_change_detection() else {
        return;
    };
    footage.poll_jobs(programs, &jobs);
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
    match (is_waiting, &footage.frame_wait) {
        (true, None) => footage.frame_wait = Some(jobs.begin()),
        (false, Some(_)) => footage.frame_wait = None,
        _ => {}
    }
}
