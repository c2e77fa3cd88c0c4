//! The recording that is on the stage: entities that follow its pose.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    Look, StageScreen, Survey, View, gaze, hands, head, material::Paint, minecraft, model,
    skeleton, world,
};
use crate::{
    clip::{Clip, Node, NodeId, NodeKind, Pose, Shown},
    counterpart::Counterpart,
    player::Player,
};

/// What is on the stage.
#[derive(Resource, Debug, Default)]
pub(super) struct Staged {
    /// The generation of the player that it is from.
    generation: Option<u32>,
    /// The parent of every entity of it.
    root: Option<Entity>,
    /// What it does over its whole length.
    pub(super) survey: Survey,
    /// How far it has gone, where it is to stay in place: taken off every place, too.
    pub(super) gone: DVec3,
}

/// How much of a node there is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Nothing.
    Gone,
    /// Where it would be, if it is still there.
    Faded,
    /// All of it.
    Solid,
}

/// An entity that stands where a node stands.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Follows {
    /// The node.
    pub(super) node: NodeId,
    /// How large it is.
    pub(super) size: f32,
}

/// An entity that is painted by how much of a node there is to see.
#[derive(Component, Clone, Debug)]
pub(super) struct Painted {
    /// The node.
    pub(super) node: NodeId,
    /// Its materials.
    pub(super) coat: super::look::Coat,
    /// The signal during which it glows.
    pub(super) glows_with: Option<usize>,
}

impl Staged {
    /// Where something stands on the stage that stands at `place` in the viewer's space.
    pub(super) fn place(&self, place: &crate::clip::Transform) -> Transform {
        Transform {
            translation: self.on_stage(place.translation),
            rotation: place.rotation.as_quat(),
            scale: Vec3::ONE,
        }
    }

    /// How far over the ground the recording has gone since its start when it stands like `pose`.
    pub(super) fn gone_in(&self, clip: &Clip, pose: &Pose) -> DVec3 {
        let here = clip.carrier().map(|id| pose.nodes[id.index()].world.translation);
        here.map_or(DVec3::ZERO, |here| self.gone_to(here))
    }

    /// The same when what carries it is `here`, in the viewer's space.
    pub(super) fn gone_to(&self, here: DVec3) -> DVec3 {
        let way = here - self.survey.carried_from;
        DVec3::new(way.x, 0.0, way.z)
    }

    /// Where on the stage a place in the viewer's space is.
    pub(super) fn on_stage(&self, place: DVec3) -> Vec3 {
        (place - self.survey.origin - self.gone).as_vec3()
    }

    /// Where in the viewer's space a place on the stage is.
    pub(super) fn off_stage(&self, place: Vec3) -> DVec3 {
        place.as_dvec3() + self.survey.origin + self.gone
    }
}

/// How much of the node there is to see.
pub(super) fn presence(player: &Player, view: &View, id: NodeId) -> Presence {
    match player.clip() {
        Some(clip) if !view.hidden.contains(&id) => presence_in(clip, player.pose(), view, id),
        _ => Presence::Gone,
    }
}

/// The same of a node of any recording that stands like `pose`, as far as nobody hides it.
pub(super) fn presence_in(clip: &Clip, pose: &Pose, view: &View, id: NodeId) -> Presence {
    let Some(pose) = pose.nodes.get(id.index()) else { return Presence::Gone };
    let may_fade = matches!(clip.nodes[id].motion.shown, Shown::While(_)) && view.fade_untracked;
    if !pose.world.is_finite() {
        Presence::Gone
    } else if pose.shown {
        Presence::Solid
    } else if may_fade {
        Presence::Faded
    } else {
        Presence::Gone
    }
}

/// Whether entities have to be moved or painted anew.
pub(super) fn something_changed(
    player: Res<Player>,
    counterpart: Res<Counterpart>,
    view: Res<View>,
    staged: Res<Staged>,
) -> bool {
    player.is_changed() || counterpart.is_changed() || view.is_changed() || staged.is_changed()
}

/// Puts another recording on the stage as soon as the player has one.
pub(super) fn stage_clip(
    mut commands: Commands,
    mut staged: ResMut<Staged>,
    mut screen: ResMut<StageScreen>,
    mut paints: ResMut<Assets<Paint>>,
    (mut lines, mut meshes): (ResMut<Assets<GizmoAsset>>, ResMut<Assets<Mesh>>),
    player: Res<Player>,
    (look, wardrobe): (Res<Look>, Res<minecraft::Wardrobe>),
) {
    if staged.generation == Some(player.generation()) {
        return;
    }
    staged.generation = Some(player.generation());
    if let Some(root) = staged.root.take() {
        commands.entity(root).despawn();
    }
    let Some(clip) = player.clip() else { return };
    staged.survey = Survey::new(clip);
    screen.metres_per_square = world::metres_per_square(&staged.survey);
    let size = staged.survey.scale as f32;
    let mut root =
        commands.spawn((Name::new("Recording"), Transform::default(), Visibility::default()));
    staged.root = Some(root.id());
    root.with_children(|root| {
        if let Some(scene) = minecraft::scene(clip) {
            let mut props = minecraft::Props::new(
                &look,
                &staged,
                &wardrobe,
                &mut paints,
                &mut lines,
                &mut meshes,
            );
            minecraft::spawn(root, scene, &mut props);
        } else {
            spawn_nodes(root, clip, &look, size);
        }
    });
}

fn spawn_nodes(root: &mut ChildSpawnerCommands, clip: &Clip, look: &Look, size: f32) {
    for (id, node) in clip.nodes.with_ids() {
        match node.kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
                skeleton::spawn(root, clip, id, look, size);
            }
            NodeKind::Head => head::spawn(root, id, look),
            NodeKind::Ray => gaze::spawn(root, id, look),
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
        }
    }
    hands::spawn(root, clip, look, size);
}

/// Notes how far over the ground the recording has gone since its start, if it is to stay in place.
pub(super) fn stay_in_place(mut staged: ResMut<Staged>, player: Res<Player>, view: Res<View>) {
    let clip = player.clip().filter(|_| view.in_place);
    let gone = clip.map_or(DVec3::ZERO, |clip| staged.gone_in(clip, player.pose()));
    if staged.gone != gone && gone.is_finite() {
        staged.gone = gone;
    }
}

/// Moves entities to where their nodes are.
pub(super) fn follow(
    mut entities: Query<(&Follows, &mut Transform, &mut Visibility)>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let covered = model::covered(&player, &view);
    for (follows, mut transform, mut visibility) in &mut entities {
        let is_there = presence(&player, &view, follows.node) != Presence::Gone
            && follows.node.index() >= covered;
        visibility.set_if_neq(visible(is_there));
        if is_there {
            let place = staged.place(&player.pose().nodes[follows.node.index()].world);
            *transform = place.with_scale(Vec3::splat(follows.size));
        }
    }
}

/// Gives entities the materials they should have.
pub(super) fn paint(
    mut entities: Query<(&Painted, &mut MeshMaterial3d<Paint>)>,
    player: Res<Player>,
    view: Res<View>,
    look: Res<Look>,
) {
    for (painted, mut material) in &mut entities {
        let presence = presence(&player, &view, painted.node);
        let glows = painted.glows_with.is_some_and(|signal| is_on(&player, signal));
        let wanted = match presence {
            Presence::Faded => &painted.coat.faded,
            _ if glows => &look.pinch,
            _ => &painted.coat.solid,
        };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
}

/// Whether the signal with this index is on.
pub(super) fn is_on(player: &Player, signal: usize) -> bool {
    player.pose().signals.get(signal).is_some_and(|value| value.is_true())
}

/// `Inherited` or `Hidden`.
pub(super) fn visible(is_there: bool) -> Visibility {
    if is_there { Visibility::Inherited } else { Visibility::Hidden }
}

/// What an entity is called in inspectors.
pub(super) fn name(node: &Node, what: &str) -> Name {
    Name::new(format!("{} {what}", node.name))
}
