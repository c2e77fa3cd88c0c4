//! Writes PNG files atomically.

use std::{
    io::{self, Write as _},
    path::Path,
};

use image::{ImageEncoder as _, RgbaImage, codecs::png::PngEncoder};

use mutoscope_core::io::atomic_file;

/// Writes `image` to `path` as a PNG, replacing an existing file. The image is written to a
/// temporary file first, so that other programs never read an incomplete image.
///
/// # Errors
/// If the file cannot be written. An existing file is kept then.
pub fn save_png(picture: &RgbaImage, path: &Path) -> io::Result<()> {
    let mut file = atomic_file::begin(path, ".part")?;
    file.write_all(&encode_png(picture)?)?;
    atomic_file::finish(file, path)
}

pub(super) fn encode_png(picture: &RgbaImage) -> io::Result<Vec<u8>> {
    let mut png = Vec::new();
    PngEncoder::new(&mut png)
        .write_image(picture, picture.width(), picture.height(), image::ExtendedColorType::Rgba8)
        .map_err(io::Error::other)?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn png_replaces_the_existing_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.png");
        fs::write(&path, "old").unwrap();
        let picture = RgbaImage::from_pixel(3, 2, image::Rgba([1, 2, 3, 255]));
        save_png(&picture, &path).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn failed_png_keeps_the_existing_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(save_png(&RgbaImage::new(1, 1), &path).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
