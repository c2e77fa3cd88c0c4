//! Figures against the table of sizes.

use super::{
    CreaturePart, CreatureState,
    figure::{Creature, Joint},
    kinds::{KINDS, Kind, Look},
    table::{creature_of, has_figure},
};
use crate::Size;

fn grown(kind: &str) -> Option<Creature> {
    creature_of(kind, "{}", Size::of_kind(kind))
}

#[test]
fn kinds_are_listed_once_and_what_is_invisible_has_no_size() {
    assert!(KINDS.windows(2).all(|pair| pair[0].name < pair[1].name));
    for Kind { name, size, look, .. } in &KINDS {
        assert_eq!(matches!(look, Look::Nothing), size[1] == 0.0, "{name}");
        assert!(has_figure(name), "{name}");
    }
    assert!(!has_figure("somemod:beast") && !has_figure(""));
    assert_eq!(grown("somemod:beast"), None);
    assert_eq!(grown("minecraft:marker"), None);
}

/// How low a figure that does nothing reaches, in metres.
fn standing(creature: &Creature) -> f32 {
    let lowest = |part: &CreaturePart| {
        let place = CreatureState::default().place(creature, part);
        let corners = part.shape.boxes.iter().flat_map(|one| one.corners());
        let height = |corner: glam::Vec3| {
            let corner = (corner * creature.scale).as_dvec3();
            (place.translation + place.rotation * corner).y as f32
        };
        corners.map(height).fold(f32::MAX, f32::min)
    };
    creature.parts.iter().map(lowest).fold(f32::MAX, f32::min)
}

/// Feet on the ground, as high as the game's table says, and not much wider than its hitbox: heads,
/// tails and wings reach beyond.
#[test]
fn figures_have_the_size_of_their_kind() {
    for &Kind { name: kind, size: [width, height], look, .. } in &KINDS {
        if !matches!(look, Look::OfHeight(..)) {
            continue;
        }
        let creature = grown(kind).unwrap();
        let [least, most] = creature.bounds().map(|one| one * creature.scale);
        assert!((f64::from(most.y) - height).abs() < 1e-4, "{kind}: {most} of {height}");
        let lowest = standing(&creature);
        assert!(lowest.abs() < 0.15 * height as f32, "the lowest point of {kind}: {lowest}");
        let across = f64::from((most.x - least.x).min(most.z - least.z));
        assert!(across < 3.2 * width && across > 0.1 * width, "{kind}: {across} of {width}");
    }
}

#[test]
fn figures_are_symmetric_and_look_ahead() {
    for kind in ["zombie", "cow", "chicken", "spider", "horse", "villager", "wolf"] {
        let creature = grown(kind).unwrap();
        let [least, most] = creature.bounds();
        assert!((least.x + most.x).abs() < 0.6, "{kind}: {least} {most}");
        let head = creature.parts.iter().find(|part| part.joint == Joint::Head).unwrap();
        let [front, back] = head.shape.bounds();
        // The head has its face, and more, ahead of its middle.
        let first = head.shape.boxes[0];
        let face = head.shape.boxes.iter().any(|one| one.min.z < first.min.z);
        assert!(face && front.z < back.z, "{kind}");
    }
}

#[test]
fn babies_are_half_as_high() {
    let size = Size::of_entity("minecraft:cow", "{Age:-1}");
    let calf = creature_of("minecraft:cow", "{Age:-1}", size).unwrap();
    let [_, most] = calf.bounds();
    assert!((most.y * calf.scale - 0.7).abs() < 1e-5);
}

#[test]
fn vehicles_have_the_size_of_the_table() {
    // 0.5625 high, and wide enough to sit in: the model is longer than its hitbox.
    let boat = grown("minecraft:birch_boat").unwrap();
    let [least, most] = boat.bounds().map(|one| one * boat.scale);
    assert!((most.y - 0.5625).abs() < 1e-6 && least.y == 0.0);
    assert!((most.z - least.z - 2.0).abs() < 1e-6, "{least} {most}");
    let cart = grown("minecraft:minecart").unwrap();
    let [_, most] = cart.bounds().map(|one| one * cart.scale);
    assert!((most.y - 0.7).abs() < 0.02, "{most}");
    let load = |kind: &str| grown(kind).unwrap().parts[0].shape.boxes.len();
    assert_eq!(load("minecraft:tnt_minecart"), load("minecraft:minecart") + 1);
}

#[test]
fn sheep_wear_their_colour() {
    let wool = |nbt: &str| {
        let sheep = creature_of("sheep", nbt, Size::of_kind("sheep")).unwrap();
        sheep.parts[0].shape.boxes[0].color
    };
    assert_eq!(wool("{Color:14b}"), 0xb02e26);
    assert_eq!(wool("{Color:99b}"), 0xf2f2ee);
    assert_eq!(wool("{}"), 0xf2f2ee);
}

#[test]
fn items_on_the_ground_are_what_they_are() {
    let item = |nbt: &str| creature_of("minecraft:item", nbt, Size::of_kind("minecraft:item"));
    let cube = item(r#"{Item:{id:"minecraft:stone",count:1}}"#).unwrap();
    let [least, most] = cube.bounds().map(|one| one * cube.scale);
    assert!(((most - least) - glam::Vec3::splat(0.25)).length() < 1e-5, "a block is a quarter");
    assert_eq!(item("{}"), None);
    assert_eq!(item("{Item:[1,2]}"), None);
}
