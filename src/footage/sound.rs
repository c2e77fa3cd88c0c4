//! Reading the sound track.

use std::ops::ControlFlow;

use super::{
    FootageError, Input, Media, Programs, Waveform, process::run, waveform::WaveformBuilder,
};

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

/// Samples of four bytes from pieces of any length.
#[derive(Default)]
struct Samples {
    /// The beginning of a sample that goes on in the next piece.
    rest: Vec<u8>,
}

impl Samples {
    fn read(&mut self, piece: &[u8], mut on_sample: impl FnMut(f32)) {
        let missing = if self.rest.is_empty() { 0 } else { 4 - self.rest.len() };
        let (before, piece) = piece.split_at(missing.min(piece.len()));
        self.rest.extend_from_slice(before);
        if let Ok(bytes) = <[u8; 4]>::try_from(&*self.rest) {
            on_sample(f32::from_le_bytes(bytes));
            self.rest.clear();
        }
        let (whole, rest) = piece.as_chunks();
        whole.iter().for_each(|bytes| on_sample(f32::from_le_bytes(*bytes)));
        self.rest.extend_from_slice(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_whole_whatever_the_pieces_are() {
        let bytes: Vec<u8> =
            [0.5_f32, -0.25, 1.0].iter().flat_map(|one| one.to_le_bytes()).collect();
        for length in 1..=12 {
            let (mut samples, mut read) = (Samples::default(), Vec::new());
            bytes.chunks(length).for_each(|piece| samples.read(piece, |one| read.push(one)));
            assert_eq!(read, [0.5, -0.25, 1.0], "{length}");
        }
    }
}
