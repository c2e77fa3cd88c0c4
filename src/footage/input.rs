//! The input of ffmpeg: a file, or a sequence of numbered images.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read as _},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use alphanumeric_sort::compare_path;

use super::kind::{FootageKind, recognise};

/// The rate at which an image sequence is shown by default, in Hz.
pub const DEFAULT_IMAGE_RATE_HZ: f64 = 30.0;

/// The input of ffmpeg.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A video, a sound file, or an image that does not belong to a sequence.
    File {
        /// The path of the file.
        path: PathBuf,
        /// `true` if the file is an image.
        is_image: bool,
    },
    /// Images whose names differ by consecutive numbers.
    Sequence(ImageSequence),
}

/// Images whose names differ by consecutive numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageSequence {
    folder: PathBuf,
    /// The names as an ffmpeg pattern: `take%05d.png`.
    pattern: String,
    first: u32,
    count: u32,
}

impl Input {
    /// Finds the footage at `path`: a video or sound file, an image together with its sequence, or
    /// the first image or sequence in a folder.
    ///
    /// # Errors
    /// If the path cannot be read, or if it is a folder without images.
    pub fn from_path(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            let images = list_images(path)?;
            let first = images.first().ok_or_else(|| {
                io::Error::new(io::ErrorKind::NotFound, "the folder contains no images")
            })?;
            return Self::from_path(first);
        }
        if recognise_file(path)? != Some(FootageKind::Image) {
            return Ok(Self::File { path: path.to_owned(), is_image: false });
        }
        let file = Self::File { path: path.to_owned(), is_image: true };
        Ok(ImageSequence::find_around(path)?.map_or(file, Self::Sequence))
    }

    /// Returns `true` if the input is an image or an image sequence, whose rate the user has to
    /// set.
    pub fn is_images(&self) -> bool {
        !matches!(self, Self::File { is_image: false, .. })
    }

    /// Returns the number of images, or `None` for a video or sound file.
    pub fn image_count(&self) -> Option<u32> {
        match self {
            Self::File { is_image, .. } => is_image.then_some(1),
            Self::Sequence(sequence) => Some(sequence.count),
        }
    }

    /// Returns the arguments with which ffmpeg and ffprobe read this input. `rate` is the frame
    /// rate of images, in Hz. The arguments allow only files. Otherwise a file in some formats
    /// could make ffmpeg open a network address.
    pub(super) fn ffmpeg_arguments(&self, rate: f64) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["-protocol_whitelist".into(), "file".into()];
        let images = ["-f", "image2", "-framerate", &rate.to_string()].map(OsString::from);
        let path = match self {
            Self::File { path, is_image } => {
                if *is_image {
                    arguments.extend(images);
                    arguments.extend(["-pattern_type", "none"].map(OsString::from));
                }
                path.clone().into_os_string()
            }
            Self::Sequence(ImageSequence { folder, pattern, first, .. }) => {
                arguments.extend(images);
                arguments.extend(["-start_number", &first.to_string()].map(OsString::from));
                let folder = folder.to_string_lossy().replace('%', "%%");
                Path::new(&folder).join(pattern).into_os_string()
            }
        };
        // The prefix is needed because ffmpeg could otherwise read the file name as an option or a
        // network address.
        let mut address = OsString::from("file:");
        address.push(path);
        arguments.extend(["-i".into(), address]);
        arguments
    }
}

impl ImageSequence {
    fn find_around(path: &Path) -> io::Result<Option<Self>> {
        let Some(this) = path.file_name().and_then(OsStr::to_str).and_then(NumberedName::parse)
        else {
            return Ok(None);
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // ffmpeg needs the names as a UTF-8 pattern.
        if folder.to_str().is_none() {
            return Ok(None);
        }
        let names: Vec<_> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
        let siblings: Vec<_> = names
            .iter()
            .filter_map(|name| NumberedName::parse(name.to_str()?))
            .filter(|other| (other.prefix, other.suffix) == (this.prefix, this.suffix))
            .collect();
        // If any number of the sequence starts with a zero, all numbers are padded with zeros to
        // the length of that number.
        let widths = siblings.iter().filter(|name| name.digits.starts_with('0'));
        let width = widths.map(|name| name.digits.len()).find(|width| this.is_padded_to(*width));
        let width = width.unwrap_or(1);
        let mut numbers: Vec<u32> = siblings
            .iter()
            .filter(|name| name.is_padded_to(width))
            .map(|name| name.number)
            .collect();
        numbers.sort_unstable();
        let range = consecutive_range(&numbers, this.number);
        let count = range.end() - range.start() + 1;
        let pattern = this.ffmpeg_pattern(width);
        let (folder, first) = (folder.to_owned(), *range.start());
        Ok((count > 1).then_some(Self { folder, pattern, first, count }))
    }
}

/// Returns the range of consecutive numbers around `number`. `numbers` must be sorted.
fn consecutive_range(numbers: &[u32], number: u32) -> RangeInclusive<u32> {
    let (mut first, mut last) = (number, number);
    for &candidate in numbers.iter().filter(|candidate| **candidate > number) {
        if Some(candidate) == last.checked_add(1) {
            last = candidate;
        }
    }
    for &candidate in numbers.iter().rev().filter(|candidate| **candidate < number) {
        if Some(candidate) == first.checked_sub(1) {
            first = candidate;
        }
    }
    first..=last
}

struct NumberedName<'a> {
    prefix: &'a str,
    digits: &'a str,
    suffix: &'a str,
    number: u32,
}

impl<'a> NumberedName<'a> {
    fn parse(name: &'a str) -> Option<Self> {
        let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        // Ignore the digits of an extension such as `.jp2`, unless the rest of the name has no
        // digits.
        let stem = name.rfind('.').map(|dot| &name[..dot]).filter(|stem| has_digit(stem));
        let stem = stem.unwrap_or(name);
        let end = stem.bytes().rposition(|byte| byte.is_ascii_digit())? + 1;
        let start = stem[..end].trim_end_matches(|char: char| char.is_ascii_digit()).len();
        let digits = &name[start..end];
        // ffmpeg stores the numbers as signed 32-bit integers.
        let number = digits.parse().ok().filter(|number| *number < i32::MAX as u32)?;
        Some(Self { prefix: &name[..start], digits, suffix: &name[end..], number })
    }

    fn is_padded_to(&self, width: usize) -> bool {
        self.digits == format!("{:0width$}", self.number)
    }

    fn ffmpeg_pattern(&self, width: usize) -> String {
        let [prefix, suffix] = [self.prefix, self.suffix].map(|text| text.replace('%', "%%"));
        format!("{prefix}%0{width}d{suffix}")
    }
}

fn list_images(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut images = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && recognise_file(&path).ok().flatten() == Some(FootageKind::Image) {
            images.push(path);
        }
    }
    images.sort_by(|a, b| compare_path(a, b));
    Ok(images)
}

fn recognise_file(path: &Path) -> io::Result<Option<FootageKind>> {
    let mut start = Vec::new();
    File::open(path)?.take(512).read_to_end(&mut start)?;
    Ok(recognise(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), PNG).unwrap();
        }
        folder
    }

    fn sequence_around(names: &[&str], name: &str) -> Option<(String, u32, u32)> {
        let folder = folder(names);
        match Input::from_path(&folder.path().join(name)).unwrap() {
            Input::Sequence(ImageSequence { pattern, first, count, .. }) => {
                Some((pattern, first, count))
            }
            Input::File { is_image, .. } => {
                assert!(is_image);
                None
            }
        }
    }

    #[test]
    fn numbered_images_are_a_sequence_up_to_the_next_gap() {
        let names = ["a%_007.png", "a%_008.png", "a%_009.png", "a%_010.png", "a%_012.png", "b.png"];
        let expected = Some(("a%%_%03d.png".to_owned(), 7, 4));
        assert_eq!(sequence_around(&names, "a%_009.png"), expected);
        assert_eq!(
            sequence_around(&names, "a%_012.png"),
            None,
            "an image without neighbours is not a sequence"
        );
        assert_eq!(sequence_around(&names, "b.png"), None);
        let plain = ["take2-9.png", "take2-10.png", "take2-11.png"];
        assert_eq!(sequence_around(&plain, plain[1]), Some(("take2-%01d.png".to_owned(), 9, 3)));
        let filled = ["099.jp2", "100.jp2", "101.jp2", "98.jp2"];
        assert_eq!(sequence_around(&filled, filled[1]), Some(("%03d.jp2".to_owned(), 99, 3)));
    }

    #[test]
    fn folder_opens_its_first_sequence() {
        let folder = folder(&["f10.png", "f2.png", "f1.png"]);
        fs::write(folder.path().join("a.txt"), "a").unwrap();
        let Input::Sequence(sequence) = Input::from_path(folder.path()).unwrap() else { panic!() };
        assert_eq!((sequence.first, sequence.count), (1, 2));
        let empty = tempfile::tempdir().unwrap();
        let error = Input::from_path(empty.path()).unwrap_err();
        assert_eq!(error.to_string(), "the folder contains no images");
        assert!(Input::from_path(&empty.path().join("missing.mp4")).is_err());
    }

    #[test]
    fn numbers_beyond_31_bits_are_not_a_sequence() {
        let names = ["99999999999.png", "99999999998.png", "1.jp2"];
        assert_eq!(sequence_around(&names, "99999999999.png"), None);
        assert_eq!(consecutive_range(&[1, 2, 4, 5, 7], 4), 4..=5);
        assert_eq!(consecutive_range(&[], 3), 3..=3);
    }
}
