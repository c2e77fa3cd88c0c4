//! A Bevy plugin that plays motion recordings: MRTK input animation, Maya `.anim`, Resonite AnimJ
//! and AnimX, Metroid Prime, Minecraft Motion Capture, BVH and glTF; with features also FBX, tables,
//! C3D, TRC, Parquet, Arrow and MCAP.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_mutoscope::prelude::*;
//!
//! fn play(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn((RecordingPlayer(assets.load("take.bin")), SpawnJoints));
//! }
//!
//! App::new().add_plugins((DefaultPlugins, RecordingPlugin)).add_systems(Startup, play).run();
//! ```
//!
//! A [`RecordingPlayer`] loads a recording and plays it in the space of its entity. The entity gets
//! a [`Recording`], whose [`pose`](Recording::pose) is sampled in each frame in which the time
//! changes. Units are metres and seconds. Axes are those of Bevy: right-handed, Y up, −Z forward.
//!
//! | to | use |
//! |---|---|
//! | attach things to hands, heads and bones | [`SpawnJoints`], which spawns an entity for each node |
//! | pause, seek, change the speed | [`PlaybackClock`] on the entity, or on another with [`FollowsClock`] |
//! | react to loading, loops and markers | [`RecordingLoaded`], [`RecordingFailed`], [`PlaybackLooped`], [`PlaybackFinished`], [`RecordingEvent`] |
//! | move a character of your own | [`RecordingAnimation`], which plays through Bevy's `AnimationPlayer` |
//! | say how a file is read | [`ClipLoaderSettings`] |
//! | read further formats | [`RegisterRecordingFormats`] |
//! | draw recordings | the feature `stage` |
//!
//! Each frame, in [`Update`](bevy::app::Update), the sets of [`RecordingSystems`] run in order.
//! Control clocks before `AdvanceClock`, and read poses and joints after `ApplyJoints`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod animation;
mod asset;
mod clock;
mod events;
mod joints;
mod loader;
mod node;
mod player;
mod plugin;
pub mod prelude;
mod recording;
#[cfg(feature = "stage")]
pub mod stage;

pub use animation::{RecordingAnimation, targets_by_name, targets_by_path, to_animation_clip};
pub use asset::ClipAsset;
pub use clock::{ClockFollowers, FollowsClock, PlaybackClock, SkippedGaps, default_looping};
pub use events::{
    PlaybackFinished, PlaybackLooped, RecordingEvent, RecordingFailed, RecordingLoaded,
};
pub use joints::{Joint, RecordingJoints, SpawnJoints};
pub use loader::{
    ClipLoader, ClipLoaderError, ClipLoaderSettings, FitSetting, RecordingFormats,
    RegisterRecordingFormats,
};
pub use node::{RecordingKey, RecordingNode};
pub use player::RecordingPlayer;
pub use plugin::{RecordingPlugin, RecordingSystems};
pub use recording::{Recording, Revision};

pub use mutoscope_core as core;

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "stage"))]
#[doc = include_str!("../README.md")]
struct Readme;
