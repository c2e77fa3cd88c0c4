//! Packs the motion of nodes, figure parts and views, within the bounds.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, ExportModel, NodeId, PartParent, Pose, Transform},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report,
        traced::{FIGURE_TOLERANCE, Figures, Interpolate, KeyedCurve, Motions, NodeMotion},
    },
};

use super::{
    budget::{Bounds, Budget, NodeBudget},
    chunks::{Chunks, SIMPLIFICATION_SHARE},
    describe::{MeasuredBounds, Node, format_bounds},
    meshes::Meshes,
};

const TRANSLATION_KEYS: u8 = 1;
const ROTATION_KEYS: u8 = 2;
const SCALE_KEYS: u8 = 4;
const VISIBILITY_KEYS: u8 = 8;
const OWN_SCALE_KEYS: u8 = 16;

/// The error of figure parts, in metres and radians, in addition to that of tracing.
const FIGURE_ERROR: f64 = 2e-4;

/// The largest rotation between two keys, in radians. It must be well below π: near π, rounding
/// errors would decide in which direction the player rotates.
const MAX_KEY_ROTATION: f64 = 2.0;

const MIN_INSERTED_GAP_S: f64 = 1e-5;

const CHECK_COUNT: u32 = 240;

/// The share of the bounds that the errors at the check times may use. The rest is a reserve,
/// because the errors between the check times may be larger.
const MAX_BOUND_SHARE: f64 = 0.8;

const MAX_ATTEMPTS: u32 = 5;

pub(super) struct PackedMotion {
    /// The nodes of the recording, followed by its views and the figure parts.
    pub(super) nodes: Vec<Node>,
    pub(super) chunks: Vec<Vec<u8>>,
    pub(super) chunk_boundaries: Vec<f64>,
    pub(super) tick: Option<f64>,
    pub(super) bounds: Option<MeasuredBounds>,
    pub(super) figure_bounds: Option<[f64; 2]>,
}

pub(super) fn pack_motion(
    job: &Job<'_>,
    bounds: Option<Bounds>,
    nodes: Vec<Node>,
    meshes: &mut Meshes,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<PackedMotion, ExportError> {
    let count = nodes.len();
    let mut nodes = nodes;
    let mut share = 1.0;
    for attempt in 1.. {
        // Only the first attempt reports progress. In further attempts both phases begin at their
        // end, so that the progress does not go back.
        let tracing_end = match (attempt, &job.clip.procedural) {
            // The nodes of a procedural animation are traced together, before they are packed.
            (1, Some(_)) => 0.7,
            (1, None) => 0.0,
            _ => 0.8,
        };
        progress.begin_phase(tracing_end);
        let mut packer = MotionPacker::new(job, bounds.map(|bounds| bounds.scaled_by(share)));
        let mut motions = Motions::new(job, progress)?;
        progress.begin_phase(0.8);
        let own_scales: Vec<Option<KeyedCurve<DVec3>>> =
            (0..count).map(|index| motions.own_scale(NodeId::new(index)).cloned()).collect();
        let ids: Vec<NodeId> = (0..count).map(NodeId::new).collect();
        let convert = |id: NodeId, motion: NodeMotion| {
            let (mut node, mut chunks) =
                (nodes[id.index()].clone(), packer.chunks.without_curves());
            let size = own_scales[id.index()].as_ref();
            let stored = packer.pack_node(id, &mut node, &motion, size, &mut chunks);
            Ok((node, chunks, stored))
        };
        let mut packed = Vec::with_capacity(count);
        motions.convert_nodes(&ids, progress, convert, |_, node| {
            packed.push(node);
            Ok(())
        })?;
        nodes.clear();
        for (node, chunks, stored) in packed {
            nodes.push(node);
            packer.chunks.append(chunks);
            packer.stored.push(stored);
        }
        let measured = packer.measure_errors();
        let exceeds_bounds = bounds.is_some_and(|bounds| {
            let over = (measured[0] / bounds.position).max(measured[1] / bounds.rotation);
            share *= 0.8 * (MAX_BOUND_SHARE / over).min(1.0);
            over > MAX_BOUND_SHARE && job.rate.is_none()
        });
        if exceeds_bounds && attempt < MAX_ATTEMPTS {
            continue;
        }
        motions.report(report);
        if bounds.is_none() {
            report.info("every key is kept in double precision");
        }
        let bounds = bounds.map(|bounds| report_bounds(bounds, measured, job, report));
        pack_views(job.clip, &motions, &mut packer, &mut nodes);
        let hidden: Vec<bool> = nodes[..count].iter().map(|node| node.hidden).collect();
        let figure_bounds =
            pack_appearance(job, &hidden, &mut packer, &mut nodes, meshes, report, progress)?;
        let MotionPacker { chunks, .. } = packer;
        return Ok(PackedMotion {
            nodes,
            chunk_boundaries: chunks.boundaries.clone(),
            tick: chunks.tick,
            chunks: chunks.into_chunk_bytes().collect(),
            bounds,
            figure_bounds,
        });
    }
    unreachable!("the last attempt returns")
}

fn report_bounds(
    bounds: Bounds,
    measured: [f64; 2],
    job: &Job<'_>,
    report: &mut Report,
) -> MeasuredBounds {
    let times = CHECK_COUNT as usize;
    let text = format_bounds(bounds, measured, times);
    let is_within = measured[0] <= bounds.position && measured[1] <= bounds.rotation;
    match (job.rate, is_within) {
        // Resampling changes the motion between the samples, so compare the packed motion only at
        // the samples.
        (Some(_), _) => report.info(format!(
            "positions within {:.3} mm and rotations within {:.3}° of the samples, in the world",
            bounds.position * 1e3,
            bounds.rotation.to_degrees(),
        )),
        (None, true) => report.info(text),
        (None, false) => {
            report.warning(format!("bounds exceeded: {text}. Keep every key with --exact"))
        }
    }
    MeasuredBounds { position: bounds.position, rotation: bounds.rotation, measured, times }
}

struct MotionPacker<'a> {
    clip: &'a Clip,
    chunks: Chunks,
    /// The error budget of each node. `None` keeps all values exactly.
    budget: Option<Budget>,
    bounds: Option<Bounds>,
    is_placeholder: bool,
    /// For each node, the transform that the player will read at each check time. The transform is
    /// relative to the parent.
    stored: Vec<Vec<Transform>>,
}

impl<'a> MotionPacker<'a> {
    fn new(job: &'a Job<'a>, bounds: Option<Bounds>) -> Self {
        let Job { clip, from, to, .. } = *job;
        // Multiples of the golden ratio fill the range evenly. Except for the middle, they do not
        // coincide with evenly spaced keys.
        let share = |index: u32| (0.5 + f64::from(index) * 0.618_033_988_749_895).fract();
        let mut check_times: Vec<f64> =
            (0..CHECK_COUNT).map(|index| from + (to - from) * share(index)).collect();
        check_times.sort_unstable_by(f64::total_cmp);
        let is_exact = bounds.is_none();
        Self {
            clip,
            chunks: Chunks::new(from, to, clip.key_count(), is_exact, check_times),
            budget: bounds.map(|bounds| Budget::new(clip, from, to, bounds)),
            bounds,
            is_placeholder: clip.needs_skeleton()
                && matches!(clip.skeleton, mutoscope_core::clip::Skeleton::WithoutOffsets(_)),
            stored: Vec::with_capacity(clip.nodes.len()),
        }
    }

    /// Packs a node, and returns the transforms that the player will read at the check times.
    fn pack_node(
        &self,
        id: NodeId,
        node: &mut Node,
        motion: &NodeMotion,
        size: Option<&KeyedCurve<DVec3>>,
        chunks: &mut Chunks,
    ) -> Vec<Transform> {
        let budget = self.budget.as_ref().map(|budget| budget.node_budget(id.index()));
        node.keyed = 0;
        let stored = self.pack_node_motion(node, motion, budget, chunks);
        if self.is_placeholder {
            node.hidden = false;
        }
        if let Some(size) = size {
            match size.is_constant() {
                true => node.size = Some(size.first_value().to_array()),
                false => {
                    node.keyed |= OWN_SCALE_KEYS;
                    pack_vectors(size, budget.map(|_| 1e-4), chunks);
                }
            }
        }
        stored
    }

    fn pack_node_motion(
        &self,
        node: &mut Node,
        motion: &NodeMotion,
        budget: Option<NodeBudget>,
        chunks: &mut Chunks,
    ) -> Vec<Transform> {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        let constant = motion.first_transform();
        node.set_constant_transform(&constant);
        node.hidden = motion.is_never_shown();
        let mut stored = vec![constant; chunks.check_times.len()];
        let bound = budget.map(|budget| budget.position);
        if needs_keys(translation, bound) {
            node.keyed |= TRANSLATION_KEYS;
            let values = pack_vectors(translation, bound, chunks);
            stored.iter_mut().zip(values).for_each(|(stored, value)| stored.translation = value);
        }
        let bound = budget.map(|budget| budget.rotation);
        if needs_keys(rotation, bound) {
            node.keyed |= ROTATION_KEYS;
            let values = pack_rotations(rotation, bound, chunks);
            stored.iter_mut().zip(values).for_each(|(stored, value)| stored.rotation = value);
        }
        let bound = budget.map(|budget| budget.scale);
        if needs_keys(scale, bound) {
            node.keyed |= SCALE_KEYS;
            let values = pack_vectors(scale, bound, chunks);
            stored.iter_mut().zip(values).for_each(|(stored, value)| stored.scale = value);
        }
        if !shown.is_constant() && !self.is_placeholder {
            node.keyed |= VISIBILITY_KEYS;
            pack_visibility(shown, chunks);
        }
        stored
    }

    /// Returns the largest errors in world space at the check times, in metres and radians.
    fn measure_errors(&self) -> [f64; 2] {
        let (mut pose, mut largest) = (Pose::default(), [0.0_f64; 2]);
        let nodes = &self.clip.nodes;
        let mut worlds = vec![(DMat3::IDENTITY, Transform::IDENTITY); nodes.len()];
        for (check, &time) in self.chunks.check_times.iter().enumerate() {
            self.clip.sample_motion(time, &mut pose);
            for &id in nodes.parents_first() {
                let local = self.stored[id.index()][check];
                let parent = nodes[id].parent.map(|parent| worlds[parent.index()]);
                let (linear, parent) = parent.unwrap_or((DMat3::IDENTITY, Transform::IDENTITY));
                let own = Transform {
                    translation: parent.translation + linear * local.translation,
                    rotation: (parent.rotation * local.rotation).normalize(),
                    scale: DVec3::ONE,
                };
                worlds[id.index()] = (linear * local.linear_matrix(), own);
                let expected = pose[id].world;
                if !expected.is_finite() {
                    continue;
                }
                largest[0] = largest[0].max(own.translation.distance(expected.translation));
                largest[1] = largest[1].max(Interpolate::distance(own.rotation, expected.rotation));
            }
        }
        largest
    }
}

fn pack_visibility(shown: &KeyedCurve<bool>, chunks: &mut Chunks) {
    chunks.add_exact_curve(shown, |value, out| out.write_u8(u8::from(value)));
}

/// Packs a curve within `bound`, or exactly if there is no bound.
fn pack_vectors(curve: &KeyedCurve<DVec3>, bound: Option<f64>, chunks: &mut Chunks) -> Vec<DVec3> {
    let Some(bound) = bound else {
        return chunks.add_exact_curve(curve, |value, out| {
            value.to_array().into_iter().for_each(|part| out.write_f64(part));
        });
    };
    chunks.add_curve(curve, |curve| curve.simplified(SIMPLIFICATION_SHARE * bound), bound)
}

/// Packs a curve within `bound`, or exactly if there is no bound.
fn pack_rotations(
    curve: &KeyedCurve<DQuat>,
    bound: Option<f64>,
    chunks: &mut Chunks,
) -> Vec<DQuat> {
    let split =
        |curve: &KeyedCurve<DQuat>| curve.with_max_turn(MAX_KEY_ROTATION, MIN_INSERTED_GAP_S);
    let Some(bound) = bound else {
        return chunks.add_exact_curve(&split(curve), |value, out| {
            value.to_array().into_iter().for_each(|part| out.write_f64(part));
        });
    };
    let simplify =
        |curve: &KeyedCurve<DQuat>| split(&curve.simplified(SIMPLIFICATION_SHARE * bound));
    chunks.add_curve(&split(curve), simplify, bound)
}

/// Returns `true` if a page needs more than the first value to stay within `bound`.
fn needs_keys<T: Interpolate>(curve: &KeyedCurve<T>, bound: Option<f64>) -> bool {
    let Some(bound) = bound else { return !curve.is_constant() };
    let max_distance = SIMPLIFICATION_SHARE * bound;
    curve.keys().iter().any(|key| key.value.distance(curve.first_value()) > max_distance)
}

fn pack_views(
    clip: &Clip,
    motions: &Motions<'_>,
    packer: &mut MotionPacker<'_>,
    nodes: &mut Vec<Node>,
) {
    for (view, motion) in clip.views().iter().zip(motions.views()) {
        let mut node = Node::new(&view.name, "view", None);
        node.angle = Some(view.vertical_fov_degrees);
        let budget = packer.bounds.map(NodeBudget::for_single_node);
        let mut chunks = packer.chunks.without_curves();
        packer.pack_node_motion(&mut node, motion, budget, &mut chunks);
        packer.chunks.append(chunks);
        nodes.push(node);
    }
}

fn pack_appearance(
    job: &Job<'_>,
    hidden: &[bool],
    packer: &mut MotionPacker<'_>,
    nodes: &mut Vec<Node>,
    meshes: &mut Meshes,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<Option<[f64; 2]>, ExportError> {
    if let Some(model) = job.clip.model() {
        meshes.add_model(model, report);
        return Ok(None);
    }
    let Some(export_model) = job.clip.export_model() else { return Ok(None) };
    meshes.add_model(&export_model.model, report);
    meshes.add_parts(&export_model);
    if export_model.skipped_meshes > 0 {
        let skipped = export_model.skipped_meshes;
        report.warning(format!("{skipped} figure meshes skipped: too many"));
    }
    pack_figures(job, &export_model, hidden, packer, nodes, report, progress)
}

fn pack_figures(
    job: &Job<'_>,
    export_model: &ExportModel,
    hidden: &[bool],
    packer: &mut MotionPacker<'_>,
    nodes: &mut Vec<Node>,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<Option<[f64; 2]>, ExportError> {
    let (mut figures, mut count) = (Figures::default(), 0);
    let error = packer.bounds.map(|_| FIGURE_ERROR);
    for figure in &export_model.figures {
        progress.check_cancelled()?;
        if hidden[figure.node.index()] {
            continue;
        }
        let motions = figures.trace_parts(job, figure, progress)?;
        let mut indices: Vec<Option<usize>> = Vec::with_capacity(figure.parts.len());
        for (part, motion) in figure.parts.iter().zip(&motions) {
            let parent = match part.parent {
                PartParent::Node(node) => Some(node.index()),
                PartParent::Part(part) => indices.get(part).copied().flatten(),
            };
            let Some(parent) = parent.filter(|_| !motion.is_never_shown()) else {
                indices.push(None);
                continue;
            };
            let mut node = Node::new(&part.name, "part", Some(parent));
            node.mesh = part.mesh;
            pack_part(&mut node, motion, error, &mut packer.chunks);
            indices.push(Some(nodes.len()));
            nodes.push(node);
        }
        count += 1;
    }
    figures.report(report);
    if count == 0 {
        return Ok(None);
    }
    let bound = FIGURE_TOLERANCE + error.map_or(0.0, |_| FIGURE_ERROR);
    report.info(format!(
        "with {}; their joints are within {bound:.4} m or rad of the formulas",
        format_count(count, "figure")
    ));
    Ok(Some([bound; 2]))
}

fn pack_part(node: &mut Node, motion: &NodeMotion, error: Option<f64>, chunks: &mut Chunks) {
    let NodeMotion { translation, rotation, scale, shown } = motion;
    node.set_constant_transform(&motion.first_transform());
    if needs_keys(translation, error) {
        node.keyed |= TRANSLATION_KEYS;
        pack_vectors(translation, error, chunks);
    }
    if needs_keys(rotation, error) {
        node.keyed |= ROTATION_KEYS;
        pack_rotations(rotation, error, chunks);
    }
    if needs_keys(scale, error) {
        node.keyed |= SCALE_KEYS;
        pack_vectors(scale, error, chunks);
    }
    if !shown.is_constant() {
        node.keyed |= VISIBILITY_KEYS;
        pack_visibility(shown, chunks);
    }
}
