//! The ground under what is on the stage: lighter around it, and with a soft shadow where something
//! is near, so that things stand on it. One flat square and a few dozen balls that cast: it costs
//! next to nothing on any graphics card, and works where there are no shadow maps.

use bevy::{
    asset::embedded_asset, math::DVec3, prelude::*, reflect::TypePath,
    render::render_resource::AsBindGroup, shader::ShaderRef,
};

use super::{
    look::rgb,
    motion_bounds::MotionBounds,
    shadow_casters::{Bodies, Caster},
    subject::{Subject, Subjects, visible},
};
use crate::recording::Recording;

/// How many balls cast a shadow at most: those whose shadows are strongest.
const MOST_CASTERS: usize = 32;
/// How much a shadow grows with the height of what casts it.
const SPREAD: f32 = 0.3;
/// How fast a shadow pales as it grows: 2 as light does that comes from everywhere alike.
const PALING: f32 = 1.5;
/// How dark a shadow gets.
const DARKNESS: f32 = 0.85;
/// The ground in the light, and how strong that is.
const GROUND: Color = rgb(0x343942);
const LIGHT: f32 = 0.7;
/// How far the light reaches, over the size of what is on the stage.
const REACH: f32 = 1.1;
/// The height of the shadows above the grid, over the size of what is on the stage.
const LIFT: f32 = 0.0005;

/// The ground in its light and shadow.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(super) struct Ground {
    #[uniform(0)]
    light: Vec4,
    #[uniform(0)]
    shadow: Vec4,
    #[uniform(0)]
    color: LinearRgba,
    #[uniform(0)]
    shadows: [Vec4; MOST_CASTERS],
}

impl Material for Ground {
    fn fragment_shader() -> ShaderRef {
        "embedded://mutoscope/stage/shadow.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        // Drawn before all else that something shows through.
        -500.0
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Marks the square that the ground is drawn on.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct GroundSquare;

/// Makes the material known to the app, and lays the ground.
pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "shadow.wgsl");
    app.add_plugins(MaterialPlugin::<Ground>::default()).add_systems(Startup, lay);
}

fn lay(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<Ground>>,
) {
    let ground = Ground {
        light: Vec4::ZERO,
        shadow: Vec4::ZERO,
        color: GROUND.to_linear(),
        shadows: [Vec4::ZERO; MOST_CASTERS],
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

/// The square, and what changes about it.
type Square<'a> = (&'a MeshMaterial3d<Ground>, &'a mut Transform, &'a mut Visibility);

/// Lays the ground under what is on the stage and lets all of it cast its shadow.
pub(super) fn cast(
    mut square: Single<Square, (With<GroundSquare>, Without<Recording>)>,
    mut grounds: ResMut<Assets<Ground>>,
    mut bodies: Local<Bodies>,
    subjects: Subjects,
) {
    let (material, transform, visibility) = &mut *square;
    let reference = subjects.reference().filter(|_| subjects.view.grid);
    visibility.set_if_neq(visible(reference.is_some()));
    let Some((reference, mut ground)) = reference.zip(grounds.get_mut(&material.0)) else { return };
    let (middle, size) = lit(&reference);
    let mut casters = bodies.casters(&subjects);
    casters.iter_mut().for_each(|caster| caster.at.y -= middle.y);
    let casters = strongest(casters);
    ground.light = Vec4::new(middle.x, middle.z, REACH * size, LIGHT);
    ground.shadow = Vec4::new(casters.len() as f32, DARKNESS, 0.0, 0.0);
    for (shadow, caster) in ground.shadows.iter_mut().zip(&casters) {
        *shadow = shadow_of(caster);
    }
    let place = Transform::from_translation(middle + Vec3::Y * LIFT * size).with_scale(Vec3::new(
        REACH * size,
        1.0,
        REACH * size,
    ));
    transform.set_if_neq(place);
}

/// The middle of the light on the ground, and the size of what is in it: of what moves, or of what is
/// around the root of something that goes far.
fn lit(subject: &Subject<'_>) -> (Vec3, f32) {
    let (staged, bounds) = (subject.staged, &subject.staged.bounds);
    let size = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| bounds.extent(axis));
    let size = size.into_iter().fold(0.1, f64::max) as f32;
    let root = subject.clip().root_motion_node().and_then(|root| subject.transform(root));
    let middle = match root.filter(|_| bounds.goes_far || subject.view.in_place) {
        Some(root) => root.translation,
        None => staged.point(middle_of(bounds)),
    };
    let floor = staged.space.transform_point(Vec3::Y * bounds.floor as f32).y;
    (middle.with_y(floor), size)
}

fn middle_of(bounds: &MotionBounds) -> DVec3 {
    let [least, most] = bounds.bounds();
    (least + most) / 2.0 + bounds.origin
}

/// The shadow of a ball, as the shader takes it: it grows and pales with the height of the ball.
fn shadow_of(Caster { at, radius }: &Caster) -> Vec4 {
    /// The square of the radius beyond which there is nothing of a shadow, over that of its size.
    const WITHIN: f32 = 2.4;
    let size = radius + SPREAD * at.y.max(0.0);
    Vec4::new(at.x, at.z, 1.0 / (WITHIN * size * size), (radius / size).powf(PALING))
}

/// The casters with the strongest shadows, among those that are not below the ground.
fn strongest(mut casters: Vec<Caster>) -> Vec<Caster> {
    let strength =
        |caster: &Caster| caster.radius / (caster.radius + SPREAD * caster.at.y.max(0.0));
    casters.retain(|caster| caster.at.is_finite() && caster.at.y > -2.0 * caster.radius);
    if casters.len() > MOST_CASTERS {
        let by_strength = |a: &Caster, b: &Caster| strength(b).total_cmp(&strength(a));
        casters.select_nth_unstable_by(MOST_CASTERS, by_strength);
        casters.truncate(MOST_CASTERS);
    }
    casters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearest_to_the_ground_casts() {
        let ball = |height: f32| Caster { at: Vec3::Y * height, radius: 0.1 };
        let all: Vec<Caster> = (0..100).map(|index| ball(index as f32 * 0.1)).collect();
        let found = strongest(all);
        assert_eq!(found.len(), MOST_CASTERS);
        assert!(found.iter().all(|caster| caster.at.y < 3.25), "the lower third");
        let [low, high] = [0.1, 1.0].map(|height| shadow_of(&ball(height)));
        assert!(low.z > high.z && low.w > high.w, "smaller and denser: {low} {high}");
        assert_eq!(strongest(vec![ball(-1.0), ball(f32::NAN), ball(-0.1)]).len(), 1);
    }
}
