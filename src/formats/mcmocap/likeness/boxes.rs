//! A box for entities other than players, of the game's size, with a nose to mark its front.

use glam::Vec3;

use crate::{
    clip::{NodeId, Piece},
    formats::mcmocap::{Size, short},
};

/// Colours by name, in sRGB.
const COLORS: [u32; 8] =
    [0xa9b66c, 0x6cb6a1, 0x8c8fd6, 0xc68fb8, 0xd0a36a, 0x7fb07f, 0xb58a8a, 0x86a9c4];

/// The nose, over the smaller side of the box.
const NOSE: f32 = 0.25;

/// What carries `node` of this kind and size looks like; nothing of what has no size.
pub(super) fn piece(node: NodeId, kind: &str, size: Size) -> Option<Piece> {
    let [width, height] = [size.width, size.height].map(|side| side as f32);
    if !(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()) {
        return None;
    }
    let mut piece = Piece { color: color(short(kind)), ..Piece::of_node(node.index()) };
    let half = Vec3::new(width, height, width) / 2.0;
    add(&mut piece, Vec3::Y * half.y, half);
    let nose = width.min(height) * NOSE / 2.0;
    add(&mut piece, Vec3::new(0.0, 0.75 * height, -half.z), Vec3::splat(nose));
    Some(piece)
}

/// Some colour, always the same for a name; linear.
fn color(name: &str) -> [f32; 4] {
    let mixed = name.bytes().fold(7_u32, |mixed, byte| mixed.wrapping_mul(31) + u32::from(byte));
    let [_, red, green, blue] = COLORS[mixed as usize % COLORS.len()].to_be_bytes();
    let linear = |byte: u8| (f32::from(byte) / 255.0).powf(2.2);
    [linear(red), linear(green), linear(blue), 1.0]
}

/// A box around `middle`, `half` as large as it is.
fn add(piece: &mut Piece, middle: Vec3, half: Vec3) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for normal in [axis, -axis] {
            let across = axis.any_orthonormal_vector();
            let up = normal.cross(across);
            let first = piece.positions.len() as u32;
            for (right, high) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let corner = normal + across * right + up * high;
                piece.positions.push((middle + corner * half).to_array());
                piece.normals.push(normal.to_array());
            }
            piece.triangles.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_boxes_are_closed_face_outwards_and_stand_on_the_ground() {
        let piece = piece(NodeId::new(3), "minecraft:cow", Size { width: 0.9, height: 1.4 });
        let piece = piece.unwrap();
        assert_eq!(piece.node, 3);
        let at = |index: u32| Vec3::from(piece.positions[index as usize]);
        let volume: f32 = piece
            .triangles
            .chunks(3)
            .map(|corners| at(corners[0]).dot(at(corners[1]).cross(at(corners[2]))) / 6.0)
            .sum();
        let nose = 0.225_f32.powi(3);
        assert!((volume - (0.9 * 0.9 * 1.4 + nose)).abs() < 1e-5, "{volume}");
        let heights = piece.positions.iter().map(|position| position[1]);
        assert_eq!(
            heights.fold((9.0, 0.0), |(low, high): (f32, f32), height| {
                (low.min(height), high.max(height))
            }),
            (0.0, 1.4)
        );
        let none = Size { width: 0.0, height: 0.0 };
        assert_eq!(super::piece(NodeId::new(0), "block_display", none), None);
    }
}
