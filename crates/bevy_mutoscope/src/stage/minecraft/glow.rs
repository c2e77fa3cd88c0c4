//! Draws the outlines of glowing players and entities.

use bevy::prelude::*;

use super::{entities::standing_bounds, figure::cuboid_transform, palette, playing_takes};
use crate::stage::{
    overlay::StageLines,
    subject::{Subject, Subjects},
};
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{Actor, EntityFlags, Part};

/// The distance of the outline from the actor, in metres.
const OUTLINE_DISTANCE: f32 = 0.02;

pub(super) fn draw_outlines(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    subjects.iter().for_each(|subject| draw_subject_outlines(&subject, &mut lines));
}

fn draw_subject_outlines(subject: &Subject<'_>, lines: &mut Gizmos<StageLines>) {
    let mut outline = |node: NodeId, bounds: Transform| {
        let Some(node) = subject.drawn_pose(node) else { return };
        let scale = node.world.scale.as_vec3();
        let transform = subject.staged.to_world_transform(&node.world).with_scale(scale) * bounds;
        let size = transform.scale + 2.0 * OUTLINE_DISTANCE;
        let isometry = Isometry3d::new(transform.translation, transform.rotation);
        lines.primitive_3d(&Cuboid::from_size(size), isometry, palette::GLOW);
    };
    for (take, frame) in playing_takes(subject.recording) {
        let is_glowing = |actor: &Actor| actor.has_flag(EntityFlags::GLOWS, frame);
        if is_glowing(&take.recording.player) {
            match take.entity_size() {
                Some(size) => outline(take.player_node(), cuboid_transform(standing_bounds(size))),
                None => Part::ALL.iter().for_each(|&part| {
                    outline(take.part_node(part), cuboid_transform(part.cuboid(take.profile.slim)));
                }),
            }
        }
        for (index, entity) in take.recording.entities.iter().enumerate() {
            if is_glowing(&entity.actor) {
                outline(take.entity_node(index), cuboid_transform(standing_bounds(entity.size)));
            }
        }
    }
}
