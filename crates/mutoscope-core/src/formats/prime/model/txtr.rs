//! TXTR: textures.

use std::fmt;

use super::blocks::{Palette, PaletteFormat, decode_blocks};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::Cursor,
};

/// The largest level of a texture.
#[derive(Clone, PartialEq, Eq)]
pub struct Texture {
    /// How its pixels are stored.
    pub format: TextureFormat,
    /// How many pixels a row has.
    pub width: u32,
    /// How many rows there are.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, a byte each, sRGB, in stored order: the first row is
    /// that of v = 0.
    pub rgba: Vec<u8>,
    /// How many levels the file says it has, this one included.
    pub levels: u32,
    /// Whether the texture repeats outside of 0 to 1: both sides are powers of two.
    pub repeats: bool,
}

impl fmt::Debug for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Texture({:?}, {} by {})", self.format, self.width, self.height)
    }
}

/// How pixels are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureFormat {
    /// Grey, 4 bits.
    I4,
    /// Grey, 8 bits.
    I8,
    /// Alpha and grey, 4 bits each.
    IA4,
    /// Alpha and grey, 8 bits each.
    IA8,
    /// An index in a palette of 16.
    C4,
    /// An index in a palette of 256.
    C8,
    /// 16 bits of colour.
    Rgb565,
    /// 15 bits of colour, or 12 and 3 of alpha.
    Rgb5A3,
    /// 32 bits of colour and alpha.
    Rgba8,
    /// Compressed, 4 bits.
    Cmpr,
}

impl TextureFormat {
    fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::I4,
            1 => Self::I8,
            2 => Self::IA4,
            3 => Self::IA8,
            4 => Self::C4,
            5 => Self::C8,
            7 => Self::Rgb565,
            8 => Self::Rgb5A3,
            9 => Self::Rgba8,
            10 => Self::Cmpr,
            _ => return None,
        })
    }

    /// The width and height of a block, in pixels.
    pub(super) fn block(self) -> (usize, usize) {
        match self {
            Self::I4 | Self::C4 | Self::Cmpr => (8, 8),
            Self::I8 | Self::IA4 | Self::C8 => (8, 4),
            Self::IA8 | Self::Rgb565 | Self::Rgb5A3 | Self::Rgba8 => (4, 4),
        }
    }

    /// How many bytes a block has.
    pub(super) fn block_bytes(self) -> usize {
        if self == Self::Rgba8 { 64 } else { 32 }
    }

    /// How many colours its palette has, if it has one.
    fn palette_size(self) -> Option<usize> {
        match self {
            Self::C4 => Some(16),
            Self::C8 => Some(256),
            _ => None,
        }
    }

    /// How many bytes a level of this size has: whole blocks.
    fn level_bytes(self, width: usize, height: usize) -> usize {
        let (block_width, block_height) = self.block();
        width.div_ceil(block_width) * height.div_ceil(block_height) * self.block_bytes()
    }
}

impl Texture {
    /// Reads the largest level of a texture. `notices` hear of smaller ones that are cut off.
    ///
    /// # Errors
    /// If that level is not whole, or of no format that the games use.
    pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let cursor = &mut cursor;
        let number = cursor.u32_be("the format of a texture")?;
        let format = TextureFormat::of(number).ok_or_else(|| {
            let expected = "the format of a texture, 0 to 10 and not 6";
            Error::malformed(SourceLocation::span(0, 4), expected, number)
        })?;
        let width = cursor.u16_be("the width of a texture")?;
        let height = cursor.u16_be("the height of a texture")?;
        if width == 0 || height == 0 {
            let found = format!("{width} by {height}");
            return Err(Error::malformed(
                SourceLocation::span(4, 4),
                "a texture with pixels",
                found,
            ));
        }
        let levels = cursor.u32_be("the count of a texture's levels")?;
        let palette =
            format.palette_size().map(|size| palette(cursor, size, notices)).transpose()?;
        let (columns, rows) = (usize::from(width), usize::from(height));
        let what = format!("the pixels of a texture of {width} by {height}");
        let pixels = cursor.take(format.level_bytes(columns, rows), &what)?;
        check_levels(cursor, format, (columns, rows), levels, notices);
        Ok(Self {
            format,
            width: width.into(),
            height: height.into(),
            rgba: decode_blocks(format, pixels, columns, rows, palette.as_ref()),
            levels,
            repeats: width.is_power_of_two() && height.is_power_of_two(),
        })
    }

    /// Red, green, blue and alpha of the pixel in this column of this stored row.
    pub fn pixel(&self, column: u32, row: u32) -> Option<[u8; 4]> {
        if column >= self.width || row >= self.height {
            return None;
        }
        let start = 4 * (row as usize * self.width as usize + column as usize);
        self.rgba.get(start..start + 4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]])
    }
}

fn palette(cursor: &mut Cursor, size: usize, notices: &mut Notices) -> Result<Palette, Error> {
    let place = SourceLocation::span(cursor.offset(), 4);
    let number = cursor.u32_be("the format of a palette")?;
    let format = match number {
        0 => PaletteFormat::IA8,
        1 => PaletteFormat::Rgb565,
        2 => PaletteFormat::Rgb5A3,
        _ => return Err(Error::malformed(place, "the format of a palette, 0 to 2", number)),
    };
    let place = SourceLocation::span(cursor.offset(), 4);
    let [one, other] =
        [cursor.u16_be("the width of a palette")?, cursor.u16_be("the height of a palette")?];
    if usize::from(one) * usize::from(other) != size {
        let message = format!("a palette of {one} by {other}; using {size} colours");
        notices.warning(place, message);
    }
    Ok(Palette::new(format, cursor.take(2 * size, "the colours of a palette")?))
}

/// Smaller levels are not used, but that they are cut off is worth a word. In one texture of Echoes
/// the last ones are missing as a whole.
fn check_levels(
    cursor: &mut Cursor,
    format: TextureFormat,
    (mut width, mut height): (usize, usize),
    levels: u32,
    notices: &mut Notices,
) {
    /// The sides of a texture have 16 bits.
    const MOST: u32 = 16;
    if levels == 0 || levels > MOST {
        let message = format!("it states {levels} mip levels, not 1 to {MOST}");
        notices.warning(SourceLocation::span(8, 4), message);
    }
    for level in 1..levels.min(MOST) {
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
        let bytes = format.level_bytes(width, height);
        let place = cursor.place();
        if cursor.take(bytes, "a level").is_ok() {
            continue;
        }
        let message = format!(
            "level {level} of {levels} needs {bytes} bytes and {} are left; using the largest level",
            cursor.left()
        );
        if cursor.left() < bytes.min(32) {
            notices.warning(place, message);
        } else {
            notices.error(place, message);
        }
        return;
    }
}
