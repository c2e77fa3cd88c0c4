//! Builds the body of a player: six boxes with a skin, each in two layers.

use std::sync::Arc;

use super::{
    figures::Hand,
    skin::{ALPHA_CUTOFF, SkinImage},
};
use crate::{Part, SkinLayer, Take};
use mutoscope_core::clip::{Model, Piece, Texture, TextureWrap};

#[derive(Default)]
pub(super) struct WornSkins {
    decoded: Vec<(SkinImage, usize)>,
    default: [Option<(SkinImage, usize)>; 2],
}

pub(super) fn add_player(take: &Take, skins: &mut WornSkins, model: &mut Model) -> Vec<Hand> {
    let (skin, texture) = skins.worn_skin(take, model);
    add_body(&skin, texture, |part| take.part_node(part).index(), model);
    let hand = |(part, name): (Part, &str)| {
        Some(Hand {
            is_right: part == Part::RightArm,
            name: format!("{}player/{name}", take.prefix()),
            arm: take.part_node(part),
            transform: part.hand_transform(skin.shape.slim)?,
        })
    };
    [(Part::RightArm, "right_hand"), (Part::LeftArm, "left_hand")]
        .into_iter()
        .filter_map(hand)
        .collect()
}

pub(super) fn add_body(
    skin: &SkinImage,
    texture: usize,
    node: impl Fn(Part) -> usize,
    model: &mut Model,
) {
    for part in Part::ALL {
        model.pieces.extend(skin.layer_meshes(part).map(|(layer, mesh)| Piece {
            positions: mesh.positions,
            normals: mesh.normals,
            uvs: mesh.uvs,
            triangles: mesh.indices,
            texture: Some(texture),
            color: [1.0; 4],
            alpha_cutoff: (layer == SkinLayer::Outer).then_some(ALPHA_CUTOFF),
            ..Piece::for_node(node(part))
        }));
    }
}

impl WornSkins {
    fn worn_skin(&mut self, take: &Take, model: &mut Model) -> (SkinImage, usize) {
        let slim = take.profile.slim;
        let decoded = take.skin.as_ref().and_then(|png| self.decode_once(png, take, model));
        let (skin, texture) = decoded.unwrap_or_else(|| {
            let add =
                || add_texture("default skin".to_owned(), SkinImage::default_skin(slim), model);
            self.default[usize::from(slim)].get_or_insert_with(add).clone()
        });
        (skin.with_arms(slim), texture)
    }

    fn decode_once(
        &mut self,
        png: &Arc<[u8]>,
        take: &Take,
        model: &mut Model,
    ) -> Option<(SkinImage, usize)> {
        if let Some(known) = self.decoded.iter().find(|(skin, _)| skin.is_decoded_from(png)) {
            return Some(known.clone());
        }
        let skin = SkinImage::decode(Arc::clone(png)).ok()?;
        let name = take.profile.name.as_deref().unwrap_or("a player");
        self.decoded.push(add_texture(format!("skin of {name}"), skin, model));
        self.decoded.last().cloned()
    }
}

pub(super) fn add_texture(name: String, skin: SkinImage, model: &mut Model) -> (SkinImage, usize) {
    let wrap = [TextureWrap::Clamp; 2];
    model.textures.push(Texture { name, image: skin.to_texture_image(), wrap, is_pixelated: true });
    (skin, model.textures.len() - 1)
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::{Recording, Scene};
    use mutoscope_core::clip::ExportModel;

    fn export_player(slim: bool) -> ExportModel {
        let mut take = Take::from_recording(Recording::standing_still());
        take.profile.slim = slim;
        super::super::build_export_model(&Scene {
            takes: [Arc::new(take)].into(),
            ..Scene::from_recording(Recording::standing_still())
        })
    }

    #[test]
    fn player_has_twelve_boxes_one_texture_and_two_hands() {
        for slim in [false, true] {
            let ExportModel { model, figures, .. } = export_player(slim);
            assert_eq!((model.pieces.len(), model.textures.len()), (12, 1));
            for piece in &model.pieces {
                assert_eq!((piece.texture, piece.uvs.len()), (Some(0), piece.positions.len()));
            }
            let outer = model.pieces.iter().filter(|piece| piece.alpha_cutoff == Some(0.1));
            assert_eq!(outer.count(), 6);
            // The inner layer of the right arm is 4 or 3 pixels wide. A pixel is 0.9375 / 16 m.
            let arm = &model.pieces[4].positions;
            let side = |pick: fn(f32, f32) -> f32| arm.iter().map(|p| p[0]).reduce(pick).unwrap();
            let width = (side(f32::max) - side(f32::min)) / (0.9375 / 16.0);
            assert!((width - if slim { 3.0 } else { 4.0 }).abs() < 1e-4, "{width}");
            let names: Vec<_> = figures[0].parts.iter().map(|part| part.name.as_str()).collect();
            assert_eq!(names, ["player/right_hand", "player/left_hand"]);
        }
    }

    /// Compares the hand's transform with the chain of rotations in section "Held items" of the
    /// format's description, for points in the arm's model (y down, x to the player's left).
    #[test]
    fn held_items_are_placed_as_in_the_game() {
        for slim in [false, true] {
            for (index, side) in [(0, 1.0), (1, -1.0)] {
                let hand = export_player(slim).figures[0].parts[index].rest;
                for point in [DVec3::ZERO, DVec3::X, DVec3::new(0.2, -0.4, 0.7)] {
                    // Apply T(±1/16, 2/16, −10/16), then Ry(180°), then Rx(−90°).
                    let at = DVec3::new(side / 16.0, 2.0 / 16.0, -10.0 / 16.0) + point;
                    let turned = DVec3::new(-at.x, at.y, -at.z);
                    let in_arm = DVec3::new(turned.x, turned.z, -turned.y);
                    let shift = if slim { 0.5 / 16.0 * side } else { 0.0 };
                    let expected = DVec3::new(-(in_arm.x + shift), -in_arm.y, in_arm.z) * 0.9375;
                    let found = hand.translation + hand.rotation * (point * hand.scale);
                    assert!(found.abs_diff_eq(expected, 1e-12), "{slim} {side}: {found}");
                }
            }
        }
    }

    #[test]
    fn player_face_points_ahead() {
        // The front of the head, whose pixels include the eyes, faces −Z.
        let model = export_player(false).model;
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
