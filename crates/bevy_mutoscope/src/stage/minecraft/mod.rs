//! Minecraft players and their surroundings: figures, entities, blocks.
//!
//! | file | purpose |
//! |---|---|
//! | `figure` | the body of a player, tinted while it is hurt |
//! | `armour`, `hands` | worn and held items |
//! | `entities`, `creatures` | the figures of entities and their movement |
//! | `fire_and_arrows`, `glow` | fire, arrows in bodies, outlines of glowing actors |
//! | `chat` | chat messages of players |
//! | `blocks` | placed and broken blocks, and the ground |
//! | `marks` | looks, trails, clicks, cracks and beds, as lines |
//! | `assets`, `palette` | meshes and materials, which are shared; colours |
//!
//! The shapes themselves are independent of Bevy, in [`mutoscope_minecraft::shapes`].

mod armour;
mod assets;
mod blocks;
mod chat;
mod creatures;
mod entities;
mod figure;
mod fire_and_arrows;
mod glow;
mod hands;
mod marks;
mod palette;
#[cfg(test)]
mod tests;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    appearance::{Appearance, PartAssets},
    subject::{PartContext, Staged, Subjects},
};
use crate::Recording;
use assets::SceneAssets;
use entities::standing_bounds;
use figure::body_boxes;
use mutoscope_core::clip::{Clip, NodeBounds, NodeId};
use mutoscope_minecraft::{Actor, Cuboid, Part, SampleTime, Scene, TICKS_PER_SECOND, Take};
use palette::Palette;

pub(super) const APPEARANCE: Appearance = Appearance {
    applies_to: |clip| scene(clip).is_some(),
    draws_everything: true,
    is_figure: true,
    spawn,
    node_bounds: |clip| scene(clip).map_or_else(Vec::new, actor_bounds),
    surroundings: |clip| scene(clip).map_or_else(Vec::new, blocks::block_corners),
    max_surroundings_distance: SURROUNDINGS_RADIUS,
    scale: Some(BONE_SCALE),
    boxes: |clip| scene(clip).map_or_else(Vec::new, |scene| body_boxes(scene).collect()),
    eyes: marks::eye_transform,
};

/// The thickness of bones relative to those of a hand. With this value, bones are about as thick as
/// a player's limbs.
const BONE_SCALE: f64 = 8.0;

/// In metres. The camera does not frame a block that is farther than this from all players and
/// entities, because its position may be invalid. In the game, players cannot reach so far.
const SURROUNDINGS_RADIUS: f64 = 16.0;

fn scene(clip: &Clip) -> Option<&Scene> {
    clip.procedural_as()
}

fn actor_bounds(scene: &Scene) -> Vec<NodeBounds> {
    let bounds_of = |node: NodeId, Cuboid { min, max }: Cuboid| NodeBounds {
        node: node.index(),
        min: min.as_vec3(),
        max: max.as_vec3(),
    };
    let mut reaches = Vec::new();
    for take in &scene.takes {
        match take.entity_size() {
            Some(size) => reaches.push(bounds_of(take.player_node(), standing_bounds(size))),
            None => reaches.extend(
                Part::ALL
                    .map(|part| bounds_of(take.part_node(part), part.cuboid(take.profile.slim))),
            ),
        }
        let entities = take.recording.entities.iter().enumerate();
        reaches.extend(entities.map(|(index, entity)| {
            bounds_of(take.entity_node(index), standing_bounds(entity.size))
        }));
    }
    reaches
}

fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, assets: &mut PartAssets<'_>) {
    let Some(scene) = scene(parts.clip) else { return };
    let PartAssets { paints, lines, meshes, skin, .. } = assets;
    let palette = Palette::new(paints, parts.tint);
    let assets = &mut SceneAssets::new(parts, palette, lines, meshes, skin);
    let takes = || scene.takes.iter().enumerate();
    for (index, take) in takes() {
        figure::spawn(root, index, take, scene.is_scene, assets);
        if take.entity_kind.is_none() {
            armour::spawn(root, index, take, assets);
        }
        entities::spawn(root, index, take, assets);
    }
    // Blocks and trails are fixed in the world. If the root motion is removed, the player stays in
    // place, and the blocks and trails move instead.
    root.spawn((
        Name::new("Surroundings"),
        Surroundings(parts.recording),
        Transform::default(),
        Visibility::Inherited,
    ))
    .with_children(|root| {
        for (index, take) in takes() {
            blocks::spawn(root, index, take, assets);
            blocks::spawn_ground(root, take, assets);
            root.spawn(marks::trail_bundle(take, assets.parts.staged, assets.lines));
        }
    });
}

#[derive(Component, Clone, Copy, Debug)]
struct Surroundings(Entity);

pub(super) fn plugin(app: &mut App) {
    use super::{StageSystems, staging::something_changed};
    app.add_systems(
        Update,
        (
            figure::update_materials,
            armour::update_worn_items,
            hands::update_held_items,
            creatures::pose_creatures,
            fire_and_arrows::update_flames,
            fire_and_arrows::update_arrows,
            chat::update_messages,
            blocks::update_blocks,
            move_surroundings,
        )
            .run_if(something_changed)
            .in_set(StageSystems::Follow),
    )
    .add_systems(
        PostUpdate,
        (marks::draw_looks_and_beds, marks::draw_cracks_and_clicks, glow::draw_outlines)
            .in_set(StageSystems::Camera),
    );
}

fn move_surroundings(
    mut surroundings: Query<(&Surroundings, &mut Transform)>,
    staged: Query<&Staged>,
) {
    for (surroundings, mut transform) in &mut surroundings {
        let Ok(staged) = staged.get(surroundings.0) else { continue };
        let translation = (staged.displacement - staged.removed_root_motion).as_vec3();
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TakeRef {
    recording: Entity,
    take: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ActorRef {
    take: TakeRef,
    /// The index of the entity in the recording. `None` for the player.
    entity: Option<usize>,
}

impl ActorRef {
    fn actor(self, take: &Take) -> Option<&Actor> {
        match self.entity {
            None => Some(&take.recording.player),
            Some(index) => take.recording.entities.get(index).map(|entity| &entity.actor),
        }
    }
}

fn playing_takes(recording: &Recording) -> impl Iterator<Item = (&Take, u32)> {
    let time = recording.pose().time;
    let takes = scene(recording.clip()).map(|scene| &*scene.takes).unwrap_or_default();
    takes.iter().filter_map(move |take| Some((&**take, take.sample_time(time)?.frame)))
}

fn playing_take<'a>(subjects: &'a Subjects, of: TakeRef) -> Option<(&'a Take, u32)> {
    playing_take_with_time(subjects, of).map(|(take, moment)| (take, moment.frame))
}

fn playing_take_with_time<'a>(
    subjects: &'a Subjects,
    of: TakeRef,
) -> Option<(&'a Take, SampleTime)> {
    let recording = subjects.get(of.recording)?.recording;
    let take = scene(recording.clip())?.takes.get(of.take)?;
    Some((take, take.sample_time(recording.pose().time)?))
}

/// Returns the frame of a recording at `time`, in seconds. Returns the first frame before the
/// recording begins, and the last frame after the recording ends.
fn frame_at(take: &Take, time: f64) -> u32 {
    match take.sample_time(time) {
        Some(moment) => moment.frame,
        None if time < take.cue.first_scene_time(0.0) => 0,
        None => take.recording.frames - 1,
    }
}

fn tick_at(time: f64) -> i64 {
    const ROUNDING_TOLERANCE_TICKS: f64 = 1e-4;
    (time * TICKS_PER_SECOND + ROUNDING_TOLERANCE_TICKS).floor() as i64
}
