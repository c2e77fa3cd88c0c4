//! ANCS: characters, and the set of animations that they share.

use std::collections::HashMap;

use super::{Character, EventList, MetaAnimation, name};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::{Game, archive::AssetId},
    io::bytes::Cursor,
};

/// How many levels a tree of animations has that is not worth a word.
const USUAL_DEPTH: usize = 64;

/// Characters and their animations, as far as the file goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Ancs {
    /// The game whose layout it has, told by its characters.
    pub game: Game,
    /// Its characters, in the order of the file.
    pub characters: Vec<Character>,
    /// The animations of the set, in the order of the file.
    pub animations: Vec<Animation>,
    /// The indices in the set of animations that are added to others: alone they look crippled.
    pub additive: Vec<u32>,
    /// The events of its animations.
    pub events: SetEvents,
    /// Why reading stopped early, if it did.
    pub incomplete: Option<Error>,
    by_name: HashMap<String, usize>,
}

/// An animation of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// The clip that it plays, or a tree of clips.
    pub tree: MetaAnimation,
    /// Where it is.
    pub place: SourceLocation,
}

/// Where the events of a set's animations are.
#[derive(Clone, Debug, PartialEq)]
pub enum SetEvents {
    /// In files: for an ANIM its EVNT. What the ANIM itself names comes first.
    Files(Vec<(Option<AssetId>, Option<AssetId>)>),
    /// In the set, for each of its animations.
    Inline(Vec<EventList>),
}

impl Ancs {
    /// Reads an ANCS as far as it goes: there are no sizes in it, so that what follows a mistake is
    /// lost. `notices` hear of what is odd.
    pub fn decode(bytes: &[u8], notices: &mut Notices) -> Self {
        let mut ancs = Self {
            game: Game::Prime,
            characters: Vec::new(),
            animations: Vec::new(),
            additive: Vec::new(),
            events: SetEvents::Files(Vec::new()),
            incomplete: None,
            by_name: HashMap::new(),
        };
        ancs.incomplete = ancs.read(&mut Cursor::new(bytes), notices).err();
        for (index, animation) in ancs.animations.iter().enumerate() {
            ancs.by_name.entry(animation.name.clone()).or_insert(index);
            let depth = animation.tree.depth;
            if depth > USUAL_DEPTH {
                let message = format!(
                    "{:?}: a tree of {depth} levels; loaded, but no game makes such trees",
                    animation.name
                );
                notices.warning(animation.place.clone(), message);
            }
        }
        ancs
    }

    fn read(&mut self, cursor: &mut Cursor, notices: &mut Notices) -> Result<(), Error> {
        version_one(cursor, "the version of an ANCS")?;
        version_one(cursor, "the version of a character set")?;
        /// An id, a version, an empty name, three ids.
        const SHORTEST: usize = 19;
        for _ in 0..cursor.count_u32_be(SHORTEST, "characters")? {
            let character = Character::read(cursor)?;
            if character.game() == Game::Echoes {
                self.game = Game::Echoes;
            }
            self.characters.push(character);
        }
        if self.game == Game::Echoes {
            self.events = SetEvents::Inline(Vec::new());
        }
        let place = SourceLocation::span(cursor.offset(), 2);
        let version = cursor.u16_be("the version of an animation set")?;
        if !(1..=4).contains(&version) {
            let message = format!("the version of the animation set is {version}, not 1 to 4");
            notices.warning(place, message);
        }
        self.read_animations(cursor)?;
        skip_transitions(cursor)?;
        if version >= 2 {
            for _ in 0..cursor.count_u32_be(12, "additive animations")? {
                self.additive.push(cursor.u32_be("an additive animation")?);
                cursor.take(8, "the fades of an additive animation")?;
            }
            cursor.take(8, "the default fades")?;
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
        /// An empty name, and the shortest tree.
        const SHORTEST: usize = 9;
        for _ in 0..cursor.count_u32_be(SHORTEST, "animations")? {
            let start = cursor.offset();
            let name = name(cursor, "the name of an animation")?;
            let tree = MetaAnimation::read(cursor)?;
            let place = SourceLocation::span(start, cursor.offset() - start);
            self.animations.push(Animation { name, tree, place });
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
                /// A version and three empty lists.
                const SHORTEST: usize = 16;
                for _ in 0..cursor.count_u32_be(SHORTEST, "sets of events")? {
                    let mut list = EventList::read(cursor, Game::Echoes);
                    let incomplete = list.incomplete.take();
                    sets.push(list);
                    incomplete.map_or(Ok(()), Err)?;
                }
            }
        }
        Ok(())
    }

    /// The first character whose own id this is.
    pub fn character(&self, id: u32) -> Option<&Character> {
        self.characters.iter().find(|character| character.id == id)
    }

    /// The index of the first animation of this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The index in the set of the animation that `character` knows by its `k`th name: by that name,
    /// or else by the character's map; nothing if neither leads to one.
    pub fn index_in_set(&self, character: &Character, k: usize) -> Option<usize> {
        let local = character.animations.get(k)?;
        self.index_of(&local.name).or_else(|| self.mapped(character, local.local))
    }

    /// The index in the set by a character's map, if there is such an animation.
    pub fn mapped(&self, character: &Character, local: u32) -> Option<usize> {
        character.mapped(local).filter(|&index| index < self.animations.len())
    }
}

fn version_one(cursor: &mut Cursor, what: &str) -> Result<(), Error> {
    let place = SourceLocation::span(cursor.offset(), 2);
    match cursor.u16_be(what)? {
        1 => Ok(()),
        version => Err(Error::malformed(place, format!("{what}, 1"), version)),
    }
}

/// How the game gets from one animation to another.
fn skip_transitions(cursor: &mut Cursor) -> Result<(), Error> {
    for _ in 0..cursor.count_u32_be(16, "transitions")? {
        cursor.take(12, "the animations of a transition")?;
        skip_transition(cursor)?;
    }
    skip_transition(cursor)
}

fn skip_transition(cursor: &mut Cursor) -> Result<(), Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    match cursor.u32_be("the kind of a transition")? {
        0 => MetaAnimation::read(cursor).map(drop),
        // A duration, two switches, flags.
        1 | 2 => cursor.take(14, "a transition").map(drop),
        3 => Ok(()),
        kind => Err(Error::malformed(place, "the kind of a transition, 0 to 3", kind)),
    }
}
