//! Recordings of the Minecraft mod Motion Capture, `.mcmocap_rec`, in every dialect from version
//! 1.0 on: what a player does, tick by tick, and the entities and blocks around.
//!
//! `docs/formats/mcmocap.md` describes the format as it is and how it is played.
//!
//! [`decode()`] turns bytes into a [`Document`], which holds the header and reads actions as they
//! are asked for; `fold` follows them once and makes a [`Recording`], which knows for every
//! property when it changes, so that any tick can be asked for at once; `figure` puts the player's
//! limbs where the game has them; `convert` makes the clip.

mod action;
mod chat;
mod convert;
mod decode;
mod dialect;
mod document;
mod facts;
mod figure;
mod fold;
mod header;
mod ids;
mod kinds;
mod nodes;
mod oddities;
mod profile;
mod reader;
mod recording;
mod snbt;
mod state;
mod time;
mod tracks;

pub use action::{Action, Coordinate, EntityData, ItemData, Movement, Step, Update, Use};
pub use decode::decode;
pub use dialect::{Dialect, Layout, Strings};
pub use document::{BlockState, Document, Extension, Header, IdMaps, Profile, Steps};
pub use figure::{Cuboid, Part};
pub use kinds::Size;
pub use profile::Person;
pub use recording::{Entity, Life, Recording};
pub use snbt::pretty;
pub use state::{
    Actor, BlockChange, Blocks, Client, ClientState, Crack, Effect, EntityFlags, Held, Item,
    LivingFlags, Path, PoseName, Slot, Stand,
};
pub use time::{Moment, TICKS_PER_SECOND};

use super::{Format, FormatId, Recognition};

/// The row in [`FORMATS`](super::FORMATS).
pub(super) const FORMAT: Format = Format {
    id: FormatId::Mcmocap,
    name: "Minecraft Motion Capture",
    extensions: &["mcmocap_rec"],
    on_rig: None,
    layouts: None,
    recognise,
    decode: |bytes, notices| {
        let document = decode(bytes, notices)?;
        Ok(convert::convert(&document, notices))
    },
};

/// There is no signature: a version and then a place in the world and a look that could be some
/// player's. Files of an unknown version are ours too, to say which.
fn recognise(bytes: &[u8]) -> Recognition {
    if header::starts_somewhere(bytes) { Recognition::Plausible } else { Recognition::No }
}
