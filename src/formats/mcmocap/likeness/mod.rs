//! Players and entities as a model on the clip's nodes: for exports.
//!
//! | file | what it does |
//! |---|---|
//! | `figure` | a player's body in a skin, and where the hands hold things |
//! | `boxes` | boxes for entities |
//! | `skin` | skin images, and which player has which |
//! | `default_skin` | the default skin |

mod boxes;
mod default_skin;
mod figure;
mod skin;

pub use default_skin::pixels as default_skin;
pub use skin::{PlayerSkins, SkinError, SkinPicture};

use super::Scene;
use crate::clip::Model;

/// The model of all in a scene.
pub(super) fn of(scene: &Scene) -> Model {
    let mut model = Model::default();
    let mut skins = figure::Skins::default();
    for take in &scene.takes {
        match take.kind_size() {
            Some(size) => {
                let kind = take.kind.as_deref().unwrap_or_default();
                model.pieces.extend(boxes::piece(take.player(), kind, size));
            }
            None => figure::add(take, &mut skins, &mut model),
        }
        let entities = take.recording.entities.iter().enumerate();
        model.pieces.extend(entities.filter_map(|(index, entity)| {
            boxes::piece(take.entity(index), &entity.kind, entity.size)
        }));
    }
    model
}
