//! Builds meshes of the body's boxes with texture coordinates for a skin.

use glam::DVec3;

use super::{
    Part,
    parts::{Cuboid, PIXEL},
};

/// A layer of a skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinLayer {
    /// The body, which is opaque.
    Inner,
    /// The hat, jacket, sleeves and trousers. This layer is slightly larger and has holes.
    Outer,
}

/// The layout of a skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SkinShape {
    /// Whether the arms are 3 pixels wide instead of 4.
    pub slim: bool,
    /// Whether the image has the layout before Minecraft 1.8, with 64 by 32 pixels. In this layout,
    /// the left limbs mirror the right ones, and only the head has an outer layer.
    pub is_old: bool,
}

/// The mesh of a box of the body, with four corners per face. Positions are in metres relative to
/// the part's joint, with y up and −Z ahead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// The position of each corner.
    pub positions: Vec<[f32; 3]>,
    /// The surface normal at each corner.
    pub normals: Vec<[f32; 3]>,
    /// The texture coordinates of each corner, from 0 to 1, rightwards and downwards.
    pub uvs: Vec<[f32; 2]>,
    /// The triangles as triples of corner indices, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

const SKIN_WIDTH_PX: f64 = 64.0;

impl Part {
    /// Returns the mesh of this part in a layer of a skin, or `None` if the skin has no such layer.
    pub fn skin_mesh(self, shape: SkinShape, layer: SkinLayer) -> Option<SkinMesh> {
        let corner = self.skin_corner(shape, layer)?;
        let cuboid = self.cuboid(shape.slim);
        let size = ((cuboid.max - cuboid.min) / PIXEL).round();
        let inflate = match (layer, self) {
            (SkinLayer::Inner, _) => 0.0,
            (SkinLayer::Outer, Self::Head) => 0.5,
            (SkinLayer::Outer, _) => 0.25,
        } * PIXEL;
        let cuboid = Cuboid { min: cuboid.min - inflate, max: cuboid.max + inflate };
        let height = if shape.is_old { SKIN_WIDTH_PX / 2.0 } else { SKIN_WIDTH_PX };
        let mut mesh = SkinMesh::default();
        for face in box_faces(size) {
            mesh.add_face(&face, cuboid, corner, height, self.is_mirrored(shape));
        }
        Some(mesh)
    }

    fn skin_corner(self, shape: SkinShape, layer: SkinLayer) -> Option<[f64; 2]> {
        let (inner, outer) = match self {
            Self::Head => ([0.0, 0.0], [32.0, 0.0]),
            Self::Body => ([16.0, 16.0], [16.0, 32.0]),
            Self::RightArm => ([40.0, 16.0], [40.0, 32.0]),
            Self::RightLeg => ([0.0, 16.0], [0.0, 32.0]),
            Self::LeftArm if shape.is_old => ([40.0, 16.0], [0.0; 2]),
            Self::LeftLeg if shape.is_old => ([0.0, 16.0], [0.0; 2]),
            Self::LeftArm => ([32.0, 48.0], [48.0, 48.0]),
            Self::LeftLeg => ([16.0, 48.0], [0.0, 48.0]),
        };
        match layer {
            SkinLayer::Inner => Some(inner),
            SkinLayer::Outer => (!shape.is_old || self == Self::Head).then_some(outer),
        }
    }

    fn is_mirrored(self, shape: SkinShape) -> bool {
        shape.is_old && matches!(self, Self::LeftArm | Self::LeftLeg)
    }
}

struct Face {
    /// The upper left corner of the face in the unfolded texture, in pixels. `size` is also in
    /// pixels.
    corner: [f64; 2],
    size: [f64; 2],
    /// The corner of the box at which the upper left corner of the face is. Each coordinate is 0 or
    /// 1.
    start: DVec3,
    across: DVec3,
    down: DVec3,
}

/// Returns the faces of a box with `size` in pixels. In the texture, the right, front, left and
/// back faces are in a row. The top and bottom faces are above this row.
fn box_faces(size: DVec3) -> [Face; 6] {
    let DVec3 { x: width, y: height, z: depth } = size;
    let face = |corner, size, start: [f64; 3], across, down| Face {
        corner,
        size,
        start: start.into(),
        across,
        down,
    };
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    [
        face([0.0, depth], [depth, height], [1.0, 1.0, 1.0], -z, -y),
        face([depth, depth], [width, height], [1.0, 1.0, 0.0], -x, -y),
        face([depth + width, depth], [depth, height], [0.0, 1.0, 0.0], z, -y),
        face([2.0 * depth + width, depth], [width, height], [0.0, 1.0, 1.0], x, -y),
        face([depth, 0.0], [width, depth], [1.0, 1.0, 1.0], -x, -z),
        // The game textures the bottom face like the top one, with its lower edge towards the
        // front.
        face([depth + width, 0.0], [width, depth], [1.0, 0.0, 1.0], -x, -z),
    ]
}

impl SkinMesh {
    fn add_face(
        &mut self,
        face: &Face,
        cuboid: Cuboid,
        corner: [f64; 2],
        height: f64,
        mirrored: bool,
    ) {
        let first = self.positions.len() as u32;
        let mirror = |unit: DVec3| {
            if mirrored { DVec3::new(1.0 - unit.x, unit.y, unit.z) } else { unit }
        };
        let size = cuboid.max - cuboid.min;
        let mut corners = [DVec3::ZERO; 4];
        for (corner_of_face, (right, down)) in
            corners.iter_mut().zip([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        {
            let unit = mirror(face.start + face.across * right + face.down * down);
            *corner_of_face = cuboid.min + size * unit;
            let u = corner[0] + face.corner[0] + face.size[0] * right;
            let v = corner[1] + face.corner[1] + face.size[1] * down;
            self.uvs.push([(u / SKIN_WIDTH_PX) as f32, (v / height) as f32]);
        }
        let [a, b, _, d] = corners;
        let winding_normal = (b - a).cross(d - a).normalize();
        let middle = corners.iter().sum::<DVec3>() / 4.0;
        let outwards = (middle - (cuboid.min + cuboid.max) / 2.0).normalize();
        let is_counter_clockwise = winding_normal.dot(outwards) > 0.0;
        self.positions.extend(corners.map(|corner| corner.as_vec3().to_array()));
        self.normals.extend([outwards.as_vec3().to_array(); 4]);
        let order = if is_counter_clockwise { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        self.indices.extend(order.map(|index| first + index));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const LAYERS: [SkinLayer; 2] = [SkinLayer::Inner, SkinLayer::Outer];

    fn shapes() -> impl Iterator<Item = SkinShape> {
        [false, true]
            .into_iter()
            .flat_map(|slim| [false, true].map(|is_old| SkinShape { slim, is_old }))
    }

    fn pixel_towards(mesh: &SkinMesh, outwards: Vec3, towards: Vec3) -> [i32; 2] {
        let corners = (0..mesh.positions.len())
            .filter(|&index| Vec3::from(mesh.normals[index]).dot(outwards) > 0.9);
        let farthest = corners.max_by(|&a, &b| {
            let along = |index: usize| Vec3::from(mesh.positions[index]).dot(towards);
            along(a).total_cmp(&along(b))
        });
        let [u, v] = mesh.uvs[farthest.unwrap()];
        [(u * 64.0).round() as i32, (v * 64.0).round() as i32]
    }

    /// The expected pixels follow from the layout in the format's description: a box of w, h, d
    /// pixels at (u, v).
    #[test]
    fn skin_faces_match_the_layout() {
        let wide = SkinShape::default();
        let head = Part::Head.skin_mesh(wide, SkinLayer::Inner).unwrap();
        let (right, up, back) = (Vec3::X, Vec3::Y, Vec3::Z);
        // The image's left is the player's right.
        for (towards, expected) in [
            (right + up, [8, 8]),
            (-right + up, [16, 8]),
            (right - up, [8, 16]),
            (-right - up, [16, 16]),
        ] {
            assert_eq!(pixel_towards(&head, -back, towards), expected, "{towards}");
        }
        assert_eq!(pixel_towards(&head, right, back + up), [0, 8]);
        assert_eq!(pixel_towards(&head, right, -back + up), [8, 8], "it meets the front");
        assert_eq!(pixel_towards(&head, -right, -back - up), [16, 16]);
        assert_eq!(pixel_towards(&head, back, -right + up), [24, 8]);
        assert_eq!(pixel_towards(&head, up, right - back), [8, 8], "the hair meets the forehead");
        assert_eq!(pixel_towards(&head, -up, right - back), [16, 8]);
        let arm = Part::LeftArm.skin_mesh(SkinShape { slim: true, ..wide }, SkinLayer::Outer);
        assert_eq!(pixel_towards(&arm.unwrap(), -back, right + up), [52, 52]);
    }

    #[test]
    fn boxes_are_closed_and_face_outwards() {
        for (shape, layer) in shapes().flat_map(|shape| LAYERS.map(|layer| (shape, layer))) {
            for part in Part::ALL {
                let Some(mesh) = part.skin_mesh(shape, layer) else {
                    assert!(shape.is_old && layer == SkinLayer::Outer && part != Part::Head);
                    continue;
                };
                assert_eq!((mesh.positions.len(), mesh.indices.len()), (24, 36));
                let position = |index: u32| Vec3::from(mesh.positions[index as usize]);
                let mut volume = 0.0;
                for triangle in mesh.indices.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|index| position(triangle[index]));
                    let normal = Vec3::from(mesh.normals[triangle[0] as usize]);
                    assert!((b - a).cross(c - a).dot(normal) > 0.0, "{part:?} {shape:?}");
                    volume += a.dot(b.cross(c)) / 6.0;
                }
                let cuboid = part.cuboid(shape.slim);
                let size = (cuboid.max - cuboid.min).as_vec3();
                let is_larger = volume > size.element_product() * 1.01;
                assert_eq!(is_larger, layer == SkinLayer::Outer, "{part:?}");
                assert!(mesh.uvs.as_flattened().iter().all(|uv| (0.0..=1.0).contains(uv)));
            }
        }
    }

    #[test]
    fn left_limbs_of_old_skins_mirror_the_right_ones() {
        let old = SkinShape { slim: false, is_old: true };
        let mesh = |part: Part| part.skin_mesh(old, SkinLayer::Inner).unwrap();
        let [right, left] = [mesh(Part::RightArm), mesh(Part::LeftArm)];
        for (outer, inner) in [(Vec3::X, Vec3::NEG_X), (Vec3::NEG_X, Vec3::X)] {
            let up = Vec3::Y + Vec3::NEG_Z;
            assert_eq!(pixel_towards(&right, outer, up), pixel_towards(&left, inner, up));
        }
    }
}
