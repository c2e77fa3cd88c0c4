//! Reads the model of a character.

use std::cell::RefCell;

use super::{Character, fetch::fetch_decoded};
use crate::{
    diagnostics::{Diagnostics, SourceLocation},
    formats::prime::{
        archive::{ResourceType, Resources},
        codes,
        model::{CharacterModel, Cmdl, Cskr, Texture, assemble},
    },
    skeleton_file::LoadedSkeleton,
};

/// Reads a character's model, skin and base colour textures, and attaches them to its skeleton.
/// Problems are added to `diagnostics`. Returns `None` if there is no model to show.
pub fn open_model(
    character: &Character,
    resources: &dyn Resources,
    skeleton: &LoadedSkeleton,
    diagnostics: &mut Diagnostics,
) -> Option<CharacterModel> {
    let Some(id) = character.model else {
        let message = format!("{:?} has no model", character.name);
        diagnostics
            .info(codes::CHARACTER_INCOMPLETE, SourceLocation::File, message)
            .with("character", character.name.as_str());
        return None;
    };
    let referrer = format!("{:?}", character.name);
    let cmdl =
        fetch_decoded(resources, ResourceType::CMDL, id, &referrer, diagnostics, Cmdl::decode)?;
    let skin = match character.skin {
        Some(id) => {
            fetch_decoded(resources, ResourceType::CSKR, id, &referrer, diagnostics, Cskr::decode)
        }
        None => None,
    };
    if skin.is_none() {
        let message = format!("{:?} has no skin; its model moves with the root", character.name);
        diagnostics
            .warning(codes::CHARACTER_INCOMPLETE, SourceLocation::File, message)
            .with("character", character.name.as_str());
    }
    let texture_diagnostics = RefCell::new(Diagnostics::new());
    let referrer = format!("CMDL {id}");
    let texture = |id| {
        let mut diagnostics = texture_diagnostics.borrow_mut();
        fetch_decoded(
            resources,
            ResourceType::TXTR,
            id,
            &referrer,
            &mut diagnostics,
            Texture::decode,
        )
    };
    let assembled = assemble(&cmdl, skin.as_ref(), skeleton, texture, diagnostics);
    diagnostics.extend(texture_diagnostics.into_inner());
    Some(assembled)
}
