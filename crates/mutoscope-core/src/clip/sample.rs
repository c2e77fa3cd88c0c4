//! Sampling of clips: evaluates curves and converts from source space to the viewer's space.

use glam::DMat3;

use super::{
    Clip, Convention, Hint, Motion, Node, NodeId, NodePose, NodeVisibility, Pose, Rotation,
    ScaleInheritance, Signal, Track, TrackId, Transform, Translation,
    curve::{SampleCursor, SeekRound},
    rotation::{evaluate_quaternion_curve, look_rotation_in_source},
};

/// The largest distance in time, in seconds, at which the hints of a pose are used. At a larger
/// distance, a recording with a usual rate has keys in between, so the hints do not help.
const MAX_HINT_DISTANCE_S: f64 = 0.1;

impl Clip {
    /// Fills `pose` with the clip at `time`, in seconds.
    ///
    /// Any time is valid, in any order. Outside of the clip, the extrapolation of each curve
    /// applies. Allocates memory only the first time that `pose` is filled from the clip.
    pub fn sample(&self, time: f64, pose: &mut Pose) {
        self.sample_motion(time, pose);
        pose.signals.clear();
        let (rule, mut hint) = (self.convention.rotation.value, Hint::default());
        let value = |signal: &Signal| {
            self.track(signal.track).curve.value_with_rotation_rule(time, rule, &mut hint)
        };
        let values = self.signals.iter().map(value);
        pose.signals.extend(values);
    }

    /// Fills the nodes of `pose` like [`Self::sample`], but leaves its signals unchanged.
    ///
    /// This is for callers that follow the motion over many times. A recording may have more
    /// signals than nodes, so evaluating the signals could double the time.
    pub fn sample_motion(&self, time: f64, pose: &mut Pose) {
        let has_near_hints = (time - pose.time).abs() < MAX_HINT_DISTANCE_S;
        pose.time = time;
        pose.hints.resize(self.nodes.len(), [Hint::default(); 2]);
        pose.nodes.resize(self.nodes.len(), NodePose::default());
        if !has_near_hints {
            self.seek_key_hints(time, &mut pose.hints);
        }
        self.sample_nodes(time, pose);
        if let Some(animation) = &self.procedural {
            self.apply_procedural_animation(&**animation, time, pose);
        }
        if self.nodes.has_scales() {
            match self.nodes.scale_inheritance() {
                ScaleInheritance::Full => self.correct_for_shear(pose),
                ScaleInheritance::OffsetOnly => self.apply_offset_only_scales(pose),
            }
        }
    }

    /// Returns the transform of a node at `time` (in seconds), relative to its parent, in the
    /// viewer's space, and whether the node itself is visible.
    ///
    /// The result equals that of [`Self::sample`], unless a
    /// [`ProceduralAnimation`](super::ProceduralAnimation) moves the node. The visibility of the
    /// ancestors is ignored.
    ///
    /// Call this to sample one node at many times. Reuse `hints` for the same node, so that each
    /// key search starts at the previous key.
    #[inline(never)]
    pub fn sample_node(&self, id: NodeId, time: f64, hints: &mut [Hint; 2]) -> (Transform, bool) {
        let (in_source, shown) = self.sample_node_in_source(id, time, hints);
        (self.convention.viewer_from_source().convert_transform(&in_source), shown)
    }

    pub(crate) fn sample_node_in_source(
        &self,
        id: NodeId,
        time: f64,
        hints: &mut [Hint; 2],
    ) -> (Transform, bool) {
        let node = &self.nodes[id];
        let mut sampler = Sampler {
            tracks: &self.tracks,
            convention: &self.convention,
            time,
            last_visibility: None,
        };
        let local = sampler.local_transform(node, &mut [SampleCursor::new(time); 2], hints);
        (local, sampler.is_shown(&node.motion))
    }

    /// Fills the nodes of `pose` with the rest pose. The time and the signals of `pose` are
    /// unchanged.
    pub fn sample_rest_pose(&self, pose: &mut Pose) {
        pose.nodes.resize(self.nodes.len(), NodePose::default());
        let viewer_from_source = self.convention.viewer_from_source();
        for &id in self.nodes.parents_first() {
            let node = &self.nodes[id];
            let local = viewer_from_source.convert_transform(&node.rest);
            let parent = node.parent.map(|parent| pose[parent].world);
            let world = parent.map_or(local, |parent| parent.compose(&local));
            pose[id] = NodePose { is_visible: true, local, world };
        }
    }

    /// Searches the keys of all nodes in two rounds, so that the processor can load the memory of
    /// many nodes at once.
    fn seek_key_hints(&self, time: f64, hints: &mut [[Hint; 2]]) {
        for round in [SeekRound::Index, SeekRound::Keys] {
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
        let mut sampler = Sampler {
            tracks: &self.tracks,
            convention: &self.convention,
            time,
            last_visibility: None,
        };
        let mut cursors = [SampleCursor::new(time); 2];
        for &id in self.nodes.parents_first() {
            let index = id.index();
            let node = &self.nodes[id];
            let in_source = sampler.local_transform(node, &mut cursors, &mut pose.hints[index]);
            let local = viewer_from_source.convert_transform(&in_source);
            let (world, is_parent_visible) = match node.parent {
                Some(parent) => {
                    let parent = &pose[parent];
                    // A hidden node also hides its children.
                    (parent.world.compose(&local), parent.is_visible)
                }
                None => (local, true),
            };
            let shown = is_parent_visible && world.is_finite() && sampler.is_shown(&node.motion);
            pose.nodes[index] = NodePose { is_visible: shown, local, world };
        }
    }

    /// A non-uniform scale and a rotation together cause shear, which [`Transform::compose`]
    /// ignores. So compute the world translations from the product of the ancestors' matrices.
    fn correct_for_shear(&self, pose: &mut Pose) {
        pose.linear.resize(self.nodes.len(), DMat3::IDENTITY);
        for &id in self.nodes.parents_first() {
            let index = id.index();
            let local = pose.nodes[index].local;
            pose.linear[index] = local.linear_matrix();
            if let Some(parent) = self.nodes[id].parent.map(NodeId::index) {
                let parent_linear = pose.linear[parent];
                pose.nodes[index].world.translation =
                    pose.nodes[parent].world.translation + parent_linear * local.translation;
                pose.linear[index] = parent_linear * pose.linear[index];
            }
        }
    }

    #[inline(never)]
    fn apply_offset_only_scales(&self, pose: &mut Pose) {
        for &id in self.nodes.parents_first() {
            let local = pose[id].local;
            let world = match self.nodes[id].parent {
                None => local,
                Some(parent) => {
                    let NodePose { world: parent, local: parent_local, .. } = pose[parent];
                    let offset = parent_local.scale * local.translation;
                    Transform {
                        translation: parent.translation + parent.rotation * offset,
                        rotation: (parent.rotation * local.rotation).normalize(),
                        scale: local.scale,
                    }
                }
            };
            pose[id].world = world;
        }
    }
}

struct Sampler<'a> {
    tracks: &'a [Track],
    convention: &'a Convention,
    time: f64,
    /// The visibility track that was evaluated last, and its value. The joints of a hand share one
    /// track, so most joints use this value.
    last_visibility: Option<(TrackId, bool)>,
}

impl<'a> Sampler<'a> {
    /// Returns the transform relative to the parent, in source space.
    ///
    /// Always inlined, because recordings of hands spend most of their sampling time in the loop
    /// over all nodes. Without the attribute, the second caller, which samples one node, prevents
    /// inlining.
    #[inline(always)]
    fn local_transform(
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
                evaluate_quaternion_curve(&tracks[track.index()].curve, time, rule, rotation_hint)
            }
            Rotation::Euler(rotation) => rotation.evaluate(tracks, rule, time, rotation_hint),
            Rotation::Direction(vector) => {
                let direction = vector.evaluate(tracks, rotations, rotation_hint);
                look_rotation_in_source(direction, self.convention)
            }
        };
        // Scales share their key times with translations more often than with rotations, so reuse
        // the hint of the translation.
        let scale = match &node.motion.scale {
            None => node.rest.scale,
            Some(channels) => channels.evaluate(tracks, time, translation_hint),
        };
        Transform { translation, rotation, scale }
    }

    fn is_shown(&mut self, motion: &Motion) -> bool {
        match (motion.visibility, self.last_visibility) {
            (NodeVisibility::Always, _) => true,
            (NodeVisibility::Never, _) => false,
            (NodeVisibility::While(track), Some((last, is_on))) if track == last => is_on,
            (NodeVisibility::While(track), _) => {
                let curve = &self.tracks[track.index()].curve;
                let is_on = curve.is_on(self.time, &mut Hint::default());
                self.last_visibility = Some((track, is_on));
                is_on
            }
        }
    }
}
