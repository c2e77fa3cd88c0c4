//! Who glows has an outline.

use bevy::prelude::*;

use super::{entities::bounds, figure::fill, palette, playing};
use crate::{
    clip::NodeId,
    formats::mcmocap::{Actor, EntityFlags, Part},
    player::Player,
    stage::{
        Staged, View,
        overlay::StageLines,
        staged::{Presence, presence},
    },
};

/// How far the outline is from what it is around, in metres.
const AROUND: f32 = 0.02;

/// Draws the edges of every box of whoever glows.
pub(super) fn draw(
    mut lines: Gizmos<StageLines>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let mut outline = |node: NodeId, bounds: Transform| {
        if presence(&player, &view, node) == Presence::Gone {
            return;
        }
        let world = &player.pose().nodes[node.index()].world;
        let scale = world.scale.as_vec3();
        let place = staged.place(world).with_scale(scale) * bounds;
        let size = place.scale + 2.0 * AROUND;
        let at = Isometry3d::new(place.translation, place.rotation);
        lines.primitive_3d(&Cuboid::from_size(size), at, palette::GLOW);
    };
    for (take, frame) in playing(&player) {
        let glows = |actor: &Actor| actor.has_flag(EntityFlags::GLOWS, frame);
        if glows(&take.recording.player) {
            match take.kind_size() {
                Some(size) => outline(take.player(), fill(bounds(size))),
                None => Part::ALL.iter().for_each(|&part| {
                    outline(take.part(part), fill(part.cuboid(take.person.slim)));
                }),
            }
        }
        for (index, entity) in take.recording.entities.iter().enumerate() {
            if glows(&entity.actor) {
                outline(take.entity(index), fill(bounds(entity.size)));
            }
        }
    }
}
