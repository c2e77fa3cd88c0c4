//! The recording that plays: a Bevy resource that holds a clip, its clock and its pose.
//!
//! Each frame the clock moves on and the clip is sampled, in [`PlayerSystems::Sample`]. Whoever
//! draws the pose runs after that; whoever steers the clock, before.

use std::sync::Arc;

use bevy::prelude::*;

use crate::{
    asset::{ClipAsset, ClipLoader},
    clip::{Clip, Pose, Sampling},
    counterpart::{self, Counterpart},
    listing::FileBytes,
    playback::{Clock, Direction, Looping, TimeCommand},
};

/// Adds the [`Player`], its [`Counterpart`], the asset type and its loader.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayerPlugin;

/// When the player does its work, within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerSystems {
    /// A clip whose loading ended is opened, the clock moves on, poses are sampled.
    Sample,
}

impl Plugin for PlayerPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<ClipAsset>()
            .init_asset_loader::<ClipLoader>()
            .init_resource::<Player>()
            .init_resource::<Counterpart>()
            .add_systems(
                Update,
                (open_when_loaded, advance, counterpart::go_along)
                    .chain()
                    .in_set(PlayerSystems::Sample),
            );
    }
}

/// What plays, and where in it playback is.
#[derive(Resource, Debug, Default)]
pub struct Player {
    recording: Option<ClipAsset>,
    /// The clip of the recording, sampled in another way than it defines itself.
    resampled: Option<Arc<Clip>>,
    sampling: Sampling,
    pending: Option<Handle<ClipAsset>>,
    clock: Clock,
    pose: Pose,
    generation: u32,
}

impl Player {
    /// Opens `recording` and plays it from its start.
    pub fn open(&mut self, recording: ClipAsset) {
        self.clock = Clock::new(recording.clip.span);
        self.clock.apply(TimeCommand::SetLooping(default_looping(&recording)), &[]);
        self.clock.apply(TimeCommand::Play, &[]);
        self.take(recording);
    }

    /// Takes `recording` for the one that is open, as read anew: playback goes on where it is.
    pub fn replace(&mut self, recording: ClipAsset) {
        self.clock.set_span(recording.clip.span);
        self.take(recording);
    }

    fn take(&mut self, recording: ClipAsset) {
        self.pending = None;
        self.recording = Some(recording);
        self.resample();
    }

    /// Sees to it that the clip that plays is the recording's, sampled as was asked for. Everything is
    /// another then: the generation grows.
    fn resample(&mut self) {
        let clip = self.recording.as_ref().map(|recording| &recording.clip);
        let clip = clip.filter(|clip| clip.has_ways_to_sample());
        self.resampled = match self.sampling {
            Sampling::AsDefined => None,
            other => clip.map(|clip| Arc::new(clip.sampled(other))),
        };
        self.generation += 1;
        self.sample();
    }

    /// Opens `recording` and plays it from its start in the manner of the one that is open: as fast,
    /// and looping as that does if somebody chose so.
    pub fn open_alike(&mut self, recording: ClipAsset) {
        let (speed, looping) = (self.clock.speed(), self.clock.looping());
        let was_chosen =
            self.recording.as_ref().is_some_and(|before| default_looping(before) != looping);
        self.open(recording);
        self.apply(TimeCommand::SetSpeed(speed));
        if was_chosen {
            self.apply(TimeCommand::SetLooping(looping));
        }
    }

    /// Opens the recording behind `handle` as soon as it is loaded; until then, what plays goes on.
    pub fn open_when_loaded(&mut self, handle: Handle<ClipAsset>) {
        self.pending = Some(handle);
    }

    /// Closes the recording, if one is open.
    pub fn close(&mut self) {
        let (generation, sampling) = (self.generation + 1, self.sampling);
        *self = Self { generation, sampling, ..Self::default() };
    }

    /// The clip that plays, if one is open.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        let of_recording = self.recording.as_ref().map(|recording| &recording.clip);
        self.resampled.as_ref().or(of_recording)
    }

    /// How values run between keys, of this recording and of those that are opened later.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Lets values run between keys in this way.
    pub fn set_sampling(&mut self, sampling: Sampling) {
        if self.sampling != sampling {
            self.sampling = sampling;
            self.resample();
        }
    }

    /// The file that the clip was decoded from, if it was kept.
    pub fn file(&self) -> Option<&FileBytes> {
        self.recording.as_ref()?.file.as_ref()
    }

    /// What is open: the clip, and what was prepared of it.
    pub fn recording(&self) -> Option<&ClipAsset> {
        self.recording.as_ref()
    }

    /// Changes how the clip's numbers are understood, such as the rule for its rotations.
    /// Everything is another then: the generation grows.
    pub fn edit_convention(&mut self, edit: impl FnOnce(&mut crate::clip::Convention)) {
        if let Some(recording) = &mut self.recording {
            edit(&mut Arc::make_mut(&mut recording.clip).convention);
            self.resample();
        }
    }

    /// The times in seconds that stepping visits, ascending.
    pub fn sample_times(&self) -> &[f64] {
        self.recording.as_ref().map_or(&[], |recording| &recording.sample_times)
    }

    /// Where playback is and how it goes on.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The clip at the clock's time, in the viewer's space.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Grows by one whenever another recording is opened, this one is closed, or its numbers are
    /// understood in another way.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Steers the clock; the pose follows at once.
    pub fn apply(&mut self, command: TimeCommand) {
        let times = self.recording.as_ref().map_or(&[][..], |recording| &recording.sample_times);
        self.clock.apply(command, times);
        self.sample();
    }

    /// Pauses at the next of `times`, which ascend, in this direction; the pose follows.
    pub fn step_among(&mut self, direction: Direction, times: &[f64]) {
        self.clock.apply(TimeCommand::Step(direction), times);
        self.sample();
    }

    /// Moves the clock on by `elapsed` seconds of real time; the pose follows.
    pub fn advance(&mut self, elapsed: f64) {
        self.clock.advance(elapsed);
        self.sample();
    }

    fn sample(&mut self) {
        let clip = self.resampled.as_ref().or(self.recording.as_ref().map(|one| &one.clip));
        if let Some(clip) = clip {
            clip.sample(self.clock.time(), &mut self.pose);
        }
    }
}

/// Over and over, unless its file says that it is not meant to be played so.
fn default_looping(recording: &ClipAsset) -> Looping {
    if recording.clip.is_looping == Some(false) { Looping::Off } else { Looping::All }
}

fn open_when_loaded(mut player: ResMut<Player>, clips: Res<Assets<ClipAsset>>) {
    let loaded = player.pending.as_ref().and_then(|handle| clips.get(handle)).cloned();
    if let Some(recording) = loaded {
        player.open(recording);
    }
}

fn advance(mut player: ResMut<Player>, time: Res<Time>) {
    // Left untouched while nothing moves, so that change detection tells whether to draw anew.
    if player.clock.is_running() {
        player.advance(time.delta_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{self, DecodeRequest};

    fn walk(is_looping: Option<bool>) -> ClipAsset {
        let bytes = include_bytes!("../assets/prime/walk.ANIM");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        ClipAsset::new(Clip { is_looping, ..clip })
    }

    #[test]
    fn a_recording_loops_unless_it_is_not_meant_to() {
        let mut player = Player::default();
        for (is_looping, expected) in
            [(Some(true), Looping::All), (Some(false), Looping::Off), (None, Looping::All)]
        {
            player.open(walk(is_looping));
            assert_eq!(player.clock().looping(), expected, "{is_looping:?}");
        }
    }

    #[test]
    fn a_way_to_sample_stays_until_another_is_asked_for() {
        let mut player = Player::default();
        player.open(walk(None));
        player.apply(TimeCommand::Pause);
        let generation = player.generation();
        let times = player.clip().unwrap().tracks[0].curve.key_times();
        let between = 0.3 * times[0] + 0.7 * times[1];
        player.apply(TimeCommand::Seek(between));
        let defined = player.pose().clone();
        player.set_sampling(Sampling::Nearest);
        assert_ne!(player.pose().nodes, defined.nodes);
        assert_ne!(player.generation(), generation);
        player.edit_convention(|_| ());
        player.replace(walk(None));
        assert_ne!(player.pose().nodes, defined.nodes, "it is sampled so still");
        player.set_sampling(Sampling::AsDefined);
        assert_eq!(player.pose().nodes, defined.nodes);
    }

    #[test]
    fn the_next_of_a_list_plays_as_the_one_before() {
        let mut player = Player::default();
        player.open(walk(Some(false)));
        player.apply(TimeCommand::SetSpeed(0.25));
        player.open_alike(walk(Some(true)));
        assert_eq!(player.clock().looping(), Looping::All, "nobody chose not to loop");
        assert_eq!(player.clock().speed(), 0.25);
        player.apply(TimeCommand::SetLooping(Looping::PingPong));
        player.open_alike(walk(Some(false)));
        assert_eq!(player.clock().looping(), Looping::PingPong);
        assert!(player.clock().is_playing());
    }
}
