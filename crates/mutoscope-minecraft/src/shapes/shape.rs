//! Shapes of coloured boxes, and their meshes.

use glam::{Quat, Vec3};

use mutoscope_core::clip::srgb_to_linear;

/// An sRGB colour, such as `0xff8000`.
pub type Rgb = u32;

/// A box of one colour, in sixteenths of a block. y points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeBox {
    /// The corner with the lowest coordinates, before the rotation.
    pub min: Vec3,
    /// The corner with the highest coordinates, before the rotation.
    pub max: Vec3,
    /// The rotation about `pivot`.
    pub rotation: Quat,
    /// The pivot of the rotation, in sixteenths of a block.
    pub pivot: Vec3,
    /// The colour.
    pub color: Rgb,
}

impl ShapeBox {
    /// Creates an axis-aligned box between two corners.
    pub fn between(min: [f32; 3], max: [f32; 3], color: Rgb) -> Self {
        let [min, max] = [Vec3::from(min), Vec3::from(max)];
        Self { min, max, rotation: Quat::IDENTITY, pivot: Vec3::ZERO, color }
    }

    /// Returns the box with this rotation about a pivot.
    pub fn rotated_about(self, rotation: Quat, about: [f32; 3]) -> Self {
        Self { rotation, pivot: about.into(), ..self }
    }

    /// Returns the box moved by `by`.
    pub fn translated(self, by: Vec3) -> Self {
        Self { min: self.min + by, max: self.max + by, pivot: self.pivot + by, ..self }
    }

    /// Returns the rotated corners. Bit 0 of an index is set for corners with the greater x, bit 1
    /// for the greater y and bit 2 for the greater z.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| {
            let pick = |bit: usize| index & bit != 0;
            let corner =
                Vec3::select(glam::BVec3::new(pick(1), pick(2), pick(4)), self.max, self.min);
            self.pivot + self.rotation * (corner - self.pivot)
        })
    }
}

/// A shape made of boxes, in sixteenths of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The boxes.
    pub boxes: Vec<ShapeBox>,
}

/// A triangle mesh with vertex colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeMesh {
    /// The positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// The normals of the vertices.
    pub normals: Vec<[f32; 3]>,
    /// The vertex colours: linear red, green and blue, and opacity.
    pub colors: Vec<[f32; 4]>,
    /// Three vertex indices for each triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

impl From<Vec<ShapeBox>> for Shape {
    fn from(boxes: Vec<ShapeBox>) -> Self {
        Self { boxes }
    }
}

impl Shape {
    /// Returns the lowest and the highest corner. Both are zero if the shape has no boxes.
    pub fn bounds(&self) -> [Vec3; 2] {
        let corners = self.boxes.iter().flat_map(ShapeBox::corners);
        let bounds = corners.fold(None, |bounds: Option<[Vec3; 2]>, corner| {
            let [min, max] = bounds.unwrap_or([corner; 2]);
            Some([min.min(corner), max.max(corner)])
        });
        bounds.unwrap_or_default()
    }

    /// Returns the bits of all numbers in the shape, for hashing. Two shapes with equal bits are
    /// drawn in the same way.
    pub fn content_bits(&self) -> impl Iterator<Item = u32> + '_ {
        self.boxes.iter().flat_map(|shape_box| {
            // Ignore the pivot of a box without a rotation, because the pivot then has no effect.
            let about =
                if shape_box.rotation == Quat::IDENTITY { Vec3::ZERO } else { shape_box.pivot };
            let corners = [shape_box.min, shape_box.max, about]
                .into_iter()
                .flat_map(|corner| corner.to_array());
            let numbers = corners.chain(shape_box.rotation.to_array());
            numbers.map(|number| (number + 0.0).to_bits()).chain([shape_box.color])
        })
    }

    /// Returns the mesh. Vertices are moved by `offset`, in sixteenths of a block, and then
    /// multiplied by `scale`.
    pub fn to_mesh(&self, scale: f32, offset: Vec3) -> ShapeMesh {
        let mut mesh = ShapeMesh::default();
        for shape_box in &self.boxes {
            mesh.add_box(shape_box, scale, offset);
        }
        mesh
    }
}

/// The faces of a box: the indices of the corners, counter-clockwise seen from outside, and the
/// normal.
const FACES: [([usize; 4], Vec3); 6] = [
    ([1, 3, 7, 5], Vec3::X),
    ([0, 4, 6, 2], Vec3::NEG_X),
    ([2, 6, 7, 3], Vec3::Y),
    ([0, 1, 5, 4], Vec3::NEG_Y),
    ([4, 5, 7, 6], Vec3::Z),
    ([0, 2, 3, 1], Vec3::NEG_Z),
];

impl ShapeMesh {
    fn add_box(&mut self, shape_box: &ShapeBox, scale: f32, offset: Vec3) {
        let corners = shape_box.corners();
        let color = linear_rgba(shape_box.color);
        for (face, normal) in FACES {
            let first = self.positions.len() as u32;
            let vertex = |corner: usize| ((corners[corner] + offset) * scale).to_array();
            self.positions.extend(face.map(vertex));
            self.normals.extend([(shape_box.rotation * normal).to_array(); 4]);
            self.colors.extend([color; 4]);
            self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }

    /// Adds a horizontal face that is visible from above. Both winding orders of the corners are
    /// accepted, because mirroring by the caller reverses the order.
    pub(super) fn add_tile(&mut self, corners: [Vec3; 4], color: Rgb) {
        let first = self.positions.len() as u32;
        let [a, b, _, d] = corners;
        let is_upward = (b - a).cross(d - a).y > 0.0;
        self.positions.extend(corners.map(|vertex| vertex.to_array()));
        self.normals.extend([[0.0, 1.0, 0.0]; 4]);
        self.colors.extend([linear_rgba(color); 4]);
        let order = if is_upward { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        self.indices.extend(order.map(|corner| first + corner));
    }
}

/// Converts a colour to linear red, green and blue, with an opacity of 1.
pub fn linear_rgba(color: Rgb) -> [f32; 4] {
    let [_, red, green, blue] = color.to_be_bytes();
    srgb_to_linear([red, green, blue])
}

pub(super) fn mix_colors(from: Rgb, to: Rgb, t: f32) -> Rgb {
    let (from, to) = (from.to_be_bytes(), to.to_be_bytes());
    let part = |index: usize| {
        let (from, to) = (f32::from(from[index]), f32::from(to[index]));
        (from + (to - from) * t).round() as u8
    };
    u32::from_be_bytes([0, part(1), part(2), part(3)])
}

pub(super) fn darken(color: Rgb, by: f32) -> Rgb {
    mix_colors(color, 0, by)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn signed_volume(mesh: &ShapeMesh) -> f32 {
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
                .rotated_about(quarter, [20.0, 0.0, 0.0]),
        ]);
        let mesh = shape.to_mesh(1.0 / 16.0, Vec3::ZERO);
        let expected = (16.0 * 8.0 * 4.0 + 4.0 * 4.0 * 16.0) / 4096.0;
        assert!((signed_volume(&mesh) - expected).abs() < 1e-6);
        for triangle in mesh.indices.chunks(3) {
            let [a, b, c] =
                [0, 1, 2].map(|index| Vec3::from(mesh.positions[triangle[index] as usize]));
            let normal = Vec3::from(mesh.normals[triangle[0] as usize]);
            assert!((b - a).cross(c - a).dot(normal) > 0.0);
        }
        assert_eq!(mesh.colors[0], [1.0, 0.0, 0.0, 1.0]);
        // A quarter turn to the left maps +Z to +X, and +X to −Z.
        let [min, max] = shape.bounds();
        assert!(min.abs_diff_eq(Vec3::new(0.0, 0.0, -4.0), 1e-5), "{min}");
        assert!(max.abs_diff_eq(Vec3::new(36.0, 8.0, 4.0), 1e-5), "{max}");
    }

    #[test]
    fn colours_mix_and_become_linear() {
        assert_eq!(mix_colors(0x00_00_00, 0xff_80_00, 0.5), 0x80_40_00);
        assert_eq!(darken(0x80_80_80, 0.25), 0x60_60_60);
        let [grey, ..] = linear_rgba(0x80_80_80);
        assert!((grey - 0.215_86).abs() < 1e-4, "{grey}");
    }
}
