//! The recording that is held against the one that plays: all of it in one colour, a little slimmer
//! than the first, so that where both are the same only the first is seen.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, math::DVec3, prelude::*};

use super::{
    Look, Staged, Survey, View, gaze, head,
    look::{COUNTERPART, Coat},
    material::Paint,
    minecraft,
    overlay::StageLines,
    skeleton,
    staged::{Presence, presence_in, visible},
};
use crate::{
    clip::{Clip, NodeId, NodeKind},
    counterpart::{Counterpart, Placement},
    player::Player,
};

/// How thick everything is, over what it would be in the first recording.
const SLIMMER: f32 = 0.82;

/// How far side by side is, over what both take together.
const APART: f64 = 1.15;

/// The second recording on the stage: where its places are, with what it is moved by.
#[derive(Resource, Debug, Default)]
pub(super) struct Beside {
    /// The generations that it is of: its own, and that of what plays, whose origin it shares.
    generations: Option<(u32, u32)>,
    root: Option<Entity>,
    /// Its own survey; how far it is moved is taken off every place, as if it had gone so far.
    staged: Staged,
    /// How far it is moved to stand beside the first rather than on its spot.
    aside: DVec3,
}

impl Beside {
    /// Where everything of it that can be seen is over its whole length, on the stage; nothing
    /// without a second recording.
    pub(super) fn places(&self) -> impl Iterator<Item = Vec3> {
        let survey = &self.staged.survey;
        let shift = -self.staged.gone;
        let all = survey.joints.iter().chain(&survey.others).filter(|_| self.root.is_some());
        all.map(move |place| (*place + shift).as_vec3())
    }

    /// The same, seen from what carries the first recording, where both go along together.
    pub(super) fn around(&self) -> impl Iterator<Item = Vec3> {
        let around = self.staged.survey.around.iter().filter(|_| self.root.is_some());
        around.map(move |place| (*place + self.aside).as_vec3())
    }
}

/// What of the second recording follows one of its nodes.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Limb {
    node: NodeId,
    size: f32,
}

/// A bone of the second recording.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Link {
    from: NodeId,
    to: NodeId,
    radius: f32,
}

/// What is painted as its node is there or not.
#[derive(Component, Clone, Debug)]
pub(super) struct Dyed {
    node: NodeId,
    coat: Coat,
}

/// Puts another second recording on the stage as soon as there is one.
pub(super) fn stage_counterpart(
    mut commands: Commands,
    mut beside: ResMut<Beside>,
    counterpart: Res<Counterpart>,
    player: Res<Player>,
    staged: Res<Staged>,
    look: Res<Look>,
) {
    let generations = Some((counterpart.generation(), player.generation()));
    if beside.generations == generations {
        return;
    }
    beside.generations = generations;
    if let Some(root) = beside.root.take() {
        commands.entity(root).despawn();
    }
    let Some(clip) = counterpart.clip().filter(|_| player.clip().is_some()) else { return };
    let mut survey = Survey::new(clip);
    survey.move_origin(staged.survey.origin);
    beside.staged.survey = survey;
    let mut root = commands.spawn((
        Name::new("Second recording"),
        Transform::default(),
        Visibility::default(),
    ));
    beside.root = Some(root.id());
    let size = beside.staged.survey.scale as f32 * SLIMMER;
    root.with_children(|root| match minecraft::scene(clip) {
        Some(scene) => minecraft::boxes(scene).for_each(|(node, inside)| {
            let look = (&look.cube, &look.counterpart);
            limb(root, node, 1.0).with_children(|limb| part(limb, node, look, inside));
        }),
        None => clip.nodes.with_ids().for_each(|(id, _)| spawn(root, clip, id, &look, size)),
    });
}

/// A node with what leads to it.
fn spawn(root: &mut ChildSpawnerCommands, clip: &Clip, id: NodeId, look: &Look, size: f32) {
    let node = &clip.nodes[id];
    let coat = &look.counterpart;
    match node.kind {
        NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
            let mesh = match node.kind {
                NodeKind::Locator => &look.octahedron,
                _ => &look.ball,
            };
            let radius = skeleton::radius(clip, id) * size;
            limb(root, id, radius)
                .with_children(|limb| part(limb, id, (mesh, coat), Transform::default()));
            if let Some(from) = node.bone_from {
                root.spawn((
                    Link { from, to: id, radius: skeleton::BONE_RADIUS * size },
                    painted(id, (&look.bone, coat)),
                    Visibility::Hidden,
                ));
            }
        }
        NodeKind::Head => {
            limb(root, id, 1.0).with_children(|limb| {
                for ([middle, half], coat) in [(head::SKULL, coat), (head::VISOR, &look.visor)] {
                    let place = Transform::from_translation(middle).with_scale(half * SLIMMER);
                    part(limb, id, (&look.large_ball, coat), place);
                }
            });
        }
        NodeKind::Ray => {
            let coat = &look.counterpart_ray;
            limb(root, id, 1.0).with_children(|limb| {
                part(limb, id, (&look.ray, coat), Transform::default());
                let dot = Transform::from_scale(Vec3::splat(gaze::DOT_RADIUS));
                part(limb, id, (&look.ball, coat), dot);
            });
        }
        NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
    }
}

fn limb<'a>(root: &'a mut ChildSpawnerCommands, node: NodeId, size: f32) -> EntityCommands<'a> {
    root.spawn((Limb { node, size }, Transform::default(), Visibility::Hidden))
}

fn part(
    limb: &mut ChildSpawnerCommands,
    node: NodeId,
    look: (&Handle<Mesh>, &Coat),
    place: Transform,
) {
    limb.spawn((painted(node, look), place));
}

fn painted(node: NodeId, (mesh, coat): (&Handle<Mesh>, &Coat)) -> impl Bundle + use<> {
    let material = MeshMaterial3d(coat.solid.clone());
    (Mesh3d(mesh.clone()), material, Dyed { node, coat: coat.clone() })
}

/// Moves all of it to where it is to be seen.
pub(super) fn take_place(
    mut beside: ResMut<Beside>,
    counterpart: Res<Counterpart>,
    staged: Res<Staged>,
    view: Res<View>,
) {
    let Some(clip) = counterpart.clip() else { return };
    let gone = match view.in_place {
        true => beside.staged.gone_in(clip, counterpart.pose()),
        false => DVec3::ZERO,
    };
    let surveys = [&staged.survey, &beside.staged.survey];
    let aside = aside(counterpart.placement, surveys);
    let gone = gone - aside - to_the_spot(&counterpart, surveys);
    if beside.staged.gone != gone && gone.is_finite() {
        (beside.staged.gone, beside.aside) = (gone, aside);
    }
}

/// How far the second recording is moved to be on the spot of the first, if it is to be there.
fn to_the_spot(counterpart: &Counterpart, [first, second]: [&Survey; 2]) -> DVec3 {
    let middle = |survey: &Survey| {
        let [least, most] = survey.bounds();
        (least + most) / 2.0
    };
    // Joints tell better than boxes, where some are meant by the same.
    let to_the_spot =
        || counterpart.mean.map_or_else(|| middle(first) - middle(second), |mean| -mean);
    match counterpart.placement {
        Placement::AsRecorded => DVec3::ZERO,
        Placement::OnTheSpot => to_the_spot(),
        // Both stand on one floor.
        Placement::SideBySide => to_the_spot() * DVec3::new(1.0, 0.0, 1.0),
    }
}

/// How far it is moved from there to the right of the first, if it is to be beside it.
fn aside(placement: Placement, [first, second]: [&Survey; 2]) -> DVec3 {
    if placement != Placement::SideBySide {
        return DVec3::ZERO;
    }
    let right = match first.heading {
        DVec3::ZERO => DVec3::X,
        heading => heading.cross(DVec3::Y),
    };
    right * (0.5 * (first.extent(right) + second.extent(right)) * APART)
}

/// Moves what is of the second recording to where its nodes are.
pub(super) fn follow(
    mut limbs: Query<(&Limb, &mut Transform, &mut Visibility), Without<Link>>,
    mut links: Query<(&Link, &mut Transform, &mut Visibility)>,
    mut dyed: Query<(&Dyed, &mut MeshMaterial3d<Paint>)>,
    counterpart: Res<Counterpart>,
    player: Res<Player>,
    (beside, view): (Res<Beside>, Res<View>),
) {
    let Some(clip) = counterpart.clip() else { return };
    let pose = counterpart.pose();
    let plays = counterpart.plays_at(player.pose().time);
    // What is over or has not begun is faded.
    let presence = |id: NodeId| match presence_in(clip, pose, &view, id) {
        Presence::Solid if !plays => Presence::Faded,
        presence => presence,
    };
    for (limb, mut transform, mut visibility) in &mut limbs {
        let is_there = presence(limb.node) != Presence::Gone;
        visibility.set_if_neq(visible(is_there));
        if is_there {
            let place = beside.staged.place(&pose.nodes[limb.node.index()].world);
            *transform = place.with_scale(Vec3::splat(limb.size));
        }
    }
    for (link, mut transform, mut visibility) in &mut links {
        let end = |id: NodeId| {
            let node = pose.nodes.get(id.index()).filter(|node| node.world.is_finite())?;
            Some(beside.staged.place(&node.world).translation)
        };
        let is_there = view.bones && presence(link.to) != Presence::Gone;
        let ends = end(link.from).zip(end(link.to)).filter(|_| is_there);
        let between = ends.and_then(|(from, to)| skeleton::between(from, to, link.radius));
        visibility.set_if_neq(visible(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
    for (Dyed { node, coat }, mut material) in &mut dyed {
        let wanted = if presence(*node) == Presence::Solid { &coat.solid } else { &coat.faded };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
}

/// Draws a line from what is selected to what is meant by the same in the second recording.
pub(super) fn draw_link(
    mut lines: Gizmos<StageLines>,
    counterpart: Res<Counterpart>,
    player: Res<Player>,
    view: Res<View>,
    (staged, beside): (Res<Staged>, Res<Beside>),
) {
    let pair = view.selected.and_then(|first| Some((first, counterpart.like(first)?)));
    let Some((first, second)) = pair.filter(|_| beside.root.is_some()) else { return };
    let one = player.pose().nodes.get(first.index()).filter(|node| node.shown);
    let other = counterpart.pose().nodes.get(second.index()).filter(|node| node.shown);
    if let (Some(one), Some(other)) = (one, other) {
        let from = staged.place(&one.world).translation;
        lines.line(from, beside.staged.place(&other.world).translation, COUNTERPART);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{asset::ClipAsset, stage::testing::sample_clip};

    fn counterpart(placement: Placement) -> Counterpart {
        let mut counterpart = Counterpart::default();
        counterpart.open(ClipAsset::new(sample_clip()));
        counterpart.placement = placement;
        counterpart
    }

    #[test]
    fn side_by_side_is_to_the_right_and_clear_of_the_first() {
        let survey = Survey::new(&sample_clip());
        let surveys = [&survey, &survey];
        let way = aside(Placement::SideBySide, surveys);
        // Who faces −Z has his right at +X.
        assert!(way.x > survey.extent(DVec3::X) && way.y == 0.0, "{way}");
        assert!(way.x > 5.0 * way.z.abs(), "{way}");
        for placement in [Placement::AsRecorded, Placement::OnTheSpot] {
            assert_eq!(aside(placement, surveys), DVec3::ZERO);
        }
    }

    #[test]
    fn on_the_spot_the_mean_of_what_joints_are_apart_is_taken_off() {
        let survey = Survey::new(&sample_clip());
        let mean = DVec3::new(3.0, 1.0, -2.0);
        let moved = |placement| {
            let mut counterpart = counterpart(placement);
            counterpart.mean = Some(mean);
            to_the_spot(&counterpart, [&survey, &survey])
        };
        assert_eq!(moved(Placement::AsRecorded), DVec3::ZERO);
        assert_eq!(moved(Placement::OnTheSpot), -mean);
        assert_eq!(moved(Placement::SideBySide), DVec3::new(-3.0, 0.0, 2.0), "on one floor");
        let unknown = to_the_spot(&counterpart(Placement::OnTheSpot), [&survey, &survey]);
        assert_eq!(unknown, DVec3::ZERO, "the middles are the same");
    }
}
