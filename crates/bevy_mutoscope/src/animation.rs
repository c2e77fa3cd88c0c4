//! Plays recordings with Bevy's own animation.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use bevy::{
    animation::{AnimatedBy, AnimationTargetId, animated_field, prelude::AnimatableCurve},
    math::curve::{Curve, Interval},
    prelude::*,
    reflect::Reflect,
};

use crate::{ClipAsset, joints::local_in_hierarchy};
use mutoscope_core::{
    clip::{self, Clip, Hint, NodeId, Pose, ScaleInheritance},
    skeleton_file::names::{self, NamedNode},
};

/// Plays a recording on the character below this entity, with Bevy's own [`AnimationPlayer`].
///
/// As soon as the recording is loaded and the character is spawned, each named entity of the
/// character is matched with the node of the same name (see [`targets_by_name`]). The entity gets an
/// [`AnimationPlayer`], unless it has one, and an [`AnimationGraphHandle`] with the recording as its
/// only clip. The clip plays repeatedly, unless the file declares that it does not loop. From then on,
/// the player and its graph are yours: to blend the recording with other clips, build a graph with
/// [`to_animation_clip`].
///
/// Load the recording with the file of the character as its
/// [`skeleton`](crate::ClipLoaderSettings::skeleton). The recording then uses the axes and the bone
/// lengths of the character. Otherwise a recording with left-handed axes, such as AnimJ, is mirrored.
/// If the character has other bones than the recording, also set
/// [`FitSetting::ByBones`](crate::FitSetting::ByBones), which retargets the recording.
///
/// Needs Bevy's `AnimationPlugin`, which is part of `DefaultPlugins`.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility, PlayedClip)]
pub struct RecordingAnimation(pub Handle<ClipAsset>);

/// The clip for which the animation on this entity was built.
#[derive(Component, Clone, Debug, Default)]
pub(crate) struct PlayedClip(Option<Arc<Clip>>);

type CharacterQueryData<'a> =
    (Entity, &'a RecordingAnimation, &'a mut PlayedClip, Option<&'a mut AnimationPlayer>);

pub(crate) fn start_animations(
    mut commands: Commands,
    mut characters: Query<CharacterQueryData>,
    children: Query<&Children>,
    bones: Query<(&Name, Option<&AnimationTargetId>)>,
    recordings: Res<Assets<ClipAsset>>,
    clips: Option<ResMut<Assets<AnimationClip>>>,
    graphs: Option<ResMut<Assets<AnimationGraph>>>,
) {
    let (Some(mut clips), Some(mut graphs)) = (clips, graphs) else { return };
    for (character, animation, mut played, player) in &mut characters {
        let Some(clip) = recordings.get(&animation.0).map(|asset| &asset.clip) else { continue };
        if played.0.as_ref().is_some_and(|played| Arc::ptr_eq(played, clip)) {
            continue;
        }
        let bones = named_bones(character, &children, &bones);
        let targets = targets_by_name(clip, bones.iter().map(|(_, name, id)| (name, id)));
        if targets.is_empty() {
            // The character may not be spawned yet.
            continue;
        }
        played.0 = Some(clip.clone());
        for (bone, _, id) in &bones {
            if targets.iter().any(|(_, target)| target == id) {
                commands.entity(*bone).insert((*id, AnimatedBy(character)));
            }
        }
        let (graph, node) = AnimationGraph::from_clip(clips.add(to_animation_clip(clip, targets)));
        let start = |player: &mut AnimationPlayer| {
            let active = player.start(node);
            if clip.is_looping != Some(false) {
                active.repeat();
            }
        };
        let mut entity = commands.entity(character);
        entity.insert(AnimationGraphHandle(graphs.add(graph)));
        match player {
            Some(mut player) => {
                player.stop_all();
                start(&mut player);
            }
            None => {
                let mut player = AnimationPlayer::default();
                start(&mut player);
                entity.insert(player);
            }
        }
    }
}

/// Returns the named descendants of a character with the ids of their animation targets: those that
/// they have, or else ids from the names on the path from the character.
fn named_bones(
    character: Entity,
    children: &Query<&Children>,
    bones: &Query<(&Name, Option<&AnimationTargetId>)>,
) -> Vec<(Entity, Name, AnimationTargetId)> {
    let mut found = Vec::new();
    let mut open = vec![(character, Vec::new())];
    while let Some((parent, path)) = open.pop() {
        for child in children.get(parent).into_iter().flat_map(|children| children.iter()) {
            let mut path = path.clone();
            if let Ok((name, id)) = bones.get(child) {
                path.push(name.clone());
                let id = id.copied().unwrap_or_else(|| AnimationTargetId::from_names(path.iter()));
                found.push((child, name.clone(), id));
            }
            open.push((child, path));
        }
    }
    found
}

/// Builds a Bevy `AnimationClip` that samples the curves of the recording directly, without baked
/// keys. Bevy's `AnimationPlayer` can play the clip on any hierarchy, including in animation graphs
/// and transitions.
///
/// Each node of `targets` gets curves for its translation (in metres), rotation and scale. They are
/// relative to the parent node, in the viewer's space: right-handed, Y up. A node that is not
/// animated gets no curves, so that a character keeps its own rest pose there.
///
/// Time 0 of the clip is [`Span::start`](mutoscope_core::clip::Span) of the recording, and the clip
/// has the duration of the recording. Bevy stores times and positions as `f32`. After an hour, a
/// time has an error of up to 0.2 ms.
///
/// In some formats (Metroid Prime), the scale of a node does not change the size of its children. A
/// hierarchy in Bevy cannot represent such a scale. The curves then scale the offsets of the
/// children instead, and leave out the scale of the node.
pub fn to_animation_clip(
    clip: &Arc<Clip>,
    targets: impl IntoIterator<Item = (NodeId, AnimationTargetId)>,
) -> AnimationClip {
    let source = Arc::new(ClipSampler::new(clip.clone()));
    let mut animation = AnimationClip::default();
    for (node, target) in targets {
        if !source.is_animated(node) {
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

/// Returns a target for each node, derived from the names on the path from the root to the node.
/// Bevy's glTF loader derives its targets in the same way.
pub fn targets_by_path(clip: &Clip) -> Vec<(NodeId, AnimationTargetId)> {
    let path = |id: NodeId| {
        let mut names = vec![Name::new(clip.nodes[id].name.clone())];
        let mut ancestor = clip.nodes[id].parent;
        while let Some(parent) = ancestor {
            names.push(Name::new(clip.nodes[parent].name.clone()));
            ancestor = clip.nodes[parent].parent;
        }
        names.reverse();
        AnimationTargetId::from_names(names.iter())
    };
    clip.nodes.with_ids().map(|(id, _)| (id, path(id))).collect()
}

/// Matches the nodes of a recording with the targets of a character by name. The matching ignores
/// case, namespaces and numbers that importers append, as when a skeleton is attached. `character`
/// lists the named targets of the character's hierarchy. A target is matched with at most one node.
pub fn targets_by_name<'a>(
    clip: &Clip,
    character: impl IntoIterator<Item = (&'a Name, &'a AnimationTargetId)>,
) -> Vec<(NodeId, AnimationTargetId)> {
    let nodes = clip
        .nodes
        .iter()
        .map(|node| NamedNode { name: &node.name, parent: node.parent.map(NodeId::index) });
    let nodes: Vec<_> = nodes.collect();
    let (names, targets): (Vec<_>, Vec<_>) = character
        .into_iter()
        .map(|(name, target)| (NamedNode { name: name.as_str(), parent: None }, *target))
        .unzip();
    let pairs = names::match_nodes(&nodes, &names).into_iter().enumerate();
    pairs.filter_map(|(node, target)| Some((NodeId::new(node), targets[target?]))).collect()
}

struct ClipSampler {
    clip: Arc<Clip>,
    /// The cached poses. `None` if a single node can be sampled without the whole pose.
    poses: Option<Mutex<PoseCache>>,
}

impl fmt::Debug for ClipSampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("clip", &self.clip.name).finish_non_exhaustive()
    }
}

/// The poses at the last few sampled times. A pose can be reused, because all nodes of a character
/// are sampled at the same time. There are several poses, because several characters may play the
/// same clip.
#[derive(Default)]
struct PoseCache {
    poses: [Pose; 4],
    next_slot: usize,
}

impl ClipSampler {
    fn new(clip: Arc<Clip>) -> Self {
        let needs_whole_pose = clip.procedural.is_some()
            || clip.nodes.scale_inheritance() == ScaleInheritance::OffsetOnly
                && clip.nodes.has_scales();
        let poses = needs_whole_pose.then(|| {
            let mut cache = PoseCache::default();
            // NaN does not equal any time, so a pose that has not been sampled is never found.
            cache.poses.iter_mut().for_each(|pose| pose.time = f64::NAN);
            Mutex::new(cache)
        });
        Self { clip, poses }
    }

    fn is_animated(&self, node: NodeId) -> bool {
        self.clip.procedural.is_some() || self.clip.nodes[node].motion.is_animated()
    }

    /// Samples the transform of `node` relative to its parent, `t` seconds after the start of the
    /// clip.
    fn sample_local(&self, node: NodeId, t: f32) -> clip::Transform {
        let time = self.clip.span.start + f64::from(t);
        let Some(poses) = &self.poses else {
            return self.clip.sample_node(node, time, &mut [Hint::default(); 2]).0;
        };
        let mut cache = poses.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cache.poses.iter().position(|pose| pose.time == time);
        let index = cached.unwrap_or_else(|| {
            let index = cache.next_slot;
            cache.next_slot = (index + 1) % cache.poses.len();
            self.clip.sample_motion(time, &mut cache.poses[index]);
            index
        });
        local_in_hierarchy(&self.clip, &cache.poses[index], node)
    }
}

#[derive(Clone, Debug)]
struct NodeCurve {
    source: Arc<ClipSampler>,
    node: NodeId,
}

impl NodeCurve {
    fn domain(&self) -> Interval {
        let end = self.source.clip.span.duration as f32;
        Interval::new(0.0, end).unwrap_or(Interval::EVERYWHERE)
    }

    fn sample(&self, t: f32) -> clip::Transform {
        self.source.sample_local(self.node, t)
    }
}

/// Defines a Bevy curve of one property of a node.
macro_rules! property_curve {
    ($(#[$doc:meta])* $name:ident, $value:ty, $get:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Reflect)]
        #[reflect(opaque, Clone, Debug)]
        struct $name(NodeCurve);

        impl Curve<$value> for $name {
            fn domain(&self) -> Interval {
                self.0.domain()
            }

            fn sample_unchecked(&self, t: f32) -> $value {
                $get(self.0.sample(t))
            }
        }
    };
}

property_curve! {
    /// In metres, relative to the parent.
    TranslationCurve, Vec3, |local: clip::Transform| local.translation.as_vec3()
}
property_curve! {
    /// Relative to the parent.
    RotationCurve, Quat, |local: clip::Transform| local.rotation.as_quat().normalize()
}
property_curve! {
    /// Relative to the parent.
    ScaleCurve, Vec3, |local: clip::Transform| local.scale.as_vec3()
}
