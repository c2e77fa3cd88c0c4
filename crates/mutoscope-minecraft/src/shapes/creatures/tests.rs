//! Tests that figures match the table of sizes.

use super::{
    CreaturePart, CreatureState,
    figure::{Creature, Joint},
    kinds::{KINDS, Kind, Look},
    table::{creature_for_entity, has_figure},
};
use crate::Size;

fn adult_creature(kind: &str) -> Option<Creature> {
    creature_for_entity(kind, "{}", Size::for_kind(kind))
}

#[test]
fn kinds_are_sorted_and_only_invisible_kinds_have_no_height() {
    assert!(KINDS.windows(2).all(|pair| pair[0].name < pair[1].name));
    for Kind { name, size, look, .. } in &KINDS {
        assert_eq!(matches!(look, Look::Nothing), size[1] == 0.0, "{name}");
        assert!(has_figure(name), "{name}");
    }
    assert!(!has_figure("somemod:beast") && !has_figure(""));
    assert_eq!(adult_creature("somemod:beast"), None);
    assert_eq!(adult_creature("minecraft:marker"), None);
}

/// Returns the height of the lowest point of a figure at rest, in metres.
fn lowest_point_at_rest(creature: &Creature) -> f32 {
    let lowest = |part: &CreaturePart| {
        let transform = CreatureState::default().part_transform(creature, part);
        let corners = part.shape.boxes.iter().flat_map(|shape_box| shape_box.corners());
        let height = |corner: glam::Vec3| {
            let corner = (corner * creature.scale).as_dvec3();
            (transform.translation + transform.rotation * corner).y as f32
        };
        corners.map(height).fold(f32::MAX, f32::min)
    };
    creature.parts.iter().map(lowest).fold(f32::MAX, f32::min)
}

/// Feet have to be on the ground, and the height has to be that of the table. Heads, tails and
/// wings may reach out of the hitbox, so the width is tested only roughly.
#[test]
fn figures_have_the_size_of_their_kind() {
    for &Kind { name: kind, size: [width, height], look, .. } in &KINDS {
        if !matches!(look, Look::ScaledToHeight(..)) {
            continue;
        }
        let creature = adult_creature(kind).unwrap();
        let [min, max] = creature.bounds().map(|shape_box| shape_box * creature.scale);
        assert!((f64::from(max.y) - height).abs() < 1e-4, "{kind}: {max} of {height}");
        let lowest = lowest_point_at_rest(&creature);
        assert!(lowest.abs() < 0.15 * height as f32, "the lowest point of {kind}: {lowest}");
        let across = f64::from((max.x - min.x).min(max.z - min.z));
        assert!(across < 3.2 * width && across > 0.1 * width, "{kind}: {across} of {width}");
    }
}

#[test]
fn figures_are_symmetric_and_face_forwards() {
    for kind in ["zombie", "cow", "chicken", "spider", "horse", "villager", "wolf"] {
        let creature = adult_creature(kind).unwrap();
        let [min, max] = creature.bounds();
        assert!((min.x + max.x).abs() < 0.6, "{kind}: {min} {max}");
        let head = creature.parts.iter().find(|part| part.joint == Joint::Head).unwrap();
        let [front, back] = head.shape.bounds();
        // The face and other boxes have to be in front of the head's first box.
        let first = head.shape.boxes[0];
        let face = head.shape.boxes.iter().any(|shape_box| shape_box.min.z < first.min.z);
        assert!(face && front.z < back.z, "{kind}");
    }
}

#[test]
fn babies_are_half_as_high() {
    let size = Size::for_entity("minecraft:cow", "{Age:-1}");
    let calf = creature_for_entity("minecraft:cow", "{Age:-1}", size).unwrap();
    let [_, max] = calf.bounds();
    assert!((max.y * calf.scale - 0.7).abs() < 1e-5);
}

#[test]
fn vehicles_have_the_size_of_the_table() {
    // The boat is 0.5625 m high. Its model is longer than its hitbox, because players sit in it.
    let boat = adult_creature("minecraft:birch_boat").unwrap();
    let [min, max] = boat.bounds().map(|shape_box| shape_box * boat.scale);
    assert!((max.y - 0.5625).abs() < 1e-6 && min.y == 0.0);
    assert!((max.z - min.z - 2.0).abs() < 1e-6, "{min} {max}");
    let cart = adult_creature("minecraft:minecart").unwrap();
    let [_, max] = cart.bounds().map(|shape_box| shape_box * cart.scale);
    assert!((max.y - 0.7).abs() < 0.02, "{max}");
    let load = |kind: &str| adult_creature(kind).unwrap().parts[0].shape.boxes.len();
    assert_eq!(load("minecraft:tnt_minecart"), load("minecraft:minecart") + 1);
}

#[test]
fn sheep_wear_their_colour() {
    let wool = |nbt: &str| {
        let sheep = creature_for_entity("sheep", nbt, Size::for_kind("sheep")).unwrap();
        sheep.parts[0].shape.boxes[0].color
    };
    assert_eq!(wool("{Color:14b}"), 0xb02e26);
    assert_eq!(wool("{Color:99b}"), 0xf2f2ee);
    assert_eq!(wool("{}"), 0xf2f2ee);
}

#[test]
fn dropped_items_have_their_own_shape() {
    let item =
        |nbt: &str| creature_for_entity("minecraft:item", nbt, Size::for_kind("minecraft:item"));
    let cube = item(r#"{Item:{id:"minecraft:stone",count:1}}"#).unwrap();
    let [min, max] = cube.bounds().map(|shape_box| shape_box * cube.scale);
    assert!(((max - min) - glam::Vec3::splat(0.25)).length() < 1e-5, "a block is a quarter");
    assert_eq!(item("{}"), None);
    assert_eq!(item("{Item:[1,2]}"), None);
}
