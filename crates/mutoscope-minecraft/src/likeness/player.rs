//! A player's body: six boxes in a skin, each in two layers.

use std::sync::Arc;

use super::{
    figures::Hand,
    skin::{CUTOFF, SkinPicture},
};
use crate::{Part, SkinLayer, Take};
use mutoscope_core::clip::{Model, Piece, Texture, TextureWrap};

/// The skins that are worn so far, and the index of the texture of each.
#[derive(Default)]
pub(super) struct Skins {
    read: Vec<(SkinPicture, usize)>,
    /// The default skin, for wide arms and for slim ones.
    default: [Option<(SkinPicture, usize)>; 2],
}

/// Adds the player of a recording to the `model`; its hands are returned.
pub(super) fn add(take: &Take, skins: &mut Skins, model: &mut Model) -> Vec<Hand> {
    let (skin, texture) = skins.worn(take, model);
    add_body(&skin, texture, |part| take.part(part).index(), model);
    let hand = |(part, name): (Part, &str)| {
        Some(Hand {
            is_right: part == Part::RightArm,
            name: format!("{}player/{name}", take.prefix()),
            arm: take.part(part),
            place: part.hand(skin.shape.slim)?,
        })
    };
    [(Part::RightArm, "right_hand"), (Part::LeftArm, "left_hand")]
        .into_iter()
        .filter_map(hand)
        .collect()
}

/// Adds the boxes of a body in a skin to the `model`; `node` is the index of the node of a part.
pub(super) fn add_body(
    skin: &SkinPicture,
    texture: usize,
    node: impl Fn(Part) -> usize,
    model: &mut Model,
) {
    for part in Part::ALL {
        model.pieces.extend(skin.boxes(part).map(|(layer, mesh)| Piece {
            positions: mesh.positions,
            normals: mesh.normals,
            uvs: mesh.uvs,
            triangles: mesh.indices,
            texture: Some(texture),
            color: [1.0; 4],
            alpha_cutoff: (layer == SkinLayer::Outer).then_some(CUTOFF),
            ..Piece::of_node(node(part))
        }));
    }
}

impl Skins {
    /// The skin of a recording's player, and its texture: its known image, or the default skin.
    fn worn(&mut self, take: &Take, model: &mut Model) -> (SkinPicture, usize) {
        let slim = take.person.slim;
        let read = take.skin.as_ref().and_then(|png| self.read(png, take, model));
        let (skin, texture) = read.unwrap_or_else(|| {
            let add =
                || add_texture("default skin".to_owned(), SkinPicture::default_of(slim), model);
            self.default[usize::from(slim)].get_or_insert_with(add).clone()
        });
        (skin.with_arms(slim), texture)
    }

    fn read(
        &mut self,
        png: &Arc<[u8]>,
        take: &Take,
        model: &mut Model,
    ) -> Option<(SkinPicture, usize)> {
        if let Some(known) = self.read.iter().find(|(skin, _)| skin.is_of(png)) {
            return Some(known.clone());
        }
        let skin = SkinPicture::decode(Arc::clone(png)).ok()?;
        let who = take.person.name.as_deref().unwrap_or("a player");
        self.read.push(add_texture(format!("skin of {who}"), skin, model));
        self.read.last().cloned()
    }
}

/// Adds a skin to the textures; returned with its index.
pub(super) fn add_texture(
    name: String,
    skin: SkinPicture,
    model: &mut Model,
) -> (SkinPicture, usize) {
    let wrap = [TextureWrap::Clamp; 2];
    model.textures.push(Texture { name, image: skin.image(), wrap, is_pixelated: true });
    (skin, model.textures.len() - 1)
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::{Recording, Scene};
    use mutoscope_core::clip::Likeness;

    fn likeness(slim: bool) -> Likeness {
        let mut take = Take::alone(Recording::at_rest());
        take.person.slim = slim;
        super::super::of(&Scene {
            takes: [Arc::new(take)].into(),
            ..Scene::alone(Recording::at_rest())
        })
    }

    #[test]
    fn player_has_twelve_boxes_one_texture_and_two_hands() {
        for slim in [false, true] {
            let Likeness { model, figures, .. } = likeness(slim);
            assert_eq!((model.pieces.len(), model.textures.len()), (12, 1));
            for piece in &model.pieces {
                assert_eq!((piece.texture, piece.uvs.len()), (Some(0), piece.positions.len()));
            }
            let outer = model.pieces.iter().filter(|piece| piece.alpha_cutoff == Some(0.1));
            assert_eq!(outer.count(), 6);
            // The right arm's inner layer: 4 pixels wide, or 3; a pixel is 0.9375 / 16 m.
            let arm = &model.pieces[4].positions;
            let side = |pick: fn(f32, f32) -> f32| arm.iter().map(|p| p[0]).reduce(pick).unwrap();
            let width = (side(f32::max) - side(f32::min)) / (0.9375 / 16.0);
            assert!((width - if slim { 3.0 } else { 4.0 }).abs() < 1e-4, "{width}");
            let names: Vec<_> = figures[0].parts.iter().map(|part| part.name.as_str()).collect();
            assert_eq!(names, ["player/right_hand", "player/left_hand"]);
        }
    }

    /// The chain of the format's description, part C.3: an item's point in the frame of the arm's
    /// model, y downwards and x to its left, against the attachment in the node's.
    #[test]
    fn held_items_are_placed_as_in_the_game() {
        for slim in [false, true] {
            for (index, side) in [(0, 1.0), (1, -1.0)] {
                let place = likeness(slim).figures[0].parts[index].rest;
                for point in [DVec3::ZERO, DVec3::X, DVec3::new(0.2, -0.4, 0.7)] {
                    // T(±1/16, 2/16, −10/16), then Ry(180), then Rx(−90).
                    let at = DVec3::new(side / 16.0, 2.0 / 16.0, -10.0 / 16.0) + point;
                    let turned = DVec3::new(-at.x, at.y, -at.z);
                    let in_arm = DVec3::new(turned.x, turned.z, -turned.y);
                    let shift = if slim { 0.5 / 16.0 * side } else { 0.0 };
                    let expected = DVec3::new(-(in_arm.x + shift), -in_arm.y, in_arm.z) * 0.9375;
                    let found = place.translation + place.rotation * (point * place.scale);
                    assert!(found.abs_diff_eq(expected, 1e-12), "{slim} {side}: {found}");
                }
            }
        }
    }

    #[test]
    fn player_face_points_ahead() {
        // The front of the head, whose pixels have the eyes, is ahead: −Z.
        let model = likeness(false).model;
        let head = &model.pieces[0];
        let of_eyes = head.uvs.iter().position(|uv| *uv == [8.0 / 64.0, 8.0 / 64.0]);
        assert!(of_eyes.is_some());
        let fronts = head
            .normals
            .iter()
            .zip(&head.uvs)
            .filter(|(normal, _)| Vec3::from(**normal).dot(Vec3::NEG_Z) > 0.9);
        for (_, uv) in fronts {
            assert!((8.0 / 64.0..=16.0 / 64.0).contains(&uv[0]), "{uv:?}");
            assert!((8.0 / 64.0..=16.0 / 64.0).contains(&uv[1]), "{uv:?}");
        }
    }
}
