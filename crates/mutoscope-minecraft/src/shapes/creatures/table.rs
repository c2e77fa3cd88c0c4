//! The figure and the colours of each kind. The colours tell kinds apart; none is measured.

use super::{
    super::{blocks, colors::color_of, items, shape::Rgb},
    bipeds::{self, Dye},
    blocky,
    figure::{Creature, Joint},
    folk, projectiles, quadrupeds, small, swimmers, vehicles, wild,
};
use crate::{Size, is_boat, is_minecart, short, snbt};

/// A kind, its figure, and the colours of it.
type Row = (&'static str, fn(Dye) -> Creature, Dye);

/// Kinds without the namespace `minecraft:`, ascending: the figure, and the colours of the head, the
/// body and the limbs, or what the figure takes them for.
pub(super) const FIGURES: [Row; 127] = [
    ("allay", folk::sprite, [0x7fd4ea, 0x4fb3d9, 0xbfe9f5]),
    ("area_effect_cloud", blocky::cushion, [0xb98ad0, 0, 0]),
    ("armadillo", wild::armadillo, [0xc98f7d, 0xa8584a, 0xb5786a]),
    ("armor_stand", bipeds::armor_stand, [0xa8834f, 0, 0]),
    ("arrow", projectiles::arrow, [0x8a6a45, 0xb9bcc2, 0xf2f2f2]),
    ("axolotl", wild::axolotl, [0xf3b6d0, 0xefa5c6, 0xc24a7e]),
    ("bat", small::bat, [0x4a3a2e, 0x5a4636, 0x2f2620]),
    ("bee", small::bee, [0xf0c14b, 0x2e241c, 0xd8e6ee]),
    ("blaze", folk::blaze, [0xf2b63a, 0, 0xc8741e]),
    ("blue_egg", projectiles::thrown, [0x7fb8c9, 0xa8d4de, 0]),
    ("bogged", bipeds::skeleton, [0x8f9a7a, 0x7a8464, 0x8f9a7a]),
    ("breeze", blocky::breeze, [0xa9b8e8, 0x7f8fc9, 0x4a5aa0]),
    ("breeze_wind_charge", projectiles::thrown, [0xa9b8e8, 0xffffff, 0]),
    ("brown_egg", projectiles::thrown, [0xb98860, 0xd8b08a, 0]),
    ("camel", wild::camel, [0xd9a558, 0xcf9a4c, 0xc08c44]),
    ("camel_husk", wild::camel, [0xa08a5f, 0x8f7a52, 0x7f6c48]),
    ("cat", quadrupeds::cat, [0xd9923f, 0xd08636, 0xf0e2cc]),
    ("cave_spider", small::spider, [0x16464f, 0x123a42, 0x0f3038]),
    ("chicken", small::chicken, [0xf2f2f0, 0, 0xe8b03a]),
    ("cod", swimmers::cod, [0xb59a72, 0xa98c62, 0x8f744e]),
    ("copper_golem", folk::golem, [0xd98a5a, 0xcf7f50, 0xc07446]),
    ("cow", quadrupeds::cow, [0x4b3626, 0x4b3626, 0x3c2b1e]),
    ("creaking", bipeds::enderman, [0x7d7468, 0, 0xf58a2a]),
    ("creeper", bipeds::creeper, [0x5fb84c, 0, 0]),
    ("cushion", blocky::cushion, [0xb04a4a, 0, 0]),
    ("dolphin", swimmers::dolphin, [0x8fa6b8, 0x7d95a8, 0x6b8496]),
    ("donkey", quadrupeds::donkey, [0x8a7a6a, 0x8a7a6a, 0x6f6256]),
    ("dragon_fireball", projectiles::thrown, [0xb04fd8, 0xf2d6ff, 0]),
    ("drowned", bipeds::zombie, [0x6fae9a, 0x5f8f7a, 0x4f6f7a]),
    ("egg", projectiles::thrown, [0xe6d3a8, 0xf2e6c8, 0]),
    ("elder_guardian", swimmers::guardian, [0xb8b4a8, 0, 0x8a7a9a]),
    ("end_crystal", blocky::end_crystal, [0xe8d8f0, 0xc86fd8, 0x3a3440]),
    ("ender_dragon", small::dragon, [0x1f1b24, 0x1a171e, 0x3a3444]),
    ("ender_pearl", projectiles::thrown, [0x1f6a60, 0x6fd8c0, 0]),
    ("enderman", bipeds::enderman, [0x1b1b20, 0, 0xcf6fe8]),
    ("endermite", small::worm, [0x3a2c44, 0x4a3a56, 0x3a2c44]),
    ("evoker", folk::villager, [0x959c9c, 0x3a3540, 0xc9a23f]),
    ("evoker_fangs", blocky::fangs, [0xd8d2c4, 0, 0]),
    ("experience_bottle", projectiles::bottle, [0xd8f0d0, 0x9fe05a, 0xa8834f]),
    ("experience_orb", projectiles::thrown, [0xb6f03a, 0xf4ffb0, 0]),
    ("eye_of_ender", projectiles::thrown, [0x3f8a5a, 0xa8e8b0, 0]),
    ("fireball", projectiles::thrown, [0xf28a1e, 0xffe08a, 0]),
    ("firework_rocket", projectiles::rocket, [0xd83a3a, 0xe8e8e8, 0x8a6a45]),
    ("fishing_bobber", projectiles::thrown, [0xd8322c, 0xf2f2f2, 0]),
    ("fox", quadrupeds::fox, [0xe08a3a, 0xd97f30, 0x3a2a22]),
    ("frog", wild::frog, [0xd98a4f, 0xcf7a40, 0xc06c36]),
    ("ghast", blocky::ghast, [0xf2f2f2, 0, 0x5a5a60]),
    ("giant", bipeds::zombie, [0x5f9a4f, 0x2f8f9f, 0x3a3a8f]),
    ("glow_item_frame", blocky::frame, [0xa8834f, 0x7fd8c0, 0]),
    ("glow_squid", swimmers::squid, [0x3fa8a0, 0, 0x2f8a8a]),
    ("goat", quadrupeds::goat, [0xe6e2d8, 0xdcd6c8, 0xc8c0b0]),
    ("guardian", swimmers::guardian, [0x5f9a8f, 0, 0xe07a4a]),
    ("happy_ghast", blocky::ghast, [0xf5f0e6, 0, 0x4a4a50]),
    ("hoglin", wild::hog, [0xc97a5a, 0xb06a4c, 0x9a5a40]),
    ("horse", quadrupeds::horse, [0x8f5f38, 0x8f5f38, 0x6f4828]),
    ("husk", bipeds::zombie, [0xc2ae86, 0xa8926a, 0x8a7858]),
    ("illusioner", folk::illager, [0x959c9c, 0x3f5a9a, 0x2f3a5a]),
    ("iron_golem", folk::golem, [0xd8cfc4, 0xcfc6ba, 0xbdb4a8]),
    ("item_frame", blocky::frame, [0xa8834f, 0xd8c49a, 0]),
    ("leash_knot", blocky::knot, [0xa8834f, 0, 0]),
    ("lingering_potion", projectiles::bottle, [0xd8e0f0, 0x7a5fd0, 0xa8834f]),
    ("llama", wild::llama, [0xd8c8a0, 0xcfbe94, 0xc0b088]),
    ("llama_spit", projectiles::thrown, [0xe8f2e8, 0xffffff, 0]),
    ("magma_cube", blocky::slime, [0x4a1f16, 0, 0xf2a01e]),
    ("mannequin", bipeds::person, [0xd9a884, 0x2f8f83, 0x3a4468]),
    ("mooshroom", quadrupeds::cow, [0xa82a26, 0xa82a26, 0x8a221e]),
    ("mule", quadrupeds::donkey, [0x5a3c28, 0x5a3c28, 0x4a3020]),
    ("nautilus", swimmers::nautilus, [0xe8b894, 0xc9563f, 0xf0dcc8]),
    ("ocelot", quadrupeds::cat, [0xe8c45a, 0xe0b84a, 0xf0dc9a]),
    ("ominous_item_spawner", projectiles::thrown, [0x7a8a9a, 0xb8c8d8, 0]),
    ("painting", blocky::frame, [0x8a6236, 0x5f8aa8, 0]),
    ("panda", wild::panda, [0xf2f2ee, 0xf2f2ee, 0x26262a]),
    ("parched", bipeds::skeleton, [0xcbb894, 0xb8a580, 0xcbb894]),
    ("parrot", small::parrot, [0xd8302a, 0xd8302a, 0x2f6ad8]),
    ("phantom", small::phantom, [0x4a5fa8, 0, 0x7fe83a]),
    ("pig", quadrupeds::pig, [0xf0a5a2, 0xf0a5a2, 0xe89894]),
    ("piglin", bipeds::piglin, [0xe8a878, 0x6a4a36, 0x4a3a30]),
    ("piglin_brute", bipeds::piglin, [0xe8a878, 0x2b2b30, 0x3a302a]),
    ("pillager", folk::illager, [0x959c9c, 0x4f3a2e, 0x3a3f4a]),
    ("player", bipeds::person, [0xd9a884, 0x2f8f83, 0x3a4468]),
    ("polar_bear", wild::bear, [0xf2f2f0, 0xecece8, 0xe2e2de]),
    ("potion", projectiles::bottle, [0xd8e0f0, 0x4f7ad8, 0xa8834f]),
    ("pufferfish", swimmers::pufferfish, [0xf2e08a, 0xe8b83a, 0xd89a2a]),
    ("rabbit", wild::rabbit, [0xb08a62, 0xa88058, 0x98724c]),
    ("ravager", wild::ravager, [0x6f6a66, 0x645f5c, 0x54504e]),
    ("salmon", swimmers::salmon, [0x6f8a4f, 0xc94a3f, 0x8f3a34]),
    ("sheep", quadrupeds::sheep, [0xe0c4ae, 0xf2f2ee, 0xe0c4ae]),
    ("shulker", blocky::shulker, [0x976797, 0xe8e0a8, 0]),
    ("shulker_bullet", projectiles::thrown, [0xe8e4d0, 0xffffff, 0]),
    ("silverfish", small::worm, [0x8a8f94, 0x7a7f84, 0x6a6f74]),
    ("skeleton", bipeds::skeleton, [0xd8d8d4, 0xc6c6c2, 0xd8d8d4]),
    ("skeleton_horse", quadrupeds::horse, [0xd8d8d0, 0xc8c8c0, 0xb8b8b0]),
    ("slime", blocky::slime, [0x6fc05a, 0, 0x1f3a1a]),
    ("small_fireball", projectiles::thrown, [0xf28a1e, 0xffe08a, 0]),
    ("sniffer", wild::sniffer, [0x4f8a6a, 0xa83a34, 0x8a302c]),
    ("snow_golem", folk::snow_golem, [0xf5f8fa, 0xd8862f, 0x6a4a30]),
    ("snowball", projectiles::thrown, [0xf2f8ff, 0xffffff, 0]),
    ("spectral_arrow", projectiles::arrow, [0xf2d03a, 0xfff2a0, 0xf2e8b0]),
    ("spider", small::spider, [0x3a3230, 0x332b29, 0x2b2422]),
    ("splash_potion", projectiles::bottle, [0xd8e0f0, 0xd84f7a, 0xa8834f]),
    ("squid", swimmers::squid, [0x3a5568, 0, 0x2f4656]),
    ("stray", bipeds::skeleton, [0xb8c8cc, 0x8fa8ae, 0xb8c8cc]),
    ("strider", wild::strider, [0xa8322e, 0, 0x7a2a28]),
    ("sulfur_cube", blocky::slime, [0xe8dc5a, 0, 0x7a6a1a]),
    ("tadpole", swimmers::tadpole, [0x5a4634, 0, 0x4a3a2a]),
    ("tnt", blocky::tnt, [0xd83a2a, 0xf2f2f2, 0]),
    ("trader_llama", wild::llama, [0xc8d8e8, 0x4a7fb8, 0xc0b088]),
    ("trident", projectiles::trident, [0x4a8a80, 0x6fc0b0, 0]),
    ("tropical_fish", swimmers::tropical_fish, [0xf28a2a, 0xf2f2f2, 0xf28a2a]),
    ("turtle", wild::turtle, [0x5fa05a, 0x3f7a4a, 0x5fa05a]),
    ("vex", folk::sprite, [0xb8c8d8, 0x9aacbe, 0xd8e4ee]),
    ("villager", folk::villager, [0xc9957a, 0x7a5a3e, 0x5a3f2a]),
    ("vindicator", folk::illager, [0x959c9c, 0x4a5254, 0x3a3a40]),
    ("wandering_trader", folk::villager, [0xc9957a, 0x3a5aa0, 0xc9a23f]),
    ("warden", folk::golem, [0x10404a, 0x0c3038, 0x0a2a30]),
    ("wind_charge", projectiles::thrown, [0xc8d8f0, 0xffffff, 0]),
    ("witch", folk::witch, [0xb09a86, 0x5a3a6a, 0x3f7a3a]),
    ("wither", blocky::wither, [0x2a2624, 0, 0xe8e8f0]),
    ("wither_skeleton", bipeds::skeleton, [0x2f2f32, 0x26262a, 0x2f2f32]),
    ("wither_skull", projectiles::thrown, [0x2a2624, 0x5a5450, 0]),
    ("wolf", quadrupeds::wolf, [0xd8d4d0, 0xd0ccc8, 0xc4c0bc]),
    ("zoglin", wild::hog, [0xd8a08a, 0x8fa06a, 0xc08a78]),
    ("zombie", bipeds::zombie, [0x5f9a4f, 0x2f8f9f, 0x3a3a8f]),
    ("zombie_horse", quadrupeds::horse, [0x5a8a5a, 0x4f7a4f, 0x3f6a3f]),
    ("zombie_nautilus", swimmers::nautilus, [0x8fa88a, 0x7a8a6a, 0xb8c0a8]),
    ("zombie_villager", bipeds::zombie, [0x6f9a5a, 0x6a5038, 0x4f3c2c]),
    ("zombified_piglin", bipeds::piglin, [0xe8a098, 0x8f9a4f, 0x6a5a4a]),
];

/// These have the size of the game's models: their hitboxes are much higher or lower.
pub(super) const AS_MODELLED: [&str; 7] =
    ["arrow", "ender_dragon", "phantom", "spectral_arrow", "tadpole", "trident", "witch"];

/// The figure of an entity of a kind, of which `nbt` says what is special, as SNBT; nothing if the
/// kind is unknown or has no size.
pub fn creature_of(kind: &str, nbt: &str, size: Size) -> Option<Creature> {
    let name = short(kind);
    if !(size.height > 0.0 && size.height.is_finite()) {
        return None;
    }
    match name {
        "item" => return item(nbt),
        "falling_block" => return Some(falling_block(nbt)),
        _ if is_boat(kind) => return Some(boat(name)),
        _ if is_minecart(kind) => return Some(vehicles::minecart(load(name))),
        _ => {}
    }
    let index = FIGURES.binary_search_by_key(&name, |figure| figure.0).ok()?;
    let (_, build, dye) = FIGURES[index];
    let creature = build(dyed(name, nbt, dye));
    if AS_MODELLED.contains(&name) {
        let growth = (size.height / Size::of_kind(kind).height) as f32;
        return Some(Creature { scale: creature.scale * growth, ..creature });
    }
    Some(creature.of_height(size.height))
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
    let name = short(kind);
    let is_drawn = matches!(name, "item" | "falling_block") || is_boat(kind) || is_minecart(kind);
    let is_listed = || FIGURES.binary_search_by_key(&name, |figure| figure.0).is_ok();
    is_drawn || is_listed() || Size::of_kind(kind).height == 0.0
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
