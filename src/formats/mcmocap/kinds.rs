//! How large entities are.

use super::short;

/// How large something is, in blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Along x and z.
    pub width: f64,
    /// Along y.
    pub height: f64,
}

/// Sizes by kind, without the namespace `minecraft:`, as the game has them for grown ones.
const SIZES: [(&str, f64, f64); 84] = [
    ("allay", 0.35, 0.6),
    ("area_effect_cloud", 6.0, 0.5),
    ("armadillo", 0.7, 0.65),
    ("armor_stand", 0.5, 1.975),
    ("arrow", 0.5, 0.5),
    ("axolotl", 0.75, 0.42),
    ("bat", 0.5, 0.9),
    ("bee", 0.7, 0.6),
    ("blaze", 0.6, 1.8),
    ("breeze", 0.6, 1.77),
    ("camel", 1.7, 2.375),
    ("cat", 0.6, 0.7),
    ("cave_spider", 0.7, 0.5),
    ("chicken", 0.4, 0.7),
    ("cod", 0.5, 0.3),
    ("cow", 0.9, 1.4),
    ("creeper", 0.6, 1.7),
    ("dolphin", 0.9, 0.6),
    ("donkey", 1.396_484_4, 1.5),
    ("egg", 0.25, 0.25),
    ("end_crystal", 2.0, 2.0),
    ("ender_dragon", 16.0, 8.0),
    ("ender_pearl", 0.25, 0.25),
    ("enderman", 0.6, 2.9),
    ("experience_bottle", 0.25, 0.25),
    ("experience_orb", 0.5, 0.5),
    ("falling_block", 0.98, 0.98),
    ("fireball", 1.0, 1.0),
    ("firework_rocket", 0.25, 0.25),
    ("fishing_bobber", 0.25, 0.25),
    ("fox", 0.6, 0.7),
    ("frog", 0.5, 0.5),
    ("ghast", 4.0, 4.0),
    ("giant", 3.6, 12.0),
    ("goat", 0.9, 1.3),
    ("guardian", 0.85, 0.85),
    ("happy_ghast", 4.0, 4.0),
    ("hoglin", 1.396_484_4, 1.4),
    ("horse", 1.396_484_4, 1.6),
    ("iron_golem", 1.4, 2.7),
    ("item", 0.25, 0.25),
    ("llama", 0.9, 1.87),
    ("llama_spit", 0.25, 0.25),
    ("magma_cube", 2.04, 2.04),
    ("mooshroom", 0.9, 1.4),
    ("mule", 1.396_484_4, 1.6),
    ("ocelot", 0.6, 0.7),
    ("panda", 1.3, 1.25),
    ("parrot", 0.5, 0.9),
    ("phantom", 0.9, 0.5),
    ("pig", 0.9, 0.9),
    ("polar_bear", 1.4, 1.4),
    ("potion", 0.25, 0.25),
    ("pufferfish", 0.7, 0.7),
    ("rabbit", 0.4, 0.5),
    ("ravager", 1.95, 2.2),
    ("salmon", 0.7, 0.4),
    ("sheep", 0.9, 1.3),
    ("shulker", 1.0, 1.0),
    ("silverfish", 0.4, 0.3),
    ("skeleton_horse", 1.396_484_4, 1.6),
    ("slime", 2.04, 2.04),
    ("small_fireball", 0.3125, 0.3125),
    ("sniffer", 1.9, 1.75),
    ("snow_golem", 0.7, 1.9),
    ("snowball", 0.25, 0.25),
    ("spectral_arrow", 0.5, 0.5),
    ("spider", 1.4, 0.9),
    ("squid", 0.8, 0.8),
    ("strider", 0.9, 1.7),
    ("tnt", 0.98, 0.98),
    ("trader_llama", 0.9, 1.87),
    ("trident", 0.5, 0.5),
    ("tropical_fish", 0.5, 0.4),
    ("turtle", 1.2, 0.4),
    ("vex", 0.4, 0.8),
    ("villager", 0.6, 1.95),
    ("warden", 0.9, 2.9),
    ("wither", 0.9, 3.5),
    ("wither_skeleton", 0.7, 2.4),
    ("wolf", 0.6, 0.85),
    ("zoglin", 1.396_484_4, 1.4),
    ("zombie", 0.6, 1.95),
    ("zombie_horse", 1.396_484_4, 1.6),
];

/// What is unknown is as large as a player.
const UNKNOWN: Size = Size { width: 0.6, height: 1.8 };

impl Size {
    /// How large an entity of this kind is.
    pub fn of_kind(kind: &str) -> Self {
        let name = short(kind);
        let known = SIZES.iter().find(|size| size.0 == name);
        match known {
            Some(&(_, width, height)) => Self { width, height },
            None if name.ends_with("boat") || name.ends_with("raft") => {
                Self { width: 1.375, height: 0.5625 }
            }
            None if name.ends_with("minecart") => Self { width: 0.98, height: 0.7 },
            None => UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boats_of_every_wood_are_boats() {
        let boat = Size { width: 1.375, height: 0.5625 };
        for kind in ["minecraft:boat", "minecraft:oak_chest_boat", "bamboo_raft"] {
            assert_eq!(Size::of_kind(kind), boat, "{kind}");
        }
        assert_eq!(Size::of_kind("minecraft:cow"), Size { width: 0.9, height: 1.4 });
        assert_eq!(Size::of_kind("somemod:cow"), UNKNOWN);
    }

    #[test]
    fn kinds_are_listed_once() {
        assert!(SIZES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
