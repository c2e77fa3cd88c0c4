//! ANCS: characters, and the set of animations that they share.

use std::collections::HashMap;

use super::{Character, EventList, MetaAnimation, read_name};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{Game, archive::AssetId, codes},
    io::bytes::Cursor,
};

/// Deeper trees are reported, because the games have none.
const MAX_USUAL_DEPTH: usize = 64;

/// The characters and animations of an ANCS, as far as the file could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Ancs {
    /// The game of the set. The layout does not state the game, so the decoder infers it from the
    /// versions of the characters.
    pub game: Game,
    /// The characters, in file order.
    pub characters: Vec<Character>,
    /// The animations of the set, in file order.
    pub animations: Vec<Animation>,
    /// The indices of animations that the game adds to other animations. If we play an additive
    /// animation alone, it looks wrong.
    pub additive: Vec<u32>,
    /// The events of the animations.
    pub events: SetEvents,
    /// The error that stopped reading early, if any.
    pub incomplete: Option<Error>,
    by_name: HashMap<String, usize>,
}

/// An animation of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// The name of the animation.
    pub name: String,
    /// The clip that the animation plays, or a tree of clips.
    pub tree: MetaAnimation,
    /// The location in the ANCS.
    pub location: SourceLocation,
}

/// The layout in which a set stores its events.
#[derive(Clone, Debug, PartialEq)]
pub enum SetEvents {
    /// Pairs of an ANIM and its EVNT. If the ANIM itself names an EVNT, that EVNT is used instead.
    Files(Vec<(Option<AssetId>, Option<AssetId>)>),
    /// The events of each animation of the set, stored in the set itself.
    Inline(Vec<EventList>),
}

impl Ancs {
    /// Reads an ANCS as far as it can be read. The file stores no sizes, so everything after an
    /// error is lost. Problems are added to `diagnostics`.
    pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Self {
        let mut ancs = Self {
            game: Game::Prime,
            characters: Vec::new(),
            animations: Vec::new(),
            additive: Vec::new(),
            events: SetEvents::Files(Vec::new()),
            incomplete: None,
            by_name: HashMap::new(),
        };
        ancs.incomplete = ancs.read(&mut Cursor::new(bytes), diagnostics).err();
        for (index, animation) in ancs.animations.iter().enumerate() {
            ancs.by_name.entry(animation.name.clone()).or_insert(index);
            let depth = animation.tree.depth;
            if depth > MAX_USUAL_DEPTH {
                let message = format!(
                    "{:?}: a tree of {depth} levels; loaded, but the games have no trees this deep",
                    animation.name
                );
                diagnostics
                    .warning(codes::DEEP_TREE, animation.location.clone(), message)
                    .with("animation", animation.name.as_str())
                    .with("levels", depth);
            }
        }
        ancs
    }

    fn read(&mut self, cursor: &mut Cursor, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        expect_version_one(cursor, "the version of an ANCS")?;
        expect_version_one(cursor, "the version of a character set")?;
        /// The size of an id, a version, an empty name and three ids.
        const MIN_CHARACTER_BYTES: usize = 19;
        for _ in 0..cursor.count_u32_be(MIN_CHARACTER_BYTES, "characters")? {
            let character = Character::read(cursor)?;
            if character.game() == Game::Echoes {
                self.game = Game::Echoes;
            }
            self.characters.push(character);
        }
        if self.game == Game::Echoes {
            self.events = SetEvents::Inline(Vec::new());
        }
        let location = SourceLocation::span(cursor.offset(), 2);
        let version = cursor.u16_be("the version of an animation set")?;
        if !(1..=4).contains(&version) {
            let message = format!("the version of the animation set is {version}, not 1 to 4");
            diagnostics.warning(codes::UNUSUAL_VALUE, location, message).with("found", version);
        }
        self.read_animations(cursor)?;
        skip_transitions(cursor)?;
        if version >= 2 {
            for _ in 0..cursor.count_u32_be(12, "additive animations")? {
                self.additive.push(cursor.u32_be("an additive animation")?);
                cursor.read_bytes(8, "the fades of an additive animation")?;
            }
            cursor.read_bytes(8, "the default fades")?;
        }
        if version >= 3 {
            for _ in 0..cursor.count_u32_be(8, "half transitions")? {
                cursor.u32_be("the animation of a half transition")?;
                skip_transition(cursor)?;
            }
        }
        if version >= 4 { self.read_events(cursor) } else { Ok(()) }
    }

    fn read_animations(&mut self, cursor: &mut Cursor) -> Result<(), Error> {
        /// The size of an empty name and the smallest tree.
        const MIN_ANIMATION_BYTES: usize = 9;
        for _ in 0..cursor.count_u32_be(MIN_ANIMATION_BYTES, "animations")? {
            let start = cursor.offset();
            let name = read_name(cursor, "the name of an animation")?;
            let tree = MetaAnimation::read(cursor)?;
            let location = SourceLocation::span(start, cursor.offset() - start);
            self.animations.push(Animation { name, tree, location });
        }
        Ok(())
    }

    fn read_events(&mut self, cursor: &mut Cursor) -> Result<(), Error> {
        match &mut self.events {
            SetEvents::Files(files) => {
                for _ in 0..cursor.count_u32_be(8, "animations with events")? {
                    let animation = AssetId::read(cursor, "the id of an animation")?;
                    files.push((animation, AssetId::read(cursor, "the id of events")?));
                }
            }
            SetEvents::Inline(sets) => {
                /// The size of a version and three empty lists.
                const MIN_EVENT_LIST_BYTES: usize = 16;
                for _ in 0..cursor.count_u32_be(MIN_EVENT_LIST_BYTES, "sets of events")? {
                    let mut list = EventList::read(cursor, Game::Echoes);
                    let incomplete = list.incomplete.take();
                    sets.push(list);
                    incomplete.map_or(Ok(()), Err)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the first character with this id.
    pub fn character(&self, id: u32) -> Option<&Character> {
        self.characters.iter().find(|character| character.id == id)
    }

    /// Returns the index of the first animation with this name.
    pub fn animation_index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Returns the index in the set of the `k`th animation of `character`. The animation is looked
    /// up by its name in the set, or else by its local index in the character's map. Returns `None`
    /// if neither finds an animation.
    pub fn index_in_set(&self, character: &Character, k: usize) -> Option<usize> {
        let local = character.animations.get(k)?;
        self.animation_index(&local.name).or_else(|| self.mapped_index(character, local.local))
    }

    /// Returns the index in the set to which the character's map leads from the index `local`.
    /// `None` if the set has no such animation.
    pub fn mapped_index(&self, character: &Character, local: u32) -> Option<usize> {
        character.mapped_index(local).filter(|&index| index < self.animations.len())
    }
}

fn expect_version_one(cursor: &mut Cursor, what: &str) -> Result<(), Error> {
    let location = SourceLocation::span(cursor.offset(), 2);
    match cursor.u16_be(what)? {
        1 => Ok(()),
        version => Err(Error::malformed(location, format!("1 for {what}"), version)),
    }
}

/// Transitions describe how the game gets from one animation to another. We do not play them.
fn skip_transitions(cursor: &mut Cursor) -> Result<(), Error> {
    for _ in 0..cursor.count_u32_be(16, "transitions")? {
        cursor.read_bytes(12, "the animations of a transition")?;
        skip_transition(cursor)?;
    }
    skip_transition(cursor)
}

fn skip_transition(cursor: &mut Cursor) -> Result<(), Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the kind of a transition")? {
        0 => MetaAnimation::read(cursor).map(drop),
        // Transitions of these kinds hold a duration, two booleans and flags.
        1 | 2 => cursor.read_bytes(14, "a transition").map(drop),
        3 => Ok(()),
        kind => Err(Error::malformed(location, "the kind of a transition, 0 to 3", kind)),
    }
}
