//! Videos that a browser downloads: made in memory, a PNG sequence as a zip file.

use std::{
    io::{self, Cursor, Write as _},
    path::{Path, PathBuf},
};

use image::RgbaImage;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::gif::GifWriter;
use crate::{capture::file::png, footage::Soundtrack};
use mutoscope_core::{export::VideoFormat, io::atomic_file};

/// A video that is being made. If it is dropped before it is finished, it is gone.
#[expect(missing_debug_implementations, reason = "that of a zip file is without use")]
pub struct Video {
    path: PathBuf,
    rate: f64,
    count: u32,
    reel: Reel,
}

/// Where its images go meanwhile.
enum Reel {
    Gif(Option<GifWriter<Vec<u8>>>),
    Frames(ZipWriter<Cursor<Vec<u8>>>),
}

impl Video {
    /// Begins a video that will be downloaded by the name of `path`, with `rate` images a second, and without
    /// sound.
    ///
    /// # Errors
    /// If there is nothing in a browser that makes this kind.
    pub fn begin(
        kind: VideoFormat,
        path: &Path,
        rate: f64,
        _sound: Option<Soundtrack>,
    ) -> io::Result<Self> {
        let reel = match kind {
            VideoFormat::Gif => Reel::Gif(None),
            VideoFormat::Mp4 => return Err(io::ErrorKind::Unsupported.into()),
            VideoFormat::PngSequence => Reel::Frames(ZipWriter::new(Cursor::default())),
        };
        Ok(Self { path: path.to_owned(), rate, count: 0, reel })
    }

    /// Adds an image, which is as large as the others.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn add(&mut self, picture: RgbaImage) -> io::Result<()> {
        self.count += 1;
        match &mut self.reel {
            Reel::Gif(gif) => {
                if gif.is_none() {
                    *gif = Some(GifWriter::begin(Vec::new(), &picture, self.rate)?);
                }
                gif.as_mut().map_or(Ok(()), |gif| gif.add(picture))
            }
            Reel::Frames(zip) => {
                // A PNG is compressed already.
                let options =
                    SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
                zip.start_file(format!("{:05}.png", self.count), options)?;
                zip.write_all(&png(&picture)?)
            }
        }
    }

    /// Downloads the video.
    ///
    /// # Errors
    /// If it cannot be completed, or the browser refuses it.
    pub fn finish(self) -> io::Result<()> {
        let bytes = match self.reel {
            Reel::Gif(gif) => gif.map(GifWriter::finish).transpose()?.unwrap_or_default(),
            Reel::Frames(zip) => zip.finish()?.into_inner(),
        };
        let mut file = atomic_file::begin(&self.path, "")?;
        file.write_all(&bytes)?;
        atomic_file::finish(file, &self.path)
    }
}
