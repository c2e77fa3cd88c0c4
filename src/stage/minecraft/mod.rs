//! A player of Minecraft and what is around: the man of boxes, entities, blocks.
//!
//! | file | what it does |
//! |---|---|
//! | `figure` | the player's body |
//! | `outfit` | what he wears and holds |
//! | `entities` | boxes for everybody else |
//! | `blocks` | blocks that were placed and broken |
//! | `marks` | look, trail, clicks, cracks and the bed, as lines |
//! | `palette` | colours |

mod blocks;
mod entities;
mod figure;
mod marks;
mod outfit;
mod palette;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Look, Staged, material::Paint};
use crate::{
    clip::{Clip, NodeId},
    formats::mcmocap::Recording,
    player::Player,
};
pub(super) use marks::eyes;
use palette::Palette;

/// Bones of this many metres would be as thick as suits a player.
pub(super) const SCALE: f64 = 8.0;

/// The recording of a player in a clip, if it is one.
pub(super) fn recording(clip: &Clip) -> Option<&Recording> {
    clip.driver_as()
}

/// The node of this name.
fn node(clip: &Clip, name: &str) -> Option<NodeId> {
    clip.nodes.with_ids().find(|(_, node)| node.name == name).map(|(id, _)| id)
}

/// Everything of a recording.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    clip: &Clip,
    look: &Look,
    staged: &Staged,
    paints: &mut Assets<Paint>,
    lines: &mut Assets<GizmoAsset>,
) {
    let Some(recording) = recording(clip) else { return };
    let mut palette = Palette::new(paints);
    figure::spawn(root, clip, recording, look, &mut palette);
    outfit::spawn(root, clip, recording, look, &mut palette);
    entities::spawn(root, clip, recording, look, &mut palette);
    // What stands still in the world; it goes where the player comes from if he stays in place.
    root.spawn((
        Name::new("Surroundings"),
        Surroundings,
        Transform::default(),
        Visibility::Inherited,
    ))
    .with_children(|root| {
        blocks::spawn(root, recording, look, staged, &mut palette);
        root.spawn(marks::trail(recording, staged, lines));
    });
}

/// The parent of what does not move by itself.
#[derive(Component, Clone, Copy, Debug)]
struct Surroundings;

/// Adds what follows the time.
pub(super) fn plugin(app: &mut App) {
    use super::{StageSystems, staged::something_changed};
    app.add_systems(
        Update,
        (figure::tint, outfit::dress, entities::tint, blocks::follow, stay)
            .run_if(something_changed)
            .in_set(StageSystems::Follow),
    )
    .add_systems(PostUpdate, (marks::draw_player, marks::draw_blocks).in_set(StageSystems::Camera));
}

/// Moves the surroundings while the player stays in place.
fn stay(mut surroundings: Query<&mut Transform, With<Surroundings>>, staged: Res<Staged>) {
    for mut transform in &mut surroundings {
        let translation = -staged.gone.as_vec3();
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}

/// The recording that plays, and the frame it is at.
fn playing(player: &Player) -> Option<(&Recording, u32)> {
    let recording = recording(player.clip()?)?;
    Some((recording, recording.moment(player.pose().time).frame))
}
