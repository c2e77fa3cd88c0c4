//! The filter of a recording's entities that a scene plays.

use crate::{
    kinds::{is_boat, is_living, is_minecart, is_projectile},
    short,
};

/// A filter of the entities of a recording that a scene plays: `@mobs;-minecraft:cow`.
///
/// The last of its elements that matches an entity counts; an entity that none matches is not
/// played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityFilter(Vec<Element>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    excludes: bool,
    whom: Whom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Whom {
    Everything,
    /// Of the game or of a mod.
    Namespace(String),
    Kind(String),
    /// With a custom tag.
    Tag(String),
    Group(Group),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Vehicles,
    Projectiles,
    Items,
    Mobs,
    Minecarts,
}

/// Entities that can be steered, apart from boats.
const STEERED: [&str; 14] = [
    "camel",
    "camel_husk",
    "donkey",
    "horse",
    "llama",
    "minecart",
    "mule",
    "nautilus",
    "pig",
    "skeleton_horse",
    "strider",
    "trader_llama",
    "zombie_horse",
    "zombie_nautilus",
];

/// Living entities that are no mobs.
const NO_MOBS: [&str; 3] = ["armor_stand", "mannequin", "player"];

impl EntityFilter {
    /// Reads a filter; nothing if the mod would not, which plays no entities then.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        // The empty group says nothing.
        let parts = text.split(';').filter(|part| !matches!(*part, "@none" | "-@none"));
        parts.map(Element::parse).collect::<Option<_>>().map(Self)
    }

    /// Whether an entity of this `kind`, with these `tags`, is played.
    pub fn plays(&self, kind: &str, tags: &[String]) -> bool {
        let speaks_of = |element: &&Element| element.whom.is(kind, tags);
        self.0.iter().rev().find(speaks_of).is_some_and(|element| !element.excludes)
    }
}

impl Element {
    fn parse(text: &str) -> Option<Self> {
        let excluded = text.strip_prefix('-');
        let name = excluded.unwrap_or(text);
        let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        let whom = if let Some(group) = name.strip_prefix('@') {
            Whom::Group(Group::parse(group)?)
        } else if let Some(tag) = name.strip_prefix('$') {
            Whom::Tag(tag.to_owned())
        } else if name == "*" {
            Whom::Everything
        } else if let Some(namespace) = name.strip_suffix(":*") {
            Whom::Namespace(Some(namespace).filter(|name| is_word(name))?.to_owned())
        } else {
            Whom::Kind(Some(name).filter(|name| is_word(name))?.to_owned())
        };
        Some(Self { excludes: excluded.is_some(), whom })
    }
}

impl Whom {
    fn is(&self, kind: &str, tags: &[String]) -> bool {
        match self {
            Self::Everything => true,
            Self::Namespace(namespace) => split(kind).0 == namespace,
            Self::Kind(name) => split(kind) == split(name),
            Self::Tag(tag) => tags.contains(tag),
            Self::Group(group) => group.has(kind),
        }
    }
}

/// The namespace and the rest: the game's own if none is named.
fn split(id: &str) -> (&str, &str) {
    id.split_once(':').unwrap_or(("minecraft", id))
}

impl Group {
    fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "vehicles" => Some(Self::Vehicles),
            "projectiles" => Some(Self::Projectiles),
            "items" => Some(Self::Items),
            "mobs" => Some(Self::Mobs),
            "minecarts" => Some(Self::Minecarts),
            _ => None,
        }
    }

    /// Whether an entity of this kind is one of it. What mods bring is taken for mobs.
    fn has(self, kind: &str) -> bool {
        let name = short(kind);
        match self {
            Self::Vehicles => is_boat(kind) || STEERED.contains(&name),
            Self::Projectiles => is_projectile(kind),
            Self::Items => name == "item",
            Self::Mobs => is_living(kind) && !NO_MOBS.contains(&name),
            Self::Minecarts => is_minecart(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_matching_filter_element_wins() {
        let kinds = ["cow", "minecraft:oak_boat", "chest_minecart", "arrow", "item", "mod:beast"];
        let played = |text: &str| -> Vec<&str> {
            let filter = EntityFilter::parse(text).unwrap();
            kinds.into_iter().filter(|kind| filter.plays(kind, &[])).collect()
        };
        assert_eq!(played(""), [""; 0]);
        assert_eq!(played("*"), kinds);
        assert_eq!(played("@mobs"), ["cow", "mod:beast"]);
        assert_eq!(played("@mobs;-minecraft:cow"), ["mod:beast"]);
        assert_eq!(played("-cow;@mobs"), ["cow", "mod:beast"]);
        assert_eq!(played("*;-@mobs;-@Items;@none"), kinds[1..4]);
        assert_eq!(played("@vehicles;@minecarts;@projectiles"), kinds[1..4]);
        assert_eq!(played("mod:*;minecraft:item"), kinds[4..]);
    }

    #[test]
    fn filters_match_entity_tags() {
        let filter = EntityFilter::parse("$extra").unwrap();
        let tags = ["extra".to_owned()];
        assert!(filter.plays("cow", &tags) && !filter.plays("cow", &[]));
    }

    #[test]
    fn invalid_filters_are_rejected() {
        for text in [";", "cow;;pig", "-", "@", "@birds", ":*", "a cow", "-@"] {
            assert_eq!(EntityFilter::parse(text), None, "{text:?}");
        }
    }
}
