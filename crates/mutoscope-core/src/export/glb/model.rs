//! The meshes of a model: the recording's own model, the model of its skeleton, or its export
//! model.

use super::{
    animation::to_f32_clamped,
    buffer::{BufferUsage, Chunk},
    builder::GlbBuilder,
    json::{Attributes, Displacements, Mesh, Node, Primitive, Skin},
};
use crate::{
    clip::{Model, MorphTarget, NodeId, Piece},
    export::{
        Job, Report,
        geometry::{bound_nodes, is_drawable, normalise_influences, report_meshes},
        motions::Motions,
    },
};

pub(super) struct AddedMesh {
    pub(super) piece: usize,
    pub(super) node: usize,
}

pub(super) fn add_model(
    model: &Model,
    motions: &Motions<'_>,
    job: &Job<'_>,
    builder: &mut GlbBuilder,
    report: &mut Report,
) -> Vec<AddedMesh> {
    let textures = builder.add_textures(&model.textures, report);
    let carriers = mesh_carriers(model, motions, job, builder, report);
    let (mut added, mut skipped_count) = (Vec::new(), 0);
    for (index, piece) in model.pieces.iter().enumerate() {
        if !is_drawable(piece) {
            skipped_count += 1;
            continue;
        }
        let name = format!("model {}", added.len() + 1);
        let node = Node {
            name: name.clone(),
            mesh: Some(add_mesh(piece, name, &textures, builder)),
            skin: piece.skin.as_ref().map(|skin| self::add_skin(skin, &carriers, builder)),
            ..Node::default()
        };
        let parent = piece.skin.is_none().then(|| carriers[piece.node]);
        added.push(AddedMesh { piece: index, node: builder.add_node(node, parent) });
    }
    report_meshes(added.len(), textures.iter().flatten().count(), skipped_count, report);
    added
}

/// Returns for each node of the recording the node that its meshes are attached to. This is the
/// node itself, or an added child. The child is needed if the node has a scale that its children do
/// not inherit.
fn mesh_carriers(
    model: &Model,
    motions: &Motions<'_>,
    job: &Job<'_>,
    builder: &mut GlbBuilder,
    report: &mut Report,
) -> Vec<usize> {
    let mut carriers: Vec<usize> = (0..job.clip.nodes.len()).collect();
    let mut scaled_count = 0;
    for node in bound_nodes(model) {
        let Some(scale_curve) = motions.own_scale(NodeId::new(node)) else { continue };
        let scale = to_f32_clamped(scale_curve.first_value());
        let name = format!("{} size", builder.root.nodes[node].name);
        let child = Node { name, scale: Some(scale), ..Node::default() };
        carriers[node] = builder.add_node(child, Some(node));
        builder.animation.add_scale(carriers[node], scale_curve, job.from, &mut builder.chunk);
        scaled_count += 1;
    }
    if scaled_count > 0 {
        report.info(format!(
            "scales of bones reach the offsets of their children only; {} an extra child with the \
             scale",
            if scaled_count == 1 {
                "1 bone has".to_owned()
            } else {
                format!("{scaled_count} bones have")
            }
        ));
    }
    carriers
}

fn add_mesh(
    piece: &Piece,
    name: String,
    textures: &[Option<usize>],
    builder: &mut GlbBuilder,
) -> usize {
    let texture = piece.texture.and_then(|texture| *textures.get(texture)?);
    let texture = texture.filter(|_| piece.uvs.len() == piece.positions.len());
    let material = builder.add_material(piece, texture);
    let unit =
        |normal: &[f32; 3]| glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
    let normals: Vec<_> = piece.normals.iter().map(unit).collect();
    let chunk = &mut builder.chunk;
    let skin_accessors = piece.skin.as_ref().map(|skin| {
        let pairs = skin.influences.iter().zip(&skin.weights);
        let (joints, weights): (Vec<_>, Vec<_>) =
            pairs.map(|(joints, weights)| normalise_influences(*joints, *weights)).unzip();
        (chunk.add_joints(&joints), chunk.add_vectors(&weights, BufferUsage::Vertices))
    });
    let attributes = Attributes {
        position: chunk.add_points(&piece.positions),
        normal: chunk.add_vectors(&normals, BufferUsage::Vertices),
        uvs: texture.map(|_| chunk.add_vectors(&piece.uvs, BufferUsage::Vertices)),
        colors: (!piece.colors.is_empty())
            .then(|| chunk.add_vectors(&piece.colors, BufferUsage::Vertices)),
        joints: skin_accessors.map(|(joints, _)| joints),
        weights: skin_accessors.map(|(_, weights)| weights),
    };
    let indices = chunk.add_indices(&piece.triangles);
    let targets =
        piece.morph_targets.iter().map(|target| add_displacements(target, piece, chunk)).collect();
    let names = || piece.morph_targets.iter().map(|target| target.name.as_str());
    builder.root.meshes.push(Mesh {
        name,
        primitives: vec![Primitive { attributes, indices, material, targets }],
        weights: piece.morph_targets.iter().map(|target| target.weight).collect(),
        extras: (names().count() > 0)
            .then(|| serde_json::json!({"targetNames": names().collect::<Vec<_>>()})),
    });
    builder.root.meshes.len() - 1
}

/// Writes a morph target. Positions are written even if the target moves no vertex, because glTF
/// requires at least one attribute.
fn add_displacements(target: &MorphTarget, piece: &Piece, chunk: &mut Chunk) -> Displacements {
    let has_vectors = |vectors: &[[f32; 3]]| vectors.len() == piece.positions.len();
    let none = vec![[0.0; 3]; piece.positions.len()];
    Displacements {
        position: chunk.add_points(if has_vectors(&target.positions) {
            &target.positions
        } else {
            &none
        }),
        normal: has_vectors(&target.normals)
            .then(|| chunk.add_vectors(&target.normals, BufferUsage::Vertices)),
    }
}

fn add_skin(skin: &crate::clip::Skin, carriers: &[usize], builder: &mut GlbBuilder) -> usize {
    // Reuse an equal skin, because the pieces of one mesh share a skin.
    if let Some(known) = builder.skins.iter().position(|known| {
        (&known.joints, &known.inverse_bind) == (&skin.joints, &skin.inverse_bind)
    }) {
        return known;
    }
    let columns = |matrix: &glam::Mat4| super::bones::matrix_columns(&matrix.as_dmat4());
    let inverse: Vec<_> = skin.inverse_bind.iter().map(columns).collect();
    let added = Skin {
        name: "skin".to_owned(),
        inverse_bind_matrices: builder.chunk.add_vectors(&inverse, BufferUsage::Numbers),
        joints: skin.joints.iter().map(|&joint| carriers[joint]).collect(),
    };
    builder.skins.push(skin.clone());
    builder.root.skins.push(added);
    builder.root.skins.len() - 1
}
