//! The frames: points with their residuals, then analog samples.

use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

use super::{BLOCK, Header, parameters::Parameters, words::Processor};
use crate::table::Table;

/// How the frames of a file are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    processor: Processor,
    pub(super) points: usize,
    /// Analog channels.
    pub(super) channels: usize,
    /// Numbers of all channels in a frame.
    analog: usize,
    /// Samples of each channel in a frame.
    pub(super) samples: usize,
    /// The factor of whole numbers; nothing if numbers have single precision.
    scale: Option<f64>,
    /// The first byte of the frames.
    start: usize,
    frames: usize,
    /// The number of the first frame, from 1 on.
    first: f64,
    /// Frames a second.
    pub(super) rate: f64,
}

impl Layout {
    /// # Errors
    /// If there are no points, or no whole frame.
    pub(super) fn of(
        header: &Header<'_>,
        parameters: &Parameters<'_>,
        notices: &mut Notices,
    ) -> Result<Self, Error> {
        let points = usize::from(header.word(2));
        if points == 0 {
            return Err(Error::malformed(SourceLocation::byte(2), "points in each frame", "none"));
        }
        let samples = usize::from(header.word(10));
        let analog = usize::from(header.word(3));
        let channels = analog.checked_div(samples).unwrap_or(0);
        let scale = match header.number(7) {
            0.0 => parameters.number("POINT", "SCALE").unwrap_or(-1.0),
            scale => scale,
        };
        let block = match header.word(9) {
            0 => parameters.number("POINT", "DATA_START").map_or(0, |block| block as u16),
            block => block,
        };
        let start = usize::from(block).saturating_sub(1) * BLOCK;
        if start == 0 {
            let expected = "the block that frames begin at";
            return Err(Error::malformed(SourceLocation::byte(16), expected, "none"));
        }
        let rates = [header.number(11), parameters.number("POINT", "RATE").unwrap_or(0.0)];
        let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
        let rate = rates.into_iter().find(is_rate).unwrap_or_else(|| {
            let rate = crate::FRAME_RATE;
            let message = format!("the file states no rate of frames; using {rate} a second");
            notices.warning(SourceLocation::byte(20), message);
            rate
        });
        let (first, stated) = counts(header, parameters);
        let scale = (scale >= 0.0).then_some(scale);
        let layout = Self {
            processor: header.processor,
            points,
            channels,
            analog,
            samples,
            scale,
            start,
            frames: 0,
            first,
            rate,
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
                layout.time(frames - 1)
            );
            notices.error(SourceLocation::byte(header.bytes.len()), message);
        }
        Ok(layout)
    }

    fn number_bytes(&self) -> usize {
        if self.scale.is_some() { 2 } else { 4 }
    }

    fn frame_bytes(&self) -> usize {
        (4 * self.points + self.analog) * self.number_bytes()
    }

    /// The time of a frame in seconds: frame 1 is at 0.
    pub(super) fn time(&self, index: usize) -> f64 {
        (self.first - 1.0 + index as f64) / self.rate
    }

    /// Reads the points, three columns for each behind that of the time.
    pub(super) fn read(&self, bytes: &[u8], table: &mut Table) {
        let (processor, size) = (self.processor, self.number_bytes());
        let number = |at: usize| match self.scale {
            Some(scale) => {
                processor.word(bytes, at).map_or(f64::NAN, |word| f64::from(word as i16) * scale)
            }
            None => processor.number(bytes, at).unwrap_or(f64::NAN),
        };
        // Of whole numbers the residual is scaled too; its sign alone says whether there is a point.
        let is_missing = |at: usize| match self.scale {
            Some(_) => processor.word(bytes, at).is_none_or(|word| (word as i16) < 0),
            None => processor.number(bytes, at).is_none_or(|number| number < 0.0),
        };
        for frame in 0..self.frames {
            table.push_number(0, frame, self.time(frame));
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

    /// The samples of each analog channel, in its unit.
    pub(super) fn analog(&self, bytes: &[u8], parameters: &Parameters<'_>) -> Vec<Vec<f32>> {
        let is_unsigned = parameters
            .text("ANALOG", "FORMAT")
            .is_some_and(|format| format.eq_ignore_ascii_case("UNSIGNED"));
        let general = parameters.number("ANALOG", "GEN_SCALE").unwrap_or(1.0);
        let scales = parameters.numbers("ANALOG", "SCALE");
        let offsets = parameters.numbers("ANALOG", "OFFSET");
        let (processor, size) = (self.processor, self.number_bytes());
        let number = |at: usize| match self.scale {
            Some(_) => processor.word(bytes, at).map_or(f64::NAN, |word| match is_unsigned {
                true => f64::from(word),
                false => f64::from(word as i16),
            }),
            None => processor.number(bytes, at).unwrap_or(f64::NAN),
        };
        let channel = |channel: usize| {
            let scale = scales.get(channel).copied().unwrap_or(1.0) * general;
            let offset = offsets.get(channel).copied().unwrap_or(0.0);
            // Offsets are whole numbers of 16 bits, and have no sign where samples have none.
            let offset = if is_unsigned && offset < 0.0 { offset + 65_536.0 } else { offset };
            let mut values = Vec::with_capacity(self.frames * self.samples);
            for frame in 0..self.frames {
                let start =
                    self.start + frame * self.frame_bytes() + (4 * self.points + channel) * size;
                for sample in 0..self.samples {
                    let raw = number(start + sample * self.channels * size);
                    values.push(((raw - offset) * scale) as f32);
                }
            }
            values
        };
        (0..self.channels).map(channel).collect()
    }
}

/// The number of the first frame, and how many there are, if the file says it.
fn counts(header: &Header<'_>, parameters: &Parameters<'_>) -> (f64, Option<usize>) {
    let [first, last] = [4, 5].map(|word| f64::from(header.word(word)));
    // The numbers of 16 bits that the header has do for nine minutes at 120 frames a second.
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
