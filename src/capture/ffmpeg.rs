//! Encodes MP4 files with the external program ffmpeg.

use std::{
    io::{self, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use image::RgbaImage;

use crate::footage::{Soundtrack, without_console};

pub(super) struct FfmpegEncoder {
    sound: Option<Soundtrack>,
    running: Option<Child>,
}

impl FfmpegEncoder {
    pub(super) fn find(sound: Option<Soundtrack>) -> io::Result<Self> {
        let status = ffmpeg_command().arg("-version").stdout(Stdio::null()).status();
        match status {
            Ok(status) if status.success() => Ok(Self { sound, running: None }),
            _ => Err(io::Error::new(
                io::ErrorKind::NotFound,
                "MP4 needs the program ffmpeg, which was not found; nothing rendered. Install ffmpeg, \
                 or render a GIF or PNG files (--frames)",
            )),
        }
    }

    /// Writes the next image to ffmpeg. The first image sets the size, `rate` (in images per
    /// second) and `path` of the video.
    pub(super) fn add_image(
        &mut self,
        picture: &RgbaImage,
        rate: f64,
        path: &Path,
    ) -> io::Result<()> {
        let child = match &mut self.running {
            Some(child) => child,
            None => self.running.insert(spawn_ffmpeg(picture, rate, self.sound.as_ref(), path)?),
        };
        match &mut child.stdin {
            Some(stdin) => stdin.write_all(picture.as_raw()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        let Some(mut child) = self.running.take() else { return Ok(()) };
        // Close the input, because ffmpeg completes the file when its input ends.
        drop(child.stdin.take());
        let status = child.wait()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("ffmpeg: {status}"))) }
    }
}

impl Drop for FfmpegEncoder {
    fn drop(&mut self) {
        if let Some(child) = &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn ffmpeg_command() -> Command {
    let mut command = Command::new("ffmpeg");
    without_console(&mut command);
    command
}

/// Starts ffmpeg for images of the size of `picture`. The video is padded to even sides, because
/// common players require them.
fn spawn_ffmpeg(
    picture: &RgbaImage,
    rate: f64,
    sound: Option<&Soundtrack>,
    path: &Path,
) -> io::Result<Child> {
    let (width, height) = picture.dimensions();
    let size = format!("{width}x{height}");
    let rate = rate.to_string();
    let mut command = ffmpeg_command();
    command.args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba"]).args([
        "-video_size",
        &size,
        "-framerate",
        &rate,
        "-i",
        "-",
    ]);
    match sound {
        Some(sound) => command.args(sound.input_arguments()).args(sound.output_arguments()),
        None => command.arg("-an"),
    };
    command
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"])
        .args(["-movflags", "+faststart"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
}
