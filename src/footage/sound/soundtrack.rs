//! Adds the sound of footage to a video.

use std::{ffi::OsString, path::Path};

use crate::footage::{FootageError, Input, Media, Programs};

/// The sound of footage from a given time on, to be added to an exported video.
#[derive(Clone, Debug, PartialEq)]
pub struct Soundtrack {
    input: Input,
    stream: u32,
    /// The footage time of the first image of the exported video, in seconds. It is negative if the
    /// footage begins after that image.
    from: f64,
}

impl Soundtrack {
    /// Finds the sound of the footage at `path`. `from` is the footage time of the first image, in
    /// seconds. Returns `None` if the footage has no sound.
    ///
    /// # Errors
    /// If the footage cannot be read, or if ffprobe is missing.
    pub fn from_path(
        path: &Path,
        from: f64,
        programs: &Programs,
    ) -> Result<Option<Self>, FootageError> {
        let input =
            Input::from_path(path).map_err(|error| FootageError::Unreadable(error.to_string()))?;
        if input.is_images() {
            return Ok(None);
        }
        let media = Media::probe(&input, 1.0, programs, &|| false)?;
        Ok(media.sound.map(|stream| Self { input, stream, from }))
    }

    pub(crate) fn input_arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        if self.from > 0.0 {
            arguments.extend(["-ss".into(), format!("{:.6}", self.from).into()]);
        }
        arguments.extend(self.input.ffmpeg_arguments(1.0));
        arguments
    }

    pub(crate) fn output_arguments(&self) -> Vec<OsString> {
        // Insert silence if the sound begins late or has gaps. Otherwise the following sound would
        // be early.
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
