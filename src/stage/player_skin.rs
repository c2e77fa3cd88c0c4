//! A player's skin: an image that is folded around the boxes of the body.

use std::{collections::HashMap, sync::Arc};

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use mutoscope_minecraft::{Cuboid as Bounds, Part, Person, default_skin};

/// The skins that players wear in place of those that recordings know, if some were given.
#[derive(Resource, Clone, Debug, Default)]
pub struct PlayerSkin {
    /// The skin of all players without one by name.
    pub everybody: Option<Arc<Skin>>,
    /// The skins of players by their names, in lower case.
    pub by_name: HashMap<String, Arc<Skin>>,
}

impl PlayerSkin {
    /// The skin of a player, as [`PlayerSkins::of`](mutoscope_minecraft::PlayerSkins::of).
    pub(super) fn of(&self, person: &Person) -> Option<&Arc<Skin>> {
        let name = person.skin_owner.as_ref().or(person.name.as_ref());
        let named = name.and_then(|name| self.by_name.get(&name.to_lowercase()));
        named.or(self.everybody.as_ref())
    }
}

/// A sixteenth of a block as players are drawn, in metres.
pub(super) const PIXEL: f32 = 0.9375 / 16.0;

/// A player's skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skin {
    /// Row by row, 64 in each.
    pixels: Box<[[u8; 4]]>,
    /// Whether it is of the old layout of 64 by 32 pixels.
    is_old: bool,
    /// Whether it is made for arms 3 pixels wide.
    slim: bool,
}

/// Why an image is no skin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// It is no PNG.
    #[error("expected a PNG: {0}")]
    Undecodable(#[from] image::ImageError),
    /// It has the wrong size.
    #[error("expected a skin of 64 by 64 or 64 by 32 pixels, found {0} by {1}")]
    Size(u32, u32),
}

/// The width of every skin, in pixels.
const WIDTH: usize = 64;

/// A layer of a part of the body: its place in the image, and its distance from the body.
#[derive(Clone, Copy, Debug)]
struct Layer {
    /// The left upper corner of its six faces.
    corner: [usize; 2],
    /// In pixels, on each side.
    off: f32,
    /// Whether it is the mirror image of that.
    mirrored: bool,
}

/// A face of a box. `across` and `down` are the directions in which its image runs; it is seen from
/// where `outwards` points.
struct Face {
    /// Where it is in the image, from the corner of the box's.
    corner: [usize; 2],
    size: [usize; 2],
    /// The corner of the box where its image begins: 0 for the least, 1 for the greatest.
    start: Vec3,
    across: Vec3,
    down: Vec3,
    outwards: Vec3,
}

impl Skin {
    /// Reads a PNG.
    ///
    /// # Errors
    /// If it is no PNG, or not as large as skins are.
    pub fn decode(png: &[u8]) -> Result<Self, SkinError> {
        let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png)?;
        let (width, height) = (picture.width(), picture.height());
        if width != WIDTH as u32 || !matches!(height, 32 | 64) {
            return Err(SkinError::Size(width, height));
        }
        let pixels: Box<[_]> = picture.to_rgba8().pixels().map(|pixel| pixel.0).collect();
        let mut skin = Self { pixels, is_old: height == 32, slim: false };
        // Where wide arms have the last column of their backs, slim ones have nothing.
        skin.slim = !skin.is_old && (20..32).all(|y| skin.pixel(54, y)[3] == 0);
        Ok(skin)
    }

    /// The skin of those whose own is not known.
    pub(super) fn default_of(slim: bool) -> Self {
        let pixels = default_skin(slim);
        let pixel = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
        Self { pixels: pixels.chunks_exact(4).map(pixel).collect(), is_old: false, slim }
    }

    /// The same for arms that are slim, or are not.
    pub(super) fn with_arms(self, slim: bool) -> Self {
        Self { slim: slim && !self.is_old, ..self }
    }

    /// Whether it is made for arms 3 pixels wide.
    pub fn is_slim(&self) -> bool {
        self.slim
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        self.pixels[y * WIDTH + x]
    }

    /// The body's layer, and the one over it if there is one.
    fn layers(&self, part: Part) -> (Layer, Option<Layer>) {
        let at = |x: usize, y: usize, off: f32| Layer { corner: [x, y], off, mirrored: false };
        let (body, over) = match part {
            Part::Head => (at(0, 0, 0.0), at(32, 0, 0.5)),
            Part::Body => (at(16, 16, 0.0), at(16, 32, 0.25)),
            Part::RightArm => (at(40, 16, 0.0), at(40, 32, 0.25)),
            Part::LeftArm => (at(32, 48, 0.0), at(48, 48, 0.25)),
            Part::RightLeg => (at(0, 16, 0.0), at(0, 32, 0.25)),
            Part::LeftLeg => (at(16, 48, 0.0), at(0, 48, 0.25)),
        };
        if !self.is_old {
            return (body, Some(over));
        }
        // Left limbs are mirror images of the right ones, and only the head has a second layer.
        let body = match part {
            Part::LeftArm => Layer { mirrored: true, ..at(40, 16, 0.0) },
            Part::LeftLeg => Layer { mirrored: true, ..at(0, 16, 0.0) },
            _ => body,
        };
        (body, (part == Part::Head).then_some(over))
    }

    /// A part of the body in this skin: a square for each pixel.
    pub(super) fn mesh(&self, part: Part) -> Mesh {
        let bounds = part.cuboid(self.slim);
        let (body, over) = self.layers(part);
        let mut squares = Squares::default();
        self.fold(body, bounds, false, &mut squares);
        if let Some(over) = over {
            self.fold(over, bounds, true, &mut squares);
        }
        squares.mesh()
    }

    fn fold(&self, layer: Layer, bounds: Bounds, has_holes: bool, squares: &mut Squares) {
        let (min, max) = (bounds.min.as_vec3(), bounds.max.as_vec3());
        let off = Vec3::splat(layer.off * PIXEL);
        let [least, most] = [min - off, max + off];
        let size = ((max - min) / PIXEL).round();
        // A pixel of the outer layer is a little larger.
        let pixel = (most - least) / size;
        for face in faces(size.to_array().map(|size| size as usize)) {
            let mirror = if layer.mirrored { -1.0 } else { 1.0 };
            let flipped = |direction: Vec3| direction * Vec3::new(mirror, 1.0, 1.0);
            let start = if layer.mirrored {
                Vec3::new(1.0 - face.start.x, face.start.y, face.start.z)
            } else {
                face.start
            };
            let start = least + (most - least) * start;
            let (across, down) = (flipped(face.across) * pixel, flipped(face.down) * pixel);
            let outwards = flipped(face.outwards);
            for y in 0..face.size[1] {
                for x in 0..face.size[0] {
                    let [left, top] = [0, 1].map(|axis| layer.corner[axis] + face.corner[axis]);
                    let [red, green, blue, alpha] = self.pixel(left + x, top + y);
                    if has_holes && alpha < 128 {
                        continue;
                    }
                    let corner = start + across * x as f32 + down * y as f32;
                    let color = LinearRgba::from(Srgba::rgb_u8(red, green, blue)).to_f32_array();
                    squares.add(corner, across, down, outwards, color);
                }
            }
        }
    }
}

/// The faces of a box of this many pixels along x, y and z, as skins have them: seen from outside,
/// in a row the right one, the front, the left and the back; above them top and bottom.
///
/// The player's right is +X, y is up, and the player looks along −Z.
fn faces([width, height, depth]: [usize; 3]) -> [Face; 6] {
    let face = |corner, size, start: [f32; 3], across, down, outwards| Face {
        corner,
        size,
        start: start.into(),
        across,
        down,
        outwards,
    };
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    [
        face([0, depth], [depth, height], [1.0, 1.0, 1.0], -z, -y, x),
        face([depth, depth], [width, height], [1.0, 1.0, 0.0], -x, -y, -z),
        face([depth + width, depth], [depth, height], [0.0, 1.0, 0.0], z, -y, -x),
        face([2 * depth + width, depth], [width, height], [0.0, 1.0, 1.0], x, -y, z),
        face([depth, 0], [width, depth], [1.0, 1.0, 1.0], -x, -z, y),
        face([depth + width, 0], [width, depth], [1.0, 0.0, 1.0], -x, -z, -y),
    ]
}

/// Squares, each of one color.
#[derive(Default)]
struct Squares {
    places: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Squares {
    /// One from `corner` on, to be seen from where `outwards` points.
    fn add(&mut self, corner: Vec3, across: Vec3, down: Vec3, outwards: Vec3, color: [f32; 4]) {
        let first = self.places.len() as u32;
        let corners = [corner, corner + across, corner + across + down, corner + down];
        self.places.extend(corners.map(|corner| corner.to_array()));
        self.normals.extend([outwards.to_array(); 4]);
        self.colors.extend([color; 4]);
        let turns_left = across.cross(down).dot(outwards) > 0.0;
        let order = if turns_left { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        self.indices.extend(order.map(|index| first + index));
    }

    fn mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.places)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A skin in which each pixel tells where it is: red is its column times 4, green its row.
    fn skin(height: u32) -> Skin {
        let picture = image::RgbaImage::from_fn(64, height, |x, y| {
            image::Rgba([x as u8 * 4, y as u8 * 4, 0, 255])
        });
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        Skin::decode(png.get_ref()).unwrap()
    }

    /// The column and row of the pixel that is nearest to a place of the body's layer, seen from
    /// `outwards`.
    fn pixel_at(skin: &Skin, part: Part, place: Vec3, outwards: Vec3) -> [usize; 2] {
        let bounds = part.cuboid(skin.slim);
        let mut squares = Squares::default();
        skin.fold(skin.layers(part).0, bounds, false, &mut squares);
        let nearest = (0..squares.places.len() / 4)
            .filter(|square| Vec3::from(squares.normals[4 * square]) == outwards)
            .min_by_key(|square| {
                let corners = &squares.places[4 * square..4 * square + 4];
                let middle = corners.iter().map(|&corner| Vec3::from(corner)).sum::<Vec3>() / 4.0;
                (middle.distance(place) * 1e6) as u64
            })
            .unwrap();
        let [red, green, ..] = squares.colors[4 * nearest];
        let byte = |linear: f32| {
            let color = Srgba::from(LinearRgba::rgb(linear, 0.0, 0.0));
            (color.red * 255.0).round() as usize
        };
        [byte(red) / 4, byte(green) / 4]
    }

    #[test]
    fn skin_layout_matches_the_game() {
        let skin = skin(64);
        let head = Part::Head.cuboid(false);
        let (min, max) = (head.min.as_vec3(), head.max.as_vec3());
        // Seen from the front, the player's right is on the left: his right eye is in the image's
        // left half.
        let at = |place: Vec3, outwards: Vec3| pixel_at(&skin, Part::Head, place, outwards);
        assert_eq!(at(Vec3::new(max.x, max.y, min.z), Vec3::NEG_Z), [8, 8]);
        assert_eq!(at(Vec3::new(min.x, min.y, min.z), Vec3::NEG_Z), [15, 15]);
        // The right side's last column meets the face.
        assert_eq!(at(Vec3::new(max.x, max.y, min.z), Vec3::X), [7, 8]);
        assert_eq!(at(Vec3::new(min.x, max.y, min.z), Vec3::NEG_X), [16, 8]);
        assert_eq!(at(Vec3::new(min.x, max.y, max.z), Vec3::Z), [24, 8]);
        // So do the last rows of top and bottom.
        assert_eq!(at(Vec3::new(max.x, max.y, min.z), Vec3::Y), [8, 7]);
        assert_eq!(at(Vec3::new(max.x, min.y, min.z), Vec3::NEG_Y), [16, 7]);
    }

    #[test]
    fn left_limbs_of_old_skins_mirror_the_right_ones() {
        let (old, new) = (skin(32), skin(64));
        let front = |skin: &Skin, part: Part, outer: bool| {
            let bounds = part.cuboid(false);
            let is_right = part == Part::RightArm;
            let x = if is_right == outer { bounds.max.x } else { bounds.min.x };
            let place = Vec3::new(x as f32, bounds.max.y as f32, bounds.min.z as f32);
            pixel_at(skin, part, place, Vec3::NEG_Z)
        };
        for outer in [false, true] {
            let right = front(&old, Part::RightArm, outer);
            assert_eq!(right, front(&old, Part::LeftArm, outer));
            assert_eq!(right, front(&new, Part::RightArm, outer));
        }
        assert_eq!(front(&new, Part::LeftArm, false), [36, 52]);
    }

    #[test]
    fn every_skin_square_faces_outwards() {
        for skin in [skin(32), skin(64)] {
            for part in Part::ALL {
                let mesh = skin.mesh(part);
                let places = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap().as_float3().unwrap();
                let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).unwrap().as_float3().unwrap();
                let indices: Vec<_> = mesh.indices().unwrap().iter().collect();
                for corners in indices.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(places[corners[corner]]));
                    let normal = Vec3::from(normals[corners[0]]);
                    assert!((b - a).cross(c - a).dot(normal) > 0.0, "{part:?}");
                }
            }
        }
    }

    #[test]
    fn default_skin_has_a_face_ahead_and_hair_behind() {
        for slim in [false, true] {
            let skin = Skin::default_of(slim);
            assert_eq!((skin.is_slim(), skin.pixels.len()), (slim, 64 * 64));
            // Eyes in the front of the head; none in its back.
            let row = |from: usize| (from..from + 8).map(|x| skin.pixel(x, 12)).collect::<Vec<_>>();
            let (front, back) = (row(8), row(24));
            assert!(front.contains(&[255; 4]) && !back.contains(&[255; 4]));
        }
    }

    #[test]
    fn slim_skins_have_an_empty_column() {
        let picture = image::RgbaImage::from_fn(64, 64, |x, y| {
            let is_empty = (54..56).contains(&x) && (20..32).contains(&y);
            image::Rgba([0, 0, 0, if is_empty { 0 } else { 255 }])
        });
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        assert!(Skin::decode(png.get_ref()).unwrap().is_slim());
        assert!(!skin(64).is_slim() && !skin(32).is_slim());
    }

    #[test]
    fn invalid_skins_are_rejected() {
        let picture = image::RgbaImage::new(32, 32);
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let refused = Skin::decode(png.get_ref()).unwrap_err().to_string();
        assert!(refused.contains("found 32 by 32"), "{refused}");
        assert!(Skin::decode(b"no picture").is_err());
    }
}
