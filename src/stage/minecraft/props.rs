//! Materials and meshes of a scene's parts, each made once.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::Arc,
};

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{TakeOf, palette::Palette};
use crate::stage::{
    player_skin::{PlayerSkin, Skin},
    subject::Parts,
};
use mutoscope_minecraft::{
    Part, Take,
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
    /// The skins of players whose own is unknown, with wide arms and with slim ones.
    default_skins: [Option<Arc<Skin>>; 2],
    /// The meshes of shapes, by what they are made of.
    made: HashMap<u64, Handle<Mesh>>,
    /// The meshes of skins: whose, and of which part.
    worn: HashMap<(usize, usize), (Arc<Skin>, Handle<Mesh>)>,
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
        Self { parts, palette, lines, meshes, skins, default_skins: [None, None], made, worn }
    }

    /// The skin of the player of a recording: the one that was given, or the scene's, or the default
    /// skin.
    pub(super) fn skin_of(&mut self, take: &Take) -> Arc<Skin> {
        if let Some(given) = self.skins.of(&take.person) {
            return Arc::clone(given);
        }
        let slim = take.person.slim;
        let read = take.skin.as_deref().map(Skin::decode).and_then(|read| {
            read.inspect_err(|error| warn!("the skin of {:?}: {error}", take.name)).ok()
        });
        match read {
            Some(skin) => Arc::new(skin.with_arms(slim)),
            None => {
                let default = &mut self.default_skins[usize::from(slim)];
                Arc::clone(default.get_or_insert_with(|| Arc::new(Skin::default_of(slim))))
            }
        }
    }

    /// Whether the player of a recording has slim arms.
    pub(super) fn slim(&self, take: &Take) -> bool {
        self.skins.of(&take.person).map_or(take.person.slim, |skin| skin.is_slim())
    }

    /// A part of the body in a skin.
    pub(super) fn skin_mesh(&mut self, skin: &Arc<Skin>, part: Part) -> Handle<Mesh> {
        let key = (Arc::as_ptr(skin).addr(), part as usize);
        // The skin is kept, so that no other can be where it was.
        let (_, mesh) = self
            .worn
            .entry(key)
            .or_insert_with(|| (Arc::clone(skin), self.meshes.add(skin.mesh(part))));
        mesh.clone()
    }

    /// The mesh of a shape, a sixteenth of a block as long as `scale` metres, after `offset` was
    /// added.
    pub(super) fn mesh(&mut self, shape: &Shape, scale: f32, offset: Vec3) -> Handle<Mesh> {
        let mut hasher = DefaultHasher::new();
        let rest = [scale].into_iter().chain(offset.to_array()).map(f32::to_bits);
        shape.bits().chain(rest).for_each(|bits| bits.hash(&mut hasher));
        let made = self.made.entry(hasher.finish());
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
