//! Decodes skin images and assigns them to players.

use std::{collections::HashMap, sync::Arc};

use glam::Vec3;

use super::{character, default_skin};
use crate::{Part, PlayerProfile, Scene, SkinLayer, SkinMesh, SkinShape, shapes::ShapeMesh};
use mutoscope_core::clip::{Clip, ImageFormat, Model, Skeleton, TextureImage, srgb_to_linear};

/// A player's skin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SkinImage {
    /// The bytes of the file, or `None` for the default skin.
    png: Option<Arc<[u8]>>,
    pixels: Arc<[u8]>,
    /// The width of the arms and the layout of the image. [`Self::decode`] assumes slim arms if
    /// column 54 is transparent in rows 20 to 31, because only the wide right arm uses these
    /// pixels.
    pub shape: SkinShape,
    /// Whether the hat is drawn. The game does not draw the hat of an old skin if the pixels of the
    /// hat are all opaque.
    pub has_hat: bool,
}

/// An error that makes an image unusable as a skin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// The image is not a PNG.
    #[error("expected a PNG: {0}")]
    Undecodable(#[from] png::DecodingError),
    /// The image has the wrong size.
    #[error("expected a skin of 64 by 64 or 64 by 32 pixels, found {0} by {1}")]
    Size(u32, u32),
}

const SKIN_WIDTH_PX: usize = 64;

/// The alpha value below which the game does not draw a pixel of an outer layer.
pub(super) const ALPHA_CUTOFF: f32 = 0.1;

impl SkinImage {
    /// Decodes a skin from the bytes of a PNG.
    ///
    /// # Errors
    /// Fails if the bytes are not a PNG, or the image has a size other than 64 by 64 or 64 by 32
    /// pixels.
    pub fn decode(png: Arc<[u8]>) -> Result<Self, SkinError> {
        let pixels = decode_pixels(&png)?;
        let is_old = pixels.len() == 4 * SKIN_WIDTH_PX * SKIN_WIDTH_PX / 2;
        let shape = SkinShape { slim: false, is_old };
        let mut skin = Self { png: Some(png), pixels, shape, has_hat: true };
        let alpha = |x: usize, y: usize| skin.pixel(x, y)[3];
        let slim = !is_old && (20..32).all(|y| alpha(54, y) == 0);
        let has_hat = !is_old || (0..16).any(|y| (32..SKIN_WIDTH_PX).any(|x| alpha(x, y) < 128));
        (skin.shape.slim, skin.has_hat) = (slim, has_hat);
        Ok(skin)
    }

    /// Returns the skin of players whose own skin is unknown.
    pub fn default_skin(slim: bool) -> Self {
        let pixels = default_skin::paint_pixels(slim).into();
        let shape = SkinShape { slim, is_old: false };
        Self { png: None, pixels, shape, has_hat: true }
    }

    /// Returns the skin with slim arms if `slim` is `true`, otherwise with wide arms. Old skins
    /// always have wide arms.
    pub fn with_arms(mut self, slim: bool) -> Self {
        self.shape.slim = slim && !self.shape.is_old;
        self
    }

    pub(super) fn is_decoded_from(&self, png: &Arc<[u8]>) -> bool {
        self.png.as_ref().is_some_and(|own| Arc::ptr_eq(own, png))
    }

    pub(super) fn to_texture_image(&self) -> TextureImage {
        match &self.png {
            Some(png) => TextureImage::Encoded { format: ImageFormat::Png, bytes: Arc::clone(png) },
            None => TextureImage::Rgba8 {
                width: default_skin::SIDE_PX,
                height: default_skin::SIDE_PX,
                pixels: Arc::clone(&self.pixels),
            },
        }
    }

    pub(super) fn layer_meshes(&self, part: Part) -> impl Iterator<Item = (SkinLayer, SkinMesh)> {
        let is_drawn = move |layer| self.has_hat || (part, layer) != (Part::Head, SkinLayer::Outer);
        [SkinLayer::Inner, SkinLayer::Outer]
            .into_iter()
            .filter(move |layer| is_drawn(*layer))
            .filter_map(move |layer| Some((layer, part.skin_mesh(self.shape, layer)?)))
    }

    /// Returns a part of the body as a mesh of squares, one for each visible pixel, in the pixel's
    /// colour.
    pub fn pixel_squares(&self, part: Part) -> ShapeMesh {
        let mut squares = ShapeMesh::default();
        for (layer, mesh) in self.layer_meshes(part) {
            let min_alpha = if layer == SkinLayer::Outer { ALPHA_CUTOFF } else { 0.0 };
            for face in 0..mesh.positions.len() / 4 {
                self.add_face(&mesh, face, min_alpha, &mut squares);
            }
        }
        squares
    }

    fn add_face(&self, mesh: &SkinMesh, face: usize, min_alpha: f32, squares: &mut ShapeMesh) {
        let first = 4 * face;
        let [from, right, _, below] =
            [0, 1, 2, 3].map(|corner| Vec3::from(mesh.positions[first + corner]));
        let height = self.pixels.len() / 4 / SKIN_WIDTH_PX;
        let [[left, top], [end, bottom]] = [0, 2].map(|corner| {
            let [u, v] = mesh.uvs[first + corner];
            [u * SKIN_WIDTH_PX as f32, v * height as f32].map(|pixel| pixel.round() as usize)
        });
        // Compute a corner only from its pixel coordinates, so that neighbouring squares have
        // exactly the same corners.
        let to_position = |[x, y]: [usize; 2]| {
            let t =
                [(x - left) as f32 / (end - left) as f32, (y - top) as f32 / (bottom - top) as f32];
            (from + (right - from) * t[0] + (below - from) * t[1]).to_array()
        };
        for (x, y) in (top..bottom).flat_map(|y| (left..end).map(move |x| (x, y))) {
            let [red, green, blue, alpha] = self.pixel(x, y);
            if f32::from(alpha) / 255.0 < min_alpha {
                continue;
            }
            let index = squares.positions.len() as u32;
            let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
            squares.positions.extend(corners.map(to_position));
            squares.normals.extend([mesh.normals[first]; 4]);
            squares.colors.extend([srgb_to_linear([red, green, blue]); 4]);
            let order = &mesh.indices[6 * face..6 * (face + 1)];
            squares.indices.extend(order.iter().map(|corner| corner - first as u32 + index));
        }
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let start = 4 * (y * SKIN_WIDTH_PX + x);
        [0, 1, 2, 3].map(|channel| self.pixels[start + channel])
    }
}

fn decode_pixels(png: &[u8]) -> Result<Arc<[u8]>, SkinError> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    let to_bytes = png::Transformations::normalize_to_color8() | png::Transformations::ALPHA;
    decoder.set_transformations(to_bytes);
    let mut reader = decoder.read_info()?;
    // Check the size before decompressing, so that a huge image does not exhaust the memory.
    let (width, height) = (reader.info().width, reader.info().height);
    if width != SKIN_WIDTH_PX as u32 || !matches!(height, 32 | 64) {
        return Err(SkinError::Size(width, height));
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut pixels)?;
    pixels.truncate(frame.buffer_size());
    if frame.color_type == png::ColorType::GrayscaleAlpha {
        let grey = pixels.chunks_exact(2).flat_map(|pair| [pair[0], pair[0], pair[0], pair[1]]);
        return Ok(grey.collect());
    }
    Ok(pixels.into())
}

/// The skins that the user chose for players. They are used instead of the recorded skins.
#[derive(Clone, Debug, Default)]
pub struct PlayerSkins {
    /// The skin of all players who are not in `by_name`.
    pub fallback: Option<SkinImage>,
    /// The skins by player name in lower case. The lookup ignores the case, because no two players
    /// have names that differ only in case.
    pub by_name: HashMap<String, SkinImage>,
}

impl PlayerSkins {
    /// Returns `true` if there are no skins.
    pub fn is_empty(&self) -> bool {
        self.fallback.is_none() && self.by_name.is_empty()
    }

    /// Returns the chosen skin of a player, or `None` to keep the recorded skin. If a scene gives
    /// the player the skin of another player, the name of the other player is looked up.
    pub fn skin_for(&self, person: &PlayerProfile) -> Option<&SkinImage> {
        let name = person.skin_owner.as_ref().or(person.name.as_ref());
        let named = name.and_then(|name| self.by_name.get(&name.to_lowercase()));
        named.or(self.fallback.as_ref())
    }

    /// Returns the model of the built-in player with the fallback skin. Returns `None` if the clip
    /// is not retargeted to the built-in player, or if there is no fallback skin.
    pub fn character_model(&self, clip: &Clip) -> Option<Model> {
        self.fallback.as_ref().and_then(|skin| character::character_model(clip, skin))
    }

    /// Applies the skins to the players in a clip, including a built-in player to which the clip is
    /// retargeted. Other clips stay unchanged.
    pub fn apply_to(&self, clip: &mut Clip) {
        if let Some(model) = self.character_model(clip)
            && let Skeleton::Attached(attached) = &mut clip.skeleton
        {
            attached.model = Arc::new(model);
        }
        let Some(scene) = clip.procedural_as::<Scene>() else { return };
        let mut scene = scene.clone();
        for take in &mut scene.takes {
            let Some(skin) = self.skin_for(&take.profile) else { continue };
            let take = Arc::make_mut(take);
            take.skin.clone_from(&skin.png);
            take.profile.slim = skin.shape.slim;
        }
        let scene = Arc::new(scene);
        clip.procedural = Some(Arc::clone(&scene) as _);
        clip.annotations = Some(scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skin_with_holes(width: u32, height: u32, is_clear: fn(u32, u32) -> bool) -> Arc<[u8]> {
        encode_skin(width, height, |x, y| [90, 60, 30, if is_clear(x, y) { 0 } else { 255 }])
    }

    fn encode_skin(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Arc<[u8]> {
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
        let wide = SkinImage::decode(skin_with_holes(64, 64, |_, _| false)).unwrap();
        assert_eq!((wide.shape, wide.has_hat), (SkinShape::default(), true));
        let slim = |x: u32, y: u32| (54..56).contains(&x) && (20..32).contains(&y);
        assert!(SkinImage::decode(skin_with_holes(64, 64, slim)).unwrap().shape.slim);
        let old = SkinImage::decode(skin_with_holes(64, 32, |_, _| false)).unwrap();
        assert_eq!((old.shape, old.has_hat), (SkinShape { slim: false, is_old: true }, false));
        assert!(
            SkinImage::decode(skin_with_holes(64, 32, |x, y| (x, y) == (40, 3))).unwrap().has_hat
        );
    }

    const HAT_PIXELS: usize = 6 * 8 * 8;

    fn count_hat_squares(skin: &SkinImage) -> usize {
        skin.pixel_squares(Part::Head).positions.len() / 4 - HAT_PIXELS
    }

    #[test]
    fn hat_of_an_old_skin_is_drawn_only_if_it_has_holes() {
        let hat = |png| count_hat_squares(&SkinImage::decode(png).unwrap());
        assert_eq!(hat(skin_with_holes(64, 32, |_, _| false)), 0);
        assert_eq!(hat(skin_with_holes(64, 32, |x, y| (x, y) == (40, 9))), HAT_PIXELS - 1);
        assert_eq!(hat(skin_with_holes(64, 64, |_, _| false)), HAT_PIXELS);
    }

    #[test]
    fn pixels_are_drawn_from_a_tenth_of_opacity_on() {
        let with = |alpha| {
            let png =
                encode_skin(64, 64, |x, y| [9, 9, 9, if y < 16 && x >= 32 { alpha } else { 0 }]);
            count_hat_squares(&SkinImage::decode(png).unwrap())
        };
        assert_eq!([0, 25, 26, 127, 128].map(with), [0, 0, HAT_PIXELS, HAT_PIXELS, HAT_PIXELS]);
    }

    /// Each pixel of the skin has its column as red and its row as green. Every square must have
    /// the texture's colour at its middle and face outwards.
    #[test]
    fn pixel_squares_match_the_skin_layers() {
        for height in [32, 64] {
            let png = encode_skin(64, height, |x, y| [x as u8, y as u8, 0, (x + y) as u8]);
            let skin = SkinImage::decode(png).unwrap();
            for part in Part::ALL {
                let squares = skin.pixel_squares(part);
                let mut drawn = 0;
                for (_, mesh) in skin.layer_meshes(part) {
                    for corner in (0..mesh.positions.len()).step_by(4) {
                        let uv = mesh.uvs[corner];
                        let pixel = [uv[0] * 64.0, uv[1] * height as f32]
                            .map(|coordinate| coordinate as u8);
                        let color = srgb_to_linear([pixel[0], pixel[1], 0]);
                        let first_corner = (mesh.positions[corner], mesh.normals[corner]);
                        let found = (0..squares.positions.len()).find(|&index| {
                            (squares.positions[index], squares.normals[index]) == first_corner
                                && squares.colors[index] == color
                        });
                        drawn += usize::from(found.is_some());
                    }
                }
                assert!(drawn >= 5, "{part:?} of {height} rows: {drawn}");
                for corners in squares.indices.chunks(3) {
                    let index =
                        |corner: usize| Vec3::from(squares.positions[corners[corner] as usize]);
                    let normal = Vec3::from(squares.normals[corners[0] as usize]);
                    let [a, b, c] = [0, 1, 2].map(index);
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
            let skin = SkinImage::decode(file.into()).unwrap();
            let value = if color == png::ColorType::Indexed { 7 } else { 1 };
            assert_eq!(skin.pixel(63, 63), [value, value, value, 255], "{color:?}");
        }
    }

    #[test]
    fn invalid_skins_are_rejected() {
        let error =
            SkinImage::decode(skin_with_holes(32, 32, |_, _| false)).unwrap_err().to_string();
        assert!(error.contains("found 32 by 32"), "{error}");
        let whole = skin_with_holes(64, 64, |_, _| false);
        for cut in (0..whole.len() - 12).step_by(7) {
            assert!(SkinImage::decode(whole[..cut].into()).is_err(), "{cut}");
        }
        // The size check rejects 65536 by 65536 pixels before any memory is allocated for them.
        let mut huge = whole.to_vec();
        huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        assert!(SkinImage::decode(huge.into()).is_err());
    }

    #[test]
    fn named_skins_precede_the_common_skin() {
        let picture = |is_clear| SkinImage::decode(skin_with_holes(64, 64, is_clear)).unwrap();
        let (alex, all) = (picture(|x, _| x > 50), picture(|_, _| false));
        let skins = PlayerSkins {
            fallback: Some(all.clone()),
            by_name: [("alex".to_owned(), alex.clone())].into(),
        };
        let person = |name: Option<&str>, owner: Option<&str>| PlayerProfile {
            name: name.map(str::to_owned),
            skin_owner: owner.map(str::to_owned),
            ..PlayerProfile::default()
        };
        let skin_of = |name, owner| skins.skin_for(&person(name, owner));
        assert_eq!(
            [skin_of(Some("Alex"), None), skin_of(Some("Steve"), Some("alex"))],
            [Some(&alex); 2]
        );
        assert_eq!([skin_of(Some("Steve"), None), skin_of(None, None)], [Some(&all); 2]);
    }
}
