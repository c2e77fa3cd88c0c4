//! The characters of the games, with their animations and events.
//!
//! An ANCS has characters and one set of animations for all of them. A character has a model, a
//! skin, a skeleton and names of animations. An EVNT has the events of an animation. [`Library`]
//! collects the characters of an archive or of one ANCS, and opens animations by name.
//!
//! | file | contents |
//! |---|---|
//! | `ancs` | reads an ANCS |
//! | `character`, `meta_animation` | read its parts: a character, a tree of animations |
//! | `events` | reads an EVNT, alone or inside an ANCS |
//! | `file_kind` | recognises the games' files |
//! | `library` | collects all characters and animations of a file |
//! | `selection` | finds an animation by its name |
//! | `open` | opens an animation as a clip |
//! | `composed` | plays all clips of an animation together |
//! | `decode` | decodes an archive as a recording |
//! | `model` | reads the model of a character |
//! | `character_skeleton` | reads a character as a skeleton, for an ANIM outside of its archive |
//! | `fetch` | reads a resource and reports its problems |
//! | `check` | reads all resources and reports all problems |

mod ancs;
mod character;
mod character_skeleton;
mod check;
mod composed;
mod decode;
mod events;
mod fetch;
mod file_kind;
mod library;
mod meta_animation;
mod model;
mod open;
mod selection;

pub use ancs::{Ancs, Animation, SetEvents};
pub use character::{Character, LocalAnimation};
pub use check::{check_archive, check_library, check_resource};
pub use events::{BoneReference, EventData, EventList, GameEvent};
pub use file_kind::FileKind;
pub use library::{ArchiveGame, Library, LibrarySet};
pub use meta_animation::{Leaf, MetaAnimation, MetaKind, MetaNode};
pub use model::open_model;
pub use open::{OpenedAnimation, Playback, SkeletonPreference, open};
pub use selection::{ChosenAnimation, Selection, SelectionError};

pub(in crate::formats) use character_skeleton::CHARACTER_SKELETON;
pub(super) use decode::decode_clip;

use crate::{diagnostics::Error, io::bytes::Cursor};

const MAX_NAME_BYTES: usize = 1024;

fn read_name(cursor: &mut Cursor, what: &str) -> Result<String, Error> {
    let bytes = cursor.c_string(MAX_NAME_BYTES, what)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// Reads a time in seconds, and skips the state that follows it. The state does not affect
/// playback.
fn read_time(cursor: &mut Cursor, what: &str) -> Result<f32, Error> {
    let seconds = cursor.f32_be(what)?;
    cursor.u32_be(what)?;
    Ok(seconds)
}
