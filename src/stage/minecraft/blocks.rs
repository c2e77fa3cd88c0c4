//! Blocks that the player placed and broke: there while they are there.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    math::{DVec3, IVec3},
    prelude::*,
};

use super::{Props, TakeOf, frame, palette, scene, tick};
use crate::{
    formats::mcmocap::{Scene, Take, short},
    recording::{Recording, Revision},
    stage::{
        material::Paint,
        subject::{Subject, Subjects, visible},
    },
};

/// Blocks are translucent: the player is among them.
const ALPHA: f32 = 0.55;

/// Blocks are drawn smaller by this much, in metres, so that faces of neighbours do not z-fight.
const LESS: f32 = 0.015;

/// What there is nothing of.
const AIRS: [&str; 3] = ["air", "cave_air", "void_air"];

/// A place at which a block comes or goes.
#[derive(Component, Clone, Debug)]
pub(super) struct Changes {
    /// In which recording.
    take: TakeOf,
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
        let middle = cells.middle() - props.parts.staged.bounds.origin;
        root.spawn((
            Changes { take: props.of(index), place, paints: paints.clone() },
            Mesh3d(props.parts.look.cube.clone()),
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
pub(super) fn outlines(scene: &Scene) -> Vec<DVec3> {
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
    mut blocks: Query<(&Changes, &mut Visibility, &mut MeshMaterial3d<Paint>), Without<Recording>>,
    mut shown: Local<HashMap<Entity, (Revision, i64)>>,
    subjects: Subjects,
) {
    // Blocks change from tick to tick, and there may be many.
    let now = |subject: &Subject<'_>| {
        scene(subject.clip())
            .map(|_| (subject.entity, (subject.recording.revision(), tick(subject.pose().time))))
    };
    let now: HashMap<_, _> = subjects.iter().filter_map(|subject| now(&subject)).collect();
    let before = std::mem::replace(&mut *shown, now);
    if before == *shown {
        return;
    }
    for (changes, mut visibility, mut material) in &mut blocks {
        let of = changes.take;
        if before.get(&of.recording) == shown.get(&of.recording) {
            continue;
        }
        let Some(recording) = subjects.get(of.recording).map(|subject| subject.recording) else {
            continue;
        };
        let take = scene(recording.clip()).and_then(|scene| scene.takes.get(of.take));
        let Some(take) = take else { continue };
        let block = take.recording.blocks.at(changes.place, frame(take, recording.pose().time));
        let block = block.filter(|block| !AIRS.contains(&short(block)));
        visibility.set_if_neq(visible(block.is_some()));
        if let Some(paint) = block.and_then(|block| changes.paints.get(block))
            && material.0 != *paint
        {
            material.0 = paint.clone();
        }
    }
}
