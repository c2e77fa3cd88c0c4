//! Four-legged figures: farm animals, pets and horses.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darken},
    bipeds::Palette,
    figure::{Creature, Joint},
};

pub(super) const EYES: Rgb = 0x1c1c22;

/// The proportions of a four-legged figure. Lengths are in sixteenths of a block.
pub(super) struct Quadruped {
    pub(super) leg: [f32; 2],
    /// The distances from the centre of the body to the legs: sideways, forwards to the fore legs,
    /// and backwards to the hind legs.
    pub(super) stance: [f32; 3],
    /// The width, height and length of the body. Its centre is at `body_z`.
    pub(super) body: [f32; 3],
    pub(super) body_z: f32,
    pub(super) head: [f32; 3],
    /// The height of the head's joint, its distance in front of the centre, and the distance from
    /// the joint down to the bottom of the head.
    pub(super) neck: [f32; 3],
    pub(super) snout: [f32; 3],
}

/// Returns the joints of the fore or hind legs. The right fore leg and the left hind leg swing in
/// phase.
fn leg_joint(is_fore: bool) -> impl Fn(bool) -> Joint {
    move |is_right| Joint::Leg {
        swing: 1.0,
        phase: if is_right == is_fore { PI } else { 0.0 },
        is_right,
    }
}

impl Quadruped {
    pub(super) fn build(
        &self,
        palette: Palette,
        on_head: &[([f32; 3], [f32; 3], Rgb)],
    ) -> Creature {
        let [head_color, body_color, legs] = palette;
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
            let corner = [-snout_wide / 2.0, low, front - snout_long];
            boxes.push((corner, self.snout, darken(head_color, 0.15)));
        }
        boxes.extend_from_slice(on_head);
        let foot =
            |z: f32| [([out - thick / 2.0, 0.0, z - thick / 2.0], [thick, height, thick], legs)];
        Creature::new()
            .with_part(
                Joint::Body,
                [0.0, height, 0.0],
                &[([-width / 2.0, height, back], [width, tall, long], body_color)],
            )
            .with_part(Joint::Head, [0.0, neck_y, -neck_z], &boxes)
            .with_mirrored_parts(leg_joint(true), [out, height, -ahead], &foot(-ahead))
            .with_mirrored_parts(leg_joint(false), [out, height, behind], &foot(behind))
    }
}

pub(super) fn add_tail(creature: Creature, top: [f32; 3], size: [f32; 3], color: Rgb) -> Creature {
    let [x, y, z] = top;
    let corner = [x - size[0] / 2.0, y - size[1], z];
    creature.with_part(Joint::Fin { width: 0.12 }, top, &[(corner, size, color)])
}

pub(super) fn cow(palette: Palette) -> Creature {
    const HORN: Rgb = 0xd8d2c4;
    let cow = Quadruped {
        leg: [12.0, 4.0],
        stance: [4.0, 6.0, 7.0],
        body: [12.0, 10.0, 18.0],
        body_z: 1.0,
        head: [8.0, 8.0, 6.0],
        neck: [20.0, 8.0, 4.0],
        snout: [6.0, 3.0, 1.0],
    };
    let cow = cow.build(
        palette,
        &[
            ([-5.0, 22.0, -12.0], [1.0, 3.0, 1.0], HORN),
            ([4.0, 22.0, -12.0], [1.0, 3.0, 1.0], HORN),
        ],
    );
    let spots = Creature::new().with_part(
        Joint::Body,
        [0.0, 12.0, 0.0],
        &[
            ([-6.1, 15.0, -5.0], [12.2, 6.0, 5.0], 0xe4e0d8),
            ([-3.0, 11.0, 3.0], [6.0, 1.0, 5.0], 0xe0a8a0),
        ],
    );
    add_tail(
        Creature { parts: [cow.parts, spots.parts].concat(), ..cow },
        [0.0, 21.0, 10.0],
        [1.0, 9.0, 1.0],
        palette[1],
    )
}

pub(super) fn pig(palette: Palette) -> Creature {
    let pig = Quadruped {
        leg: [6.0, 4.0],
        stance: [3.0, 5.0, 7.0],
        body: [10.0, 8.0, 16.0],
        body_z: 0.0,
        head: [8.0, 8.0, 8.0],
        neck: [12.0, 6.0, 4.0],
        snout: [4.0, 3.0, 1.0],
    };
    pig.build(palette, &[])
}

pub(super) fn sheep(palette: Palette) -> Creature {
    let [_, wool, _] = palette;
    let sheep = Quadruped {
        leg: [12.0, 4.0],
        stance: [3.0, 5.0, 7.0],
        body: [11.5, 9.5, 19.5],
        body_z: 0.0,
        head: [6.0, 6.0, 8.0],
        neck: [18.0, 6.0, 2.0],
        snout: [0.0; 3],
    };
    sheep.build(palette, &[([-3.6, 18.5, -12.0], [7.2, 4.2, 6.0], wool)])
}

pub(super) fn goat(palette: Palette) -> Creature {
    const HORN: Rgb = 0x8f8578;
    let goat = Quadruped {
        leg: [9.0, 3.0],
        stance: [3.0, 5.0, 6.0],
        body: [9.0, 11.0, 16.0],
        body_z: 1.0,
        head: [5.0, 7.0, 10.0],
        neck: [18.0, 5.0, 3.0],
        snout: [0.0; 3],
    };
    goat.build(
        palette,
        &[
            ([-2.5, 21.0, -8.0], [2.0, 6.0, 2.0], HORN),
            ([0.5, 21.0, -8.0], [2.0, 6.0, 2.0], HORN),
            ([-0.5, 10.5, -13.0], [1.0, 5.0, 3.0], darken(palette[0], 0.2)),
        ],
    )
}

fn build_canine(palette: Palette, ears: f32, tail_size: [f32; 3], tail_color: Rgb) -> Creature {
    let hound = Quadruped {
        leg: [8.0, 2.0],
        stance: [1.8, 4.0, 6.0],
        body: [6.5, 6.0, 14.0],
        body_z: 1.0,
        head: [6.0, 6.0, 4.0],
        neck: [11.5, 6.0, 2.0],
        snout: [3.0, 3.0, 4.0],
    };
    let ear = |x: f32| ([x, 15.5, -8.0], [2.0, ears, 1.0], palette[0]);
    let creature = hound.build(palette, &[ear(-3.0), ear(1.0)]);
    add_tail(creature, [0.0, 13.0, 7.5], tail_size, tail_color)
}

pub(super) fn wolf(palette: Palette) -> Creature {
    build_canine(palette, 2.0, [2.0, 8.0, 2.0], darken(palette[1], 0.1))
}

pub(super) fn fox(palette: Palette) -> Creature {
    build_canine(palette, 3.0, [4.0, 5.0, 9.0], 0xe8e0d6)
}

pub(super) fn cat(palette: Palette) -> Creature {
    let cat = Quadruped {
        leg: [6.0, 2.0],
        stance: [1.3, 5.0, 5.0],
        body: [4.0, 6.0, 16.0],
        body_z: 0.0,
        head: [5.0, 4.0, 5.0],
        neck: [11.0, 7.0, 1.0],
        snout: [3.0, 2.0, 1.0],
    };
    let ear = |x: f32| ([x, 14.0, -9.0], [1.0, 1.0, 2.0], darken(palette[0], 0.2));
    let creature = cat.build(palette, &[ear(-2.0), ear(1.0)]);
    add_tail(creature, [0.0, 12.0, 8.0], [1.0, 1.0, 8.0], palette[1])
}

fn build_equine(palette: Palette, mane: Rgb, ears: f32) -> Creature {
    let horse = Quadruped {
        leg: [11.0, 4.0],
        stance: [3.0, 8.0, 9.0],
        body: [10.0, 10.0, 22.0],
        body_z: 0.0,
        head: [6.0, 5.0, 7.0],
        neck: [20.0, 10.0, -7.0],
        snout: [4.0, 4.0, 5.0],
    };
    let ear = |x: f32| ([x, 32.0, -12.0], [2.0, ears, 1.0], palette[0]);
    let creature = horse.build(
        palette,
        &[
            ([-2.0, 17.0, -14.0], [4.0, 13.0, 7.0], palette[0]),
            ([-1.0, 17.0, -7.0], [2.0, 16.0, 2.0], mane),
            ear(-2.8),
            ear(0.8),
        ],
    );
    add_tail(creature, [0.0, 20.0, 11.0], [3.0, 13.0, 3.0], mane)
}

pub(super) fn horse(palette: Palette) -> Creature {
    build_equine(palette, darken(palette[1], 0.55), 3.0)
}

pub(super) fn donkey(palette: Palette) -> Creature {
    build_equine(palette, darken(palette[1], 0.4), 7.0)
}
