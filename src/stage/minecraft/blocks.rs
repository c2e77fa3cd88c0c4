//! Blocks that the player placed and broke: there while they are there, in the shape of their state.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    math::{DVec3, IVec3},
    prelude::*,
};

use super::{Props, TakeOf, frame, scene, tick};
use crate::{
    recording::{Recording, Revision},
    stage::{
        material::Paint,
        subject::{Subject, Subjects, visible},
    },
};
use mutoscope_minecraft::{
    Scene, Take,
    shapes::{block_shape, ground, opacity_of, toggled},
};

/// Blocks are drawn smaller by this much, in metres, so that faces of neighbours do not z-fight.
const LESS: f32 = 0.008;

/// The mesh and the material of a block; nothing for air.
type Drawn = Option<(Handle<Mesh>, Handle<Paint>)>;

/// A place at which a block comes or goes.
#[derive(Component, Clone, Debug)]
pub(super) struct Changes {
    /// In which recording.
    take: TakeOf,
    place: IVec3,
    /// The mesh and the material of each block that ever occurs.
    drawn: Arc<HashMap<Arc<str>, Drawn>>,
}

/// A block for every place in the recording at `index` of the scene.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    let Take { recording, placement, .. } = take;
    let mut drawn: HashMap<Arc<str>, Drawn> = HashMap::new();
    for change in recording.blocks.changes() {
        for block in [&change.previous, &change.block] {
            if drawn.contains_key(block) {
                continue;
            }
            // A click may make another of it.
            let clicked: Arc<str> = toggled(block, || 1).into();
            for block in [block.clone(), clicked] {
                let made = draw(&placement.block_state(&block), props);
                drawn.insert(block, made);
            }
        }
    }
    let drawn = Arc::new(drawn);
    let any = props.palette.solid(Color::WHITE);
    for place in recording.blocks.places() {
        let Some(cells) = placement.block(place) else { continue };
        let middle = cells.middle() - props.parts.staged.bounds.origin;
        root.spawn((
            Changes { take: props.of(index), place, drawn: drawn.clone() },
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

fn draw(block: &str, props: &mut Props<'_>) -> Drawn {
    let shape = block_shape(block);
    if shape.boxes.is_empty() {
        return None;
    }
    let mesh = props.mesh(&shape, 1.0 / 16.0, Vec3::splat(-8.0));
    let paint = match opacity_of(block) {
        alpha if alpha < 1.0 => props.palette.translucent(Color::WHITE, alpha),
        _ => props.palette.solid(Color::WHITE),
    };
    Some((mesh, paint))
}

/// The ground that the player of a recording walks on.
pub(super) fn spawn_ground(root: &mut ChildSpawnerCommands, take: &Take, props: &mut Props<'_>) {
    let origin = props.parts.staged.bounds.origin;
    let place = |point: DVec3| (take.placement.point(point) - origin).as_vec3();
    let mesh = ground(&take.recording, &place);
    if mesh.positions.is_empty() {
        return;
    }
    root.spawn((
        Name::new("Ground"),
        Mesh3d(props.add(mesh)),
        MeshMaterial3d(props.palette.solid(Color::WHITE)),
        Transform::default(),
    ));
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

/// A block, and what changes about it.
type Placed<'a> = (&'a Changes, &'a mut Visibility, &'a mut Mesh3d, &'a mut MeshMaterial3d<Paint>);

/// Shows what is there now.
pub(super) fn follow(
    mut blocks: Query<Placed, Without<Recording>>,
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
    for (changes, mut visibility, mut mesh, mut material) in &mut blocks {
        let of = changes.take;
        if before.get(&of.recording) == shown.get(&of.recording) {
            continue;
        }
        let Some(recording) = subjects.get(of.recording).map(|subject| subject.recording) else {
            continue;
        };
        let take = scene(recording.clip()).and_then(|scene| scene.takes.get(of.take));
        let Some(take) = take else { continue };
        let block = take.recording.block_at(changes.place, frame(take, recording.pose().time));
        let drawn = block.and_then(|block| changes.drawn.get(&*block)?.as_ref());
        visibility.set_if_neq(visible(drawn.is_some()));
        if let Some((shape, paint)) = drawn {
            mesh.set_if_neq(Mesh3d(shape.clone()));
            if material.0 != *paint {
                material.0 = paint.clone();
            }
        }
    }
}
