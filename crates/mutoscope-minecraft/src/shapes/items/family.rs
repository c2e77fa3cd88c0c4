//! Groups items by how hands hold them.

use crate::short_name;

/// A family of items that hands hold in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemFamily {
    /// A block, unless the game draws it as a flat item.
    Block,
    /// Tools, weapons and sticks, which are held by their end.
    Handheld,
    /// Fishing rods and items on a stick.
    Rod,
    /// A mace.
    Mace,
    /// A bow.
    Bow,
    /// A crossbow.
    Crossbow,
    /// A shield.
    Shield,
    /// A trident.
    Trident,
    /// A spyglass.
    Spyglass,
    /// All other items, which are drawn as flat pictures.
    Flat,
}

const HANDHELD_ENDINGS: [&str; 7] =
    ["_sword", "_axe", "_pickaxe", "_shovel", "_hoe", "_spear", "_rod"];

const HANDHELD: [&str; 4] = ["stick", "bone", "bamboo", "debug_stick"];

const FLAT_BLOCK_ENDINGS: [&str; 24] = [
    "door",
    "rail",
    "ladder",
    "pane",
    "sapling",
    "propagule",
    "seeds",
    "sign",
    "lantern",
    "chain",
    "lever",
    "vine",
    "candle",
    "bars",
    "poppy",
    "dandelion",
    "tulip",
    "orchid",
    "allium",
    "daisy",
    "torch",
    "mushroom",
    "fern",
    "kelp",
];

const BLOCK_ITEM_ENDINGS: [&str; 84] = [
    "block",
    "planks",
    "log",
    "wood",
    "stem",
    "hyphae",
    "leaves",
    "slab",
    "stairs",
    "fence",
    "fence_gate",
    "wall",
    "trapdoor",
    "button",
    "pressure_plate",
    "stone",
    "cobblestone",
    "deepslate",
    "dirt",
    "podzol",
    "mycelium",
    "mud",
    "clay",
    "gravel",
    "sand",
    "sandstone",
    "netherrack",
    "bricks",
    "tiles",
    "granite",
    "diorite",
    "andesite",
    "tuff",
    "calcite",
    "basalt",
    "blackstone",
    "ore",
    "glass",
    "wool",
    "carpet",
    "concrete",
    "concrete_powder",
    "terracotta",
    "bed",
    "chest",
    "barrel",
    "furnace",
    "smoker",
    "table",
    "bookshelf",
    "anvil",
    "tnt",
    "pumpkin",
    "jack_o_lantern",
    "melon",
    "cactus",
    "obsidian",
    "bedrock",
    "ice",
    "snow",
    "sponge",
    "glowstone",
    "sea_lantern",
    "shroomlight",
    "magma_block",
    "soul_soil",
    "farmland",
    "dirt_path",
    "piston",
    "dispenser",
    "dropper",
    "observer",
    "hopper",
    "target",
    "loom",
    "composter",
    "beehive",
    "bee_nest",
    "spawner",
    "shulker_box",
    "beacon",
    "jukebox",
    "froglight",
    "head",
];

impl ItemFamily {
    /// Returns the family of the item with this id.
    pub fn from_id(id: &str) -> Self {
        let name = short_name(id);
        match name {
            "shield" => Self::Shield,
            "trident" => Self::Trident,
            "spyglass" => Self::Spyglass,
            "bow" => Self::Bow,
            "crossbow" => Self::Crossbow,
            "mace" => Self::Mace,
            "fishing_rod" => Self::Rod,
            _ if name.ends_with("_on_a_stick") => Self::Rod,
            _ if HANDHELD.contains(&name) => Self::Handheld,
            _ if HANDHELD_ENDINGS.iter().any(|end| name.ends_with(end)) && name != "end_rod" => {
                Self::Handheld
            }
            _ if is_block(name) => Self::Block,
            _ => Self::Flat,
        }
    }
}

fn is_block(name: &str) -> bool {
    let is_flat = FLAT_BLOCK_ENDINGS.iter().any(|flat| ends_with_word(name, flat));
    let is_solid = matches!(name, "sea_lantern" | "jack_o_lantern");
    let is_trapdoor = name.ends_with("trapdoor");
    BLOCK_ITEM_ENDINGS.iter().any(|block| ends_with_word(name, block))
        && (!is_flat || is_solid || is_trapdoor)
}

fn ends_with_word(name: &str, word: &str) -> bool {
    name.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_expected_family() {
        use ItemFamily::{
            Block, Bow, Crossbow, Flat, Handheld, Mace, Rod, Shield, Spyglass, Trident,
        };
        for (id, family) in [
            ("minecraft:stone", Block),
            ("minecraft:oak_planks", Block),
            ("minecraft:oak_stairs", Block),
            ("minecraft:oak_trapdoor", Block),
            ("minecraft:grass_block", Block),
            ("minecraft:crafting_table", Block),
            ("minecraft:white_wool", Block),
            ("minecraft:sea_lantern", Block),
            ("minecraft:oak_door", Flat),
            ("minecraft:torch", Flat),
            ("minecraft:ladder", Flat),
            ("minecraft:lantern", Flat),
            ("minecraft:glass_pane", Flat),
            ("minecraft:poppy", Flat),
            ("minecraft:apple", Flat),
            ("minecraft:iron_ingot", Flat),
            ("minecraft:iron_sword", Handheld),
            ("minecraft:netherite_pickaxe", Handheld),
            ("minecraft:stick", Handheld),
            ("minecraft:blaze_rod", Handheld),
            ("minecraft:fishing_rod", Rod),
            ("minecraft:carrot_on_a_stick", Rod),
            ("minecraft:mace", Mace),
            ("minecraft:bow", Bow),
            ("minecraft:crossbow", Crossbow),
            ("minecraft:shield", Shield),
            ("minecraft:trident", Trident),
            ("minecraft:spyglass", Spyglass),
            ("#836", Flat),
            ("", Flat),
        ] {
            assert_eq!(ItemFamily::from_id(id), family, "{id}");
        }
    }
}
