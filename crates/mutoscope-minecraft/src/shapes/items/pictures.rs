//! Flat items, pixel by pixel: pictures of our own, one for each family, in the colour of the item.

use super::{
    super::shape::{Rgb, Shape, ShapeBox, darker, mixed},
    things::{BOOK, BOTTLE, BUCKET, CARD, DOOR, FLOWER, GEM, INGOT, ROUND, TORCH},
    tools::{AXE, BOW, CROSSBOW, FISHING_ROD, HOE, MACE, PICKAXE, SHOVEL, SPEAR, STICK, SWORD},
};
use crate::short;

/// Rows from the top: `#` the item's colour, `+` darker, `w` lighter, `o` wood, `.` nothing.
pub(super) type Picture = [&'static str; 16];

/// The colour of handles.
pub(super) const WOOD: Rgb = 0x7a5c38;

/// The picture of a family by the end of its items' names; the first that fits counts.
const FAMILIES: [(&str, &Picture); 65] = [
    ("sword", &SWORD),
    ("pickaxe", &PICKAXE),
    ("axe", &AXE),
    ("shovel", &SHOVEL),
    ("hoe", &HOE),
    ("spear", &SPEAR),
    ("mace", &MACE),
    ("crossbow", &CROSSBOW),
    ("bow", &BOW),
    ("fishing_rod", &FISHING_ROD),
    ("on_a_stick", &FISHING_ROD),
    ("stick", &STICK),
    ("rod", &STICK),
    ("bone", &STICK),
    ("bamboo", &STICK),
    ("brush", &STICK),
    ("arrow", &SPEAR),
    ("apple", &ROUND),
    ("egg", &ROUND),
    ("snowball", &ROUND),
    ("pearl", &ROUND),
    ("eye", &ROUND),
    ("slime_ball", &ROUND),
    ("charge", &ROUND),
    ("melon_slice", &ROUND),
    ("potato", &ROUND),
    ("beetroot", &ROUND),
    ("cookie", &ROUND),
    ("compass", &ROUND),
    ("clock", &ROUND),
    ("ingot", &INGOT),
    ("brick", &INGOT),
    ("bread", &INGOT),
    ("nugget", &GEM),
    ("diamond", &GEM),
    ("emerald", &GEM),
    ("shard", &GEM),
    ("lapis_lazuli", &GEM),
    ("coal", &GEM),
    ("quartz", &GEM),
    ("potion", &BOTTLE),
    ("bottle", &BOTTLE),
    ("stew", &BUCKET),
    ("soup", &BUCKET),
    ("bowl", &BUCKET),
    ("bucket", &BUCKET),
    ("book", &BOOK),
    ("map", &BOOK),
    ("torch", &TORCH),
    ("candle", &TORCH),
    ("lantern", &TORCH),
    ("lever", &TORCH),
    ("door", &DOOR),
    ("ladder", &DOOR),
    ("bars", &DOOR),
    ("pane", &DOOR),
    ("poppy", &FLOWER),
    ("dandelion", &FLOWER),
    ("tulip", &FLOWER),
    ("orchid", &FLOWER),
    ("allium", &FLOWER),
    ("daisy", &FLOWER),
    ("bluet", &FLOWER),
    ("cornflower", &FLOWER),
    ("rose", &FLOWER),
];

/// The picture of an item with this id, in a colour.
pub(super) fn of(id: &str, color: Rgb) -> Shape {
    let name = short(id);
    let family = FAMILIES.iter().find(|(end, _)| name.ends_with(end));
    boxes(family.map_or(&CARD, |(_, picture)| picture), color)
}

/// The picture of what has none of its own.
pub(super) fn card(id: &str) -> Shape {
    boxes(&CARD, super::color_of(id))
}

/// A box for every run of pixels of one colour in a row, a sixteenth of a block thick.
fn boxes(picture: &Picture, color: Rgb) -> Shape {
    let mut boxes = Vec::new();
    for (row, pixels) in picture.iter().enumerate() {
        let (bottom, pixels) = (15.0 - row as f32, pixels.as_bytes());
        let mut start = 0;
        for run in pixels.chunk_by(|a, b| a == b) {
            let end = start + run.len();
            if let Some(color) = paint(run[0], color) {
                let (min, max) = ([start as f32, bottom, 7.5], [end as f32, bottom + 1.0, 8.5]);
                boxes.push(ShapeBox::between(min, max, color));
            }
            start = end;
        }
    }
    boxes.into()
}

fn paint(pixel: u8, color: Rgb) -> Option<Rgb> {
    Some(match pixel {
        b'#' => color,
        b'+' => darker(color, 0.35),
        b'w' => mixed(color, 0xffffff, 0.6),
        b'o' => WOOD,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_known_pixels_only() {
        let all = FAMILIES.iter().map(|(_, picture)| *picture).chain([&CARD]);
        for picture in all {
            for row in picture {
                assert_eq!(row.len(), 16);
                assert!(row.bytes().all(|pixel| b"#+wo.".contains(&pixel)), "{row}");
            }
        }
    }

    #[test]
    fn every_pixel_is_in_one_box() {
        let pixels: f32 =
            SWORD.iter().flat_map(|row| row.bytes()).filter(|one| *one != b'.').count() as f32;
        let volume = |one: &ShapeBox| (one.max - one.min).element_product();
        let shape = of("minecraft:iron_sword", 0xd8d8d8);
        assert_eq!(shape.boxes.iter().map(volume).sum::<f32>(), pixels);
        assert_ne!(of("minecraft:iron_axe", 0), of("minecraft:iron_pickaxe", 0));
    }
}
