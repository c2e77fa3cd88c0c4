//! Blocks that the player places and breaks. They are shown while they exist, in the shape of their
//! state.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    ecs::hierarchy::ChildSpawnerCommands,
    math::{DVec3, IVec3},
    prelude::*,
};

use super::{SceneAssets, TakeRef, frame_at, scene, tick_at};
use crate::{
    Recording, Revision,
    stage::{
        material::Paint,
        subject::{Subject, Subjects, visibility_if},
    },
};
use mutoscope_minecraft::{
    Scene, Take,
    shapes::{block_after_clicks, block_shape, ground_mesh, opacity_of},
};

/// Blocks are drawn smaller by this length, in metres. Otherwise the faces of neighbouring blocks
/// would flicker (z-fighting).
const FACE_GAP: f32 = 0.008;

/// The mesh and the material of a block. `None` for air.
type BlockDrawing = Option<(Handle<Mesh>, Handle<Paint>)>;

#[derive(Component, Clone, Debug)]
pub(super) struct ChangingBlock {
    take: TakeRef,
    position: IVec3,
    drawings: Arc<HashMap<Arc<str>, BlockDrawing>>,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    assets: &mut SceneAssets<'_>,
) {
    let Take { recording, placement, .. } = take;
    let mut drawings: HashMap<Arc<str>, BlockDrawing> = HashMap::new();
    for change in recording.blocks.changes() {
        for block in [&change.previous, &change.block] {
            if drawings.contains_key(block) {
                continue;
            }
            // A click may change the state of the block, for example open a door.
            let clicked: Arc<str> = block_after_clicks(block, || 1).into();
            for block in [block.clone(), clicked] {
                let drawing = create_drawing(&placement.transform_block_state(&block), assets);
                drawings.insert(block, drawing);
            }
        }
    }
    let drawings = Arc::new(drawings);
    let placeholder = assets.palette.solid(Color::WHITE);
    for position in recording.blocks.positions() {
        let Some(cells) = placement.block_bounds(position) else { continue };
        let middle = cells.centre() - assets.parts.staged.bounds.origin;
        root.spawn((
            ChangingBlock { take: assets.take_ref(index), position, drawings: drawings.clone() },
            Mesh3d(assets.parts.look.cube.clone()),
            MeshMaterial3d(placeholder.clone()),
            Transform {
                translation: middle.as_vec3(),
                scale: cells.size().as_vec3() - FACE_GAP,
                ..default()
            },
            Visibility::Hidden,
        ));
    }
}

fn create_drawing(block: &str, assets: &mut SceneAssets<'_>) -> BlockDrawing {
    let shape = block_shape(block);
    if shape.boxes.is_empty() {
        return None;
    }
    let mesh = assets.shape_mesh(&shape, 1.0 / 16.0, Vec3::splat(-8.0));
    let paint = match opacity_of(block) {
        alpha if alpha < 1.0 => assets.palette.translucent(Color::WHITE, alpha),
        _ => assets.palette.solid(Color::WHITE),
    };
    Some((mesh, paint))
}

pub(super) fn spawn_ground(
    root: &mut ChildSpawnerCommands,
    take: &Take,
    assets: &mut SceneAssets<'_>,
) {
    let origin = assets.parts.staged.bounds.origin;
    let to_local = |point: DVec3| (take.placement.transform_point(point) - origin).as_vec3();
    let mesh = ground_mesh(&take.recording, &to_local);
    if mesh.positions.is_empty() {
        return;
    }
    root.spawn((
        Name::new("Ground"),
        Mesh3d(assets.add_mesh(mesh)),
        MeshMaterial3d(assets.palette.solid(Color::WHITE)),
        Transform::default(),
    ));
}

pub(super) fn block_corners(scene: &Scene) -> Vec<DVec3> {
    const MAX_BLOCKS: usize = 1000;
    let count =
        scene.takes.iter().map(|take| take.recording.blocks.positions().len()).sum::<usize>();
    let step = count.div_ceil(MAX_BLOCKS).max(1);
    let take_corners = |take: &Take| {
        let placement = &take.placement;
        let positions = take.recording.blocks.positions().step_by(step);
        let cells = positions.filter_map(|position| placement.block_bounds(position));
        cells.flat_map(|cells| [cells.min, cells.max]).collect::<Vec<_>>()
    };
    scene.takes.iter().flat_map(|take| take_corners(take)).collect()
}

type BlockQueryData<'a> =
    (&'a ChangingBlock, &'a mut Visibility, &'a mut Mesh3d, &'a mut MeshMaterial3d<Paint>);

pub(super) fn update_blocks(
    mut blocks: Query<BlockQueryData, Without<Recording>>,
    mut last_states: Local<HashMap<Entity, (Revision, i64)>>,
    subjects: Subjects,
) {
    // Update the blocks only once per tick. There may be many blocks, and they change only at
    // ticks.
    let state_of = |subject: &Subject<'_>| {
        scene(subject.clip())
            .map(|_| (subject.entity, (subject.recording.revision(), tick_at(subject.pose().time))))
    };
    let now: HashMap<_, _> = subjects.iter().filter_map(|subject| state_of(&subject)).collect();
    let before = std::mem::replace(&mut *last_states, now);
    if before == *last_states {
        return;
    }
    for (changes, mut visibility, mut mesh, mut material) in &mut blocks {
        let of = changes.take;
        if before.get(&of.recording) == last_states.get(&of.recording) {
            continue;
        }
        let Some(recording) = subjects.get(of.recording).map(|subject| subject.recording) else {
            continue;
        };
        let take = scene(recording.clip()).and_then(|scene| scene.takes.get(of.take));
        let Some(take) = take else { continue };
        let block =
            take.recording.block_at(changes.position, frame_at(take, recording.pose().time));
        let drawings = block.and_then(|block| changes.drawings.get(&*block)?.as_ref());
        visibility.set_if_neq(visibility_if(drawings.is_some()));
        if let Some((shape, paint)) = drawings {
            mesh.set_if_neq(Mesh3d(shape.clone()));
            if material.0 != *paint {
                material.0 = paint.clone();
            }
        }
    }
}
