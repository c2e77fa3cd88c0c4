//! The input of ffmpeg: a file, or a sequence of numbered images.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read as _},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use alphanumeric_sort::compare_path;

use super::kind::{Kind, recognise};

/// How many images of a sequence are shown a second, unless the user says otherwise.
pub const USUAL_RATE: f64 = 30.0;

/// The input of ffmpeg.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A video, a sound file, or an image that is no part of a sequence.
    File {
        /// The file.
        path: PathBuf,
        /// Whether it is an image.
        is_image: bool,
    },
    /// Images whose names differ by a number that grows by one.
    Sequence(Sequence),
}

/// Images whose names differ by a number that grows by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    folder: PathBuf,
    /// Their names as ffmpeg wants them: `take%05d.png`.
    pattern: String,
    first: u32,
    count: u32,
}

impl Input {
    /// The footage at `path`: a video or sound file, an image with the sequence that it is in, or a folder
    /// with such a sequence.
    ///
    /// # Errors
    /// If it cannot be read, or is a folder without images.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            let images = images_in(path)?;
            let first = images.first().ok_or_else(|| {
                io::Error::new(io::ErrorKind::NotFound, "the folder holds no image")
            })?;
            return Self::of_path(first);
        }
        if kind_of(path)? != Some(Kind::Image) {
            return Ok(Self::File { path: path.to_owned(), is_image: false });
        }
        let file = Self::File { path: path.to_owned(), is_image: true };
        Ok(Sequence::around(path)?.map_or(file, Self::Sequence))
    }

    /// Whether its rate has to be given by the user.
    pub fn is_images(&self) -> bool {
        !matches!(self, Self::File { is_image: false, .. })
    }

    /// How many images there are, if they are images.
    pub fn image_count(&self) -> Option<u32> {
        match self {
            Self::File { is_image, .. } => is_image.then_some(1),
            Self::Sequence(sequence) => Some(sequence.count),
        }
    }

    /// The arguments with which ffmpeg and ffprobe read it, images at this rate. Nothing but files is
    /// opened: some formats name others, also addresses.
    pub(super) fn arguments(&self, rate: f64) -> Vec<OsString> {
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
            Self::Sequence(Sequence { folder, pattern, first, .. }) => {
                arguments.extend(images);
                arguments.extend(["-start_number", &first.to_string()].map(OsString::from));
                let folder = folder.to_string_lossy().replace('%', "%%");
                Path::new(&folder).join(pattern).into_os_string()
            }
        };
        // No name is taken for an option or an address.
        let mut address = OsString::from("file:");
        address.push(path);
        arguments.extend(["-i".into(), address]);
        arguments
    }
}

impl Sequence {
    /// The sequence that the image at `path` is in, if its folder has others.
    fn around(path: &Path) -> io::Result<Option<Self>> {
        let Some(own) = path.file_name().and_then(OsStr::to_str).and_then(Numbered::of) else {
            return Ok(None);
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // ffmpeg gets the names as a pattern of text.
        if folder.to_str().is_none() {
            return Ok(None);
        }
        let names: Vec<_> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
        let alike: Vec<_> = names
            .iter()
            .filter_map(|name| Numbered::of(name.to_str()?))
            .filter(|other| (other.before, other.after) == (own.before, own.after))
            .collect();
        // Numbers are filled up with zeros if any is.
        let widths = alike.iter().filter(|one| one.digits.starts_with('0'));
        let width = widths.map(|one| one.digits.len()).find(|width| own.is_filled(*width));
        let width = width.unwrap_or(1);
        let mut numbers: Vec<u32> =
            alike.iter().filter(|one| one.is_filled(width)).map(|one| one.number).collect();
        numbers.sort_unstable();
        let run = run_around(&numbers, own.number);
        let count = run.end() - run.start() + 1;
        let pattern = own.pattern(width);
        let (folder, first) = (folder.to_owned(), *run.start());
        Ok((count > 1).then_some(Self { folder, pattern, first, count }))
    }
}

/// The numbers around `number` without a gap; `numbers` ascend.
fn run_around(numbers: &[u32], number: u32) -> RangeInclusive<u32> {
    let (mut first, mut last) = (number, number);
    for &one in numbers.iter().filter(|one| **one > number) {
        if Some(one) == last.checked_add(1) {
            last = one;
        }
    }
    for &one in numbers.iter().rev().filter(|one| **one < number) {
        if Some(one) == first.checked_sub(1) {
            first = one;
        }
    }
    first..=last
}

/// A name with a number in it, the last that it has.
struct Numbered<'a> {
    before: &'a str,
    digits: &'a str,
    after: &'a str,
    number: u32,
}

impl<'a> Numbered<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        // Not the digit of `.jp2`.
        let stem = name.rfind('.').map(|dot| &name[..dot]).filter(|stem| has_digit(stem));
        let stem = stem.unwrap_or(name);
        let end = stem.bytes().rposition(|byte| byte.is_ascii_digit())? + 1;
        let start = stem[..end].trim_end_matches(|char: char| char.is_ascii_digit()).len();
        let digits = &name[start..end];
        // ffmpeg counts in 32 bits with a sign.
        let number = digits.parse().ok().filter(|number| *number < i32::MAX as u32)?;
        Some(Self { before: &name[..start], digits, after: &name[end..], number })
    }

    /// Whether its digits are those of its number, padded with zeros to this many.
    fn is_filled(&self, width: usize) -> bool {
        self.digits == format!("{:0width$}", self.number)
    }

    /// The names of its sequence, as ffmpeg wants them.
    fn pattern(&self, width: usize) -> String {
        let [before, after] = [self.before, self.after].map(|text| text.replace('%', "%%"));
        format!("{before}%0{width}d{after}")
    }
}

/// The images in `folder`, in the order of their names.
fn images_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut images = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && kind_of(&path).ok().flatten() == Some(Kind::Image) {
            images.push(path);
        }
    }
    images.sort_by(|one, other| compare_path(one, other));
    Ok(images)
}

/// The kind of the file at `path`, by its first bytes.
fn kind_of(path: &Path) -> io::Result<Option<Kind>> {
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

    /// Pattern, first number and count of the sequence around the image of this name.
    fn around(names: &[&str], name: &str) -> Option<(String, u32, u32)> {
        let folder = folder(names);
        match Input::of_path(&folder.path().join(name)).unwrap() {
            Input::Sequence(Sequence { pattern, first, count, .. }) => {
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
        assert_eq!(around(&names, "a%_009.png"), expected);
        assert_eq!(around(&names, "a%_012.png"), None, "alone");
        assert_eq!(around(&names, "b.png"), None);
        let plain = ["take2-9.png", "take2-10.png", "take2-11.png"];
        assert_eq!(around(&plain, plain[1]), Some(("take2-%01d.png".to_owned(), 9, 3)));
        let filled = ["099.jp2", "100.jp2", "101.jp2", "98.jp2"];
        assert_eq!(around(&filled, filled[1]), Some(("%03d.jp2".to_owned(), 99, 3)));
    }

    #[test]
    fn a_folder_stands_for_its_first_sequence() {
        let folder = folder(&["f10.png", "f2.png", "f1.png"]);
        fs::write(folder.path().join("a.txt"), "a").unwrap();
        let Input::Sequence(sequence) = Input::of_path(folder.path()).unwrap() else { panic!() };
        assert_eq!((sequence.first, sequence.count), (1, 2));
        let empty = tempfile::tempdir().unwrap();
        let error = Input::of_path(empty.path()).unwrap_err();
        assert_eq!(error.to_string(), "the folder holds no image");
        assert!(Input::of_path(&empty.path().join("missing.mp4")).is_err());
    }

    #[test]
    fn numbers_that_ffmpeg_cannot_count_are_no_sequence() {
        let names = ["99999999999.png", "99999999998.png", "1.jp2"];
        assert_eq!(around(&names, "99999999999.png"), None);
        assert_eq!(run_around(&[1, 2, 4, 5, 7], 4), 4..=5);
        assert_eq!(run_around(&[], 3), 3..=3);
    }
}
