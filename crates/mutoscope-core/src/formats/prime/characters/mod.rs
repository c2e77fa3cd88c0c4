//! Characters by name, with their animations and events.
//!
//! An ANCS has characters (a model, a skin, a skeleton, and names of animations) and one set of
//! animations for all of them; EVNT has the events of an animation. [`Library`] puts all of an
//! archive or of one ANCS together, and opens animations by name.
//!
//! | file | what it does |
//! |---|---|
//! | `ancs` | reads an ANCS |
//! | `character`, `meta_animation` | its parts: a character, a tree of animations |
//! | `events` | reads EVNT, alone or inside of an ANCS |
//! | `file_kind` | which of the games' files some bytes are |
//! | `library` | all characters and animations of a file |
//! | `selection` | finds an animation by its name |
//! | `open` | makes a clip of one |
//! | `composed` | plays all clips of one together |
//! | `decode` | the way in for programs that take an archive for a recording |
//! | `model` | reads the model that a character wears |
//! | `character_rig` | a character as a skeleton for an ANIM outside of its archive |
//! | `fetch` | reads a resource, and reports its issues |
//! | `check` | reads everything, and reports all issues |

mod ancs;
mod character;
mod character_rig;
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
pub use open::{OpenOptions, Opened, Playback, open};
pub use selection::{Chosen, Selection, SelectionError};

pub(in crate::formats) use character_rig::CHARACTER_RIG;
pub(super) use decode::decode_clip;

use crate::{diagnostics::Error, io::bytes::Cursor};

/// The longest name that is believed, in bytes.
const LONGEST_NAME: usize = 1024;

/// The next name, which ends in a 0.
fn name(cursor: &mut Cursor, what: &str) -> Result<String, Error> {
    let bytes = cursor.c_string(LONGEST_NAME, what)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// A time: seconds, and a state that means nothing to playing.
fn time(cursor: &mut Cursor, what: &str) -> Result<f32, Error> {
    let seconds = cursor.f32_be(what)?;
    cursor.u32_be(what)?;
    Ok(seconds)
}
