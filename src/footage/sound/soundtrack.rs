//! The sound of footage in a video.

use std::{ffi::OsString, path::Path};

use crate::footage::{FootageError, Input, Media, Programs};

/// The sound of footage, from a time on, as the sound of a video.
#[derive(Clone, Debug, PartialEq)]
pub struct Soundtrack {
    input: Input,
    stream: u32,
    /// The time of the footage at the first image, in seconds: less than 0 if the sound begins later.
    from: f64,
}

impl Soundtrack {
    /// The sound of the footage at `path`, which is at `from` seconds at the first image; nothing if it has
    /// none.
    ///
    /// # Errors
    /// If it cannot be read, or ffprobe is missing.
    pub fn of_path(
        path: &Path,
        from: f64,
        programs: &Programs,
    ) -> Result<Option<Self>, FootageError> {
        let input =
            Input::of_path(path).map_err(|error| FootageError::Unreadable(error.to_string()))?;
        if input.is_images() {
            return Ok(None);
        }
        let media = Media::of(&input, 1.0, programs, &|| false)?;
        Ok(media.sound.map(|stream| Self { input, stream, from }))
    }

    /// The arguments by which ffmpeg reads it, as its second input.
    pub(crate) fn input_arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        if self.from > 0.0 {
            arguments.extend(["-ss".into(), format!("{:.6}", self.from).into()]);
        }
        arguments.extend(self.input.arguments(1.0));
        arguments
    }

    /// The arguments by which ffmpeg puts it beside images, which are its first input: as long as they are.
    pub(crate) fn output_arguments(&self) -> Vec<OsString> {
        // Sound that begins late or has gaps stays at its time.
        let mut filter = "aresample=48000:async=1:first_pts=0".to_owned();
        if self.from < 0.0 {
            filter += &format!(",adelay=delays={:.3}:all=1", -1e3 * self.from);
        }
        filter += ",apad";
        let stream = format!("1:{}", self.stream);
        ["-map", "0:v", "-map", &stream, "-af", &filter, "-c:a", "aac", "-b:a", "160k", "-shortest"]
            .map(OsString::from)
            .into()
    }
}
