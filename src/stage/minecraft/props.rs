//! Materials and meshes of a scene's parts, each made once.

use std::collections::HashMap;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{TakeOf, palette::Palette};
use crate::stage::{player_skin::PlayerSkin, subject::Parts};
use mutoscope_minecraft::{
    Part, SkinPicture, Take,
    shapes::{Shape, ShapeMesh},
};

/// Materials and meshes of a scene's parts.
pub(super) struct Props<'a> {
    pub(super) parts: &'a Parts<'a>,
    pub(super) palette: Palette<'a>,
    pub(super) lines: &'a mut Assets<GizmoAsset>,
    meshes: &'a mut Assets<Mesh>,
    /// The skins that were given.
    skins: &'a PlayerSkin,
    /// The meshes of shapes, by the bits of what they are made of.
    made: HashMap<Vec<u32>, Handle<Mesh>>,
    /// The meshes of parts of the body in skins.
    worn: HashMap<(SkinPicture, Part), Handle<Mesh>>,
}

impl<'a> Props<'a> {
    pub(super) fn new(
        parts: &'a Parts<'a>,
        palette: Palette<'a>,
        lines: &'a mut Assets<GizmoAsset>,
        meshes: &'a mut Assets<Mesh>,
        skins: &'a PlayerSkin,
    ) -> Self {
        let (made, worn) = (HashMap::new(), HashMap::new());
        Self { parts, palette, lines, meshes, skins, made, worn }
    }

    /// The skin of the player of a recording: the one that was given, or the scene's, or the default
    /// skin.
    pub(super) fn skin_of(&self, take: &Take) -> SkinPicture {
        if let Some(given) = self.skins.0.of(&take.person) {
            return given.clone();
        }
        let slim = take.person.slim;
        let read = take.skin.clone().map(SkinPicture::decode).and_then(|read| {
            read.inspect_err(|error| warn!("the skin of {:?}: {error}", take.name)).ok()
        });
        read.map_or_else(|| SkinPicture::default_of(slim), |skin| skin.with_arms(slim))
    }

    /// Whether the player of a recording has slim arms.
    pub(super) fn slim(&self, take: &Take) -> bool {
        self.skins.0.of(&take.person).map_or(take.person.slim, |skin| skin.shape.slim)
    }

    /// A part of the body in a skin.
    pub(super) fn skin_mesh(&mut self, skin: &SkinPicture, part: Part) -> Handle<Mesh> {
        let worn = self.worn.entry((skin.clone(), part));
        worn.or_insert_with(|| self.meshes.add(mesh(skin.squares(part)))).clone()
    }

    /// The mesh of a shape, a sixteenth of a block as long as `scale` metres, after `offset` was
    /// added.
    pub(super) fn mesh(&mut self, shape: &Shape, scale: f32, offset: Vec3) -> Handle<Mesh> {
        let rest = [scale].into_iter().chain(offset.to_array()).map(f32::to_bits);
        let made = self.made.entry(shape.bits().chain(rest).collect());
        made.or_insert_with(|| self.meshes.add(mesh(shape.mesh(scale, offset)))).clone()
    }

    /// A mesh that is used once.
    pub(super) fn add(&mut self, one: ShapeMesh) -> Handle<Mesh> {
        self.meshes.add(mesh(one))
    }

    /// A recording of the scene by its index.
    pub(super) fn of(&self, take: usize) -> TakeOf {
        TakeOf { recording: self.parts.recording, take }
    }
}

/// The same as the engine has it.
fn mesh(mesh: ShapeMesh) -> Mesh {
    let ShapeMesh { positions, normals, colors, indices } = mesh;
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(indices))
}
