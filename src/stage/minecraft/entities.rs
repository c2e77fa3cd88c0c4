//! Everybody and everything else: a box as large as each is, with its name.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    figure::{Body, paint},
    node,
    palette::{self, Palette},
    playing,
};
use crate::{
    clip::Clip,
    formats::mcmocap::{Entity as Creation, Recording},
    player::Player,
    stage::{Look, Tag, material::Paint, staged::Follows},
};

/// A part of the entity with this index in its recording.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Creature(usize);

/// A box for each, and a nose to tell its front by.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    clip: &Clip,
    recording: &Recording,
    look: &Look,
    palette: &mut Palette<'_>,
) {
    for (index, entity) in recording.entities.iter().enumerate() {
        let Some(id) = node(clip, &format!("entity/{}", entity.id)) else { continue };
        let name = palette::short(&entity.kind);
        let flesh = palette.flesh(palette::of_name(name));
        let follows = (
            Name::new(name.to_owned()),
            Follows { node: id, size: 1.0 },
            Transform::default(),
            Visibility::Hidden,
        );
        root.spawn(follows).with_children(|entity_root| {
            for place in boxes(entity) {
                entity_root.spawn((
                    Mesh3d(look.cube.clone()),
                    MeshMaterial3d(flesh.sound.clone()),
                    Body(flesh.clone()),
                    Creature(index),
                    place,
                ));
            }
            let above = Transform::from_xyz(0.0, entity.size.height as f32 + 0.1, 0.0);
            entity_root.spawn((Tag::new(name), above, Visibility::Inherited));
        });
    }
}

/// Its body and its nose.
fn boxes(entity: &Creation) -> [Transform; 2] {
    let [width, height] = [entity.size.width, entity.size.height].map(|size| size as f32);
    let body = Transform::from_xyz(0.0, height / 2.0, 0.0)
        .with_scale(Vec3::new(width, height, width) * 0.96);
    let nose = width.min(height) * 0.25;
    let nose = Transform::from_xyz(0.0, height * 0.75, -width / 2.0).with_scale(Vec3::splat(nose));
    [body, nose]
}

/// Reddens those that are hurt or dying.
pub(super) fn tint(
    mut bodies: Query<(&Creature, &Body, &mut MeshMaterial3d<Paint>)>,
    player: Res<Player>,
) {
    let Some((recording, frame)) = playing(&player) else { return };
    for (Creature(index), Body(flesh), mut material) in &mut bodies {
        let Some(entity) = recording.entities.get(*index) else { continue };
        let hurts = entity.actor.hurt_time(frame) > 0 || entity.actor.death_time(frame) > 0;
        paint(flesh, hurts, &mut material);
    }
}
