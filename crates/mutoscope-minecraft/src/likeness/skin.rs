//! Skin images, and which player has which.

use std::{collections::HashMap, sync::Arc};

use glam::Vec3;

use super::{character, default_skin};
use crate::{Part, Person, Scene, SkinLayer, SkinMesh, SkinShape, shapes::ShapeMesh};
use mutoscope_core::clip::{Clip, ImageFormat, Model, Skeleton, TextureImage, linear_color};

/// A player's skin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SkinPicture {
    /// The file; the default skin has none.
    png: Option<Arc<[u8]>>,
    /// Red, green, blue and opacity of each pixel, row by row.
    pixels: Arc<[u8]>,
    /// The width of its arms, and its layout. An image is made for arms 3 pixels wide if it has
    /// nothing where wide arms have the last column of their backs.
    pub shape: SkinShape,
    /// Whether the hat is drawn: in old skins without any transparency there the game draws none.
    pub has_hat: bool,
}

/// Why an image is no skin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// It is no PNG.
    #[error("expected a PNG: {0}")]
    Undecodable(#[from] png::DecodingError),
    /// It has the wrong size.
    #[error("expected a skin of 64 by 64 or 64 by 32 pixels, found {0} by {1}")]
    Size(u32, u32),
}

/// How wide every skin is, in pixels.
const WIDTH: usize = 64;

/// The opacity below which the game draws nothing of an outer layer.
pub(super) const CUTOFF: f32 = 0.1;

impl SkinPicture {
    /// Reads a PNG.
    ///
    /// # Errors
    /// If it is no PNG, or not as large as skins are.
    pub fn decode(png: Arc<[u8]>) -> Result<Self, SkinError> {
        let pixels = pixels(&png)?;
        let is_old = pixels.len() == 4 * WIDTH * WIDTH / 2;
        let shape = SkinShape { slim: false, is_old };
        let mut skin = Self { png: Some(png), pixels, shape, has_hat: true };
        let alpha = |x: usize, y: usize| skin.pixel(x, y)[3];
        let slim = !is_old && (20..32).all(|y| alpha(54, y) == 0);
        let has_hat = !is_old || (0..16).any(|y| (32..WIDTH).any(|x| alpha(x, y) < 128));
        (skin.shape.slim, skin.has_hat) = (slim, has_hat);
        Ok(skin)
    }

    /// The skin of those whose own is not known.
    pub fn default_of(slim: bool) -> Self {
        let pixels = default_skin::pixels(slim).into();
        let shape = SkinShape { slim, is_old: false };
        Self { png: None, pixels, shape, has_hat: true }
    }

    /// The same for arms that are slim, or are not; old skins are for wide ones only.
    pub fn with_arms(mut self, slim: bool) -> Self {
        self.shape.slim = slim && !self.shape.is_old;
        self
    }

    /// Whether it was read from this very file.
    pub(super) fn is_of(&self, png: &Arc<[u8]>) -> bool {
        self.png.as_ref().is_some_and(|own| Arc::ptr_eq(own, png))
    }

    /// The same as the image of a texture.
    pub(super) fn image(&self) -> TextureImage {
        match &self.png {
            Some(png) => TextureImage::Encoded { format: ImageFormat::Png, bytes: Arc::clone(png) },
            None => TextureImage::Rgba8 {
                width: default_skin::SIDE,
                height: default_skin::SIDE,
                pixels: Arc::clone(&self.pixels),
            },
        }
    }

    /// The boxes of a part of the body that are drawn: at most one for each layer.
    pub(super) fn boxes(&self, part: Part) -> impl Iterator<Item = (SkinLayer, SkinMesh)> {
        let is_drawn = move |layer| self.has_hat || (part, layer) != (Part::Head, SkinLayer::Outer);
        [SkinLayer::Inner, SkinLayer::Outer]
            .into_iter()
            .filter(move |layer| is_drawn(*layer))
            .filter_map(move |layer| Some((layer, part.skin_mesh(self.shape, layer)?)))
    }

    /// A part of the body as squares: one for each pixel that is drawn, in its colour.
    pub fn squares(&self, part: Part) -> ShapeMesh {
        let mut squares = ShapeMesh::default();
        for (layer, mesh) in self.boxes(part) {
            let least = if layer == SkinLayer::Outer { CUTOFF } else { 0.0 };
            for face in 0..mesh.positions.len() / 4 {
                self.add_face(&mesh, face, least, &mut squares);
            }
        }
        squares
    }

    /// Adds a square for each pixel of a face that is at least so opaque.
    fn add_face(&self, mesh: &SkinMesh, face: usize, least: f32, squares: &mut ShapeMesh) {
        let first = 4 * face;
        let [from, right, _, below] =
            [0, 1, 2, 3].map(|corner| Vec3::from(mesh.positions[first + corner]));
        let height = self.pixels.len() / 4 / WIDTH;
        let [[left, top], [end, bottom]] = [0, 2].map(|corner| {
            let [u, v] = mesh.uvs[first + corner];
            [u * WIDTH as f32, v * height as f32].map(|place| place.round() as usize)
        });
        // Neighbours share their corners to the last bit.
        let place = |[x, y]: [usize; 2]| {
            let t =
                [(x - left) as f32 / (end - left) as f32, (y - top) as f32 / (bottom - top) as f32];
            (from + (right - from) * t[0] + (below - from) * t[1]).to_array()
        };
        for (x, y) in (top..bottom).flat_map(|y| (left..end).map(move |x| (x, y))) {
            let [red, green, blue, alpha] = self.pixel(x, y);
            if f32::from(alpha) / 255.0 < least {
                continue;
            }
            let index = squares.positions.len() as u32;
            let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
            squares.positions.extend(corners.map(place));
            squares.normals.extend([mesh.normals[first]; 4]);
            squares.colors.extend([linear_color([red, green, blue]); 4]);
            let order = &mesh.indices[6 * face..6 * (face + 1)];
            squares.indices.extend(order.iter().map(|corner| corner - first as u32 + index));
        }
    }

    /// Red, green, blue and opacity of a pixel.
    fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let start = 4 * (y * WIDTH + x);
        [0, 1, 2, 3].map(|channel| self.pixels[start + channel])
    }
}

/// Red, green, blue and opacity of each pixel of a PNG, row by row.
fn pixels(png: &[u8]) -> Result<Arc<[u8]>, SkinError> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    let to_bytes = png::Transformations::normalize_to_color8() | png::Transformations::ALPHA;
    decoder.set_transformations(to_bytes);
    let mut reader = decoder.read_info()?;
    // Before anything is unpacked.
    let (width, height) = (reader.info().width, reader.info().height);
    if width != WIDTH as u32 || !matches!(height, 32 | 64) {
        return Err(SkinError::Size(width, height));
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let read = reader.next_frame(&mut pixels)?;
    pixels.truncate(read.buffer_size());
    if read.color_type == png::ColorType::GrayscaleAlpha {
        let grey = pixels.chunks_exact(2).flat_map(|one| [one[0], one[0], one[0], one[1]]);
        return Ok(grey.collect());
    }
    Ok(pixels.into())
}

/// Skins that are given for players, in place of those that recordings know.
#[derive(Clone, Debug, Default)]
pub struct PlayerSkins {
    /// The skin of all of whom none is given by name.
    pub everybody: Option<SkinPicture>,
    /// Skins by the names of players, in lower case: no two players have names that differ in case
    /// only.
    pub by_name: HashMap<String, SkinPicture>,
}

impl PlayerSkins {
    /// Whether none are given.
    pub fn is_empty(&self) -> bool {
        self.everybody.is_none() && self.by_name.is_empty()
    }

    /// The skin of a player: that of the player whose skin a scene gives, or that of the player's
    /// own name.
    pub fn of(&self, person: &Person) -> Option<&SkinPicture> {
        let name = person.skin_owner.as_ref().or(person.name.as_ref());
        let named = name.and_then(|name| self.by_name.get(&name.to_lowercase()));
        named.or(self.everybody.as_ref())
    }

    /// The player that another motion was put on, in the skin of all; nothing of other clips, and without such a skin.
    pub fn model_of(&self, clip: &Clip) -> Option<Model> {
        self.everybody.as_ref().and_then(|skin| character::dressed(clip, skin))
    }

    /// Applies them to the players in a clip, also to one that another motion was put on; other clips are unchanged.
    pub fn dress(&self, clip: &mut Clip) {
        if let Some(model) = self.model_of(clip)
            && let Skeleton::Attached(attached) = &mut clip.skeleton
        {
            attached.model = Arc::new(model);
        }
        let Some(scene) = clip.procedural_as::<Scene>() else { return };
        let mut scene = scene.clone();
        for take in &mut scene.takes {
            let Some(skin) = self.of(&take.person) else { continue };
            let take = Arc::make_mut(take);
            take.skin.clone_from(&skin.png);
            take.person.slim = skin.shape.slim;
        }
        let scene = Arc::new(scene);
        clip.procedural = Some(Arc::clone(&scene) as _);
        clip.annotations = Some(scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A skin of this many rows, opaque but where `is_clear` says.
    fn skin(width: u32, height: u32, is_clear: fn(u32, u32) -> bool) -> Arc<[u8]> {
        painted(width, height, |x, y| [90, 60, 30, if is_clear(x, y) { 0 } else { 255 }])
    }

    fn painted(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Arc<[u8]> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        let pixels: Vec<u8> =
            (0..width * height).flat_map(|at| pixel(at % width, at / width)).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file.into()
    }

    #[test]
    fn arm_width_and_hat_follow_from_the_skin_image() {
        let wide = SkinPicture::decode(skin(64, 64, |_, _| false)).unwrap();
        assert_eq!((wide.shape, wide.has_hat), (SkinShape::default(), true));
        let slim = |x: u32, y: u32| (54..56).contains(&x) && (20..32).contains(&y);
        assert!(SkinPicture::decode(skin(64, 64, slim)).unwrap().shape.slim);
        let old = SkinPicture::decode(skin(64, 32, |_, _| false)).unwrap();
        assert_eq!((old.shape, old.has_hat), (SkinShape { slim: false, is_old: true }, false));
        assert!(SkinPicture::decode(skin(64, 32, |x, y| (x, y) == (40, 3))).unwrap().has_hat);
    }

    /// How many pixels each layer of a head has, whatever their opacity.
    const HAT: usize = 6 * 8 * 8;

    /// How many squares a head has beyond those of the body's layer.
    fn hat_squares(skin: &SkinPicture) -> usize {
        skin.squares(Part::Head).positions.len() / 4 - HAT
    }

    #[test]
    fn hat_of_an_old_skin_is_drawn_only_if_it_has_holes() {
        let hat = |png| hat_squares(&SkinPicture::decode(png).unwrap());
        assert_eq!(hat(skin(64, 32, |_, _| false)), 0);
        assert_eq!(hat(skin(64, 32, |x, y| (x, y) == (40, 9))), HAT - 1);
        assert_eq!(hat(skin(64, 64, |_, _| false)), HAT);
    }

    /// Where a texture is cut off, the stage draws no square.
    #[test]
    fn pixels_are_drawn_from_a_tenth_of_opacity_on() {
        let with = |alpha| {
            let png = painted(64, 64, |x, y| [9, 9, 9, if y < 16 && x >= 32 { alpha } else { 0 }]);
            hat_squares(&SkinPicture::decode(png).unwrap())
        };
        assert_eq!([0, 25, 26, 127, 128].map(with), [0, 0, HAT, HAT, HAT]);
    }

    /// Red is the column and green the row of each pixel: every square has the colour that the texture
    /// has in its middle, and faces outwards.
    #[test]
    fn squares_match_the_texture() {
        for height in [32, 64] {
            let png = painted(64, height, |x, y| [x as u8, y as u8, 0, (x + y) as u8]);
            let skin = SkinPicture::decode(png).unwrap();
            for part in Part::ALL {
                let squares = skin.squares(part);
                let mut drawn = 0;
                for (_, mesh) in skin.boxes(part) {
                    for corner in (0..mesh.positions.len()).step_by(4) {
                        let uv = mesh.uvs[corner];
                        let pixel = [uv[0] * 64.0, uv[1] * height as f32].map(|one| one as u8);
                        let color = linear_color([pixel[0], pixel[1], 0]);
                        let place = (mesh.positions[corner], mesh.normals[corner]);
                        let found = (0..squares.positions.len()).find(|&at| {
                            (squares.positions[at], squares.normals[at]) == place
                                && squares.colors[at] == color
                        });
                        drawn += usize::from(found.is_some());
                    }
                }
                assert!(drawn >= 5, "{part:?} of {height} rows: {drawn}");
                for corners in squares.indices.chunks(3) {
                    let at =
                        |corner: usize| Vec3::from(squares.positions[corners[corner] as usize]);
                    let normal = Vec3::from(squares.normals[corners[0] as usize]);
                    let [a, b, c] = [0, 1, 2].map(at);
                    assert!((b - a).cross(c - a).dot(normal) > 0.0, "{part:?}");
                }
            }
        }
    }

    #[test]
    fn grey_and_indexed_skins_have_their_colours() {
        for color in [png::ColorType::Grayscale, png::ColorType::Indexed] {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 64, 64);
            encoder.set_color(color);
            if color == png::ColorType::Indexed {
                encoder.set_palette([[1, 2, 3], [7, 7, 7]].concat());
            }
            let pixels = [1].repeat(64 * 64);
            encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
            let skin = SkinPicture::decode(file.into()).unwrap();
            let value = if color == png::ColorType::Indexed { 7 } else { 1 };
            assert_eq!(skin.pixel(63, 63), [value, value, value, 255], "{color:?}");
        }
    }

    #[test]
    fn invalid_skins_are_rejected() {
        let error = SkinPicture::decode(skin(32, 32, |_, _| false)).unwrap_err().to_string();
        assert!(error.contains("found 32 by 32"), "{error}");
        let whole = skin(64, 64, |_, _| false);
        for cut in (0..whole.len() - 12).step_by(7) {
            assert!(SkinPicture::decode(whole[..cut].into()).is_err(), "{cut}");
        }
        // 4 thousand million pixels, of which nothing is there: refused by size.
        let mut huge = whole.to_vec();
        huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        assert!(SkinPicture::decode(huge.into()).is_err());
    }

    #[test]
    fn named_skins_precede_the_common_skin() {
        let picture = |is_clear| SkinPicture::decode(skin(64, 64, is_clear)).unwrap();
        let (one, all) = (picture(|x, _| x > 50), picture(|_, _| false));
        let skins = PlayerSkins {
            everybody: Some(all.clone()),
            by_name: [("alex".to_owned(), one.clone())].into(),
        };
        let person = |name: Option<&str>, owner: Option<&str>| Person {
            name: name.map(str::to_owned),
            skin_owner: owner.map(str::to_owned),
            ..Person::default()
        };
        let of = |name, owner| skins.of(&person(name, owner));
        assert_eq!([of(Some("Alex"), None), of(Some("Steve"), Some("alex"))], [Some(&one); 2]);
        assert_eq!([of(Some("Steve"), None), of(None, None)], [Some(&all); 2]);
    }
}
