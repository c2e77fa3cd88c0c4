//! Two-legged figures, and the creeper.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darken},
    figure::{ArmPose, Creature, Joint},
};

/// The colours of the head, the body and the limbs. Some figures use the colours for other parts.
pub(super) type Palette = [Rgb; 3];

pub(super) const EYES: Rgb = 0x1c1c22;

pub(super) fn leg_joint(is_right: bool) -> Joint {
    Joint::Leg { swing: 1.0, phase: if is_right { 0.0 } else { PI }, is_right }
}

pub(super) fn arm_joint(carriage: ArmPose) -> impl Fn(bool) -> Joint {
    move |is_right| Joint::Arm { is_right, pose: carriage }
}

struct Biped {
    limb_thickness: f32,
    carriage: ArmPose,
    eyes: Rgb,
}

impl Biped {
    fn build(self, [head, body, legs]: Palette) -> Creature {
        let half = self.limb_thickness / 2.0;
        let (limbs, eyes) = (self.limb_thickness, self.eyes);
        Creature::new()
            .with_part(
                Joint::Body,
                [0.0, 24.0, 0.0],
                &[([-4.0, 12.0, -2.0], [8.0, 12.0, 4.0], body)],
            )
            .with_part(
                Joint::Head,
                [0.0, 24.0, 0.0],
                &[
                    ([-4.0, 24.0, -4.0], [8.0, 8.0, 8.0], head),
                    ([-3.0, 27.0, -4.2], [2.0, 1.5, 1.0], eyes),
                    ([1.0, 27.0, -4.2], [2.0, 1.5, 1.0], eyes),
                    ([-1.5, 25.0, -4.1], [3.0, 0.8, 1.0], darken(head, 0.4)),
                ],
            )
            .with_mirrored_parts(
                arm_joint(self.carriage),
                [5.0, 22.0, 0.0],
                &[
                    ([4.0, 18.0, -half], [limbs, 6.0, limbs], body),
                    ([4.0, 12.0, -half], [limbs, 6.0, limbs], head),
                ],
            )
            .with_mirrored_parts(
                leg_joint,
                [2.0, 12.0, 0.0],
                &[([2.0 - half, 0.0, -half], [limbs, 12.0, limbs], legs)],
            )
            .into_humanoid()
    }
}

pub(super) fn person(palette: Palette) -> Creature {
    Biped { limb_thickness: 4.0, carriage: ArmPose::Swinging, eyes: EYES }.build(palette)
}

pub(super) fn zombie(palette: Palette) -> Creature {
    Biped { limb_thickness: 4.0, carriage: ArmPose::Ahead, eyes: EYES }.build(palette)
}

pub(super) fn skeleton(palette: Palette) -> Creature {
    Biped { limb_thickness: 2.0, carriage: ArmPose::Swinging, eyes: EYES }.build(palette)
}

pub(super) fn piglin(palette: Palette) -> Creature {
    let [head, ..] = palette;
    let mut piglin = person(palette);
    let face = Creature::new().with_part(
        Joint::Head,
        [0.0, 24.0, 0.0],
        &[
            ([-2.0, 24.0, -5.5], [4.0, 4.0, 1.5], darken(head, 0.15)),
            ([-5.5, 25.0, -2.0], [1.0, 5.0, 4.0], head),
            ([4.5, 25.0, -2.0], [1.0, 5.0, 4.0], head),
        ],
    );
    piglin.parts.extend(face.parts);
    piglin
}

pub(super) fn armor_stand([wood, ..]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 24.0, 0.0],
            &[
                ([-6.0, 0.0, -6.0], [12.0, 1.0, 12.0], 0x8a8a8a),
                ([-6.0, 21.0, -1.5], [12.0, 3.0, 3.0], wood),
                ([-3.0, 14.0, -1.0], [2.0, 7.0, 2.0], wood),
                ([1.0, 14.0, -1.0], [2.0, 7.0, 2.0], wood),
                ([-4.0, 12.0, -1.0], [8.0, 2.0, 2.0], wood),
            ],
        )
        .with_part(Joint::Head, [0.0, 24.0, 0.0], &[([-1.0, 24.0, -1.0], [2.0, 7.6, 2.0], wood)])
        .with_mirrored_parts(
            arm_joint(ArmPose::Still),
            [5.0, 22.0, 0.0],
            &[([5.0, 12.0, -1.0], [2.0, 12.0, 2.0], wood)],
        )
        .with_mirrored_parts(
            |is_right| Joint::Leg { swing: 0.0, phase: 0.0, is_right },
            [1.9, 12.0, 0.0],
            &[([0.9, 1.0, -1.0], [2.0, 11.0, 2.0], wood)],
        )
        .into_humanoid()
}

pub(super) fn enderman([dark, _, eyes]: Palette) -> Creature {
    let swing = |is_right: bool| Joint::Leg {
        swing: 0.4,
        phase: if is_right { 0.0 } else { PI },
        is_right,
    };
    Creature::new()
        .with_part(Joint::Body, [0.0, 42.0, 0.0], &[([-4.0, 30.0, -2.0], [8.0, 12.0, 4.0], dark)])
        .with_part(
            Joint::Head,
            [0.0, 42.0, 0.0],
            &[
                ([-4.0, 42.0, -4.0], [8.0, 8.0, 8.0], dark),
                ([-4.0, 45.0, -4.2], [3.0, 1.0, 1.0], eyes),
                ([1.0, 45.0, -4.2], [3.0, 1.0, 1.0], eyes),
            ],
        )
        .with_mirrored_parts(
            arm_joint(ArmPose::Swinging),
            [5.0, 40.0, 0.0],
            &[([4.0, 12.0, -1.0], [2.0, 30.0, 2.0], dark)],
        )
        .with_mirrored_parts(swing, [2.0, 30.0, 0.0], &[([1.0, 0.0, -1.0], [2.0, 30.0, 2.0], dark)])
}

pub(super) fn creeper([green, ..]: Palette) -> Creature {
    let foot = |front: bool| {
        move |is_right: bool| Joint::Leg {
            swing: 1.0,
            phase: if is_right == front { PI } else { 0.0 },
            is_right,
        }
    };
    let (dark, leg) = (0x14_1f_14, darken(green, 0.2));
    Creature::new()
        .with_part(Joint::Body, [0.0, 6.0, 0.0], &[([-4.0, 6.0, -2.0], [8.0, 12.0, 4.0], green)])
        .with_part(
            Joint::Head,
            [0.0, 18.0, 0.0],
            &[
                ([-4.0, 18.0, -4.0], [8.0, 8.0, 8.0], green),
                ([-3.0, 22.0, -4.2], [2.0, 2.0, 1.0], dark),
                ([1.0, 22.0, -4.2], [2.0, 2.0, 1.0], dark),
                ([-1.0, 19.0, -4.2], [2.0, 3.0, 1.0], dark),
                ([-2.0, 18.4, -4.2], [1.0, 2.6, 1.0], dark),
                ([1.0, 18.4, -4.2], [1.0, 2.6, 1.0], dark),
            ],
        )
        .with_mirrored_parts(
            foot(true),
            [2.0, 6.0, -4.0],
            &[([0.0, 0.0, -6.0], [4.0, 6.0, 4.0], leg)],
        )
        .with_mirrored_parts(
            foot(false),
            [2.0, 6.0, 4.0],
            &[([0.0, 0.0, 2.0], [4.0, 6.0, 4.0], leg)],
        )
}
