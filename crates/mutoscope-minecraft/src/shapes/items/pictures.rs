//! Draws flat items pixel by pixel. The pictures are our own: one for each group of items, in the
//! colour of the item.

use std::{io::Cursor, sync::LazyLock};

use super::super::shape::{Rgb, Shape, ShapeBox, darken, mix_colors};
use crate::short_name;
use Picture::{
    Axe, Book, Bottle, Bow, Bucket, Card, Crossbow, Door, FishingRod, Flower, Gem, Hoe, Ingot,
    Mace, Pickaxe, Round, Shovel, Spear, Stick, Sword, Torch,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Picture {
    Sword,
    Pickaxe,
    Axe,
    Shovel,
    Hoe,
    Spear,
    Stick,
    Mace,
    Bow,
    Crossbow,
    FishingRod,
    Round,
    Ingot,
    Gem,
    Bottle,
    Bucket,
    Book,
    Torch,
    Door,
    Flower,
    Card,
}

const PICTURE_SIDE_PX: usize = 16;

const ATLAS_COLUMNS: usize = 7;

/// The pixels of the atlas, row by row. 0 is transparent, 1 is the colour of the item, 2 a darker
/// colour, 3 a lighter colour and 4 the colour of wood.
static ATLAS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = Cursor::new(include_bytes!("pictures.png"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small image")];
    reader.next_frame(&mut pixels).expect("a whole PNG of indexed colours");
    pixels
});

pub(super) const WOOD: Rgb = 0x7a5c38;

/// The pictures by the ending of the item name. The first match is used.
const PICTURES_BY_ENDING: [(&str, Picture); 65] = [
    ("sword", Sword),
    ("pickaxe", Pickaxe),
    ("axe", Axe),
    ("shovel", Shovel),
    ("hoe", Hoe),
    ("spear", Spear),
    ("mace", Mace),
    ("crossbow", Crossbow),
    ("bow", Bow),
    ("fishing_rod", FishingRod),
    ("on_a_stick", FishingRod),
    ("stick", Stick),
    ("rod", Stick),
    ("bone", Stick),
    ("bamboo", Stick),
    ("brush", Stick),
    ("arrow", Spear),
    ("apple", Round),
    ("egg", Round),
    ("snowball", Round),
    ("pearl", Round),
    ("eye", Round),
    ("slime_ball", Round),
    ("charge", Round),
    ("melon_slice", Round),
    ("potato", Round),
    ("beetroot", Round),
    ("cookie", Round),
    ("compass", Round),
    ("clock", Round),
    ("ingot", Ingot),
    ("brick", Ingot),
    ("bread", Ingot),
    ("nugget", Gem),
    ("diamond", Gem),
    ("emerald", Gem),
    ("shard", Gem),
    ("lapis_lazuli", Gem),
    ("coal", Gem),
    ("quartz", Gem),
    ("potion", Bottle),
    ("bottle", Bottle),
    ("stew", Bucket),
    ("soup", Bucket),
    ("bowl", Bucket),
    ("bucket", Bucket),
    ("book", Book),
    ("map", Book),
    ("torch", Torch),
    ("candle", Torch),
    ("lantern", Torch),
    ("lever", Torch),
    ("door", Door),
    ("ladder", Door),
    ("bars", Door),
    ("pane", Door),
    ("poppy", Flower),
    ("dandelion", Flower),
    ("tulip", Flower),
    ("orchid", Flower),
    ("allium", Flower),
    ("daisy", Flower),
    ("bluet", Flower),
    ("cornflower", Flower),
    ("rose", Flower),
];

pub(super) fn picture_shape(id: &str, color: Rgb) -> Shape {
    let name = short_name(id);
    let family = PICTURES_BY_ENDING.iter().find(|(end, _)| name.ends_with(end));
    picture_boxes(family.map_or(Card, |(_, picture)| *picture), color)
}

pub(super) fn card_shape(id: &str) -> Shape {
    picture_boxes(Card, super::color_of(id))
}

impl Picture {
    fn rows(self) -> impl Iterator<Item = &'static [u8]> {
        let (top, left) = (
            self as usize / ATLAS_COLUMNS * PICTURE_SIDE_PX,
            self as usize % ATLAS_COLUMNS * PICTURE_SIDE_PX,
        );
        let rows =
            ATLAS.chunks_exact(ATLAS_COLUMNS * PICTURE_SIDE_PX).skip(top).take(PICTURE_SIDE_PX);
        rows.map(move |row| &row[left..left + PICTURE_SIDE_PX])
    }
}

fn picture_boxes(picture: Picture, color: Rgb) -> Shape {
    let mut boxes = Vec::new();
    for (row, pixels) in picture.rows().enumerate() {
        let bottom = 15.0 - row as f32;
        let mut start = 0;
        for run in pixels.chunk_by(|a, b| a == b) {
            let end = start + run.len();
            if let Some(color) = pixel_color(run[0], color) {
                let (min, max) = ([start as f32, bottom, 7.5], [end as f32, bottom + 1.0, 8.5]);
                boxes.push(ShapeBox::between(min, max, color));
            }
            start = end;
        }
    }
    boxes.into()
}

fn pixel_color(pixel: u8, color: Rgb) -> Option<Rgb> {
    Some(match pixel {
        1 => color,
        2 => darken(color, 0.35),
        3 => mix_colors(color, 0xffffff, 0.6),
        4 => WOOD,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The FNV-1a hash of each picture when it was drawn as text with the characters `.#+wo`.
    const HASHES: [(Picture, u64); 21] = [
        (Sword, 0x7b81_1e72_a538_c88e),
        (Pickaxe, 0x6c6e_59cd_f945_6393),
        (Axe, 0x33e8_5a1c_3a09_6fa3),
        (Shovel, 0x7a2e_9a03_10c4_e31c),
        (Hoe, 0xd2f4_3490_80cd_1b6c),
        (Spear, 0xdd75_21d0_56fc_bf74),
        (Stick, 0xa725_cce5_0b22_8bc6),
        (Mace, 0xb868_7614_b89e_1868),
        (Bow, 0xf153_0232_89b5_51ec),
        (Crossbow, 0x4976_5929_7ce0_228c),
        (FishingRod, 0xcbc9_253c_a9e6_fdc5),
        (Round, 0xc437_589d_9132_f935),
        (Ingot, 0xf24f_8d03_3bda_37cc),
        (Gem, 0x0699_c4c4_82bd_fba5),
        (Bottle, 0x9fd7_ce23_c277_c197),
        (Bucket, 0xa085_a463_b36a_45e5),
        (Book, 0xb0d8_f404_85c2_1afc),
        (Torch, 0xa32e_f5d1_21ab_7e37),
        (Door, 0xc805_eda8_c48f_5519),
        (Flower, 0x6952_714a_8b79_b811),
        (Card, 0x5e18_111b_2906_00d3),
    ];

    #[test]
    fn atlas_matches_the_original_pictures() {
        for (picture, expected) in HASHES {
            let letters = picture.rows().flatten().map(|pixel| b".#+wo"[usize::from(*pixel)]);
            let hash = letters.fold(0xcbf2_9ce4_8422_2325, |hash: u64, letter| {
                (hash ^ u64::from(letter)).wrapping_mul(0x100_0000_01b3)
            });
            assert_eq!(hash, expected, "{picture:?}");
        }
        assert_eq!(
            ATLAS.len(),
            HASHES.len() * PICTURE_SIDE_PX * PICTURE_SIDE_PX,
            "no picture is left over"
        );
    }

    #[test]
    fn every_pixel_is_in_one_box() {
        let pixels = Sword.rows().flatten().filter(|pixel| **pixel != 0).count() as f32;
        let volume = |shape_box: &ShapeBox| (shape_box.max - shape_box.min).element_product();
        let shape = picture_shape("minecraft:iron_sword", 0xd8d8d8);
        assert_eq!(shape.boxes.iter().map(volume).sum::<f32>(), pixels);
        assert_ne!(
            picture_shape("minecraft:iron_axe", 0),
            picture_shape("minecraft:iron_pickaxe", 0)
        );
    }
}
