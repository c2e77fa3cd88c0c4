//! Who plays.

use super::{
    file::{Element, Skin},
    sidecar::SLIM,
};
use crate::formats::mcmocap::Person;

/// Who plays what is in a scene, unless that says otherwise itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Casting {
    name: Option<String>,
    pub(super) skin: Skin,
    pub(super) kind: Option<String>,
    /// Which entities play along.
    pub(super) filter: Option<String>,
}

impl Casting {
    /// The same for an element of it, as far as that says nothing itself.
    pub(super) fn of(&self, element: &Element) -> Self {
        let skin = if element.skin == Skin::Recorded { &self.skin } else { &element.skin };
        Self {
            name: element.player_name.clone().or_else(|| self.name.clone()),
            skin: skin.clone(),
            kind: element.kind.clone().or_else(|| self.kind.clone()),
            filter: element.entity_filter.clone().or_else(|| self.filter.clone()),
        }
    }

    /// Who plays what was recorded of somebody.
    pub(super) fn person(&self, recorded: &Person) -> Person {
        let mut person = recorded.clone();
        if let Some(name) = &self.name {
            person.name = Some(name.clone());
            person.uuid = None;
        }
        match &self.skin {
            Skin::Recorded => {}
            Skin::Player => person.skin_url = None,
            Skin::File(path) => {
                person.skin_url = Some(path.clone());
                // As the mod has it, the folder tells.
                person.slim = path.starts_with(SLIM);
            }
            Skin::Mineskin(path) => person.skin_url = Some(path.clone()),
        }
        person
    }
}
