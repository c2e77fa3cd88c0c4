//! Builds the models of players and entities that exports attach to the clip's nodes.
//!
//! | file | what it does |
//! |---|---|
//! | `character` | the player as a built-in character for retargeting |
//! | `player` | a player's body in a skin, and the transforms of the hands |
//! | `figures` | the joints of entities and the items in hands, and their motion |
//! | `meshes` | the meshes of shapes, without duplicates |
//! | `skin` | skin images and their assignment to players |
//! | `default_skin` | the default skin |

mod character;
mod default_skin;
mod figures;
mod meshes;
mod player;
mod skin;
#[cfg(test)]
mod tests;

pub(super) use character::CHARACTERS;
pub use skin::{PlayerSkins, SkinError, SkinImage};

use super::Scene;
use figures::FigureOwner;
use meshes::MeshSet;
use mutoscope_core::clip::{ExportModel, Model};

pub(super) fn build_export_model(scene: &Scene) -> ExportModel {
    let mut model = Model::default();
    let mut skins = player::WornSkins::default();
    let (mut meshes, mut figures) = (MeshSet::default(), Vec::new());
    for take in &scene.takes {
        match &take.entity_kind {
            Some(_) => {
                if let Some(player) = FigureOwner::for_player(take) {
                    player.add_figure(&mut meshes, &mut figures);
                }
            }
            None => {
                let hands = player::add_player(take, &mut skins, &mut model);
                figures::add_hands(take, hands, &mut meshes, &mut figures);
            }
        }
        let entities = (0..take.recording.entities.len())
            .filter_map(|index| FigureOwner::for_entity(take, index));
        entities.for_each(|entity| entity.add_figure(&mut meshes, &mut figures));
    }
    ExportModel { model, meshes: meshes.meshes, figures, skipped_meshes: meshes.skipped }
}
