//! Entities: a box of the size of each, with its name.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, Who,
    figure::{Body, following},
    palette,
};
use crate::{
    clip::NodeId,
    formats::mcmocap::{Cuboid, Size, Take, short, spoken},
    stage::Tag,
};

/// A box for each entity of the recording at `index` of the scene.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    for (position, entity) in take.recording.entities.iter().enumerate() {
        let who = Who { take: props.of(index), entity: Some(position) };
        let node = take.entity(position);
        let scale = if entity.is_living() { take.placement.scale() } else { 1.0 };
        spawn_box(root, who, node, &entity.kind, entity.size, scale, props);
    }
}

/// A box, and a nose to tell its front by.
pub(super) fn spawn_box(
    root: &mut ChildSpawnerCommands,
    who: Who,
    node: NodeId,
    kind: &str,
    size: Size,
    scale: f64,
    props: &mut Props<'_>,
) {
    let name = short(kind);
    let flesh = props.palette.flesh(palette::of_name(name));
    root.spawn(following(props.parts.of(node), scale as f32, name)).with_children(|root| {
        for place in boxes(size) {
            root.spawn((
                Mesh3d(props.parts.look.cube.clone()),
                MeshMaterial3d(flesh.sound.clone()),
                Body { who, flesh: flesh.clone() },
                place,
            ));
        }
        let above = Transform::from_xyz(0.0, size.height as f32 + 0.1, 0.0);
        root.spawn((Tag::new(&spoken(kind)), above, Visibility::Inherited));
    });
}

/// All of something that stands on the ground.
pub(super) fn bounds(Size { width, height }: Size) -> Cuboid {
    let half = width / 2.0;
    Cuboid { min: [-half, 0.0, -half].into(), max: [half, height, half].into() }
}

/// Its body and its nose.
fn boxes(size: Size) -> [Transform; 2] {
    let [width, height] = [size.width, size.height].map(|size| size as f32);
    let body = Transform::from_xyz(0.0, height / 2.0, 0.0)
        .with_scale(Vec3::new(width, height, width) * 0.96);
    let nose = width.min(height) * 0.25;
    let nose = Transform::from_xyz(0.0, height * 0.75, -width / 2.0).with_scale(Vec3::splat(nose));
    [body, nose]
}
