//! Cubes: slimes, ghasts, shulkers, blocks that fall, and things that stand or hang.

use super::{
    super::shape::{Rgb, darker},
    bipeds::Dye,
    figure::{Creature, Joint},
};

const EYES: Rgb = 0x1c1c22;

/// One box on the body.
fn still(boxes: &[([f32; 3], [f32; 3], Rgb)]) -> Creature {
    Creature::new().with(Joint::Body, [0.0; 3], boxes)
}

pub(super) fn slime([outer, _, eyes]: Dye) -> Creature {
    still(&[
        ([-4.0, 0.0, -4.0], [8.0, 8.0, 8.0], outer),
        ([-3.2, 4.0, -4.2], [2.0, 2.0, 1.0], eyes),
        ([1.2, 4.0, -4.2], [2.0, 2.0, 1.0], eyes),
        ([-0.5, 2.0, -4.2], [1.5, 1.0, 1.0], eyes),
    ])
}

pub(super) fn ghast([white, _, face]: Dye) -> Creature {
    let mut boxes = vec![
        ([-8.0, 6.0, -8.0], [16.0, 16.0, 16.0], white),
        ([-5.5, 14.0, -8.2], [3.0, 1.5, 1.0], face),
        ([2.5, 14.0, -8.2], [3.0, 1.5, 1.0], face),
        ([-1.5, 9.5, -8.2], [3.0, 2.0, 1.0], face),
    ];
    for (x, z, length) in [
        (-6.0, -5.0, 6.0),
        (0.0, -5.0, 4.0),
        (5.0, -5.0, 5.0),
        (-4.0, 0.0, 4.0),
        (2.5, 0.0, 6.0),
        (-6.0, 5.0, 5.0),
        (0.0, 5.0, 6.0),
        (5.0, 5.0, 4.0),
    ] {
        boxes.push(([x - 1.0, 6.0 - length, z - 1.0], [2.0, length, 2.0], darker(white, 0.08)));
    }
    still(&boxes)
}

pub(super) fn shulker([shell, head, _]: Dye) -> Creature {
    still(&[
        ([-8.0, 0.0, -8.0], [16.0, 7.0, 16.0], darker(shell, 0.15)),
        ([-8.0, 8.0, -8.0], [16.0, 8.0, 16.0], shell),
        ([-3.0, 4.0, -3.0], [6.0, 6.0, 6.0], head),
    ])
}

/// A block of one colour: primed tnt has a band.
pub(super) fn tnt([red, band, _]: Dye) -> Creature {
    still(&[
        ([-8.0, 0.0, -8.0], [16.0, 16.0, 16.0], red),
        ([-8.1, 5.5, -8.1], [16.2, 5.0, 16.2], band),
    ])
}

pub(super) fn end_crystal([glass, core, base]: Dye) -> Creature {
    still(&[([-6.0, 0.0, -6.0], [12.0, 4.0, 12.0], base)]).with(
        Joint::Spinning { lift: 0.0 },
        [0.0, 18.0, 0.0],
        &[
            ([-8.0, 10.0, -8.0], [16.0, 2.0, 16.0], glass),
            ([-8.0, 24.0, -8.0], [16.0, 2.0, 16.0], glass),
            ([-8.0, 12.0, -8.0], [2.0, 12.0, 2.0], glass),
            ([6.0, 12.0, -8.0], [2.0, 12.0, 2.0], glass),
            ([-8.0, 12.0, 6.0], [2.0, 12.0, 2.0], glass),
            ([6.0, 12.0, 6.0], [2.0, 12.0, 2.0], glass),
            ([-4.0, 14.0, -4.0], [8.0, 8.0, 8.0], core),
        ],
    )
}

/// Three heads on a spine.
pub(super) fn wither([dark, _, eyes]: Dye) -> Creature {
    let small = |x: f32| ([x, 34.0, -4.0], [6.0, 6.0, 6.0], dark);
    still(&[
        ([-10.0, 31.0, -1.5], [20.0, 3.0, 3.0], dark),
        ([-1.5, 5.0, -1.5], [3.0, 26.0, 3.0], dark),
        ([-5.5, 25.0, -1.0], [11.0, 2.0, 2.0], dark),
        ([-5.5, 20.0, -1.0], [11.0, 2.0, 2.0], dark),
        ([-1.5, 0.0, 0.0], [3.0, 6.0, 3.0], dark),
        small(-13.0),
        small(7.0),
    ])
    .with(
        Joint::Head,
        [0.0, 34.0, 0.0],
        &[
            ([-4.0, 34.0, -4.0], [8.0, 8.0, 8.0], dark),
            ([-3.0, 38.0, -4.2], [2.0, 1.0, 1.0], eyes),
            ([1.0, 38.0, -4.2], [2.0, 1.0, 1.0], eyes),
            ([-2.0, 35.5, -4.2], [4.0, 1.0, 1.0], eyes),
        ],
    )
}

/// A frame or a painting: upright, thin.
pub(super) fn frame([wood, picture, _]: Dye) -> Creature {
    still(&[
        ([-4.0, 0.0, -0.5], [8.0, 8.0, 1.0], wood),
        ([-3.0, 1.0, -0.7], [6.0, 6.0, 1.0], picture),
    ])
}

pub(super) fn knot([rope, ..]: Dye) -> Creature {
    still(&[([-3.0, 0.0, -3.0], [6.0, 8.0, 6.0], rope)])
}

pub(super) fn cushion([cloth, ..]: Dye) -> Creature {
    still(&[([-8.0, 0.0, -8.0], [16.0, 4.0, 16.0], cloth)])
}

pub(super) fn fangs([bone, ..]: Dye) -> Creature {
    still(&[
        ([-4.0, 0.0, -4.0], [8.0, 2.0, 8.0], darker(bone, 0.3)),
        ([-4.0, 2.0, -3.5], [2.0, 11.0, 2.0], bone),
        ([2.0, 2.0, 1.5], [2.0, 11.0, 2.0], bone),
        ([-4.0, 2.0, 1.5], [2.0, 9.0, 2.0], bone),
        ([2.0, 2.0, -3.5], [2.0, 9.0, 2.0], bone),
    ])
}

/// Ball-like, with a face.
pub(super) fn breeze([light, body, eyes]: Dye) -> Creature {
    Creature::new()
        .with(
            Joint::Spinning { lift: 0.0 },
            [0.0, 0.0, 0.0],
            &[
                ([-2.0, 0.0, -2.0], [4.0, 6.0, 4.0], body),
                ([-4.0, 6.0, -4.0], [8.0, 6.0, 8.0], body),
                ([-6.0, 12.0, -6.0], [12.0, 5.0, 12.0], body),
            ],
        )
        .with(
            Joint::Head,
            [0.0, 22.0, 0.0],
            &[
                ([-4.0, 19.0, -4.0], [8.0, 8.0, 8.0], light),
                ([-3.5, 23.0, -4.2], [2.5, 1.5, 1.0], EYES),
                ([1.0, 23.0, -4.2], [2.5, 1.5, 1.0], EYES),
                ([-5.0, 25.0, -4.5], [10.0, 1.5, 1.5], eyes),
            ],
        )
}
