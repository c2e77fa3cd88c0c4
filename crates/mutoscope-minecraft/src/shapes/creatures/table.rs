//! Chooses the figure of an entity from its kind and its data.

use super::{
    super::{blocks, colors::color_of, items, shape::Rgb},
    bipeds::Palette,
    figure::{Creature, Joint},
    kinds::{Kind, Look},
    vehicles,
};
use crate::{Size, is_boat, is_minecart, short_name, snbt};

/// Returns the figure of an entity. `nbt` is the entity's data, as SNBT. Returns `None` if the kind
/// is unknown or invisible, or if `size` has no height.
pub fn creature_for_entity(kind: &str, nbt: &str, size: Size) -> Option<Creature> {
    let name = short_name(kind);
    if !(size.height > 0.0 && size.height.is_finite()) {
        return None;
    }
    let Some(known) = Kind::find(name) else {
        return if is_boat(name) {
            Some(build_boat(name))
        } else {
            is_minecart(name).then(|| vehicles::minecart(minecart_load_color(name)))
        };
    };
    match known.look {
        Look::Nothing => None,
        Look::Item => build_item(nbt),
        Look::FallingBlock => Some(build_falling_block(nbt)),
        Look::ScaledToHeight(build, palette) => {
            Some(build(apply_dye(name, nbt, palette)).scaled_to_height(size.height))
        }
        Look::ModelSize(build, palette) => {
            let creature = build(palette);
            let growth = (size.height / known.size[1]) as f32;
            Some(Creature { scale: creature.scale * growth, ..creature })
        }
    }
}

/// Returns the figure of an entity. If the kind has no figure, returns a box of the size of the
/// entity. Returns `None` if there is no figure and the width or the height is zero.
pub fn creature_or_box(kind: &str, nbt: &str, size: Size) -> Option<Creature> {
    let is_something = |side: f64| side > 0.0 && side.is_finite();
    let of_size = || {
        (is_something(size.width) && is_something(size.height))
            .then(|| Creature::box_of_size(size, color_of(short_name(kind))))
    };
    creature_for_entity(kind, nbt, size).or_else(of_size)
}

/// Returns `true` if the kind is known. A known kind has a figure or is invisible in the game.
pub(in super::super::super) fn has_figure(kind: &str) -> bool {
    Kind::find(kind).is_some() || is_boat(kind) || is_minecart(kind)
}

fn apply_dye(name: &str, nbt: &str, palette: Palette) -> Palette {
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
        return palette;
    }
    let number =
        snbt::top_level_value(nbt, "Color").map(|color| color.trim_end_matches(['b', 'B']));
    let index = number.and_then(|number| number.parse::<usize>().ok());
    let Some(dye) = index.and_then(|index| DYES.get(index)) else { return palette };
    let color = color_of(&format!("{dye}_wool"));
    let [head, body, legs] = palette;
    if name == "sheep" { [head, color, legs] } else { [color, body, legs] }
}

fn build_item(nbt: &str) -> Option<Creature> {
    let id = snbt::nested_value(nbt, "Item", "id")?;
    let shape = items::ground_item(id);
    let mut creature = Creature::new();
    creature.parts.push(super::CreaturePart {
        joint: Joint::Spinning { lift: shape.lift },
        pivot: glam::Vec3::ZERO,
        shape: shape.shape,
    });
    Some(creature)
}

fn build_falling_block(nbt: &str) -> Creature {
    let id = snbt::nested_value(nbt, "BlockState", "Name").unwrap_or("minecraft:sand");
    let mut creature = Creature::new();
    let shape = blocks::block_shape(id);
    let boxes =
        shape.boxes.iter().map(|shape_box| shape_box.translated(glam::Vec3::new(-8.0, 0.0, -8.0)));
    creature.parts.push(super::CreaturePart {
        joint: Joint::Body,
        pivot: glam::Vec3::ZERO,
        shape: boxes.collect::<Vec<_>>().into(),
    });
    creature
}

fn build_boat(name: &str) -> Creature {
    // Old versions had a single kind of boat for all woods.
    let wood = if matches!(name, "boat" | "chest_boat") { "oak" } else { name };
    let (color, has_chest): (Rgb, _) = (color_of(wood), name.contains("chest"));
    match name.ends_with("raft") {
        true => vehicles::raft(color, has_chest),
        false => vehicles::boat(color, has_chest),
    }
}

fn minecart_load_color(name: &str) -> Option<Rgb> {
    let load = name.strip_suffix("_minecart")?;
    Some(match load {
        "tnt" => 0xd83a2a,
        "hopper" => 0x4a4a50,
        "command_block" => 0xc08a5a,
        "spawner" => 0x1f3a4a,
        load => color_of(load),
    })
}
