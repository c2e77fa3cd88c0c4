//! Figures on four legs, and those of farms.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darker},
    bipeds::Dye,
    figure::{Creature, Joint},
};

pub(super) const EYES: Rgb = 0x1c1c22;

/// Body, head and legs of an animal; lengths in sixteenths of a block.
pub(super) struct Beast {
    /// How high, and how thick, legs are.
    pub(super) leg: [f32; 2],
    /// How far their middles are from the middle, and from it ahead and behind.
    pub(super) stance: [f32; 3],
    /// Width, height and length of the body, whose middle is at `body_z`.
    pub(super) body: [f32; 3],
    pub(super) body_z: f32,
    /// Width, height and depth of the head.
    pub(super) head: [f32; 3],
    /// How high its joint is, and how far ahead; and how far below it the head begins.
    pub(super) neck: [f32; 3],
    /// Width, height and length of the snout; 0 for none.
    pub(super) snout: [f32; 3],
}

/// The leg that begins a step with its right fore foot, or right hind foot.
fn leg(is_fore: bool) -> impl Fn(bool) -> Joint {
    move |is_right| Joint::Leg {
        swing: 1.0,
        phase: if is_right == is_fore { PI } else { 0.0 },
        is_right,
    }
}

impl Beast {
    /// In the colours of the head, the body and the legs, with more boxes on the head.
    pub(super) fn creature(&self, dye: Dye, on_head: &[([f32; 3], [f32; 3], Rgb)]) -> Creature {
        let [head_color, body_color, legs] = dye;
        let [height, thick] = self.leg;
        let [width, tall, long] = self.body;
        let [out, ahead, behind] = self.stance;
        let [wide, high, deep] = self.head;
        let [neck_y, neck_z, below] = self.neck;
        let back = self.body_z - long / 2.0;
        let (low, front) = (neck_y - below, -neck_z - deep);
        let mut boxes = vec![([-wide / 2.0, low, front], [wide, high, deep], head_color)];
        let eye = (wide / 8.0).max(0.7);
        for x in [-wide / 2.0 + 0.3, wide / 2.0 - 0.3 - 1.4 * eye] {
            boxes.push(([x, low + high * 0.58, front - 0.15], [1.4 * eye, eye, 0.5], EYES));
        }
        let [snout_wide, _, snout_long] = self.snout;
        if snout_long > 0.0 {
            let place = [-snout_wide / 2.0, low, front - snout_long];
            boxes.push((place, self.snout, darker(head_color, 0.15)));
        }
        boxes.extend_from_slice(on_head);
        let foot =
            |z: f32| [([out - thick / 2.0, 0.0, z - thick / 2.0], [thick, height, thick], legs)];
        Creature::new()
            .with(
                Joint::Body,
                [0.0, height, 0.0],
                &[([-width / 2.0, height, back], [width, tall, long], body_color)],
            )
            .with(Joint::Head, [0.0, neck_y, -neck_z], &boxes)
            .with_both(leg(true), [out, height, -ahead], &foot(-ahead))
            .with_both(leg(false), [out, height, behind], &foot(behind))
    }
}

/// With a tail: its upper end, its size and its colour.
pub(super) fn tailed(creature: Creature, top: [f32; 3], size: [f32; 3], color: Rgb) -> Creature {
    let [x, y, z] = top;
    let place = [x - size[0] / 2.0, y - size[1], z];
    creature.with(Joint::Fin { width: 0.12 }, top, &[(place, size, color)])
}

pub(super) fn cow(dye: Dye) -> Creature {
    const HORN: Rgb = 0xd8d2c4;
    let cow = Beast {
        leg: [12.0, 4.0],
        stance: [4.0, 6.0, 7.0],
        body: [12.0, 10.0, 18.0],
        body_z: 1.0,
        head: [8.0, 8.0, 6.0],
        neck: [20.0, 8.0, 4.0],
        snout: [6.0, 3.0, 1.0],
    };
    let cow = cow.creature(
        dye,
        &[
            ([-5.0, 22.0, -12.0], [1.0, 3.0, 1.0], HORN),
            ([4.0, 22.0, -12.0], [1.0, 3.0, 1.0], HORN),
        ],
    );
    let spots = Creature::new().with(
        Joint::Body,
        [0.0, 12.0, 0.0],
        &[
            ([-6.1, 15.0, -5.0], [12.2, 6.0, 5.0], 0xe4e0d8),
            ([-3.0, 11.0, 3.0], [6.0, 1.0, 5.0], 0xe0a8a0),
        ],
    );
    tailed(
        Creature { parts: [cow.parts, spots.parts].concat(), ..cow },
        [0.0, 21.0, 10.0],
        [1.0, 9.0, 1.0],
        dye[1],
    )
}

pub(super) fn pig(dye: Dye) -> Creature {
    let pig = Beast {
        leg: [6.0, 4.0],
        stance: [3.0, 5.0, 7.0],
        body: [10.0, 8.0, 16.0],
        body_z: 0.0,
        head: [8.0, 8.0, 8.0],
        neck: [12.0, 6.0, 4.0],
        snout: [4.0, 3.0, 1.0],
    };
    pig.creature(dye, &[])
}

pub(super) fn sheep(dye: Dye) -> Creature {
    let [_, wool, _] = dye;
    let sheep = Beast {
        leg: [12.0, 4.0],
        stance: [3.0, 5.0, 7.0],
        body: [11.5, 9.5, 19.5],
        body_z: 0.0,
        head: [6.0, 6.0, 8.0],
        neck: [18.0, 6.0, 2.0],
        snout: [0.0; 3],
    };
    sheep.creature(dye, &[([-3.6, 18.5, -12.0], [7.2, 4.2, 6.0], wool)])
}

pub(super) fn goat(dye: Dye) -> Creature {
    const HORN: Rgb = 0x8f8578;
    let goat = Beast {
        leg: [9.0, 3.0],
        stance: [3.0, 5.0, 6.0],
        body: [9.0, 11.0, 16.0],
        body_z: 1.0,
        head: [5.0, 7.0, 10.0],
        neck: [18.0, 5.0, 3.0],
        snout: [0.0; 3],
    };
    goat.creature(
        dye,
        &[
            ([-2.5, 21.0, -8.0], [2.0, 6.0, 2.0], HORN),
            ([0.5, 21.0, -8.0], [2.0, 6.0, 2.0], HORN),
            ([-0.5, 10.5, -13.0], [1.0, 5.0, 3.0], darker(dye[0], 0.2)),
        ],
    )
}

/// A dog: wolves and foxes, whose ears and tails differ.
fn hound(dye: Dye, ears: f32, tail: ([f32; 3], Rgb)) -> Creature {
    let hound = Beast {
        leg: [8.0, 2.0],
        stance: [1.8, 4.0, 6.0],
        body: [6.5, 6.0, 14.0],
        body_z: 1.0,
        head: [6.0, 6.0, 4.0],
        neck: [11.5, 6.0, 2.0],
        snout: [3.0, 3.0, 4.0],
    };
    let ear = |x: f32| ([x, 15.5, -8.0], [2.0, ears, 1.0], dye[0]);
    let creature = hound.creature(dye, &[ear(-3.0), ear(1.0)]);
    tailed(creature, [0.0, 13.0, 7.5], tail.0, tail.1)
}

pub(super) fn wolf(dye: Dye) -> Creature {
    hound(dye, 2.0, ([2.0, 8.0, 2.0], darker(dye[1], 0.1)))
}

pub(super) fn fox(dye: Dye) -> Creature {
    hound(dye, 3.0, ([4.0, 5.0, 9.0], 0xe8e0d6))
}

pub(super) fn cat(dye: Dye) -> Creature {
    let cat = Beast {
        leg: [6.0, 2.0],
        stance: [1.3, 5.0, 5.0],
        body: [4.0, 6.0, 16.0],
        body_z: 0.0,
        head: [5.0, 4.0, 5.0],
        neck: [11.0, 7.0, 1.0],
        snout: [3.0, 2.0, 1.0],
    };
    let ear = |x: f32| ([x, 14.0, -9.0], [1.0, 1.0, 2.0], darker(dye[0], 0.2));
    let creature = cat.creature(dye, &[ear(-2.0), ear(1.0)]);
    tailed(creature, [0.0, 12.0, 8.0], [1.0, 1.0, 8.0], dye[1])
}

/// With a mane: horses, donkeys and mules, whose ears differ.
fn equine(dye: Dye, mane: Rgb, ears: f32) -> Creature {
    let horse = Beast {
        leg: [11.0, 4.0],
        stance: [3.0, 8.0, 9.0],
        body: [10.0, 10.0, 22.0],
        body_z: 0.0,
        head: [6.0, 5.0, 7.0],
        neck: [20.0, 10.0, -7.0],
        snout: [4.0, 4.0, 5.0],
    };
    let ear = |x: f32| ([x, 32.0, -12.0], [2.0, ears, 1.0], dye[0]);
    let creature = horse.creature(
        dye,
        &[
            ([-2.0, 17.0, -14.0], [4.0, 13.0, 7.0], dye[0]),
            ([-1.0, 17.0, -7.0], [2.0, 16.0, 2.0], mane),
            ear(-2.8),
            ear(0.8),
        ],
    );
    tailed(creature, [0.0, 20.0, 11.0], [3.0, 13.0, 3.0], mane)
}

pub(super) fn horse(dye: Dye) -> Creature {
    equine(dye, darker(dye[1], 0.55), 3.0)
}

pub(super) fn donkey(dye: Dye) -> Creature {
    equine(dye, darker(dye[1], 0.4), 7.0)
}
