//! Opens doors and throws levers by clicks. Recordings contain the clicks, but not their effects.

use std::borrow::Cow;

use super::state::ParsedBlock;

/// Returns a block after `clicks` right-clicks. Each click toggles a door, a trapdoor, a fence gate
/// or a lever. Clicks do not change iron doors and iron trapdoors, because only redstone opens
/// these. The function `clicks` is called only if clicks can change the block.
pub fn block_after_clicks(block: &str, clicks: impl FnOnce() -> usize) -> Cow<'_, str> {
    let state = ParsedBlock::new(block);
    let name = state.name;
    let opens = ["door", "trapdoor", "fence_gate"].iter().any(|end| name.ends_with(end));
    let property = match name {
        "lever" => "powered",
        _ if opens && !name.starts_with("iron") => "open",
        _ => return Cow::Borrowed(block),
    };
    if state.get(property).is_none() || clicks().is_multiple_of(2) {
        return Cow::Borrowed(block);
    }
    let (from, to) = if state.is_true(property) { ("true", "false") } else { ("false", "true") };
    Cow::Owned(block.replace(&format!("{property}={from}"), &format!("{property}={to}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_and_levers_change_with_every_click() {
        for (block, clicks, expected) in [
            (
                "minecraft:oak_door[half=lower,open=false]",
                1,
                "minecraft:oak_door[half=lower,open=true]",
            ),
            (
                "minecraft:oak_door[half=lower,open=true]",
                3,
                "minecraft:oak_door[half=lower,open=false]",
            ),
            (
                "minecraft:oak_door[half=lower,open=true]",
                2,
                "minecraft:oak_door[half=lower,open=true]",
            ),
            (
                "minecraft:lever[face=floor,powered=false]",
                1,
                "minecraft:lever[face=floor,powered=true]",
            ),
            ("minecraft:iron_door[open=false]", 1, "minecraft:iron_door[open=false]"),
            ("minecraft:stone", 1, "minecraft:stone"),
            ("minecraft:oak_door", 1, "minecraft:oak_door"),
        ] {
            assert_eq!(block_after_clicks(block, || clicks), expected, "{block} {clicks}");
        }
    }
}
