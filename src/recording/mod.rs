//! Recordings as entities. Each plays in the space of its entity, on a clock that several
//! recordings may share.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use mutoscope::{
//!     recording::{OnClock, PlayRecording, PlaybackClock, RecordingPlugin},
//!     stage::StagePlugin,
//! };
//!
//! fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
//!     // This recording has its own clock and stands a metre to the right.
//!     commands.spawn((PlayRecording(assets.load("take.bin")), Transform::from_xyz(1.0, 0.0, 0.0)));
//!     // These two recordings share a clock: pausing or seeking it affects both.
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
//! Each frame, [`RecordingSystems::Sample`] opens the clips that have finished loading, advances
//! the clocks, and samples every [`Recording`] at the time of its clock. Run systems that draw
//! poses after this set, and systems that control clocks before it.
//!
//! | file | contents |
//! |---|---|
//! | `recording` | [`Recording`]: the clip, its timing on the clock, and its pose |
//! | `clock` | [`PlaybackClock`] and [`OnClock`] |
//! | `appearance` | tint, displacement and hidden nodes of recordings on the stage |
//! | `overlay` | the placement of a recording relative to another |
//! | `node` | references to a node or key of a recording |
//! | `snapshot` | recordings and their appearance, independent of a Bevy world |
//! | `systems` | the plugin and its systems |
//! | `bevy_clip` | conversion to Bevy's `AnimationClip` |

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
