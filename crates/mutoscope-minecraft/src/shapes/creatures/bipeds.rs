//! Figures that stand on two legs, and the creeper.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darker},
    figure::{Carriage, Creature, Joint},
};

/// Head, body and limbs.
pub(super) type Dye = [Rgb; 3];

pub(super) const EYES: Rgb = 0x1c1c22;

pub(super) fn leg(is_right: bool) -> Joint {
    Joint::Leg { swing: 1.0, phase: if is_right { 0.0 } else { PI }, is_right }
}

pub(super) fn arm(carriage: Carriage) -> impl Fn(bool) -> Joint {
    move |is_right| Joint::Arm { is_right, carriage }
}

/// A figure with the limbs of a player.
struct Biped {
    /// How thick arms and legs are, in pixels.
    limbs: f32,
    carriage: Carriage,
    eyes: Rgb,
}

impl Biped {
    fn creature(self, [head, body, legs]: Dye) -> Creature {
        let half = self.limbs / 2.0;
        let (limbs, eyes) = (self.limbs, self.eyes);
        Creature::new()
            .with(Joint::Body, [0.0, 24.0, 0.0], &[([-4.0, 12.0, -2.0], [8.0, 12.0, 4.0], body)])
            .with(
                Joint::Head,
                [0.0, 24.0, 0.0],
                &[
                    ([-4.0, 24.0, -4.0], [8.0, 8.0, 8.0], head),
                    ([-3.0, 27.0, -4.2], [2.0, 1.5, 1.0], eyes),
                    ([1.0, 27.0, -4.2], [2.0, 1.5, 1.0], eyes),
                    ([-1.5, 25.0, -4.1], [3.0, 0.8, 1.0], darker(head, 0.4)),
                ],
            )
            .with_both(
                arm(self.carriage),
                [5.0, 22.0, 0.0],
                &[
                    ([4.0, 18.0, -half], [limbs, 6.0, limbs], body),
                    ([4.0, 12.0, -half], [limbs, 6.0, limbs], head),
                ],
            )
            .with_both(
                leg,
                [2.0, 12.0, 0.0],
                &[([2.0 - half, 0.0, -half], [limbs, 12.0, limbs], legs)],
            )
            .humanoid()
    }
}

pub(super) fn person(dye: Dye) -> Creature {
    Biped { limbs: 4.0, carriage: Carriage::Swinging, eyes: EYES }.creature(dye)
}

pub(super) fn zombie(dye: Dye) -> Creature {
    Biped { limbs: 4.0, carriage: Carriage::Ahead, eyes: EYES }.creature(dye)
}

pub(super) fn skeleton(dye: Dye) -> Creature {
    Biped { limbs: 2.0, carriage: Carriage::Swinging, eyes: EYES }.creature(dye)
}

pub(super) fn piglin(dye: Dye) -> Creature {
    let [head, ..] = dye;
    let mut piglin = person(dye);
    let face = Creature::new().with(
        Joint::Head,
        [0.0, 24.0, 0.0],
        &[
            ([-2.0, 24.0, -5.5], [4.0, 4.0, 1.5], darker(head, 0.15)),
            ([-5.5, 25.0, -2.0], [1.0, 5.0, 4.0], head),
            ([4.5, 25.0, -2.0], [1.0, 5.0, 4.0], head),
        ],
    );
    piglin.parts.extend(face.parts);
    piglin
}

pub(super) fn armor_stand([wood, ..]: Dye) -> Creature {
    Creature::new()
        .with(
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
        .with(Joint::Head, [0.0, 24.0, 0.0], &[([-1.0, 24.0, -1.0], [2.0, 7.6, 2.0], wood)])
        .with_both(
            arm(Carriage::Still),
            [5.0, 22.0, 0.0],
            &[([5.0, 12.0, -1.0], [2.0, 12.0, 2.0], wood)],
        )
        .with_both(
            |is_right| Joint::Leg { swing: 0.0, phase: 0.0, is_right },
            [1.9, 12.0, 0.0],
            &[([0.9, 1.0, -1.0], [2.0, 11.0, 2.0], wood)],
        )
        .humanoid()
}

pub(super) fn enderman([dark, _, eyes]: Dye) -> Creature {
    let swing = |is_right: bool| Joint::Leg {
        swing: 0.4,
        phase: if is_right { 0.0 } else { PI },
        is_right,
    };
    Creature::new()
        .with(Joint::Body, [0.0, 42.0, 0.0], &[([-4.0, 30.0, -2.0], [8.0, 12.0, 4.0], dark)])
        .with(
            Joint::Head,
            [0.0, 42.0, 0.0],
            &[
                ([-4.0, 42.0, -4.0], [8.0, 8.0, 8.0], dark),
                ([-4.0, 45.0, -4.2], [3.0, 1.0, 1.0], eyes),
                ([1.0, 45.0, -4.2], [3.0, 1.0, 1.0], eyes),
            ],
        )
        .with_both(
            arm(Carriage::Swinging),
            [5.0, 40.0, 0.0],
            &[([4.0, 12.0, -1.0], [2.0, 30.0, 2.0], dark)],
        )
        .with_both(swing, [2.0, 30.0, 0.0], &[([1.0, 0.0, -1.0], [2.0, 30.0, 2.0], dark)])
}

pub(super) fn creeper([green, ..]: Dye) -> Creature {
    let foot = |front: bool| {
        move |is_right: bool| Joint::Leg {
            swing: 1.0,
            phase: if is_right == front { PI } else { 0.0 },
            is_right,
        }
    };
    let (dark, leg) = (0x14_1f_14, darker(green, 0.2));
    Creature::new()
        .with(Joint::Body, [0.0, 6.0, 0.0], &[([-4.0, 6.0, -2.0], [8.0, 12.0, 4.0], green)])
        .with(
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
        .with_both(foot(true), [2.0, 6.0, -4.0], &[([0.0, 0.0, -6.0], [4.0, 6.0, 4.0], leg)])
        .with_both(foot(false), [2.0, 6.0, 4.0], &[([0.0, 0.0, 2.0], [4.0, 6.0, 4.0], leg)])
}
