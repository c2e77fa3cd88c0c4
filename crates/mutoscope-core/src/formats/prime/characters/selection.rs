//! Issue an animation by its name, and its character.

use super::{Character, Library, LibrarySet};

/// A user's choice of an animation, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The name of the animation; without one, the first of the character.
    pub animation: Option<String>,
    /// The name of the character, or `SET/INDEX`: the id of its set and its own.
    pub character: Option<String>,
}

/// An animation of a library, and the character that it is shown on.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// The set.
    pub set: &'a LibrarySet,
    /// The character; nothing where the set has none.
    pub character: Option<&'a Character>,
    /// The name of the animation, as its character has it.
    pub name: &'a str,
    /// Its index in the set; nothing if the name leads nowhere.
    pub index: Option<usize>,
}

/// Why there is no such animation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No character has this name.
    #[error("no character {0:?}; `info` lists them")]
    NoCharacter(String),
    /// No animation has this name.
    #[error("no animation {0:?}{of}; `info` lists them", of = .1.as_ref().map(|name| format!(" of {name:?}")).unwrap_or_default())]
    NoAnimation(String, Option<String>),
    /// There are none at all.
    #[error("it holds no animation")]
    Empty,
}

impl Library {
    /// The character of this name, or that `SET/INDEX` names; of several, the first.
    pub fn character(&self, name: &str) -> Option<(&LibrarySet, &Character)> {
        let is_named = |(_, character): &(&LibrarySet, &Character)| character.name == name;
        let by_index = || {
            let (set, index) = name.rsplit_once('/')?;
            let index: u32 = index.parse().ok()?;
            let is_it = |(found, character): &(&LibrarySet, &Character)| {
                let id = found.id.map(|id| id.to_string());
                id.is_some_and(|id| id.eq_ignore_ascii_case(set)) && character.id == index
            };
            self.characters().find(is_it)
        };
        self.characters().find(is_named).or_else(by_index)
    }

    /// The animations that a selection may mean, the best first: only the first, if it names one.
    ///
    /// # Errors
    /// If there is no such character or animation.
    pub fn select(&self, selection: &Selection) -> Result<Vec<Chosen<'_>>, SelectionError> {
        let character = selection.character.as_ref().map(|name| {
            self.character(name).ok_or_else(|| SelectionError::NoCharacter(name.clone()))
        });
        let character = character.transpose()?;
        let Some(name) = &selection.animation else {
            let (set, character) = match character {
                Some(found) => found,
                None => return self.first_of_all(),
            };
            let all = all_of(set, character);
            return if all.is_empty() { Err(SelectionError::Empty) } else { Ok(all) };
        };
        let found = match character {
            Some((set, character)) => {
                listed(set, character, name).or_else(|| in_set(set, Some(character), name))
            }
            None => self.by_name(name),
        };
        let of = selection.character.clone();
        found.map(|one| vec![one]).ok_or_else(|| SelectionError::NoAnimation(name.clone(), of))
    }

    /// The animations of the first character that has some, or else of the first set that does.
    fn first_of_all(&self) -> Result<Vec<Chosen<'_>>, SelectionError> {
        let of_characters = self.characters().map(|(set, character)| all_of(set, character));
        let mut of_characters = of_characters.filter(|all| !all.is_empty());
        if let Some(all) = of_characters.next() {
            return Ok(all);
        }
        let set = self.sets.iter().find(|set| !set.ancs.animations.is_empty());
        let set = set.ok_or(SelectionError::Empty)?;
        let character = set.ancs.characters.first();
        let each = set.ancs.animations.iter().enumerate();
        Ok(each
            .map(|(index, animation)| Chosen {
                set,
                character,
                name: &animation.name,
                index: Some(index),
            })
            .collect())
    }

    /// Of the first character that lists it; else of the first set that has it, on its first
    /// character.
    fn by_name(&self, name: &str) -> Option<Chosen<'_>> {
        let mut listed = self.characters().filter_map(|(set, one)| listed(set, one, name));
        let unlisted =
            || self.sets.iter().find_map(|set| in_set(set, set.ancs.characters.first(), name));
        listed.next().or_else(unlisted)
    }
}

fn all_of<'a>(set: &'a LibrarySet, character: &'a Character) -> Vec<Chosen<'a>> {
    let chosen = |(k, local): (usize, &'a super::LocalAnimation)| Chosen {
        set,
        character: Some(character),
        name: &local.name,
        index: set.ancs.index_in_set(character, k),
    };
    character.animations.iter().enumerate().map(chosen).collect()
}

fn listed<'a>(set: &'a LibrarySet, character: &'a Character, name: &str) -> Option<Chosen<'a>> {
    let k = character.animations.iter().position(|local| local.name == name)?;
    let index = set.ancs.index_in_set(character, k);
    Some(Chosen { set, character: Some(character), name: &character.animations[k].name, index })
}

fn in_set<'a>(
    set: &'a LibrarySet,
    character: Option<&'a Character>,
    name: &str,
) -> Option<Chosen<'a>> {
    let index = set.ancs.index_of(name)?;
    Some(Chosen { set, character, name: &set.ancs.animations[index].name, index: Some(index) })
}
