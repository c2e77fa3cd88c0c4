//! TXTR: the textures of models.

use std::fmt;

use super::blocks::{Palette, PaletteFormat, decode_blocks};
use crate::{
    diagnostics::{Diagnostics, Error, Severity, SourceLocation},
    formats::prime::codes,
    io::bytes::Cursor,
};

/// The largest level of a texture.
#[derive(Clone, PartialEq, Eq)]
pub struct Texture {
    /// The format in which the file stores the pixels.
    pub format: TextureFormat,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, one byte each, in sRGB. The rows are in stored
    /// order: the first row is at v = 0.
    pub rgba: Vec<u8>,
    /// The number of mip levels that the file declares, including this one.
    pub levels: u32,
    /// `true` if the texture repeats outside of the coordinates 0 to 1. The console repeats a
    /// texture only if its width and height are powers of two.
    pub repeats: bool,
}

impl fmt::Debug for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Texture({:?}, {} by {})", self.format, self.width, self.height)
    }
}

/// A pixel format of the console's graphics chip.
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
    /// Either 15 bits of colour, or 12 bits of colour and 3 bits of alpha, chosen for each pixel.
    Rgb5A3,
    /// 32 bits of colour and alpha.
    Rgba8,
    /// Blocks of two colours and their mixes, 4 bits per pixel.
    Cmpr,
}

impl TextureFormat {
    fn from_number(number: u32) -> Option<Self> {
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

    pub(super) fn block_size(self) -> (usize, usize) {
        match self {
            Self::I4 | Self::C4 | Self::Cmpr => (8, 8),
            Self::I8 | Self::IA4 | Self::C8 => (8, 4),
            Self::IA8 | Self::Rgb565 | Self::Rgb5A3 | Self::Rgba8 => (4, 4),
        }
    }

    pub(super) fn block_bytes(self) -> usize {
        if self == Self::Rgba8 { 64 } else { 32 }
    }

    fn palette_size(self) -> Option<usize> {
        match self {
            Self::C4 => Some(16),
            Self::C8 => Some(256),
            _ => None,
        }
    }

    fn level_bytes(self, width: usize, height: usize) -> usize {
        let (block_width, block_height) = self.block_size();
        width.div_ceil(block_width) * height.div_ceil(block_height) * self.block_bytes()
    }
}

impl Texture {
    /// Reads the largest level of a texture. Smaller levels that are cut off are reported to
    /// `diagnostics`.
    ///
    /// # Errors
    /// If the largest level is not whole, or if the games do not use its format.
    pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let cursor = &mut cursor;
        let number = cursor.u32_be("the format of a texture")?;
        let format = TextureFormat::from_number(number).ok_or_else(|| {
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
        let palette = format
            .palette_size()
            .map(|size| read_palette(cursor, size, diagnostics))
            .transpose()?;
        let (columns, rows) = (usize::from(width), usize::from(height));
        let what = format!("the pixels of a texture of {width} by {height}");
        let pixels = cursor.read_bytes(format.level_bytes(columns, rows), &what)?;
        report_missing_levels(cursor, format, columns, rows, levels, diagnostics);
        Ok(Self {
            format,
            width: width.into(),
            height: height.into(),
            rgba: decode_blocks(format, pixels, columns, rows, palette.as_ref()),
            levels,
            repeats: width.is_power_of_two() && height.is_power_of_two(),
        })
    }

    /// Returns red, green, blue and alpha of a pixel. Rows are numbered in the order in which they
    /// are stored. `None` if the pixel is outside the texture.
    pub fn pixel(&self, column: u32, row: u32) -> Option<[u8; 4]> {
        if column >= self.width || row >= self.height {
            return None;
        }
        let start = 4 * (row as usize * self.width as usize + column as usize);
        self.rgba.get(start..start + 4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]])
    }
}

fn read_palette(
    cursor: &mut Cursor,
    size: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Palette, Error> {
    let location = SourceLocation::span(cursor.offset(), 4);
    let number = cursor.u32_be("the format of a palette")?;
    let format = match number {
        0 => PaletteFormat::IA8,
        1 => PaletteFormat::Rgb565,
        2 => PaletteFormat::Rgb5A3,
        _ => return Err(Error::malformed(location, "the format of a palette, 0 to 2", number)),
    };
    let location = SourceLocation::span(cursor.offset(), 4);
    let [one, other] =
        [cursor.u16_be("the width of a palette")?, cursor.u16_be("the height of a palette")?];
    if usize::from(one) * usize::from(other) != size {
        let message = format!("a palette of {one} by {other}; using {size} colours");
        diagnostics.warning(codes::TEXTURE_DAMAGED, location, message);
    }
    Ok(Palette::new(format, cursor.read_bytes(2 * size, "the colours of a palette")?))
}

/// Reports smaller levels that are cut off. They are only worth a warning, because we do not use
/// them, and because a texture of Echoes lacks its last levels.
fn report_missing_levels(
    cursor: &mut Cursor,
    format: TextureFormat,
    mut width: usize,
    mut height: usize,
    levels: u32,
    diagnostics: &mut Diagnostics,
) {
    /// The width and height are 16-bit numbers, so no texture can be halved more often than this.
    const MAX_LEVELS: u32 = 16;
    if levels == 0 || levels > MAX_LEVELS {
        let message = format!("the texture declares {levels} mip levels, not 1 to {MAX_LEVELS}");
        diagnostics.warning(codes::TEXTURE_DAMAGED, SourceLocation::span(8, 4), message);
    }
    for level in 1..levels.min(MAX_LEVELS) {
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
        let bytes = format.level_bytes(width, height);
        let location = cursor.location();
        if cursor.read_bytes(bytes, "a level").is_ok() {
            continue;
        }
        let message = format!(
            "level {level} of {levels} needs {bytes} bytes and {} are left; using the largest level",
            cursor.remaining()
        );
        let is_almost_whole = cursor.remaining() < bytes.min(32);
        let severity = if is_almost_whole { Severity::Warning } else { Severity::Error };
        diagnostics.add(codes::TEXTURE_DAMAGED, severity, location, message).with("level", level);
        return;
    }
}
