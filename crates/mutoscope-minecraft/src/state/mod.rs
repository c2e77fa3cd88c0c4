//! The replayed state: what a recording says, by property, so that any tick can be asked for at
//! once.

mod actor;
mod blocks;
mod client;
mod flags;
mod held;
mod path;
mod pose_name;
mod riding;
mod slot;

pub use actor::{Actor, Effect, Item};
pub(super) use blocks::AIR;
pub use blocks::{BlockChange, Blocks, Crack};
pub use client::{Client, ClientState};
pub use flags::{EntityFlags, LivingFlags};
pub use held::Held;
pub use path::{Path, Stand};
pub(super) use path::{turned, wrapped};
pub use pose_name::PoseName;
pub(super) use riding::Cast;
pub use slot::Slot;
