//! Rotates and mirrors the properties of a block.

use std::borrow::Cow;

/// The sides in clockwise order, seen from above.
const SIDES: [&str; 4] = ["north", "east", "south", "west"];

/// The rotation and mirroring of a block. The rotation is applied first: quarter turns, clockwise
/// seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BlockRotation {
    pub(super) quarter_turns: usize,
    /// Swaps east and west. The game calls this FRONT_BACK.
    pub(super) mirrors_x: bool,
    /// Swaps north and south. The game calls this LEFT_RIGHT.
    pub(super) mirrors_z: bool,
}

impl BlockRotation {
    pub(super) fn apply<'a>(&self, block: &'a str) -> Cow<'a, str> {
        let stated = block.strip_suffix(']').and_then(|block| block.split_once('['));
        let Some((id, properties)) = stated.filter(|_| *self != Self::default()) else {
            return Cow::Borrowed(block);
        };
        let mut turned: Vec<_> =
            properties.split(',').map(|property| self.transform_property(property)).collect();
        // Sort the properties by name, because the game does so.
        turned.sort_unstable();
        Cow::Owned(format!("{id}[{}]", turned.join(",")))
    }

    fn transform_property(&self, property: &str) -> String {
        let Some((name, value)) = property.split_once('=') else { return property.to_owned() };
        let value = match name {
            "facing" | "shape" | "orientation" => Cow::Owned(self.transform_words(value)),
            "axis" if self.quarter_turns % 2 == 1 => Cow::Borrowed(match value {
                "x" => "z",
                "z" => "x",
                other => other,
            }),
            "rotation" => value.parse().map_or(Cow::Borrowed(value), |sixteenths: i32| {
                Cow::Owned(self.transform_sixteenths(sixteenths).to_string())
            }),
            // Transform these properties without regard to the neighbours, although the game
            // adjusts doors and double chests to their neighbours.
            "hinge" | "type" => Cow::Owned(self.transform_words(value)),
            _ => Cow::Borrowed(value),
        };
        format!("{}={value}", self.transform_side(name).unwrap_or(name))
    }

    fn transform_words(&self, value: &str) -> String {
        let swaps = self.mirrors_x != self.mirrors_z;
        let word = |word| match word {
            "left" if swaps => "right",
            "right" if swaps => "left",
            side => self.transform_side(side).unwrap_or(side),
        };
        let words: Vec<_> = value.split('_').map(word).collect();
        order_like_rails(words).join("_")
    }

    fn transform_side(&self, side: &str) -> Option<&'static str> {
        let index = SIDES.iter().position(|known| *known == side)? + self.quarter_turns;
        let side = SIDES[index % SIDES.len()];
        Some(match side {
            "east" if self.mirrors_x => "west",
            "west" if self.mirrors_x => "east",
            "north" if self.mirrors_z => "south",
            "south" if self.mirrors_z => "north",
            side => side,
        })
    }

    /// Transforms the `rotation` of signs, heads and banners, in sixteenths of a turn.
    fn transform_sixteenths(&self, mut value: i32) -> i32 {
        value = value.rem_euclid(16) + 4 * self.quarter_turns as i32;
        if self.mirrors_x {
            value = -value;
        }
        if self.mirrors_z {
            value = 8 - value;
        }
        value.rem_euclid(16)
    }
}

/// Orders the sides as the shapes of rails do: north and south come before east and west. Straight
/// rails are called `north_south` and `east_west`.
fn order_like_rails(words: Vec<&str>) -> Vec<&str> {
    match words[..] {
        ["south", "north"] | ["west", "east"] => words.into_iter().rev().collect(),
        [first @ ("east" | "west"), second @ ("north" | "south")] => vec![second, first],
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(quarters: usize, mirrors_x: bool, mirrors_z: bool) -> BlockRotation {
        BlockRotation { quarter_turns: quarters, mirrors_x, mirrors_z }
    }

    #[test]
    fn block_sides_rotate_clockwise_and_mirror() {
        let cases = [
            (
                "stairs[facing=north,shape=inner_left]",
                turn(1, false, false),
                "facing=east,shape=inner_left",
            ),
            (
                "stairs[facing=west,shape=straight]",
                turn(2, false, false),
                "facing=east,shape=straight",
            ),
            (
                "stairs[facing=east,shape=outer_left]",
                turn(0, true, false),
                "facing=west,shape=outer_right",
            ),
            (
                "stairs[facing=east,shape=outer_left]",
                turn(0, true, true),
                "facing=west,shape=outer_left",
            ),
            ("door[facing=north,hinge=left]", turn(0, false, true), "facing=south,hinge=right"),
            ("door[facing=north,hinge=left]", turn(3, false, false), "facing=west,hinge=left"),
            ("chest[facing=north,type=left]", turn(0, true, false), "facing=north,type=right"),
            ("slab[type=top]", turn(1, true, false), "type=top"),
            (
                "fence[east=true,north=false,south=false,west=false]",
                turn(1, false, false),
                "east=false,north=false,south=true,west=false",
            ),
            (
                "wall[east=low,north=none,south=tall,up=true,west=none]",
                turn(0, false, true),
                "east=low,north=tall,south=none,up=true,west=none",
            ),
            ("log[axis=x]", turn(1, false, false), "axis=z"),
            ("log[axis=x]", turn(2, true, false), "axis=x"),
            ("log[axis=y]", turn(1, false, false), "axis=y"),
            ("sign[rotation=15]", turn(1, false, false), "rotation=3"),
            ("sign[rotation=3]", turn(0, true, false), "rotation=13"),
            ("sign[rotation=3]", turn(0, false, true), "rotation=5"),
            ("rail[shape=ascending_east]", turn(0, true, false), "shape=ascending_west"),
            ("rail[shape=south_east]", turn(1, false, false), "shape=south_west"),
            ("rail[shape=north_south]", turn(1, false, false), "shape=east_west"),
            ("rail[shape=east_west]", turn(3, false, false), "shape=north_south"),
            (
                "lever[face=wall,facing=up,powered=true]",
                turn(1, false, false),
                "face=wall,facing=up,powered=true",
            ),
        ];
        for (block, turn, expected) in cases {
            let id = block.split('[').next().unwrap();
            assert_eq!(turn.apply(block), format!("{id}[{expected}]"), "{turn:?}");
        }
        for plain in ["minecraft:stone", "#836", "x[", "", "x[y]"] {
            assert_eq!(turn(1, true, false).apply(plain), plain);
        }
    }

    #[test]
    fn four_quarter_turns_and_two_mirrors_are_identity() {
        for block in
            ["rail[shape=north_west]", "sign[rotation=7]", "door[facing=south,hinge=right]"]
        {
            let again = (0..4).fold(block.to_owned(), |block, _| {
                turn(1, false, false).apply(&block).into_owned()
            });
            assert_eq!(again, block);
            for mirror in [turn(0, true, false), turn(0, false, true)] {
                assert_eq!(mirror.apply(&mirror.apply(block)), block);
            }
        }
    }
}
