//! The settings of a scene that override the recorded player.

use super::{
    file::{Element, PlayerAsEntity, Skin},
    sidecar::SLIM_PREFIX,
};
use crate::PlayerProfile;

#[derive(Clone, Debug, Default)]
pub(super) struct PlayerOverrides {
    name: Option<String>,
    pub(super) skin: Skin,
    pub(super) entity: Option<PlayerAsEntity>,
    pub(super) filter: Option<String>,
}

impl PlayerOverrides {
    pub(super) fn for_element(&self, element: &Element) -> Self {
        let skin = if element.skin == Skin::Recorded { &self.skin } else { &element.skin };
        Self {
            name: element.player_name.clone().or_else(|| self.name.clone()),
            skin: skin.clone(),
            entity: element.player_as_entity.clone().or_else(|| self.entity.clone()),
            filter: element.entity_filter.clone().or_else(|| self.filter.clone()),
        }
    }

    pub(super) fn apply_to_profile(&self, recorded: &PlayerProfile, skin: &Skin) -> PlayerProfile {
        let mut profile = recorded.clone();
        if let Some(name) = &self.name {
            profile.name = Some(name.clone());
            profile.uuid = None;
        }
        match skin {
            Skin::Recorded => {}
            Skin::Player(name) => {
                profile.skin_url = None;
                profile.skin_owner = Some(name.clone());
            }
            Skin::File(path) => {
                profile.skin_url = Some(path.clone());
                // In the mod, the folder of a skin file decides whether the arms are slim.
                profile.slim = path.starts_with(SLIM_PREFIX);
            }
            Skin::Mineskin(path) => profile.skin_url = Some(path.clone()),
        }
        profile
    }
}
