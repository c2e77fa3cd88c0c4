//! The plugin and the order of its systems.

use bevy::prelude::*;

use crate::{
    ClipAsset, ClipLoader, ClockFollowers, FollowsClock, Joint, PlaybackClock, Recording,
    RecordingAnimation, RecordingFormats, RecordingJoints, RecordingPlayer, SkippedGaps,
    SpawnJoints, animation, clock, events, joints, player,
};

/// Registers [`ClipAsset`], its loader and the playback systems. Needs Bevy's `AssetPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordingPlugin;

/// The steps of playback, which run in this order within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordingSystems {
    /// Loaded clips become [`Recording`]s, and joints are spawned for them.
    Load,
    /// Clocks advance.
    AdvanceClock,
    /// Poses are sampled. Events of clocks and markers are triggered.
    Sample,
    /// Joints follow the poses.
    ApplyJoints,
}

impl Plugin for RecordingPlugin {
    fn build(&self, app: &mut App) {
        use RecordingSystems::{AdvanceClock, ApplyJoints, Load, Sample};
        app.init_resource::<RecordingFormats>()
            .init_asset::<ClipAsset>()
            .init_asset_loader::<ClipLoader>()
            .register_type::<RecordingPlayer>()
            .register_type::<Recording>()
            .register_type::<RecordingAnimation>()
            .register_type::<PlaybackClock>()
            .register_type::<FollowsClock>()
            .register_type::<ClockFollowers>()
            .register_type::<SkippedGaps>()
            .register_type::<SpawnJoints>()
            .register_type::<Joint>()
            .register_type::<RecordingJoints>()
            .configure_sets(Update, (Load, AdvanceClock, Sample, ApplyJoints).chain())
            .add_observer(joints::despawn_joints)
            .add_systems(
                Update,
                (
                    (
                        (player::open_loaded, player::report_failures),
                        (joints::spawn_joints, animation::start_animations),
                    )
                        .chain()
                        .in_set(Load),
                    clock::advance_clocks.in_set(AdvanceClock),
                    (sample_recordings, events::report_clocks, events::report_markers)
                        .in_set(Sample),
                    joints::apply_joints.in_set(ApplyJoints),
                ),
            );
    }
}

fn sample_recordings(
    mut recordings: Query<(Entity, &mut Recording, Option<&FollowsClock>)>,
    clocks: Query<&PlaybackClock>,
) {
    recordings.par_iter_mut().for_each(|(entity, mut recording, follows)| {
        let Ok(clock) = clocks.get(clock::clock_of(entity, follows)) else { return };
        if recording.needs_sample(clock.time()) {
            recording.sample(clock.time());
        }
    });
}
