//! A cache of the materials and meshes in a scene.

use std::collections::HashMap;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{TakeRef, palette::Palette};
use crate::stage::{player_skin::PlayerSkin, subject::PartContext};
use mutoscope_minecraft::{
    Part, SkinImage, Take,
    shapes::{Shape, ShapeMesh},
};

pub(super) struct SceneAssets<'a> {
    pub(super) parts: &'a PartContext<'a>,
    pub(super) palette: Palette<'a>,
    pub(super) lines: &'a mut Assets<GizmoAsset>,
    meshes: &'a mut Assets<Mesh>,
    skins: &'a PlayerSkin,
    /// The meshes of shapes. The key is the content of the shape and the parameters, as bits.
    shape_meshes: HashMap<Vec<u32>, Handle<Mesh>>,
    skin_meshes: HashMap<(SkinImage, Part), Handle<Mesh>>,
}

impl<'a> SceneAssets<'a> {
    pub(super) fn new(
        parts: &'a PartContext<'a>,
        palette: Palette<'a>,
        lines: &'a mut Assets<GizmoAsset>,
        meshes: &'a mut Assets<Mesh>,
        skins: &'a PlayerSkin,
    ) -> Self {
        let (shape_meshes, skin_meshes) = (HashMap::new(), HashMap::new());
        Self { parts, palette, lines, meshes, skins, shape_meshes, skin_meshes }
    }

    pub(super) fn skin_for(&self, take: &Take) -> SkinImage {
        if let Some(passed) = self.skins.0.skin_for(&take.profile) {
            return passed.clone();
        }
        let slim = take.profile.slim;
        let decoded = take.skin.clone().map(SkinImage::decode).and_then(|read| {
            read.inspect_err(|error| warn!("the skin of {:?}: {error}", take.name)).ok()
        });
        decoded.map_or_else(|| SkinImage::default_skin(slim), |skin| skin.with_arms(slim))
    }

    pub(super) fn has_slim_arms(&self, take: &Take) -> bool {
        self.skins.0.skin_for(&take.profile).map_or(take.profile.slim, |skin| skin.shape.slim)
    }

    pub(super) fn skin_mesh(&mut self, skin: &SkinImage, part: Part) -> Handle<Mesh> {
        let worn = self.skin_meshes.entry((skin.clone(), part));
        worn.or_insert_with(|| self.meshes.add(to_bevy_mesh(skin.pixel_squares(part)))).clone()
    }

    /// Returns the mesh of a shape. Points of the shape are in sixteenths of a block. `offset` is
    /// in the same unit and is added to each point. The sum is multiplied by `scale`, in metres.
    pub(super) fn shape_mesh(&mut self, shape: &Shape, scale: f32, offset: Vec3) -> Handle<Mesh> {
        let parameter_bits = [scale].into_iter().chain(offset.to_array()).map(f32::to_bits);
        let made = self.shape_meshes.entry(shape.content_bits().chain(parameter_bits).collect());
        made.or_insert_with(|| self.meshes.add(to_bevy_mesh(shape.to_mesh(scale, offset)))).clone()
    }

    pub(super) fn add_mesh(&mut self, shape_mesh: ShapeMesh) -> Handle<Mesh> {
        self.meshes.add(to_bevy_mesh(shape_mesh))
    }

    pub(super) fn take_ref(&self, take: usize) -> TakeRef {
        TakeRef { recording: self.parts.recording, take }
    }
}

fn to_bevy_mesh(mesh: ShapeMesh) -> Mesh {
    let ShapeMesh { positions, normals, colors, indices } = mesh;
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(indices))
}
