//! Birds, bats, insects, spiders and the dragon.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darken},
    bipeds::{Palette, leg_joint},
    figure::{Creature, Joint},
};

const EYES: Rgb = 0x1c1c22;

fn wing_joint(rate: f64, width: f64) -> impl Fn(bool) -> Joint {
    move |is_right| Joint::Wing { is_right, rate, width }
}

pub(super) fn chicken([white, _, legs]: Palette) -> Creature {
    Creature::new()
        .with_part(Joint::Body, [0.0, 8.0, 0.0], &[([-3.0, 5.0, -4.0], [6.0, 6.0, 8.0], white)])
        .with_part(
            Joint::Head,
            [0.0, 9.0, -4.0],
            &[
                ([-2.0, 9.0, -6.0], [4.0, 6.0, 3.0], white),
                ([-2.0, 11.0, -8.0], [4.0, 2.0, 2.0], legs),
                ([-1.0, 9.0, -7.0], [2.0, 2.0, 1.0], 0xd03a2c),
                ([-2.2, 13.0, -5.8], [0.4, 1.0, 1.0], EYES),
                ([1.8, 13.0, -5.8], [0.4, 1.0, 1.0], EYES),
            ],
        )
        .with_mirrored_parts(
            leg_joint,
            [1.5, 5.0, 1.0],
            &[([1.0, 0.0, 0.5], [1.0, 5.0, 1.0], legs), ([0.0, 0.0, -2.0], [3.0, 0.6, 3.0], legs)],
        )
        .with_mirrored_parts(
            wing_joint(0.0, 0.0),
            [3.0, 11.0, 0.0],
            &[([3.0, 7.0, -3.0], [1.0, 4.0, 6.0], darken(white, 0.1))],
        )
}

pub(super) fn parrot([red, body, wings]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 6.0, 0.0],
            &[
                ([-1.5, 2.0, -1.5], [3.0, 6.0, 3.0], body),
                ([-1.5, 0.5, 1.0], [3.0, 4.0, 1.0], wings),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 8.0, 0.0],
            &[
                ([-1.0, 8.0, -1.5], [2.0, 3.0, 3.0], red),
                ([-0.5, 8.5, -2.8], [1.0, 2.0, 1.3], 0x2b2b2b),
                ([-0.5, 11.0, -1.0], [1.0, 2.0, 2.0], darken(red, 0.1)),
            ],
        )
        .with_mirrored_parts(
            wing_joint(0.0, 0.0),
            [1.5, 8.0, 0.0],
            &[([1.5, 3.0, -1.5], [1.0, 5.0, 3.0], wings)],
        )
        .with_mirrored_parts(
            leg_joint,
            [1.0, 2.0, 0.0],
            &[([0.5, 0.0, -0.5], [1.0, 2.0, 1.0], 0x5a5a5a)],
        )
}

pub(super) fn bat([head, body, wings]: Palette) -> Creature {
    Creature::new()
        .with_part(Joint::Body, [0.0, 6.0, 0.0], &[([-2.0, 1.0, -1.5], [4.0, 6.0, 3.0], body)])
        .with_part(
            Joint::Head,
            [0.0, 7.0, 0.0],
            &[
                ([-2.0, 7.0, -2.0], [4.0, 4.0, 4.0], head),
                ([-2.5, 10.5, -0.5], [2.0, 3.0, 0.6], head),
                ([0.5, 10.5, -0.5], [2.0, 3.0, 0.6], head),
            ],
        )
        .with_mirrored_parts(
            wing_joint(1.3, 0.7),
            [2.0, 6.0, 0.0],
            &[([2.0, 1.0, 0.0], [9.0, 6.0, 0.4], wings)],
        )
}

pub(super) fn bee([yellow, stripe, wings]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 4.0, 0.0],
            &[
                ([-3.5, 1.0, -5.0], [7.0, 7.0, 10.0], yellow),
                ([-3.6, 0.9, -1.0], [7.2, 7.2, 2.0], stripe),
                ([-3.6, 0.9, 3.0], [7.2, 7.2, 1.5], stripe),
                ([-3.7, 3.5, -5.2], [2.0, 2.5, 1.0], EYES),
                ([1.7, 3.5, -5.2], [2.0, 2.5, 1.0], EYES),
                ([-0.5, 3.5, 5.0], [1.0, 1.0, 2.0], stripe),
                ([-2.5, 0.0, -2.0], [1.0, 1.0, 4.0], stripe),
                ([1.5, 0.0, -2.0], [1.0, 1.0, 4.0], stripe),
            ],
        )
        .with_mirrored_parts(
            wing_joint(2.1, 0.5),
            [1.5, 8.0, -2.0],
            &[([1.5, 8.0, -2.0], [8.0, 0.4, 5.0], wings)],
        )
}

pub(super) fn phantom([blue, _, eyes]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 2.0, 0.0],
            &[
                ([-2.5, 0.5, -4.0], [5.0, 3.0, 9.0], blue),
                ([-1.5, 1.0, 5.0], [3.0, 2.0, 6.0], darken(blue, 0.1)),
                ([-3.5, 0.0, -9.0], [7.0, 3.5, 5.0], blue),
                ([-3.0, 1.6, -9.2], [2.0, 1.0, 1.0], eyes),
                ([1.0, 1.6, -9.2], [2.0, 1.0, 1.0], eyes),
            ],
        )
        .with_mirrored_parts(
            wing_joint(0.13, 0.25),
            [2.5, 2.5, 0.0],
            &[([2.5, 2.0, -4.0], [19.0, 1.0, 9.0], darken(blue, 0.2))],
        )
}

pub(super) fn spider([head, body, legs]: Palette) -> Creature {
    let mut spider = Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 9.0, 0.0],
            &[
                ([-3.0, 6.0, -3.0], [6.0, 6.0, 6.0], body),
                ([-5.0, 5.0, 3.0], [10.0, 8.0, 12.0], body),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 9.0, -3.0],
            &[
                ([-4.0, 5.0, -11.0], [8.0, 8.0, 8.0], head),
                ([-3.0, 9.0, -11.2], [2.0, 2.0, 1.0], 0xc02a2a),
                ([1.0, 9.0, -11.2], [2.0, 2.0, 1.0], 0xc02a2a),
                ([-1.5, 7.5, -11.2], [1.0, 1.0, 1.0], 0xc02a2a),
                ([0.5, 7.5, -11.2], [1.0, 1.0, 1.0], 0xc02a2a),
            ],
        );
    for (pair, z) in (0_u8..).zip([-1.0, 0.0, 1.0, 2.0]) {
        spider = spider.with_mirrored_parts(
            |is_right| Joint::SpiderLeg { pair, is_right },
            [4.0, 9.0, z],
            &[([4.0, 8.0, z - 1.0], [15.0, 2.0, 2.0], legs)],
        );
    }
    Creature { falls_on_back: true, ..spider }
}

pub(super) fn worm([head, body, tail]: Palette) -> Creature {
    let worm = Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 2.0, 0.0],
            &[
                ([-1.5, 0.0, -7.0], [3.0, 2.0, 2.0], head),
                ([-2.0, 0.0, -5.0], [4.0, 3.0, 2.0], body),
                ([-3.0, 0.0, -3.0], [6.0, 4.0, 3.0], body),
            ],
        )
        .with_part(
            Joint::Fin { width: 0.2 },
            [0.0, 2.0, 0.0],
            &[
                ([-1.5, 0.0, 0.0], [3.0, 3.0, 3.0], body),
                ([-1.0, 0.0, 3.0], [2.0, 2.0, 3.0], tail),
                ([-0.5, 0.0, 6.0], [1.0, 1.0, 2.0], tail),
            ],
        );
    Creature { falls_on_back: true, ..worm }
}

pub(super) fn dragon([head, body, wings]: Palette) -> Creature {
    let foot = |is_fore: bool| {
        move |is_right: bool| Joint::Leg {
            swing: 0.3,
            phase: if is_right == is_fore { PI } else { 0.0 },
            is_right,
        }
    };
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 24.0, 0.0],
            &[
                ([-12.0, 20.0, -16.0], [24.0, 24.0, 64.0], body),
                ([-5.0, 26.0, -46.0], [10.0, 10.0, 30.0], body),
                ([-1.0, 44.0, -10.0], [2.0, 6.0, 50.0], darken(head, 0.2)),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 31.0, -46.0],
            &[
                ([-8.0, 24.0, -62.0], [16.0, 16.0, 16.0], head),
                ([-6.0, 24.0, -78.0], [12.0, 8.0, 16.0], head),
                ([-7.0, 33.0, -62.3], [4.0, 3.0, 1.0], 0xc86fe0),
                ([3.0, 33.0, -62.3], [4.0, 3.0, 1.0], 0xc86fe0),
            ],
        )
        .with_part(
            Joint::Fin { width: 0.1 },
            [0.0, 34.0, 48.0],
            &[([-5.0, 28.0, 48.0], [10.0, 10.0, 60.0], body)],
        )
        .with_mirrored_parts(
            foot(true),
            [12.0, 24.0, 0.0],
            &[([8.0, 0.0, -4.0], [8.0, 24.0, 8.0], head)],
        )
        .with_mirrored_parts(
            foot(false),
            [14.0, 26.0, 38.0],
            &[([8.0, 0.0, 30.0], [12.0, 26.0, 16.0], head)],
        )
        .with_mirrored_parts(
            wing_joint(0.1, 0.3),
            [12.0, 42.0, -6.0],
            &[
                ([12.0, 40.0, -6.0], [80.0, 4.0, 8.0], head),
                ([12.0, 41.0, 2.0], [80.0, 1.0, 50.0], wings),
            ],
        )
}
