//! A character of an ANCS.

use super::name;
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{Game, archive::AssetId},
    io::bytes::Cursor,
};

/// The first version of a character that is of Echoes.
const ECHOES: u16 = 10;

/// A character: what it looks like, and the animations that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// Its own id, from 0 on: events name it.
    pub id: u32,
    /// The version of its layout: 5 or 6 in Metroid Prime, 10 in Echoes.
    pub version: u16,
    /// Its name.
    pub name: String,
    /// Its CMDL.
    pub model: Option<AssetId>,
    /// Its CSKR.
    pub skin: Option<AssetId>,
    /// Its CINF.
    pub rig: Option<AssetId>,
    /// The CMDL of the ice around it when it is frozen.
    pub overlay_model: Option<AssetId>,
    /// The CSKR of that.
    pub overlay_skin: Option<AssetId>,
    /// Its animations, in the order of the file.
    pub animations: Vec<LocalAnimation>,
    /// For each local index the index in the set; empty where both are the same.
    pub index_map: Vec<u32>,
    /// Where it begins.
    pub place: SourceLocation,
}

/// A name that a character has for an animation of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalAnimation {
    /// The index by which the game knows it.
    pub local: u32,
    /// Its name.
    pub name: String,
}

impl Character {
    /// The game whose layout it has.
    pub fn game(&self) -> Game {
        if self.version >= ECHOES { Game::Echoes } else { Game::Prime }
    }

    /// The index in the set that its map has for a local index.
    pub fn mapped(&self, local: u32) -> Option<usize> {
        // Before version 5 there was no map, and both were the same.
        if self.version < 5 {
            return Some(local as usize);
        }
        self.index_map.get(local as usize).map(|&index| index as usize)
    }

    /// Reads a character with its id.
    pub(super) fn read(cursor: &mut Cursor) -> Result<Self, Error> {
        let start = cursor.offset();
        let id = cursor.u32_be("the id of a character")?;
        let place = SourceLocation::span(cursor.offset(), 2);
        let version = cursor.u16_be("the version of a character")?;
        if !(1..=ECHOES).contains(&version) {
            let expected = format!("the version of a character, 1 to {ECHOES}");
            return Err(Error::malformed(place, expected, version));
        }
        let name = name(cursor, "the name of a character")?;
        let model = AssetId::read(cursor, "the id of a model")?;
        let skin = AssetId::read(cursor, "the id of a skin")?;
        let rig = AssetId::read(cursor, "the id of a skeleton")?;
        let animations = animations(cursor, version)?;
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
            cursor.u8("whether scales are animated")?;
        }
        if version >= 10 {
            skip_list(cursor, 28, "bounds by index")?;
        }
        let place = SourceLocation::span(start, cursor.offset() - start);
        Ok(Self {
            id,
            version,
            name,
            model,
            skin,
            rig,
            overlay_model,
            overlay_skin,
            animations,
            index_map,
            place,
        })
    }
}

fn animations(cursor: &mut Cursor, version: u16) -> Result<Vec<LocalAnimation>, Error> {
    let has_unused_name = version < ECHOES;
    let shortest = if has_unused_name { 6 } else { 5 };
    let count = cursor.count_u32_be(shortest, "names of animations")?;
    let mut animations = Vec::new();
    for _ in 0..count {
        let local = cursor.u32_be("the index of an animation")?;
        if has_unused_name {
            name(cursor, "the unused name of an animation")?;
        }
        animations.push(LocalAnimation { local, name: name(cursor, "the name of an animation")? });
    }
    Ok(animations)
}

/// Passes over a list whose items all have `bytes_each` bytes.
fn skip_list(cursor: &mut Cursor, bytes_each: usize, what: &str) -> Result<(), Error> {
    let count = cursor.count_u32_be(bytes_each, what)?;
    cursor.take(count * bytes_each, what).map(drop)
}

/// How the game picks animations by what a character is doing.
fn skip_pas_database(cursor: &mut Cursor) -> Result<(), Error> {
    const BOOL: u32 = 3;
    let place = SourceLocation::span(cursor.offset(), 4);
    let magic = cursor.take(4, "a PAS database")?;
    if magic != b"PAS4" {
        return Err(Error::malformed(
            place,
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
            let size = if kind == BOOL { 1 } else { 4 };
            // A weight function, a weight, the least and the largest value.
            cursor.take(8 + 2 * size, "a PAS parameter")?;
            values += size;
        }
        let each = 4 + values;
        let needed = animations.saturating_mul(each);
        cursor.take(needed, "PAS animations")?;
    }
    Ok(())
}

/// Particles, bounds and effects.
fn skip_effects(cursor: &mut Cursor, version: u16) -> Result<(), Error> {
    // PART, SWHC and one without a name; ELSC; SPSC.
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
            name(cursor, "the animation of bounds")?;
            cursor.take(24, "bounds")?;
        }
    }
    if version >= 3 {
        for _ in 0..cursor.count_u32_be(5, "effects")? {
            name(cursor, "the name of an effect")?;
            for _ in 0..cursor.count_u32_be(20, "components of an effect")? {
                skip_component(cursor, version)?;
            }
        }
    }
    Ok(())
}

/// A list (SRSC) that is always empty, and a word, 0 or 1. In which order they are, sources do not
/// agree: 1 and then 0 is the word and the empty list, as a list it would be of one id that means
/// none; all else is the same either way, or has the list first.
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
    name(cursor, "the name of an effect's component")?;
    cursor.take(8, "the resource of an effect's component")?;
    if version >= ECHOES {
        cursor.u32_be("the bone of an effect's component")?;
    } else {
        name(cursor, "the bone of an effect's component")?;
    }
    cursor.take(12, "an effect's component").map(drop)
}
