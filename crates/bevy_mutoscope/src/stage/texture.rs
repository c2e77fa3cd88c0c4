//! Converts the textures of models to images for the graphics card.

use std::io::Cursor;

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use image::{
    ImageError, ImageReader, Limits, RgbaImage,
    error::{DecodingError, ImageFormatHint},
};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

use mutoscope_core::clip::{ImageFormat, Texture, TextureImage, TextureWrap};

/// The largest width or height of a texture, in pixels. Every graphics card supports this size.
const MAX_SIDE_PX: u32 = 8192;

pub(super) fn image(texture: &Texture) -> Result<Image, ImageError> {
    let (width, height, pixels) = match &texture.image {
        TextureImage::Rgba8 { width, height, pixels } => (*width, *height, pixels.to_vec()),
        TextureImage::Encoded { format, bytes } => {
            let decoded = decode(*format, bytes)?;
            (decoded.width(), decoded.height(), decoded.into_raw())
        }
    };
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let mut image = Image::new(
        size,
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::Descriptor(sampler(texture));
    Ok(image)
}

fn decode(format: ImageFormat, bytes: &[u8]) -> Result<RgbaImage, ImageError> {
    match format {
        ImageFormat::Png => decode_png(bytes),
        ImageFormat::Jpeg => decode_jpeg(bytes),
    }
}

fn decode_png(bytes: &[u8]) -> Result<RgbaImage, ImageError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), image::ImageFormat::Png);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE_PX), Some(MAX_SIDE_PX));
    reader.limits(limits);
    Ok(reader.decode()?.into_rgba8())
}

/// Decodes a JPEG image with the crate that `image` uses internally. We do not enable the JPEG
/// feature of `image`, because parts of the workspace are built without this feature. Cargo would
/// compile Bevy once with and once without it.
fn decode_jpeg(bytes: &[u8]) -> Result<RgbaImage, ImageError> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE_PX as usize)
        .set_max_height(MAX_SIDE_PX as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let pixels = decoder.decode().map_err(|why| jpeg_error(format!("{why:?}")))?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    RgbaImage::from_raw(width as u32, height as u32, pixels)
        .ok_or_else(|| jpeg_error("the number of pixels does not match the size".to_owned()))
}

fn jpeg_error(why: String) -> ImageError {
    ImageError::Decoding(DecodingError::new(ImageFormatHint::Exact(image::ImageFormat::Jpeg), why))
}

fn sampler(texture: &Texture) -> ImageSamplerDescriptor {
    let filter =
        if texture.is_pixelated { ImageFilterMode::Nearest } else { ImageFilterMode::Linear };
    let [u, v] = texture.wrap.map(address_mode);
    ImageSamplerDescriptor {
        address_mode_u: u,
        address_mode_v: v,
        mag_filter: filter,
        min_filter: filter,
        ..default()
    }
}

fn address_mode(wrap: TextureWrap) -> ImageAddressMode {
    match wrap {
        TextureWrap::Repeat => ImageAddressMode::Repeat,
        TextureWrap::MirroredRepeat => ImageAddressMode::MirrorRepeat,
        TextureWrap::Clamp => ImageAddressMode::ClampToEdge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(image: TextureImage) -> Texture {
        let wrap = [TextureWrap::Clamp, TextureWrap::MirroredRepeat];
        Texture { name: String::new(), image, wrap, is_pixelated: true }
    }

    fn encoded(format: ImageFormat, bytes: &[u8]) -> Texture {
        texture(TextureImage::Encoded { format, bytes: bytes.into() })
    }

    #[test]
    fn pixel_textures_are_kept_and_files_decoded() {
        let pixels = [1, 2, 3, 255, 4, 5, 6, 0];
        let from_pixels =
            image(&texture(TextureImage::Rgba8 { width: 2, height: 1, pixels: pixels[..].into() }));
        let mut png = Vec::new();
        let picture = image::RgbaImage::from_raw(2, 1, pixels.to_vec()).unwrap();
        picture.write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
        for image in [from_pixels.unwrap(), image(&encoded(ImageFormat::Png, &png)).unwrap()] {
            assert_eq!((image.width(), image.height()), (2, 1));
            assert_eq!(image.data.as_deref(), Some(&pixels[..]));
            let ImageSampler::Descriptor(sampler) = image.sampler else { panic!() };
            assert!(matches!(sampler.address_mode_u, ImageAddressMode::ClampToEdge));
            assert!(matches!(sampler.address_mode_v, ImageAddressMode::MirrorRepeat));
            assert!(matches!(sampler.mag_filter, ImageFilterMode::Nearest));
        }
    }

    #[test]
    fn invalid_image_is_an_error() {
        assert!(image(&encoded(ImageFormat::Png, b"not a PNG")).is_err());
        assert!(image(&encoded(ImageFormat::Jpeg, b"not a JPEG")).is_err());
        let cut = &QUARTERS[..QUARTERS.len() / 4];
        assert!(image(&encoded(ImageFormat::Jpeg, cut)).is_err());
    }

    /// An image of 16 by 16 pixels from another encoder: red, green, blue and white quarters, from
    /// the upper left.
    const QUARTERS: &[u8] = include_bytes!("../../../../tests/data/gltf/quarters.jpg");

    #[test]
    fn jpeg_is_decoded() {
        let image = image(&encoded(ImageFormat::Jpeg, QUARTERS)).unwrap();
        assert_eq!((image.width(), image.height()), (16, 16));
        let pixels = image.data.unwrap();
        let quarters = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];
        for (position, color) in [(3, 3), (12, 3), (3, 12), (12, 12)].into_iter().zip(quarters) {
            let (x, y): (usize, usize) = position;
            let pixel = &pixels[(y * 16 + x) * 4..][..4];
            let is_close =
                pixel.iter().zip(&color).all(|(found, expected)| found.abs_diff(*expected) <= 3);
            assert!(is_close && pixel[3] == 255, "{pixel:?} at {position:?}, not {color:?}");
        }
    }
}
