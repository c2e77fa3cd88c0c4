//! Cube-like figures: slimes, ghasts, shulkers, falling blocks, and things that stand or hang.

use super::{
    super::shape::{Rgb, darken},
    bipeds::Palette,
    figure::{Creature, Joint},
};

const EYES: Rgb = 0x1c1c22;

fn build_static(boxes: &[([f32; 3], [f32; 3], Rgb)]) -> Creature {
    Creature::new().with_part(Joint::Body, [0.0; 3], boxes)
}

pub(super) fn slime([outer, _, eyes]: Palette) -> Creature {
    build_static(&[
        ([-4.0, 0.0, -4.0], [8.0, 8.0, 8.0], outer),
        ([-3.2, 4.0, -4.2], [2.0, 2.0, 1.0], eyes),
        ([1.2, 4.0, -4.2], [2.0, 2.0, 1.0], eyes),
        ([-0.5, 2.0, -4.2], [1.5, 1.0, 1.0], eyes),
    ])
}

pub(super) fn ghast([white, _, face]: Palette) -> Creature {
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
        boxes.push(([x - 1.0, 6.0 - length, z - 1.0], [2.0, length, 2.0], darken(white, 0.08)));
    }
    build_static(&boxes)
}

pub(super) fn shulker([shell, head, _]: Palette) -> Creature {
    build_static(&[
        ([-8.0, 0.0, -8.0], [16.0, 7.0, 16.0], darken(shell, 0.15)),
        ([-8.0, 8.0, -8.0], [16.0, 8.0, 16.0], shell),
        ([-3.0, 4.0, -3.0], [6.0, 6.0, 6.0], head),
    ])
}

pub(super) fn tnt([red, band, _]: Palette) -> Creature {
    build_static(&[
        ([-8.0, 0.0, -8.0], [16.0, 16.0, 16.0], red),
        ([-8.1, 5.5, -8.1], [16.2, 5.0, 16.2], band),
    ])
}

pub(super) fn end_crystal([glass, core, base]: Palette) -> Creature {
    build_static(&[([-6.0, 0.0, -6.0], [12.0, 4.0, 12.0], base)]).with_part(
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

pub(super) fn wither([dark, _, eyes]: Palette) -> Creature {
    let small = |x: f32| ([x, 34.0, -4.0], [6.0, 6.0, 6.0], dark);
    build_static(&[
        ([-10.0, 31.0, -1.5], [20.0, 3.0, 3.0], dark),
        ([-1.5, 5.0, -1.5], [3.0, 26.0, 3.0], dark),
        ([-5.5, 25.0, -1.0], [11.0, 2.0, 2.0], dark),
        ([-5.5, 20.0, -1.0], [11.0, 2.0, 2.0], dark),
        ([-1.5, 0.0, 0.0], [3.0, 6.0, 3.0], dark),
        small(-13.0),
        small(7.0),
    ])
    .with_part(
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

pub(super) fn frame([wood, picture, _]: Palette) -> Creature {
    build_static(&[
        ([-4.0, 0.0, -0.5], [8.0, 8.0, 1.0], wood),
        ([-3.0, 1.0, -0.7], [6.0, 6.0, 1.0], picture),
    ])
}

pub(super) fn knot([rope, ..]: Palette) -> Creature {
    build_static(&[([-3.0, 0.0, -3.0], [6.0, 8.0, 6.0], rope)])
}

pub(super) fn cushion([cloth, ..]: Palette) -> Creature {
    build_static(&[([-8.0, 0.0, -8.0], [16.0, 4.0, 16.0], cloth)])
}

pub(super) fn fangs([bone, ..]: Palette) -> Creature {
    build_static(&[
        ([-4.0, 0.0, -4.0], [8.0, 2.0, 8.0], darken(bone, 0.3)),
        ([-4.0, 2.0, -3.5], [2.0, 11.0, 2.0], bone),
        ([2.0, 2.0, 1.5], [2.0, 11.0, 2.0], bone),
        ([-4.0, 2.0, 1.5], [2.0, 9.0, 2.0], bone),
        ([2.0, 2.0, -3.5], [2.0, 9.0, 2.0], bone),
    ])
}

pub(super) fn breeze([light, body, eyes]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Spinning { lift: 0.0 },
            [0.0, 0.0, 0.0],
            &[
                ([-2.0, 0.0, -2.0], [4.0, 6.0, 4.0], body),
                ([-4.0, 6.0, -4.0], [8.0, 6.0, 8.0], body),
                ([-6.0, 12.0, -6.0], [12.0, 5.0, 12.0], body),
            ],
        )
        .with_part(
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
