//! Textures of meshes.

use std::sync::Arc;

/// A texture: its image and its wrapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its image, its colours in sRGB.
    pub image: TextureImage,
    /// Its wrapping beyond its left and right edge, and beyond its upper and lower one.
    pub wrap: [TextureWrap; 2],
    /// Whether magnified pixels are squares, rather than blurred.
    pub is_pixelated: bool,
}

/// The image of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureImage {
    /// An encoded image, of which only the format was read.
    Encoded {
        /// Its format.
        format: ImageFormat,
        /// Its bytes.
        bytes: Arc<[u8]>,
    },
    /// Pixels, row by row from the top: red, green, blue and opacity, a byte each.
    Rgba8 {
        /// How many pixels a row has.
        width: u32,
        /// How many rows there are.
        height: u32,
        /// Four bytes for each pixel.
        pixels: Arc<[u8]>,
    },
}

/// The format of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names state it")]
pub enum ImageFormat {
    Png,
    Jpeg,
}

impl ImageFormat {
    /// The format of these bytes, by what they begin with.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }
}

/// The wrapping of a texture beyond an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureWrap {
    /// It repeats.
    #[default]
    Repeat,
    /// It repeats, mirrored.
    MirroredRepeat,
    /// Its last pixels are extended.
    Clamp,
}
