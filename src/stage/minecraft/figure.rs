//! A player's body: six boxes, with hair and eyes to tell the front by.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, Who, entities,
    palette::{self, Flesh},
    playing_take,
};
use crate::{
    clip::NodeId,
    formats::mcmocap::{Cuboid, EntityFlags, Part, Scene, Take},
    recording::RecordingNode,
    stage::{
        Tag,
        head::Head,
        material::Paint,
        player_skin::PIXEL,
        subject::{Follows, Subjects},
    },
};

/// A player's skin: it turns red while the player is hurt.
#[derive(Component, Clone, Debug)]
pub(super) struct Body {
    pub(super) who: Who,
    pub(super) flesh: Flesh,
}

/// How high above the feet a player's name is, in metres.
const NAME_HEIGHT: f32 = 2.15;

/// The body of the player of the recording at `index` of the scene, with the name if it is `named`.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    named: bool,
    props: &mut Props<'_>,
) {
    let who = Who { take: props.of(index), entity: None };
    if let (Some(kind), Some(size)) = (&take.kind, take.kind_size()) {
        let scale = take.size;
        return entities::spawn_box(root, who, take.player(), kind, size, scale, props);
    }
    let size = take.size as f32;
    if let Some(name) = take.person.name.as_ref().filter(|_| named) {
        let above = Transform::from_xyz(0.0, NAME_HEIGHT, 0.0);
        root.spawn(following(props.parts.of(take.player()), size, name)).with_children(|root| {
            root.spawn((Tag::new(name), above, Visibility::Inherited));
        });
    }
    let skin = props.skin_of(take);
    for part in Part::ALL {
        let mut limb = root.spawn(following(props.parts.of(take.part(part)), size, part.name()));
        if part == Part::Head {
            limb.insert(Head);
        }
        limb.with_children(|limb| match &skin {
            Some(skin) => {
                let flesh = props.palette.flesh(Color::WHITE);
                let mesh = props.meshes.add(skin.mesh(part));
                limb.spawn((
                    Mesh3d(mesh),
                    MeshMaterial3d(flesh.sound.clone()),
                    Body { who, flesh },
                    Transform::default(),
                ));
            }
            None => plain(limb, who, part, take.person.slim, props),
        });
    }
}

/// The boxes that players are made of: the node that each follows, and what makes it of a cube of
/// size 1.
pub(super) fn boxes(scene: &Scene) -> impl Iterator<Item = (NodeId, Transform)> + '_ {
    let players = scene.takes.iter().filter(|take| take.kind.is_none());
    players.flat_map(|take| {
        let size = Transform::from_scale(Vec3::splat(take.size as f32));
        let slim = take.person.slim;
        Part::ALL.into_iter().map(move |part| (take.part(part), size * fill(part.cuboid(slim))))
    })
}

/// A part of the body without a skin.
fn plain(limb: &mut ChildSpawnerCommands, who: Who, part: Part, slim: bool, props: &mut Props<'_>) {
    let mut cuboid = |place: Transform, color| {
        let flesh = props.palette.flesh(color);
        limb.spawn((
            Mesh3d(props.parts.look.cube.clone()),
            MeshMaterial3d(flesh.sound.clone()),
            Body { who, flesh },
            place,
        ));
    };
    cuboid(fill(part.cuboid(slim)), color(part));
    if part == Part::Head {
        cuboid(pixels([-4.2, 5.6, -4.2], [8.4, 2.7, 8.4]), palette::HAIR);
        for left in [-3.0, 1.0] {
            cuboid(pixels([left, 3.0, -4.1], [2.0, 1.0, 0.2]), palette::EYES);
        }
    }
}

/// What follows a node, `size` times as large.
pub(super) fn following(of: RecordingNode, size: f32, name: &str) -> impl Bundle + use<> {
    (Name::new(name.to_owned()), Follows { of, size }, Transform::default(), Visibility::Hidden)
}

fn color(part: Part) -> Color {
    match part {
        Part::Head => palette::SKIN,
        Part::Body => palette::SHIRT,
        Part::LeftArm | Part::LeftLeg => palette::LEFT,
        Part::RightArm | Part::RightLeg => palette::RIGHT,
    }
}

/// What makes a box of a cube of size 1.
pub(super) fn fill(cuboid: Cuboid) -> Transform {
    let size = (cuboid.max - cuboid.min).as_vec3();
    Transform::from_translation(((cuboid.min + cuboid.max) / 2.0).as_vec3()).with_scale(size)
}

/// The same for a box from `min` on, in sixteenths of a block: y upwards, −Z ahead.
pub(super) fn pixels(min: [f32; 3], size: [f32; 3]) -> Transform {
    let (min, size) = (Vec3::from_array(min), Vec3::from_array(size));
    Transform::from_translation((min + size / 2.0) * PIXEL).with_scale(size * PIXEL)
}

/// Tints players and entities red while they are hurt or dying, and makes invisible ones and
/// spectators translucent.
pub(super) fn tint(mut bodies: Query<(&Body, &mut MeshMaterial3d<Paint>)>, subjects: Subjects) {
    for (Body { who, flesh }, mut material) in &mut bodies {
        let Some((take, frame)) = playing_take(&subjects, who.take) else { continue };
        let Some(actor) = who.actor(take) else { continue };
        let hurts = actor.hurt_time(frame) > 0 || actor.death_time(frame) > 0;
        let wanted = if actor.has_flag(EntityFlags::INVISIBLE, frame) {
            &flesh.trace
        } else if *actor.spectator.at(frame) {
            &flesh.spectator
        } else if hurts {
            &flesh.hurt
        } else {
            &flesh.sound
        };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
}
