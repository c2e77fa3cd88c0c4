//! Kinds of entities and their sizes.

use super::{
    shapes::{Kind, Nature},
    short,
    snbt::top_level,
};

/// How large something is, in blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Along x and z.
    pub width: f64,
    /// Along y.
    pub height: f64,
}

/// Unknown kinds have the size of a player.
const UNKNOWN: Size = Size { width: 0.6, height: 1.8 };

impl Size {
    /// How large a grown entity of this kind is.
    pub fn of_kind(kind: &str) -> Self {
        match Kind::of(kind) {
            Some(&Kind { size: [width, height], .. }) => Self { width, height },
            None if is_boat(kind) => Self { width: 1.375, height: 0.5625 },
            None if is_minecart(kind) => Self { width: 0.98, height: 0.7 },
            None => UNKNOWN,
        }
    }

    /// How large an entity of this kind is of which `nbt` says what is special, as SNBT.
    pub fn of_entity(kind: &str, nbt: &str) -> Self {
        let size = Self::of_kind(kind).times(growth(short(kind), nbt));
        if is_living(kind) && is_young(nbt) { size.young(short(kind)) } else { size }
    }

    /// The same of a young one of this kind, without its namespace.
    pub fn young(self, name: &str) -> Self {
        self.times(match name {
            "turtle" => 0.3,
            "camel" => 0.45,
            "armadillo" => 0.6,
            "happy_ghast" => 0.2375,
            _ => 0.5,
        })
    }

    fn times(self, by: f64) -> Self {
        Self { width: self.width * by, height: self.height * by }
    }
}

/// How much larger than its kind an entity is.
fn growth(name: &str, nbt: &str) -> f64 {
    /// The game grows nothing larger.
    const LARGEST: f64 = 127.0;
    match name {
        "slime" | "magma_cube" | "sulfur_cube" => {
            number(nbt, "Size").unwrap_or(0.0).clamp(0.0, LARGEST - 1.0) + 1.0
        }
        "phantom" => {
            let size = number(nbt, "size").or_else(|| number(nbt, "Size")).unwrap_or(0.0);
            1.0 + 0.15 * size.clamp(0.0, 64.0)
        }
        "pufferfish" => match number(nbt, "PuffState") {
            Some(0.0) => 0.5,
            Some(1.0) => 0.7,
            _ => 1.0,
        },
        "armor_stand" if is_set(nbt, "Small") => 0.5,
        _ => 1.0,
    }
}

/// Whether its data declare it young, as animals, villagers or zombies can be.
pub(super) fn is_young(nbt: &str) -> bool {
    is_set(nbt, "IsBaby") || number(nbt, "Age").is_some_and(|age| age < 0.0)
}

fn is_set(nbt: &str, key: &str) -> bool {
    top_level(nbt, key).is_some_and(|value| matches!(value, "1b" | "1" | "true"))
}

/// A number at the top level, with or without the letter of its type.
fn number(nbt: &str, key: &str) -> Option<f64> {
    let value = top_level(nbt, key)?;
    let digits = value.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether it is a boat or a raft, of any wood.
pub fn is_boat(kind: &str) -> bool {
    let name = short(kind);
    name.ends_with("boat") || name.ends_with("raft")
}

/// Whether it is a minecart of any sort.
pub fn is_minecart(kind: &str) -> bool {
    short(kind).ends_with("minecart")
}

/// Whether it flies after it was thrown or shot, and turns as such: its yaw is not that of players.
pub fn is_projectile(kind: &str) -> bool {
    nature(kind) == Nature::Projectile
}

/// Whether it is living. Kinds of mods are assumed to be.
pub fn is_living(kind: &str) -> bool {
    nature(kind) == Nature::Living
}

/// How entities of this kind go about.
pub(super) fn nature(kind: &str) -> Nature {
    match Kind::of(kind) {
        Some(kind) => kind.nature,
        None if is_boat(kind) || is_minecart(kind) || matches!(short(kind), "unknown" | "") => {
            Nature::Lifeless
        }
        None => Nature::Living,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: f64, height: f64) -> Size {
        Size { width, height }
    }

    #[test]
    fn boats_of_every_wood_are_recognised() {
        for kind in ["minecraft:boat", "minecraft:oak_chest_boat", "bamboo_raft"] {
            assert_eq!(Size::of_kind(kind), size(1.375, 0.5625), "{kind}");
        }
        assert_eq!(Size::of_kind("minecraft:cow"), size(0.9, 1.4));
        assert_eq!(Size::of_kind("somemod:cow"), UNKNOWN);
    }

    #[test]
    fn young_entities_are_smaller() {
        let cases = [
            ("minecraft:cow", "{Age:-24000}", size(0.45, 0.7)),
            ("minecraft:cow", "{Age:10}", size(0.9, 1.4)),
            ("minecraft:zombie", "{IsBaby:1b}", size(0.3, 0.975)),
            ("minecraft:item", "{Age:-32768s}", size(0.25, 0.25)),
            ("minecraft:turtle", "{Age:-1}", size(1.2 * 0.3, 0.4 * 0.3)),
            ("minecraft:slime", "{Size:3}", size(0.52 * 4.0, 0.52 * 4.0)),
            ("minecraft:slime", "{}", size(0.52, 0.52)),
            ("minecraft:slime", "{Size:999999999}", size(0.52 * 127.0, 0.52 * 127.0)),
            ("minecraft:armor_stand", "{Small:1b}", size(0.25, 0.9875)),
            ("minecraft:pufferfish", "{PuffState:0}", size(0.35, 0.35)),
            ("minecraft:cow", "{Passengers:[{Age:-1}]}", size(0.9, 1.4)),
        ];
        for (kind, nbt, expected) in cases {
            let found = Size::of_entity(kind, nbt);
            let off = (found.width - expected.width).abs() + (found.height - expected.height).abs();
            assert!(off < 1e-12, "{kind}{nbt}: {found:?}");
        }
    }

    #[test]
    fn living_and_lifeless_kinds_are_distinguished() {
        for kind in ["minecraft:cow", "minecraft:armor_stand", "somemod:beast", "player"] {
            assert!(is_living(kind), "{kind}");
        }
        for kind in ["minecraft:arrow", "oak_boat", "tnt_minecart", "minecraft:item", ""] {
            assert!(!is_living(kind), "{kind}");
        }
        assert!(is_projectile("minecraft:wind_charge") && !is_projectile("minecraft:eye_of_ender"));
    }
}
