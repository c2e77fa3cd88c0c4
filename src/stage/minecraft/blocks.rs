//! Blocks that the player placed and broke: there while they are there.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    math::{DVec3, IVec3},
    prelude::*,
};

use super::{Props, frame, palette, scene, tick};
use crate::{
    formats::mcmocap::{Scene, Take, short},
    player::Player,
    stage::{material::Paint, staged::visible},
};

/// One can look through blocks: the player is among them.
const ALPHA: f32 = 0.55;

/// So much less than they are, in metres, blocks are drawn: faces of neighbours do not fight.
const LESS: f32 = 0.015;

/// What there is nothing of.
const AIRS: [&str; 3] = ["air", "cave_air", "void_air"];

/// A place at which a block comes or goes.
#[derive(Component, Clone, Debug)]
pub(super) struct Changes {
    /// In which recording, by its position in the scene.
    take: usize,
    place: IVec3,
    /// What each of the blocks that are ever there is painted with.
    paints: Arc<HashMap<Arc<str>, Handle<Paint>>>,
}

/// A cube for every place in the recording at `index` of the scene.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    let Take { recording, placement, .. } = take;
    let changes = recording.blocks.changes().iter();
    let blocks = changes.flat_map(|change| [&change.previous, &change.block]);
    let mut paints: HashMap<Arc<str>, Handle<Paint>> = HashMap::new();
    for block in blocks {
        paints
            .entry(block.clone())
            .or_insert_with(|| props.palette.translucent(palette::of_stuff(block), ALPHA));
    }
    let paints = Arc::new(paints);
    let any = props.palette.translucent(palette::of_name(""), ALPHA);
    for place in recording.blocks.places() {
        let Some(cells) = placement.block(place) else { continue };
        let middle = cells.middle() - props.staged.survey.origin;
        root.spawn((
            Changes { take: index, place, paints: paints.clone() },
            Mesh3d(props.look.cube.clone()),
            MeshMaterial3d(any.clone()),
            Transform {
                translation: middle.as_vec3(),
                scale: cells.size().as_vec3() - LESS,
                ..default()
            },
            Visibility::Hidden,
        ));
    }
}

/// Two corners of blocks that are ever placed or broken: of all if there are not too many, else of
/// some all over each recording.
pub(in crate::stage) fn outlines(scene: &Scene) -> Vec<DVec3> {
    const MOST: usize = 1000;
    let count = scene.takes.iter().map(|take| take.recording.blocks.places().len()).sum::<usize>();
    let every = count.div_ceil(MOST).max(1);
    let corners = |take: &Take| {
        let placement = &take.placement;
        let places = take.recording.blocks.places().step_by(every);
        let cells = places.filter_map(|place| placement.block(place));
        cells.flat_map(|cells| [cells.min, cells.max]).collect::<Vec<_>>()
    };
    scene.takes.iter().flat_map(|take| corners(take)).collect()
}

/// Shows what is there now.
pub(super) fn follow(
    mut blocks: Query<(&Changes, &mut Visibility, &mut MeshMaterial3d<Paint>)>,
    mut shown: Local<Option<(u32, i64)>>,
    player: Res<Player>,
) {
    let Some(scene) = player.clip().and_then(|clip| scene(clip)) else {
        *shown = None;
        return;
    };
    let time = player.pose().time;
    let now = Some((player.generation(), tick(time)));
    if std::mem::replace(&mut *shown, now) == now {
        return;
    }
    for (changes, mut visibility, mut material) in &mut blocks {
        let Some(take) = scene.takes.get(changes.take) else { continue };
        let block = take.recording.blocks.at(changes.place, frame(take, time));
        let block = block.filter(|block| !AIRS.contains(&short(block)));
        visibility.set_if_neq(visible(block.is_some()));
        if let Some(paint) = block.and_then(|block| changes.paints.get(block))
            && material.0 != *paint
        {
            material.0 = paint.clone();
        }
    }
}
