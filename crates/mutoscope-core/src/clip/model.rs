//! The meshes of a skeleton's model.

use std::collections::BTreeMap;

use glam::{Mat4, Vec3};

use super::{Expression, MorphTarget, Texture};

/// The meshes of a model, in the viewer's space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The meshes, each with one material.
    pub pieces: Vec<Piece>,
    /// The textures of the meshes.
    pub textures: Vec<Texture>,
    /// The expressions of an avatar, which move morph targets of the meshes.
    pub expressions: Vec<Expression>,
}

/// Converts an opaque sRGB colour to linear red, green, blue and opacity.
///
/// The power is computed in f64, because the result of an f32 power differs between systems.
pub fn srgb_to_linear(srgb: [u8; 3]) -> [f32; 4] {
    let [red, green, blue] = srgb.map(|value| {
        let value = f64::from(value) / 255.0;
        let is_dark = value <= 0.04045;
        (if is_dark { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }) as f32
    });
    [red, green, blue, 1.0]
}

/// Computes unit normals for vertices that have none: the mean of the triangle normals at each
/// vertex, weighted by area. A vertex without triangles gets +Y.
///
/// # Panics
/// If a triangle refers to a vertex that does not exist.
pub fn compute_vertex_normals(positions: &[[f32; 3]], triangles: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles.chunks_exact(3) {
        let corner = |at: usize| Vec3::from_array(positions[triangle[at] as usize]);
        let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        triangle.iter().for_each(|&vertex| normals[vertex as usize] += normal);
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y).to_array()).collect()
}

/// A mesh with one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The index of the skeleton's node that carries the mesh.
    pub node: usize,
    /// The positions of the vertices, relative to the node. With a skin, they are in the space in
    /// which the mesh was bound.
    pub positions: Vec<[f32; 3]>,
    /// The unit normals of the vertices.
    pub normals: Vec<[f32; 3]>,
    /// The vertex indices of the triangles, three each, counter-clockwise as seen from outside.
    pub triangles: Vec<u32>,
    /// The colour: linear red, green and blue, and opacity. The texture is multiplied by it.
    pub color: [f32; 4],
    /// `true` if the mesh blends with the background according to its opacity. If `false`, opacity
    /// only matters for [`Self::alpha_cutoff`].
    pub is_blended: bool,
    /// The opacity below which nothing is drawn. `None` if the mesh is opaque, or blends.
    pub alpha_cutoff: Option<f32>,
    /// The index of the texture in [`Model::textures`].
    pub texture: Option<usize>,
    /// The texture coordinates of each vertex, from 0 to 1, left to right and top to bottom. Empty
    /// without a texture.
    pub uvs: Vec<[f32; 2]>,
    /// The colour of each vertex, by which the other colours are multiplied: linear red, green and
    /// blue, and opacity. Empty if the mesh has no vertex colours.
    pub colors: Vec<[f32; 4]>,
    /// The morph targets.
    pub morph_targets: Vec<MorphTarget>,
    /// The skin. `None` if the mesh moves with its node.
    pub skin: Option<Skin>,
}

impl Piece {
    /// Creates an empty, light grey mesh that moves with the node at index `node`.
    pub fn for_node(node: usize) -> Self {
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

/// The binding of a mesh to several nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The indices of the skeleton's nodes that the mesh is bound to.
    pub joints: Vec<usize>,
    /// The inverse bind matrix of each joint, which transforms from the space in which the mesh was
    /// bound to the space of the joint.
    pub inverse_bind: Vec<Mat4>,
    /// The indices in `joints` of up to four joints, for each vertex.
    pub influences: Vec<[u16; 4]>,
    /// The weights of these joints, for each vertex. The weights of a vertex add up to 1.
    pub weights: Vec<[f32; 4]>,
}

/// The bounding box of the part of a model that is bound to a node, in the node's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeBounds {
    /// The index of the skeleton's node.
    pub node: usize,
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl NodeBounds {
    /// Returns the eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let side = |bit: usize| if corner & bit == 0 { 0.0 } else { 1.0 };
            self.min + (self.max - self.min) * Vec3::new(side(1), side(2), side(4))
        })
    }

    fn include(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }
}

impl Model {
    /// Returns `true` if the model has no pieces.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the bounding box around each node that a part of the model is bound to. A vertex
    /// with a skin belongs to the joint with the largest weight.
    pub fn node_bounds(&self) -> Vec<NodeBounds> {
        let mut bounds_by_node: BTreeMap<usize, NodeBounds> = BTreeMap::new();
        for piece in &self.pieces {
            for (vertex, &position) in piece.positions.iter().enumerate() {
                let position = Vec3::from_array(position);
                let (node, point) = match &piece.skin {
                    None => (piece.node, position),
                    Some(skin) => skin.strongest_influence(vertex, position),
                };
                if !point.is_finite() {
                    continue;
                }
                let point_bounds = NodeBounds { node, min: point, max: point };
                bounds_by_node.entry(node).or_insert(point_bounds).include(point);
            }
        }
        bounds_by_node.into_values().collect()
    }
}

impl Skin {
    fn strongest_influence(&self, vertex: usize, position: Vec3) -> (usize, Vec3) {
        let weights = self.weights[vertex];
        let strongest = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
        let joint = usize::from(self.influences[vertex][strongest]);
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
            ..Piece::for_node(4)
        };
        let skin = Skin {
            joints: vec![7, 8],
            inverse_bind: vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::NEG_X)],
            influences: vec![[0, 1, 0, 0]; 2],
            weights: vec![[0.4, 0.6, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
        };
        let skinned = Piece { skin: Some(skin), ..rigid.clone() };
        let bounds = |node, min: [f32; 3], max: [f32; 3]| NodeBounds {
            node,
            min: min.into(),
            max: max.into(),
        };
        let expected = [
            bounds(4, [-1.0, 0.0, 3.0], [1.0, 2.0, 5.0]),
            bounds(7, positions[1], positions[1]),
            bounds(8, [0.0, 2.0, 3.0], [0.0, 2.0, 3.0]),
        ];
        assert_eq!(
            Model { pieces: vec![rigid, skinned], ..Model::default() }.node_bounds(),
            expected
        );
        let corners = expected[0].corners();
        assert_eq!((corners[0], corners[7]), (expected[0].min, expected[0].max));
    }
}
