//! Four-legged figures of wild animals, and the strider.

use std::f64::consts::PI;

use super::{
    super::shape::{Rgb, darken},
    bipeds::Palette,
    figure::{Creature, Joint},
    quadrupeds::{EYES, Quadruped, add_tail},
};

pub(super) fn llama(palette: Palette) -> Creature {
    let llama = Quadruped {
        leg: [14.0, 4.0],
        stance: [3.5, 5.0, 6.0],
        body: [12.0, 10.0, 18.0],
        body_z: 1.0,
        head: [8.0, 18.0, 6.0],
        neck: [17.0, 6.0, 4.0],
        snout: [0.0; 3],
    };
    let ear = |x: f32| ([x, 31.0, -9.0], [3.0, 3.0, 2.0], palette[0]);
    let muzzle = ([-2.0, 24.0, -16.0], [4.0, 4.0, 6.0], darken(palette[0], 0.15));
    llama.build(palette, &[ear(-4.0), ear(1.0), muzzle])
}

pub(super) fn camel(palette: Palette) -> Creature {
    let camel = Quadruped {
        leg: [21.0, 5.0],
        stance: [5.0, 9.0, 10.0],
        body: [15.0, 12.0, 27.0],
        body_z: 0.0,
        head: [7.0, 6.0, 9.0],
        neck: [24.0, 13.0, -12.0],
        snout: [5.0, 4.0, 5.0],
    };
    let neck = ([-3.5, 18.0, -20.0], [7.0, 19.0, 7.0], palette[0]);
    let hump = Creature::new().with_part(
        Joint::Body,
        [0.0, 30.0, 0.0],
        &[([-4.5, 33.0, -5.0], [9.0, 5.0, 11.0], darken(palette[1], 0.1))],
    );
    let mut camel = camel.build(palette, &[neck]);
    camel.parts.extend(hump.parts);
    camel
}

pub(super) fn bear(palette: Palette) -> Creature {
    let bear = Quadruped {
        leg: [10.0, 5.0],
        stance: [4.0, 6.0, 7.0],
        body: [14.0, 12.0, 24.0],
        body_z: 1.0,
        head: [8.0, 7.0, 7.0],
        neck: [15.0, 11.0, 3.0],
        snout: [5.0, 3.0, 3.0],
    };
    let ear = |x: f32| ([x, 18.5, -14.0], [2.5, 2.5, 1.0], darken(palette[2], 0.1));
    bear.build(palette, &[ear(-5.0), ear(2.5)])
}

pub(super) fn panda(palette: Palette) -> Creature {
    let [white, _, black] = palette;
    let mut panda = bear(palette);
    let eyes = Creature::new().with_part(
        Joint::Head,
        [0.0, 15.0, -11.0],
        &[
            ([-3.6, 15.0, -18.3], [2.4, 2.4, 1.0], black),
            ([1.2, 15.0, -18.3], [2.4, 2.4, 1.0], black),
            ([-2.5, 12.0, -20.0], [5.0, 3.0, 0.5], white),
        ],
    );
    panda.parts.extend(eyes.parts);
    panda
}

pub(super) fn hog(palette: Palette) -> Creature {
    const TUSK: Rgb = 0xe9e2cf;
    let hog = Quadruped {
        leg: [10.0, 6.0],
        stance: [5.0, 8.0, 9.0],
        body: [16.0, 13.0, 26.0],
        body_z: 1.0,
        head: [14.0, 7.0, 15.0],
        neck: [18.0, 10.0, 5.0],
        snout: [0.0; 3],
    };
    hog.build(
        palette,
        &[
            ([-8.5, 12.0, -25.0], [2.0, 9.0, 2.0], TUSK),
            ([6.5, 12.0, -25.0], [2.0, 9.0, 2.0], TUSK),
            ([-9.5, 17.5, -12.0], [3.0, 1.5, 4.0], palette[0]),
            ([6.5, 17.5, -12.0], [3.0, 1.5, 4.0], palette[0]),
        ],
    )
}

pub(super) fn ravager(palette: Palette) -> Creature {
    const HORN: Rgb = 0xc9c0b0;
    let ravager = Quadruped {
        leg: [18.0, 8.0],
        stance: [8.0, 8.0, 14.0],
        body: [16.0, 17.0, 26.0],
        body_z: 4.0,
        head: [16.0, 17.0, 16.0],
        neck: [28.0, 12.0, 10.0],
        snout: [4.0, 8.0, 4.0],
    };
    ravager.build(
        palette,
        &[
            ([-10.0, 30.0, -24.0], [2.0, 8.0, 4.0], HORN),
            ([8.0, 30.0, -24.0], [2.0, 8.0, 4.0], HORN),
        ],
    )
}

pub(super) fn sniffer(palette: Palette) -> Creature {
    let sniffer = Quadruped {
        leg: [8.0, 6.0],
        stance: [9.0, 12.0, 12.0],
        body: [25.0, 20.0, 36.0],
        body_z: 0.0,
        head: [13.0, 14.0, 10.0],
        neck: [15.0, 18.0, 6.0],
        snout: [9.0, 4.0, 5.0],
    };
    sniffer.build(palette, &[])
}

pub(super) fn turtle(palette: Palette) -> Creature {
    let turtle = Quadruped {
        leg: [1.5, 4.0],
        stance: [8.0, 8.0, 10.0],
        body: [19.0, 6.0, 20.0],
        body_z: 0.0,
        head: [6.0, 5.0, 6.0],
        neck: [4.0, 10.0, 2.5],
        snout: [0.0; 3],
    };
    turtle.build(palette, &[])
}

pub(super) fn armadillo(palette: Palette) -> Creature {
    let armadillo = Quadruped {
        leg: [3.0, 2.0],
        stance: [2.5, 3.0, 4.0],
        body: [8.0, 8.0, 12.0],
        body_z: 0.0,
        head: [3.0, 3.0, 5.0],
        neck: [5.5, 6.0, 1.5],
        snout: [0.0; 3],
    };
    let ear = |x: f32| ([x, 6.5, -8.0], [1.5, 2.5, 0.5], darken(palette[0], 0.2));
    add_tail(
        armadillo.build(palette, &[ear(-2.0), ear(0.5)]),
        [0.0, 5.0, 6.0],
        [1.0, 4.0, 1.0],
        palette[0],
    )
}

pub(super) fn rabbit(palette: Palette) -> Creature {
    let rabbit = Quadruped {
        leg: [3.0, 2.0],
        stance: [2.0, 2.0, 3.0],
        body: [6.0, 5.0, 9.0],
        body_z: 0.5,
        head: [5.0, 4.0, 5.0],
        neck: [8.0, 3.0, 1.0],
        snout: [0.0; 3],
    };
    let ear = |x: f32| ([x, 11.0, -4.5], [1.5, 4.0, 1.0], palette[0]);
    add_tail(
        rabbit.build(palette, &[ear(-2.0), ear(0.5)]),
        [0.0, 7.5, 5.0],
        [2.5, 2.5, 2.0],
        0xf2ece2,
    )
}

pub(super) fn frog(palette: Palette) -> Creature {
    let frog = Quadruped {
        leg: [2.0, 3.0],
        stance: [3.5, 3.0, 3.0],
        body: [7.0, 3.0, 8.0],
        body_z: 0.0,
        head: [7.0, 2.5, 6.0],
        neck: [5.0, -2.0, 0.0],
        snout: [0.0; 3],
    };
    let eye = |x: f32| ([x, 7.0, -2.5], [2.0, 1.5, 2.0], 0xe8d98a);
    frog.build(palette, &[eye(-3.5), eye(1.5)])
}

pub(super) fn axolotl(palette: Palette) -> Creature {
    let axolotl = Quadruped {
        leg: [1.5, 1.5],
        stance: [3.0, 3.5, 3.5],
        body: [6.0, 3.0, 9.0],
        body_z: 0.0,
        head: [7.0, 4.5, 5.0],
        neck: [3.0, 4.5, 2.0],
        snout: [0.0; 3],
    };
    let gill = |x: f32| ([x, 1.5, -5.5], [2.5, 5.0, 0.6], palette[2]);
    add_tail(
        axolotl.build(palette, &[gill(-6.0), gill(3.5)]),
        [0.0, 5.0, 4.5],
        [0.8, 4.0, 9.0],
        palette[1],
    )
}

pub(super) fn strider([head, _, legs]: Palette) -> Creature {
    let step = |is_right: bool| Joint::Leg {
        swing: 1.0,
        phase: if is_right { 0.0 } else { PI },
        is_right,
    };
    Creature::new()
        .with_part(
            Joint::Body,
            [0.0, 16.0, 0.0],
            &[
                ([-8.0, 13.0, -8.0], [16.0, 14.0, 16.0], head),
                ([-5.5, 19.0, -8.2], [2.0, 2.0, 1.0], EYES),
                ([3.5, 19.0, -8.2], [2.0, 2.0, 1.0], EYES),
                ([-4.0, 15.5, -8.2], [8.0, 1.0, 1.0], darken(head, 0.4)),
            ],
        )
        .with_mirrored_parts(step, [4.0, 13.0, 0.0], &[([2.0, 0.0, -2.0], [4.0, 13.0, 4.0], legs)])
}
