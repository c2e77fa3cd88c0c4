//! The rules of meshes that several targets share.

use super::Report;
use crate::{
    clip::{Model, Piece},
    diagnostics::format_count,
};

/// Returns `true` if the mesh has triangles, and all its numbers are finite.
pub(super) fn is_drawable(piece: &Piece) -> bool {
    let is_finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let is_skin_finite = piece.skin.as_ref().is_none_or(|skin| {
        skin.inverse_bind.iter().all(glam::Mat4::is_finite)
            && is_finite(skin.weights.as_flattened())
            && !skin.joints.is_empty()
    });
    !piece.positions.is_empty()
        && !piece.triangles.is_empty()
        && is_finite(piece.positions.as_flattened())
        && is_finite(piece.normals.as_flattened())
        && is_finite(piece.uvs.as_flattened())
        && is_finite(piece.colors.as_flattened())
        && is_skin_finite
}

/// Returns the indices of the nodes that meshes of the model are attached or bound to, ascending.
pub(super) fn bound_nodes(model: &Model) -> Vec<usize> {
    let rigid = model.pieces.iter().filter(|piece| piece.skin.is_none()).map(|piece| piece.node);
    let skins = model.pieces.iter().filter_map(|piece| piece.skin.as_ref());
    let mut nodes: Vec<usize> =
        rigid.chain(skins.flat_map(|skin| skin.joints.iter().copied())).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Reports how many meshes and textures of a model were written, and how many meshes were skipped.
pub(super) fn report_meshes(
    mesh_count: usize,
    texture_count: usize,
    skipped_count: usize,
    report: &mut Report,
) {
    let meshes = format_count(mesh_count, "mesh");
    let textured = match texture_count {
        0 => "in plain colours".to_owned(),
        count => format!("{}, base colour only", format_count(count, "texture")),
    };
    report.info(format!("with {meshes} of the model, {textured}"));
    if skipped_count > 0 {
        report.warning(format!("{skipped_count} of its meshes skipped: empty, or not finite"));
    }
}

/// Converts the joints and weights of a vertex to the rules of targets: no joint twice, a sum of
/// weights of 1, and joint 0 for unused influences.
pub(super) fn normalise_influences(joints: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    /// The deviation of the sum of weights from 1 that glTF allows.
    const WEIGHT_SUM_TOLERANCE: f32 = 2e-7;
    let mut merged = ([0; 4], [0.0; 4]);
    let mut count = 0;
    for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
        let known = merged.0[..count].iter().position(|known| *known == joint);
        let slot = known.unwrap_or(count);
        count = count.max(slot + 1);
        merged.0[slot] = joint;
        merged.1[slot] += weight;
    }
    let sum: f32 = merged.1.iter().sum();
    if count == 0 {
        merged.1[0] = 1.0;
    } else if (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
        merged.1 = merged.1.map(|weight| weight / sum);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn influences_are_unique_and_normalised() {
        let joints = [5, 7, 5, 9];
        let (found, weights) = normalise_influences(joints, [0.25, 0.25, 0.5, 0.0]);
        assert_eq!((found, weights), ([5, 7, 0, 0], [0.75, 0.25, 0.0, 0.0]));
        let (found, weights) = normalise_influences(joints, [2.0, 0.0, 0.0, 6.0]);
        assert_eq!((found, weights), ([5, 9, 0, 0], [0.25, 0.75, 0.0, 0.0]));
        assert_eq!(normalise_influences(joints, [0.0; 4]), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }
}
