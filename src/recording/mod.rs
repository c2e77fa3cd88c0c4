//! Recordings as entities: each plays in the space of its entity, on a clock that several may share.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use mutoscope::{
//!     recording::{OnClock, PlayRecording, PlaybackClock, RecordingPlugin},
//!     stage::StagePlugin,
//! };
//!
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     // One that plays by itself, a metre to the right.
//!     commands.spawn((PlayRecording(assets.load("take.bin")), Transform::from_xyz(1.0, 0.0, 0.0)));
//!     // Two that share a clock: pausing or seeking it pauses and moves both.
//!     let clock = commands.spawn(PlaybackClock::default()).id();
//!     commands.spawn((PlayRecording(assets.load("a.anim")), OnClock(clock)));
//!     commands.spawn((PlayRecording(assets.load("b.anim")), OnClock(clock)));
//! }
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, RecordingPlugin, StagePlugin))
//!     .add_systems(Startup, spawn)
//!     .run();
//! ```
//!
//! Each frame, in [`RecordingSystems::Sample`], clips whose loading ended are opened, clocks
//! advance, and every [`Recording`] is sampled at the time of its clock. Systems that draw poses run
//! after that; systems that steer clocks, before.
//!
//! | file | what it holds |
//! |---|---|
//! | `recording` | [`Recording`]: the clip, its timing on the clock, and its pose |
//! | `clock` | [`PlaybackClock`], and which recording follows which |
//! | `appearance` | tint, displacement and hidden nodes of recordings on the stage |
//! | `overlay` | a recording laid over another |
//! | `node` | nodes and keys of one recording among several |
//! | `snapshot` | recordings and how they are shown, apart from any world |
//! | `systems` | opening, advancing, sampling |
//! | `bevy_clip` | Bevy's `AnimationClip` with the curves of a recording |

mod appearance;
mod bevy_clip;
mod clock;
mod node;
mod overlay;
#[expect(clippy::module_inception, reason = "the file is named after the component it holds")]
mod recording;
mod snapshot;
mod systems;

pub use appearance::{Displacement, HiddenNodes, Tint};
pub use bevy_clip::{targets_by_name, targets_by_path, to_animation_clip};
pub use clock::{OnClock, PlaybackClock, SkippedGaps, default_looping};
pub use node::{RecordingKey, RecordingNode};
pub use overlay::Overlay;
pub use recording::{Recording, Revision};
pub use snapshot::RecordingSnapshot;
pub use systems::{PlayRecording, RecordingPlugin, RecordingSystems};
