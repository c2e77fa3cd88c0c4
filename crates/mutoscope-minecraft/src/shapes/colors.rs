//! Chooses a plain colour for a block or an item from its name, because the game's textures are not
//! available.

use super::{
    super::short_name,
    shape::{Rgb, darken, mix_colors},
};

const DYES: [(&str, Rgb); 16] = [
    ("light_blue", 0x3ab3da),
    ("light_gray", 0x9d9d97),
    ("white", 0xf9fffe),
    ("orange", 0xf9801d),
    ("magenta", 0xc74ebd),
    ("yellow", 0xfed83d),
    ("lime", 0x80c71f),
    ("pink", 0xf38baa),
    ("gray", 0x474f52),
    ("cyan", 0x169c9c),
    ("purple", 0x8932b8),
    ("blue", 0x3c44aa),
    ("brown", 0x835432),
    ("green", 0x5e7c16),
    ("red", 0xb02e26),
    ("black", 0x1d1d21),
];

const DYED_ITEMS: [&str; 12] = [
    "wool",
    "carpet",
    "concrete",
    "concrete_powder",
    "terracotta",
    "stained_glass",
    "stained_glass_pane",
    "bed",
    "candle",
    "shulker_box",
    "banner",
    "dye",
];

/// The colours of woods. `dark_oak` and `pale_oak` precede `oak`, because the first match is used.
const WOODS: [(&str, Rgb); 12] = [
    ("dark_oak", 0x664c33),
    ("pale_oak", 0xede6dc),
    ("oak", 0x8f7748),
    ("spruce", 0x815631),
    ("birch", 0xf7e9a3),
    ("jungle", 0x976d4d),
    ("acacia", 0xd87f33),
    ("mangrove", 0x993333),
    ("cherry", 0xd1b1a1),
    ("bamboo", 0xe5e533),
    ("crimson", 0x943f61),
    ("warped", 0x3a8e8c),
];

/// The colours of materials, by a part of the name. The longest match is used.
const MATERIALS: [(&str, Rgb); 96] = [
    ("deepslate", 0x646464),
    ("blackstone", 0x191919),
    ("netherrack", 0x700200),
    ("nether_brick", 0x700200),
    ("end_stone", 0xf7e9a3),
    ("red_sandstone", 0xd87f33),
    ("red_sand", 0xd87f33),
    ("sandstone", 0xf7e9a3),
    ("sand", 0xf7e9a3),
    ("stone", 0x707070),
    ("cobble", 0x707070),
    ("andesite", 0x707070),
    ("gravel", 0x707070),
    ("furnace", 0x707070),
    ("bedrock", 0x3a3a3a),
    ("granite", 0x976d4d),
    ("diorite", 0xfffcf5),
    ("quartz", 0xfffcf5),
    ("tuff", 0x4c4c4c),
    ("dirt", 0x976d4d),
    ("farmland", 0x976d4d),
    ("path", 0x976d4d),
    ("podzol", 0x815631),
    ("mud", 0x575c5c),
    ("clay", 0xa4a8b8),
    ("grass_block", 0x7fb238),
    ("leaves", 0x007c00),
    ("grass", 0x3f9a2e),
    ("fern", 0x3f9a2e),
    ("vine", 0x007c00),
    ("sapling", 0x007c00),
    ("wheat", 0xcdb94b),
    ("carrot", 0xe88a1e),
    ("potato", 0xcfa55a),
    ("beetroot", 0xa03a3a),
    ("cactus", 0x007c00),
    ("sugar_cane", 0x86b85a),
    ("kelp", 0x4f7a2e),
    ("snow", 0xffffff),
    ("ice", 0xa0a0ff),
    ("water", 0x4040ff),
    ("lava", 0xff5a00),
    ("fire", 0xff7a1e),
    ("magma", 0xff3c00),
    ("obsidian", 0x191919),
    ("glass", 0xffffff),
    ("brick", 0x993333),
    ("stone_brick", 0x707070),
    ("terracotta", 0x9a5f3f),
    ("iron", 0xd8d8d8),
    ("bucket", 0xb5b5b5),
    ("chain", 0xa7a7a7),
    ("anvil", 0x565656),
    ("gold", 0xfaee4d),
    ("clock", 0xfaee4d),
    ("diamond", 0x5cdbd5),
    ("emerald", 0x00d93a),
    ("lapis", 0x4a80ff),
    ("redstone", 0xff0000),
    ("coal", 0x2b2b2b),
    ("copper", 0xd87f33),
    ("exposed_copper", 0x876b62),
    ("weathered_copper", 0x3a8e8c),
    ("oxidized_copper", 0x167e86),
    ("netherite", 0x4a4045),
    ("amethyst", 0x7f3fb2),
    ("purpur", 0x7f3fb2),
    ("prismarine", 0x4c7f99),
    ("dark_prismarine", 0x5cdbd5),
    ("sponge", 0xe5e533),
    ("hay", 0xe5c533),
    ("pumpkin", 0xd87f33),
    ("melon", 0x7fcc19),
    ("torch", 0xffd27f),
    ("lantern", 0xffd27f),
    ("glowstone", 0xffd27f),
    ("bread", 0xb5843b),
    ("apple", 0xd7332c),
    ("beef", 0xa8442f),
    ("porkchop", 0xe39a94),
    ("mutton", 0xb05a4e),
    ("chicken", 0xe0b184),
    ("bone", 0xe9e6d2),
    ("stick", 0x896727),
    ("leather", 0xc65c35),
    ("feather", 0xf2f2f2),
    ("arrow", 0x9a8a6c),
    ("book", 0x7a4a2a),
    ("paper", 0xf2f2f2),
    ("egg", 0xe6d3a8),
    ("wooden", 0x8f7748),
    ("chest", 0xa5712b),
    ("barrel", 0x8a6236),
    ("crafting_table", 0xa0703c),
    ("ladder", 0xa07b45),
    ("bookshelf", 0xa0703c),
];

const FLOWERS: [(&str, Rgb); 9] = [
    ("poppy", 0xe0302a),
    ("rose", 0xe0302a),
    ("dandelion", 0xf7d63a),
    ("tulip", 0xe8683a),
    ("orchid", 0x2aa8d8),
    ("allium", 0xb878e0),
    ("cornflower", 0x4668d8),
    ("mushroom", 0xb5654a),
    ("azure_bluet", 0xe8e8e0),
];

/// The colours for all other names. The hash of a name selects its colour.
const FALLBACK_COLORS: [Rgb; 8] =
    [0xa9b66c, 0x6cb6a1, 0x8c8fd6, 0xc68fb8, 0xd0a36a, 0x7fb07f, 0xb58a8a, 0x86a9c4];

/// Returns the colour of the block or item with this id.
pub fn color_of(id: &str) -> Rgb {
    let name = short_name(id);
    dyed_color(name)
        .or_else(|| wood_color(name))
        .or_else(|| longest_match(&FLOWERS, name))
        .or_else(|| longest_match(&MATERIALS, name))
        .unwrap_or_else(|| fallback_color(name))
}

fn fallback_color(name: &str) -> Rgb {
    let mixed = name.bytes().fold(7_u32, |mixed, byte| mixed.wrapping_mul(31) + u32::from(byte));
    FALLBACK_COLORS[mixed as usize % FALLBACK_COLORS.len()]
}

fn dyed_color(name: &str) -> Option<Rgb> {
    let (dye, thing) =
        DYES.iter().find_map(|(dye, color)| Some((*color, name.strip_prefix(dye)?)))?;
    let thing = thing.strip_prefix('_')?;
    if !DYED_ITEMS.contains(&thing) {
        return None;
    }
    Some(match thing {
        "concrete_powder" => mix_colors(dye, 0xffffff, 0.3),
        "terracotta" => mix_colors(dye, 0x9a5f3f, 0.5),
        _ => dye,
    })
}

fn wood_color(name: &str) -> Option<Rgb> {
    // Exclude leaves and saplings, because they are green although their names contain a wood.
    let is_green = ["leaves", "sapling", "propagule"].iter().any(|green| name.ends_with(green));
    let (_, color) = WOODS.iter().find(|(wood, _)| name.contains(wood)).filter(|_| !is_green)?;
    let is_log = ["log", "wood", "stem", "hyphae"].iter().any(|log| name.ends_with(log));
    Some(if is_log { darken(*color, 0.25) } else { *color })
}

fn longest_match(materials: &[(&str, Rgb)], name: &str) -> Option<Rgb> {
    let matching = materials.iter().filter(|(material, _)| name.contains(material));
    matching.max_by_key(|(material, _)| material.len()).map(|(_, color)| *color)
}

/// Returns the opacity of a block, from 0 to 1.
pub fn opacity_of(id: &str) -> f32 {
    let name = short_name(id);
    if name.contains("glass") {
        0.35
    } else if matches!(name, "water" | "bubble_column") || name == "ice" || name == "slime_block" {
        0.55
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours follow the rules in part E.3 of the format's description.
    #[test]
    fn names_have_the_documented_colours() {
        for (id, color) in [
            ("minecraft:light_blue_wool", 0x3ab3da),
            ("minecraft:blue_wool", 0x3c44aa),
            ("minecraft:red_concrete_powder", mix_colors(0xb02e26, 0xffffff, 0.3)),
            ("minecraft:white_terracotta", mix_colors(0xf9fffe, 0x9a5f3f, 0.5)),
            ("minecraft:dark_oak_planks", 0x664c33),
            ("minecraft:oak_door[facing=east]", 0x8f7748),
            ("minecraft:oak_log[axis=y]", 0x6b5936),
            ("minecraft:oak_leaves", 0x007c00),
            ("minecraft:stone_bricks", 0x707070),
            ("minecraft:bricks", 0x993333),
            ("minecraft:deepslate_diamond_ore", 0x646464),
            ("minecraft:red_sandstone", 0xd87f33),
            ("minecraft:exposed_copper", 0x876b62),
            ("minecraft:grass_block", 0x7fb238),
            ("minecraft:redstone_block", 0xff0000),
        ] {
            assert_eq!(color_of(id), color, "{id}: {:06x}", color_of(id));
        }
        assert_eq!(color_of("#836"), fallback_color("#836"));
        assert!(opacity_of("minecraft:lime_stained_glass") < 1.0);
        assert_eq!(opacity_of("minecraft:packed_ice"), 1.0);
    }
}
