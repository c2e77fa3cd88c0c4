//! Meshes: geometry, skins and blend shapes.

use std::collections::BTreeSet;

use glam::{DAffine3, DVec3};

use super::{
    CENTIMETRES_PER_METRE,
    animation::AnimatedProperty,
    builder::{Builder, Model, ModelKind, NewModel, matrix_array},
    document::{Array, Element, Properties, element},
    scene::{ObjectClass, ObjectId},
};
use crate::{
    clip::{self, MorphTarget, MorphWeights, NodeId, Piece, Transform},
    diagnostics::format_count,
    export::{
        ExportError, Job, Report,
        geometry::{bound_nodes, is_drawable, normalise_influences, report_meshes},
        keyed_curve::{Key, KeyedCurve, SegmentKind},
        motions::Motions,
        signals::{SignalCurve, SignalTracer},
    },
};

const GEOMETRY: ObjectClass = ObjectClass::new("Geometry", "Geometry", "Mesh");
const SHAPE: ObjectClass = ObjectClass::new("Geometry", "Geometry", "Shape");
const SKIN: ObjectClass = ObjectClass::new("Deformer", "Deformer", "Skin");
const CLUSTER: ObjectClass = ObjectClass::new("Deformer", "SubDeformer", "Cluster");
const BLEND_SHAPE: ObjectClass = ObjectClass::new("Deformer", "Deformer", "BlendShape");
const CHANNEL: ObjectClass = ObjectClass::new("Deformer", "SubDeformer", "BlendShapeChannel");

/// A mesh of the model that was added.
pub(super) struct AddedMesh {
    piece: usize,
    /// The blend shape channel of each morph target.
    channels: Vec<ObjectId>,
}

/// The vertices and triangles of a mesh.
pub(super) struct Vertices<'a> {
    pub(super) positions: &'a [[f32; 3]],
    pub(super) normals: &'a [[f32; 3]],
    pub(super) triangles: &'a [u32],
    pub(super) uvs: &'a [[f32; 2]],
    pub(super) colors: &'a [[f32; 4]],
    /// The index of the material of each triangle, or a single index for all triangles.
    pub(super) materials: &'a [i32],
}

/// Adds the meshes of a model.
pub(super) fn add_model(
    model: &clip::Model,
    motions: &Motions<'_>,
    builder: &mut Builder<'_>,
    report: &mut Report,
) -> Vec<AddedMesh> {
    builder.materials.add_textures(&model.textures, &mut builder.scene, report);
    let carriers = mesh_carriers(model, motions, builder, report);
    let (mut added, mut skipped_count) = (Vec::new(), 0);
    for (index, piece) in model.pieces.iter().enumerate() {
        if !is_drawable(piece) {
            skipped_count += 1;
            continue;
        }
        let name = format!("model {}", added.len() + 1);
        let channels = add_piece(piece, &name, &carriers, builder);
        added.push(AddedMesh { piece: index, channels });
    }
    report_meshes(added.len(), builder.materials.texture_count(), skipped_count, report);
    added
}

/// Returns the model for each node of the clip that its meshes are attached to. This is the model
/// of the node, or an added child if the node has a scale that its children do not inherit.
fn mesh_carriers(
    model: &clip::Model,
    motions: &Motions<'_>,
    builder: &mut Builder<'_>,
    report: &mut Report,
) -> Vec<Model> {
    let mut carriers = builder.nodes.clone();
    let mut scaled_count = 0;
    for node in bound_nodes(model) {
        let Some(scale) = motions.own_scale(NodeId::new(node)) else { continue };
        let carrier = Model { id: builder.scene.reserve_id(), ..carriers[node] };
        let name = format!("size {}", node + 1);
        builder.add_model(&NewModel {
            id: carrier.id,
            name: &name,
            kind: ModelKind::Bone,
            parent: carriers[node].id,
            local: Transform { scale: scale.first_value(), ..Transform::IDENTITY },
            attribute: Vec::new(),
        });
        if !scale.is_constant() {
            let property = AnimatedProperty::scale(carrier.id);
            builder.animation.add(&property, scale, |it: DVec3| it.to_array(), &mut builder.scene);
        }
        carriers[node] = carrier;
        builder.add_to_bind_pose(carrier);
        scaled_count += 1;
    }
    if scaled_count > 0 {
        report.info(format!(
            "scales of bones reach the offsets of their children only; {} with an extra child that \
             has the scale",
            format_count(scaled_count, "bone")
        ));
    }
    carriers
}

/// Adds a mesh. Returns the blend shape channels of its morph targets.
fn add_piece(
    piece: &Piece,
    name: &str,
    carriers: &[Model],
    builder: &mut Builder<'_>,
) -> Vec<ObjectId> {
    let has_uvs = piece.uvs.len() == piece.positions.len()
        && piece.texture.is_some_and(|texture| builder.materials.has_texture(texture));
    let vertices = Vertices {
        positions: &piece.positions,
        normals: &piece.normals,
        triangles: &piece.triangles,
        uvs: if has_uvs { &piece.uvs } else { &[] },
        colors: &piece.colors,
        materials: &[0],
    };
    let geometry = builder.scene.add(GEOMETRY, name, geometry_elements(&vertices));
    let material = builder.materials.of_piece(piece, has_uvs, &mut builder.scene);
    let binding = piece.skin.as_ref().map(|skin| (skin, Binding::new(skin, carriers)));
    let (parent, bind) = match &binding {
        None => (carriers[piece.node].id, carriers[piece.node].bind),
        Some((_, binding)) => (builder.root.id, binding.mesh),
    };
    let local = match &binding {
        None => Transform::IDENTITY,
        Some((_, binding)) => decompose(&(builder.root.bind.inverse() * binding.mesh)),
    };
    let mesh = Model { id: builder.scene.reserve_id(), bind };
    add_mesh_model(mesh.id, name, parent, local, geometry, &[material], builder);
    if let Some((skin, binding)) = binding {
        builder.add_to_bind_pose(mesh);
        add_skin(skin, &binding, carriers, geometry, builder);
    }
    add_blend_shapes(piece, geometry, builder)
}

/// Adds a model with a mesh, and connects its materials.
pub(super) fn add_mesh_model(
    id: ObjectId,
    name: &str,
    parent: ObjectId,
    local: Transform,
    geometry: ObjectId,
    materials: &[ObjectId],
    builder: &mut Builder<'_>,
) {
    let kind = ModelKind::Mesh;
    builder.add_model(&NewModel { id, name, kind, parent, local, attribute: Vec::new() });
    builder.scene.connect(geometry, id);
    materials.iter().for_each(|&material| builder.scene.connect(material, id));
}

/// Returns the elements of a geometry.
pub(super) fn geometry_elements(vertices: &Vertices<'_>) -> Vec<Element> {
    let Vertices { positions, normals, triangles, uvs, colors, materials } = vertices;
    let by_vertex = [("ByVertice", "Direct"), ("ByPolygonVertex", "IndexToDirect")];
    let triangle_indices: Vec<i32> = triangles.iter().map(|&vertex| vertex as i32).collect();
    // The last vertex of a polygon is stored as its complement.
    let polygons: Vec<i32> = triangle_indices
        .iter()
        .enumerate()
        .map(|(corner, &vertex)| if corner % 3 == 2 { !vertex } else { vertex })
        .collect();
    let unit = |normal: &[f32; 3]| {
        let normal = glam::Vec3::from_array(*normal).as_dvec3();
        normal.normalize_or(DVec3::Y).to_array()
    };
    let normals: Vec<f64> = normals.iter().flat_map(unit).collect();
    let mut elements = vec![
        Properties::default().into_element(),
        element("GeometryVersion", 124),
        element("Vertices", centimetres(positions)),
        element("PolygonVertexIndex", Array::of_i32(&polygons)),
    ];
    let mut layers = vec!["LayerElementNormal"];
    elements.push(layer(
        "LayerElementNormal",
        101,
        "",
        by_vertex[0],
        vec![element("Normals", Array::of_f64(&normals))],
    ));
    if !uvs.is_empty() {
        // FBX has v upwards.
        let uvs: Vec<f64> =
            uvs.iter().flat_map(|&[u, v]| [f64::from(u), 1.0 - f64::from(v)]).collect();
        let content = vec![
            element("UV", Array::of_f64(&uvs)),
            element("UVIndex", Array::of_i32(&triangle_indices)),
        ];
        elements.push(layer("LayerElementUV", 101, "UVMap", by_vertex[1], content));
        layers.push("LayerElementUV");
    }
    if !colors.is_empty() {
        let colors: Vec<f64> = colors.iter().flat_map(|color| to_srgb(*color)).collect();
        let content = vec![
            element("Colors", Array::of_f64(&colors)),
            element("ColorIndex", Array::of_i32(&triangle_indices)),
        ];
        elements.push(layer("LayerElementColor", 101, "Color", by_vertex[1], content));
        layers.push("LayerElementColor");
    }
    let mapping = if materials.len() > 1 { "ByPolygon" } else { "AllSame" };
    let content = vec![element("Materials", Array::of_i32(materials))];
    elements.push(layer("LayerElementMaterial", 101, "", (mapping, "IndexToDirect"), content));
    layers.push("LayerElementMaterial");
    let mut layer = vec![element("Version", 100)];
    layer.extend(layers.into_iter().map(|name| {
        Element::block("LayerElement", vec![element("Type", name), element("TypedIndex", 0)])
    }));
    elements.push(element("Layer", 0).with_children(layer));
    elements
}

fn layer(
    name: &'static str,
    version: i32,
    own_name: &str,
    (mapping, reference): (&str, &str),
    content: Vec<Element>,
) -> Element {
    let mut elements = vec![
        element("Version", version),
        element("Name", own_name),
        element("MappingInformationType", mapping),
        element("ReferenceInformationType", reference),
    ];
    elements.extend(content);
    element(name, 0).with_children(elements)
}

fn centimetres(points: &[[f32; 3]]) -> Array {
    let centimetres = |number: &f32| f64::from(*number) * CENTIMETRES_PER_METRE;
    Array::of_f64(&points.as_flattened().iter().map(centimetres).collect::<Vec<_>>())
}

/// Converts a linear colour to sRGB, which programs expect of vertex colours.
fn to_srgb([red, green, blue, opacity]: [f32; 4]) -> [f64; 4] {
    let part = |linear: f32| {
        let linear = f64::from(linear).max(0.0);
        match linear <= 0.003_130_8 {
            true => linear * 12.92,
            false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
        }
    };
    [part(red), part(green), part(blue), f64::from(opacity)]
}

/// The pose in which a mesh is bound to its joints, in metres.
struct Binding {
    mesh: DAffine3,
    joints: Vec<DAffine3>,
}

impl Binding {
    /// Chooses the pose. A skin only states the position of the mesh relative to each joint. So the
    /// first joint gets its rest pose, and the mesh and the other joints follow from that. If the
    /// mesh was bound in the rest pose, all joints get their rest poses.
    fn new(skin: &clip::Skin, carriers: &[Model]) -> Self {
        let inverse_binds =
            || skin.inverse_bind.iter().map(|bind| DAffine3::from_mat4(bind.as_dmat4()));
        let rest = |joint: usize| carriers[skin.joints[joint]].bind;
        let first = inverse_binds().next().map_or(DAffine3::IDENTITY, |bind| rest(0) * bind);
        let recomposed = to_affine(&decompose(&first));
        // A model has no shear. If the mesh would need one, leave it at the origin.
        let mesh = match recomposed.abs_diff_eq(first, 1e-6) && first.is_finite() {
            true => first,
            false => DAffine3::IDENTITY,
        };
        let joints = inverse_binds()
            .enumerate()
            .map(|(joint, inverse_bind)| {
                let bind = mesh * inverse_bind.inverse();
                if bind.is_finite() { bind } else { rest(joint) }
            })
            .collect();
        Self { mesh, joints }
    }
}

fn decompose(transform: &DAffine3) -> Transform {
    let (scale, rotation, translation) = transform.to_scale_rotation_translation();
    let transform = Transform { translation, rotation, scale };
    if transform.is_finite() { transform } else { Transform::IDENTITY }
}

fn to_affine(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale,
        transform.rotation,
        transform.translation,
    )
}

fn add_skin(
    skin: &clip::Skin,
    binding: &Binding,
    carriers: &[Model],
    geometry: ObjectId,
    builder: &mut Builder<'_>,
) {
    let mut bound: Vec<(Vec<i32>, Vec<f64>)> = vec![Default::default(); skin.joints.len()];
    let pairs = skin.influences.iter().zip(&skin.weights);
    for (vertex, (joints, weights)) in pairs.enumerate() {
        let (joints, weights) = normalise_influences(*joints, *weights);
        for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
            let (vertices, weights) = &mut bound[usize::from(joint)];
            vertices.push(vertex as i32);
            weights.push(f64::from(weight));
        }
    }
    let elements = vec![element("Version", 101), element("Link_DeformAcuracy", 50.0)];
    let deformer = builder.scene.add(SKIN, "", elements);
    builder.scene.connect(deformer, geometry);
    for (joint, (vertices, weights)) in bound.into_iter().enumerate() {
        let node = skin.joints[joint];
        let mut elements = vec![element("Version", 100), Element::new("UserData", ["", ""])];
        if !vertices.is_empty() {
            elements.push(element("Indexes", Array::of_i32(&vertices)));
            elements.push(element("Weights", Array::of_f64(&weights)));
        }
        let inverse_bind = DAffine3::from_mat4(skin.inverse_bind[joint].as_dmat4());
        elements.push(element("Transform", matrix_array(&inverse_bind)));
        elements.push(element("TransformLink", matrix_array(&binding.joints[joint])));
        let cluster = builder.scene.add(CLUSTER, "", elements);
        builder.scene.connect(cluster, deformer);
        builder.scene.connect(carriers[node].id, cluster);
        builder.set_bind_pose(node, carriers[node].id, binding.joints[joint]);
    }
}

fn add_blend_shapes(piece: &Piece, geometry: ObjectId, builder: &mut Builder<'_>) -> Vec<ObjectId> {
    if piece.morph_targets.is_empty() {
        return Vec::new();
    }
    let scene = &mut builder.scene;
    let blend_shape = scene.add(BLEND_SHAPE, "", vec![element("Version", 100)]);
    scene.connect(blend_shape, geometry);
    let mut channels = Vec::new();
    for target in &piece.morph_targets {
        let name = super::clean_name(&target.name, "shape");
        let percent = f64::from(target.finite_weight()) * PERCENT;
        let mut properties = Properties::default();
        properties.add("DeformPercent", ["Number", "", "A"], [percent]);
        let elements = vec![
            element("Version", 100),
            properties.into_element(),
            element("DeformPercent", percent),
            element("FullWeights", Array::of_f64(&[PERCENT])),
        ];
        let channel = scene.add(CHANNEL, &name, elements);
        scene.connect(channel, blend_shape);
        let shape = scene.add(SHAPE, &name, shape_elements(target));
        scene.connect(shape, channel);
        channels.push(channel);
    }
    channels
}

const PERCENT: f64 = 100.0;

/// Returns the elements of a shape with the vertices that move. A shape has at least one vertex,
/// because some programs do not accept an empty shape.
fn shape_elements(target: &MorphTarget) -> Vec<Element> {
    let finite = |vectors: &[[f32; 3]], vertex: usize| {
        let vector = vectors.get(vertex).copied().unwrap_or_default();
        if vector.iter().all(|part| part.is_finite()) { vector } else { [0.0; 3] }
    };
    let count = target.positions.len().max(target.normals.len());
    let is_moved = |&vertex: &usize| {
        finite(&target.positions, vertex) != [0.0; 3] || finite(&target.normals, vertex) != [0.0; 3]
    };
    let mut moved: Vec<usize> = (0..count).filter(is_moved).collect();
    if moved.is_empty() {
        moved.push(0);
    }
    let indices: Vec<i32> = moved.iter().map(|&vertex| vertex as i32).collect();
    let positions: Vec<_> = moved.iter().map(|&vertex| finite(&target.positions, vertex)).collect();
    let normals: Vec<f64> =
        moved.iter().flat_map(|&vertex| finite(&target.normals, vertex).map(f64::from)).collect();
    vec![
        element("Version", 100),
        element("Indexes", Array::of_i32(&indices)),
        element("Vertices", centimetres(&positions)),
        element("Normals", Array::of_f64(&normals)),
    ]
}

/// Adds the curves of morph weights. Returns the indices of the signals that are used.
pub(super) fn animate_morph_weights(
    model: &clip::Model,
    added: &[AddedMesh],
    job: &Job<'_>,
    builder: &mut Builder<'_>,
    report: &mut Report,
) -> Result<BTreeSet<usize>, ExportError> {
    let mut signals = SignalTracer::new(job);
    let mut used_signals = BTreeSet::new();
    let mut mesh_count = 0;
    for mesh in added {
        let weights = MorphWeights::new(job.clip, &model.pieces[mesh.piece]);
        mesh_count += usize::from(weights.is_animated());
        for (target, &channel) in mesh.channels.iter().enumerate() {
            let mut terms = Vec::new();
            for (signal, factor) in weights.signals(target) {
                let track = job.clip.signals[signal].track;
                let curve = signals.trace_curve(track)?;
                if let SignalCurve::Numbers(curve) = signals.fill_nulls(track, curve) {
                    let factor = f64::from(factor);
                    terms.push(curve.map(|number| number * factor));
                    used_signals.insert(signal);
                }
            }
            let rest = f64::from(weights.rest_weight(target));
            if let Some(curve) = sum_curves(&terms, rest, job) {
                let property = AnimatedProperty::deform_percent(channel);
                let percent = |weight: f64| [weight * PERCENT];
                builder.animation.add(&property, &curve, percent, &mut builder.scene);
            }
        }
    }
    signals.report(report);
    if mesh_count > 0 {
        let meshes = format_count(mesh_count, "mesh");
        report.info(format!("{meshes} with moving morph targets"));
    }
    Ok(used_signals)
}

/// Returns the sum of curves and a constant, or `None` if there is no curve.
fn sum_curves(terms: &[KeyedCurve<f64>], constant: f64, job: &Job<'_>) -> Option<KeyedCurve<f64>> {
    if let [only] = terms {
        return Some(only.map(|number| number + constant));
    }
    let mut times: Vec<f64> =
        terms.iter().flat_map(|term| term.keys()).map(|key| key.time).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let value_at = |time: f64| constant + terms.iter().map(|term| term.value_at(time)).sum::<f64>();
    let mut keys: Vec<Key<f64>> = Vec::with_capacity(times.len());
    for (index, &time) in times.iter().enumerate() {
        let segment_of = |term: &KeyedCurve<f64>| {
            let next = term.keys().partition_point(|key| key.time <= time);
            next.checked_sub(1).map_or(SegmentKind::Constant, |index| term.keys()[index].segment)
        };
        let kinds: Vec<SegmentKind> = terms.iter().map(segment_of).collect();
        let holds = kinds.contains(&SegmentKind::Hold);
        let is_linear = kinds.contains(&SegmentKind::Linear);
        let segment = if is_linear { SegmentKind::Linear } else { SegmentKind::Hold };
        keys.push(Key { time, value: value_at(time), segment });
        // A jump at the next key needs a key before it, because the sum is not held until then.
        if let Some(&next) = times.get(index + 1).filter(|_| holds && is_linear) {
            let before = next - job.time_steps.step_within(time, next);
            let segment = SegmentKind::Hold;
            keys.push(Key { time: before, value: value_at(before), segment });
        }
    }
    (!keys.is_empty()).then(|| KeyedCurve::new(keys))
}
