//! The kinds of entities, with their sizes and figures.

use super::{
    bipeds::{self, Palette},
    blocky,
    figure::Creature,
    folk, projectiles, quadrupeds, small, swimmers, wild,
};
use crate::short_name;
use Look::{FallingBlock, Item, ModelSize, Nothing, ScaledToHeight};
use Nature::{Lifeless, Living, Projectile};

pub(crate) struct Kind {
    /// The name without the namespace `minecraft:`.
    pub(super) name: &'static str,
    /// The width and height of an adult in Minecraft 26, in blocks. If a kind has several sizes,
    /// such as `slime`, this is the smallest one.
    pub(crate) size: [f64; 2],
    pub(crate) nature: Nature,
    pub(super) look: Look,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    Living,
    /// An entity that flies after it was thrown or shot.
    Projectile,
    Lifeless,
}

/// The figure of a kind, with the colours of the head, the body and the limbs. Some figures use the
/// colours for other parts. The colours only distinguish the kinds and are not those of the game.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// A figure that is scaled to the height of the kind.
    ScaledToHeight(fn(Palette) -> Creature, Palette),
    /// A figure of the size of the game's model, because the hitbox has a very different height.
    ModelSize(fn(Palette) -> Creature, Palette),
    /// The item that the entity's data name.
    Item,
    /// The block that the entity's data name.
    FallingBlock,
    /// No figure, because the entity is invisible in the game.
    Nothing,
}

impl Kind {
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        let found = KINDS.binary_search_by_key(&short_name(name), |kind| kind.name).ok()?;
        Some(&KINDS[found])
    }
}

const fn kind(name: &'static str, width: f64, height: f64, nature: Nature, look: Look) -> Kind {
    Kind { name, size: [width, height], nature, look }
}

/// All kinds except boats and minecarts, sorted by name for the binary search.
#[rustfmt::skip]
pub(super) static KINDS: [Kind; 135] = [
    kind("allay", 0.35, 0.6, Living, ScaledToHeight(folk::sprite, [0x7fd4ea, 0x4fb3d9, 0xbfe9f5])),
    kind("area_effect_cloud", 6.0, 0.5, Lifeless, ScaledToHeight(blocky::cushion, [0xb98ad0, 0, 0])),
    kind("armadillo", 0.7, 0.65, Living, ScaledToHeight(wild::armadillo, [0xc98f7d, 0xa8584a, 0xb5786a])),
    kind("armor_stand", 0.5, 1.975, Living, ScaledToHeight(bipeds::armor_stand, [0xa8834f, 0, 0])),
    kind("arrow", 0.5, 0.5, Projectile, ModelSize(projectiles::arrow, [0x8a6a45, 0xb9bcc2, 0xf2f2f2])),
    kind("axolotl", 0.75, 0.42, Living, ScaledToHeight(wild::axolotl, [0xf3b6d0, 0xefa5c6, 0xc24a7e])),
    kind("bat", 0.5, 0.9, Living, ScaledToHeight(small::bat, [0x4a3a2e, 0x5a4636, 0x2f2620])),
    kind("bee", 0.55, 0.5, Living, ScaledToHeight(small::bee, [0xf0c14b, 0x2e241c, 0xd8e6ee])),
    kind("blaze", 0.6, 1.8, Living, ScaledToHeight(folk::blaze, [0xf2b63a, 0, 0xc8741e])),
    kind("block_display", 0.0, 0.0, Lifeless, Nothing),
    kind("blue_egg", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0x7fb8c9, 0xa8d4de, 0])),
    kind("bogged", 0.6, 1.99, Living, ScaledToHeight(bipeds::skeleton, [0x8f9a7a, 0x7a8464, 0x8f9a7a])),
    kind("breeze", 0.6, 1.77, Living, ScaledToHeight(blocky::breeze, [0xa9b8e8, 0x7f8fc9, 0x4a5aa0])),
    kind("breeze_wind_charge", 0.3125, 0.3125, Projectile, ScaledToHeight(projectiles::thrown, [0xa9b8e8, 0xffffff, 0])),
    kind("brown_egg", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0xb98860, 0xd8b08a, 0])),
    kind("camel", 1.7, 2.375, Living, ScaledToHeight(wild::camel, [0xd9a558, 0xcf9a4c, 0xc08c44])),
    kind("camel_husk", 1.7, 2.375, Living, ScaledToHeight(wild::camel, [0xa08a5f, 0x8f7a52, 0x7f6c48])),
    kind("cat", 0.6, 0.7, Living, ScaledToHeight(quadrupeds::cat, [0xd9923f, 0xd08636, 0xf0e2cc])),
    kind("cave_spider", 0.7, 0.5, Living, ScaledToHeight(small::spider, [0x16464f, 0x123a42, 0x0f3038])),
    kind("chicken", 0.4, 0.7, Living, ScaledToHeight(small::chicken, [0xf2f2f0, 0, 0xe8b03a])),
    kind("cod", 0.5, 0.3, Living, ScaledToHeight(swimmers::cod, [0xb59a72, 0xa98c62, 0x8f744e])),
    kind("copper_golem", 0.49, 0.98, Living, ScaledToHeight(folk::golem, [0xd98a5a, 0xcf7f50, 0xc07446])),
    kind("cow", 0.9, 1.4, Living, ScaledToHeight(quadrupeds::cow, [0x4b3626, 0x4b3626, 0x3c2b1e])),
    kind("creaking", 0.9, 2.7, Living, ScaledToHeight(bipeds::enderman, [0x7d7468, 0, 0xf58a2a])),
    kind("creeper", 0.6, 1.7, Living, ScaledToHeight(bipeds::creeper, [0x5fb84c, 0, 0])),
    kind("cushion", 1.0, 0.25, Lifeless, ScaledToHeight(blocky::cushion, [0xb04a4a, 0, 0])),
    kind("dolphin", 0.9, 0.6, Living, ScaledToHeight(swimmers::dolphin, [0x8fa6b8, 0x7d95a8, 0x6b8496])),
    kind("donkey", 1.396_484_4, 1.5, Living, ScaledToHeight(quadrupeds::donkey, [0x8a7a6a, 0x8a7a6a, 0x6f6256])),
    kind("dragon_fireball", 1.0, 1.0, Projectile, ScaledToHeight(projectiles::thrown, [0xb04fd8, 0xf2d6ff, 0])),
    kind("drowned", 0.6, 1.95, Living, ScaledToHeight(bipeds::zombie, [0x6fae9a, 0x5f8f7a, 0x4f6f7a])),
    kind("egg", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0xe6d3a8, 0xf2e6c8, 0])),
    kind("elder_guardian", 1.9975, 1.9975, Living, ScaledToHeight(swimmers::guardian, [0xb8b4a8, 0, 0x8a7a9a])),
    kind("end_crystal", 2.0, 2.0, Lifeless, ScaledToHeight(blocky::end_crystal, [0xe8d8f0, 0xc86fd8, 0x3a3440])),
    kind("ender_dragon", 16.0, 8.0, Living, ModelSize(small::dragon, [0x1f1b24, 0x1a171e, 0x3a3444])),
    kind("ender_pearl", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0x1f6a60, 0x6fd8c0, 0])),
    kind("enderman", 0.6, 2.9, Living, ScaledToHeight(bipeds::enderman, [0x1b1b20, 0, 0xcf6fe8])),
    kind("endermite", 0.4, 0.3, Living, ScaledToHeight(small::worm, [0x3a2c44, 0x4a3a56, 0x3a2c44])),
    kind("evoker", 0.6, 1.95, Living, ScaledToHeight(folk::villager, [0x959c9c, 0x3a3540, 0xc9a23f])),
    kind("evoker_fangs", 0.5, 0.8, Lifeless, ScaledToHeight(blocky::fangs, [0xd8d2c4, 0, 0])),
    kind("experience_bottle", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::bottle, [0xd8f0d0, 0x9fe05a, 0xa8834f])),
    kind("experience_orb", 0.5, 0.5, Lifeless, ScaledToHeight(projectiles::thrown, [0xb6f03a, 0xf4ffb0, 0])),
    kind("eye_of_ender", 0.25, 0.25, Lifeless, ScaledToHeight(projectiles::thrown, [0x3f8a5a, 0xa8e8b0, 0])),
    kind("falling_block", 0.98, 0.98, Lifeless, FallingBlock),
    kind("fireball", 1.0, 1.0, Projectile, ScaledToHeight(projectiles::thrown, [0xf28a1e, 0xffe08a, 0])),
    kind("firework_rocket", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::rocket, [0xd83a3a, 0xe8e8e8, 0x8a6a45])),
    kind("fishing_bobber", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0xd8322c, 0xf2f2f2, 0])),
    kind("fox", 0.6, 0.7, Living, ScaledToHeight(quadrupeds::fox, [0xe08a3a, 0xd97f30, 0x3a2a22])),
    kind("frog", 0.5, 0.5, Living, ScaledToHeight(wild::frog, [0xd98a4f, 0xcf7a40, 0xc06c36])),
    kind("ghast", 4.0, 4.0, Living, ScaledToHeight(blocky::ghast, [0xf2f2f2, 0, 0x5a5a60])),
    kind("giant", 3.6, 12.0, Living, ScaledToHeight(bipeds::zombie, [0x5f9a4f, 0x2f8f9f, 0x3a3a8f])),
    kind("glow_item_frame", 0.5, 0.5, Lifeless, ScaledToHeight(blocky::frame, [0xa8834f, 0x7fd8c0, 0])),
    kind("glow_squid", 0.8, 0.8, Living, ScaledToHeight(swimmers::squid, [0x3fa8a0, 0, 0x2f8a8a])),
    kind("goat", 0.9, 1.3, Living, ScaledToHeight(quadrupeds::goat, [0xe6e2d8, 0xdcd6c8, 0xc8c0b0])),
    kind("guardian", 0.85, 0.85, Living, ScaledToHeight(swimmers::guardian, [0x5f9a8f, 0, 0xe07a4a])),
    kind("happy_ghast", 4.0, 4.0, Living, ScaledToHeight(blocky::ghast, [0xf5f0e6, 0, 0x4a4a50])),
    kind("hoglin", 1.396_484_4, 1.4, Living, ScaledToHeight(wild::hog, [0xc97a5a, 0xb06a4c, 0x9a5a40])),
    kind("horse", 1.396_484_4, 1.6, Living, ScaledToHeight(quadrupeds::horse, [0x8f5f38, 0x8f5f38, 0x6f4828])),
    kind("husk", 0.6, 1.95, Living, ScaledToHeight(bipeds::zombie, [0xc2ae86, 0xa8926a, 0x8a7858])),
    kind("illusioner", 0.6, 1.95, Living, ScaledToHeight(folk::illager, [0x959c9c, 0x3f5a9a, 0x2f3a5a])),
    kind("interaction", 0.0, 0.0, Lifeless, Nothing),
    kind("iron_golem", 1.4, 2.7, Living, ScaledToHeight(folk::golem, [0xd8cfc4, 0xcfc6ba, 0xbdb4a8])),
    kind("item", 0.25, 0.25, Lifeless, Item),
    kind("item_display", 0.0, 0.0, Lifeless, Nothing),
    kind("item_frame", 0.5, 0.5, Lifeless, ScaledToHeight(blocky::frame, [0xa8834f, 0xd8c49a, 0])),
    kind("leash_knot", 0.375, 0.5, Lifeless, ScaledToHeight(blocky::knot, [0xa8834f, 0, 0])),
    kind("lightning_bolt", 0.0, 0.0, Lifeless, Nothing),
    kind("lingering_potion", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::bottle, [0xd8e0f0, 0x7a5fd0, 0xa8834f])),
    kind("llama", 0.9, 1.87, Living, ScaledToHeight(wild::llama, [0xd8c8a0, 0xcfbe94, 0xc0b088])),
    kind("llama_spit", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0xe8f2e8, 0xffffff, 0])),
    kind("magma_cube", 0.52, 0.52, Living, ScaledToHeight(blocky::slime, [0x4a1f16, 0, 0xf2a01e])),
    kind("mannequin", 0.6, 1.8, Living, ScaledToHeight(bipeds::person, [0xd9a884, 0x2f8f83, 0x3a4468])),
    kind("marker", 0.0, 0.0, Lifeless, Nothing),
    kind("mooshroom", 0.9, 1.4, Living, ScaledToHeight(quadrupeds::cow, [0xa82a26, 0xa82a26, 0x8a221e])),
    kind("mule", 1.396_484_4, 1.6, Living, ScaledToHeight(quadrupeds::donkey, [0x5a3c28, 0x5a3c28, 0x4a3020])),
    kind("nautilus", 0.875, 0.95, Living, ScaledToHeight(swimmers::nautilus, [0xe8b894, 0xc9563f, 0xf0dcc8])),
    kind("ocelot", 0.6, 0.7, Living, ScaledToHeight(quadrupeds::cat, [0xe8c45a, 0xe0b84a, 0xf0dc9a])),
    kind("ominous_item_spawner", 0.25, 0.25, Lifeless, ScaledToHeight(projectiles::thrown, [0x7a8a9a, 0xb8c8d8, 0])),
    kind("painting", 0.5, 0.5, Lifeless, ScaledToHeight(blocky::frame, [0x8a6236, 0x5f8aa8, 0])),
    kind("panda", 1.3, 1.25, Living, ScaledToHeight(wild::panda, [0xf2f2ee, 0xf2f2ee, 0x26262a])),
    kind("parched", 0.6, 1.99, Living, ScaledToHeight(bipeds::skeleton, [0xcbb894, 0xb8a580, 0xcbb894])),
    kind("parrot", 0.5, 0.9, Living, ScaledToHeight(small::parrot, [0xd8302a, 0xd8302a, 0x2f6ad8])),
    kind("phantom", 0.9, 0.5, Living, ModelSize(small::phantom, [0x4a5fa8, 0, 0x7fe83a])),
    kind("pig", 0.9, 0.9, Living, ScaledToHeight(quadrupeds::pig, [0xf0a5a2, 0xf0a5a2, 0xe89894])),
    kind("piglin", 0.6, 1.95, Living, ScaledToHeight(bipeds::piglin, [0xe8a878, 0x6a4a36, 0x4a3a30])),
    kind("piglin_brute", 0.6, 1.95, Living, ScaledToHeight(bipeds::piglin, [0xe8a878, 0x2b2b30, 0x3a302a])),
    kind("pillager", 0.6, 1.95, Living, ScaledToHeight(folk::illager, [0x959c9c, 0x4f3a2e, 0x3a3f4a])),
    kind("player", 0.6, 1.8, Living, ScaledToHeight(bipeds::person, [0xd9a884, 0x2f8f83, 0x3a4468])),
    kind("polar_bear", 1.4, 1.4, Living, ScaledToHeight(wild::bear, [0xf2f2f0, 0xecece8, 0xe2e2de])),
    kind("potion", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::bottle, [0xd8e0f0, 0x4f7ad8, 0xa8834f])),
    kind("pufferfish", 0.7, 0.7, Living, ScaledToHeight(swimmers::pufferfish, [0xf2e08a, 0xe8b83a, 0xd89a2a])),
    kind("rabbit", 0.49, 0.6, Living, ScaledToHeight(wild::rabbit, [0xb08a62, 0xa88058, 0x98724c])),
    kind("ravager", 1.95, 2.2, Living, ScaledToHeight(wild::ravager, [0x6f6a66, 0x645f5c, 0x54504e])),
    kind("salmon", 0.7, 0.4, Living, ScaledToHeight(swimmers::salmon, [0x6f8a4f, 0xc94a3f, 0x8f3a34])),
    kind("sheep", 0.9, 1.3, Living, ScaledToHeight(quadrupeds::sheep, [0xe0c4ae, 0xf2f2ee, 0xe0c4ae])),
    kind("shulker", 1.0, 1.0, Living, ScaledToHeight(blocky::shulker, [0x976797, 0xe8e0a8, 0])),
    kind("shulker_bullet", 0.3125, 0.3125, Projectile, ScaledToHeight(projectiles::thrown, [0xe8e4d0, 0xffffff, 0])),
    kind("silverfish", 0.4, 0.3, Living, ScaledToHeight(small::worm, [0x8a8f94, 0x7a7f84, 0x6a6f74])),
    kind("skeleton", 0.6, 1.99, Living, ScaledToHeight(bipeds::skeleton, [0xd8d8d4, 0xc6c6c2, 0xd8d8d4])),
    kind("skeleton_horse", 1.396_484_4, 1.6, Living, ScaledToHeight(quadrupeds::horse, [0xd8d8d0, 0xc8c8c0, 0xb8b8b0])),
    kind("slime", 0.52, 0.52, Living, ScaledToHeight(blocky::slime, [0x6fc05a, 0, 0x1f3a1a])),
    kind("small_fireball", 0.3125, 0.3125, Projectile, ScaledToHeight(projectiles::thrown, [0xf28a1e, 0xffe08a, 0])),
    kind("sniffer", 1.9, 1.75, Living, ScaledToHeight(wild::sniffer, [0x4f8a6a, 0xa83a34, 0x8a302c])),
    kind("snow_golem", 0.7, 1.9, Living, ScaledToHeight(folk::snow_golem, [0xf5f8fa, 0xd8862f, 0x6a4a30])),
    kind("snowball", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::thrown, [0xf2f8ff, 0xffffff, 0])),
    kind("spectral_arrow", 0.5, 0.5, Projectile, ModelSize(projectiles::arrow, [0xf2d03a, 0xfff2a0, 0xf2e8b0])),
    kind("spider", 1.4, 0.9, Living, ScaledToHeight(small::spider, [0x3a3230, 0x332b29, 0x2b2422])),
    kind("splash_potion", 0.25, 0.25, Projectile, ScaledToHeight(projectiles::bottle, [0xd8e0f0, 0xd84f7a, 0xa8834f])),
    kind("squid", 0.8, 0.8, Living, ScaledToHeight(swimmers::squid, [0x3a5568, 0, 0x2f4656])),
    kind("stray", 0.6, 1.99, Living, ScaledToHeight(bipeds::skeleton, [0xb8c8cc, 0x8fa8ae, 0xb8c8cc])),
    kind("strider", 0.9, 1.7, Living, ScaledToHeight(wild::strider, [0xa8322e, 0, 0x7a2a28])),
    kind("sulfur_cube", 0.49, 0.49, Living, ScaledToHeight(blocky::slime, [0xe8dc5a, 0, 0x7a6a1a])),
    kind("tadpole", 0.4, 0.3, Living, ModelSize(swimmers::tadpole, [0x5a4634, 0, 0x4a3a2a])),
    kind("text_display", 0.0, 0.0, Lifeless, Nothing),
    kind("tnt", 0.98, 0.98, Lifeless, ScaledToHeight(blocky::tnt, [0xd83a2a, 0xf2f2f2, 0])),
    kind("trader_llama", 0.9, 1.87, Living, ScaledToHeight(wild::llama, [0xc8d8e8, 0x4a7fb8, 0xc0b088])),
    kind("trident", 0.5, 0.5, Projectile, ModelSize(projectiles::trident, [0x4a8a80, 0x6fc0b0, 0])),
    kind("tropical_fish", 0.5, 0.4, Living, ScaledToHeight(swimmers::tropical_fish, [0xf28a2a, 0xf2f2f2, 0xf28a2a])),
    kind("turtle", 1.2, 0.4, Living, ScaledToHeight(wild::turtle, [0x5fa05a, 0x3f7a4a, 0x5fa05a])),
    kind("vex", 0.4, 0.8, Living, ScaledToHeight(folk::sprite, [0xb8c8d8, 0x9aacbe, 0xd8e4ee])),
    kind("villager", 0.6, 1.95, Living, ScaledToHeight(folk::villager, [0xc9957a, 0x7a5a3e, 0x5a3f2a])),
    kind("vindicator", 0.6, 1.95, Living, ScaledToHeight(folk::illager, [0x959c9c, 0x4a5254, 0x3a3a40])),
    kind("wandering_trader", 0.6, 1.95, Living, ScaledToHeight(folk::villager, [0xc9957a, 0x3a5aa0, 0xc9a23f])),
    kind("warden", 0.9, 2.9, Living, ScaledToHeight(folk::golem, [0x10404a, 0x0c3038, 0x0a2a30])),
    kind("wind_charge", 0.3125, 0.3125, Projectile, ScaledToHeight(projectiles::thrown, [0xc8d8f0, 0xffffff, 0])),
    kind("witch", 0.6, 1.95, Living, ModelSize(folk::witch, [0xb09a86, 0x5a3a6a, 0x3f7a3a])),
    kind("wither", 0.9, 3.5, Living, ScaledToHeight(blocky::wither, [0x2a2624, 0, 0xe8e8f0])),
    kind("wither_skeleton", 0.7, 2.4, Living, ScaledToHeight(bipeds::skeleton, [0x2f2f32, 0x26262a, 0x2f2f32])),
    kind("wither_skull", 0.3125, 0.3125, Projectile, ScaledToHeight(projectiles::thrown, [0x2a2624, 0x5a5450, 0])),
    kind("wolf", 0.6, 0.85, Living, ScaledToHeight(quadrupeds::wolf, [0xd8d4d0, 0xd0ccc8, 0xc4c0bc])),
    kind("zoglin", 1.396_484_4, 1.4, Living, ScaledToHeight(wild::hog, [0xd8a08a, 0x8fa06a, 0xc08a78])),
    kind("zombie", 0.6, 1.95, Living, ScaledToHeight(bipeds::zombie, [0x5f9a4f, 0x2f8f9f, 0x3a3a8f])),
    kind("zombie_horse", 1.396_484_4, 1.6, Living, ScaledToHeight(quadrupeds::horse, [0x5a8a5a, 0x4f7a4f, 0x3f6a3f])),
    kind("zombie_nautilus", 0.875, 0.95, Living, ScaledToHeight(swimmers::nautilus, [0x8fa88a, 0x7a8a6a, 0xb8c0a8])),
    kind("zombie_villager", 0.6, 1.95, Living, ScaledToHeight(bipeds::zombie, [0x6f9a5a, 0x6a5038, 0x4f3c2c])),
    kind("zombified_piglin", 0.6, 1.95, Living, ScaledToHeight(bipeds::piglin, [0xe8a098, 0x8f9a4f, 0x6a5a4a])),
];
