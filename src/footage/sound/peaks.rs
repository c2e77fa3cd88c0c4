//! Decodes the waveform of a sound track.

use std::ops::ControlFlow;

use super::{Waveform, samples::SampleReader, waveform::WaveformBuilder};
use crate::footage::{FootageError, Input, Media, Programs, process::run};

/// The sample rate of the decoded sound. A low rate is enough, because the viewer shows at most one
/// pair of peaks per millisecond.
const SAMPLE_RATE_HZ: u32 = 8000;

impl Waveform {
    /// Decodes the sound track of `media`, which was read from `input`. Returns `None` if there is
    /// no sound.
    ///
    /// # Errors
    /// If the sound cannot be decoded, or if `is_cancelled` returns `true`.
    pub fn decode(
        input: &Input,
        media: &Media,
        programs: &Programs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, FootageError> {
        let Some(stream) = media.sound else { return Ok(None) };
        let mut builder = WaveformBuilder::new(f64::from(SAMPLE_RATE_HZ));
        let mut reader = SampleReader::default();
        run(
            programs.ffmpeg.as_os_str(),
            |command| {
                command.args(["-hide_banner", "-nostdin", "-loglevel", "error"]);
                command.args(input.ffmpeg_arguments(1.0)).arg("-map").arg(format!("0:{stream}"));
                // Insert silence if the sound begins late or has gaps. Otherwise the following
                // sound would be early.
                command.args(["-af", &format!("aresample={SAMPLE_RATE_HZ}:async=1:first_pts=0")]);
                command.args(["-ac", "1", "-f", "f32le", "pipe:1"]);
            },
            is_cancelled,
            |piece| {
                reader.read(piece, |sample| builder.push(sample));
                ControlFlow::Continue(())
            },
        )?;
        Ok(Some(builder.finish()))
    }
}
