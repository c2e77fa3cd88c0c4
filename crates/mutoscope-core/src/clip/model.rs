//! The meshes of a skeleton's model.

use std::collections::BTreeMap;

use glam::{Mat4, Vec3};

use super::{Expression, MorphTarget, Texture};

/// The meshes of a model, in the space of the viewer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Its meshes, each of one material.
    pub pieces: Vec<Piece>,
    /// The images that its meshes are covered with.
    pub textures: Vec<Texture>,
    /// The expressions of an avatar, which move morph targets of its meshes.
    pub expressions: Vec<Expression>,
}

/// Linear red, green and blue of a colour in sRGB, opaque.
///
/// Computed in double precision: in single precision, powers are not the same on every system.
pub fn linear_color(srgb: [u8; 3]) -> [f32; 4] {
    let [red, green, blue] = srgb.map(|value| {
        let value = f64::from(value) / 255.0;
        let is_dark = value <= 0.04045;
        (if is_dark { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }) as f32
    });
    [red, green, blue, 1.0]
}

/// Unit normals for vertices that have none: those of their triangles, the larger ones counting more; up where
/// a vertex has none.
///
/// # Panics
/// If a triangle names a vertex that does not exist.
pub fn triangle_normals(positions: &[[f32; 3]], triangles: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles.chunks_exact(3) {
        let corner = |at: usize| Vec3::from_array(positions[triangle[at] as usize]);
        let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        triangle.iter().for_each(|&vertex| normals[vertex as usize] += normal);
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y).to_array()).collect()
}

/// A mesh of one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The index of the skeleton's node that carries it.
    pub node: usize,
    /// Where its vertices are: relative to the node, or with a skin as it was bound.
    pub positions: Vec<[f32; 3]>,
    /// The unit normals of its vertices.
    pub normals: Vec<[f32; 3]>,
    /// The vertices of its triangles, three each, counter-clockwise as seen from outside.
    pub triangles: Vec<u32>,
    /// Its colour: linear red, green and blue, and opacity. Where it has a texture, that is multiplied
    /// by it.
    pub color: [f32; 4],
    /// Whether it blends with the background where it is not opaque. If not, opacity only matters
    /// for [`Self::alpha_cutoff`].
    pub is_blended: bool,
    /// The opacity below which nothing is shown; nothing where it is opaque, or blends.
    pub alpha_cutoff: Option<f32>,
    /// The index in [`Model::textures`] of the image that it is covered with.
    pub texture: Option<usize>,
    /// For each vertex where it is on the texture: from left to right and from top to bottom, 0 to 1.
    /// Nothing without a texture.
    pub uvs: Vec<[f32; 2]>,
    /// For each vertex a colour that the others are multiplied by: linear red, green and blue, and
    /// opacity. Nothing where it has none.
    pub colors: Vec<[f32; 4]>,
    /// The shapes that it takes on by weights.
    pub morph_targets: Vec<MorphTarget>,
    /// Its skin; without one it moves with its node.
    pub skin: Option<Skin>,
}

impl Piece {
    /// An empty mesh that moves with a node, light grey.
    pub fn of_node(node: usize) -> Self {
        Self {
            node,
            positions: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
            color: [0.8, 0.8, 0.8, 1.0],
            is_blended: false,
            alpha_cutoff: None,
            texture: None,
            uvs: Vec::new(),
            colors: Vec::new(),
            morph_targets: Vec::new(),
            skin: None,
        }
    }
}

/// How a mesh is bound to several nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The indices of the skeleton's nodes that it is bound to.
    pub joints: Vec<usize>,
    /// For each joint, from the mesh as it was bound to the joint.
    pub inverse_bind: Vec<Mat4>,
    /// For each vertex the indices in `joints` of those that it is bound to.
    pub influences: Vec<[u16; 4]>,
    /// For each vertex its weights on them; together 1.
    pub weights: Vec<[f32; 4]>,
}

/// The box around the part of a model that is bound to a node, in the node's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The index of the skeleton's node.
    pub node: usize,
    /// The corner with the least coordinates.
    pub least: Vec3,
    /// The corner with the largest.
    pub most: Vec3,
}

impl Reach {
    /// Its eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let side = |bit: usize| if corner & bit == 0 { 0.0 } else { 1.0 };
            self.least + (self.most - self.least) * Vec3::new(side(1), side(2), side(4))
        })
    }

    fn include(&mut self, point: Vec3) {
        self.least = self.least.min(point);
        self.most = self.most.max(point);
    }
}

impl Model {
    /// Whether there is nothing of it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Its bounds around each node that some of it is bound to: vertices with a skin count for the
    /// joint with the largest weight.
    pub fn reaches(&self) -> Vec<Reach> {
        let mut reaches: BTreeMap<usize, Reach> = BTreeMap::new();
        for piece in &self.pieces {
            for (vertex, &position) in piece.positions.iter().enumerate() {
                let position = Vec3::from_array(position);
                let (node, point) = match &piece.skin {
                    None => (piece.node, position),
                    Some(skin) => skin.strongest(vertex, position),
                };
                if !point.is_finite() {
                    continue;
                }
                let reach = Reach { node, least: point, most: point };
                reaches.entry(node).or_insert(reach).include(point);
            }
        }
        reaches.into_values().collect()
    }
}

impl Skin {
    /// The node with the largest weight on a vertex, and the position of the vertex in its space.
    fn strongest(&self, vertex: usize, position: Vec3) -> (usize, Vec3) {
        let weights = self.weights[vertex];
        let most = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
        let joint = usize::from(self.influences[vertex][most]);
        (self.joints[joint], self.inverse_bind[joint].transform_point3(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_bounds_enclose_the_vertices() {
        let positions = vec![[1.0, 2.0, 3.0], [-1.0, 0.0, 5.0]];
        let rigid = Piece {
            normals: vec![[0.0, 1.0, 0.0]; 2],
            positions: positions.clone(),
            ..Piece::of_node(4)
        };
        let skin = Skin {
            joints: vec![7, 8],
            inverse_bind: vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::NEG_X)],
            influences: vec![[0, 1, 0, 0]; 2],
            weights: vec![[0.4, 0.6, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
        };
        let skinned = Piece { skin: Some(skin), ..rigid.clone() };
        let reach = |node, least: [f32; 3], most: [f32; 3]| Reach {
            node,
            least: least.into(),
            most: most.into(),
        };
        let expected = [
            reach(4, [-1.0, 0.0, 3.0], [1.0, 2.0, 5.0]),
            reach(7, positions[1], positions[1]),
            reach(8, [0.0, 2.0, 3.0], [0.0, 2.0, 3.0]),
        ];
        assert_eq!(Model { pieces: vec![rigid, skinned], ..Model::default() }.reaches(), expected);
        let corners = expected[0].corners();
        assert_eq!((corners[0], corners[7]), (expected[0].least, expected[0].most));
    }
}
