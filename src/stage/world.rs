//! What is there without a recording: the grid and the light.

use bevy::{
    dev_tools::infinite_grid::{InfiniteGrid, InfiniteGridSettings},
    prelude::*,
};

use super::{Staged, Survey, View, staged::visible};

/// How far the grid is seen, in its own squares.
const GRID_FADES_AT: f32 = 90.0;

/// The size of the smallest squares of the grid under something of this extent, in metres.
pub(super) fn metres_per_square(survey: &Survey) -> f32 {
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

/// Puts the grid under what is on the stage.
pub(super) fn lay_grid(
    mut grids: Query<
        (&mut Transform, &mut Visibility, &mut InfiniteGridSettings),
        With<InfiniteGrid>,
    >,
    staged: Res<Staged>,
    view: Res<View>,
) {
    for (mut transform, mut visibility, mut settings) in &mut grids {
        visibility.set_if_neq(visible(view.grid));
        if staged.is_changed() {
            transform.translation = Vec3::Y * staged.survey.floor as f32;
            *settings = grid_settings(metres_per_square(&staged.survey));
        }
    }
}

/// Three lights that go with the camera, so that no side of a hand is ever dark.
pub(super) fn lights() -> [(DirectionalLight, Transform); 3] {
    let light = |color: u32, illuminance, from: Vec3| {
        let [_, red, green, blue] = color.to_be_bytes();
        let color = Color::srgb_u8(red, green, blue);
        let light = DirectionalLight { color, illuminance, ..default() };
        (light, Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y))
    };
    [
        light(0xfff6ea, 2100.0, Vec3::new(-0.7, 1.0, 0.9)),
        light(0xdfe8ff, 700.0, Vec3::new(1.0, 0.1, 0.6)),
        light(0xffffff, 900.0, Vec3::new(0.3, 0.6, -1.0)),
    ]
}
