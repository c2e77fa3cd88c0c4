//! The skin of players whose own is not known: a face, hair, a shirt with sleeves, trousers and boots,
//! so that front and back, right and left are distinguished at a glance. Painted here; nothing is
//! of the game.

/// How many pixels it has on each side.
pub(super) const SIDE: u32 = 64;

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

/// Red, green, blue and opacity of each pixel, row by row; `slim` for arms 3 pixels wide.
pub(super) fn pixels(slim: bool) -> Vec<u8> {
    let mut canvas = Canvas(vec![0; 4 * (SIDE * SIDE) as usize]);
    canvas.paint_head();
    canvas.paint_body();
    let arm = if slim { 3 } else { 4 };
    canvas.paint_arm([40, 16], [40, 32], arm, RIGHT_BAND);
    canvas.paint_arm([32, 48], [48, 48], arm, LEFT_BAND);
    canvas.paint_leg([0, 16], [0, 32]);
    canvas.paint_leg([16, 48], [0, 48]);
    canvas.0
}

/// The unfolded texture of a box: its upper left corner, and the box's width, height and depth, in
/// pixels.
#[derive(Clone, Copy)]
struct Net {
    corner: [u32; 2],
    size: [u32; 3],
}

impl Net {
    /// A face of those in the row: its first column and how many it has.
    fn face(self, name: Face) -> (u32, u32) {
        let [width, _, depth] = self.size;
        let (start, columns) = match name {
            Face::Right => (0, depth),
            Face::Front => (depth, width),
            Face::Left => (depth + width, depth),
            Face::Back => (2 * depth + width, width),
        };
        (self.corner[0] + start, columns)
    }

    /// The row of its faces that is `row` below their upper edge.
    fn row(self, row: u32) -> u32 {
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
    fn dot(&mut self, [x, y]: [u32; 2], [red, green, blue]: Color) {
        let start = 4 * (y * SIDE + x) as usize;
        self.0[start..start + 4].copy_from_slice(&[red, green, blue, 255]);
    }

    fn fill(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], color: Color) {
        for row in y..y + height {
            (x..x + width).for_each(|column| self.dot([column, row], color));
        }
    }

    /// Rows of all four faces.
    fn around(&mut self, net: Net, rows: std::ops::Range<u32>, color: Color) {
        let [width, _, depth] = net.size;
        let size = [2 * (width + depth), rows.end - rows.start];
        self.fill([net.corner[0], net.row(rows.start)], size, color);
    }

    /// Rows of one face.
    fn on(&mut self, net: Net, face: Face, rows: std::ops::Range<u32>, color: Color) {
        let (start, columns) = net.face(face);
        self.fill([start, net.row(rows.start)], [columns, rows.end - rows.start], color);
    }

    /// Pixels of a face, each a column and a row.
    fn dots(&mut self, net: Net, face: Face, dots: &[[u32; 2]], color: Color) {
        let (start, _) = net.face(face);
        dots.iter().for_each(|[column, row]| self.dot([start + column, net.row(*row)], color));
    }

    fn ends(&mut self, net: Net, top: Color, bottom: Option<Color>) {
        let [width, _, depth] = net.size;
        let [x, y] = net.corner;
        self.fill([x + depth, y], [width, depth], top);
        if let Some(bottom) = bottom {
            self.fill([x + depth + width, y], [width, depth], bottom);
        }
    }

    fn paint_head(&mut self) {
        let net = Net { corner: [0, 0], size: [8, 8, 8] };
        self.ends(net, HAIR, Some(SHADE));
        self.around(net, 0..8, SKIN);
        self.around(net, 0..2, HAIR);
        self.on(net, Face::Back, 2..7, HAIR);
        for row in 2..6 {
            // Towards the back.
            self.dots(net, Face::Right, &[0, 1, 2, 3].map(|column| [column, row]), HAIR);
            self.dots(net, Face::Left, &[4, 5, 6, 7].map(|column| [column, row]), HAIR);
        }
        self.dots(net, Face::Front, &[[0, 2], [7, 2], [1, 3], [2, 3], [5, 3], [6, 3]], HAIR);
        self.dots(net, Face::Front, &[[1, 4], [6, 4]], WHITE);
        self.dots(net, Face::Front, &[[2, 4], [5, 4]], PUPILS);
        self.dots(net, Face::Front, &[[3, 5], [4, 5]], SHADE);
        self.dots(net, Face::Front, &[[3, 6], [4, 6], [5, 6]], MOUTH);
        let hat = Net { corner: [32, 0], ..net };
        self.ends(hat, CURLS, None);
        self.around(hat, 0..1, CURLS);
        self.on(hat, Face::Back, 1..5, CURLS);
        self.dots(
            hat,
            Face::Front,
            &[[0, 1], [1, 1], [4, 1], [5, 1], [6, 1], [7, 1], [7, 2]],
            CURLS,
        );
    }

    fn paint_body(&mut self) {
        let net = Net { corner: [16, 16], size: [8, 12, 4] };
        self.ends(net, SHIRT, Some(TROUSERS));
        self.around(net, 0..11, SHIRT);
        self.around(net, 11..12, BELT);
        self.dots(net, Face::Front, &[[3, 0], [4, 0], [3, 1], [4, 1]], SKIN);
        self.dots(net, Face::Front, &[[3, 3], [3, 5], [3, 7], [3, 11], [4, 11]], BUTTONS);
        self.on(net, Face::Back, 2..3, HEM);
        let jacket = Net { corner: [16, 32], ..net };
        self.around(jacket, 9..11, HEM);
    }

    fn paint_arm(&mut self, inner: [u32; 2], outer: [u32; 2], width: u32, band: Color) {
        let net = Net { corner: inner, size: [width, 12, 4] };
        self.ends(net, SHIRT, Some(SHADE));
        self.around(net, 0..6, SHIRT);
        self.around(net, 6..12, SKIN);
        let sleeve = Net { corner: outer, ..net };
        self.ends(sleeve, SHIRT, None);
        self.around(sleeve, 0..6, SHIRT);
        self.around(sleeve, 3..4, band);
        self.around(sleeve, 5..6, HEM);
    }

    fn paint_leg(&mut self, inner: [u32; 2], outer: [u32; 2]) {
        let net = Net { corner: inner, size: [4, 12, 4] };
        self.ends(net, TROUSERS, Some(BOOTS));
        self.around(net, 0..9, TROUSERS);
        self.around(net, 9..12, BOOTS);
        let trousers = Net { corner: outer, ..net };
        self.around(trousers, 7..9, CUFFS);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Part, SkinLayer, SkinMesh, SkinShape};

    /// The pixels of a face of a box, which are seen where its outside faces `axis` (negative: from
    /// the other side).
    fn face(mesh: &SkinMesh, normal: [f32; 3], pixels: &[u8]) -> Vec<[u8; 4]> {
        let corners: Vec<_> = mesh
            .uvs
            .iter()
            .zip(&mesh.normals)
            .filter(|(_, found)| **found == normal)
            .map(|(uv, _)| uv.map(|one| (one * SIDE as f32).round() as usize))
            .collect();
        let ends = |axis: usize| {
            let along = corners.iter().map(|corner| corner[axis]);
            along.clone().min().unwrap()..along.max().unwrap()
        };
        let at = |x: usize, y: usize| {
            let start = 4 * (y * SIDE as usize + x);
            [0, 1, 2, 3].map(|channel| pixels[start + channel])
        };
        ends(1).flat_map(|y| ends(0).map(move |x| at(x, y))).collect()
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
            let pixels = pixels(slim);
            let shape = SkinShape { slim, is_old: false };
            for part in Part::ALL {
                let inner = part.skin_mesh(shape, SkinLayer::Inner).unwrap();
                for side in SIDES {
                    let face = face(&inner, side, &pixels);
                    assert!(!face.is_empty());
                    assert!(face.iter().all(|pixel| pixel[3] == 255), "{part:?} {side:?}");
                }
                let outer = part.skin_mesh(shape, SkinLayer::Outer).unwrap();
                let all: Vec<_> =
                    SIDES.iter().flat_map(|side| face(&outer, *side, &pixels)).collect();
                let clear = all.iter().filter(|pixel| pixel[3] == 0).count();
                assert!((1..all.len()).contains(&clear), "{part:?}: {clear} of {}", all.len());
            }
        }
    }

    #[test]
    fn default_skin_distinguishes_all_sides() {
        let pixels = pixels(false);
        let shape = SkinShape::default();
        let seen = |part: Part, layer: SkinLayer, side: [f32; 3]| {
            face(&part.skin_mesh(shape, layer).unwrap(), side, &pixels)
        };
        let (front, back) = ([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]);
        for part in [Part::Head, Part::Body] {
            let inner = |side| seen(part, SkinLayer::Inner, side);
            assert_ne!(inner(front), inner(back), "{part:?}");
        }
        let colors =
            |part| -> HashSet<_> { seen(part, SkinLayer::Outer, front).into_iter().collect() };
        assert_ne!(colors(Part::RightArm), colors(Part::LeftArm));
        // Two eyes, on the front of the head only.
        let eyes = |side| {
            let head = seen(Part::Head, SkinLayer::Inner, side);
            head.iter().filter(|pixel| pixel[..3] == PUPILS).count()
        };
        assert_eq!(SIDES.map(eyes), [0, 0, 0, 0, 0, 2]);
    }
}
