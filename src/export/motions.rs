//! The motion of every node of a clip, in the viewer's space and relative to its parent.

use std::rc::Rc;

use glam::{DQuat, DVec3};

use super::{
    ExportError, Job, Report, breaks,
    keyed_curve::KeyedCurve,
    report::counted,
    tracer::{Tally, Tracer},
    watch::Watch,
};
use crate::clip::{Clip, Hint, Node, NodeId, NodePose, Pose, ScaleInheritance, Shown, Transform};

/// The motion of a node, relative to its parent.
#[derive(Clone, Debug)]
pub(super) struct NodeMotion {
    pub(super) translation: KeyedCurve<DVec3>,
    pub(super) rotation: KeyedCurve<DQuat>,
    pub(super) scale: KeyedCurve<DVec3>,
    /// Whether it is visible.
    pub(super) shown: KeyedCurve<bool>,
}

/// The motions of the nodes of a clip.
///
/// A node that tracks move is traced from key to key of its own, on demand. Where a procedural
/// animation moves all of them, or scales do not reach their children in the way in which targets
/// have it, they are traced together.
pub(super) struct Motions<'a> {
    job: &'a Job<'a>,
    together: Option<Together>,
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
    /// # Errors
    /// If there are too many keys, or the export is cancelled.
    pub(super) fn new(job: &'a Job<'a>, watch: &mut Watch<'_>) -> Result<Self, ExportError> {
        let mut motions = Self { job, together: None, tally: Tally::default() };
        if job.clip.procedural.is_some() || has_sizes_of_its_own(job.clip) {
            motions.together = Some(motions.all_together(watch)?);
        }
        Ok(motions)
    }

    /// The motion of a node.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(super) fn of(
        &mut self,
        id: NodeId,
        watch: &mut Watch<'_>,
    ) -> Result<NodeMotion, ExportError> {
        match &mut self.together {
            Some(together) => Ok(together.nodes[id.index()].clone()),
            None => self.alone(id, watch),
        }
    }

    /// Where the [views](Clip::views) are, in the viewer's space.
    pub(super) fn views(&self) -> &[NodeMotion] {
        self.together.as_ref().map_or(&[], |together| &together.views)
    }

    /// The scale of a node that does not reach its children, if it ever has one.
    pub(super) fn own_size(&self, id: NodeId) -> Option<&KeyedCurve<DVec3>> {
        let size = self.together.as_ref()?.own_sizes.get(id.index())?;
        (!size.is_still() || size.first() != DVec3::ONE).then_some(size)
    }

    /// Reports scales that do not reach the children of their nodes and are skipped, if there are
    /// any.
    pub(super) fn report_sizes(&self, report: &mut Report) {
        if has_sizes_of_its_own(self.job.clip) {
            report.warning(
                "scales of bones reach the offsets of their children only; offsets are scaled, the \
                 scales themselves skipped",
            );
        }
    }

    /// The tracing report of all of them together; to be called last.
    pub(super) fn report(&self, report: &mut Report) {
        let Tally { keys, put_in, no_numbers, farthest } = self.tally;
        match self.job.rate {
            Some(rate) => report.info(format!("sampled at {rate} Hz")),
            None if put_in == 0 => report.info("keys are at the times of the recording's own"),
            None => report.info(format!(
                "keys are at the times of the recording's own; {} of {keys} inserted where it is \
                 not linear between them",
                counted(put_in, "key")
            )),
        }
        if no_numbers > 0 {
            let keys = counted(no_numbers, "key");
            report.warning(format!("{keys} skipped: not finite"));
        }
        if farthest > 0.0 {
            report.warning(format!(
                "up to {farthest:.2e} (metres or radians) off between keys, where it moves too \
                 suddenly to follow"
            ));
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
        let mut memory: Vec<(f64, (Transform, bool))> = Vec::new();
        let mut at = |time: f64| {
            if let Some(known) = memory.iter().rev().find(|known| known.0 == time) {
                return known.1;
            }
            if memory.len() > 32 {
                memory.clear();
            }
            let found = clip.sample_node(id, time, &mut hints);
            memory.push((time, found));
            found
        };
        let mut tracers = Tracers::of_node(self.job, false, node);
        for (index, gap) in times.windows(2).enumerate() {
            if index % OFTEN == OFTEN - 1 {
                watch.ask()?;
            }
            tracers.gap(gap[0], gap[1], &mut at);
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
        let mut album = Album::new(clip);
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
            for (index, tracers) in tracers.iter_mut().enumerate() {
                tracers.gap(gap[0], gap[1], &mut |time| album.at(time).places[index]);
            }
            for (index, size) in sizes.iter_mut().enumerate() {
                size.gap(gap[0], gap[1], &mut |time| album.at(time).own_sizes[index]);
            }
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
}

/// Whether scales of bones reach their children otherwise than in the targets.
fn has_sizes_of_its_own(clip: &Clip) -> bool {
    clip.nodes.scales() == ScaleInheritance::OffsetOnly && clip.nodes.any_scaled()
}

impl NodeMotion {
    /// Whether it is hidden at all times.
    pub(super) fn is_never_shown(&self) -> bool {
        self.shown.is_still() && !self.shown.first()
    }

    /// Where it is at its first key.
    pub(super) fn first(&self) -> Transform {
        Transform {
            translation: self.translation.first(),
            rotation: self.rotation.first(),
            scale: self.scale.first(),
        }
    }

    fn still(local: Transform, shown: bool) -> Self {
        let local = if local.is_finite() { local } else { Transform::IDENTITY };
        Self {
            translation: KeyedCurve::still(local.translation),
            rotation: KeyedCurve::still(local.rotation),
            scale: KeyedCurve::still(local.scale),
            shown: KeyedCurve::still(shown),
        }
    }
}

/// Traces the motion of a node.
struct Tracers {
    translation: Tracer<DVec3>,
    rotation: Tracer<DQuat>,
    scale: Tracer<DVec3>,
    shown: Tracer<bool>,
    is_scaled: bool,
    rest: Transform,
}

impl Tracers {
    fn of_node(job: &Job<'_>, thins: bool, node: &Node) -> Self {
        let rest = job.clip.convention.viewer_from_source().transform(&node.rest);
        let is_scaled = thins || node.motion.scale.is_some();
        Self { is_scaled, ..Self::new(job, thins, rest) }
    }

    /// Views have no size.
    fn of_view(job: &Job<'_>) -> Self {
        Self::new(job, true, Transform::IDENTITY)
    }

    fn new(job: &Job<'_>, thins: bool, rest: Transform) -> Self {
        let refines = job.rate.is_none();
        Self {
            translation: Tracer::new(refines, thins),
            rotation: Tracer::new(refines, thins),
            scale: Tracer::new(refines, true),
            shown: Tracer::new(refines, true),
            is_scaled: false,
            rest,
        }
    }

    fn gap(&mut self, from: f64, to: f64, at: &mut impl FnMut(f64) -> (Transform, bool)) {
        self.translation.gap(from, to, &mut |time| at(time).0.translation);
        self.rotation.gap(from, to, &mut |time| at(time).0.rotation);
        if self.is_scaled {
            self.scale.gap(from, to, &mut |time| at(time).0.scale);
        }
        self.shown.gap(from, to, &mut |time| at(time).1);
    }

    fn end(self, time: f64, (local, shown): (Transform, bool)) -> (NodeMotion, Tally) {
        let mut tally = Tally::default();
        let (translation, of_translation) = self.translation.end(time, local.translation);
        let (rotation, of_rotation) = self.rotation.end(time, local.rotation);
        let (scale, of_scale) = self.scale.end(time, local.scale);
        let (seen, _) = self.shown.end(time, shown);
        [of_translation, of_rotation, of_scale].into_iter().for_each(|one| tally.add(one));
        // What is never finite is as at rest.
        let motion = NodeMotion {
            translation: translation.unwrap_or(KeyedCurve::still(self.rest.translation)),
            rotation: rotation.unwrap_or(KeyedCurve::still(self.rest.rotation)).continuous(),
            scale: scale.unwrap_or(KeyedCurve::still(self.rest.scale)),
            shown: seen.unwrap_or(KeyedCurve::still(shown)),
        };
        (motion, tally)
    }
}

/// A pose, as targets have it.
struct Locals {
    /// Where each node stands relative to its parent, and whether it is visible; after them where
    /// each view is.
    places: Vec<(Transform, bool)>,
    /// The scale of each node, where that does not reach its children.
    own_sizes: Vec<DVec3>,
}

/// Poses that were taken lately.
struct Album<'a> {
    clip: &'a Clip,
    confines: bool,
    view_count: usize,
    pose: Pose,
    taken: Vec<(f64, Rc<Locals>)>,
}

impl<'a> Album<'a> {
    fn new(clip: &'a Clip) -> Self {
        let confines = has_sizes_of_its_own(clip);
        let view_count = clip.views().len();
        Self { clip, confines, view_count, pose: Pose::default(), taken: Vec::new() }
    }

    /// Forgets all but the pose at `time`.
    fn turn(&mut self, time: f64) {
        self.taken.retain(|taken| taken.0 == time);
    }

    fn at(&mut self, time: f64) -> Rc<Locals> {
        if let Some(taken) = self.taken.iter().find(|taken| taken.0 == time) {
            return Rc::clone(&taken.1);
        }
        self.clip.sample(time, &mut self.pose);
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
        self.taken.push((time, Rc::clone(&locals)));
        locals
    }
}

/// Where `child` stands as seen from `parent`, both without their sizes.
pub(super) fn unscaled(parent: &Transform, child: &Transform) -> Transform {
    let back = parent.rotation.conjugate();
    Transform {
        translation: back * (child.translation - parent.translation),
        rotation: (back * child.rotation).normalize(),
        scale: DVec3::ONE,
    }
}
