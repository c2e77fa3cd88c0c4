//! The model that a character wears.

use std::cell::RefCell;

use super::{Character, fetch::fetch};
use crate::{
    diagnostics::{Notices, SourceLocation},
    formats::prime::{
        archive::{ResourceType, Resources},
        model::{CharacterModel, Cmdl, Cskr, Texture, assemble},
    },
    rig::Rig,
};

/// Reads a character's model, skin and base textures, and puts them on its skeleton. `notices` hear
/// of what is missing or wrong; nothing if there is no model to show.
pub fn open_model(
    character: &Character,
    resources: &dyn Resources,
    rig: &Rig,
    notices: &mut Notices,
) -> Option<CharacterModel> {
    let Some(id) = character.model else {
        notices.info(SourceLocation::File, format!("{:?} names no model", character.name));
        return None;
    };
    let by = format!("{:?}", character.name);
    let cmdl = fetch(resources, (ResourceType::CMDL, id), &by, notices, Cmdl::decode)?;
    let skin = match character.skin {
        Some(id) => fetch(resources, (ResourceType::CSKR, id), &by, notices, Cskr::decode),
        None => None,
    };
    if skin.is_none() {
        let message = format!("{:?} has no skin; its model moves with the root", character.name);
        notices.warning(SourceLocation::File, message);
    }
    let of_textures = RefCell::new(Notices::new());
    let by = format!("CMDL {id}");
    let texture = |id| {
        let mut notices = of_textures.borrow_mut();
        fetch(resources, (ResourceType::TXTR, id), &by, &mut notices, Texture::decode)
    };
    let assembled = assemble(&cmdl, skin.as_ref(), rig, texture, notices);
    notices.extend(of_textures.into_inner());
    Some(assembled)
}
