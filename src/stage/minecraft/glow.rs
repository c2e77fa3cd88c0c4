//! Outlines of glowing players and entities.

use bevy::prelude::*;

use super::{entities::bounds, figure::fill, palette, playing};
use crate::stage::{
    overlay::StageLines,
    subject::{Subject, Subjects},
};
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{Actor, EntityFlags, Part};

/// How far the outline is from what it is around, in metres.
const AROUND: f32 = 0.02;

/// Draws the edges of every box of all that glows.
pub(super) fn draw(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    subjects.iter().for_each(|subject| draw_of(&subject, &mut lines));
}

fn draw_of(subject: &Subject<'_>, lines: &mut Gizmos<StageLines>) {
    let mut outline = |node: NodeId, bounds: Transform| {
        let Some(node) = subject.drawn(node) else { return };
        let scale = node.world.scale.as_vec3();
        let place = subject.staged.transform(&node.world).with_scale(scale) * bounds;
        let size = place.scale + 2.0 * AROUND;
        let at = Isometry3d::new(place.translation, place.rotation);
        lines.primitive_3d(&Cuboid::from_size(size), at, palette::GLOW);
    };
    for (take, frame) in playing(subject.recording) {
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
