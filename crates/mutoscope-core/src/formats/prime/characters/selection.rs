//! Finds an animation and its character by name.

use super::{Character, Library, LibrarySet};

/// A user's choice of an animation and a character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The name of the animation. `None` chooses the first of the character.
    pub animation: Option<String>,
    /// The name of the character, or `SET/INDEX`: the id of the set and the id of the character
    /// within the set.
    pub character: Option<String>,
}

/// An animation of a library, and the character that shows it.
#[derive(Clone, Copy, Debug)]
pub struct ChosenAnimation<'a> {
    /// The set that contains the animation.
    pub set: &'a LibrarySet,
    /// The character. `None` if the set has no characters.
    pub character: Option<&'a Character>,
    /// The name by which the character lists the animation.
    pub name: &'a str,
    /// The index in the set. `None` if the set has no animation for the name.
    pub index: Option<usize>,
}

/// The reason why no animation was selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No character has this name.
    #[error("no character {0:?}; `info` lists them")]
    NoCharacter(String),
    /// No animation has this name.
    #[error("no animation {0:?}{of}; `info` lists them", of = .1.as_ref().map(|name| format!(" of {name:?}")).unwrap_or_default())]
    NoAnimation(String, Option<String>),
    /// The file has no animations.
    #[error("the file contains no animations")]
    Empty,
}

impl Library {
    /// Returns the first character with this name, or else the character that `SET/INDEX`
    /// identifies.
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

    /// Returns the animations that match the selection, in order of preference. If the selection
    /// names an animation, only that animation is returned.
    ///
    /// # Errors
    /// If there is no such character or animation.
    pub fn select(
        &self,
        selection: &Selection,
    ) -> Result<Vec<ChosenAnimation<'_>>, SelectionError> {
        let character = selection.character.as_ref().map(|name| {
            self.character(name).ok_or_else(|| SelectionError::NoCharacter(name.clone()))
        });
        let character = character.transpose()?;
        let Some(name) = &selection.animation else {
            let (set, character) = match character {
                Some(found) => found,
                None => return self.first_animations(),
            };
            let all = character_animations(set, character);
            return if all.is_empty() { Err(SelectionError::Empty) } else { Ok(all) };
        };
        let found = match character {
            Some((set, character)) => find_listed(set, character, name)
                .or_else(|| find_in_set(set, Some(character), name)),
            None => self.find_by_name(name),
        };
        let of = selection.character.clone();
        found.map(|one| vec![one]).ok_or_else(|| SelectionError::NoAnimation(name.clone(), of))
    }

    fn first_animations(&self) -> Result<Vec<ChosenAnimation<'_>>, SelectionError> {
        let of_characters =
            self.characters().map(|(set, character)| character_animations(set, character));
        let mut of_characters = of_characters.filter(|all| !all.is_empty());
        if let Some(all) = of_characters.next() {
            return Ok(all);
        }
        let set = self.sets.iter().find(|set| !set.ancs.animations.is_empty());
        let set = set.ok_or(SelectionError::Empty)?;
        let character = set.ancs.characters.first();
        let each = set.ancs.animations.iter().enumerate();
        Ok(each
            .map(|(index, animation)| ChosenAnimation {
                set,
                character,
                name: &animation.name,
                index: Some(index),
            })
            .collect())
    }

    fn find_by_name(&self, name: &str) -> Option<ChosenAnimation<'_>> {
        let mut listed = self.characters().filter_map(|(set, one)| find_listed(set, one, name));
        let unlisted =
            || self.sets.iter().find_map(|set| find_in_set(set, set.ancs.characters.first(), name));
        listed.next().or_else(unlisted)
    }
}

fn character_animations<'a>(
    set: &'a LibrarySet,
    character: &'a Character,
) -> Vec<ChosenAnimation<'a>> {
    let chosen = |(k, local): (usize, &'a super::LocalAnimation)| ChosenAnimation {
        set,
        character: Some(character),
        name: &local.name,
        index: set.ancs.index_in_set(character, k),
    };
    character.animations.iter().enumerate().map(chosen).collect()
}

fn find_listed<'a>(
    set: &'a LibrarySet,
    character: &'a Character,
    name: &str,
) -> Option<ChosenAnimation<'a>> {
    let k = character.animations.iter().position(|local| local.name == name)?;
    let index = set.ancs.index_in_set(character, k);
    Some(ChosenAnimation {
        set,
        character: Some(character),
        name: &character.animations[k].name,
        index,
    })
}

fn find_in_set<'a>(
    set: &'a LibrarySet,
    character: Option<&'a Character>,
    name: &str,
) -> Option<ChosenAnimation<'a>> {
    let index = set.ancs.animation_index(name)?;
    Some(ChosenAnimation {
        set,
        character,
        name: &set.ancs.animations[index].name,
        index: Some(index),
    })
}
