//! Players of Minecraft and what is around: men of boxes, entities, blocks.
//!
//! | file | what it does |
//! |---|---|
//! | `figure` | a player's body, and whether it is hurt |
//! | `outfit` | what he wears and holds |
//! | `entities` | boxes for everybody else |
//! | `glow` | outlines of who glows |
//! | `blocks` | blocks that were placed and broken |
//! | `marks` | look, trail, clicks, cracks and the bed, as lines |
//! | `skin` | a skin, folded around the body |
//! | `palette` | colours |

mod blocks;
mod entities;
mod figure;
mod glow;
mod marks;
mod outfit;
mod palette;
mod skin;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Look, Staged, material::Paint};
use crate::{
    clip::{Clip, NodeId, Reach},
    formats::mcmocap::{Actor, Cuboid, Part, Scene, Size, TICKS_PER_SECOND, Take},
    player::Player,
};
pub(super) use blocks::outlines;
use entities::bounds;
pub(super) use figure::boxes;
pub(super) use marks::eyes;
use palette::Palette;
pub use skin::{Skin, SkinError, Wardrobe};

/// Bones of this many metres would be as thick as suits a player.
pub(super) const SCALE: f64 = 8.0;

/// Blocks farther than this from everybody who moves are not looked at from the start, in metres: the
/// game lets nobody reach them, and where they are may be nonsense.
pub(super) const NEAR: f64 = 16.0;

/// What is played in a clip, if it is of blocks.
pub(super) fn scene(clip: &Clip) -> Option<&Scene> {
    clip.procedural_as()
}

/// How far everybody reaches around his nodes, whether he is there or not.
pub(super) fn reaches(scene: &Scene) -> Vec<Reach> {
    let reach = |node: NodeId, Cuboid { min, max }: Cuboid| Reach {
        node: node.index(),
        least: min.as_vec3(),
        most: max.as_vec3(),
    };
    let mut reaches = Vec::new();
    for take in &scene.takes {
        match &take.kind {
            Some(kind) => reaches.push(reach(take.player(), bounds(Size::of_kind(kind)))),
            None => reaches.extend(
                Part::ALL.map(|part| reach(take.part(part), part.cuboid(take.person.slim))),
            ),
        }
        let entities = take.recording.entities.iter().enumerate();
        reaches.extend(entities.map(|(index, one)| reach(take.entity(index), bounds(one.size))));
    }
    reaches
}

/// What is needed to put anything on the stage.
pub(super) struct Props<'a> {
    look: &'a Look,
    staged: &'a Staged,
    palette: Palette<'a>,
    lines: &'a mut Assets<GizmoAsset>,
    meshes: &'a mut Assets<Mesh>,
    /// The skin that all players wear, if there is one.
    skin: Option<Arc<Skin>>,
}

impl<'a> Props<'a> {
    pub(super) fn new(
        look: &'a Look,
        staged: &'a Staged,
        wardrobe: &Wardrobe,
        paints: &'a mut Assets<Paint>,
        lines: &'a mut Assets<GizmoAsset>,
        meshes: &'a mut Assets<Mesh>,
    ) -> Self {
        let (palette, skin) = (Palette::new(paints), wardrobe.0.clone());
        Self { look, staged, palette, lines, meshes, skin }
    }

    /// The skin of who plays a recording: the one that all wear, or that a scene gives him.
    fn skin_of(&self, take: &Take) -> Option<Arc<Skin>> {
        if self.skin.is_some() {
            return self.skin.clone();
        }
        let read = Skin::decode(take.skin.as_deref()?);
        let skin = read.inspect_err(|error| warn!("the skin of {:?}: {error}", take.name)).ok()?;
        Some(Arc::new(skin.with_arms(take.person.slim)))
    }

    /// Whether who plays a recording has slim arms.
    fn slim(&self, take: &Take) -> bool {
        self.skin.as_ref().map_or(take.person.slim, |skin| skin.is_slim())
    }
}

/// Everything of all recordings that play.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, scene: &Scene, props: &mut Props<'_>) {
    let takes = || scene.takes.iter().enumerate();
    for (index, take) in takes() {
        figure::spawn(root, index, take, scene.is_scene, props);
        if take.kind.is_none() {
            outfit::spawn(root, index, take, props);
        }
        entities::spawn(root, index, take, props);
    }
    // What stands still in the world; it goes where the player comes from if he stays in place.
    root.spawn((
        Name::new("Surroundings"),
        Surroundings,
        Transform::default(),
        Visibility::Inherited,
    ))
    .with_children(|root| {
        for (index, take) in takes() {
            blocks::spawn(root, index, take, props);
            root.spawn(marks::trail(take, props.staged, props.lines));
        }
    });
}

/// The parent of what does not move by itself.
#[derive(Component, Clone, Copy, Debug)]
struct Surroundings;

/// Adds what follows the time.
pub(super) fn plugin(app: &mut App) {
    use super::{StageSystems, staged::something_changed};
    app.init_resource::<Wardrobe>()
        .add_systems(
            Update,
            (figure::tint, outfit::dress, blocks::follow, stay)
                .run_if(something_changed)
                .in_set(StageSystems::Follow),
        )
        .add_systems(
            PostUpdate,
            (marks::draw_players, marks::draw_blocks, glow::draw).in_set(StageSystems::Camera),
        );
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

/// Who in a scene.
#[derive(Clone, Copy, Debug)]
struct Who {
    /// The recording, by its position in the scene.
    take: usize,
    /// The entity, by its position in the recording; nothing for the player.
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

/// Every recording that is there now, and the frame it is at.
fn playing(player: &Player) -> impl Iterator<Item = (&Take, u32)> {
    let time = player.pose().time;
    let takes =
        player.clip().and_then(|clip| scene(clip)).map(|scene| &*scene.takes).unwrap_or_default();
    takes.iter().filter_map(move |take| Some((&**take, take.moment(time)?.frame)))
}

/// The recording at this position in the scene, and the frame it is at, if it is there now.
fn playing_take(player: &Player, index: usize) -> Option<(&Take, u32)> {
    let take = scene(player.clip()?)?.takes.get(index)?;
    Some((take, take.moment(player.pose().time)?.frame))
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
