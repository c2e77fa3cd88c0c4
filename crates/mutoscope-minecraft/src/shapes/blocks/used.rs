//! Doors and levers after they were clicked: recordings have the click, and the game does the rest.

use std::borrow::Cow;

use super::state::State;

/// A block after it was clicked so often with the right button: doors, trapdoors, gates and levers
/// change with each. Those of iron open by redstone alone.
pub fn toggled(block: &str, clicks: impl FnOnce() -> usize) -> Cow<'_, str> {
    let state = State::new(block);
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
    let (from, to) = if state.is(property) { ("true", "false") } else { ("false", "true") };
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
            assert_eq!(toggled(block, || clicks), expected, "{block} {clicks}");
        }
    }
}
