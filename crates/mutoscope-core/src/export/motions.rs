//! Traces the motions of all nodes of a clip.

use std::{collections::HashMap, rc::Rc};

use glam::DVec3;

use super::{
    ExportError, Job, Progress, Report,
    budget::EvaluationBudget,
    key_times,
    keyed_curve::KeyedCurve,
    node_motion::{NodeMotion, NodeTracer},
    thinning::Thinning,
    tracer::{self, TraceStats, Tracer},
};
use crate::clip::{
    Clip, Hint, Node, NodeId, NodePose, NodeVisibility, Pose, ScaleInheritance, StraightGaps,
    StraightParts, TrackId, Transform,
};
use crate::{diagnostics::format_count, io::parallel::map_in_order};

/// The motions of the nodes of a clip.
///
/// Each node is traced when it is requested, at its own key times. All nodes are traced together in
/// two cases: a procedural animation moves the nodes, or children do not inherit scales as targets
/// expect.
pub struct Motions<'a> {
    job: &'a Job<'a>,
    together: Option<TracedTogether>,
    stats: TraceStats,
    space: MotionSpace,
    thinning: Option<Thinning>,
}

/// The space of the motions of nodes. In both spaces, the axes are those of the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MotionSpace {
    /// Relative to the parent.
    Parent,
    World,
}

struct TracedTogether {
    nodes: Vec<NodeMotion>,
    views: Vec<NodeMotion>,
    /// The scale that each node does not pass on to its children. Empty if children inherit scales.
    own_scales: Vec<KeyedCurve<DVec3>>,
}

impl<'a> Motions<'a> {
    /// Creates the motions within the range of `job`. If the nodes have to be traced together, this
    /// traces them.
    ///
    /// # Errors
    /// Fails if there are too many keys, or if the export is cancelled.
    pub fn new(job: &'a Job<'a>, progress: &mut Progress<'_>) -> Result<Self, ExportError> {
        let mut motions = Self::untraced(job, MotionSpace::Parent);
        if job.clip.procedural.is_some() || has_own_scales(job.clip) {
            motions.together = Some(motions.trace_together(progress)?);
        }
        Ok(motions)
    }

    /// Creates the motions like [`Self::new`], but in world space instead of relative to the
    /// parents.
    ///
    /// # Errors
    /// Fails if there are too many keys, or if the export is cancelled.
    pub fn in_world(job: &'a Job<'a>, progress: &mut Progress<'_>) -> Result<Self, ExportError> {
        let mut motions = Self::untraced(job, MotionSpace::World);
        motions.together = Some(motions.trace_together(progress)?);
        Ok(motions)
    }

    fn untraced(job: &'a Job<'a>, space: MotionSpace) -> Self {
        let (together, stats, thinning) = (None, TraceStats::default(), job.thinning());
        Self { job, together, stats, space, thinning }
    }

    /// Thins keys to these bounds, instead of those that the user chose.
    pub(super) fn with_thinning(self, thinning: Option<Thinning>) -> Self {
        Self { thinning, ..self }
    }

    /// Returns the motion of a node.
    ///
    /// # Errors
    /// Fails if there are too many keys, or if the export is cancelled.
    pub fn node_motion(
        &mut self,
        id: NodeId,
        progress: &mut Progress<'_>,
    ) -> Result<NodeMotion, ExportError> {
        let (motion, stats) = self.trace_node(id, progress)?;
        self.stats.add(stats);
        Ok(motion)
    }

    /// Converts the motion of each of `nodes` with `convert`, on several threads, and passes the
    /// results to `take` in the order of `nodes`. The results do not depend on the number of
    /// threads.
    ///
    /// # Errors
    /// Fails for the same reasons as [`Self::node_motion`], and if `convert` or `take` fails.
    pub fn convert_nodes<R: Send>(
        &mut self,
        nodes: &[NodeId],
        progress: &mut Progress<'_>,
        convert: impl Fn(NodeId, NodeMotion) -> Result<R, ExportError> + Sync,
        mut take: impl FnMut(NodeId, R) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut total = TraceStats::default();
        let trace = |index: usize, progress: &mut Progress<'_>| {
            let (motion, stats) = self.trace_node(nodes[index], progress)?;
            Ok((convert(nodes[index], motion)?, stats))
        };
        map_in_order(nodes.len(), progress, trace, |index, (result, stats)| {
            total.add(stats);
            take(nodes[index], result)
        })?;
        self.stats.add(total);
        Ok(())
    }

    fn trace_node(
        &self,
        id: NodeId,
        progress: &mut Progress<'_>,
    ) -> Result<(NodeMotion, TraceStats), ExportError> {
        match &self.together {
            // The statistics of all nodes were added when they were traced.
            Some(together) => {
                Ok((self.thin(together.nodes[id.index()].clone()), TraceStats::default()))
            }
            None => {
                let (motion, stats) = self.trace_alone(id, progress)?;
                Ok((self.thin(motion), stats))
            }
        }
    }

    fn thin(&self, motion: NodeMotion) -> NodeMotion {
        match self.thinning {
            Some(thinning) => thinning.thin(&motion),
            None => motion,
        }
    }

    /// Returns the motions of the [views](Clip::views), in the viewer's space. Empty unless the
    /// nodes were traced together.
    pub fn views(&self) -> &[NodeMotion] {
        self.together.as_ref().map_or(&[], |together| &together.views)
    }

    /// Returns the scale of a node if the children of the node do not inherit scales. Returns
    /// `None` if they do, or if the scale is always 1.
    pub fn own_scale(&self, id: NodeId) -> Option<&KeyedCurve<DVec3>> {
        let scale = self.together.as_ref()?.own_scales.get(id.index())?;
        (!scale.is_constant() || scale.first_value() != DVec3::ONE).then_some(scale)
    }

    /// Warns that the target skips scales that the children of a node do not inherit.
    pub fn report_own_scales(&self, report: &mut Report) {
        if has_own_scales(self.job.clip) {
            report.warning(
                "scales of bones reach the offsets of their children only; offsets are scaled, the \
                 scales themselves skipped",
            );
        }
    }

    /// Reports how the motions were traced and their largest error. Call this after all motions are
    /// traced.
    pub fn report(&self, report: &mut Report) {
        let TraceStats { keys, inserted, non_finite, max_error, is_budget_limited } = self.stats;
        match self.job.rate {
            Some(rate) => report.info(format!("sampled at {rate} Hz")),
            None if inserted == 0 => report.info("keys are at the times of the recording's own keys"),
            None => report.info(format!(
                "keys are at the times of the recording's own keys; {} of {keys} are inserted where it is \
                 not linear between them",
                format_count(inserted, "key")
            )),
        }
        if let Some(thinning) = self.job.thinning() {
            report.info(thinning.describe());
        }
        if non_finite > 0 {
            let keys = format_count(non_finite, "key");
            report.warning(format!("{keys} skipped: not finite"));
        }
        let error = format!("up to {max_error:.2e} (metres or radians) off between keys");
        if is_budget_limited {
            report.warning(format!(
                "{error}: following every bend would take more keys than are inserted. Sample it at \
                 a rate: --fps"
            ));
        } else if max_error > 0.0 {
            report.warning(format!("{error}, where it moves too suddenly to follow"));
        }
    }

    fn trace_alone(
        &self,
        id: NodeId,
        progress: &mut Progress<'_>,
    ) -> Result<(NodeMotion, TraceStats), ExportError> {
        const GAPS_PER_CANCEL_CHECK: usize = 1024;
        let Job { clip, .. } = *self.job;
        let node = &clip.nodes[id];
        let tracks = node.motion.tracks();
        let mut hints = [Hint::default(); 2];
        if tracks.is_empty() {
            let (local, shown) = clip.sample_node(id, self.job.from, &mut hints);
            return Ok((NodeMotion::constant(local, shown), TraceStats::default()));
        }
        let times = match self.job.rate {
            Some(rate) => key_times::times_at_rate(self.job, rate)?,
            None => key_times::times_of_tracks(self.job, tracks)?,
        };
        let budget = &EvaluationBudget::for_node(clip.nodes.len());
        let mut straight = StraightGaps::new(clip, node);
        // Keep the latest samples, because the tracers of all channels sample the same times.
        let mut samples: Vec<(f64, (Transform, bool))> = Vec::new();
        let mut at = |time: f64| {
            if let Some(sample) = samples.iter().rev().find(|sample| sample.0 == time) {
                return sample.1;
            }
            if samples.len() > 32 {
                samples.clear();
            }
            let placement = clip.sample_node(id, time, &mut hints);
            budget.spend();
            samples.push((time, placement));
            placement
        };
        let mut tracer = NodeTracer::for_node(self.job, false, node);
        for (index, gap) in times.windows(2).enumerate() {
            if index % GAPS_PER_CANCEL_CHECK == GAPS_PER_CANCEL_CHECK - 1 {
                progress.check_cancelled()?;
            }
            budget.enter_gap();
            tracer.trace_gap(gap[0], gap[1], straight.parts_after(gap[0]), budget, &mut at);
        }
        if self.job.rate.is_some() {
            let times = key_times::or_sample_times(
                key_times::times_of_tracks(self.job, visibility_track(node)),
                &times,
            );
            for (index, gap) in times.windows(2).enumerate() {
                if index % GAPS_PER_CANCEL_CHECK == GAPS_PER_CANCEL_CHECK - 1 {
                    progress.check_cancelled()?;
                }
                budget.enter_gap();
                tracer.trace_visibility(gap[0], gap[1], budget, &mut |time| at(time).1);
            }
        }
        let last = times[times.len() - 1];
        Ok(tracer.finish(last, at(last)))
    }

    fn trace_together(
        &mut self,
        progress: &mut Progress<'_>,
    ) -> Result<TracedTogether, ExportError> {
        let Job { clip, .. } = *self.job;
        let times = match self.job.rate {
            Some(rate) => key_times::times_at_rate(self.job, rate)?,
            None => key_times::times_of_clip(self.job)?,
        };
        let budget = EvaluationBudget::for_poses(clip.nodes.len());
        let mut cache = PoseCache::new(clip, &budget, self.space);
        let node_tracers = clip.nodes.iter().map(|node| NodeTracer::for_node(self.job, true, node));
        let view_tracers = clip.views().into_iter().map(|_| NodeTracer::for_view(self.job));
        let mut tracers: Vec<_> = node_tracers.chain(view_tracers).collect();
        let mut scale_tracers: Vec<_> = match cache.sampler.has_own_scales {
            true => {
                let inserts_keys = self.job.rate.is_none();
                let tracer = |_| Tracer::new(self.job.time_steps, inserts_keys, true);
                clip.nodes.iter().map(tracer).collect()
            }
            false => Vec::new(),
        };
        // Other threads sample the poses that the tracers certainly need. This thread traces.
        let gaps: Vec<[f64; 2]> = times.windows(2).map(|gap| [gap[0], gap[1]]).collect();
        let blocks: Vec<_> = gaps.chunks(gaps_per_block(clip.nodes.len())).collect();
        let sampler = cache.sampler;
        let sample_gap = |&gap: &[f64; 2], pose: &mut Pose| -> Vec<_> {
            let times = self.sample_times(gap);
            times.map(|time| (time.to_bits(), sampler.sample(time, pose))).collect()
        };
        let sample_block = |block: usize, _: &mut Progress<'_>| -> Result<Vec<_>, ExportError> {
            let mut pose = Pose::default();
            Ok(blocks[block].iter().map(|gap| sample_gap(gap, &mut pose)).collect())
        };
        map_in_order(blocks.len(), progress, sample_block, |block, samples| {
            for (&[from, to], samples) in blocks[block].iter().zip(samples) {
                cache.retain_only(from);
                cache.sampled.extend(samples);
                budget.enter_gap();
                for (index, tracer) in tracers.iter_mut().enumerate() {
                    let at = &mut |time: f64| cache.pose_at(time).placements[index];
                    tracer.trace_gap(from, to, StraightParts::default(), &budget, at);
                }
                for (index, tracer) in scale_tracers.iter_mut().enumerate() {
                    let at = &mut |time: f64| cache.pose_at(time).own_scales[index];
                    tracer.trace_gap(from, to, &budget, at);
                }
            }
            Ok(())
        })?;
        if self.job.rate.is_some() {
            self.trace_visibility_together(&times, &mut cache, &mut tracers, progress)?;
        }
        let last = times[times.len() - 1];
        let ends = cache.pose_at(last);
        let ended = tracers.into_iter().zip(ends.placements.iter()).map(|(tracer, &end)| {
            let (motion, stats) = tracer.finish(last, end);
            self.stats.add(stats);
            motion
        });
        let mut nodes: Vec<_> = ended.collect();
        let views = nodes.split_off(clip.nodes.len());
        let own_scales = scale_tracers.into_iter().zip(ends.own_scales.iter());
        let own_scales = own_scales.map(|(tracer, &end)| {
            let (curve, stats) = tracer.finish(last, end);
            self.stats.add(stats);
            curve.unwrap_or(KeyedCurve::constant(DVec3::ONE))
        });
        Ok(TracedTogether { nodes, views, own_scales: own_scales.collect() })
    }

    /// Returns the times at which all tracers sample a gap between two keys, except its start, which
    /// is the end of the gap before. A tracer may need more.
    fn sample_times(&self, [from, to]: [f64; 2]) -> impl Iterator<Item = f64> + use<> {
        let inner = match self.job.rate.is_some() {
            true => None,
            false => tracer::inner_sample_times(self.job.time_steps, from, to),
        };
        inner.into_iter().flatten().chain([to])
    }

    fn trace_visibility_together(
        &self,
        sampled: &[f64],
        cache: &mut PoseCache<'_>,
        tracers: &mut [NodeTracer],
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let clip = self.job.clip;
        let own = match clip.procedural {
            Some(_) => key_times::times_of_clip(self.job),
            None => {
                key_times::times_of_tracks(self.job, clip.nodes.iter().filter_map(visibility_track))
            }
        };
        let times = key_times::or_sample_times(own, sampled);
        let budget = cache.budget;
        for gap in times.windows(2) {
            progress.check_cancelled()?;
            cache.retain_only(gap[0]);
            budget.enter_gap();
            for (index, tracer) in tracers.iter_mut().enumerate() {
                tracer.trace_visibility(gap[0], gap[1], budget, &mut |time| {
                    cache.pose_at(time).placements[index].1
                });
            }
        }
        Ok(())
    }
}

fn visibility_track(node: &Node) -> Option<TrackId> {
    match node.motion.visibility {
        NodeVisibility::While(track) => Some(track),
        NodeVisibility::Always | NodeVisibility::Never => None,
    }
}

/// Returns `true` if a scale moves the children of its node but does not scale them. Targets expect
/// that children inherit scales.
fn has_own_scales(clip: &Clip) -> bool {
    clip.nodes.scale_inheritance() == ScaleInheritance::OffsetOnly && clip.nodes.has_scales()
}

struct SampledPose {
    /// The local transform and the visibility of each node, followed by those of each view.
    placements: Vec<(Transform, bool)>,
    own_scales: Vec<DVec3>,
}

/// Returns the number of gaps whose poses are sampled together. It bounds the memory of the samples
/// that wait for the tracers.
fn gaps_per_block(node_count: usize) -> usize {
    const MAX_TRANSFORMS: usize = 1 << 14;
    const MAX_GAPS: usize = 64;
    (MAX_TRANSFORMS / (tracer::SAMPLES_PER_GAP * node_count.max(1))).clamp(1, MAX_GAPS)
}

#[derive(Clone, Copy)]
struct PoseSampler<'a> {
    clip: &'a Clip,
    space: MotionSpace,
    has_own_scales: bool,
    view_count: usize,
}

impl PoseSampler<'_> {
    /// Samples the clip. `pose` may have any pose of the clip.
    fn sample(&self, time: f64, pose: &mut Pose) -> SampledPose {
        self.clip.sample_motion(time, pose);
        let nodes = pose.nodes.iter().zip(self.clip.nodes.iter());
        let locals = nodes.map(|(node_pose, node)| {
            let local = match self.space {
                MotionSpace::World => node_pose.world,
                MotionSpace::Parent => match node.parent.filter(|_| self.has_own_scales) {
                    Some(parent) => relative_without_scale(&pose[parent].world, &node_pose.world),
                    None if self.has_own_scales => {
                        Transform { scale: DVec3::ONE, ..node_pose.local }
                    }
                    None => node_pose.local,
                },
            };
            let is_shown = node.motion.visibility != NodeVisibility::Never && node_pose.is_visible;
            (local, is_shown)
        });
        let views = (0..self.view_count).map(|view| (self.clip.view_transform(view, time), true));
        let own_scale = |node_pose: &NodePose| node_pose.local.scale;
        let scaled = pose.nodes.iter().filter(|_| self.has_own_scales);
        SampledPose {
            placements: locals.chain(views).collect(),
            own_scales: scaled.map(own_scale).collect(),
        }
    }
}

struct PoseCache<'a> {
    sampler: PoseSampler<'a>,
    budget: &'a EvaluationBudget,
    pose: Pose,
    poses: HashMap<u64, Rc<SampledPose>>,
    /// Poses that other threads have sampled, and that no tracer has needed so far.
    sampled: HashMap<u64, SampledPose>,
}

impl<'a> PoseCache<'a> {
    fn new(clip: &'a Clip, budget: &'a EvaluationBudget, space: MotionSpace) -> Self {
        let (has_own_scales, view_count) = (has_own_scales(clip), clip.views().len());
        let sampler = PoseSampler { clip, space, has_own_scales, view_count };
        let (pose, poses, sampled) = (Pose::default(), HashMap::new(), HashMap::new());
        Self { sampler, budget, pose, poses, sampled }
    }

    fn retain_only(&mut self, time: f64) {
        self.poses.retain(|bits, _| *bits == time.to_bits());
        self.sampled.clear();
    }

    fn pose_at(&mut self, time: f64) -> Rc<SampledPose> {
        const MAX_CACHED_TRANSFORMS: usize = 1 << 18;
        if let Some(pose) = self.poses.get(&time.to_bits()) {
            return Rc::clone(pose);
        }
        if self.poses.len() * self.sampler.clip.nodes.len() >= MAX_CACHED_TRANSFORMS {
            self.poses.clear();
        }
        // Count each pose when it is needed, so that the budget does not depend on the threads.
        self.budget.spend();
        let sampled = self.sampled.remove(&time.to_bits());
        let pose = Rc::new(sampled.unwrap_or_else(|| self.sampler.sample(time, &mut self.pose)));
        self.poses.insert(time.to_bits(), Rc::clone(&pose));
        pose
    }
}

pub(super) fn relative_without_scale(parent: &Transform, child: &Transform) -> Transform {
    let inverse = parent.rotation.conjugate();
    Transform {
        translation: inverse * (child.translation - parent.translation),
        rotation: (inverse * child.rotation).normalize(),
        scale: DVec3::ONE,
    }
}
