//! Arrows and other projectiles. They point along −Z, the direction of flight.

use glam::Vec3;

use super::{
    super::shape::{Rgb, darken},
    bipeds::Palette,
    figure::{Creature, Joint},
};

/// Builds an arrow of the game's length: 16 units of 0.05625 m. The entity's position is 4 units
/// behind the tip.
pub(super) fn arrow([shaft, head, feathers]: Palette) -> Creature {
    let arrow = Creature::new().with_part(
        Joint::Body,
        [0.0; 3],
        &[
            ([-0.4, -0.4, -2.0], [0.8, 0.8, 13.0], shaft),
            ([-1.0, -1.0, -4.0], [2.0, 2.0, 2.4], head),
            ([-0.15, -2.0, 8.5], [0.3, 4.0, 3.5], feathers),
            ([-2.0, -0.15, 8.5], [4.0, 0.3, 3.5], feathers),
        ],
    );
    Creature { scale: 0.05625, ..arrow }
}

pub(super) fn trident([pole, spikes, _]: Palette) -> Creature {
    Creature::new().with_part(
        Joint::Body,
        [0.0; 3],
        &[
            ([-0.5, -0.5, 2.0], [1.0, 1.0, 25.0], pole),
            ([-1.5, -0.5, 0.0], [3.0, 1.0, 2.0], spikes),
            ([-2.5, -0.5, -3.0], [1.0, 1.0, 4.0], spikes),
            ([-0.5, -0.5, -4.0], [1.0, 1.0, 4.0], spikes),
            ([1.5, -0.5, -3.0], [1.0, 1.0, 4.0], spikes),
        ],
    )
}

fn build_ball(color: Rgb, core: Rgb, middle: f32) -> Creature {
    let boxes = [[4.0, 4.0, 2.4], [4.0, 2.4, 4.0], [2.4, 4.0, 4.0]].map(|size| {
        let min = Vec3::new(0.0, middle, 0.0) - Vec3::from(size) / 2.0;
        (min.to_array(), size, color)
    });
    let inner = ([-1.55, middle - 1.55, -1.55], [3.1; 3], core);
    Creature::new().with_part(Joint::Body, [0.0; 3], &[boxes[0], boxes[1], boxes[2], inner])
}

pub(super) fn thrown([color, core, _]: Palette) -> Creature {
    build_ball(color, core, 2.0)
}

pub(super) fn bottle([glass, liquid, cork]: Palette) -> Creature {
    Creature::new().with_part(
        Joint::Body,
        [0.0; 3],
        &[
            ([-2.0, 0.0, -2.0], [4.0, 3.0, 4.0], liquid),
            ([-0.8, 3.0, -0.8], [1.6, 1.2, 1.6], glass),
            ([-0.6, 4.2, -0.6], [1.2, 0.8, 1.2], cork),
        ],
    )
}

pub(super) fn rocket([paper, tip, stick]: Palette) -> Creature {
    Creature::new().with_part(
        Joint::Body,
        [0.0; 3],
        &[
            ([-1.0, 1.0, -3.0], [2.0, 2.0, 6.0], paper),
            ([-0.6, 1.4, -4.2], [1.2, 1.2, 1.2], tip),
            ([-0.3, 0.4, 0.0], [0.6, 0.6, 6.0], stick),
            ([-0.1, 0.0, -1.0], [0.2, 4.0, 1.0], darken(paper, 0.2)),
        ],
    )
}
