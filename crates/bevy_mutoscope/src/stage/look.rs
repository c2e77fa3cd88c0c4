//! The colours, meshes and materials of the stage. Each is created once and shared.

use bevy::prelude::*;

use super::{head_shape, material::Paint, theme::StageTheme};
use crate::stage::Tint;
use mutoscope_core::clip::Side;

pub(super) const SELECTION: Color = rgb(0xffb454);
pub(super) const AXES: [Color; 3] = [rgb(0xe8636f), rgb(0x86c95c), rgb(0x5f93f0)];
pub(super) const GHOST_BEFORE: Color = rgb(0x6f8fb8);
pub(super) const GHOST_AFTER: Color = rgb(0xb89a6f);
pub(super) const REST_POSE: Color = rgb(0x6b7380);
pub(super) const HOVERED_POSE: Color = rgb(0x8d7a5c);
pub(super) const HEAD_LINES: Color = rgb(0xa9b2c0);

pub(super) const MATCH: Color = rgb(0xb9d957);
pub(super) const AREA: Color = rgb(0x7d8fa8);
pub(super) const AREA_LOOKED_AT: Color = rgb(0x7fe3c4);

pub(super) const LEFT: Color = rgb(0x5aa9ff);
pub(super) const RIGHT: Color = rgb(0xff7a90);
const LOCATOR: Color = rgb(0xb79cf5);
const GAZE: Color = rgb(0x7fe3c4);
const HEAD: Color = rgb(0x9aa3b1);
const VISOR: Color = rgb(0x15171b);
const PINCH: Color = rgb(0xffe2b0);

const FADED_ALPHA: f32 = 0.2;

/// The length of a drawn ray, in metres.
const RAY_LENGTH: f32 = 2.5;
const RAY_RADIUS: f32 = 0.0015;

/// Returns the colour of the limbs on a side, in sRGB.
pub fn side_color(side: Side) -> [u8; 3] {
    let color = match side {
        Side::Left => LEFT,
        Side::Right => RIGHT,
    };
    color.to_srgba().to_u8_array_no_alpha()
}

pub(super) const fn rgb(digits: u32) -> Color {
    const fn part(digits: u32, shift: u32) -> f32 {
        ((digits >> shift) & 0xff) as f32 / 255.0
    }
    Color::Srgba(Srgba::rgb(part(digits, 16), part(digits, 8), part(digits, 0)))
}

#[derive(Clone, Debug)]
pub(super) struct TintedMaterials {
    pub(super) solid: Handle<Paint>,
    pub(super) faded: Handle<Paint>,
}

#[derive(Resource, Debug)]
pub(super) struct Look {
    /// A sphere of radius 1.
    pub(super) ball: Handle<Mesh>,
    pub(super) large_ball: Handle<Mesh>,
    pub(super) cube: Handle<Mesh>,
    /// A bone along Y of length and radius 1, centred at the origin, and thinner at its far end.
    pub(super) bone: Handle<Mesh>,
    /// An octahedron whose corners have the distance 1 from its centre. It represents a locator.
    pub(super) octahedron: Handle<Mesh>,
    /// A ray along −Z with its final length and thickness.
    pub(super) ray: Handle<Mesh>,
    /// A skull with the eyes at the origin.
    pub(super) skull: Handle<Mesh>,
    /// A neck along Y of height 1, with the radius 1 at its upper end.
    pub(super) neck: Handle<Mesh>,
    /// A ring of radius 1 around Y.
    pub(super) band: Handle<Mesh>,
    pub(super) pinch: Handle<Paint>,
    pub(super) selected: Handle<Paint>,
    untinted: MaterialSet,
}

#[derive(Clone, Debug)]
pub(super) struct MaterialSet {
    pub(super) head: TintedMaterials,
    pub(super) visor: TintedMaterials,
    pub(super) gaze: TintedMaterials,
    pub(super) locator: TintedMaterials,
    joints: [TintedMaterials; 3],
    bones: [TintedMaterials; 3],
    bodies: [TintedMaterials; 3],
}

impl MaterialSet {
    fn new(tint: Tint, materials: &mut Assets<Paint>) -> Self {
        let mut add = |paint: Paint| add_materials(materials, paint);
        let with_tint = |color: Color| tint.0.unwrap_or(color);
        let neutral = StageTheme::default().colors().neutral;
        let sides = [LEFT, RIGHT, neutral].map(with_tint);
        Self {
            bodies: SIDES.map(|side| add(plastic(with_tint(body_color(side, neutral))))),
            joints: sides.map(|color| add(plastic(joint_color(color)))),
            bones: sides.map(|color| add(plastic(color))),
            head: add(plastic(with_tint(HEAD))),
            visor: add(Paint { gloss: 0.5, ..plastic(VISOR) }),
            locator: add(plastic(with_tint(LOCATOR))),
            gaze: add(Paint { transparent: true, ..glowing(with_tint(GAZE)) }),
        }
    }

    pub(super) fn joint(&self, side: Option<Side>) -> &TintedMaterials {
        &self.joints[side_index(side)]
    }

    /// Returns the materials of a mannequin's part.
    pub(super) fn body(&self, side: Option<Side>) -> &TintedMaterials {
        &self.bodies[side_index(side)]
    }

    pub(super) fn bone(&self, side: Option<Side>) -> &TintedMaterials {
        &self.bones[side_index(side)]
    }
}

pub(super) fn mix_with_tint(tint: Tint, color: Color) -> Color {
    const OWN_COLOR_SHARE: f32 = 0.3;
    tint.0.map_or(color, |tint| tint.mix(&color, OWN_COLOR_SHARE).with_alpha(color.alpha()))
}

impl Look {
    pub(super) fn create(
        mut commands: Commands,
        mut meshes: ResMut<Assets<Mesh>>,
        mut materials: ResMut<Assets<Paint>>,
    ) {
        let bone = ConicalFrustum { radius_bottom: 1.0, radius_top: 0.72, height: 1.0 };
        let neck = ConicalFrustum { radius_bottom: 1.12, radius_top: 1.0, height: 1.0 };
        commands.insert_resource(Self {
            ball: meshes.add(Sphere::new(1.0).mesh().uv(16, 10)),
            large_ball: meshes.add(Sphere::new(1.0).mesh().uv(32, 20)),
            cube: meshes.add(Cuboid::from_length(1.0)),
            bone: meshes.add(bone.mesh().resolution(10)),
            octahedron: meshes.add(octahedron()),
            ray: meshes.add(ray()),
            skull: meshes.add(head_shape::skull()),
            neck: meshes.add(neck.mesh().resolution(24)),
            band: meshes.add(Torus { minor_radius: 0.07, major_radius: 1.0 }),
            pinch: materials.add(glowing(PINCH)),
            selected: materials.add(plastic(SELECTION)),
            untinted: MaterialSet::new(Tint::default(), &mut materials),
        });
    }

    /// Changes the colour of untinted parts that are painted in the neutral colour, or in a mixture
    /// with it.
    pub(super) fn paint_neutral(&self, color: Color, materials: &mut Assets<Paint>) {
        let Self { untinted, .. } = self;
        let bodies = SIDES.map(|side| (untinted.body(side), body_color(side, color)));
        let bones = [(untinted.joint(None), joint_color(color)), (untinted.bone(None), color)];
        for (TintedMaterials { solid, faded }, color) in bones.into_iter().chain(bodies) {
            for (material, alpha) in [(solid, 1.0), (faded, FADED_ALPHA)] {
                if let Some(mut paint) = materials.get_mut(material) {
                    paint.color = color.with_alpha(alpha).to_linear();
                }
            }
        }
    }

    pub(super) fn material_set_for(
        &self,
        tint: Tint,
        materials: &mut Assets<Paint>,
    ) -> MaterialSet {
        match tint {
            Tint(None) => self.untinted.clone(),
            tint => MaterialSet::new(tint, materials),
        }
    }
}

/// The sides in the order of [`side_index`].
const SIDES: [Option<Side>; 3] = [Some(Side::Left), Some(Side::Right), None];

fn side_index(side: Option<Side>) -> usize {
    match side {
        Some(Side::Left) => 0,
        Some(Side::Right) => 1,
        None => 2,
    }
}

/// Returns the colour of a mannequin's part. The sides are only tinted, so that the body looks like
/// one figure.
fn body_color(side: Option<Side>, neutral: Color) -> Color {
    const SIDE_SHARE: f32 = 0.5;
    match side {
        Some(Side::Left) => neutral.mix(&LEFT, SIDE_SHARE),
        Some(Side::Right) => neutral.mix(&RIGHT, SIDE_SHARE),
        None => neutral,
    }
}

fn joint_color(bone: Color) -> Color {
    bone.mix(&Color::WHITE, 0.35)
}

pub(super) fn plastic(color: Color) -> Paint {
    Paint { gloss: 0.06, ..Paint::matte(color) }
}

fn glowing(color: Color) -> Paint {
    Paint { lit: 0.0, gloss: 0.0, ..plastic(color) }
}

fn add_materials(materials: &mut Assets<Paint>, paint: Paint) -> TintedMaterials {
    let color = paint.color.with_alpha(FADED_ALPHA);
    let faded = Paint { color, transparent: true, ..paint.clone() };
    TintedMaterials { solid: materials.add(paint), faded: materials.add(faded) }
}

fn octahedron() -> Mesh {
    let mut mesh = Sphere::new(1.0).mesh().uv(4, 2);
    mesh.duplicate_vertices();
    mesh.compute_flat_normals();
    mesh
}

fn ray() -> Mesh {
    let cylinder = Cylinder::new(RAY_RADIUS, RAY_LENGTH).mesh().resolution(6).segments(8).build();
    let turned = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mut mesh = cylinder.rotated_by(turned).translated_by(Vec3::NEG_Z * RAY_LENGTH / 2.0);
    let positions =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|positions| positions.as_float3());
    let along = |position: &[f32; 3]| (-position[2] / RAY_LENGTH).clamp(0.0, 1.0);
    let colors: Vec<[f32; 4]> = positions
        .unwrap_or_default()
        .iter()
        .map(|position| [1.0, 1.0, 1.0, 0.9 * (1.0 - along(position)).powf(2.0)])
        .collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    mesh
}
