//! The player's body: six boxes, with hair and eyes to tell the front by.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    node,
    palette::{self, Flesh, Palette},
    playing,
};
use crate::{
    clip::Clip,
    formats::mcmocap::{Cuboid, Part, Recording},
    player::Player,
    stage::{Look, head::Head, material::Paint, staged::Follows},
};

/// A sixteenth of a block as players are drawn, in metres.
pub(super) const PIXEL: f32 = 0.9375 / 16.0;

/// Somebody's skin: it turns red where he is hurt.
#[derive(Component, Clone, Debug)]
pub(super) struct Body(pub(super) Flesh);

/// The player's body.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    clip: &Clip,
    recording: &Recording,
    look: &Look,
    palette: &mut Palette<'_>,
) {
    for part in Part::ALL {
        let Some(id) = node(clip, &format!("player/{}", part.name())) else { continue };
        let mut limb = root.spawn((
            Name::new(part.name()),
            Follows { node: id, size: 1.0 },
            Transform::default(),
            Visibility::Hidden,
        ));
        if part == Part::Head {
            limb.insert(Head);
        }
        limb.with_children(|limb| {
            let mut cuboid = |place: Transform, color| {
                let flesh = palette.flesh(color);
                limb.spawn((
                    Mesh3d(look.cube.clone()),
                    MeshMaterial3d(flesh.sound.clone()),
                    Body(flesh),
                    place,
                ));
            };
            cuboid(fill(part.cuboid(recording.person.slim)), color(part));
            if part == Part::Head {
                cuboid(pixels([-4.2, 5.6, -4.2], [8.4, 2.7, 8.4]), palette::HAIR);
                for left in [-3.0, 1.0] {
                    cuboid(pixels([left, 3.0, -4.1], [2.0, 1.0, 0.2]), palette::EYES);
                }
            }
        });
    }
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

/// Reddens the player while he is hurt or dying.
pub(super) fn tint(
    mut bodies: Query<(&Body, &mut MeshMaterial3d<Paint>), Without<super::entities::Creature>>,
    player: Res<Player>,
) {
    let Some((recording, frame)) = playing(&player) else { return };
    let who = &recording.player;
    let hurts = who.hurt_time(frame) > 0 || who.death_time(frame) > 0;
    for (Body(flesh), mut material) in &mut bodies {
        paint(flesh, hurts, &mut material);
    }
}

/// Gives it the colour of who is hurt, or not.
pub(super) fn paint(flesh: &Flesh, hurts: bool, material: &mut Mut<'_, MeshMaterial3d<Paint>>) {
    let wanted = if hurts { &flesh.hurt } else { &flesh.sound };
    if material.0 != *wanted {
        material.0 = wanted.clone();
    }
}
