//! The motions of all nodes of a clip.

use std::{collections::HashMap, rc::Rc};

use glam::DVec3;

use super::{
    ExportError, Job, Report, breaks,
    effort::Effort,
    keyed_curve::KeyedCurve,
    node_motion::{NodeMotion, Tracers},
    report::counted,
    tracer::{Tally, Tracer},
    watch::Watch,
};
use crate::clip::{
    Clip, Hint, Node, NodeId, NodePose, Pose, ScaleInheritance, Shown, TrackId, Transform,
};

/// The motions of the nodes of a clip.
///
/// A node with tracks is traced at its own key times, on demand. Where a procedural animation moves
/// all nodes, or scales are not inherited in the way that targets expect, they are traced together.
pub struct Motions<'a> {
    job: &'a Job<'a>,
    together: Option<Together>,
    /// The work that is left for nodes that are traced one by one.
    effort: Effort,
    tally: Tally,
}

/// Motions that were traced together.
struct Together {
    nodes: Vec<NodeMotion>,
    /// Where the recording's views are, in the viewer's space.
    views: Vec<NodeMotion>,
    /// The scales that do not reach the children of their nodes; none where scales do.
    own_sizes: Vec<KeyedCurve<DVec3>>,
}

impl<'a> Motions<'a> {
    /// The motions within the range of `job`; what moves together is traced here.
    ///
    /// # Errors
    /// If there are too many keys, or the export is cancelled.
    pub fn new(job: &'a Job<'a>, watch: &mut Watch<'_>) -> Result<Self, ExportError> {
        let (effort, tally) = (Effort::single(), Tally::default());
        let mut motions = Self { job, together: None, effort, tally };
        if job.clip.procedural.is_some() || has_sizes_of_its_own(job.clip) {
            motions.together = Some(motions.all_together(watch)?);
        }
        Ok(motions)
    }

    /// The motion of a node.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(&mut self, id: NodeId, watch: &mut Watch<'_>) -> Result<NodeMotion, ExportError> {
        match &mut self.together {
            Some(together) => Ok(together.nodes[id.index()].clone()),
            None => self.alone(id, watch),
        }
    }

    /// Where the [views](Clip::views) are, in the viewer's space.
    pub fn views(&self) -> &[NodeMotion] {
        self.together.as_ref().map_or(&[], |together| &together.views)
    }

    /// The scale of a node that does not reach its children, if it ever has one.
    pub fn own_size(&self, id: NodeId) -> Option<&KeyedCurve<DVec3>> {
        let size = self.together.as_ref()?.own_sizes.get(id.index())?;
        (!size.is_still() || size.first() != DVec3::ONE).then_some(size)
    }

    /// Reports scales that do not reach the children of their nodes and are skipped, if there are
    /// any.
    pub fn report_sizes(&self, report: &mut Report) {
        if has_sizes_of_its_own(self.job.clip) {
            report.warning(
                "scales of bones reach the offsets of their children only; offsets are scaled, the \
                 scales themselves skipped",
            );
        }
    }

    /// The tracing report of all of them together; to be called last.
    pub fn report(&self, report: &mut Report) {
        let Tally { keys, put_in, no_numbers, farthest, is_cut_short } = self.tally;
        match self.job.rate {
            Some(rate) => report.info(format!("sampled at {rate} Hz")),
            None if put_in == 0 => report.info("keys are at the times of the recording's own keys"),
            None => report.info(format!(
                "keys are at the times of the recording's own keys; {} of {keys} are inserted where it is \
                 not linear between them",
                counted(put_in, "key")
            )),
        }
        if no_numbers > 0 {
            let keys = counted(no_numbers, "key");
            report.warning(format!("{keys} skipped: not finite"));
        }
        let off = format!("up to {farthest:.2e} (metres or radians) off between keys");
        if is_cut_short {
            report.warning(format!(
                "{off}: following every bend would take more keys than are inserted. Sample it at \
                 a rate: --fps"
            ));
        } else if farthest > 0.0 {
            report.warning(format!("{off}, where it moves too suddenly to follow"));
        }
    }

    fn alone(&mut self, id: NodeId, watch: &mut Watch<'_>) -> Result<NodeMotion, ExportError> {
        /// After how many gaps to ask whether the export is still wanted.
        const OFTEN: usize = 1024;
        let Job { clip, .. } = *self.job;
        let node = &clip.nodes[id];
        let tracks = node.motion.tracks();
        let mut hints = [Hint::default(); 2];
        if tracks.is_empty() {
            let (local, shown) = clip.sample_node(id, self.job.from, &mut hints);
            return Ok(NodeMotion::still(local, shown));
        }
        let times = match self.job.rate {
            Some(rate) => breaks::regular(self.job, rate)?,
            None => breaks::of_tracks(self.job, tracks)?,
        };
        let effort = &self.effort;
        let mut memory: Vec<(f64, (Transform, bool))> = Vec::new();
        let mut at = |time: f64| {
            if let Some(known) = memory.iter().rev().find(|known| known.0 == time) {
                return known.1;
            }
            if memory.len() > 32 {
                memory.clear();
            }
            let found = clip.sample_node(id, time, &mut hints);
            effort.spend();
            memory.push((time, found));
            found
        };
        let mut tracers = Tracers::of_node(self.job, false, node);
        for (index, gap) in times.windows(2).enumerate() {
            if index % OFTEN == OFTEN - 1 {
                watch.ask()?;
            }
            effort.enter_gap();
            tracers.gap(gap[0], gap[1], effort, &mut at);
        }
        if self.job.rate.is_some() {
            let times = breaks::of_states(breaks::of_tracks(self.job, when_shown(node)), &times);
            for (index, gap) in times.windows(2).enumerate() {
                if index % OFTEN == OFTEN - 1 {
                    watch.ask()?;
                }
                effort.enter_gap();
                tracers.states(gap[0], gap[1], effort, &mut |time| at(time).1);
            }
        }
        let last = times[times.len() - 1];
        let (motion, tally) = tracers.end(last, at(last));
        self.tally.add(tally);
        Ok(motion)
    }

    fn all_together(&mut self, watch: &mut Watch<'_>) -> Result<Together, ExportError> {
        let Job { clip, .. } = *self.job;
        let times = match self.job.rate {
            Some(rate) => breaks::regular(self.job, rate)?,
            None => breaks::of_all(self.job)?,
        };
        let effort = Effort::of_poses(clip.nodes.len());
        let mut album = Album::new(clip, &effort);
        let of_nodes = clip.nodes.iter().map(|node| Tracers::of_node(self.job, true, node));
        let of_views = clip.views().into_iter().map(|_| Tracers::of_view(self.job));
        let mut tracers: Vec<_> = of_nodes.chain(of_views).collect();
        let mut sizes: Vec<_> = match album.confines {
            true => clip.nodes.iter().map(|_| Tracer::new(self.job.rate.is_none(), true)).collect(),
            false => Vec::new(),
        };
        for (index, gap) in times.windows(2).enumerate() {
            watch.at(index, times.len())?;
            album.turn(gap[0]);
            effort.enter_gap();
            for (index, tracers) in tracers.iter_mut().enumerate() {
                tracers.gap(gap[0], gap[1], &effort, &mut |time| album.at(time).places[index]);
            }
            for (index, size) in sizes.iter_mut().enumerate() {
                size.gap(gap[0], gap[1], &effort, &mut |time| album.at(time).own_sizes[index]);
            }
        }
        if self.job.rate.is_some() {
            self.states_together(&times, &mut album, &mut tracers, watch)?;
        }
        let last = times[times.len() - 1];
        let ends = album.at(last);
        let ended = tracers.into_iter().zip(ends.places.iter()).map(|(tracers, &end)| {
            let (motion, tally) = tracers.end(last, end);
            self.tally.add(tally);
            motion
        });
        let mut nodes: Vec<_> = ended.collect();
        let views = nodes.split_off(clip.nodes.len());
        let own_sizes = sizes.into_iter().zip(ends.own_sizes.iter()).map(|(size, &end)| {
            let (curve, tally) = size.end(last, end);
            self.tally.add(tally);
            curve.unwrap_or(KeyedCurve::still(DVec3::ONE))
        });
        Ok(Together { nodes, views, own_sizes: own_sizes.collect() })
    }

    /// Traces when each node is visible, where the motions are `sampled` at even times.
    fn states_together(
        &self,
        sampled: &[f64],
        album: &mut Album<'_>,
        tracers: &mut [Tracers],
        watch: &mut Watch<'_>,
    ) -> Result<(), ExportError> {
        let clip = self.job.clip;
        let own = match clip.procedural {
            Some(_) => breaks::of_all(self.job),
            None => breaks::of_tracks(self.job, clip.nodes.iter().filter_map(when_shown)),
        };
        let times = breaks::of_states(own, sampled);
        let effort = album.effort;
        for gap in times.windows(2) {
            watch.ask()?;
            album.turn(gap[0]);
            effort.enter_gap();
            for (index, tracers) in tracers.iter_mut().enumerate() {
                tracers.states(gap[0], gap[1], effort, &mut |time| album.at(time).places[index].1);
            }
        }
        Ok(())
    }
}

/// The track by which a node is visible, if there is one.
fn when_shown(node: &Node) -> Option<TrackId> {
    match node.motion.shown {
        Shown::While(track) => Some(track),
        Shown::Always | Shown::Never => None,
    }
}

/// Whether scales of bones reach their children otherwise than in the targets.
fn has_sizes_of_its_own(clip: &Clip) -> bool {
    clip.nodes.scales() == ScaleInheritance::OffsetOnly && clip.nodes.any_scaled()
}

/// A pose, as targets have it.
struct Locals {
    /// The local transform and the visibility of each node; after them those of each view.
    places: Vec<(Transform, bool)>,
    /// The scale of each node, where that does not reach its children.
    own_sizes: Vec<DVec3>,
}

/// Poses that were taken lately.
struct Album<'a> {
    clip: &'a Clip,
    effort: &'a Effort,
    confines: bool,
    view_count: usize,
    pose: Pose,
    /// By the bits of their times.
    taken: HashMap<u64, Rc<Locals>>,
}

impl<'a> Album<'a> {
    fn new(clip: &'a Clip, effort: &'a Effort) -> Self {
        let confines = has_sizes_of_its_own(clip);
        let view_count = clip.views().len();
        let (pose, taken) = (Pose::default(), HashMap::new());
        Self { clip, effort, confines, view_count, pose, taken }
    }

    /// Forgets all but the pose at `time`.
    fn turn(&mut self, time: f64) {
        self.taken.retain(|taken, _| *taken == time.to_bits());
    }

    fn at(&mut self, time: f64) -> Rc<Locals> {
        /// How many transforms of nodes are kept: some 30 MB.
        const MOST: usize = 1 << 18;
        if let Some(taken) = self.taken.get(&time.to_bits()) {
            return Rc::clone(taken);
        }
        if self.taken.len() * self.clip.nodes.len() >= MOST {
            self.taken.clear();
        }
        self.effort.spend();
        self.clip.sample_motion(time, &mut self.pose);
        let nodes = self.pose.nodes.iter().zip(self.clip.nodes.iter());
        let locals = nodes.map(|(stands, node)| {
            let local = match node.parent.filter(|_| self.confines) {
                Some(parent) => unscaled(&self.pose.nodes[parent.index()].world, &stands.world),
                None if self.confines => Transform { scale: DVec3::ONE, ..stands.local },
                None => stands.local,
            };
            let is_shown = node.motion.shown != Shown::Never && stands.shown;
            (local, is_shown)
        });
        let views = (0..self.view_count).map(|view| (self.clip.view_at(view, time), true));
        let own_size = |stands: &NodePose| stands.local.scale;
        let sized = self.pose.nodes.iter().filter(|_| self.confines);
        let locals = Rc::new(Locals {
            places: locals.chain(views).collect(),
            own_sizes: sized.map(own_size).collect(),
        });
        self.taken.insert(time.to_bits(), Rc::clone(&locals));
        locals
    }
}

/// The transform of `child` relative to `parent`, both without their scales.
pub(super) fn unscaled(parent: &Transform, child: &Transform) -> Transform {
    let back = parent.rotation.conjugate();
    Transform {
        translation: back * (child.translation - parent.translation),
        rotation: (back * child.rotation).normalize(),
        scale: DVec3::ONE,
    }
}
