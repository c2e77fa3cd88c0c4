//! Writes videos as files, and as folders of PNG files.

use std::{
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

use image::RgbaImage;
use tempfile::{NamedTempFile, TempDir};

use super::gif::GifWriter;
use crate::{
    capture::{ffmpeg::FfmpegEncoder, save_png},
    footage::Soundtrack,
};
use mutoscope_core::{export::VideoFormat, io::atomic_file};

/// A video that is being written. Its temporary files are deleted if it is dropped before
/// [`Self::finish`].
pub struct Video {
    path: PathBuf,
    rate: f64,
    count: u32,
    sink: FrameSink,
}

impl std::fmt::Debug for Video {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, rate, count, .. } = self;
        f.debug_struct("Video")
            .field("path", path)
            .field("rate", rate)
            .field("count", count)
            .finish()
    }
}

enum FrameSink {
    Gif { unfinished: NamedTempFile, gif: Option<GifWriter<BufWriter<File>>> },
    Mp4 { unfinished: NamedTempFile, maker: FfmpegEncoder },
    Frames(TempDir),
}

impl Video {
    /// Begins a video at `path`, with `rate` images per second. Only an MP4 contains `sound`.
    ///
    /// # Errors
    /// If the folder of `path` is not writable, or if ffmpeg is needed and cannot be run.
    pub fn begin(
        kind: VideoFormat,
        path: &Path,
        rate: f64,
        sound: Option<Soundtrack>,
    ) -> io::Result<Self> {
        let sink = match kind {
            VideoFormat::Gif => {
                let unfinished = atomic_file::begin(path, ".gif.part")?;
                FrameSink::Gif { unfinished, gif: None }
            }
            VideoFormat::Mp4 => {
                // ffmpeg chooses the container format by the extension.
                let unfinished = atomic_file::begin(path, ".part.mp4")?;
                let maker = FfmpegEncoder::find(sound)?;
                FrameSink::Mp4 { unfinished, maker }
            }
            VideoFormat::PngSequence => FrameSink::Frames(atomic_file::begin_folder(path)?),
        };
        Ok(Self { path: path.to_owned(), rate, count: 0, sink })
    }

    /// Adds an image of the same size as the others.
    ///
    /// # Errors
    /// If the image cannot be written.
    pub fn add(&mut self, picture: RgbaImage) -> io::Result<()> {
        self.count += 1;
        match &mut self.sink {
            FrameSink::Gif { unfinished, gif } => {
                let gif = match gif {
                    Some(gif) => gif,
                    None => {
                        let out = BufWriter::new(unfinished.reopen()?);
                        gif.insert(GifWriter::begin(out, &picture, self.rate)?)
                    }
                };
                gif.add(picture)
            }
            FrameSink::Mp4 { unfinished, maker } => {
                maker.add_image(&picture, self.rate, unfinished.path())
            }
            FrameSink::Frames(folder) => {
                save_png(&picture, &folder.path().join(format!("{:05}.png", self.count)))
            }
        }
    }

    /// Moves the video to its destination, replacing an existing file. A PNG sequence is added to
    /// an existing folder.
    ///
    /// # Errors
    /// If the video cannot be completed or moved.
    pub fn finish(self) -> io::Result<()> {
        let path = self.path;
        match self.sink {
            FrameSink::Gif { unfinished, gif } => {
                gif.map(GifWriter::finish).transpose()?;
                atomic_file::finish(unfinished, &path)
            }
            FrameSink::Mp4 { unfinished, maker } => {
                maker.finish()?;
                atomic_file::finish(unfinished, &path)
            }
            FrameSink::Frames(folder) => atomic_file::finish_folder(folder, &path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn picture(shade: u8) -> RgbaImage {
        RgbaImage::from_pixel(8, 6, image::Rgba([shade, 255 - shade, 0, 255]))
    }

    fn file_names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn gif_frames_have_their_duration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("video.gif");
        fs::write(&path, "old").unwrap();
        let mut video = Video::begin(VideoFormat::Gif, &path, 30.0, None).unwrap();
        for shade in [0, 80, 160, 240] {
            video.add(picture(shade)).unwrap();
        }
        assert_eq!(
            fs::read(&path).unwrap(),
            b"old",
            "the old file stays until the video is finished"
        );
        video.finish().unwrap();
        assert_eq!(file_names(folder.path()), ["video.gif"]);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut read = options.read_info(File::open(&path).unwrap()).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = read.read_next_frame().unwrap() {
            assert_eq!((frame.width, frame.height), (8, 6));
            frames.push((frame.buffer[0], frame.delay));
        }
        let delays: Vec<u16> = frames.iter().map(|(_, delay)| *delay).collect();
        assert_eq!(delays, [3, 4, 3, 3], "13 hundredths for four thirtieths");
        for ((found, _), shade) in frames.iter().zip([0_u8, 80, 160, 240]) {
            assert!(found.abs_diff(shade) < 12, "{found} instead of {shade}");
        }
    }

    #[test]
    fn frames_are_numbered_and_added_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
        let mut video = Video::begin(VideoFormat::PngSequence, &path, 30.0, None).unwrap();
        video.add(picture(10)).unwrap();
        video.add(picture(20)).unwrap();
        assert_eq!(file_names(&path), ["notes.txt"]);
        video.finish().unwrap();
        assert_eq!(file_names(&path), ["00001.png", "00002.png", "notes.txt"]);
        assert_eq!(file_names(folder.path()), ["frames"]);
        assert_eq!(image::open(path.join("00002.png")).unwrap().into_rgba8(), picture(20));
    }

    #[test]
    fn cancelled_video_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        for (kind, name) in [(VideoFormat::Gif, "a.gif"), (VideoFormat::PngSequence, "frames")] {
            let mut video = Video::begin(kind, &folder.path().join(name), 10.0, None).unwrap();
            video.add(picture(1)).unwrap();
            drop(video);
            assert_eq!(file_names(folder.path()), [""; 0], "{kind:?}");
        }
    }
}
