//! Players of Minecraft and their surroundings: figures, entities, blocks.
//!
//! | file | what it does |
//! |---|---|
//! | `figure` | a player's body, and whether it is hurt |
//! | `outfit` | armour and held items |
//! | `entities` | boxes for entities |
//! | `glow` | outlines of glowing ones |
//! | `blocks` | blocks that were placed and broken |
//! | `marks` | look, trail, clicks, cracks and the bed, as lines |
//! | `palette` | colours |

mod blocks;
mod entities;
mod figure;
mod glow;
mod marks;
mod outfit;
mod palette;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    appearance::{Appearance, Workshop},
    player_skin::{PlayerSkin, Skin},
    subject::{Parts, Staged, Subjects},
};
use crate::{
    clip::{Clip, NodeId, Reach},
    formats::mcmocap::{Actor, Cuboid, Part, Scene, TICKS_PER_SECOND, Take},
    recording::Recording,
};
use entities::bounds;
use figure::boxes;
use palette::Palette;

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

/// What is played in a clip, if it is of blocks.
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

/// What parts of a scene are made with.
struct Props<'a> {
    parts: &'a Parts<'a>,
    palette: Palette<'a>,
    lines: &'a mut Assets<GizmoAsset>,
    meshes: &'a mut Assets<Mesh>,
    /// The skins that were given.
    skins: &'a PlayerSkin,
}

impl Props<'_> {
    /// The skin of the player of a recording: the one that was given, or the scene's.
    fn skin_of(&self, take: &Take) -> Option<Arc<Skin>> {
        if let Some(given) = self.skins.of(&take.person) {
            return Some(Arc::clone(given));
        }
        let read = Skin::decode(take.skin.as_deref()?);
        let skin = read.inspect_err(|error| warn!("the skin of {:?}: {error}", take.name)).ok()?;
        Some(Arc::new(skin.with_arms(take.person.slim)))
    }

    /// Whether the player of a recording has slim arms.
    fn slim(&self, take: &Take) -> bool {
        self.skins.of(&take.person).map_or(take.person.slim, |skin| skin.is_slim())
    }

    /// A recording of the scene by its index.
    fn of(&self, take: usize) -> TakeOf {
        TakeOf { recording: self.parts.recording, take }
    }
}

/// Everything of all recordings of the scene.
fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, workshop: &mut Workshop<'_>) {
    let Some(scene) = scene(parts.clip) else { return };
    let Workshop { paints, lines, meshes, skin, .. } = workshop;
    let palette = Palette::new(paints, parts.tint);
    let props = &mut Props { parts, palette, lines, meshes, skins: skin };
    let takes = || scene.takes.iter().enumerate();
    for (index, take) in takes() {
        figure::spawn(root, index, take, scene.is_scene, props);
        if take.kind.is_none() {
            outfit::spawn(root, index, take, props);
        }
        entities::spawn(root, index, take, props);
    }
    // What is fixed in the world; it moves back while root motion is removed from the player.
    root.spawn((
        Name::new("Surroundings"),
        Surroundings(parts.recording),
        Transform::default(),
        Visibility::Inherited,
    ))
    .with_children(|root| {
        for (index, take) in takes() {
            blocks::spawn(root, index, take, props);
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
        (figure::tint, outfit::dress, blocks::follow, move_surroundings)
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
#[derive(Clone, Copy, Debug)]
struct TakeOf {
    /// The entity of the scene.
    recording: Entity,
    /// The index in the scene.
    take: usize,
}

/// Who in a scene.
#[derive(Clone, Copy, Debug)]
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
    let recording = subjects.get(of.recording)?.recording;
    let take = scene(recording.clip())?.takes.get(of.take)?;
    Some((take, take.moment(recording.pose().time)?.frame))
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
