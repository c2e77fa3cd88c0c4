//! Players of Minecraft and their surroundings: figures, entities, blocks.
//!
//! | file | what it does |
//! |---|---|
//! | `figure` | a player's body, and whether it is hurt |
//! | `armour`, `hands` | worn items, and held ones |
//! | `entities`, `creatures` | entities: their figures, and how these move |
//! | `distress`, `glow` | fire, arrows in the body; outlines of glowing ones |
//! | `chat` | chat messages of players |
//! | `blocks` | blocks that were placed and broken, and the ground |
//! | `marks` | look, trail, clicks, cracks and the bed, as lines |
//! | `props`, `palette` | meshes and materials, each made once; colours |
//!
//! The shapes themselves, without the engine, are in
//! [`formats::mcmocap::shapes`](mutoscope_minecraft::shapes).

mod armour;
mod blocks;
mod chat;
mod creatures;
mod distress;
mod entities;
mod figure;
mod glow;
mod hands;
mod marks;
mod palette;
mod props;
#[cfg(test)]
mod tests;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    appearance::{Appearance, Workshop},
    subject::{Parts, Staged, Subjects},
};
use crate::recording::Recording;
use entities::bounds;
use figure::boxes;
use mutoscope_core::clip::{Clip, NodeId, Reach};
use mutoscope_minecraft::{Actor, Cuboid, Part, SampleTime, Scene, TICKS_PER_SECOND, Take};
use palette::Palette;
use props::Props;

/// Players, entities and blocks.
pub(super) const APPEARANCE: Appearance = Appearance {
    draws: |clip| scene(clip).is_some(),
    is_all: true,
    spawn,
    reaches: |clip| scene(clip).map_or_else(Vec::new, reaches),
    surroundings: |clip| scene(clip).map_or_else(Vec::new, blocks::outlines),
    surroundings_within: NEAR,
    scale: Some(SCALE),
    boxes: |clip| scene(clip).map_or_else(Vec::new, |scene| boxes(scene).collect()),
    eyes: marks::eyes,
};

/// Bones of this many metres would be as thick as suits a player.
const SCALE: f64 = 8.0;

/// Blocks farther than this from all players and entities are not framed, in metres: the game
/// allows no such reach, so their positions may be invalid.
const NEAR: f64 = 16.0;

/// The scene that a clip plays, if it is of blocks.
fn scene(clip: &Clip) -> Option<&Scene> {
    clip.procedural_as()
}

/// The bounds of players and entities around their nodes, present or not.
fn reaches(scene: &Scene) -> Vec<Reach> {
    let reach = |node: NodeId, Cuboid { min, max }: Cuboid| Reach {
        node: node.index(),
        least: min.as_vec3(),
        most: max.as_vec3(),
    };
    let mut reaches = Vec::new();
    for take in &scene.takes {
        match take.kind_size() {
            Some(size) => reaches.push(reach(take.player(), bounds(size))),
            None => reaches.extend(
                Part::ALL.map(|part| reach(take.part(part), part.cuboid(take.person.slim))),
            ),
        }
        let entities = take.recording.entities.iter().enumerate();
        reaches.extend(entities.map(|(index, one)| reach(take.entity(index), bounds(one.size))));
    }
    reaches
}

/// Everything of all recordings of the scene.
fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, workshop: &mut Workshop<'_>) {
    let Some(scene) = scene(parts.clip) else { return };
    let Workshop { paints, lines, meshes, skin, .. } = workshop;
    let palette = Palette::new(paints, parts.tint);
    let props = &mut Props::new(parts, palette, lines, meshes, skin);
    let takes = || scene.takes.iter().enumerate();
    for (index, take) in takes() {
        figure::spawn(root, index, take, scene.is_scene, props);
        if take.kind.is_none() {
            armour::spawn(root, index, take, props);
        }
        entities::spawn(root, index, take, props);
    }
    // Entities that are fixed in the world; they move back while root motion is removed from the
    // player.
    root.spawn((
        Name::new("Surroundings"),
        Surroundings(parts.recording),
        Transform::default(),
        Visibility::Inherited,
    ))
    .with_children(|root| {
        for (index, take) in takes() {
            blocks::spawn(root, index, take, props);
            blocks::spawn_ground(root, take, props);
            root.spawn(marks::trail(take, props.parts.staged, props.lines));
        }
    });
}

/// The parent of what does not move by itself, and the entity of its recording.
#[derive(Component, Clone, Copy, Debug)]
struct Surroundings(Entity);

/// Adds what follows the time.
pub(super) fn plugin(app: &mut App) {
    use super::{StageSystems, staging::something_changed};
    app.add_systems(
        Update,
        (
            figure::tint,
            armour::dress,
            hands::hold,
            creatures::pose,
            distress::burn,
            distress::stick,
            chat::say,
            blocks::follow,
            move_surroundings,
        )
            .run_if(something_changed)
            .in_set(StageSystems::Follow),
    )
    .add_systems(
        PostUpdate,
        (marks::draw_players, marks::draw_blocks, glow::draw).in_set(StageSystems::Camera),
    );
}

/// Moves the surroundings while the player stays in place or is displaced.
fn move_surroundings(
    mut surroundings: Query<(&Surroundings, &mut Transform)>,
    staged: Query<&Staged>,
) {
    for (of, mut transform) in &mut surroundings {
        let Ok(staged) = staged.get(of.0) else { continue };
        let translation = (staged.displacement - staged.gone).as_vec3();
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}

/// One of the Minecraft recordings of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TakeOf {
    /// The entity of the scene.
    recording: Entity,
    /// The index in the scene.
    take: usize,
}

/// An actor of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    take: TakeOf,
    /// The entity, by its index in the recording; nothing for the player.
    entity: Option<usize>,
}

impl Who {
    fn actor(self, take: &Take) -> Option<&Actor> {
        match self.entity {
            None => Some(&take.recording.player),
            Some(index) => take.recording.entities.get(index).map(|entity| &entity.actor),
        }
    }
}

/// Every recording of a scene that plays now, and the frame it is at.
fn playing(recording: &Recording) -> impl Iterator<Item = (&Take, u32)> {
    let time = recording.pose().time;
    let takes = scene(recording.clip()).map(|scene| &*scene.takes).unwrap_or_default();
    takes.iter().filter_map(move |take| Some((&**take, take.moment(time)?.frame)))
}

/// One of them, if it plays now.
fn playing_take<'a>(subjects: &'a Subjects, of: TakeOf) -> Option<(&'a Take, u32)> {
    playing_take_at(subjects, of).map(|(take, moment)| (take, moment.frame))
}

/// The same, and the moment that it is at.
fn playing_take_at<'a>(subjects: &'a Subjects, of: TakeOf) -> Option<(&'a Take, SampleTime)> {
    let recording = subjects.get(of.recording)?.recording;
    let take = scene(recording.clip())?.takes.get(of.take)?;
    Some((take, take.moment(recording.pose().time)?))
}

/// The frame of a recording, also before it comes and after it has gone.
fn frame(take: &Take, time: f64) -> u32 {
    match take.moment(time) {
        Some(moment) => moment.frame,
        None if time < take.cue.first(0.0) => 0,
        None => take.recording.frames - 1,
    }
}

/// The tick that a time is in: recordings change from tick to tick.
fn tick(time: f64) -> i64 {
    /// So much of a tick may be lost in rounding.
    const LOST: f64 = 1e-4;
    (time * TICKS_PER_SECOND + LOST).floor() as i64
}
