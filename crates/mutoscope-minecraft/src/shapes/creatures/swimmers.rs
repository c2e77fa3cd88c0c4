//! Fish and other swimming figures.

use super::{
    super::shape::{Rgb, darken},
    bipeds::Palette,
    figure::{Creature, Joint},
};

const EYES: Rgb = 0x1c1c22;

fn build_fish([wide, high, long]: [f32; 3], [head, body, fins]: Palette) -> Creature {
    let front = -long / 2.0;
    let (half, tail) = (wide / 2.0, long * 0.4);
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, high / 2.0, 0.0],
            &[
                ([-half, 0.0, front + long * 0.2], [wide, high, long * 0.6], body),
                (
                    [-half * 0.9, high * 0.1, front - 0.2],
                    [wide * 0.9, high * 0.8, long * 0.25],
                    head,
                ),
                ([-0.4, high, front + long * 0.3], [0.8, high * 0.4, long * 0.35], fins),
                ([-half - 0.2, high * 0.5, front + 0.3], [0.4, 0.9, 0.9], EYES),
                ([half - 0.2, high * 0.5, front + 0.3], [0.4, 0.9, 0.9], EYES),
                ([-half - 1.5, high * 0.2, front + long * 0.35], [1.5, 0.5, 2.0], fins),
                ([half, high * 0.2, front + long * 0.35], [1.5, 0.5, 2.0], fins),
            ],
        )
        .with_part(
            Joint::Fin { width: 0.45 },
            [0.0, high / 2.0, front + long * 0.8],
            &[
                (
                    [-half * 0.5, high * 0.2, front + long * 0.8],
                    [wide * 0.5, high * 0.6, tail * 0.4],
                    body,
                ),
                ([-0.4, 0.0, front + long * 0.8 + tail * 0.4], [0.8, high, tail * 0.6], fins),
            ],
        )
}

pub(super) fn cod(palette: Palette) -> Creature {
    build_fish([2.0, 4.0, 10.0], palette)
}

pub(super) fn salmon(palette: Palette) -> Creature {
    build_fish([3.0, 5.0, 16.0], palette)
}

pub(super) fn tropical_fish(palette: Palette) -> Creature {
    build_fish([2.0, 5.0, 6.5], palette)
}

pub(super) fn tadpole([head, _, tail]: Palette) -> Creature {
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 1.0, 0.0],
            &[
                ([-1.5, 0.0, -3.0], [3.0, 2.0, 3.0], head),
                ([-1.6, 1.0, -2.8], [0.4, 0.6, 0.6], 0xf2f2f2),
                ([1.2, 1.0, -2.8], [0.4, 0.6, 0.6], 0xf2f2f2),
            ],
        )
        .with_part(
            Joint::Fin { width: 0.45 },
            [0.0, 1.0, 0.0],
            &[([-0.2, 0.0, 0.0], [0.4, 2.0, 7.0], tail)],
        )
}

pub(super) fn dolphin(palette: Palette) -> Creature {
    let mut dolphin = build_fish([8.0, 7.0, 24.0], palette);
    let beak = Creature::new().with_part(
        Joint::Body,
        [0.0, 3.5, 0.0],
        &[([-1.0, 0.7, -16.0], [2.0, 2.0, 4.0], darken(palette[0], 0.1))],
    );
    dolphin.parts.extend(beak.parts);
    dolphin
}

pub(super) fn pufferfish([yellow, body, fins]: Palette) -> Creature {
    let mut boxes = vec![([-4.0, 1.0, -4.0], [8.0, 8.0, 8.0], body)];
    for (x, y) in [(-4.0, 9.0), (3.0, 9.0), (-4.0, 0.0), (3.0, 0.0)] {
        boxes.push(([x, y, -4.0], [1.0, 1.0, 1.0], yellow));
        boxes.push(([x, y, 3.0], [1.0, 1.0, 1.0], yellow));
    }
    boxes.extend([
        ([-5.0, 4.0, -1.0], [1.0, 2.0, 2.0], fins),
        ([4.0, 4.0, -1.0], [1.0, 2.0, 2.0], fins),
        ([-3.0, 6.0, -4.2], [2.0, 1.5, 1.0], EYES),
        ([1.0, 6.0, -4.2], [2.0, 1.5, 1.0], EYES),
    ]);
    Creature::new().with_part(Joint::Body, [0.0, 5.0, 0.0], &boxes)
}

pub(super) fn squid([body, _, arms]: Palette) -> Creature {
    let mut boxes = vec![
        ([-6.0, 9.0, -6.0], [12.0, 16.0, 12.0], body),
        ([-4.0, 13.0, -6.2], [2.5, 3.0, 1.0], 0xf0f0f0),
        ([1.5, 13.0, -6.2], [2.5, 3.0, 1.0], 0xf0f0f0),
    ];
    for arm in 0..8 {
        let angle = std::f32::consts::FRAC_PI_4 * arm as f32;
        let (x, z) = (angle.cos() * 4.8, angle.sin() * 4.8);
        boxes.push(([x - 1.0, 0.0, z - 1.0], [2.0, 9.0, 2.0], arms));
    }
    Creature::new().with_part(Joint::Body, [0.0, 9.0, 0.0], &boxes)
}

pub(super) fn guardian([body, _, spikes]: Palette) -> Creature {
    let spike = |corner: [f32; 3], size: [f32; 3]| (corner, size, spikes);
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 8.0, 0.0],
            &[
                ([-6.0, 3.0, -8.0], [12.0, 12.0, 16.0], body),
                ([-8.0, 5.0, -6.0], [16.0, 8.0, 12.0], body),
                ([-2.5, 7.0, -8.4], [5.0, 5.0, 1.0], 0xf2e8da),
                ([-1.0, 8.5, -8.7], [2.0, 2.0, 1.0], 0xb02e26),
                spike([-1.0, 15.0, -1.0], [2.0, 4.0, 2.0]),
                spike([-1.0, 0.0, -1.0], [2.0, 3.0, 2.0]),
                spike([8.0, 8.0, -1.0], [4.0, 2.0, 2.0]),
                spike([-12.0, 8.0, -1.0], [4.0, 2.0, 2.0]),
                spike([5.0, 14.0, 4.0], [2.0, 4.0, 2.0]),
                spike([-7.0, 14.0, 4.0], [2.0, 4.0, 2.0]),
            ],
        )
        .with_part(
            Joint::Fin { width: 0.3 },
            [0.0, 9.0, 8.0],
            &[
                ([-2.0, 7.0, 8.0], [4.0, 4.0, 8.0], body),
                ([-0.5, 4.5, 16.0], [1.0, 9.0, 6.0], spikes),
            ],
        )
}

pub(super) fn nautilus([body, shell, stripe]: Palette) -> Creature {
    Creature::new().with_part(
        Joint::Body,
        [0.0, 4.0, 0.0],
        &[
            ([-5.0, 2.0, -2.0], [10.0, 12.0, 12.0], shell),
            ([-5.1, 12.0, 0.0], [10.2, 2.1, 8.0], stripe),
            ([-5.1, 5.0, 8.0], [10.2, 6.0, 2.1], stripe),
            ([-4.0, 1.0, -7.0], [8.0, 6.0, 6.0], body),
            ([-3.5, 0.0, -11.0], [1.5, 1.5, 5.0], body),
            ([2.0, 0.0, -11.0], [1.5, 1.5, 5.0], body),
            ([-4.2, 4.0, -6.0], [0.5, 1.5, 1.5], EYES),
            ([3.7, 4.0, -6.0], [0.5, 1.5, 1.5], EYES),
        ],
    )
}
