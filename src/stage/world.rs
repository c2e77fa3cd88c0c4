//! What is there without a recording: the grid.

use bevy::{
    dev_tools::infinite_grid::{InfiniteGrid, InfiniteGridSettings},
    prelude::*,
};

use super::{
    motion_bounds::MotionBounds,
    subject::{Subjects, visible},
};
use crate::recording::Recording;

/// How far the grid is seen, in its own squares.
const GRID_FADES_AT: f32 = 90.0;

/// The size of the smallest squares of the grid under something of this extent, in metres.
pub(super) fn metres_per_square(survey: &MotionBounds) -> f32 {
    let [least, most] = survey.bounds();
    match (most - least).length() {
        ..8.0 => 0.1,
        ..80.0 => 1.0,
        _ => 10.0,
    }
}

/// Lays the grid.
pub(super) fn spawn_grid(mut commands: Commands) {
    commands.spawn((Name::new("Grid"), InfiniteGrid, grid_settings(0.1)));
}

fn grid_settings(metres_per_square: f32) -> InfiniteGridSettings {
    InfiniteGridSettings {
        x_axis_color: Color::srgb_u8(0x6e, 0x46, 0x4c),
        z_axis_color: Color::srgb_u8(0x41, 0x55, 0x7d),
        minor_line_color: Color::srgb_u8(0x2b, 0x2f, 0x37),
        major_line_color: Color::srgb_u8(0x41, 0x47, 0x53),
        fadeout_distance: GRID_FADES_AT * metres_per_square,
        dot_fadeout_strength: 0.2,
        scale: 1.0 / metres_per_square,
    }
}

/// The grid, and what changes about it.
type Grid<'a> = (&'a mut Transform, &'a mut Visibility, &'a mut InfiniteGridSettings);

/// Puts the grid under what is on the stage.
pub(super) fn lay_grid(
    mut grids: Query<Grid, (With<InfiniteGrid>, Without<Recording>)>,
    mut laid: Local<Option<(Vec3, f32)>>,
    subjects: Subjects,
) {
    let reference = subjects.reference().map(|subject| subject.staged);
    let wanted = reference.map(|staged| {
        let floor = Vec3::Y * staged.bounds.floor as f32;
        (staged.space.transform_point(floor), metres_per_square(&staged.bounds))
    });
    for (mut transform, mut visibility, mut settings) in &mut grids {
        visibility.set_if_neq(visible(subjects.view.grid));
        if let Some((floor, square)) = wanted.filter(|_| *laid != wanted) {
            transform.translation = floor;
            *settings = grid_settings(square);
        }
    }
    *laid = wanted;
}
