//! Encodes the images of textures.

use std::borrow::Cow;

use crate::clip::{ImageFormat, TextureImage};

/// The reason why an image cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum ImageError {
    #[error("its image is not of the stated format")]
    OtherFormat,
    #[error(transparent)]
    Png(#[from] png::EncodingError),
}

pub(super) fn encode_image(
    image: &TextureImage,
) -> Result<(ImageFormat, Cow<'_, [u8]>), ImageError> {
    match image {
        TextureImage::Encoded { format, bytes } => match ImageFormat::from_magic_bytes(bytes) {
            Some(found) if found == *format => Ok((*format, Cow::Borrowed(bytes))),
            _ => Err(ImageError::OtherFormat),
        },
        TextureImage::Rgba8 { width, height, pixels } => {
            let png = encode_png(*width, *height, pixels)?;
            Ok((ImageFormat::Png, Cow::Owned(png)))
        }
    }
}

fn encode_png(width: u32, height: u32, pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
