//! The colours, meshes and materials of the stage, each made once and shared.

use bevy::prelude::*;

use super::{head_shape, material::Paint};
use crate::recording::Tint;
use mutoscope_core::clip::Side;

/// The colour behind everything.
pub(super) const BACKGROUND: Color = rgb(0x1b1d21);
/// The selection.
pub(super) const SELECTION: Color = rgb(0xffb454);
/// The axes X, Y and Z.
pub(super) const AXES: [Color; 3] = [rgb(0xe8636f), rgb(0x86c95c), rgb(0x5f93f0)];
/// Poses of the time before now, and of the time after.
pub(super) const GHOST_BEFORE: Color = rgb(0x6f8fb8);
pub(super) const GHOST_AFTER: Color = rgb(0xb89a6f);
/// The skeleton as it rests.
pub(super) const GHOST: Color = rgb(0x6b7380);
/// The outline of another time.
pub(super) const HOVERED: Color = rgb(0x8d7a5c);
/// The lines of the head's view.
pub(super) const HEAD_LINES: Color = rgb(0xa9b2c0);

/// The line between matched joints of two recordings.
pub(super) const MATCH: Color = rgb(0xb9d957);
/// Areas of interest, and those that a gaze is on.
pub(super) const AREA: Color = rgb(0x7d8fa8);
pub(super) const AREA_LOOKED_AT: Color = rgb(0x7fe3c4);

/// Left and right limbs.
pub(super) const LEFT: Color = rgb(0x5aa9ff);
pub(super) const RIGHT: Color = rgb(0xff7a90);
const NEUTRAL: Color = rgb(0xd7dbe2);
const LOCATOR: Color = rgb(0xb79cf5);
const GAZE: Color = rgb(0x7fe3c4);
const HEAD: Color = rgb(0x9aa3b1);
const VISOR: Color = rgb(0x15171b);
const PINCH: Color = rgb(0xffe2b0);

/// How visible something is that is shown although it is not tracked.
const FADED_ALPHA: f32 = 0.2;

/// How far a ray is drawn, in metres.
const RAY_LENGTH: f32 = 2.5;
const RAY_RADIUS: f32 = 0.0015;

/// The colour of the limbs on a side, in sRGB.
pub fn side_color(side: Side) -> [u8; 3] {
    let color = match side {
        Side::Left => LEFT,
        Side::Right => RIGHT,
    };
    color.to_srgba().to_u8_array_no_alpha()
}

/// A colour from its six hexadecimal digits.
pub(super) const fn rgb(digits: u32) -> Color {
    const fn part(digits: u32, shift: u32) -> f32 {
        ((digits >> shift) & 0xff) as f32 / 255.0
    }
    Color::Srgba(Srgba::rgb(part(digits, 16), part(digits, 8), part(digits, 0)))
}

/// The two materials of one thing: as it is, and faded.
#[derive(Clone, Debug)]
pub(super) struct TintedMaterials {
    /// As it is.
    pub(super) solid: Handle<Paint>,
    /// As it is while it is not tracked.
    pub(super) faded: Handle<Paint>,
}

/// Every mesh and material of the stage.
#[derive(Resource, Debug)]
pub(super) struct Look {
    /// A ball of radius 1.
    pub(super) ball: Handle<Mesh>,
    /// The same with more faces, for what is larger than a joint.
    pub(super) large_ball: Handle<Mesh>,
    /// A cube of size 1.
    pub(super) cube: Handle<Mesh>,
    /// A bone along Y, of length and radius 1, its middle at the origin, slimmer at its far end.
    pub(super) bone: Handle<Mesh>,
    /// An octahedron whose corners are at a distance of 1: a locator.
    pub(super) octahedron: Handle<Mesh>,
    /// A ray along −Z, as long and thick as it is drawn.
    pub(super) ray: Handle<Mesh>,
    /// A skull, seen from its eyes.
    pub(super) skull: Handle<Mesh>,
    /// A neck along Y, of height 1 and of radius 1 where it begins.
    pub(super) neck: Handle<Mesh>,
    /// A ring around Y, of radius 1.
    pub(super) band: Handle<Mesh>,
    /// The material of pinches.
    pub(super) pinch: Handle<Paint>,
    /// A recording without a tint.
    own: Coats,
}

/// The materials of one recording, in its own colours or all in one tint.
#[derive(Clone, Debug)]
pub(super) struct Coats {
    /// The head, but for its visor.
    pub(super) head: TintedMaterials,
    /// The visor before the eyes.
    pub(super) visor: TintedMaterials,
    /// A ray.
    pub(super) gaze: TintedMaterials,
    /// A locator, and what leads to it.
    pub(super) locator: TintedMaterials,
    joints: [TintedMaterials; 3],
    bones: [TintedMaterials; 3],
}

impl Coats {
    fn new(tint: Tint, materials: &mut Assets<Paint>) -> Self {
        let mut coat = |paint: Paint| coat(materials, paint);
        let tinted = |color: Color| tint.0.unwrap_or(color);
        let sides = [LEFT, RIGHT, NEUTRAL].map(tinted);
        Self {
            joints: sides.map(|color| coat(plastic(color.mix(&Color::WHITE, 0.35)))),
            bones: sides.map(|color| coat(plastic(color))),
            head: coat(plastic(tinted(HEAD))),
            visor: coat(Paint { gloss: 0.5, ..plastic(VISOR) }),
            locator: coat(plastic(tinted(LOCATOR))),
            gaze: coat(Paint { transparent: true, ..glowing(tinted(GAZE)) }),
        }
    }

    /// The materials of a joint on `side`.
    pub(super) fn joint(&self, side: Option<Side>) -> &TintedMaterials {
        &self.joints[index(side)]
    }

    /// The materials of a bone on `side`.
    pub(super) fn bone(&self, side: Option<Side>) -> &TintedMaterials {
        &self.bones[index(side)]
    }
}

/// `color` as a recording with this tint shows it: what has colours of its own keeps a trace of them.
pub(super) fn tinted(tint: Tint, color: Color) -> Color {
    const OWN: f32 = 0.3;
    tint.0.map_or(color, |tint| tint.mix(&color, OWN).with_alpha(color.alpha()))
}

impl Look {
    /// Makes them, when the app starts.
    pub(super) fn prepare(
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
            own: Coats::new(Tint::default(), &mut materials),
        });
    }

    /// The materials of a recording with this tint.
    pub(super) fn coats(&self, tint: Tint, materials: &mut Assets<Paint>) -> Coats {
        match tint {
            Tint(None) => self.own.clone(),
            tint => Coats::new(tint, materials),
        }
    }
}

fn index(side: Option<Side>) -> usize {
    match side {
        Some(Side::Left) => 0,
        Some(Side::Right) => 1,
        None => 2,
    }
}

/// A material that light falls on.
pub(super) fn plastic(color: Color) -> Paint {
    Paint { gloss: 0.06, ..Paint::matte(color) }
}

fn glowing(color: Color) -> Paint {
    Paint { lit: 0.0, gloss: 0.0, ..plastic(color) }
}

fn coat(materials: &mut Assets<Paint>, paint: Paint) -> TintedMaterials {
    let color = paint.color.with_alpha(FADED_ALPHA);
    let faded = Paint { color, transparent: true, ..paint.clone() };
    TintedMaterials { solid: materials.add(paint), faded: materials.add(faded) }
}

/// Eight triangles, each of one shade.
fn octahedron() -> Mesh {
    let mut mesh = Sphere::new(1.0).mesh().uv(4, 2);
    mesh.duplicate_vertices();
    mesh.compute_flat_normals();
    mesh
}

/// A thin cylinder that fades towards its end.
fn ray() -> Mesh {
    let cylinder = Cylinder::new(RAY_RADIUS, RAY_LENGTH).mesh().resolution(6).segments(8).build();
    let turned = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mut mesh = cylinder.rotated_by(turned).translated_by(Vec3::NEG_Z * RAY_LENGTH / 2.0);
    let places = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|places| places.as_float3());
    let along = |place: &[f32; 3]| (-place[2] / RAY_LENGTH).clamp(0.0, 1.0);
    let colors: Vec<[f32; 4]> = places
        .unwrap_or_default()
        .iter()
        .map(|place| [1.0, 1.0, 1.0, 0.9 * (1.0 - along(place)).powf(2.0)])
        .collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    mesh
}
