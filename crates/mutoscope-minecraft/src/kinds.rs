//! Classifies kinds of entities and computes their sizes.

use super::{
    shapes::{Kind, Nature},
    short_name,
    snbt::top_level_value,
};

/// The size of an entity, in blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The extent along x and z.
    pub width: f64,
    /// The extent along y.
    pub height: f64,
}

const UNKNOWN_KIND_SIZE: Size = Size { width: 0.6, height: 1.8 };

impl Size {
    /// Returns the size of an adult entity of this kind. Unknown kinds have the size of a player.
    pub fn for_kind(kind: &str) -> Self {
        match Kind::find(kind) {
            Some(&Kind { size: [width, height], .. }) => Self { width, height },
            None if is_boat(kind) => Self { width: 1.375, height: 0.5625 },
            None if is_minecart(kind) => Self { width: 0.98, height: 0.7 },
            None => UNKNOWN_KIND_SIZE,
        }
    }

    /// Returns the size of an entity of this kind with the given SNBT data.
    pub fn for_entity(kind: &str, nbt: &str) -> Self {
        let size = Self::for_kind(kind).scaled_by(size_factor(short_name(kind), nbt));
        if is_living(kind) && is_young(nbt) {
            size.scaled_for_young(short_name(kind))
        } else {
            size
        }
    }

    /// Returns the size of a young entity, given the size of an adult. `name` is the kind without
    /// its namespace.
    pub fn scaled_for_young(self, name: &str) -> Self {
        self.scaled_by(match name {
            "turtle" => 0.3,
            "camel" => 0.45,
            "armadillo" => 0.6,
            "happy_ghast" => 0.2375,
            _ => 0.5,
        })
    }

    fn scaled_by(self, factor: f64) -> Self {
        Self { width: self.width * factor, height: self.height * factor }
    }
}

fn size_factor(name: &str, nbt: &str) -> f64 {
    /// The maximum factor by which the game scales a slime.
    const MAX_SLIME_FACTOR: f64 = 127.0;
    match name {
        "slime" | "magma_cube" | "sulfur_cube" => {
            parse_number(nbt, "Size").unwrap_or(0.0).clamp(0.0, MAX_SLIME_FACTOR - 1.0) + 1.0
        }
        "phantom" => {
            let size =
                parse_number(nbt, "size").or_else(|| parse_number(nbt, "Size")).unwrap_or(0.0);
            1.0 + 0.15 * size.clamp(0.0, 64.0)
        }
        "pufferfish" => match parse_number(nbt, "PuffState") {
            Some(0.0) => 0.5,
            Some(1.0) => 0.7,
            _ => 1.0,
        },
        "armor_stand" if is_set(nbt, "Small") => 0.5,
        _ => 1.0,
    }
}

/// Returns `true` if the SNBT data mark the entity as young.
pub(super) fn is_young(nbt: &str) -> bool {
    is_set(nbt, "IsBaby") || parse_number(nbt, "Age").is_some_and(|age| age < 0.0)
}

fn is_set(nbt: &str, key: &str) -> bool {
    top_level_value(nbt, key).is_some_and(|value| matches!(value, "1b" | "1" | "true"))
}

fn parse_number(nbt: &str, key: &str) -> Option<f64> {
    let value = top_level_value(nbt, key)?;
    let digits = value.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns `true` if the kind is a boat or a raft of any wood.
pub fn is_boat(kind: &str) -> bool {
    let name = short_name(kind);
    name.ends_with("boat") || name.ends_with("raft")
}

/// Returns `true` if the kind is a minecart of any sort.
pub fn is_minecart(kind: &str) -> bool {
    short_name(kind).ends_with("minecart")
}

/// Returns `true` if entities of this kind are thrown or shot. The yaw of these entities has the
/// opposite sign of that of a player.
pub fn is_projectile(kind: &str) -> bool {
    nature(kind) == Nature::Projectile
}

/// Returns `true` if the kind is living. Unknown kinds, such as the kinds of mods, are assumed to
/// be living.
pub fn is_living(kind: &str) -> bool {
    nature(kind) == Nature::Living
}

pub(super) fn nature(kind: &str) -> Nature {
    match Kind::find(kind) {
        Some(kind) => kind.nature,
        None if is_boat(kind)
            || is_minecart(kind)
            || matches!(short_name(kind), "unknown" | "") =>
        {
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
            assert_eq!(Size::for_kind(kind), size(1.375, 0.5625), "{kind}");
        }
        assert_eq!(Size::for_kind("minecraft:cow"), size(0.9, 1.4));
        assert_eq!(Size::for_kind("somemod:cow"), UNKNOWN_KIND_SIZE);
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
            let found = Size::for_entity(kind, nbt);
            let difference =
                (found.width - expected.width).abs() + (found.height - expected.height).abs();
            assert!(difference < 1e-12, "{kind}{nbt}: {found:?}");
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
