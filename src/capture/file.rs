//! PNG files that are whole or not there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use image::{ImageEncoder as _, RgbaImage, codecs::png::PngEncoder};

/// Writes `picture` to `path` as a PNG: under another name at first, so that nobody finds half a
/// picture. What was there before is replaced.
///
/// # Errors
/// If it cannot be written; what was there before is still there then.
pub fn save_png(picture: &RgbaImage, path: &Path) -> io::Result<()> {
    let unfinished = unfinished(path);
    let written = write(picture, &unfinished).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // It may not even exist, and the error that matters is the first.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write(picture: &RgbaImage, path: &Path) -> io::Result<()> {
    let mut png = Vec::new();
    PngEncoder::new(&mut png)
        .write_image(picture, picture.width(), picture.height(), image::ExtendedColorType::Rgba8)
        .map_err(io::Error::other)?;
    fs::write(path, png)
}

/// A name beside `path` that nobody else uses.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_replaces_what_was_there_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.png");
        fs::write(&path, "old").unwrap();
        let picture = RgbaImage::from_pixel(3, 2, image::Rgba([1, 2, 3, 255]));
        save_png(&picture, &path).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_picture_that_cannot_be_written_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(save_png(&RgbaImage::new(1, 1), &path).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
