//! Blocks that the player placed and broke: there while they are there.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    math::{DVec3, IVec3},
    prelude::*,
};

use super::{
    palette::{self, Palette},
    playing,
};
use crate::{
    formats::mcmocap::Recording,
    player::Player,
    stage::{Look, Staged, material::Paint, staged::visible},
};

/// One can look through blocks: the player is among them.
const ALPHA: f32 = 0.55;

/// A little less than a whole block: faces of neighbours do not fight.
const SIZE: f32 = 0.985;

/// What there is nothing of.
const AIRS: [&str; 3] = ["air", "cave_air", "void_air"];

/// A place at which a block comes or goes.
#[derive(Component, Clone, Debug)]
pub(super) struct Changes {
    place: IVec3,
    /// What each of the blocks that are ever there is painted with.
    paints: Arc<HashMap<Arc<str>, Handle<Paint>>>,
}

/// A cube for every place.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    recording: &Recording,
    look: &Look,
    staged: &Staged,
    palette: &mut Palette<'_>,
) {
    let changes = recording.blocks.changes().iter();
    let blocks = changes.flat_map(|change| [&change.previous, &change.block]);
    let mut paints: HashMap<Arc<str>, Handle<Paint>> = HashMap::new();
    for block in blocks {
        paints
            .entry(block.clone())
            .or_insert_with(|| palette.translucent(palette::of_stuff(block), ALPHA));
    }
    let paints = Arc::new(paints);
    let any = palette.translucent(palette::of_name(""), ALPHA);
    for place in recording.blocks.places() {
        let middle = (middle(place) - staged.survey.origin).as_vec3();
        root.spawn((
            Changes { place, paints: paints.clone() },
            Mesh3d(look.cube.clone()),
            MeshMaterial3d(any.clone()),
            Transform::from_translation(middle).with_scale(Vec3::splat(SIZE)),
            Visibility::Hidden,
        ));
    }
}

/// The middle of a block.
pub(super) fn middle(place: IVec3) -> DVec3 {
    place.as_dvec3() + 0.5
}

/// Shows what is there now.
pub(super) fn follow(
    mut blocks: Query<(&Changes, &mut Visibility, &mut MeshMaterial3d<Paint>)>,
    mut shown: Local<Option<(u32, u32)>>,
    player: Res<Player>,
) {
    let Some((recording, frame)) = playing(&player) else {
        *shown = None;
        return;
    };
    let now = Some((player.generation(), frame));
    if std::mem::replace(&mut *shown, now) == now {
        return;
    }
    for (changes, mut visibility, mut material) in &mut blocks {
        let block = recording.blocks.at(changes.place, frame);
        let block = block.filter(|block| !AIRS.contains(&palette::short(block)));
        visibility.set_if_neq(visible(block.is_some()));
        if let Some(paint) = block.and_then(|block| changes.paints.get(block))
            && material.0 != *paint
        {
            material.0 = paint.clone();
        }
    }
}
