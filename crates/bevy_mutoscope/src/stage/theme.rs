//! The colours of the background, the grid and body parts without a side, in a dark and in a light
//! window.

use bevy::prelude::*;

use super::{
    StageCamera,
    grid::{Grid, GridLines},
    look::{Look, rgb},
    material::Paint,
};

/// The brightness of the background.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StageTheme {
    /// Bright figures on a dark background.
    #[default]
    Dark,
    /// Dark figures on a bright background.
    Light,
}

pub(super) struct ThemeColors {
    pub(super) background: Color,
    /// The ground in the light.
    pub(super) ground: Color,
    /// The largest opacity of shadows on the ground.
    pub(super) shadow_opacity: f32,
    /// Joints and bones that belong to neither side.
    pub(super) neutral: Color,
    pub(super) x_axis: Color,
    pub(super) z_axis: Color,
    /// Ordinary lines of the grid.
    pub(super) minor: Color,
    /// Every tenth line of the grid.
    pub(super) major: Color,
}

const DARK: ThemeColors = ThemeColors {
    background: rgb(0x1b1d21),
    ground: rgb(0x343942),
    shadow_opacity: 0.85,
    neutral: rgb(0xd7dbe2),
    x_axis: rgb(0x6e464c),
    z_axis: rgb(0x41557d),
    minor: rgb(0x2b2f37),
    major: rgb(0x414753),
};

const LIGHT: ThemeColors = ThemeColors {
    background: rgb(0xe6e9ee),
    ground: rgb(0xf8f9fb),
    shadow_opacity: 0.5,
    neutral: rgb(0x7a8493),
    x_axis: rgb(0xd99ba1),
    z_axis: rgb(0x93abd9),
    minor: rgb(0xd3d8df),
    major: rgb(0xb6bdc8),
};

impl StageTheme {
    pub(super) fn colors(self) -> &'static ThemeColors {
        match self {
            Self::Dark => &DARK,
            Self::Light => &LIGHT,
        }
    }
}

pub(super) fn apply_theme(
    theme: Res<StageTheme>,
    look: Res<Look>,
    mut cameras: Query<&mut Camera, With<StageCamera>>,
    mut paints: ResMut<Assets<Paint>>,
    grids: Query<(&Grid, &MeshMaterial3d<GridLines>)>,
    grid_lines: Option<ResMut<Assets<GridLines>>>,
) {
    let colors = theme.colors();
    for mut camera in &mut cameras {
        camera.clear_color = ClearColorConfig::Custom(colors.background);
    }
    look.paint_neutral(colors.neutral, &mut paints);
    let Some(mut grid_lines) = grid_lines else { return };
    for (grid, material) in &grids {
        if let Some(mut lines) = grid_lines.get_mut(&material.0) {
            *lines = GridLines::new(grid, colors);
        }
    }
}
