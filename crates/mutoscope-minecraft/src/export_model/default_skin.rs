//! Paints the skin of players whose own skin is unknown: a face, hair, a shirt with sleeves,
//! trousers and boots. Front and back, right and left can be told apart at a glance. The painting
//! is our own, so no artwork of the game is included.

pub(super) const SIDE_PX: u32 = 64;

type Color = [u8; 3];

const SKIN: Color = [0xd9, 0xa8, 0x84];
const SHADE: Color = [0xc4, 0x90, 0x6c];
const HAIR: Color = [0x4a, 0x2f, 0x1e];
const CURLS: Color = [0x5e, 0x3d, 0x27];
const WHITE: Color = [0xff, 0xff, 0xff];
const PUPILS: Color = [0x2f, 0x5d, 0x8a];
const MOUTH: Color = [0xa5, 0x60, 0x4b];
const SHIRT: Color = [0x2f, 0x8f, 0x83];
const HEM: Color = [0x25, 0x6f, 0x66];
const BUTTONS: Color = [0xe8, 0xdd, 0xb5];
const BELT: Color = [0x5b, 0x46, 0x30];
const TROUSERS: Color = [0x3a, 0x44, 0x68];
const CUFFS: Color = [0x4a, 0x56, 0x80];
const BOOTS: Color = [0x3b, 0x30, 0x2a];
const RIGHT_BAND: Color = [0xe3, 0x8b, 0x2c];
const LEFT_BAND: Color = [0x5a, 0x78, 0xd6];

pub(super) fn paint_pixels(slim: bool) -> Vec<u8> {
    let mut canvas = Canvas(vec![0; 4 * (SIDE_PX * SIDE_PX) as usize]);
    canvas.paint_head();
    canvas.paint_body();
    let arm = if slim { 3 } else { 4 };
    canvas.paint_arm([40, 16], [40, 32], arm, RIGHT_BAND);
    canvas.paint_arm([32, 48], [48, 48], arm, LEFT_BAND);
    canvas.paint_leg([0, 16], [0, 32]);
    canvas.paint_leg([16, 48], [0, 48]);
    canvas.0
}

/// The unfolded texture of a box. `corner` is the upper left corner of the texture. `size` is the
/// width, height and depth of the box. All values are in pixels.
#[derive(Clone, Copy)]
struct Net {
    corner: [u32; 2],
    size: [u32; 3],
}

impl Net {
    fn face_columns(self, face: Face) -> (u32, u32) {
        let [width, _, depth] = self.size;
        let (start, columns) = match face {
            Face::Right => (0, depth),
            Face::Front => (depth, width),
            Face::Left => (depth + width, depth),
            Face::Back => (2 * depth + width, width),
        };
        (self.corner[0] + start, columns)
    }

    fn image_row(self, row: u32) -> u32 {
        self.corner[1] + self.size[2] + row
    }
}

#[derive(Clone, Copy)]
enum Face {
    Right,
    Front,
    Left,
    Back,
}

struct Canvas(Vec<u8>);

impl Canvas {
    fn set_pixel(&mut self, [x, y]: [u32; 2], [red, green, blue]: Color) {
        let start = 4 * (y * SIDE_PX + x) as usize;
        self.0[start..start + 4].copy_from_slice(&[red, green, blue, 255]);
    }

    fn fill_rect(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], color: Color) {
        for row in y..y + height {
            (x..x + width).for_each(|column| self.set_pixel([column, row], color));
        }
    }

    fn fill_rows(&mut self, net: Net, rows: std::ops::Range<u32>, color: Color) {
        let [width, _, depth] = net.size;
        let size = [2 * (width + depth), rows.end - rows.start];
        self.fill_rect([net.corner[0], net.image_row(rows.start)], size, color);
    }

    fn fill_face_rows(&mut self, net: Net, face: Face, rows: std::ops::Range<u32>, color: Color) {
        let (start, columns) = net.face_columns(face);
        self.fill_rect([start, net.image_row(rows.start)], [columns, rows.end - rows.start], color);
    }

    /// Sets pixels of a face. Each dot is a column and a row, relative to the face.
    fn set_face_pixels(&mut self, net: Net, face: Face, dots: &[[u32; 2]], color: Color) {
        let (start, _) = net.face_columns(face);
        dots.iter()
            .for_each(|[column, row]| self.set_pixel([start + column, net.image_row(*row)], color));
    }

    fn fill_ends(&mut self, net: Net, top: Color, bottom: Option<Color>) {
        let [width, _, depth] = net.size;
        let [x, y] = net.corner;
        self.fill_rect([x + depth, y], [width, depth], top);
        if let Some(bottom) = bottom {
            self.fill_rect([x + depth + width, y], [width, depth], bottom);
        }
    }

    fn paint_head(&mut self) {
        let net = Net { corner: [0, 0], size: [8, 8, 8] };
        self.fill_ends(net, HAIR, Some(SHADE));
        self.fill_rows(net, 0..8, SKIN);
        self.fill_rows(net, 0..2, HAIR);
        self.fill_face_rows(net, Face::Back, 2..7, HAIR);
        for row in 2..6 {
            // The hair covers the rear half of each side of the head.
            self.set_face_pixels(net, Face::Right, &[0, 1, 2, 3].map(|column| [column, row]), HAIR);
            self.set_face_pixels(net, Face::Left, &[4, 5, 6, 7].map(|column| [column, row]), HAIR);
        }
        self.set_face_pixels(
            net,
            Face::Front,
            &[[0, 2], [7, 2], [1, 3], [2, 3], [5, 3], [6, 3]],
            HAIR,
        );
        self.set_face_pixels(net, Face::Front, &[[1, 4], [6, 4]], WHITE);
        self.set_face_pixels(net, Face::Front, &[[2, 4], [5, 4]], PUPILS);
        self.set_face_pixels(net, Face::Front, &[[3, 5], [4, 5]], SHADE);
        self.set_face_pixels(net, Face::Front, &[[3, 6], [4, 6], [5, 6]], MOUTH);
        let hat = Net { corner: [32, 0], ..net };
        self.fill_ends(hat, CURLS, None);
        self.fill_rows(hat, 0..1, CURLS);
        self.fill_face_rows(hat, Face::Back, 1..5, CURLS);
        self.set_face_pixels(
            hat,
            Face::Front,
            &[[0, 1], [1, 1], [4, 1], [5, 1], [6, 1], [7, 1], [7, 2]],
            CURLS,
        );
    }

    fn paint_body(&mut self) {
        let net = Net { corner: [16, 16], size: [8, 12, 4] };
        self.fill_ends(net, SHIRT, Some(TROUSERS));
        self.fill_rows(net, 0..11, SHIRT);
        self.fill_rows(net, 11..12, BELT);
        self.set_face_pixels(net, Face::Front, &[[3, 0], [4, 0], [3, 1], [4, 1]], SKIN);
        self.set_face_pixels(
            net,
            Face::Front,
            &[[3, 3], [3, 5], [3, 7], [3, 11], [4, 11]],
            BUTTONS,
        );
        self.fill_face_rows(net, Face::Back, 2..3, HEM);
        let jacket = Net { corner: [16, 32], ..net };
        self.fill_rows(jacket, 9..11, HEM);
    }

    fn paint_arm(&mut self, inner: [u32; 2], outer: [u32; 2], width: u32, band: Color) {
        let net = Net { corner: inner, size: [width, 12, 4] };
        self.fill_ends(net, SHIRT, Some(SHADE));
        self.fill_rows(net, 0..6, SHIRT);
        self.fill_rows(net, 6..12, SKIN);
        let sleeve = Net { corner: outer, ..net };
        self.fill_ends(sleeve, SHIRT, None);
        self.fill_rows(sleeve, 0..6, SHIRT);
        self.fill_rows(sleeve, 3..4, band);
        self.fill_rows(sleeve, 5..6, HEM);
    }

    fn paint_leg(&mut self, inner: [u32; 2], outer: [u32; 2]) {
        let net = Net { corner: inner, size: [4, 12, 4] };
        self.fill_ends(net, TROUSERS, Some(BOOTS));
        self.fill_rows(net, 0..9, TROUSERS);
        self.fill_rows(net, 9..12, BOOTS);
        let trousers = Net { corner: outer, ..net };
        self.fill_rows(trousers, 7..9, CUFFS);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Part, SkinLayer, SkinMesh, SkinShape};

    fn face_pixels(mesh: &SkinMesh, normal: [f32; 3], pixels: &[u8]) -> Vec<[u8; 4]> {
        let corners: Vec<_> = mesh
            .uvs
            .iter()
            .zip(&mesh.normals)
            .filter(|(_, face_normal)| **face_normal == normal)
            .map(|(uv, _)| uv.map(|coordinate| (coordinate * SIDE_PX as f32).round() as usize))
            .collect();
        let ends = |axis: usize| {
            let along = corners.iter().map(|corner| corner[axis]);
            along.clone().min().unwrap()..along.max().unwrap()
        };
        let pixel = |x: usize, y: usize| {
            let start = 4 * (y * SIDE_PX as usize + x);
            [0, 1, 2, 3].map(|channel| pixels[start + channel])
        };
        ends(1).flat_map(|y| ends(0).map(move |x| pixel(x, y))).collect()
    }

    const SIDES: [[f32; 3]; 6] = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];

    #[test]
    fn inner_skin_layer_is_opaque_and_outer_has_holes() {
        for slim in [false, true] {
            let pixels = paint_pixels(slim);
            let shape = SkinShape { slim, is_old: false };
            for part in Part::ALL {
                let inner = part.skin_mesh(shape, SkinLayer::Inner).unwrap();
                for side in SIDES {
                    let face = face_pixels(&inner, side, &pixels);
                    assert!(!face.is_empty());
                    assert!(face.iter().all(|pixel| pixel[3] == 255), "{part:?} {side:?}");
                }
                let outer = part.skin_mesh(shape, SkinLayer::Outer).unwrap();
                let all: Vec<_> =
                    SIDES.iter().flat_map(|side| face_pixels(&outer, *side, &pixels)).collect();
                let clear = all.iter().filter(|pixel| pixel[3] == 0).count();
                assert!((1..all.len()).contains(&clear), "{part:?}: {clear} of {}", all.len());
            }
        }
    }

    #[test]
    fn default_skin_distinguishes_all_sides() {
        let pixels = paint_pixels(false);
        let shape = SkinShape::default();
        let visible_pixels = |part: Part, layer: SkinLayer, side: [f32; 3]| {
            face_pixels(&part.skin_mesh(shape, layer).unwrap(), side, &pixels)
        };
        let (front, back) = ([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]);
        for part in [Part::Head, Part::Body] {
            let inner = |side| visible_pixels(part, SkinLayer::Inner, side);
            assert_ne!(inner(front), inner(back), "{part:?}");
        }
        let colors = |part| -> HashSet<_> {
            visible_pixels(part, SkinLayer::Outer, front).into_iter().collect()
        };
        assert_ne!(colors(Part::RightArm), colors(Part::LeftArm));
        // Only the front of the head has eyes, two of them.
        let eyes = |side| {
            let head = visible_pixels(Part::Head, SkinLayer::Inner, side);
            head.iter().filter(|pixel| pixel[..3] == PUPILS).count()
        };
        assert_eq!(SIDES.map(eyes), [0, 0, 0, 0, 0, 2]);
    }
}
