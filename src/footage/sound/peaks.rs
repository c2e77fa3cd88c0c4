//! The peaks of the sound track.

use std::ops::ControlFlow;

use super::{Waveform, samples::Samples, waveform::WaveformBuilder};
use crate::footage::{FootageError, Input, Media, Programs, process::run};

/// Samples a second: more than what peaks are looked at needs.
const RATE: u32 = 8000;

impl Waveform {
    /// The sound track of `media`, which `input` has; nothing if there is none.
    ///
    /// # Errors
    /// If it cannot be decoded, or `is_cancelled`.
    pub fn of(
        input: &Input,
        media: &Media,
        programs: &Programs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, FootageError> {
        let Some(stream) = media.sound else { return Ok(None) };
        let mut builder = WaveformBuilder::new(f64::from(RATE));
        let mut samples = Samples::default();
        run(
            programs.ffmpeg.as_os_str(),
            |command| {
                command.args(["-hide_banner", "-nostdin", "-loglevel", "error"]);
                command.args(input.arguments(1.0)).arg("-map").arg(format!("0:{stream}"));
                // Sound that begins late or has gaps stays at its time.
                command.args(["-af", &format!("aresample={RATE}:async=1:first_pts=0")]);
                command.args(["-ac", "1", "-f", "f32le", "pipe:1"]);
            },
            is_cancelled,
            |piece| {
                samples.read(piece, |sample| builder.push(sample));
                ControlFlow::Continue(())
            },
        )?;
        Ok(Some(builder.finish()))
    }
}
