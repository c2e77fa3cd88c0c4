//! Players and entities on the clip's nodes: for exports.
//!
//! | file | what it does |
//! |---|---|
//! | `character` | the player as a character for other motions |
//! | `player` | a player's body in a skin, and where the hands hold things |
//! | `figures` | the joints of entities and the items in hands, and how they move |
//! | `meshes` | the meshes of their shapes, each once |
//! | `skin` | skin images, and which player has which |
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
pub use skin::{PlayerSkins, SkinError, SkinPicture};

use super::Scene;
use figures::Someone;
use meshes::Meshes;
use mutoscope_core::clip::{Likeness, Model};

/// The meshes of all actors of a scene.
pub(super) fn of(scene: &Scene) -> Likeness {
    let mut model = Model::default();
    let mut skins = player::Skins::default();
    let (mut meshes, mut figures) = (Meshes::default(), Vec::new());
    for take in &scene.takes {
        match &take.kind {
            Some(_) => {
                if let Some(player) = Someone::player(take) {
                    player.add(&mut meshes, &mut figures);
                }
            }
            None => {
                let hands = player::add(take, &mut skins, &mut model);
                figures::add_hands(take, hands, &mut meshes, &mut figures);
            }
        }
        let entities =
            (0..take.recording.entities.len()).filter_map(|at| Someone::entity(take, at));
        entities.for_each(|entity| entity.add(&mut meshes, &mut figures));
    }
    Likeness { model, meshes: meshes.made, figures, skipped_meshes: meshes.skipped }
}
