//! Creates videos in memory for download from a browser. A PNG sequence is downloaded as a zip
//! file.

use std::{
    io::{self, Cursor, Write as _},
    path::{Path, PathBuf},
};

use image::RgbaImage;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::gif::GifWriter;
use crate::{capture::file::encode_png, footage::Soundtrack};
use mutoscope_core::{export::VideoFormat, io::atomic_file};

/// A video that is being made. It is discarded if it is dropped before [`Self::finish`].
#[expect(missing_debug_implementations, reason = "`ZipWriter` has no useful `Debug` output")]
pub struct Video {
    path: PathBuf,
    rate: f64,
    count: u32,
    sink: FrameSink,
}

enum FrameSink {
    Gif(Option<GifWriter<Vec<u8>>>),
    Frames(ZipWriter<Cursor<Vec<u8>>>),
}

impl Video {
    /// Begins a video without sound, which will be downloaded with the file name of `path`. It has
    /// `rate` images per second.
    ///
    /// # Errors
    /// If browsers cannot make videos of this kind (MP4).
    pub fn begin(
        kind: VideoFormat,
        path: &Path,
        rate: f64,
        _sound: Option<Soundtrack>,
    ) -> io::Result<Self> {
        let sink = match kind {
            VideoFormat::Gif => FrameSink::Gif(None),
            VideoFormat::Mp4 => return Err(io::ErrorKind::Unsupported.into()),
            VideoFormat::PngSequence => FrameSink::Frames(ZipWriter::new(Cursor::default())),
        };
        Ok(Self { path: path.to_owned(), rate, count: 0, sink })
    }

    /// Adds an image of the same size as the others.
    ///
    /// # Errors
    /// If the image cannot be encoded.
    pub fn add(&mut self, picture: RgbaImage) -> io::Result<()> {
        self.count += 1;
        match &mut self.sink {
            FrameSink::Gif(gif) => {
                if gif.is_none() {
                    *gif = Some(GifWriter::begin(Vec::new(), &picture, self.rate)?);
                }
                gif.as_mut().map_or(Ok(()), |gif| gif.add(picture))
            }
            FrameSink::Frames(zip) => {
                // Do not compress the files, because PNG files are already compressed.
                let options =
                    SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
                zip.start_file(format!("{:05}.png", self.count), options)?;
                zip.write_all(&encode_png(&picture)?)
            }
        }
    }

    /// Completes and downloads the video.
    ///
    /// # Errors
    /// If the video cannot be completed, or if the browser refuses the download.
    pub fn finish(self) -> io::Result<()> {
        let bytes = match self.sink {
            FrameSink::Gif(gif) => gif.map(GifWriter::finish).transpose()?.unwrap_or_default(),
            FrameSink::Frames(zip) => zip.finish()?.into_inner(),
        };
        let mut file = atomic_file::begin(&self.path, "")?;
        file.write_all(&bytes)?;
        atomic_file::finish(file, &self.path)
    }
}
