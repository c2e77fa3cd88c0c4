//! Skin images, and which player has which.

use std::{collections::HashMap, sync::Arc};

use crate::{Person, Scene};
use mutoscope_core::clip::{Clip, ImageFormat, TextureImage};

/// A skin image, as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinPicture {
    png: Arc<[u8]>,
    /// Whether it is of 64 by 32 pixels, of before Minecraft 1.8.
    pub is_old: bool,
    /// Whether it is made for arms 3 pixels wide: where wide arms have the last column of their
    /// backs, it has nothing.
    pub slim: bool,
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

impl SkinPicture {
    /// Reads a PNG.
    ///
    /// # Errors
    /// If it is no PNG, or not as large as skins are.
    pub fn decode(png: Arc<[u8]>) -> Result<Self, SkinError> {
        let alphas = alphas(&png)?;
        let is_old = alphas.len() == WIDTH * WIDTH / 2;
        let alpha = |x: usize, y: usize| alphas[y * WIDTH + x];
        let slim = !is_old && (20..32).all(|y| alpha(54, y) == 0);
        let has_hat = !is_old || (0..16).any(|y| (32..WIDTH).any(|x| alpha(x, y) < 128));
        Ok(Self { png, is_old, slim, has_hat })
    }

    /// The file.
    pub fn png(&self) -> &[u8] {
        &self.png
    }

    /// The same as the image of a texture.
    pub fn image(&self) -> TextureImage {
        TextureImage::Encoded { format: ImageFormat::Png, bytes: Arc::clone(&self.png) }
    }
}

/// How opaque each pixel is, row by row.
fn alphas(png: &[u8]) -> Result<Vec<u8>, SkinError> {
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
    let channels = read.color_type.samples();
    Ok(pixels[..read.buffer_size()]
        .chunks_exact(channels)
        .map(|pixel| pixel[channels - 1])
        .collect())
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

    /// Applies them to the players in a clip; clips of other formats are unchanged.
    pub fn dress(&self, clip: &mut Clip) {
        let Some(scene) = clip.procedural_as::<Scene>() else { return };
        let mut scene = scene.clone();
        for take in &mut scene.takes {
            let Some(skin) = self.of(&take.person) else { continue };
            let take = Arc::make_mut(take);
            take.skin = Some(Arc::clone(&skin.png));
            take.person.slim = skin.slim;
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
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        let pixel = |at: u32| [90, 60, 30, if is_clear(at % width, at / width) { 0 } else { 255 }];
        let pixels: Vec<u8> = (0..width * height).flat_map(pixel).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        file.into()
    }

    #[test]
    fn arm_width_and_hat_follow_from_the_skin_image() {
        let wide = SkinPicture::decode(skin(64, 64, |_, _| false)).unwrap();
        assert_eq!((wide.is_old, wide.slim, wide.has_hat), (false, false, true));
        let slim = |x: u32, y: u32| (54..56).contains(&x) && (20..32).contains(&y);
        assert!(SkinPicture::decode(skin(64, 64, slim)).unwrap().slim);
        let old = SkinPicture::decode(skin(64, 32, |_, _| false)).unwrap();
        assert_eq!((old.is_old, old.slim, old.has_hat), (true, false, false));
        assert!(SkinPicture::decode(skin(64, 32, |x, y| (x, y) == (40, 3))).unwrap().has_hat);
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
