//! The grid on the floor. It goes on as far as its lines are seen.

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
    look::rgb,
    motion_bounds::MotionBounds,
    subject::{Subjects, visible},
};
use crate::recording::Recording;

/// How far the grid is seen, in its own squares.
const FADES_AT: f32 = 90.0;

/// The size of the smallest squares of the grid under something of this extent, in metres.
pub(super) fn metres_per_square(survey: &MotionBounds) -> f32 {
    let [least, most] = survey.bounds();
    match (most - least).length() {
        ..8.0 => 0.1,
        ..80.0 => 1.0,
        _ => 10.0,
    }
}

/// Lines on the floor.
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
    fn new(grid: &Grid) -> Self {
        let Grid { middle, metres_per_square } = *grid;
        let fades_at = FADES_AT * metres_per_square;
        Self {
            lines: Vec4::new(middle.x, middle.z, 1.0 / metres_per_square, fades_at),
            x_axis: rgb(0x6e464c).to_linear(),
            z_axis: rgb(0x41557d).to_linear(),
            minor: rgb(0x2b2f37).to_linear(),
            major: rgb(0x414753).to_linear(),
        }
    }
}

impl Material for GridLines {
    fn fragment_shader() -> ShaderRef {
        "embedded://mutoscope/stage/grid.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        // Drawn before the ground, which shines on it.
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
        // It is seen from below, too.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// The square that the grid is drawn on, and what is there of the grid.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Where its axes cross.
    middle: Vec3,
    metres_per_square: f32,
}

/// Makes the material known to the app, and lays the grid.
pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "grid.wgsl");
    app.add_plugins(MaterialPlugin::<GridLines>::default()).add_systems(Startup, spawn);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<GridLines>>,
) {
    let grid = Grid { middle: Vec3::ZERO, metres_per_square: 0.1 };
    commands.spawn((
        Name::new("Grid"),
        grid,
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::ONE))),
        MeshMaterial3d(materials.add(GridLines::new(&grid))),
        Transform::default(),
        Visibility::default(),
    ));
}

/// Puts the grid under what is on the stage.
pub(super) fn lay(
    mut square: Single<
        (&mut Grid, &MeshMaterial3d<GridLines>, &mut Visibility),
        Without<Recording>,
    >,
    mut materials: ResMut<Assets<GridLines>>,
    subjects: Subjects,
) {
    let (grid, material, visibility) = &mut *square;
    visibility.set_if_neq(visible(subjects.view.grid));
    let Some(subject) = subjects.reference() else { return };
    let floor = Vec3::Y * subject.staged.bounds.floor as f32;
    let wanted = Grid {
        middle: subject.staged.space.transform_point(floor),
        metres_per_square: metres_per_square(&subject.staged.bounds),
    };
    if grid.set_if_neq(wanted)
        && let Some(mut lines) = materials.get_mut(&material.0)
    {
        *lines = GridLines::new(&wanted);
    }
}

/// Spreads the grid as far as the camera sees its lines.
pub(super) fn spread(
    mut square: Single<(&Grid, &mut Transform), Without<StageCamera>>,
    camera: Single<&Transform, With<StageCamera>>,
) {
    let (grid, transform) = &mut *square;
    transform.set_if_neq(square_for(grid, camera.translation));
}

/// The square below or above a camera at `eye`, as far as lines are seen from there.
fn square_for(grid: &Grid, eye: Vec3) -> Transform {
    // The shader lets them end where the distance is that at which they fade, and the height more.
    let (fades_at, height) = (FADES_AT * grid.metres_per_square, (eye.y - grid.middle.y).abs());
    let reach = (fades_at * (fades_at + 2.0 * height)).sqrt();
    Transform::from_translation(eye.with_y(grid.middle.y)).with_scale(Vec3::new(reach, 1.0, reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a line is seen at the distance `away` along the floor, as the shader says.
    fn strength(grid: &Grid, height: f32, away: f32) -> f32 {
        let far = height.hypot(away);
        let steep = height / far;
        let near = (1.0 - far / (FADES_AT * grid.metres_per_square)).min(1.0);
        (near * (1.0 - steep) + steep) * (steep / 0.2).min(1.0)
    }

    #[test]
    fn square_ends_where_no_line_is_seen() {
        let grid = Grid { middle: Vec3::new(1.0, -2.0, 3.0), metres_per_square: 0.1 };
        for height in [0.05, 1.0, 9.0, 200.0] {
            let square = square_for(&grid, Vec3::new(5.0, height - 2.0, -4.0));
            assert_eq!(square.translation, Vec3::new(5.0, -2.0, -4.0));
            assert!(strength(&grid, height, square.scale.x) < 1e-4, "{height} m above it");
            assert!(strength(&grid, height, square.scale.x * 0.4) > 1e-3, "{height} m above it");
        }
    }
}
