//! Shapes of coloured boxes, and the meshes made of them.

use glam::{Quat, Vec3};

use mutoscope_core::clip::linear_color;

/// A colour as six hexadecimal digits, in sRGB.
pub type Rgb = u32;

/// A box of one colour, in sixteenths of a block: y upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeBox {
    /// The corner with the least coordinates, before it is turned.
    pub min: Vec3,
    /// The corner with the greatest.
    pub max: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// The pivot of the rotation, in metres.
    pub about: Vec3,
    /// Its colour.
    pub color: Rgb,
}

impl ShapeBox {
    /// An upright box between two corners.
    pub fn between(min: [f32; 3], max: [f32; 3], color: Rgb) -> Self {
        let [min, max] = [Vec3::from(min), Vec3::from(max)];
        Self { min, max, rotation: Quat::IDENTITY, about: Vec3::ZERO, color }
    }

    /// The same turned about a point.
    pub fn turned(self, rotation: Quat, about: [f32; 3]) -> Self {
        Self { rotation, about: about.into(), ..self }
    }

    /// The same elsewhere.
    pub fn moved(self, by: Vec3) -> Self {
        Self { min: self.min + by, max: self.max + by, about: self.about + by, ..self }
    }

    /// Its corners: those with the greater x have bit 0 of their index set, then y, then z.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| {
            let pick = |bit: usize| index & bit != 0;
            let corner =
                Vec3::select(glam::BVec3::new(pick(1), pick(2), pick(4)), self.max, self.min);
            self.about + self.rotation * (corner - self.about)
        })
    }
}

/// A shape of boxes, in sixteenths of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Its boxes.
    pub boxes: Vec<ShapeBox>,
}

/// A mesh with a colour for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeMesh {
    /// Where vertices are.
    pub positions: Vec<[f32; 3]>,
    /// Where the surface faces there.
    pub normals: Vec<[f32; 3]>,
    /// Linear red, green, blue and opacity.
    pub colors: Vec<[f32; 4]>,
    /// Vertices by threes, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

impl From<Vec<ShapeBox>> for Shape {
    fn from(boxes: Vec<ShapeBox>) -> Self {
        Self { boxes }
    }
}

impl Shape {
    /// The corners with the least and the greatest coordinates; both zero if it has no boxes.
    pub fn bounds(&self) -> [Vec3; 2] {
        let corners = self.boxes.iter().flat_map(ShapeBox::corners);
        let bounds = corners.fold(None, |bounds: Option<[Vec3; 2]>, corner| {
            let [least, most] = bounds.unwrap_or([corner; 2]);
            Some([least.min(corner), most.max(corner)])
        });
        bounds.unwrap_or_default()
    }

    /// All its numbers: shapes with the same bits look the same.
    pub fn bits(&self) -> impl Iterator<Item = u32> + '_ {
        self.boxes.iter().flat_map(|one| {
            // Without a rotation the pivot does not matter.
            let about = if one.rotation == Quat::IDENTITY { Vec3::ZERO } else { one.about };
            let corners =
                [one.min, one.max, about].into_iter().flat_map(|corner| corner.to_array());
            let numbers = corners.chain(one.rotation.to_array());
            numbers.map(|number| (number + 0.0).to_bits()).chain([one.color])
        })
    }

    /// Its mesh: a sixteenth of a block becomes `scale`, after `offset` was added.
    pub fn mesh(&self, scale: f32, offset: Vec3) -> ShapeMesh {
        let mut mesh = ShapeMesh::default();
        for one in &self.boxes {
            mesh.add(one, scale, offset);
        }
        mesh
    }
}

/// The faces of a box: the indices of their corners, counter-clockwise seen from outside, and where
/// they face.
const FACES: [([usize; 4], Vec3); 6] = [
    ([1, 3, 7, 5], Vec3::X),
    ([0, 4, 6, 2], Vec3::NEG_X),
    ([2, 6, 7, 3], Vec3::Y),
    ([0, 1, 5, 4], Vec3::NEG_Y),
    ([4, 5, 7, 6], Vec3::Z),
    ([0, 2, 3, 1], Vec3::NEG_Z),
];

impl ShapeMesh {
    fn add(&mut self, one: &ShapeBox, scale: f32, offset: Vec3) {
        let corners = one.corners();
        let color = linear(one.color);
        for (face, normal) in FACES {
            let first = self.positions.len() as u32;
            let place = |corner: usize| ((corners[corner] + offset) * scale).to_array();
            self.positions.extend(face.map(place));
            self.normals.extend([(one.rotation * normal).to_array(); 4]);
            self.colors.extend([color; 4]);
            self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }

    /// A level face of one colour between four corners in a row, seen from above whichever way they go
    /// round.
    pub(super) fn add_tile(&mut self, corners: [Vec3; 4], color: Rgb) {
        let first = self.positions.len() as u32;
        let [a, b, _, d] = corners;
        let is_upward = (b - a).cross(d - a).y > 0.0;
        self.positions.extend(corners.map(|place| place.to_array()));
        self.normals.extend([[0.0, 1.0, 0.0]; 4]);
        self.colors.extend([linear(color); 4]);
        let order = if is_upward { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        self.indices.extend(order.map(|corner| first + corner));
    }
}

/// Linear red, green and blue of a colour, opaque.
pub fn linear(color: Rgb) -> [f32; 4] {
    let [_, red, green, blue] = color.to_be_bytes();
    linear_color([red, green, blue])
}

/// So much of the way from one colour to another.
pub(super) fn mixed(from: Rgb, to: Rgb, t: f32) -> Rgb {
    let (from, to) = (from.to_be_bytes(), to.to_be_bytes());
    let part = |index: usize| {
        let (from, to) = (f32::from(from[index]), f32::from(to[index]));
        (from + (to - from) * t).round() as u8
    };
    u32::from_be_bytes([0, part(1), part(2), part(3)])
}

/// A colour made darker by this part.
pub(super) fn darker(color: Rgb, by: f32) -> Rgb {
    mixed(color, 0, by)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The volume that the surface of a mesh encloses; negative if it is inside out.
    pub(in super::super) fn volume(mesh: &ShapeMesh) -> f32 {
        let at = |index: u32| Vec3::from(mesh.positions[index as usize]);
        let tetrahedron =
            |corners: &[u32]| at(corners[0]).dot(at(corners[1]).cross(at(corners[2]))) / 6.0;
        mesh.indices.chunks(3).map(tetrahedron).sum()
    }

    #[test]
    fn meshes_of_boxes_are_closed_and_face_outwards() {
        let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let shape = Shape::from(vec![
            ShapeBox::between([0.0; 3], [16.0, 8.0, 4.0], 0xff_00_00),
            ShapeBox::between([20.0, 0.0, 0.0], [24.0, 4.0, 16.0], 0)
                .turned(quarter, [20.0, 0.0, 0.0]),
        ]);
        let mesh = shape.mesh(1.0 / 16.0, Vec3::ZERO);
        let expected = (16.0 * 8.0 * 4.0 + 4.0 * 4.0 * 16.0) / 4096.0;
        assert!((volume(&mesh) - expected).abs() < 1e-6);
        for triangle in mesh.indices.chunks(3) {
            let [a, b, c] =
                [0, 1, 2].map(|index| Vec3::from(mesh.positions[triangle[index] as usize]));
            let normal = Vec3::from(mesh.normals[triangle[0] as usize]);
            assert!((b - a).cross(c - a).dot(normal) > 0.0);
        }
        assert_eq!(mesh.colors[0], [1.0, 0.0, 0.0, 1.0]);
        // A quarter to the left takes +Z to +X, and +X to −Z.
        let [least, most] = shape.bounds();
        assert!(least.abs_diff_eq(Vec3::new(0.0, 0.0, -4.0), 1e-5), "{least}");
        assert!(most.abs_diff_eq(Vec3::new(36.0, 8.0, 4.0), 1e-5), "{most}");
    }

    #[test]
    fn colours_mix_and_become_linear() {
        assert_eq!(mixed(0x00_00_00, 0xff_80_00, 0.5), 0x80_40_00);
        assert_eq!(darker(0x80_80_80, 0.25), 0x60_60_60);
        let [grey, ..] = linear(0x80_80_80);
        assert!((grey - 0.215_86).abs() < 1e-4, "{grey}");
    }
}
