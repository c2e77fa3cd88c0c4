//! Villagers, witches, illagers and golems, and figures that float upright.

use super::{
    super::shape::{Rgb, darken},
    bipeds::{EYES, Palette, arm_joint, leg_joint},
    figure::{ArmPose, Creature, Joint},
};

/// Adds the head of villagers and illagers, which begins at y = 24.
fn villager_head(creature: Creature, skin: Rgb, eyes: Rgb) -> Creature {
    creature.with_part(
        Joint::Head,
        [0.0, 24.0, 0.0],
        &[
            ([-4.0, 24.0, -4.0], [8.0, 10.0, 8.0], skin),
            ([-1.0, 23.0, -6.0], [2.0, 4.0, 2.0], darken(skin, 0.15)),
            ([-3.5, 28.6, -4.2], [7.0, 0.8, 1.0], 0x4a3222),
            ([-3.0, 27.4, -4.2], [2.0, 1.2, 1.0], eyes),
            ([1.0, 27.4, -4.2], [2.0, 1.2, 1.0], eyes),
        ],
    )
}

pub(super) fn villager([skin, robe, trim]: Palette) -> Creature {
    let body = Creature::new().with_part(
        Joint::Body,
        [0.0, 24.0, 0.0],
        &[
            ([-4.5, 4.0, -3.5], [9.0, 20.0, 7.0], robe),
            ([-1.0, 5.0, -3.7], [2.0, 18.0, 1.0], trim),
            ([-8.0, 15.0, -5.5], [16.0, 5.0, 3.0], robe),
            ([-4.0, 14.6, -6.0], [8.0, 4.0, 3.0], skin),
        ],
    );
    villager_head(body, skin, 0x2f7d46).with_mirrored_parts(
        |is_right| match leg_joint(is_right) {
            Joint::Leg { phase, is_right, .. } => Joint::Leg { swing: 0.5, phase, is_right },
            other => other,
        },
        [2.0, 12.0, 0.0],
        &[([0.0, 0.0, -2.0], [4.0, 12.0, 4.0], darken(robe, 0.35))],
    )
}

/// Builds a villager with a hat. Use the size of the game's model, because the hat is higher than
/// the hitbox.
pub(super) fn witch(palette: Palette) -> Creature {
    let witch = villager(palette).with_part(
        Joint::Head,
        [0.0, 24.0, 0.0],
        &[
            ([-5.0, 33.5, -5.0], [10.0, 2.0, 10.0], 0x2b2136),
            ([-3.5, 35.5, -3.0], [7.0, 4.0, 7.0], 0x2b2136),
            ([-2.0, 39.5, -1.0], [4.0, 4.0, 4.0], 0x352a42),
        ],
    );
    Creature { scale: 0.9375 / 16.0, ..witch }
}

pub(super) fn illager([skin, robe, legs]: Palette) -> Creature {
    let body = Creature::new().with_part(
        Joint::Body,
        [0.0, 24.0, 0.0],
        &[([-4.0, 12.0, -3.0], [8.0, 12.0, 6.0], robe), ([-4.3, 7.0, -3.3], [8.6, 6.0, 6.6], robe)],
    );
    villager_head(body, skin, 0x1f5a38)
        .with_mirrored_parts(
            arm_joint(ArmPose::Swinging),
            [5.0, 22.0, 0.0],
            &[
                ([4.0, 16.0, -2.0], [4.0, 8.0, 4.0], robe),
                ([4.0, 12.0, -2.0], [4.0, 4.0, 4.0], skin),
            ],
        )
        .with_mirrored_parts(
            leg_joint,
            [2.0, 12.0, 0.0],
            &[([0.0, 0.0, -2.0], [4.0, 12.0, 4.0], legs)],
        )
}

pub(super) fn golem([stone, body, legs]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 31.0, 0.0],
            &[
                ([-9.0, 21.0, -5.0], [18.0, 12.0, 11.0], body),
                ([-4.5, 16.0, -3.0], [9.0, 5.0, 6.0], body),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 31.0, -2.0],
            &[
                ([-4.0, 33.0, -7.5], [8.0, 10.0, 8.0], stone),
                ([-1.0, 33.0, -9.5], [2.0, 4.0, 2.0], darken(stone, 0.15)),
                ([-3.0, 37.0, -7.7], [2.0, 1.2, 1.0], 0xa33b2e),
                ([1.0, 37.0, -7.7], [2.0, 1.2, 1.0], 0xa33b2e),
            ],
        )
        .with_mirrored_parts(
            arm_joint(ArmPose::Swinging),
            [11.0, 31.0, 0.0],
            &[([9.0, 3.5, -3.0], [4.0, 30.0, 6.0], stone)],
        )
        .with_mirrored_parts(
            leg_joint,
            [4.5, 16.0, 0.0],
            &[([2.0, 0.0, -3.0], [6.0, 16.0, 5.0], legs)],
        )
}

pub(super) fn snow_golem([snow, pumpkin, stick]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 0.0, 0.0],
            &[
                ([-6.0, 0.0, -6.0], [12.0, 12.0, 12.0], snow),
                ([-5.0, 12.0, -5.0], [10.0, 8.0, 10.0], snow),
                ([-13.0, 17.0, -1.0], [8.0, 2.0, 2.0], stick),
                ([5.0, 17.0, -1.0], [8.0, 2.0, 2.0], stick),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 20.0, 0.0],
            &[
                ([-4.5, 20.0, -4.5], [9.0, 9.0, 9.0], pumpkin),
                ([-3.0, 24.5, -4.8], [2.0, 2.0, 1.0], EYES),
                ([1.0, 24.5, -4.8], [2.0, 2.0, 1.0], EYES),
                ([-2.5, 21.5, -4.8], [5.0, 1.2, 1.0], EYES),
            ],
        )
}

pub(super) fn blaze([gold, _, rods]: Palette) -> Creature {
    let rod = |x: f32, y: f32, z: f32| ([x - 1.0, y, z - 1.0], [2.0, 8.0, 2.0], rods);
    Creature::new()
        .with_part(
            Joint::Spinning { lift: 0.0 },
            [0.0, 0.0, 0.0],
            &[
                rod(7.0, 12.0, 0.0),
                rod(-7.0, 12.0, 0.0),
                rod(0.0, 12.0, 7.0),
                rod(0.0, 12.0, -7.0),
                rod(5.0, 2.0, 5.0),
                rod(-5.0, 2.0, -5.0),
                rod(5.0, 2.0, -5.0),
                rod(-5.0, 2.0, 5.0),
            ],
        )
        .with_part(
            Joint::Head,
            [0.0, 24.0, 0.0],
            &[
                ([-4.0, 20.0, -4.0], [8.0, 8.0, 8.0], gold),
                ([-3.0, 24.0, -4.2], [2.0, 1.0, 1.0], EYES),
                ([1.0, 24.0, -4.2], [2.0, 1.0, 1.0], EYES),
            ],
        )
}

pub(super) fn sprite([skin, body, wings]: Palette) -> Creature {
    Creature::new()
        .with_part(Joint::Body, [0.0, 6.0, 0.0], &[([-1.5, 1.0, -1.0], [3.0, 5.0, 2.0], body)])
        .with_part(
            Joint::Head,
            [0.0, 6.0, 0.0],
            &[
                ([-2.5, 6.0, -2.5], [5.0, 5.0, 5.0], skin),
                ([-1.8, 7.6, -2.7], [1.0, 1.2, 0.5], EYES),
                ([0.8, 7.6, -2.7], [1.0, 1.2, 0.5], EYES),
            ],
        )
        .with_mirrored_parts(
            arm_joint(ArmPose::Swinging),
            [1.75, 5.5, 0.0],
            &[([1.5, 1.5, -1.0], [1.0, 4.0, 2.0], skin)],
        )
        .with_mirrored_parts(
            |is_right| Joint::Wing { is_right, rate: 0.8, width: 0.5 },
            [0.5, 5.0, 1.0],
            &[([0.5, 1.0, 1.0], [6.0, 5.0, 0.4], wings)],
        )
}
