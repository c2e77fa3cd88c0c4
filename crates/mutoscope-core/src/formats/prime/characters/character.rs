//! Reads a character of an ANCS.

use super::read_name;
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{Game, archive::AssetId},
    io::bytes::Cursor,
};

const ECHOES_VERSION: u16 = 10;

/// A character: its model, skeleton and animations.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// The id of the character within its set, counted from 0. Events refer to it.
    pub id: u32,
    /// The version of the layout: 5 or 6 in Metroid Prime, 10 in Echoes.
    pub version: u16,
    /// The name.
    pub name: String,
    /// The id of its model (CMDL).
    pub model: Option<AssetId>,
    /// The id of its skin (CSKR).
    pub skin: Option<AssetId>,
    /// The id of its skeleton (CINF).
    pub skeleton: Option<AssetId>,
    /// The model (CMDL) of the ice around the character when it is frozen.
    pub overlay_model: Option<AssetId>,
    /// The skin (CSKR) of the ice.
    pub overlay_skin: Option<AssetId>,
    /// The animations, in file order.
    pub animations: Vec<LocalAnimation>,
    /// The index in the set for each local index. Empty if the local indices are the indices in the
    /// set.
    pub index_map: Vec<u32>,
    /// The location in the ANCS.
    pub location: SourceLocation,
}

/// An animation that a character lists, with the name that the character uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalAnimation {
    /// The index by which the game refers to the animation. The index is local to the character.
    pub local: u32,
    /// The name.
    pub name: String,
}

impl Character {
    /// Returns the game that uses this layout.
    pub fn game(&self) -> Game {
        if self.version >= ECHOES_VERSION { Game::Echoes } else { Game::Prime }
    }

    /// Returns the index in the set for the index `local`. Returns `None` if the map has no entry
    /// for it.
    pub fn mapped_index(&self, local: u32) -> Option<usize> {
        // Files before version 5 have no map, because both indices were the same.
        if self.version < 5 {
            return Some(local as usize);
        }
        self.index_map.get(local as usize).map(|&index| index as usize)
    }

    pub(super) fn read(cursor: &mut Cursor) -> Result<Self, Error> {
        let start = cursor.offset();
        let id = cursor.u32_be("the id of a character")?;
        let location = SourceLocation::span(cursor.offset(), 2);
        let version = cursor.u16_be("the version of a character")?;
        if !(1..=ECHOES_VERSION).contains(&version) {
            let expected = format!("the version of a character, 1 to {ECHOES_VERSION}");
            return Err(Error::malformed(location, expected, version));
        }
        let name = read_name(cursor, "the name of a character")?;
        let model = AssetId::read(cursor, "the id of a model")?;
        let skin = AssetId::read(cursor, "the id of a skin")?;
        let skeleton = AssetId::read(cursor, "the id of a skeleton")?;
        let animations = read_animation_names(cursor, version)?;
        skip_pas_database(cursor)?;
        skip_effects(cursor, version)?;
        let (mut overlay_model, mut overlay_skin, mut index_map) = (None, None, Vec::new());
        if version >= 4 {
            overlay_model = AssetId::read(cursor, "the id of an overlay's model")?;
            overlay_skin = AssetId::read(cursor, "the id of an overlay's skin")?;
        }
        if version >= 5 {
            let count = cursor.count_u32_be(4, "mapped animations")?;
            for _ in 0..count {
                index_map.push(cursor.u32_be("a mapped animation")?);
            }
        }
        if version >= 7 {
            cursor.u32_be("the id of spatial primitives")?;
        }
        if version >= 8 {
            cursor.u8("the flag for animated scales")?;
        }
        if version >= 10 {
            skip_list(cursor, 28, "bounds by index")?;
        }
        let location = SourceLocation::span(start, cursor.offset() - start);
        Ok(Self {
            id,
            version,
            name,
            model,
            skin,
            skeleton,
            overlay_model,
            overlay_skin,
            animations,
            index_map,
            location,
        })
    }
}

fn read_animation_names(cursor: &mut Cursor, version: u16) -> Result<Vec<LocalAnimation>, Error> {
    let has_unused_name = version < ECHOES_VERSION;
    let shortest = if has_unused_name { 6 } else { 5 };
    let count = cursor.count_u32_be(shortest, "names of animations")?;
    let mut animations = Vec::new();
    for _ in 0..count {
        let local = cursor.u32_be("the index of an animation")?;
        if has_unused_name {
            read_name(cursor, "the unused name of an animation")?;
        }
        animations
            .push(LocalAnimation { local, name: read_name(cursor, "the name of an animation")? });
    }
    Ok(animations)
}

fn skip_list(cursor: &mut Cursor, bytes_each: usize, what: &str) -> Result<(), Error> {
    let count = cursor.count_u32_be(bytes_each, what)?;
    cursor.read_bytes(count * bytes_each, what).map(drop)
}

/// The PAS database tells the game which animation suits what the character is doing. We do not
/// need it.
fn skip_pas_database(cursor: &mut Cursor) -> Result<(), Error> {
    const BOOL_PARAMETER: u32 = 3;
    let location = SourceLocation::span(cursor.offset(), 4);
    let magic = cursor.read_bytes(4, "a PAS database")?;
    if magic != b"PAS4" {
        return Err(Error::malformed(
            location,
            "the word PAS4",
            format!("{:?}", magic.escape_ascii().to_string()),
        ));
    }
    let states = cursor.count_u32_be(12, "PAS states")?;
    cursor.u32_be("the default PAS state")?;
    for _ in 0..states {
        cursor.u32_be("a PAS state")?;
        let parameters = cursor.count_u32_be(14, "PAS parameters")?;
        let animations = cursor.count_u32_be(4, "PAS animations")?;
        let mut values = 0;
        for _ in 0..parameters {
            let kind = cursor.u32_be("the type of a PAS parameter")?;
            let size = if kind == BOOL_PARAMETER { 1 } else { 4 };
            // A parameter holds a weight function (4 bytes), a weight (4 bytes), and the smallest
            // and the largest value.
            cursor.read_bytes(8 + 2 * size, "a PAS parameter")?;
            values += size;
        }
        let each = 4 + values;
        let needed = animations.saturating_mul(each);
        cursor.read_bytes(needed, "PAS animations")?;
    }
    Ok(())
}

fn skip_effects(cursor: &mut Cursor, version: u16) -> Result<(), Error> {
    // The lists are PART, SWHC and an unnamed one, then ELSC from version 6 on, and SPSC from
    // version 9 on.
    let lists = 3 + usize::from(version >= 6) + usize::from(version >= 9);
    for _ in 0..lists {
        skip_list(cursor, 4, "ids of particles")?;
    }
    if version >= 9 {
        skip_word_and_list(cursor)?;
    } else {
        cursor.u32_be("a word after the particles")?;
    }
    if version >= 2 {
        for _ in 0..cursor.count_u32_be(25, "bounds")? {
            read_name(cursor, "the animation of bounds")?;
            cursor.read_bytes(24, "bounds")?;
        }
    }
    if version >= 3 {
        for _ in 0..cursor.count_u32_be(5, "effects")? {
            read_name(cursor, "the name of an effect")?;
            for _ in 0..cursor.count_u32_be(20, "components of an effect")? {
                skip_component(cursor, version)?;
            }
        }
    }
    Ok(())
}

/// Skips a list (SRSC), which is always empty, and a word that is 0 or 1. Sources disagree about
/// which comes first.
///
/// If the next words are 1 and 0, they are the word and an empty list. Otherwise the 1 would be the
/// length of a list with the single id 0, which is not a valid id. In all other cases, reading the
/// list first is correct or makes no difference.
fn skip_word_and_list(cursor: &mut Cursor) -> Result<(), Error> {
    let what = "what follows the particles";
    let mut ahead = cursor.clone();
    if (ahead.u32_be(what)?, ahead.u32_be(what)?) == (1, 0) {
        *cursor = ahead;
        return Ok(());
    }
    skip_list(cursor, 4, "ids of particles")?;
    cursor.u32_be(what).map(drop)
}

fn skip_component(cursor: &mut Cursor, version: u16) -> Result<(), Error> {
    read_name(cursor, "the name of an effect's component")?;
    cursor.read_bytes(8, "the resource of an effect's component")?;
    if version >= ECHOES_VERSION {
        cursor.u32_be("the bone of an effect's component")?;
    } else {
        read_name(cursor, "the bone of an effect's component")?;
    }
    cursor.read_bytes(12, "an effect's component").map(drop)
}
