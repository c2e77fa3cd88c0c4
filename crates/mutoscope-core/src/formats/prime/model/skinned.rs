//! Assembles a CMDL, its skin and its base colour textures into a model on a skeleton.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry},
    sync::Arc,
};

use glam::{DVec3, Mat4, Vec3};

use super::{
    Blending, Cmdl, Corner, Cskr, Material, MaterialSet, PositionCounts, Surface, Texture,
    report_missing_bones,
};
use crate::{
    clip::{self, Model, Piece, Skin, TextureImage, TextureWrap, srgb_to_linear},
    diagnostics::{Diagnostics, SourceLocation},
    formats::prime::{archive::AssetId, codes},
    skeleton_file::LoadedSkeleton,
};

const MAX_BONES_PER_VERTEX: usize = 4;

/// The games do not draw pixels of a masked material whose opacity is below this.
const ALPHA_CUTOFF: f32 = 0.25;

/// A model on a skeleton.
#[derive(Clone, Debug, Default)]
pub struct CharacterModel {
    /// The meshes and their base colour textures. Each piece has the triangles of one material that
    /// is drawn. The pieces are in the viewer's space and are bound to the nodes of the skeleton.
    pub model: Arc<Model>,
    /// The source of each piece, in the same order as the pieces.
    pub sources: Vec<PieceSource>,
}

/// The source of a piece of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceSource {
    /// The index of each vertex's position in the file.
    pub positions: Vec<u16>,
    /// The way in which the games draw the piece over what is behind it.
    pub blending: Blending,
}

/// Assembles a model on `skeleton`. Without a skin, the whole model moves with the root.
/// `texture` reads a texture. Problems are added to `diagnostics`.
pub fn assemble(
    cmdl: &Cmdl,
    skin: Option<&Cskr>,
    skeleton: &LoadedSkeleton,
    mut texture: impl FnMut(AssetId) -> Option<Texture>,
    diagnostics: &mut Diagnostics,
) -> CharacterModel {
    let bones = Bones::new(skeleton);
    let influences = bones.position_influences(cmdl, skin, diagnostics);
    let inverse_bind = bones.inverse_bind_matrices();
    let mut textures = BaseTextures::default();
    let (mut pieces, mut sources) = (Vec::new(), Vec::new());
    let empty = MaterialSet::default();
    let set = cmdl.material_sets.first().unwrap_or(&empty);
    for (material, surfaces) in surfaces_by_material(cmdl) {
        let Some(Some(material)) = set.materials.get(material) else { continue };
        if !material.is_drawn() {
            continue;
        }
        let base = set.base_texture(material);
        let blending = material.blending();
        let index = base
            .and_then(|(id, _)| textures.index_of((id, blending.ignores_alpha()), &mut texture));
        let builder = SurfaceMeshBuilder::new(cmdl, material, base.map_or(0, |(_, uvs)| uvs));
        let (mesh, positions) = builder.build(&surfaces, &influences, index);
        if mesh.triangles.is_empty() {
            continue;
        }
        let skin = Skin {
            joints: (0..skeleton.nodes.len()).collect(),
            inverse_bind: inverse_bind.clone(),
            influences: positions.iter().map(|&at| influences[usize::from(at)].0).collect(),
            weights: positions.iter().map(|&at| influences[usize::from(at)].1).collect(),
        };
        pieces.push(Piece { node: bones.root, skin: Some(skin), ..mesh });
        sources.push(PieceSource { positions, blending });
    }
    report_skipped_effects(cmdl, set, diagnostics);
    let model = Model { pieces, textures: textures.read, ..Model::default() };
    CharacterModel { model: Arc::new(model), sources }
}

impl Blending {
    fn ignores_alpha(self) -> bool {
        self == Self::Opaque
    }

    fn is_translucent(self) -> bool {
        matches!(self, Self::Alpha | Self::Additive)
    }
}

#[derive(Default)]
struct BaseTextures {
    /// The index in `read` of each requested texture, or `None` if the texture cannot be read. The
    /// key is the texture's id, and `true` if the alpha of the texture is ignored.
    known: HashMap<(AssetId, bool), Option<usize>>,
    read: Vec<clip::Texture>,
}

impl BaseTextures {
    fn index_of(
        &mut self,
        key: (AssetId, bool),
        read: &mut impl FnMut(AssetId) -> Option<Texture>,
    ) -> Option<usize> {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let (id, is_opaque) = key;
        let index = read(id).map(|texture| {
            self.read.push(texture.into_base_color(id, is_opaque));
            self.read.len() - 1
        });
        self.known.insert(key, index);
        index
    }
}

impl Texture {
    /// Converts the texture. The rows are not flipped, because the first stored row is at v = 0.
    fn into_base_color(self, id: AssetId, is_opaque: bool) -> clip::Texture {
        let mut pixels = self.rgba;
        if is_opaque {
            pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
        }
        let wrap = if self.repeats { TextureWrap::Repeat } else { TextureWrap::Clamp };
        clip::Texture {
            name: format!("TXTR {id}"),
            image: TextureImage::Rgba8 {
                width: self.width,
                height: self.height,
                pixels: pixels.into(),
            },
            wrap: [wrap; 2],
            is_pixelated: false,
        }
    }
}

fn surfaces_by_material(cmdl: &Cmdl) -> BTreeMap<usize, Vec<&Surface>> {
    let mut by_material: BTreeMap<usize, Vec<&Surface>> = BTreeMap::new();
    for surface in &cmdl.surfaces {
        by_material.entry(surface.material).or_default().push(surface);
    }
    by_material
}

type Influences = ([u16; MAX_BONES_PER_VERTEX], [f32; MAX_BONES_PER_VERTEX]);

struct Bones<'a> {
    skeleton: &'a LoadedSkeleton,
    by_id: HashMap<u32, usize>,
    root: usize,
}

impl<'a> Bones<'a> {
    fn new(skeleton: &'a LoadedSkeleton) -> Self {
        let mut by_id = HashMap::new();
        for (index, node) in skeleton.nodes.iter().enumerate() {
            if let Some(id) = node.id {
                by_id.entry(id).or_insert(index);
            }
        }
        let root = skeleton.nodes.iter().position(|node| node.parent.is_none()).unwrap_or(0);
        Self { skeleton, by_id, root }
    }

    /// Returns the inverse bind matrices. They only translate, because no bone is rotated in the
    /// bind pose.
    fn inverse_bind_matrices(&self) -> Vec<Mat4> {
        let origin = |index: usize| {
            let mut next = Some(index);
            let mut origin = DVec3::ZERO;
            // Limit the number of steps, because a cycle of parents would make the loop endless.
            for _ in 0..self.skeleton.nodes.len() {
                let Some(node) = next.map(|index| &self.skeleton.nodes[index]) else { break };
                origin += node.rest.translation;
                next = node.parent;
            }
            origin
        };
        let back = |index| Mat4::from_translation(-origin(index).as_vec3());
        (0..self.skeleton.nodes.len()).map(back).collect()
    }

    fn position_influences(
        &self,
        cmdl: &Cmdl,
        skin: Option<&Cskr>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Influences> {
        let root_influence = ([self.root as u16, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        let Some(skin) = skin else { return vec![root_influence; cmdl.positions.len()] };
        let mut unknown = BTreeSet::new();
        let mut group_influences = Vec::with_capacity(skin.groups.len());
        for group in &skin.groups {
            group_influences.push(self.group_influences(&group.weights, &mut unknown));
        }
        report_missing_bones(&unknown, &self.skeleton.name, diagnostics);
        let groups = skin.groups_of_positions(cmdl.positions.len());
        PositionCounts::new(cmdl).check_skin(
            skin.position_count(),
            SourceLocation::File,
            "",
            diagnostics,
        );
        let influence = |group: Option<usize>| group.and_then(|group| group_influences[group]);
        groups.into_iter().map(|group| influence(group).unwrap_or(root_influence)).collect()
    }

    fn group_influences(
        &self,
        weights: &[(u32, f32)],
        unknown: &mut BTreeSet<u32>,
    ) -> Option<Influences> {
        let mut known: Vec<(u16, f32)> = Vec::with_capacity(weights.len());
        for &(bone, weight) in weights {
            let index = self.by_id.get(&bone).copied().unwrap_or_else(|| {
                unknown.insert(bone);
                self.root
            });
            known.push((index as u16, weight));
        }
        known.sort_by(|a, b| b.1.total_cmp(&a.1));
        known.truncate(MAX_BONES_PER_VERTEX);
        let sum: f32 = known.iter().map(|(_, weight)| weight).sum();
        if known.is_empty() || sum <= 0.0 {
            return None;
        }
        let is_whole = weights.len() <= MAX_BONES_PER_VERTEX;
        let mut influences = ([0; MAX_BONES_PER_VERTEX], [0.0; MAX_BONES_PER_VERTEX]);
        for (slot, (index, weight)) in known.into_iter().enumerate() {
            influences.0[slot] = index;
            influences.1[slot] = if is_whole { weight } else { weight / sum };
        }
        Some(influences)
    }
}

struct SurfaceMeshBuilder<'a> {
    cmdl: &'a Cmdl,
    material: &'a Material,
    uv_set: usize,
    known: HashMap<(u16, Option<u16>, Option<u16>), u32>,
    mesh: Piece,
    positions: Vec<u16>,
}

impl<'a> SurfaceMeshBuilder<'a> {
    fn new(cmdl: &'a Cmdl, material: &'a Material, uv_set: usize) -> Self {
        let blending = material.blending();
        let mesh = Piece {
            color: [1.0; 4],
            is_blended: blending.is_translucent(),
            alpha_cutoff: (blending == Blending::Masked).then_some(ALPHA_CUTOFF),
            ..Piece::for_node(0)
        };
        Self { cmdl, material, uv_set, known: HashMap::new(), mesh, positions: Vec::new() }
    }

    fn build(
        mut self,
        surfaces: &[&Surface],
        influences: &[Influences],
        texture: Option<usize>,
    ) -> (Piece, Vec<u16>) {
        for surface in surfaces {
            for triangle in &surface.triangles {
                let corners = triangle.map(|at| surface.corners[at as usize]);
                if corners.iter().all(|corner| usize::from(corner.position) < influences.len()) {
                    let vertices = corners.map(|corner| self.vertex_index(corner));
                    self.mesh.triangles.extend(vertices);
                }
            }
        }
        self.mesh.texture = texture;
        if texture.is_none() {
            self.mesh.uvs.clear();
            self.mesh.color = constant_color(self.material);
        }
        (self.mesh, self.positions)
    }

    fn vertex_index(&mut self, corner: Corner) -> u32 {
        let uv = corner.uvs.get(self.uv_set).copied().flatten();
        let next = self.positions.len() as u32;
        match self.known.entry((corner.position, corner.normal, uv)) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(vacant) => drop(vacant.insert(next)),
        }
        let position = self.cmdl.positions[usize::from(corner.position)];
        let normal = corner.normal.and_then(|at| self.cmdl.normals.get(usize::from(at)));
        let normal = Vec3::from_array(normal.copied().unwrap_or_default());
        self.positions.push(corner.position);
        self.mesh.positions.push(to_y_up(position));
        self.mesh.normals.push(to_y_up(normal.normalize_or(Vec3::Z).to_array()));
        let uv = uv.and_then(|at| self.uv(at)).filter(|uv| uv.iter().all(|one| one.is_finite()));
        self.mesh.uvs.push(uv.unwrap_or_default());
        next
    }

    fn uv(&self, at: u16) -> Option<[f32; 2]> {
        let short = &self.cmdl.short_uvs;
        let uses_short = self.uv_set == 0 && self.material.has_short_uvs() && !short.is_empty();
        let uvs = if uses_short { short } else { &self.cmdl.uvs };
        uvs.get(usize::from(at)).copied()
    }
}

/// Converts from the space of the games (right-handed, Z up, metres) to the viewer's.
fn to_y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, -y]
}

fn constant_color(material: &Material) -> [f32; 4] {
    const DEFAULT_COLOR: [u8; 4] = [204, 204, 204, 255];
    let [red, green, blue, _] = material.colors.first().copied().unwrap_or(DEFAULT_COLOR);
    srgb_to_linear([red, green, blue])
}

fn report_skipped_effects(cmdl: &Cmdl, set: &MaterialSet, diagnostics: &mut Diagnostics) {
    let drawn: Vec<_> = set.materials.iter().flatten().filter(|one| one.is_drawn()).collect();
    let counted = |what: &str, is_so: fn(&Material) -> bool| {
        let count = drawn.iter().filter(|material| is_so(material)).count();
        (count > 0).then(|| format!("{what} ({count})"))
    };
    let skipped = [
        counted("further texture stages", |material| material.stage_count() > 1),
        counted("reflections", Material::is_reflective),
        counted("texture animations", |material| material.uv_animations > 0),
        counted("additive blending, drawn as alpha blending", |material| {
            material.blending() == Blending::Additive
        }),
    ];
    let skipped: Vec<_> = skipped.into_iter().flatten().collect();
    if !skipped.is_empty() {
        let message = format!(
            "materials show their base texture only; skipped (with the number of materials): {}",
            skipped.join(", ")
        );
        diagnostics.info(codes::MATERIAL_SIMPLIFIED, SourceLocation::File, message);
    }
    if cmdl.material_sets.len() > 1 {
        let message = format!("using the first of {} sets of materials", cmdl.material_sets.len());
        diagnostics.info(codes::MATERIAL_SIMPLIFIED, SourceLocation::File, message);
    }
}
