//! The filter that selects which entities of a recording a scene plays.

use crate::{
    kinds::{is_boat, is_living, is_minecart, is_projectile},
    short_name,
};

/// A filter of the entities of a recording, such as `@mobs;-minecraft:cow`.
///
/// The last filter element that matches an entity decides whether the entity is played. An entity
/// that no filter element matches is not played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityFilter(Vec<FilterElement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct FilterElement {
    excludes: bool,
    matcher: EntityMatcher,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum EntityMatcher {
    Everything,
    /// All kinds with this namespace: `minecraft` or that of a mod.
    Namespace(String),
    Kind(String),
    /// All entities with a custom tag.
    Tag(String),
    Group(Group),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
enum Group {
    Vehicles,
    Projectiles,
    Items,
    Mobs,
    Minecarts,
}

const STEERABLE: [&str; 14] = [
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

const NON_MOBS: [&str; 3] = ["armor_stand", "mannequin", "player"];

impl EntityFilter {
    /// Parses a filter. Returns `None` if the filter is invalid. In this case the mod plays no
    /// entities.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        // Skip the group `none`, because it matches no entity.
        let parts = text.split(';').filter(|part| !matches!(*part, "@none" | "-@none"));
        parts.map(FilterElement::parse).collect::<Option<_>>().map(Self)
    }

    /// Returns `true` if the filter plays an entity of this kind with these tags.
    pub fn plays(&self, kind: &str, tags: &[String]) -> bool {
        let matches_entity = |element: &&FilterElement| element.matcher.matches(kind, tags);
        self.0.iter().rev().find(matches_entity).is_some_and(|element| !element.excludes)
    }
}

impl FilterElement {
    fn parse(text: &str) -> Option<Self> {
        let excluded = text.strip_prefix('-');
        let name = excluded.unwrap_or(text);
        let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        let whom = if let Some(group) = name.strip_prefix('@') {
            EntityMatcher::Group(group.parse().ok()?)
        } else if let Some(tag) = name.strip_prefix('$') {
            EntityMatcher::Tag(tag.to_owned())
        } else if name == "*" {
            EntityMatcher::Everything
        } else if let Some(namespace) = name.strip_suffix(":*") {
            EntityMatcher::Namespace(Some(namespace).filter(|name| is_word(name))?.to_owned())
        } else {
            EntityMatcher::Kind(Some(name).filter(|name| is_word(name))?.to_owned())
        };
        Some(Self { excludes: excluded.is_some(), matcher: whom })
    }
}

impl EntityMatcher {
    fn matches(&self, kind: &str, tags: &[String]) -> bool {
        match self {
            Self::Everything => true,
            Self::Namespace(namespace) => split_id(kind).0 == namespace,
            Self::Kind(name) => split_id(kind) == split_id(name),
            Self::Tag(tag) => tags.contains(tag),
            Self::Group(group) => group.contains(kind),
        }
    }
}

fn split_id(id: &str) -> (&str, &str) {
    id.split_once(':').unwrap_or(("minecraft", id))
}

impl Group {
    /// Returns `true` if entities of this kind are in the group. Entities of mods are regarded as
    /// mobs.
    fn contains(self, kind: &str) -> bool {
        let name = short_name(kind);
        match self {
            Self::Vehicles => is_boat(kind) || STEERABLE.contains(&name),
            Self::Projectiles => is_projectile(kind),
            Self::Items => name == "item",
            Self::Mobs => is_living(kind) && !NON_MOBS.contains(&name),
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
