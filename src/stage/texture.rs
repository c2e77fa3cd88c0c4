//! The images that models are covered with, as the graphics card takes them.

use std::io::Cursor;

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use image::{ImageError, ImageReader, Limits};

use mutoscope_core::clip::{ImageFormat, Texture, TextureImage, TextureWrap};

/// How wide and how high a texture may be, in pixels: what every graphics card can do.
const MAX_SIDE: u32 = 8192;

/// The image of a texture.
///
/// # Errors
/// If its file cannot be decoded, or is too large.
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

fn decode(format: ImageFormat, bytes: &[u8]) -> Result<image::RgbaImage, ImageError> {
    let format = match format {
        ImageFormat::Png => image::ImageFormat::Png,
        ImageFormat::Jpeg => image::ImageFormat::Jpeg,
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
    reader.limits(limits);
    Ok(reader.decode()?.into_rgba8())
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

    fn encoded(bytes: Vec<u8>) -> Texture {
        texture(TextureImage::Encoded { format: ImageFormat::Png, bytes: bytes.into() })
    }

    #[test]
    fn pixel_textures_are_kept_and_files_decoded() {
        let pixels = [1, 2, 3, 255, 4, 5, 6, 0];
        let from_pixels =
            image(&texture(TextureImage::Rgba8 { width: 2, height: 1, pixels: pixels[..].into() }));
        let mut png = Vec::new();
        let picture = image::RgbaImage::from_raw(2, 1, pixels.to_vec()).unwrap();
        picture.write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
        for image in [from_pixels.unwrap(), image(&encoded(png)).unwrap()] {
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
        assert!(image(&encoded(b"not a PNG".to_vec())).is_err());
    }
}
