//! The boxes of the body as meshes for a skin's image.

use glam::DVec3;

use super::{
    Part,
    parts::{Cuboid, PIXEL},
};

/// A layer of a skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinLayer {
    /// The body: opaque.
    Inner,
    /// Hat, jacket, sleeves and trousers: a little larger, with holes.
    Outer,
}

/// A shape of skins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SkinShape {
    /// Whether arms are 3 pixels wide, not 4.
    pub slim: bool,
    /// Whether the image is 64 by 32 pixels, of before Minecraft 1.8: left limbs are mirrored right
    /// ones, and only the head has an outer layer.
    pub is_old: bool,
}

/// A box of the body: four corners for each face, in metres, relative to the part's joint; y upwards,
/// −Z ahead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// Where corners are.
    pub positions: Vec<[f32; 3]>,
    /// Where the surface faces there.
    pub normals: Vec<[f32; 3]>,
    /// Where they are in the image: from 0 to 1, rightwards and downwards.
    pub uvs: Vec<[f32; 2]>,
    /// Corners by threes, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

/// How wide every skin is, in pixels.
const WIDTH: f64 = 64.0;

impl Part {
    /// Its box in a layer of skins of this shape; nothing if they have no such layer.
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
        let height = if shape.is_old { WIDTH / 2.0 } else { WIDTH };
        let mut mesh = SkinMesh::default();
        for face in faces(size) {
            mesh.add(&face, cuboid, corner, height, self.is_mirrored(shape));
        }
        Some(mesh)
    }

    /// The left upper corner of what is folded around its box, in pixels.
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

/// A face of a box and where it is in what is folded around the box.
struct Face {
    /// The left upper corner in the image, in pixels from that of the box, and its size there.
    corner: [f64; 2],
    size: [f64; 2],
    /// The same corner of the box: 0 or 1 along each axis.
    start: DVec3,
    /// Where the image's right and down are on the box.
    across: DVec3,
    down: DVec3,
}

/// The faces of a box of this many pixels: the right one, the front, the left and the back in a
/// row, above them top and bottom.
fn faces(size: DVec3) -> [Face; 6] {
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
        // Its down is ahead, as that of the top: the game has it so.
        face([depth + width, 0.0], [width, depth], [1.0, 0.0, 1.0], -x, -z),
    ]
}

impl SkinMesh {
    fn add(&mut self, face: &Face, cuboid: Cuboid, corner: [f64; 2], height: f64, mirrored: bool) {
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
            self.uvs.push([(u / WIDTH) as f32, (v / height) as f32]);
        }
        let [a, b, _, d] = corners;
        let around = (b - a).cross(d - a).normalize();
        let middle = corners.iter().sum::<DVec3>() / 4.0;
        let outwards = (middle - (cuboid.min + cuboid.max) / 2.0).normalize();
        let is_outside = around.dot(outwards) > 0.0;
        self.positions.extend(corners.map(|corner| corner.as_vec3().to_array()));
        self.normals.extend([outwards.as_vec3().to_array(); 4]);
        let order = if is_outside { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
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

    /// The pixel of a mesh that is seen at a place on a face, which faces so.
    fn pixel(mesh: &SkinMesh, outwards: Vec3, towards: Vec3) -> [i32; 2] {
        let corners = (0..mesh.positions.len())
            .filter(|&index| Vec3::from(mesh.normals[index]).dot(outwards) > 0.9);
        let farthest = corners.max_by(|&a, &b| {
            let along = |index: usize| Vec3::from(mesh.positions[index]).dot(towards);
            along(a).total_cmp(&along(b))
        });
        let [u, v] = mesh.uvs[farthest.unwrap()];
        [(u * 64.0).round() as i32, (v * 64.0).round() as i32]
    }

    /// The table of the format's description, face by face: a box of w, h, d pixels at (u, v).
    #[test]
    fn skin_faces_match_the_layout() {
        let wide = SkinShape::default();
        let head = Part::Head.skin_mesh(wide, SkinLayer::Inner).unwrap();
        let (right, up, back) = (Vec3::X, Vec3::Y, Vec3::Z);
        // Each corner of the front: the image's left is the player's right.
        for (towards, expected) in [
            (right + up, [8, 8]),
            (-right + up, [16, 8]),
            (right - up, [8, 16]),
            (-right - up, [16, 16]),
        ] {
            assert_eq!(pixel(&head, -back, towards), expected, "{towards}");
        }
        assert_eq!(pixel(&head, right, back + up), [0, 8]);
        assert_eq!(pixel(&head, right, -back + up), [8, 8], "it meets the front");
        assert_eq!(pixel(&head, -right, -back - up), [16, 16]);
        assert_eq!(pixel(&head, back, -right + up), [24, 8]);
        assert_eq!(pixel(&head, up, right - back), [8, 8], "the hair meets the forehead");
        assert_eq!(pixel(&head, -up, right - back), [16, 8]);
        let arm = Part::LeftArm.skin_mesh(SkinShape { slim: true, ..wide }, SkinLayer::Outer);
        assert_eq!(pixel(&arm.unwrap(), -back, right + up), [52, 52]);
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
                let at = |index: u32| Vec3::from(mesh.positions[index as usize]);
                let mut volume = 0.0;
                for triangle in mesh.indices.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|index| at(triangle[index]));
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
            assert_eq!(pixel(&right, outer, up), pixel(&left, inner, up));
        }
    }
}
