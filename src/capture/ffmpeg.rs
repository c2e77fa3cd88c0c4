//! The program ffmpeg, which makes MP4s of images and sound.

use std::{
    io::{self, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use image::RgbaImage;

use crate::footage::{Soundtrack, without_console};

/// The program ffmpeg, running or waiting for the first image.
pub(super) struct Maker {
    sound: Option<Soundtrack>,
    running: Option<Child>,
}

impl Maker {
    /// Looks whether it is there; what it makes will have this sound.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn find(sound: Option<Soundtrack>) -> io::Result<Self> {
        let asked = ffmpeg().arg("-version").stdout(Stdio::null()).status();
        match asked {
            Ok(status) if status.success() => Ok(Self { sound, running: None }),
            _ => Err(io::Error::new(
                io::ErrorKind::NotFound,
                "MP4 needs the program ffmpeg, which was not found; GIF and --frames do not",
            )),
        }
    }

    /// Gives it the next image of a video with `rate` images a second, which it writes to `path`.
    ///
    /// # Errors
    /// If it does not take it.
    pub(super) fn add(&mut self, picture: &RgbaImage, rate: f64, path: &Path) -> io::Result<()> {
        let child = match &mut self.running {
            Some(child) => child,
            None => self.running.insert(start(picture, rate, self.sound.as_ref(), path)?),
        };
        match &mut child.stdin {
            Some(stdin) => stdin.write_all(picture.as_raw()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Closes its input and waits until it has finished.
    ///
    /// # Errors
    /// If it reports an error.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let Some(mut child) = self.running.take() else { return Ok(()) };
        // Closing its input makes it finish.
        drop(child.stdin.take());
        let status = child.wait()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("ffmpeg: {status}"))) }
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        if let Some(child) = &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn ffmpeg() -> Command {
    let mut command = Command::new("ffmpeg");
    without_console(&mut command);
    command
}

/// Starts ffmpeg for images of this size. Common players need even sides.
fn start(
    picture: &RgbaImage,
    rate: f64,
    sound: Option<&Soundtrack>,
    path: &Path,
) -> io::Result<Child> {
    let (width, height) = picture.dimensions();
    let size = format!("{width}x{height}");
    let rate = rate.to_string();
    let mut command = ffmpeg();
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
