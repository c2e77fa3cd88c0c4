//! The model that a skeleton from another file wears.

use super::{
    buffer::Use,
    json::{Attributes, Mesh, Node, Primitive, Skin},
    parts::Parts,
};
use crate::{
    clip::{Model, Piece},
    export::{Report, report::counted},
};

/// Adds the meshes of `model`, whose nodes are the first of the recording's: those that are bent to
/// the scene, the others to the nodes that carry them.
pub(super) fn wear(model: &Model, parts: &mut Parts, report: &mut Report) {
    let (mut worn, mut left_out) = (0, 0);
    for piece in &model.pieces {
        if !is_sound(piece) {
            left_out += 1;
            continue;
        }
        worn += 1;
        let name = format!("model {worn}");
        let node = Node {
            name: name.clone(),
            mesh: Some(mesh(piece, name, parts)),
            skin: piece.skin.as_ref().map(|skin| self::skin(skin, parts)),
            ..Node::default()
        };
        let index = parts.root.nodes.len();
        parts.root.nodes.push(node);
        if piece.skin.is_some() {
            parts.root.scenes[0].nodes.push(index);
        } else {
            parts.root.nodes[piece.node].children.push(index);
        }
    }
    let pieces = counted(worn, "mesh").replace("meshs", "meshes");
    report.info(format!("with {pieces} of the skeleton's model, in plain colours"));
    if left_out > 0 {
        report.warning(format!("{left_out} of its meshes skipped: empty, or not finite"));
    }
}

fn is_sound(piece: &Piece) -> bool {
    let is_finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let is_skin_sound = piece.skin.as_ref().is_none_or(|skin| {
        skin.inverse_bind.iter().all(glam::Mat4::is_finite)
            && is_finite(skin.weights.as_flattened())
            && !skin.joints.is_empty()
    });
    !piece.positions.is_empty()
        && !piece.triangles.is_empty()
        && is_finite(piece.positions.as_flattened())
        && is_finite(piece.normals.as_flattened())
        && is_skin_sound
}

fn mesh(piece: &Piece, name: String, parts: &mut Parts) -> usize {
    let material = parts.material(piece.color);
    let unit =
        |normal: &[f32; 3]| glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
    let normals: Vec<_> = piece.normals.iter().map(unit).collect();
    let chunk = &mut parts.chunk;
    let attributes = Attributes {
        position: chunk.points(&piece.positions),
        normal: chunk.vectors(&normals, Use::Vertices),
        joints: piece.skin.as_ref().map(|skin| {
            // A joint that a vertex does not hang on is none.
            let pairs = skin.influences.iter().zip(&skin.weights);
            let joints: Vec<[u16; 4]> = pairs
                .map(|(joints, weights)| {
                    std::array::from_fn(|i| if weights[i] > 0.0 { joints[i] } else { 0 })
                })
                .collect();
            chunk.joints(&joints)
        }),
        weights: piece.skin.as_ref().map(|skin| chunk.vectors(&skin.weights, Use::Vertices)),
    };
    let indices = chunk.indices(&piece.triangles);
    parts
        .root
        .meshes
        .push(Mesh { name, primitives: [Primitive { attributes, indices, material }] });
    parts.root.meshes.len() - 1
}

fn skin(skin: &crate::clip::Skin, parts: &mut Parts) -> usize {
    let columns = |matrix: &glam::Mat4| super::bones::columns(&matrix.as_dmat4());
    let inverse: Vec<_> = skin.inverse_bind.iter().map(columns).collect();
    let made = Skin {
        name: "skin".to_owned(),
        inverse_bind_matrices: parts.chunk.vectors(&inverse, Use::Numbers),
        joints: skin.joints.clone(),
    };
    // Pieces of one mesh share a skin.
    let known = parts.skins.iter().position(|known| *known == *skin);
    if let Some(known) = known {
        return known;
    }
    parts.skins.push(skin.clone());
    parts.root.skins.push(made);
    parts.root.skins.len() - 1
}
