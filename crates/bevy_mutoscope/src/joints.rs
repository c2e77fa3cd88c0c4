//! Entities for the nodes of a recording.

use bevy::prelude::*;

use crate::{Recording, Revision};
use mutoscope_core::clip::{Clip, NodeId, Pose, ScaleInheritance, Transform as NodeTransform};

/// Spawns an entity for each node of the recording on this entity, so that other entities can be
/// attached to hands, heads and bones.
///
/// Each joint has a [`Name`], a [`Transform`], a [`Visibility`] and a [`Joint`]. It is a child of
/// the joint of its parent node, or of this entity. A joint that was not tracked is hidden, with
/// everything that is attached to it. [`RecordingJoints`] on this entity lists the joints.
///
/// If the recording changes, joints keep their entities if the new recording has nodes of the same
/// names. The others are despawned with their children. If this component is removed, all joints
/// are.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct SpawnJoints;

/// A node of a recording as an entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Transform, Visibility)]
pub struct Joint {
    /// The entity with the [`Recording`].
    #[entities]
    pub recording: Entity,
    node: u32,
}

impl Joint {
    /// Returns the node in the clip of the recording.
    pub fn node(self) -> NodeId {
        NodeId::new(self.node as usize)
    }
}

/// The joints of the recording on this entity. See [`SpawnJoints`].
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Clone, Debug, Default)]
pub struct RecordingJoints {
    #[entities]
    joints: Vec<Entity>,
    names: Vec<String>,
    #[reflect(ignore)]
    revision: Option<Revision>,
}

impl RecordingJoints {
    /// Returns the entity of a node. `None` if the recording has no such node.
    pub fn get(&self, node: NodeId) -> Option<Entity> {
        self.joints.get(node.index()).copied()
    }

    /// Returns the entity of the first node with this name, such as `right/IndexTip`.
    pub fn named(&self, name: &str) -> Option<Entity> {
        self.joints.get(self.names.iter().position(|of| of == name)?).copied()
    }

    /// Returns the entities, in the order of the clip's nodes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + '_ {
        self.joints.iter().copied()
    }
}

type SpawnQueryData<'a> = (Entity, &'a Recording, Option<&'a mut RecordingJoints>);

pub(crate) fn spawn_joints(
    mut commands: Commands,
    mut recordings: Query<SpawnQueryData, With<SpawnJoints>>,
) {
    for (entity, recording, joints) in &mut recordings {
        let revision = Some(recording.revision());
        match joints {
            Some(joints) if joints.revision == revision => {}
            Some(mut joints) => {
                joints.revision = revision;
                update_joints(&mut commands, entity, recording.clip(), &mut joints);
            }
            None => {
                let mut joints = RecordingJoints { revision, ..default() };
                update_joints(&mut commands, entity, recording.clip(), &mut joints);
                commands.entity(entity).insert(joints);
            }
        }
    }
}

/// Gives each node an entity: that of an old joint of the same name, or else a new one. Despawns
/// the other old joints.
fn update_joints(
    commands: &mut Commands,
    recording: Entity,
    clip: &Clip,
    joints: &mut RecordingJoints,
) {
    let mut old: Vec<_> = std::mem::take(&mut joints.names)
        .into_iter()
        .zip(std::mem::take(&mut joints.joints))
        .collect();
    for node in clip.nodes.iter() {
        let reused = old.iter().position(|(name, _)| *name == node.name);
        let entity = match reused {
            Some(index) => old.remove(index).1,
            None => commands.spawn(Name::new(node.name.clone())).id(),
        };
        joints.joints.push(entity);
        joints.names.push(node.name.clone());
    }
    for (id, node) in clip.nodes.with_ids() {
        let parent = node.parent.map_or(recording, |parent| joints.joints[parent.index()]);
        let joint = Joint { recording, node: id.index() as u32 };
        commands.entity(joints.joints[id.index()]).insert((joint, ChildOf(parent)));
    }
    for (_, entity) in old {
        commands.entity(entity).try_despawn();
    }
}

pub(crate) fn apply_joints(
    mut joints: Query<(&Joint, &mut Transform, &mut Visibility), Without<Recording>>,
    recordings: Query<Ref<Recording>>,
) {
    joints.par_iter_mut().for_each(|(joint, mut transform, mut visibility)| {
        let Ok(recording) = recordings.get(joint.recording) else { return };
        let pose = recording.pose();
        let Some(node) = pose.nodes.get(joint.node().index()) else { return };
        let is_new = transform.is_added();
        if !is_new && !recording.is_changed() {
            return;
        }
        visibility.set_if_neq(match node.is_visible {
            true => Visibility::Inherited,
            false => Visibility::Hidden,
        });
        let local = local_in_hierarchy(recording.clip(), pose, joint.node());
        if local.is_finite() {
            transform.set_if_neq(Transform {
                translation: local.translation.as_vec3(),
                rotation: local.rotation.as_quat().normalize(),
                scale: local.scale.as_vec3(),
            });
        }
    });
}

/// Despawns the joints of a recording that is no longer there, or that no longer asks for joints.
pub(crate) fn despawn_joints(
    removed: On<Remove, (SpawnJoints, Recording)>,
    mut commands: Commands,
    joints: Query<&RecordingJoints>,
) {
    if let Ok(joints) = joints.get(removed.entity) {
        for joint in joints.iter() {
            commands.entity(joint).try_despawn();
        }
        commands.entity(removed.entity).try_remove::<RecordingJoints>();
    }
}

/// Returns the transform of a node relative to its parent, for a hierarchy in which a node's scale
/// changes the size of its children.
///
/// In some formats (Metroid Prime), the scale of a node only changes the offsets of its children.
/// The offsets are then scaled here, and the scale of the node itself is left out.
pub(crate) fn local_in_hierarchy(clip: &Clip, pose: &Pose, node: NodeId) -> NodeTransform {
    let local = pose[node].local;
    if clip.nodes.scale_inheritance() == ScaleInheritance::Full {
        return local;
    }
    let parent = clip.nodes[node].parent.map(|parent| pose[parent].local);
    let scale = parent.map_or(glam::DVec3::ONE, |parent| parent.scale);
    NodeTransform { translation: scale * local.translation, scale: glam::DVec3::ONE, ..local }
}
