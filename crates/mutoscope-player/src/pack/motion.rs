//! The motion of nodes, of the parts of figures and of views, within the bounds.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Likeness, NodeId, PartParent, Pose, Transform},
    export::{
        ExportError, Job, Report, Watch, counted,
        traced::{FIGURE_TOLERANCE, Figures, Interpolate, KeyedCurve, Motions, NodeMotion},
    },
};

use super::{
    budget::{Bounds, Budget, NodeBudget},
    chunks::Chunks,
    describe::{BoundsOf, Node, bounds_in_words},
    meshes::Meshes,
    quantise::{self, grid_step},
};

/// The channels of a node with keys: the bits of [`Node::keyed`].
const TRANSLATION: u8 = 1;
const ROTATION: u8 = 2;
const SCALE: u8 = 4;
const SHOWN: u8 = 8;
const SIZE: u8 = 16;

/// The parts of a bound that skipped keys and whole numbers take; the rest is the tracing's.
const SKIPPED: f64 = 0.45;
const WHOLE: f64 = 0.45;

/// The error of the whole numbers of figures' parts, in metres and radians.
const FIGURE_ERROR: f64 = 2e-4;

/// The largest turn from one key to the next, in radians: near half a turn, rounding would decide which way is
/// the shorter.
const LARGEST_TURN: f64 = 2.0;

/// The shortest time between keys that are inserted for that, in seconds.
const SHORTEST: f64 = 1e-5;

/// At how many times the result is compared with the recording.
const CHECKS: u32 = 240;

/// How much of the bounds may be used at the times of the comparison: between these it may be more.
const MARGIN: f64 = 0.8;

/// How often it is packed anew with a smaller budget.
const ATTEMPTS: u32 = 5;

/// The motion of a recording.
pub(super) struct Motion {
    /// The nodes of the recording, then its views, then the parts of figures.
    pub(super) nodes: Vec<Node>,
    /// The bytes of each chunk.
    pub(super) chunks: Vec<Vec<u8>>,
    pub(super) bounds_of_chunks: Vec<f64>,
    pub(super) tick: Option<f64>,
    pub(super) bounds: Option<BoundsOf>,
    pub(super) figure_bounds: Option<[f64; 2]>,
}

/// Packs the motion of the job's clip; `nodes` are its nodes without motion. The meshes of its model and its
/// figures go to `meshes`. `end` is the progress when it is done.
///
/// # Errors
/// If there are too many keys, or the export is cancelled.
pub(super) fn pack(
    job: &Job<'_>,
    bounds: Option<Bounds>,
    nodes: Vec<Node>,
    meshes: &mut Meshes,
    report: &mut Report,
    (watch, end): (&mut Watch<'_>, f64),
) -> Result<Motion, ExportError> {
    let count = nodes.len();
    let mut nodes = nodes;
    let mut share = 1.0;
    for attempt in 1.. {
        if attempt > 1 {
            // Progress does not go back.
            watch.now_up_to(end);
        }
        let mut packing = Packing::new(job, bounds.map(|bounds| bounds.times(share)));
        let mut motions = Motions::new(job, watch)?;
        for (index, node) in nodes.iter_mut().enumerate() {
            watch.ask()?;
            let id = NodeId::new(index);
            let motion = motions.of(id, watch)?;
            packing.node(node, &motion, motions.own_size(id));
        }
        let measured = packing.measured();
        let goes_on = bounds.is_some_and(|bounds| {
            let over = (measured[0] / bounds.position).max(measured[1] / bounds.rotation);
            share *= 0.8 * (MARGIN / over).min(1.0);
            over > MARGIN && job.rate.is_none()
        });
        if goes_on && attempt < ATTEMPTS {
            continue;
        }
        motions.report(report);
        if bounds.is_none() {
            report.info("every key is kept in double precision");
        }
        let bounds = bounds.map(|bounds| told(bounds, measured, job, report));
        views(job.clip, &motions, &mut packing, &mut nodes);
        let hidden: Vec<bool> = nodes[..count].iter().map(|node| node.hidden).collect();
        let figure_bounds = looks(job, &hidden, &mut packing, &mut nodes, meshes, report, watch)?;
        let Packing { chunks, .. } = packing;
        return Ok(Motion {
            nodes,
            bounds_of_chunks: chunks.bounds.clone(),
            tick: chunks.tick,
            chunks: chunks.bytes().collect(),
            bounds,
            figure_bounds,
        });
    }
    unreachable!("the last attempt ends it")
}

/// Reports the bounds and the largest differences.
fn told(bounds: Bounds, measured: [f64; 2], job: &Job<'_>, report: &mut Report) -> BoundsOf {
    let times = CHECKS as usize;
    let words = bounds_in_words(bounds, measured, times);
    let is_within = measured[0] <= bounds.position && measured[1] <= bounds.rotation;
    match (job.rate, is_within) {
        // Between its samples the motion is that of the samples, not of the recording.
        (Some(_), _) => report.info(format!(
            "positions within {:.3} mm and rotations within {:.3}° of the samples, in the world",
            bounds.position * 1e3,
            bounds.rotation.to_degrees(),
        )),
        (None, true) => report.info(words),
        (None, false) => report.warning(format!("not {words}. Keep all: --exact")),
    }
    BoundsOf { position: bounds.position, rotation: bounds.rotation, measured, times }
}

/// A recording that is being packed.
struct Packing<'a> {
    clip: &'a Clip,
    chunks: Chunks,
    /// Nothing where values stay as they are.
    budget: Option<Budget>,
    bounds: Option<Bounds>,
    is_placeholder: bool,
    /// For each node of the recording its transform at each of the times to check, relative to its parent.
    read: Vec<Vec<Transform>>,
}

impl<'a> Packing<'a> {
    fn new(job: &'a Job<'a>, bounds: Option<Bounds>) -> Self {
        let Job { clip, from, to, .. } = *job;
        // Parts of a whole that are nowhere near any multiple of a key's.
        let part = |index: u32| (0.5 + f64::from(index) * 0.618_033_988_749_895).fract();
        let mut checks: Vec<f64> =
            (0..CHECKS).map(|index| from + (to - from) * part(index)).collect();
        checks.sort_unstable_by(f64::total_cmp);
        let is_exact = bounds.is_none();
        Self {
            clip,
            chunks: Chunks::new(from, to, clip.key_count(), is_exact, checks),
            budget: bounds.map(|bounds| Budget::new(clip, from, to, bounds)),
            bounds,
            is_placeholder: clip.is_nowhere()
                && matches!(clip.skeleton, mutoscope_core::clip::Skeleton::Unplaced(_)),
            read: Vec::with_capacity(clip.nodes.len()),
        }
    }

    /// Packs the motion of the recording's next node.
    fn node(&mut self, node: &mut Node, motion: &NodeMotion, size: Option<&KeyedCurve<DVec3>>) {
        let budget = self.budget.as_ref().map(|budget| budget.of(self.read.len()));
        node.keyed = 0;
        let read = self.motion(node, motion, budget);
        if self.is_placeholder {
            node.hidden = false;
        }
        if let Some(size) = size {
            match size.is_still() {
                true => node.size = Some(size.first().to_array()),
                false => {
                    node.keyed |= SIZE;
                    self.vectors(size, budget.map(|_| 1e-4));
                }
            }
        }
        self.read.push(read);
    }

    /// Packs a motion, and returns it as it will be read at the times to check.
    fn motion(
        &mut self,
        node: &mut Node,
        motion: &NodeMotion,
        budget: Option<NodeBudget>,
    ) -> Vec<Transform> {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        let translation = simplified(translation, budget.map(|budget| budget.position));
        let rotation = simplified(rotation, budget.map(|budget| budget.rotation));
        let rotation = rotation.with_turns_of(LARGEST_TURN, SHORTEST);
        let scale = simplified(scale, budget.map(|budget| budget.scale));
        let stands = Transform {
            translation: translation.first(),
            rotation: rotation.first(),
            scale: scale.first(),
        };
        node.stand(&stands);
        node.hidden = motion.is_never_shown();
        let mut read = vec![stands; self.chunks.checks.len()];
        if !translation.is_still() {
            node.keyed |= TRANSLATION;
            let values = self.vectors(&translation, budget.map(|budget| budget.position));
            read.iter_mut().zip(values).for_each(|(read, value)| read.translation = value);
        }
        if !rotation.is_still() {
            node.keyed |= ROTATION;
            let values = self.rotations(&rotation, budget.map(|budget| budget.rotation));
            read.iter_mut().zip(values).for_each(|(read, value)| read.rotation = value);
        }
        if !scale.is_still() {
            node.keyed |= SCALE;
            let values = self.vectors(&scale, budget.map(|budget| budget.scale));
            read.iter_mut().zip(values).for_each(|(read, value)| read.scale = value);
        }
        if !shown.is_still() && !self.is_placeholder {
            node.keyed |= SHOWN;
            self.visibility(shown);
        }
        read
    }

    fn visibility(&mut self, shown: &KeyedCurve<bool>) {
        self.chunks.add(shown, |values, out| {
            values.iter().for_each(|&value| out.byte(u8::from(value)));
            values.to_vec()
        });
    }

    fn vectors(&mut self, curve: &KeyedCurve<DVec3>, bound: Option<f64>) -> Vec<DVec3> {
        let Some(bound) = bound else {
            return self.chunks.add(curve, |values, out| {
                values.iter().for_each(|value| {
                    value.to_array().into_iter().for_each(|part| out.double(part));
                });
                values.to_vec()
            });
        };
        let most = curve.keys().iter().map(|key| key.value.abs().max_element()).fold(0.0, f64::max);
        let step = grid_step(WHOLE * bound, most);
        self.chunks.add(curve, |values, out| {
            out.double(step);
            quantise::points(values, step, out)
        })
    }

    fn rotations(&mut self, curve: &KeyedCurve<DQuat>, bound: Option<f64>) -> Vec<DQuat> {
        let Some(bound) = bound else {
            return self.chunks.add(curve, |values, out| {
                values.iter().for_each(|value| {
                    value.to_array().into_iter().for_each(|part| out.double(part));
                });
                values.to_vec()
            });
        };
        let step = grid_step(WHOLE * bound, 0.0);
        self.chunks.add(curve, |values, out| {
            out.double(step);
            quantise::turns(values, step, out)
        })
    }

    /// The largest differences from the recording in the world at the times to check: metres, radians.
    fn measured(&self) -> [f64; 2] {
        let (mut pose, mut most) = (Pose::default(), [0.0_f64; 2]);
        let nodes = &self.clip.nodes;
        let mut worlds = vec![(DMat3::IDENTITY, Transform::IDENTITY); nodes.len()];
        for (check, &time) in self.chunks.checks.iter().enumerate() {
            self.clip.sample_motion(time, &mut pose);
            for &id in nodes.parents_first() {
                let local = self.read[id.index()][check];
                let parent = nodes[id].parent.map(|parent| worlds[parent.index()]);
                let (linear, parent) = parent.unwrap_or((DMat3::IDENTITY, Transform::IDENTITY));
                let own = Transform {
                    translation: parent.translation + linear * local.translation,
                    rotation: (parent.rotation * local.rotation).normalize(),
                    scale: DVec3::ONE,
                };
                worlds[id.index()] = (linear * local.turned_and_scaled(), own);
                let is = pose.nodes[id.index()].world;
                if !is.is_finite() {
                    continue;
                }
                most[0] = most[0].max(own.translation.distance(is.translation));
                most[1] = most[1].max(Interpolate::distance(own.rotation, is.rotation));
            }
        }
        most
    }
}

/// The curve without the keys that it does not need within a part of its bound.
fn simplified<T: Interpolate>(curve: &KeyedCurve<T>, bound: Option<f64>) -> KeyedCurve<T> {
    bound.map_or_else(|| curve.clone(), |bound| curve.simplified(SKIPPED * bound))
}

/// Adds a node for each view of the recording.
fn views(clip: &Clip, motions: &Motions<'_>, packing: &mut Packing<'_>, nodes: &mut Vec<Node>) {
    for (view, motion) in clip.views().iter().zip(motions.views()) {
        let mut node = Node::new(&view.name, "view", None);
        node.angle = Some(view.vertical_angle);
        packing.motion(&mut node, motion, packing.bounds.map(NodeBudget::alone));
        nodes.push(node);
    }
}

/// Adds what the recording looks like: its model, or its likeness with the parts of figures.
fn looks(
    job: &Job<'_>,
    hidden: &[bool],
    packing: &mut Packing<'_>,
    nodes: &mut Vec<Node>,
    meshes: &mut Meshes,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<Option<[f64; 2]>, ExportError> {
    if let Some(model) = job.clip.model() {
        meshes.add_model(model, report);
        return Ok(None);
    }
    let Some(likeness) = job.clip.likeness() else { return Ok(None) };
    meshes.add_model(&likeness.model, report);
    meshes.add_parts(&likeness);
    if likeness.skipped_meshes > 0 {
        let skipped = likeness.skipped_meshes;
        report.warning(format!("{skipped} of the meshes of figures skipped: too many"));
    }
    figures(job, &likeness, hidden, packing, nodes, report, watch)
}

/// Adds the parts of all figures that are visible at any time.
fn figures(
    job: &Job<'_>,
    likeness: &Likeness,
    hidden: &[bool],
    packing: &mut Packing<'_>,
    nodes: &mut Vec<Node>,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<Option<[f64; 2]>, ExportError> {
    let (mut figures, mut count) = (Figures::default(), 0);
    let error = packing.bounds.map(|_| FIGURE_ERROR / WHOLE);
    for figure in &likeness.figures {
        watch.ask()?;
        if hidden[figure.node.index()] {
            continue;
        }
        let motions = figures.parts(job, figure, watch)?;
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
            packing.part(&mut node, motion, error);
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
        counted(count, "figure")
    ));
    Ok(Some([bound; 2]))
}

impl Packing<'_> {
    /// Packs the motion of a part, which was simplified as it was traced.
    fn part(&mut self, node: &mut Node, motion: &NodeMotion, error: Option<f64>) {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        node.stand(&motion.first());
        if !translation.is_still() {
            node.keyed |= TRANSLATION;
            self.vectors(translation, error);
        }
        if !rotation.is_still() {
            node.keyed |= ROTATION;
            self.rotations(&rotation.with_turns_of(LARGEST_TURN, SHORTEST), error);
        }
        if !scale.is_still() {
            node.keyed |= SCALE;
            self.vectors(scale, error);
        }
        if !shown.is_still() {
            node.keyed |= SHOWN;
            self.visibility(shown);
        }
    }
}
