//! A model on a skeleton: a CMDL with its skin and the textures of its base colour.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry},
    sync::Arc,
};

use glam::{DVec3, Mat4, Vec3};

use super::{Blending, Cmdl, Corner, Cskr, Material, MaterialSet, Surface, Texture};
use crate::{
    clip::{self, Model, Piece, Skin, TextureImage, TextureWrap, linear_color},
    diagnostics::{Notices, SourceLocation},
    formats::prime::archive::AssetId,
    rig::Rig,
};

/// How many bones move a vertex at most.
const MOST_BONES: usize = 4;

/// The opacity below which the games draw nothing of a masked material.
const MASK: f32 = 0.25;

/// A model on a skeleton.
#[derive(Clone, Debug, Default)]
pub struct CharacterModel {
    /// Its meshes, a piece for each material that is drawn, in the viewer's space, and the textures of
    /// their base colour. They are bound to the nodes of the skeleton.
    pub model: Arc<Model>,
    /// For each piece, in the same order, where its vertices are from.
    pub sources: Vec<PieceSource>,
}

/// The source of a piece of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceSource {
    /// For each vertex the index of its position in the file.
    pub positions: Vec<u16>,
    /// How the games draw it over what is behind it.
    pub blending: Blending,
}

/// Puts a model on `rig`; without a skin, all of it moves with the root. `texture` reads textures.
/// `notices` hear of what does not fit.
pub fn assemble(
    cmdl: &Cmdl,
    skin: Option<&Cskr>,
    rig: &Rig,
    mut texture: impl FnMut(AssetId) -> Option<Texture>,
    notices: &mut Notices,
) -> CharacterModel {
    let bones = Bones::new(rig);
    let influences = bones.influences(cmdl, skin, notices);
    let inverse_bind = bones.inverse_bind();
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
        let weaver = Weaver::new(cmdl, material, base.map_or(0, |(_, uvs)| uvs));
        let (mesh, positions) = weaver.weave(&surfaces, &influences, index);
        if mesh.triangles.is_empty() {
            continue;
        }
        let skin = Skin {
            joints: (0..rig.nodes.len()).collect(),
            inverse_bind: inverse_bind.clone(),
            influences: positions.iter().map(|&at| influences[usize::from(at)].0).collect(),
            weights: positions.iter().map(|&at| influences[usize::from(at)].1).collect(),
        };
        pieces.push(Piece { node: bones.root, skin: Some(skin), ..mesh });
        sources.push(PieceSource { positions, blending });
    }
    report_materials(cmdl, set, notices);
    let model = Model { pieces, textures: textures.read, ..Model::default() };
    CharacterModel { model: Arc::new(model), sources }
}

impl Blending {
    /// Whether the alpha of a texture says nothing of how opaque it is: it may hold something else.
    fn ignores_alpha(self) -> bool {
        self == Self::Opaque
    }

    fn shows_through(self) -> bool {
        matches!(self, Self::Alpha | Self::Additive)
    }
}

/// The base textures that were read so far.
#[derive(Default)]
struct BaseTextures {
    /// The index of each texture that can be read, by its id and whether its alpha is ignored.
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
    /// The same for drawing. Texture coordinates count its stored rows, so that none is turned
    /// round.
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

/// The bones that move vertices, and how much each does.
type Influences = ([u16; MOST_BONES], [f32; MOST_BONES]);

/// The bones of a skeleton, where they are at rest.
struct Bones<'a> {
    rig: &'a Rig,
    by_id: HashMap<u32, usize>,
    root: usize,
}

impl<'a> Bones<'a> {
    fn new(rig: &'a Rig) -> Self {
        let mut by_id = HashMap::new();
        for (index, node) in rig.nodes.iter().enumerate() {
            if let Some(id) = node.id {
                by_id.entry(id).or_insert(index);
            }
        }
        let root = rig.nodes.iter().position(|node| node.parent.is_none()).unwrap_or(0);
        Self { rig, by_id, root }
    }

    /// In the bind pose no bone is turned, so it is undone by moving back by where the bone is.
    fn inverse_bind(&self) -> Vec<Mat4> {
        let origin = |index: usize| {
            let mut next = Some(index);
            let mut origin = DVec3::ZERO;
            // Parents do not lead in circles, but that is not known here.
            for _ in 0..self.rig.nodes.len() {
                let Some(node) = next.map(|index| &self.rig.nodes[index]) else { break };
                origin += node.rest.translation;
                next = node.parent;
            }
            origin
        };
        let back = |index| Mat4::from_translation(-origin(index).as_vec3());
        (0..self.rig.nodes.len()).map(back).collect()
    }

    /// The bone influences of each position of a model.
    fn influences(
        &self,
        cmdl: &Cmdl,
        skin: Option<&Cskr>,
        notices: &mut Notices,
    ) -> Vec<Influences> {
        let with_root = ([self.root as u16, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        let Some(skin) = skin else { return vec![with_root; cmdl.positions.len()] };
        let mut unknown = BTreeSet::new();
        let mut of_group = Vec::with_capacity(skin.groups.len());
        for group in &skin.groups {
            of_group.push(self.group(&group.weights, &mut unknown));
        }
        if !unknown.is_empty() {
            let ids: Vec<_> = unknown.iter().take(8).map(u32::to_string).collect();
            let message = format!(
                "the skin names bones that {} lacks: {}; using the root",
                self.rig.name,
                ids.join(", ")
            );
            notices.error(SourceLocation::File, message);
        }
        let groups = skin.groups_of_positions(cmdl.positions.len());
        report_fit(cmdl, skin, notices);
        let influence = |group: Option<usize>| group.and_then(|group| of_group[group]);
        groups.into_iter().map(|group| influence(group).unwrap_or(with_root)).collect()
    }

    /// The bone influences of a group; nothing if no bone moves it. Of more than four bones, the
    /// four with the largest weights.
    fn group(&self, weights: &[(u32, f32)], unknown: &mut BTreeSet<u32>) -> Option<Influences> {
        let mut known: Vec<(u16, f32)> = Vec::with_capacity(weights.len());
        for &(bone, weight) in weights {
            let index = self.by_id.get(&bone).copied().unwrap_or_else(|| {
                unknown.insert(bone);
                self.root
            });
            known.push((index as u16, weight));
        }
        known.sort_by(|a, b| b.1.total_cmp(&a.1));
        known.truncate(MOST_BONES);
        let sum: f32 = known.iter().map(|(_, weight)| weight).sum();
        if known.is_empty() || sum <= 0.0 {
            return None;
        }
        let is_whole = weights.len() <= MOST_BONES;
        let mut influences = ([0; MOST_BONES], [0.0; MOST_BONES]);
        for (slot, (index, weight)) in known.into_iter().enumerate() {
            influences.0[slot] = index;
            influences.1[slot] = if is_whole { weight } else { weight / sum };
        }
        Some(influences)
    }
}

/// A skin belongs to one model: its groups are in the order of that model's positions.
fn report_fit(cmdl: &Cmdl, skin: &Cskr, notices: &mut Notices) {
    let corners = cmdl.surfaces.iter().flat_map(|surface| {
        let used = surface.triangles.iter().flatten();
        used.map(|&at| surface.corners[at as usize].position)
    });
    let used = corners.map(|position| u64::from(position) + 1).max().unwrap_or(0);
    let (total, has) = (skin.total(), cmdl.positions.len() as u64);
    if total < used {
        let message = format!(
            "the skin has groups for {total} positions, the model uses {used}; the others move with \
             the root"
        );
        notices.error(SourceLocation::File, message);
    } else if total > has {
        let message = format!(
            "the skin has groups for {total} positions, the model has {has}: it may be that of \
             another model"
        );
        notices.warning(SourceLocation::File, message);
    }
}

/// Makes one mesh of the surfaces of a material.
struct Weaver<'a> {
    cmdl: &'a Cmdl,
    material: &'a Material,
    /// The set of texture coordinates of the base texture.
    uv_set: usize,
    known: HashMap<(u16, Option<u16>, Option<u16>), u32>,
    mesh: Piece,
    positions: Vec<u16>,
}

impl<'a> Weaver<'a> {
    fn new(cmdl: &'a Cmdl, material: &'a Material, uv_set: usize) -> Self {
        let blending = material.blending();
        let mesh = Piece {
            color: [1.0; 4],
            is_blended: blending.shows_through(),
            alpha_cutoff: (blending == Blending::Masked).then_some(MASK),
            ..Piece::of_node(0)
        };
        Self { cmdl, material, uv_set, known: HashMap::new(), mesh, positions: Vec::new() }
    }

    fn weave(
        mut self,
        surfaces: &[&Surface],
        influences: &[Influences],
        texture: Option<usize>,
    ) -> (Piece, Vec<u16>) {
        for surface in surfaces {
            for triangle in &surface.triangles {
                let corners = triangle.map(|at| surface.corners[at as usize]);
                if corners.iter().all(|corner| usize::from(corner.position) < influences.len()) {
                    let vertices = corners.map(|corner| self.vertex(corner));
                    self.mesh.triangles.extend(vertices);
                }
            }
        }
        self.mesh.texture = texture;
        if texture.is_none() {
            self.mesh.uvs.clear();
            self.mesh.color = plain_color(self.material);
        }
        (self.mesh, self.positions)
    }

    /// The index of the vertex for a corner: corners of the same position, normal and texture
    /// coordinates share one.
    fn vertex(&mut self, corner: Corner) -> u32 {
        let uv = corner.uvs.get(self.uv_set).copied().flatten();
        let next = self.positions.len() as u32;
        match self.known.entry((corner.position, corner.normal, uv)) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(place) => drop(place.insert(next)),
        }
        let position = self.cmdl.positions[usize::from(corner.position)];
        let normal = corner.normal.and_then(|at| self.cmdl.normals.get(usize::from(at)));
        let normal = Vec3::from_array(normal.copied().unwrap_or_default());
        self.positions.push(corner.position);
        self.mesh.positions.push(y_up(position));
        self.mesh.normals.push(y_up(normal.normalize_or(Vec3::Z).to_array()));
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

/// From the games' space, right-handed with Z up and in metres, to the viewer's.
fn y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, -y]
}

/// The colour of a material without a texture, linear.
fn plain_color(material: &Material) -> [f32; 4] {
    /// Light grey, where a file has none.
    const GREY: [u8; 4] = [204, 204, 204, 255];
    let [red, green, blue, _] = material.colors.first().copied().unwrap_or(GREY);
    linear_color([red, green, blue])
}

/// Says what of the games' materials is not shown.
fn report_materials(cmdl: &Cmdl, set: &MaterialSet, notices: &mut Notices) {
    let drawn: Vec<_> = set.materials.iter().flatten().filter(|one| one.is_drawn()).collect();
    let counted = |what: &str, is_so: fn(&Material) -> bool| {
        let count = drawn.iter().filter(|material| is_so(material)).count();
        (count > 0).then(|| format!("{what} ({count})"))
    };
    let skipped = [
        counted("further texture stages", |material| material.stage_count() > 1),
        counted("reflections", Material::is_reflective),
        counted("texture animations", |material| material.uv_animations > 0),
        counted("adding to what is behind, which is mixed instead", |material| {
            material.blending() == Blending::Additive
        }),
    ];
    let skipped: Vec<_> = skipped.into_iter().flatten().collect();
    if !skipped.is_empty() {
        let message = format!(
            "materials show their base texture only; skipped, with how many materials have them: {}",
            skipped.join(", ")
        );
        notices.info(SourceLocation::File, message);
    }
    if cmdl.material_sets.len() > 1 {
        let message = format!("using the first of {} sets of materials", cmdl.material_sets.len());
        notices.info(SourceLocation::File, message);
    }
}
