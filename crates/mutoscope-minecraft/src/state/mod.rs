//! The replayed state: a list of changes for each property of a recording, so that any tick can be
//! sampled.

mod actor;
mod blocks;
mod client;
mod flags;
mod path;
mod pose_name;
mod riding;
mod slot;
mod step_track;

pub use actor::{Actor, Effect, Item};
pub(super) use blocks::AIR;
pub use blocks::{BlockChange, Blocks, Crack};
pub use client::{Client, ClientState};
pub use flags::{EntityFlags, LivingFlags};
pub use path::{ActorTransform, MotionPath};
pub(super) use path::{lerp_degrees, wrap_degrees};
pub use pose_name::PoseName;
pub(super) use riding::Actors;
pub use slot::Slot;
pub use step_track::StepTrack;
