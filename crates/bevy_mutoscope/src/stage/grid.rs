//! Draws the grid on the floor, as far as its lines are visible.

use bevy::{
    asset::embedded_asset,
    mesh::MeshVertexBufferLayoutRef,
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    reflect::TypePath,
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

use super::{
    StageCamera,
    motion_bounds::MotionBounds,
    subject::{Subjects, visibility_if},
    theme::{StageTheme, ThemeColors},
};
use crate::Recording;

const FADE_DISTANCE_SQUARES: f32 = 90.0;

pub(super) fn metres_per_square(bounds: &MotionBounds) -> f32 {
    let [min, max] = bounds.bounds();
    match (max - min).length() {
        ..8.0 => 0.1,
        ..80.0 => 1.0,
        _ => 10.0,
    }
}

#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(super) struct GridLines {
    #[uniform(0)]
    lines: Vec4,
    #[uniform(0)]
    x_axis: LinearRgba,
    #[uniform(0)]
    z_axis: LinearRgba,
    #[uniform(0)]
    minor: LinearRgba,
    #[uniform(0)]
    major: LinearRgba,
}

impl GridLines {
    pub(super) fn new(grid: &Grid, colors: &ThemeColors) -> Self {
        let Grid { middle, metres_per_square } = *grid;
        let fade_distance = FADE_DISTANCE_SQUARES * metres_per_square;
        Self {
            lines: Vec4::new(middle.x, middle.z, 1.0 / metres_per_square, fade_distance),
            x_axis: colors.x_axis.to_linear(),
            z_axis: colors.z_axis.to_linear(),
            minor: colors.minor.to_linear(),
            major: colors.major.to_linear(),
        }
    }
}

impl Material for GridLines {
    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_mutoscope/stage/grid.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        // Draw the grid before the ground, because the light and the shadows on the ground must
        // cover the grid.
        -1000.0
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // Do not cull back faces, because the grid is visible from below too.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    middle: Vec3,
    metres_per_square: f32,
}

pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "grid.wgsl");
    app.add_plugins(MaterialPlugin::<GridLines>::default()).add_systems(Startup, spawn);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<GridLines>>,
    theme: Res<StageTheme>,
) {
    let grid = Grid { middle: Vec3::ZERO, metres_per_square: 0.1 };
    commands.spawn((
        Name::new("Grid"),
        grid,
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE))),
        MeshMaterial3d(materials.add(GridLines::new(&grid, theme.colors()))),
        Transform::default(),
        Visibility::default(),
    ));
}

pub(super) fn place_grid(
    mut square: Single<
        (&mut Grid, &MeshMaterial3d<GridLines>, &mut Visibility),
        Without<Recording>,
    >,
    mut materials: ResMut<Assets<GridLines>>,
    theme: Res<StageTheme>,
    subjects: Subjects,
) {
    let (grid, material, visibility) = &mut *square;
    visibility.set_if_neq(visibility_if(subjects.view.grid));
    let Some(subject) = subjects.reference() else { return };
    let floor = Vec3::Y * subject.staged.bounds.floor as f32;
    let new_grid = Grid {
        middle: subject.staged.space.transform_point(floor),
        metres_per_square: metres_per_square(&subject.staged.bounds),
    };
    if grid.set_if_neq(new_grid)
        && let Some(mut lines) = materials.get_mut(&material.0)
    {
        *lines = GridLines::new(&new_grid, theme.colors());
    }
}

pub(super) fn scale_to_visible_area(
    mut square: Single<(&Grid, &mut Transform), Without<StageCamera>>,
    camera: Single<&Transform, With<StageCamera>>,
) {
    let (grid, transform) = &mut *square;
    transform.set_if_neq(visible_square(grid, camera.translation));
}

fn visible_square(grid: &Grid, eye: Vec3) -> Transform {
    // The shader fades lines out at distance f + h from the camera (f: fade distance, h: camera
    // height). On the ground that is √((f + h)² − h²) = √(f (f + 2h)).
    let (fade_distance, height) =
        (FADE_DISTANCE_SQUARES * grid.metres_per_square, (eye.y - grid.middle.y).abs());
    let reach = (fade_distance * (fade_distance + 2.0 * height)).sqrt();
    Transform::from_translation(eye.with_y(grid.middle.y)).with_scale(Vec3::new(reach, 1.0, reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the opacity of a line at the distance `away` along the floor. This is the formula of
    /// the shader.
    fn line_opacity(grid: &Grid, height: f32, away: f32) -> f32 {
        let far = height.hypot(away);
        let steep = height / far;
        let near = (1.0 - far / (FADE_DISTANCE_SQUARES * grid.metres_per_square)).min(1.0);
        (near * (1.0 - steep) + steep) * (steep / 0.2).min(1.0)
    }

    #[test]
    fn grid_covers_all_visible_lines() {
        let grid = Grid { middle: Vec3::new(1.0, -2.0, 3.0), metres_per_square: 0.1 };
        for height in [0.05, 1.0, 9.0, 200.0] {
            let square = visible_square(&grid, Vec3::new(5.0, height - 2.0, -4.0));
            assert_eq!(square.translation, Vec3::new(5.0, -2.0, -4.0));
            assert!(line_opacity(&grid, height, square.scale.x) < 1e-4, "{height} m above it");
            assert!(
                line_opacity(&grid, height, square.scale.x * 0.4) > 1e-3,
                "{height} m above it"
            );
        }
    }
}
