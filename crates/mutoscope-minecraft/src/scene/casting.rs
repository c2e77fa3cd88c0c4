//! Players of a scene.

use super::{
    file::{Element, PlayerAsEntity, Skin},
    sidecar::SLIM,
};
use crate::Person;

/// The players of a scene's elements, unless those have their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Casting {
    name: Option<String>,
    pub(super) skin: Skin,
    pub(super) entity: Option<PlayerAsEntity>,
    /// The filter of played entities.
    pub(super) filter: Option<String>,
}

impl Casting {
    /// The same for an element of it, as far as that says nothing itself.
    pub(super) fn of(&self, element: &Element) -> Self {
        let skin = if element.skin == Skin::Recorded { &self.skin } else { &element.skin };
        Self {
            name: element.player_name.clone().or_else(|| self.name.clone()),
            skin: skin.clone(),
            entity: element.player_as_entity.clone().or_else(|| self.entity.clone()),
            filter: element.entity_filter.clone().or_else(|| self.filter.clone()),
        }
    }

    /// The profile of a take, with this skin.
    pub(super) fn person(&self, recorded: &Person, skin: &Skin) -> Person {
        let mut person = recorded.clone();
        if let Some(name) = &self.name {
            person.name = Some(name.clone());
            person.uuid = None;
        }
        match skin {
            Skin::Recorded => {}
            Skin::Player(name) => {
                person.skin_url = None;
                person.skin_owner = Some(name.clone());
            }
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
