//! Bevy's own animation with the curves of a recording.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use bevy::{
    animation::{AnimationTargetId, animated_field, prelude::AnimatableCurve},
    math::curve::{Curve, Interval},
    prelude::*,
    reflect::Reflect,
};

use mutoscope_core::{
    clip::{self, Clip, Hint, NodeId, Pose, ScaleInheritance},
    rig::names::{self, Named},
};

/// Bevy's `AnimationClip` whose curves are the recording's own: nothing is baked. It plays on any
/// hierarchy by Bevy's `AnimationPlayer`, in its graphs and transitions.
///
/// Each node of `targets` gets a curve for its translation (metres), one for its rotation and one
/// for its scale, all relative to its parent and in the viewer's space: right-handed, Y up. A
/// node that nothing moves gets none, so that a character keeps its own rest pose there. The clip
/// starts at 0, which is [`Span::start`](mutoscope_core::clip::Span) of the recording, and is as long as the
/// recording. Bevy counts time and places in `f32`: after an hour, a time is off by up to 0.2 ms.
///
/// Nodes whose scale does not reach their children (Metroid Prime) have their children's offsets
/// scaled instead, and no scale, as Bevy's hierarchy has no other way to say it.
pub fn to_animation_clip(
    clip: &Arc<Clip>,
    targets: impl IntoIterator<Item = (NodeId, AnimationTargetId)>,
) -> AnimationClip {
    let source = Arc::new(Source::new(clip.clone()));
    let mut animation = AnimationClip::default();
    for (node, target) in targets {
        if !source.moves(node) {
            continue;
        }
        let curve = NodeCurve { source: source.clone(), node };
        let translation = animated_field!(Transform::translation);
        let rotation = animated_field!(Transform::rotation);
        let scale = animated_field!(Transform::scale);
        let translations = AnimatableCurve::new(translation, TranslationCurve(curve.clone()));
        let rotations = AnimatableCurve::new(rotation, RotationCurve(curve.clone()));
        animation.add_curve_to_target(target, translations);
        animation.add_curve_to_target(target, rotations);
        animation.add_curve_to_target(target, AnimatableCurve::new(scale, ScaleCurve(curve)));
    }
    animation.set_duration(clip.span.duration as f32);
    animation
}

/// Targets named as Bevy's glTF loader names them: by the names on the way from the root to the node.
pub fn targets_by_path(clip: &Clip) -> Vec<(NodeId, AnimationTargetId)> {
    let path = |id: NodeId| {
        let mut names = vec![Name::new(clip.nodes[id].name.clone())];
        let mut above = clip.nodes[id].parent;
        while let Some(parent) = above {
            names.push(Name::new(clip.nodes[parent].name.clone()));
            above = clip.nodes[parent].parent;
        }
        names.reverse();
        AnimationTargetId::from_names(names.iter())
    };
    clip.nodes.with_ids().map(|(id, _)| (id, path(id))).collect()
}

/// The targets of a character for the nodes of a recording, matched by name as skeletons are
/// attached: in any case, without namespaces and importers' numbers. `character` are the named
/// targets of its hierarchy; each is matched with one node at most.
pub fn targets_by_name<'a>(
    clip: &Clip,
    character: impl IntoIterator<Item = (&'a Name, &'a AnimationTargetId)>,
) -> Vec<(NodeId, AnimationTargetId)> {
    let nodes = clip
        .nodes
        .iter()
        .map(|node| Named { name: &node.name, parent: node.parent.map(NodeId::index) });
    let nodes: Vec<_> = nodes.collect();
    let (names, targets): (Vec<_>, Vec<_>) = character
        .into_iter()
        .map(|(name, target)| (Named { name: name.as_str(), parent: None }, *target))
        .unzip();
    let pairs = names::pair(&nodes, &names).into_iter().enumerate();
    pairs.filter_map(|(node, target)| Some((NodeId::new(node), targets[target?]))).collect()
}

/// A clip that curves of all its nodes sample.
struct Source {
    clip: Arc<Clip>,
    /// The last poses, where nodes cannot be sampled one by one.
    poses: Option<Mutex<LastPoses>>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("clip", &self.clip.name).finish_non_exhaustive()
    }
}

/// The poses at the last few times: all nodes of a character ask for one time, and a few characters
/// may play the same clip.
#[derive(Default)]
struct LastPoses {
    poses: [Pose; 4],
    /// The one to be used next.
    next: usize,
}

impl Source {
    fn new(clip: Arc<Clip>) -> Self {
        let is_together = clip.procedural.is_some()
            || clip.nodes.scales() == ScaleInheritance::OffsetOnly && clip.nodes.any_scaled();
        let poses = is_together.then(|| {
            let mut last = LastPoses::default();
            // No time is equal to this one.
            last.poses.iter_mut().for_each(|pose| pose.time = f64::NAN);
            Mutex::new(last)
        });
        Self { clip, poses }
    }

    /// Whether anything moves the node.
    fn moves(&self, node: NodeId) -> bool {
        self.clip.procedural.is_some() || self.clip.nodes[node].motion.moves()
    }

    /// Where a node is relative to its parent, `t` seconds after the start.
    fn local(&self, node: NodeId, t: f32) -> clip::Transform {
        let time = self.clip.span.start + f64::from(t);
        let Some(poses) = &self.poses else {
            return self.clip.sample_node(node, time, &mut [Hint::default(); 2]).0;
        };
        let mut last = poses.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.poses.iter().position(|pose| pose.time == time);
        let index = known.unwrap_or_else(|| {
            let index = last.next;
            last.next = (index + 1) % last.poses.len();
            self.clip.sample_motion(time, &mut last.poses[index]);
            index
        });
        self.local_in(&last.poses[index], node)
    }

    fn local_in(&self, pose: &Pose, node: NodeId) -> clip::Transform {
        let local = pose.nodes[node.index()].local;
        if self.clip.nodes.scales() == ScaleInheritance::Full {
            return local;
        }
        let parent = self.clip.nodes[node].parent.map(|parent| pose.nodes[parent.index()].local);
        let scale = parent.map_or(glam::DVec3::ONE, |parent| parent.scale);
        clip::Transform { translation: scale * local.translation, scale: glam::DVec3::ONE, ..local }
    }
}

/// How one node runs.
#[derive(Clone, Debug)]
struct NodeCurve {
    source: Arc<Source>,
    node: NodeId,
}

impl NodeCurve {
    fn domain(&self) -> Interval {
        let end = self.source.clip.span.duration as f32;
        Interval::new(0.0, end).unwrap_or(Interval::EVERYWHERE)
    }

    fn at(&self, t: f32) -> clip::Transform {
        self.source.local(self.node, t)
    }
}

/// A curve of one property of a node.
macro_rules! property_curve {
    ($(#[$doc:meta])* $name:ident, $value:ty, $of:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Reflect)]
        #[reflect(opaque, Clone, Debug)]
        struct $name(NodeCurve);

        impl Curve<$value> for $name {
            fn domain(&self) -> Interval {
                self.0.domain()
            }

            fn sample_unchecked(&self, t: f32) -> $value {
                $of(self.0.at(t))
            }
        }
    };
}

property_curve! {
    /// In metres, relative to the parent.
    TranslationCurve, Vec3, |at: clip::Transform| at.translation.as_vec3()
}
property_curve! {
    /// Relative to the parent.
    RotationCurve, Quat, |at: clip::Transform| at.rotation.as_quat().normalize()
}
property_curve! {
    /// Relative to the parent.
    ScaleCurve, Vec3, |at: clip::Transform| at.scale.as_vec3()
}
