//! The body of a player in its skin, with the items in its hands.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    ActorRef, SceneAssets, chat,
    entities::{self, ActorSpawn},
    fire_and_arrows,
    hands::{self, HandRef},
    palette::SkinMaterials,
    playing_take,
};
use crate::{
    RecordingNode,
    stage::{
        Tag,
        head::Head,
        material::Paint,
        player_skin::PIXEL_SIZE,
        subject::{FollowsNode, Subjects},
    },
};
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{Cuboid, EntityFlags, Part, Scene, Size, Take};

#[derive(Component, Clone, Debug)]
pub(super) struct Body {
    pub(super) actor_ref: ActorRef,
    pub(super) materials: SkinMaterials,
}

const PLAYER_SIZE: Size = Size { width: 0.6, height: 1.8 };

/// The height of a player's name above the feet, in metres.
const NAME_HEIGHT: f32 = 2.15;

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    named: bool,
    assets: &mut SceneAssets<'_>,
) {
    let actor_ref = ActorRef { take: assets.take_ref(index), entity: None };
    let recording = &take.recording;
    if let (Some(kind), Some(size)) = (&take.entity_kind, take.entity_size()) {
        let nbt = take.entity_nbt.as_deref().unwrap_or_default();
        let actor_spawn = ActorSpawn {
            actor_ref,
            node: take.player_node(),
            kind,
            nbt,
            size,
            actor: &recording.player,
            scale: take.actor_scale,
            name: None,
        };
        return entities::spawn_actor(root, actor_spawn, assets);
    }
    let size = take.actor_scale as f32;
    let name = take.profile.name.as_ref().filter(|_| named);
    root.spawn(node_follower(assets.parts.node_ref(take.player_node()), size, "player"))
        .with_children(|root| {
            if let Some(name) = name {
                let above = Transform::from_xyz(0.0, NAME_HEIGHT, 0.0);
                root.spawn((Tag::new(name), above, Visibility::Inherited));
            }
            fire_and_arrows::spawn_fire(root, actor_ref, &recording.player, PLAYER_SIZE, assets);
        });
    let (skin, slim) = (assets.skin_for(take), assets.has_slim_arms(take));
    let materials = assets.palette.skin_materials(Color::WHITE);
    let held = hands::held_item_meshes(&recording.player, assets);
    for part in Part::ALL {
        let mut limb = root.spawn(node_follower(
            assets.parts.node_ref(take.part_node(part)),
            size,
            part.name(),
        ));
        if part == Part::Head {
            limb.insert(Head);
        }
        limb.with_children(|limb| {
            limb.spawn((
                Mesh3d(assets.skin_mesh(&skin, part)),
                MeshMaterial3d(materials.normal.clone()),
                Body { actor_ref, materials: materials.clone() },
                Transform::default(),
            ));
            if let Some(hand) = part.hand_transform(slim) {
                let is_right = part == Part::RightArm;
                hands::spawn(limb, HandRef { actor_ref, is_right, grip: hand }, &held, assets);
            }
        });
    }
    fire_and_arrows::spawn_arrows(root, index, take, assets);
    chat::spawn(root, take, assets);
}

pub(super) fn body_boxes(scene: &Scene) -> impl Iterator<Item = (NodeId, Transform)> + '_ {
    let players = scene.takes.iter().filter(|take| take.entity_kind.is_none());
    players.flat_map(|take| {
        let size = Transform::from_scale(Vec3::splat(take.actor_scale as f32));
        let slim = take.profile.slim;
        Part::ALL
            .into_iter()
            .map(move |part| (take.part_node(part), size * cuboid_transform(part.cuboid(slim))))
    })
}

pub(super) fn node_follower(node: RecordingNode, size: f32, name: &str) -> impl Bundle + use<> {
    (
        Name::new(name.to_owned()),
        FollowsNode { node, size },
        Transform::default(),
        Visibility::Hidden,
    )
}

pub(super) fn cuboid_transform(cuboid: Cuboid) -> Transform {
    let size = (cuboid.max - cuboid.min).as_vec3();
    Transform::from_translation(((cuboid.min + cuboid.max) / 2.0).as_vec3()).with_scale(size)
}

/// Returns the transform from a unit cube to a box. `min` is the corner of the box and `size` its
/// size, in sixteenths of a block: Y up, −Z ahead.
pub(super) fn pixel_box_transform(min: [f32; 3], size: [f32; 3]) -> Transform {
    let (min, size) = (Vec3::from_array(min), Vec3::from_array(size));
    Transform::from_translation((min + size / 2.0) * PIXEL_SIZE).with_scale(size * PIXEL_SIZE)
}

pub(super) fn update_materials(
    mut bodies: Query<(&Body, &mut MeshMaterial3d<Paint>)>,
    subjects: Subjects,
) {
    for (Body { actor_ref, materials }, mut material) in &mut bodies {
        let Some((take, frame)) = playing_take(&subjects, actor_ref.take) else { continue };
        let Some(actor) = actor_ref.actor(take) else { continue };
        let is_hurt = actor.hurt_time(frame) > 0 || actor.death_time(frame) > 0;
        let wanted = if actor.has_flag(EntityFlags::INVISIBLE, frame) {
            &materials.invisible
        } else if *actor.spectator.at_frame(frame) {
            &materials.spectator
        } else if is_hurt {
            &materials.hurt
        } else {
            &materials.normal
        };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
}
