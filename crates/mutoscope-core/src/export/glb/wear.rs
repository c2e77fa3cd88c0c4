//! The meshes of a model: a recording's own, that of its skeleton, or its likeness.

use super::{
    animation::single,
    buffer::{Chunk, Use},
    json::{Attributes, Displacements, Mesh, Node, Primitive, Skin},
    parts::Parts,
};
use crate::{
    clip::{Model, MorphTarget, NodeId, Piece},
    export::{Job, Report, motions::Motions, report::counted},
};

/// A mesh of a model that was added.
pub(super) struct Worn {
    /// Its index in the model.
    pub(super) piece: usize,
    /// The node of the file that has it.
    pub(super) node: usize,
}

/// Adds the meshes of `model`, whose nodes are the first of the recording's: skinned ones to the
/// scene, the others to the nodes that carry them.
pub(super) fn wear(
    model: &Model,
    motions: &Motions<'_>,
    job: &Job<'_>,
    parts: &mut Parts,
    report: &mut Report,
) -> Vec<Worn> {
    let textures = parts.textures(&model.textures, report);
    let carriers = carriers(model, motions, job, parts, report);
    let (mut worn, mut left_out) = (Vec::new(), 0);
    for (index, piece) in model.pieces.iter().enumerate() {
        if !is_sound(piece) {
            left_out += 1;
            continue;
        }
        let name = format!("model {}", worn.len() + 1);
        let node = Node {
            name: name.clone(),
            mesh: Some(mesh(piece, name, &textures, parts)),
            skin: piece.skin.as_ref().map(|skin| self::skin(skin, &carriers, parts)),
            ..Node::default()
        };
        let parent = piece.skin.is_none().then(|| carriers[piece.node]);
        worn.push(Worn { piece: index, node: parts.add_node(node, parent) });
    }
    let pieces = counted(worn.len(), "mesh").replace("meshs", "meshes");
    let covered = match textures.iter().flatten().count() {
        0 => "in plain colours".to_owned(),
        count => format!("{}, base colour only", counted(count, "texture")),
    };
    report.info(format!("with {pieces} of the model, {covered}"));
    if left_out > 0 {
        report.warning(format!("{left_out} of its meshes skipped: empty, or not finite"));
    }
    worn
}

/// For each node of the recording the one that carries its meshes: itself or, where its scale does
/// not reach its children, a child that has the scale.
fn carriers(
    model: &Model,
    motions: &Motions<'_>,
    job: &Job<'_>,
    parts: &mut Parts,
    report: &mut Report,
) -> Vec<usize> {
    let mut carriers: Vec<usize> = (0..job.clip.nodes.len()).collect();
    let mut sized = 0;
    for node in bearers(model) {
        let Some(size) = motions.own_size(NodeId::new(node)) else { continue };
        let scale = single(size.first());
        let name = format!("{} size", parts.root.nodes[node].name);
        let child = Node { name, scale: Some(scale), ..Node::default() };
        carriers[node] = parts.add_node(child, Some(node));
        parts.animation.scale(carriers[node], size, job.from, &mut parts.chunk);
        sized += 1;
    }
    if sized > 0 {
        report.info(format!(
            "scales of bones reach the offsets of their children only; {} an extra child with the \
             scale",
            if sized == 1 { "1 bone has".to_owned() } else { format!("{sized} bones have") }
        ));
    }
    carriers
}

/// The nodes that a part of a model is bound to, each once.
fn bearers(model: &Model) -> Vec<usize> {
    let rigid = model.pieces.iter().filter(|piece| piece.skin.is_none()).map(|piece| piece.node);
    let skins = model.pieces.iter().filter_map(|piece| piece.skin.as_ref());
    let mut bearers: Vec<usize> =
        rigid.chain(skins.flat_map(|skin| skin.joints.iter().copied())).collect();
    bearers.sort_unstable();
    bearers.dedup();
    bearers
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
        && is_finite(piece.uvs.as_flattened())
        && is_finite(piece.colors.as_flattened())
        && is_skin_sound
}

fn mesh(piece: &Piece, name: String, textures: &[Option<usize>], parts: &mut Parts) -> usize {
    let texture = piece.texture.and_then(|texture| *textures.get(texture)?);
    let texture = texture.filter(|_| piece.uvs.len() == piece.positions.len());
    let material = parts.material_of(piece, texture);
    let unit =
        |normal: &[f32; 3]| glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
    let normals: Vec<_> = piece.normals.iter().map(unit).collect();
    let chunk = &mut parts.chunk;
    let held = piece.skin.as_ref().map(|skin| {
        let pairs = skin.influences.iter().zip(&skin.weights);
        let (joints, weights): (Vec<_>, Vec<_>) =
            pairs.map(|(joints, weights)| influences(*joints, *weights)).unzip();
        (chunk.joints(&joints), chunk.vectors(&weights, Use::Vertices))
    });
    let attributes = Attributes {
        position: chunk.points(&piece.positions),
        normal: chunk.vectors(&normals, Use::Vertices),
        uvs: texture.map(|_| chunk.vectors(&piece.uvs, Use::Vertices)),
        colors: (!piece.colors.is_empty()).then(|| chunk.vectors(&piece.colors, Use::Vertices)),
        joints: held.map(|(joints, _)| joints),
        weights: held.map(|(_, weights)| weights),
    };
    let indices = chunk.indices(&piece.triangles);
    let targets = piece.morph_targets.iter().map(|it| displacements(it, piece, chunk)).collect();
    let names = || piece.morph_targets.iter().map(|target| target.name.as_str());
    parts.root.meshes.push(Mesh {
        name,
        primitives: vec![Primitive { attributes, indices, material, targets }],
        weights: piece.morph_targets.iter().map(|target| target.weight).collect(),
        extras: (names().count() > 0)
            .then(|| serde_json::json!({"targetNames": names().collect::<Vec<_>>()})),
    });
    parts.root.meshes.len() - 1
}

/// A target of a mesh; positions are written even if it displaces none, as glTF asks for something.
fn displacements(target: &MorphTarget, piece: &Piece, chunk: &mut Chunk) -> Displacements {
    let has = |vectors: &[[f32; 3]]| vectors.len() == piece.positions.len();
    let none = vec![[0.0; 3]; piece.positions.len()];
    Displacements {
        position: chunk.points(if has(&target.positions) { &target.positions } else { &none }),
        normal: has(&target.normals).then(|| chunk.vectors(&target.normals, Use::Vertices)),
    }
}

/// The joints and weights of a vertex, as glTF demands them: no joint twice, weights that are
/// together 1, and the first joint for unused ones.
fn influences(joints: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    /// By how much glTF lets weights miss 1, all together.
    const TOLERANCE: f32 = 2e-7;
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
    } else if (sum - 1.0).abs() > TOLERANCE {
        merged.1 = merged.1.map(|weight| weight / sum);
    }
    merged
}

fn skin(skin: &crate::clip::Skin, carriers: &[usize], parts: &mut Parts) -> usize {
    // Pieces of one mesh share a skin.
    if let Some(known) = parts.skins.iter().position(|known| {
        (&known.joints, &known.inverse_bind) == (&skin.joints, &skin.inverse_bind)
    }) {
        return known;
    }
    let columns = |matrix: &glam::Mat4| super::bones::columns(&matrix.as_dmat4());
    let inverse: Vec<_> = skin.inverse_bind.iter().map(columns).collect();
    let made = Skin {
        name: "skin".to_owned(),
        inverse_bind_matrices: parts.chunk.vectors(&inverse, Use::Numbers),
        joints: skin.joints.iter().map(|&joint| carriers[joint]).collect(),
    };
    parts.skins.push(skin.clone());
    parts.root.skins.push(made);
    parts.root.skins.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_hang_on_each_joint_once_and_weights_are_together_one() {
        let joints = [5, 7, 5, 9];
        let (found, weights) = influences(joints, [0.25, 0.25, 0.5, 0.0]);
        assert_eq!((found, weights), ([5, 7, 0, 0], [0.75, 0.25, 0.0, 0.0]));
        let (found, weights) = influences(joints, [2.0, 0.0, 0.0, 6.0]);
        assert_eq!((found, weights), ([5, 9, 0, 0], [0.25, 0.75, 0.0, 0.0]));
        assert_eq!(influences(joints, [0.0; 4]), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }
}
