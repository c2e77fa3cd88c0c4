//! Draws the ground: a soft light around the recordings, and soft shadows where something is near
//! the ground.
//!
//! The ground is one flat square, and a few dozen capsules cast shadows. Each capsule has a wide, soft
//! shadow, and a dark one where it touches the ground, so that a foot above the ground or a foot that
//! slides is seen at once. This is fast on any graphics card, and works without shadow maps.

use bevy::{
    asset::embedded_asset,
    math::DVec3,
    prelude::*,
    reflect::TypePath,
    render::render_resource::{AsBindGroup, ShaderType},
    shader::ShaderRef,
};

use super::{
    motion_bounds::MotionBounds,
    shadow_casters::{Caster, CasterCache},
    subject::{Subject, Subjects, visibility_if},
    theme::StageTheme,
};
use crate::Recording;

const MAX_CASTERS: usize = 32;
/// If the caster is a metre higher, the radius of its shadow grows by this length, in metres.
const SPREAD: f32 = 0.3;
/// The share of the ambient light that a capsule on the ground takes away below it.
const CONTACT_DARKNESS: f32 = 0.9;
const LIGHT_OPACITY: f32 = 0.7;
/// The radius of the lit area of the ground, relative to the size of the motion.
const LIGHT_RADIUS: f32 = 1.1;
/// The ground is this much higher than the grid, relative to the size of the motion.
const LIFT: f32 = 0.0005;

#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(super) struct Ground {
    #[uniform(0)]
    light: Vec4,
    #[uniform(0)]
    shadow: Vec4,
    #[uniform(0)]
    color: LinearRgba,
    #[uniform(0)]
    casters: [CasterUniform; MAX_CASTERS],
}

/// A capsule whose heights are relative to the ground.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
struct CasterUniform {
    /// One end, and the radius.
    start: Vec4,
    /// The vector from this end to the other, and the inverse of its squared length.
    axis: Vec4,
}

impl Material for Ground {
    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_mutoscope/stage/shadow.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        // Draw the shadow before every other transparent object except the grid.
        -500.0
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct GroundSquare;

pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "shadow.wgsl");
    app.add_plugins(MaterialPlugin::<Ground>::default()).add_systems(Startup, spawn_ground);
}

fn spawn_ground(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<Ground>>,
) {
    let ground = Ground {
        light: Vec4::ZERO,
        shadow: Vec4::ZERO,
        color: LinearRgba::NONE,
        casters: [CasterUniform::default(); MAX_CASTERS],
    };
    commands.spawn((
        Name::new("Ground"),
        GroundSquare,
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::splat(1.0)))),
        MeshMaterial3d(materials.add(ground)),
        Transform::default(),
        Visibility::Hidden,
    ));
}

type GroundQueryData<'a> = (&'a MeshMaterial3d<Ground>, &'a mut Transform, &'a mut Visibility);

pub(super) fn update_ground(
    mut square: Single<GroundQueryData, (With<GroundSquare>, Without<Recording>)>,
    mut grounds: ResMut<Assets<Ground>>,
    mut cache: Local<CasterCache>,
    subjects: Subjects,
    theme: Res<StageTheme>,
) {
    let (material, transform, visibility) = &mut *square;
    let reference = subjects.reference().filter(|_| subjects.view.grid);
    visibility.set_if_neq(visibility_if(reference.is_some()));
    let Some((reference, mut ground)) = reference.zip(grounds.get_mut(&material.0)) else { return };
    let (middle, size) = light_centre_and_size(&reference);
    let mut casters = cache.casters(&subjects);
    for caster in &mut casters {
        caster.from.y -= middle.y;
        caster.to.y -= middle.y;
    }
    let casters = strongest_casters(casters);
    ground.light = Vec4::new(middle.x, middle.z, LIGHT_RADIUS * size, LIGHT_OPACITY);
    let colors = theme.colors();
    ground.shadow =
        Vec4::new(casters.len() as f32, colors.shadow_opacity, SPREAD, CONTACT_DARKNESS);
    ground.color = colors.ground.to_linear();
    for (uniform, caster) in ground.casters.iter_mut().zip(&casters) {
        *uniform = caster_uniform(caster);
    }
    let square_transform = Transform::from_translation(middle + Vec3::Y * LIFT * size)
        .with_scale(Vec3::new(LIGHT_RADIUS * size, 1.0, LIGHT_RADIUS * size));
    transform.set_if_neq(square_transform);
}

fn light_centre_and_size(subject: &Subject<'_>) -> (Vec3, f32) {
    let (staged, bounds) = (subject.staged, &subject.staged.bounds);
    let size = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| bounds.extent(axis));
    let size = size.into_iter().fold(0.1, f64::max) as f32;
    let root = subject.clip().root_motion_node().and_then(|root| subject.node_transform(root));
    let middle = match root.filter(|_| bounds.has_long_path || subject.view.in_place) {
        Some(root) => root.translation,
        None => staged.to_world(bounds_centre(bounds)),
    };
    let floor = staged.space.transform_point(Vec3::Y * bounds.floor as f32).y;
    (middle.with_y(floor), size)
}

fn bounds_centre(bounds: &MotionBounds) -> DVec3 {
    let [min, max] = bounds.bounds();
    (min + max) / 2.0 + bounds.origin
}

fn caster_uniform(&Caster { from, to, radius }: &Caster) -> CasterUniform {
    let axis = to - from;
    let inverse = axis.length_squared().recip();
    CasterUniform {
        start: from.extend(radius),
        axis: axis.extend(if inverse.is_finite() { inverse } else { 0.0 }),
    }
}

fn strongest_casters(mut casters: Vec<Caster>) -> Vec<Caster> {
    let height = |caster: &Caster| caster.from.y.min(caster.to.y);
    let strength =
        |caster: &Caster| caster.radius / (caster.radius + SPREAD * height(caster).max(0.0));
    casters.retain(|caster| {
        caster.from.is_finite()
            && caster.to.is_finite()
            && caster.from.y.max(caster.to.y) > -2.0 * caster.radius
    });
    if casters.len() > MAX_CASTERS {
        let by_strength = |a: &Caster, b: &Caster| strength(b).total_cmp(&strength(a));
        casters.select_nth_unstable_by(MAX_CASTERS, by_strength);
        casters.truncate(MAX_CASTERS);
    }
    casters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_casters_have_the_strongest_shadows() {
        let caster = |height: f32| Caster {
            from: Vec3::Y * height,
            to: Vec3::new(0.3, height + 0.2, 0.0),
            radius: 0.1,
        };
        let all: Vec<Caster> = (0..100).map(|index| caster(index as f32 * 0.1)).collect();
        let found = strongest_casters(all);
        assert_eq!(found.len(), MAX_CASTERS);
        assert!(found.iter().all(|caster| caster.from.y < 3.25), "only casters in the lower third");
        assert_eq!(strongest_casters(vec![caster(-1.0), caster(f32::NAN), caster(-0.1)]).len(), 1);
    }

    #[test]
    fn spheres_have_a_finite_uniform() {
        let sphere = Caster { from: Vec3::Y, to: Vec3::Y, radius: 0.1 };
        let CasterUniform { start, axis } = caster_uniform(&sphere);
        assert_eq!([start, axis], [Vec4::new(0.0, 1.0, 0.0, 0.1), Vec4::ZERO]);
    }
}
