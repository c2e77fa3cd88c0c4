//! The figure of an entity, by its kind and its data.

use super::{
    super::{blocks, colors::color_of, items, shape::Rgb},
    bipeds::Dye,
    figure::{Creature, Joint},
    kinds::{Kind, Look},
    vehicles,
};
use crate::{Size, is_boat, is_minecart, short, snbt};

/// The figure of an entity of a kind, of which `nbt` says what is special, as SNBT; nothing if the
/// kind is unknown or has no size.
pub fn creature_of(kind: &str, nbt: &str, size: Size) -> Option<Creature> {
    let name = short(kind);
    if !(size.height > 0.0 && size.height.is_finite()) {
        return None;
    }
    let Some(known) = Kind::of(name) else {
        return if is_boat(name) {
            Some(boat(name))
        } else {
            is_minecart(name).then(|| vehicles::minecart(load(name)))
        };
    };
    match known.look {
        Look::Nothing => None,
        Look::Item => item(nbt),
        Look::FallingBlock => Some(falling_block(nbt)),
        Look::OfHeight(build, dye) => Some(build(dyed(name, nbt, dye)).of_height(size.height)),
        Look::AsModelled(build, dye) => {
            let creature = build(dye);
            let growth = (size.height / known.size[1]) as f32;
            Some(Creature { scale: creature.scale * growth, ..creature })
        }
    }
}

/// The figure of an entity, or a box of its size if its kind has none; nothing of what has no size.
pub fn creature_or_box(kind: &str, nbt: &str, size: Size) -> Option<Creature> {
    let is_something = |side: f64| side > 0.0 && side.is_finite();
    let of_size = || {
        (is_something(size.width) && is_something(size.height))
            .then(|| Creature::of_size(size, color_of(short(kind))))
    };
    creature_of(kind, nbt, size).or_else(of_size)
}

/// Whether entities of this kind are drawn as a figure, or are invisible in the game too.
pub(in super::super::super) fn has_figure(kind: &str) -> bool {
    Kind::of(kind).is_some() || is_boat(kind) || is_minecart(kind)
}

/// The colours of an entity that has colours of its own: sheep and shulkers.
fn dyed(name: &str, nbt: &str, dye: Dye) -> Dye {
    const DYES: [&str; 16] = [
        "white",
        "orange",
        "magenta",
        "light_blue",
        "yellow",
        "lime",
        "pink",
        "gray",
        "light_gray",
        "cyan",
        "purple",
        "blue",
        "brown",
        "green",
        "red",
        "black",
    ];
    if !matches!(name, "sheep" | "shulker") {
        return dye;
    }
    let number = snbt::top_level(nbt, "Color").map(|color| color.trim_end_matches(['b', 'B']));
    let index = number.and_then(|number| number.parse::<usize>().ok());
    let Some(word) = index.and_then(|index| DYES.get(index)) else { return dye };
    let color = color_of(&format!("{word}_wool"));
    let [head, body, legs] = dye;
    if name == "sheep" { [head, color, legs] } else { [color, body, legs] }
}

/// An item on the ground.
fn item(nbt: &str) -> Option<Creature> {
    let id = snbt::within(nbt, "Item", "id")?;
    let shape = items::on_ground(id);
    let mut creature = Creature::new();
    creature.parts.push(super::CreaturePart {
        joint: Joint::Spinning { lift: shape.lift },
        pivot: glam::Vec3::ZERO,
        shape: shape.shape,
    });
    Some(creature)
}

fn falling_block(nbt: &str) -> Creature {
    let id = snbt::within(nbt, "BlockState", "Name").unwrap_or("minecraft:sand");
    let mut creature = Creature::new();
    let shape = blocks::shape_of(id);
    let boxes = shape.boxes.iter().map(|one| one.moved(glam::Vec3::new(-8.0, 0.0, -8.0)));
    creature.parts.push(super::CreaturePart {
        joint: Joint::Body,
        pivot: glam::Vec3::ZERO,
        shape: boxes.collect::<Vec<_>>().into(),
    });
    creature
}

fn boat(name: &str) -> Creature {
    // Boats of all woods, and of old versions, which had one kind for all.
    let wood = if matches!(name, "boat" | "chest_boat") { "oak" } else { name };
    let (color, has_chest): (Rgb, _) = (color_of(wood), name.contains("chest"));
    match name.ends_with("raft") {
        true => vehicles::raft(color, has_chest),
        false => vehicles::boat(color, has_chest),
    }
}

/// The colour of the load of a minecart.
fn load(name: &str) -> Option<Rgb> {
    let load = name.strip_suffix("_minecart")?;
    Some(match load {
        "tnt" => 0xd83a2a,
        "hopper" => 0x4a4a50,
        "command_block" => 0xc08a5a,
        "spawner" => 0x1f3a4a,
        load => color_of(load),
    })
}
