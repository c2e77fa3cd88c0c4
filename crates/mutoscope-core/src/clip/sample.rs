//! From clip to pose: the one place where source space becomes the viewer's.

use glam::DMat3;

use super::{
    Clip, Convention, Hint, Motion, Node, NodeId, NodePose, Pose, Rotation, ScaleInheritance,
    Shown, Signal, Track, TrackId, Transform, Translation,
    curve::{Round, SampleCursor},
    rotation::{looking_along_in, of_keyed},
};

/// This many seconds from the time of a pose, the hints of that pose are of no use: at any rate there
/// are keys between.
const FAR: f64 = 0.1;

impl Clip {
    /// Fills `pose` with the clip at `time`, in seconds.
    ///
    /// Any time can be asked for, in any order: outside of the clip its curves' own extrapolation
    /// applies. Nothing is allocated once `pose` was filled from the clip.
    pub fn sample(&self, time: f64, pose: &mut Pose) {
        self.sample_motion(time, pose);
        pose.signals.clear();
        let (rule, mut hint) = (self.convention.rotation.value, Hint::default());
        let value =
            |signal: &Signal| self.track(signal.track).curve.value_by_rule(time, rule, &mut hint);
        let values = self.signals.iter().map(value);
        pose.signals.extend(values);
    }

    /// As [`Self::sample`], but of the nodes only: the signals in `pose` are left as they were.
    ///
    /// For callers that follow motion over many times. A recording may have more signals than nodes, and
    /// evaluating them may take as long.
    pub fn sample_motion(&self, time: f64, pose: &mut Pose) {
        let is_near = (time - pose.time).abs() < FAR;
        pose.time = time;
        pose.hints.resize(self.nodes.len(), [Hint::default(); 2]);
        pose.nodes.resize(self.nodes.len(), NodePose::default());
        if !is_near {
            self.seek(time, &mut pose.hints);
        }
        self.sample_nodes(time, pose);
        if let Some(animation) = &self.procedural {
            self.animate(&**animation, time, pose);
        }
        if self.nodes.any_scaled() {
            match self.nodes.scales() {
                ScaleInheritance::Full => self.correct_for_shear(pose),
                ScaleInheritance::OffsetOnly => self.confine_scales(pose),
            }
        }
    }

    /// The transform of a node relative to its parent at `time`, in seconds and in the viewer's
    /// space, and whether it is visible, whatever its parent is: what [`Self::sample`] finds of it,
    /// as long as no [`ProceduralAnimation`](super::ProceduralAnimation) moves it.
    ///
    /// For callers that ask for one node at many times of its own. `hints` are that node's.
    #[inline(never)]
    pub fn sample_node(&self, id: NodeId, time: f64, hints: &mut [Hint; 2]) -> (Transform, bool) {
        let (in_source, shown) = self.sample_node_in_source(id, time, hints);
        (self.convention.viewer_from_source().transform(&in_source), shown)
    }

    /// The same in source space: for a [`ProceduralAnimation`](super::ProceduralAnimation) that is
    /// put together of clips.
    pub(crate) fn sample_node_in_source(
        &self,
        id: NodeId,
        time: f64,
        hints: &mut [Hint; 2],
    ) -> (Transform, bool) {
        let node = &self.nodes[id];
        let mut sampler =
            Sampler { tracks: &self.tracks, convention: &self.convention, time, last_switch: None };
        let local = sampler.local(node, &mut [SampleCursor::new(time); 2], hints);
        (local, sampler.is_shown(&node.motion))
    }

    /// Fills `pose` with the rest pose of the clip.
    ///
    /// Its time and its signals are left as they were.
    pub fn rest_pose(&self, pose: &mut Pose) {
        pose.nodes.resize(self.nodes.len(), NodePose::default());
        let viewer_from_source = self.convention.viewer_from_source();
        for &id in self.nodes.parents_first() {
            let node = &self.nodes[id];
            let local = viewer_from_source.transform(&node.rest);
            let parent = node.parent.map(|parent| pose.nodes[parent.index()].world);
            let world = parent.map_or(local, |parent| parent.compose(&local));
            pose.nodes[id.index()] = NodePose { shown: true, local, world };
        }
    }

    /// Guesses where `time` is among the keys of every node.
    fn seek(&self, time: f64, hints: &mut [[Hint; 2]]) {
        for round in [Round::Index, Round::Keys] {
            for (node, [translation, rotation]) in self.nodes.iter().zip(&mut *hints) {
                if let Translation::Components(vector) = &node.motion.translation {
                    vector.seek(round, time, translation);
                }
                match &node.motion.rotation {
                    Rotation::Components(components) => components.seek(round, time, rotation),
                    Rotation::Direction(vector) => vector.seek(round, time, rotation),
                    Rotation::Rest | Rotation::Keyed(_) | Rotation::Euler(_) => {}
                }
            }
        }
    }

    fn sample_nodes(&self, time: f64, pose: &mut Pose) {
        let viewer_from_source = self.convention.viewer_from_source();
        let mut sampler =
            Sampler { tracks: &self.tracks, convention: &self.convention, time, last_switch: None };
        let mut moments = [SampleCursor::new(time); 2];
        for &id in self.nodes.parents_first() {
            let index = id.index();
            let node = &self.nodes[id];
            let in_source = sampler.local(node, &mut moments, &mut pose.hints[index]);
            let local = viewer_from_source.transform(&in_source);
            let (world, may_show) = match node.parent {
                Some(parent) => {
                    let parent = &pose.nodes[parent.index()];
                    // Hidden nodes hide their children.
                    (parent.world.compose(&local), parent.shown)
                }
                None => (local, true),
            };
            let shown = may_show && world.is_finite() && sampler.is_shown(&node.motion);
            pose.nodes[index] = NodePose { shown, local, world };
        }
    }

    /// Corrects world transforms by the product of the ancestors' matrices, as non-uniform scales
    /// with rotations shear.
    fn correct_for_shear(&self, pose: &mut Pose) {
        pose.linear.resize(self.nodes.len(), DMat3::IDENTITY);
        for &id in self.nodes.parents_first() {
            let index = id.index();
            let local = pose.nodes[index].local;
            pose.linear[index] = local.turned_and_scaled();
            if let Some(parent) = self.nodes[id].parent.map(NodeId::index) {
                let of_parent = pose.linear[parent];
                pose.nodes[index].world.translation =
                    pose.nodes[parent].world.translation + of_parent * local.translation;
                pose.linear[index] = of_parent * pose.linear[index];
            }
        }
    }

    /// Applies the scale of each node to itself and to the offsets of its children only.
    #[inline(never)]
    fn confine_scales(&self, pose: &mut Pose) {
        for &id in self.nodes.parents_first() {
            let local = pose.nodes[id.index()].local;
            let world = match self.nodes[id].parent {
                None => local,
                Some(parent) => {
                    let NodePose { world: parent, local: of_parent, .. } =
                        pose.nodes[parent.index()];
                    let offset = of_parent.scale * local.translation;
                    Transform {
                        translation: parent.translation + parent.rotation * offset,
                        rotation: (parent.rotation * local.rotation).normalize(),
                        scale: local.scale,
                    }
                }
            };
            pose.nodes[id.index()].world = world;
        }
    }
}

struct Sampler<'a> {
    tracks: &'a [Track],
    convention: &'a Convention,
    time: f64,
    /// The visibility track that was evaluated last, and its value: the joints of a hand share one.
    last_switch: Option<(TrackId, bool)>,
}

impl<'a> Sampler<'a> {
    /// The transform of `node` relative to its parent, in source space.
    ///
    /// Always inline: the loop over all nodes is what recordings of hands are sampled by, and must
    /// not pay for callers that ask for one node.
    #[inline(always)]
    fn local(
        &self,
        node: &'a Node,
        [translations, rotations]: &mut [SampleCursor<'a>; 2],
        [translation_hint, rotation_hint]: &mut [Hint; 2],
    ) -> Transform {
        let (tracks, time) = (self.tracks, self.time);
        let translation = match &node.motion.translation {
            Translation::Rest => node.rest.translation,
            Translation::Components(vector) => {
                vector.evaluate(tracks, translations, translation_hint)
            }
            Translation::Channels(channels) => channels.evaluate(tracks, time, translation_hint),
        };
        let rule = self.convention.rotation.value;
        let rotation = match &node.motion.rotation {
            Rotation::Rest => node.rest.rotation,
            Rotation::Components(rotation) => {
                rotation.evaluate(tracks, rule, rotations, rotation_hint)
            }
            Rotation::Keyed(track) => {
                of_keyed(&tracks[track.index()].curve, time, rule, rotation_hint)
            }
            Rotation::Euler(rotation) => rotation.evaluate(tracks, rule, time, rotation_hint),
            Rotation::Direction(vector) => {
                let direction = vector.evaluate(tracks, rotations, rotation_hint);
                looking_along_in(direction, self.convention)
            }
        };
        // Scales are keyed with translations more often than on their own.
        let scale = match &node.motion.scale {
            None => node.rest.scale,
            Some(channels) => channels.evaluate(tracks, time, translation_hint),
        };
        Transform { translation, rotation, scale }
    }

    fn is_shown(&mut self, motion: &Motion) -> bool {
        match (motion.shown, self.last_switch) {
            (Shown::Always, _) => true,
            (Shown::Never, _) => false,
            (Shown::While(track), Some((last, is_on))) if track == last => is_on,
            (Shown::While(track), _) => {
                let curve = &self.tracks[track.index()].curve;
                let is_on = curve.is_on(self.time, &mut Hint::default());
                self.last_switch = Some((track, is_on));
                is_on
            }
        }
    }
}
