//! Textures of meshes.

use std::sync::Arc;

/// A texture: its image and its wrapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The name. Empty if there is none.
    pub name: String,
    /// The image, with sRGB colours.
    pub image: TextureImage,
    /// The wrapping beyond the left and right edges, then beyond the upper and lower edges.
    pub wrap: [TextureWrap; 2],
    /// `true` if magnified pixels look like squares (nearest filter), `false` if they are blurred
    /// (linear filter).
    pub is_pixelated: bool,
}

/// The image of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureImage {
    /// An encoded image. Only its format is known.
    Encoded {
        /// The format.
        format: ImageFormat,
        /// The bytes of the image file.
        bytes: Arc<[u8]>,
    },
    /// Pixels, row by row from the top. Each has one byte for red, green, blue and opacity.
    Rgba8 {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The pixels, four bytes each.
        pixels: Arc<[u8]>,
    },
}

/// The format of an encoded image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names state it")]
pub enum ImageFormat {
    Png,
    Jpeg,
}

impl ImageFormat {
    /// Recognises the format by the first bytes of an image file. Returns `None` for unknown
    /// formats.
    pub fn from_magic_bytes(bytes: &[u8]) -> Option<Self> {
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
    /// Repeats the texture.
    #[default]
    Repeat,
    /// Repeats the texture, mirrored every second time.
    MirroredRepeat,
    /// Extends the pixels at the edge.
    Clamp,
}
