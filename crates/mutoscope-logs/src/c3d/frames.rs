//! Reads the data frames: points with their residuals, then analog samples.

use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation};

use super::{BLOCK_BYTES, Header, numbers::Processor, parameters::Parameters};
use crate::table::Table;

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    processor: Processor,
    pub(super) points: usize,
    pub(super) channels: usize,
    analog_per_frame: usize,
    pub(super) samples_per_frame: usize,
    /// The factor of 16-bit integers, or `None` if values are 32-bit floats.
    scale: Option<f64>,
    start: usize,
    frames: usize,
    /// The number of the first frame. Frame 1 is at time 0.
    first_frame: f64,
    pub(super) rate_hz: f64,
}

impl Layout {
    /// # Errors
    /// If the file has no points, or not a single complete frame.
    pub(super) fn from_header(
        header: &Header<'_>,
        parameters: &Parameters<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Error> {
        let points = usize::from(header.read_u16(2));
        if points == 0 {
            return Err(Error::malformed(SourceLocation::byte(2), "points in each frame", "none"));
        }
        let samples = usize::from(header.read_u16(10));
        let analog = usize::from(header.read_u16(3));
        let channels = analog.checked_div(samples).unwrap_or(0);
        let scale = match header.read_f32(7) {
            0.0 => parameters.number("POINT", "SCALE").unwrap_or(-1.0),
            scale => scale,
        };
        let block = match header.read_u16(9) {
            0 => parameters.number("POINT", "DATA_START").map_or(0, |block| block as u16),
            block => block,
        };
        let start = usize::from(block).saturating_sub(1) * BLOCK_BYTES;
        if start == 0 {
            let expected = "the number of the first data block";
            return Err(Error::malformed(SourceLocation::byte(16), expected, "none"));
        }
        let rates = [header.read_f32(11), parameters.number("POINT", "RATE").unwrap_or(0.0)];
        let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
        let rate = rates.into_iter().find(is_rate).unwrap_or_else(|| {
            let rate = crate::DEFAULT_FRAME_RATE_HZ;
            let message = format!("the file states no frame rate; using {rate} Hz");
            diagnostics.warning(SourceLocation::byte(20), message);
            rate
        });
        let (first, stated) = frame_range(header, parameters);
        let scale = (scale >= 0.0).then_some(scale);
        let layout = Self {
            processor: header.processor,
            points,
            channels,
            analog_per_frame: analog,
            samples_per_frame: samples,
            scale,
            start,
            frames: 0,
            first_frame: first,
            rate_hz: rate,
        };
        let available = header.bytes.len().saturating_sub(start) / layout.frame_bytes();
        let frames = stated.map_or(available, |stated| stated.min(available));
        let frames = frames.min(u32::MAX as usize);
        if frames == 0 {
            let expected = format!("frames of {} bytes", layout.frame_bytes());
            return Err(Error::malformed(SourceLocation::byte(start), expected, "none"));
        }
        let layout = Self { frames, ..layout };
        if let Some(stated) = stated.filter(|stated| *stated > available) {
            let message = format!(
                "the file ends after {available} of {stated} frames; loaded up to {} s",
                layout.frame_time(frames - 1)
            );
            diagnostics.error(SourceLocation::byte(header.bytes.len()), message);
        }
        Ok(layout)
    }

    fn number_bytes(&self) -> usize {
        if self.scale.is_some() { 2 } else { 4 }
    }

    fn frame_bytes(&self) -> usize {
        (4 * self.points + self.analog_per_frame) * self.number_bytes()
    }

    pub(super) fn frame_time(&self, index: usize) -> f64 {
        (self.first_frame - 1.0 + index as f64) / self.rate_hz
    }

    pub(super) fn read_points(&self, bytes: &[u8], table: &mut Table) {
        let (processor, size) = (self.processor, self.number_bytes());
        let number = |at: usize| match self.scale {
            Some(scale) => {
                processor.u16_at(bytes, at).map_or(f64::NAN, |word| f64::from(word as i16) * scale)
            }
            None => processor.f32_at(bytes, at).unwrap_or(f64::NAN),
        };
        // A negative residual means that the point is missing. Integer residuals need not be scaled
        // here, because the factor is positive.
        let is_missing = |at: usize| match self.scale {
            Some(_) => processor.u16_at(bytes, at).is_none_or(|word| (word as i16) < 0),
            None => processor.f32_at(bytes, at).is_none_or(|number| number < 0.0),
        };
        for frame in 0..self.frames {
            table.push_number(0, frame, self.frame_time(frame));
            let start = self.start + frame * self.frame_bytes();
            for point in 0..self.points {
                let at = start + 4 * point * size;
                if is_missing(at + 3 * size) {
                    continue;
                }
                for axis in 0..3 {
                    table.push_number(1 + 3 * point + axis, frame, number(at + axis * size));
                }
            }
        }
        table.rows = self.frames;
    }

    pub(super) fn read_analog(&self, bytes: &[u8], parameters: &Parameters<'_>) -> Vec<Vec<f32>> {
        let is_unsigned = parameters
            .text("ANALOG", "FORMAT")
            .is_some_and(|format| format.eq_ignore_ascii_case("UNSIGNED"));
        let general = parameters.number("ANALOG", "GEN_SCALE").unwrap_or(1.0);
        let scales = parameters.numbers("ANALOG", "SCALE");
        let offsets = parameters.numbers("ANALOG", "OFFSET");
        let (processor, size) = (self.processor, self.number_bytes());
        let number = |at: usize| match self.scale {
            Some(_) => processor.u16_at(bytes, at).map_or(f64::NAN, |word| match is_unsigned {
                true => f64::from(word),
                false => f64::from(word as i16),
            }),
            None => processor.f32_at(bytes, at).unwrap_or(f64::NAN),
        };
        let channel = |channel: usize| {
            let scale = scales.get(channel).copied().unwrap_or(1.0) * general;
            let offset = offsets.get(channel).copied().unwrap_or(0.0);
            // Offsets are stored as signed 16-bit integers. If the samples are unsigned, read the
            // offset as an unsigned integer too.
            let offset = if is_unsigned && offset < 0.0 { offset + 65_536.0 } else { offset };
            let mut values = Vec::with_capacity(self.frames * self.samples_per_frame);
            for frame in 0..self.frames {
                let start =
                    self.start + frame * self.frame_bytes() + (4 * self.points + channel) * size;
                for sample in 0..self.samples_per_frame {
                    let raw = number(start + sample * self.channels * size);
                    values.push(((raw - offset) * scale) as f32);
                }
            }
            values
        };
        (0..self.channels).map(channel).collect()
    }
}

fn frame_range(header: &Header<'_>, parameters: &Parameters<'_>) -> (f64, Option<usize>) {
    let [first, last] = [4, 5].map(|word| f64::from(header.read_u16(word)));
    // The header holds 16-bit frame numbers, which overflow after nine minutes at 120 Hz. Longer
    // recordings store each frame number as two 16-bit words in the group `TRIAL`.
    let long = |name: &str| match parameters.numbers("TRIAL", name)[..] {
        [low, high, ..] => {
            let [low, high] = [low, high].map(|word| f64::from(word as i16 as u16));
            Some(low + high * 65_536.0)
        }
        [number] => Some(number),
        _ => None,
    };
    let trial = long("ACTUAL_START_FIELD").zip(long("ACTUAL_END_FIELD"));
    let (first, last) = match trial {
        Some((first, last)) if first >= 1.0 && last >= first => (first, Some(last)),
        _ if last >= first.max(1.0) && last < 65_535.0 => (first.max(1.0), Some(last)),
        _ => (first.max(1.0), None),
    };
    let frames = last.map(|last| last - first + 1.0).or_else(|| {
        let frames = parameters.number("POINT", "LONG_FRAMES");
        let frames = frames.or_else(|| parameters.number("POINT", "FRAMES"));
        frames.filter(|frames| *frames > 0.0)
    });
    (first, frames.map(|frames| frames as usize))
}
