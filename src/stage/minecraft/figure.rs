//! A player's body in its skin, with what its hands hold.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, Who, chat, distress,
    entities::{self, Someone},
    hands::{self, Hands},
    palette::Flesh,
    playing_take,
};
use crate::{
    recording::RecordingNode,
    stage::{
        Tag,
        head::Head,
        material::Paint,
        player_skin::PIXEL,
        subject::{Follows, Subjects},
    },
};
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{Cuboid, EntityFlags, Part, Scene, Size, Take};

/// A player's skin: it turns red while the player is hurt.
#[derive(Component, Clone, Debug)]
pub(super) struct Body {
    pub(super) who: Who,
    pub(super) flesh: Flesh,
}

/// How large a player is, for the fire around it.
const PLAYER: Size = Size { width: 0.6, height: 1.8 };

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
    let recording = &take.recording;
    if let (Some(kind), Some(size)) = (&take.kind, take.kind_size()) {
        let nbt = take.kind_nbt.as_deref().unwrap_or_default();
        let someone = Someone {
            who,
            node: take.player(),
            kind,
            nbt,
            size,
            actor: &recording.player,
            scale: take.size,
            name: None,
        };
        return entities::spawn_one(root, someone, props);
    }
    let size = take.size as f32;
    let name = take.person.name.as_ref().filter(|_| named);
    root.spawn(following(props.parts.of(take.player()), size, "player")).with_children(|root| {
        if let Some(name) = name {
            let above = Transform::from_xyz(0.0, NAME_HEIGHT, 0.0);
            root.spawn((Tag::new(name), above, Visibility::Inherited));
        }
        distress::spawn_fire(root, who, &recording.player, PLAYER, props);
    });
    let (skin, slim) = (props.skin_of(take), props.slim(take));
    let flesh = props.palette.flesh(Color::WHITE);
    let held = hands::meshes(&recording.player, props);
    for part in Part::ALL {
        let mut limb = root.spawn(following(props.parts.of(take.part(part)), size, part.name()));
        if part == Part::Head {
            limb.insert(Head);
        }
        limb.with_children(|limb| {
            limb.spawn((
                Mesh3d(props.skin_mesh(&skin, part)),
                MeshMaterial3d(flesh.sound.clone()),
                Body { who, flesh: flesh.clone() },
                Transform::default(),
            ));
            if let Some(hand) = part.hand(slim) {
                let is_right = part == Part::RightArm;
                hands::spawn(limb, Hands { who, is_right, hand }, &held, props);
            }
        });
    }
    distress::spawn_arrows(root, index, take, props);
    chat::spawn(root, take, props);
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

/// The components of an entity that follows a node, scaled by `size`.
pub(super) fn following(of: RecordingNode, size: f32, name: &str) -> impl Bundle + use<> {
    (Name::new(name.to_owned()), Follows { of, size }, Transform::default(), Visibility::Hidden)
}

/// The transform that makes a cuboid of a cube of size 1.
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
