//! Compares images with the images of an earlier version in the repository.

use std::{fs, path::PathBuf};

use image::{
    ImageEncoder as _, Rgba, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};

/// The difference in one channel, of 255, up to which two pixels are equal. Drivers and processors
/// round differently.
const MAX_CHANNEL_DIFFERENCE: u8 = 24;

/// The images of one folder.
///
/// An image that differs is written next to the image of the repository, as `NAME.new.png`, with
/// `NAME.difference.png`. `tools/snapshots.py` shows and accepts these files.
#[derive(Debug)]
#[must_use = "`finish` reports the differences"]
pub struct ImageSnapshots {
    folder: PathBuf,
    max_differing_part: f64,
    failures: Vec<String>,
}

impl ImageSnapshots {
    /// Returns the images of a folder of `tests/snapshots`. An image may differ in
    /// `max_differing_part` of its pixels, from 0 to 1.
    pub fn new(folder: &str, max_differing_part: f64) -> Self {
        let folder = PathBuf::from(crate::ROOT).join("tests/snapshots").join(folder);
        Self { folder, max_differing_part, failures: Vec::new() }
    }

    /// Compares `image` with the image called `name`.
    pub fn compare(&mut self, name: &str, image: &RgbaImage) {
        let path = |suffix: &str| self.folder.join(format!("{name}{suffix}.png"));
        let (old, new, difference) = (path(""), path(".new"), path(".difference"));
        for outdated in [&new, &difference] {
            let _ = fs::remove_file(outdated);
        }
        let expected = image::open(&old).map(image::DynamicImage::into_rgba8);
        let failure = match &expected {
            Err(error) => format!("cannot read {}: {error}", old.display()),
            Ok(expected) if expected.dimensions() != image.dimensions() => {
                let sizes = (expected.dimensions(), image.dimensions());
                format!("{name}: expected {:?} pixels, found {:?}", sizes.0, sizes.1)
            }
            Ok(expected) => {
                let (differing, picture) = difference_image(expected, image);
                let allowed = self.max_differing_part * f64::from(image.width() * image.height());
                if f64::from(differing) <= allowed {
                    return;
                }
                fs::write(&difference, encode_png(&picture)).unwrap();
                format!("{name}: {differing} pixels differ, at most {allowed:.0} may")
            }
        };
        fs::create_dir_all(&self.folder).unwrap();
        fs::write(&new, encode_png(image)).unwrap();
        self.failures.push(failure);
    }

    /// Fails if an image differs.
    ///
    /// # Panics
    /// Panics with a list of the images that differ.
    pub fn finish(self) {
        let failures = self.failures.join("\n");
        assert!(failures.is_empty(), "{failures}\nLook at them with tools/snapshots.py.");
    }
}

/// Returns the number of pixels that differ, and an image that shows these pixels in red.
fn difference_image(expected: &RgbaImage, found: &RgbaImage) -> (u32, RgbaImage) {
    let mut differing = 0;
    let mut shown = expected.clone();
    for (pixel, found) in shown.pixels_mut().zip(found.pixels()) {
        let channels = std::iter::zip(pixel.0, found.0);
        let is_equal =
            channels.into_iter().all(|(one, other)| one.abs_diff(other) <= MAX_CHANNEL_DIFFERENCE);
        *pixel = match is_equal {
            true => Rgba([pixel.0[0] / 3, pixel.0[1] / 3, pixel.0[2] / 3, 255]),
            false => Rgba([255, 40, 40, 255]),
        };
        differing += u32::from(!is_equal);
    }
    (differing, shown)
}

fn encode_png(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Without filters, the flat colours of panels take a fifth less space.
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::NoFilter);
    let (width, height) = image.dimensions();
    let rgb: Vec<u8> =
        image.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[1], pixel.0[2]]).collect();
    encoder.write_image(&rgb, width, height, image::ExtendedColorType::Rgb8).unwrap();
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_are_equal_and_large_ones_are_counted() {
        let expected = RgbaImage::from_pixel(8, 2, Rgba([100, 100, 100, 255]));
        let mut found = RgbaImage::from_pixel(8, 2, Rgba([120, 90, 100, 255]));
        assert_eq!(difference_image(&expected, &found).0, 0);
        found.put_pixel(3, 1, Rgba([100, 160, 100, 255]));
        let (differing, shown) = difference_image(&expected, &found);
        assert_eq!((differing, shown.get_pixel(3, 1).0), (1, [255, 40, 40, 255]));
    }
}
