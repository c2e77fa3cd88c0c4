//! Reads the data frames: points with their residuals, then analog samples.

use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation, format_count};

use super::{
    BLOCK_BYTES, Header, numbers::Processor, parameters::Parameters, rotations::Rotations,
};
use crate::{codes, table::Table};

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
    pub(super) frames: usize,
    /// The number of the first frame. Frame 1 is at time 0.
    first_frame: f64,
    pub(super) rate_hz: f64,
}

impl Layout {
    /// # Errors
    /// If the file has neither points nor rotations, or not a single complete frame.
    pub(super) fn from_header(
        header: &Header<'_>,
        parameters: &Parameters<'_>,
        rotations: Option<&Rotations>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Error> {
        const MAX_SCALE_DIFFERENCE: f64 = 0.01;
        let points = usize::from(header.read_u16(2));
        if points == 0 && rotations.is_none() {
            let expected = "points or rotations in each frame";
            return Err(Error::malformed(SourceLocation::byte(2), expected, "none"));
        }
        let samples = usize::from(header.read_u16(10));
        let analog = usize::from(header.read_u16(3));
        let channels = analog.checked_div(samples).unwrap_or(0);
        let block = match header.read_u16(9) {
            0 => parameters.number("POINT", "DATA_START").map_or(0, |block| block as u16),
            block => block,
        };
        let start = usize::from(block).saturating_sub(1) * BLOCK_BYTES;
        let numbers = 4 * points + analog;
        if start == 0 && numbers > 0 {
            let expected = "the number of the first data block";
            return Err(Error::malformed(SourceLocation::byte(16), expected, "none"));
        }
        let rates = [header.read_f32(11), parameters.number("POINT", "RATE").unwrap_or(0.0)];
        let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
        let rate = rates.into_iter().find(is_rate).unwrap_or_else(|| {
            let rate = crate::DEFAULT_FRAME_RATE_HZ;
            let message = format!("the file states no frame rate; using {rate} Hz");
            diagnostics
                .warning(codes::c3d::FRAME_RATE_ASSUMED, SourceLocation::byte(20), message)
                .with("rate_hz", rate);
            rate
        });
        let length = header.bytes.len();
        let scales = [header.read_f32(7), parameters.number("POINT", "SCALE").unwrap_or(0.0)];
        let scale = scales.into_iter().find(|scale| scale.is_finite() && *scale != 0.0);
        if let [header_scale, parameter_scale] = scales
            && scales.iter().all(|scale| *scale > 0.0)
            && (header_scale / parameter_scale - 1.0).abs() > MAX_SCALE_DIFFERENCE
        {
            let message = format!(
                "the header states the scale {header_scale}, and POINT:SCALE states \
                 {parameter_scale}; using the header"
            );
            diagnostics
                .warning(codes::c3d::UNCLEAR_SCALE, SourceLocation::byte(12), message)
                .with("expected", header_scale)
                .with("found", parameter_scale);
        }
        let range = FrameRange::read(header, parameters);
        let scale = scale.unwrap_or_else(|| {
            let (scale, what) = match looks_like_floats(header, start, points) {
                true => (-1.0, "32-bit floats"),
                false => (1.0, "integers without a scale, so the unit may be wrong"),
            };
            if points > 0 {
                let message = format!("the scale of the coordinates is 0; reading {what}");
                diagnostics.warning(codes::c3d::UNCLEAR_SCALE, SourceLocation::byte(12), message);
            }
            scale
        });
        let (mut channels, mut analog) = (channels, analog);
        let used = parameters.unsigned("ANALOG", "USED").unwrap_or(0.0) as usize;
        // Some programs write the number of channels in place of the number of samples.
        if let Some(stated) = range.stated.filter(|_| used > 0 && used == analog && samples > 1) {
            let size = if scale > 0.0 { 2 } else { 4 };
            let rest = |analog: usize| {
                let needed = stated.checked_mul((4 * points + analog) * size)?;
                length.saturating_sub(start).checked_sub(needed)
            };
            if rest(analog).is_none_or(|rest| rest >= BLOCK_BYTES)
                && rest(used * samples).is_some_and(|rest| rest < BLOCK_BYTES)
            {
                let message = format!(
                    "the header states {analog} analog numbers in each frame, but the data has {}; \
                     using {}",
                    used * samples,
                    used * samples
                );
                diagnostics
                    .warning(codes::c3d::COUNT_DIFFERS, SourceLocation::byte(4), message)
                    .with("expected", analog)
                    .with("found", used * samples);
                (channels, analog) = (used, used * samples);
            }
        }
        let mut layout = Self {
            processor: header.processor,
            points,
            channels,
            analog_per_frame: analog,
            samples_per_frame: samples,
            scale: (scale > 0.0).then_some(scale),
            start,
            frames: 0,
            first_frame: range.first.max(1.0),
            rate_hz: rate,
        };
        let (frame_bytes, data_start) = match rotations {
            Some(rotations) if numbers == 0 => (rotations.frame_bytes(), rotations.start),
            _ => (layout.frame_bytes(), start),
        };
        let available = length.saturating_sub(data_start) / frame_bytes;
        let frames = range.choose(available, frame_bytes, diagnostics);
        layout.frames = frames.min(available).min(u32::MAX as usize);
        if layout.frames == 0 {
            let expected = format!("frames of {frame_bytes} bytes");
            // The header may name a block beyond the end of the file.
            let location = SourceLocation::byte(data_start.min(length));
            return Err(Error::malformed(location, expected, "none"));
        }
        let rest = available.saturating_sub(frames).saturating_mul(frame_bytes);
        if rest > BLOCK_BYTES && rotations.is_none() {
            let message = format!(
                "data after the last of {}; skipped. The file may have more frames than it states",
                format_count(frames, "frame")
            );
            diagnostics
                .warning(
                    codes::c3d::MORE_DATA,
                    SourceLocation::byte(data_start + frames * frame_bytes),
                    message,
                )
                .with("count", frames);
        }
        if frames > available {
            let message = format!(
                "the file ends after {available} of {frames} frames; loaded up to {} s",
                layout.frame_time(layout.frames - 1)
            );
            diagnostics
                .error(codes::c3d::TRUNCATED, SourceLocation::byte(length), message)
                .with("expected", frames)
                .with("found", available);
        }
        Ok(layout)
    }

    pub(super) fn has_no_numbers(&self) -> bool {
        self.points == 0 && self.analog_per_frame == 0
    }

    /// Replaces each frame by `count` frames.
    pub(super) fn split_frames(&mut self, count: usize) {
        self.first_frame = (self.first_frame - 1.0) * count as f64 + 1.0;
        self.frames *= count;
        self.rate_hz *= count as f64;
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

    /// Reads the points to the columns after the time. Multiplies the coordinates of each point by
    /// the factor of that point.
    pub(super) fn read_points(&self, bytes: &[u8], factors: &[f64], table: &mut Table) {
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
            for (point, factor) in factors.iter().enumerate() {
                let at = start + 4 * point * size;
                if is_missing(at + 3 * size) {
                    continue;
                }
                for axis in 0..3 {
                    let number = number(at + axis * size) * factor;
                    table.push_number(1 + 3 * point + axis, frame, number);
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

/// Returns `true` if the coordinates of the first frame are plausible as 32-bit floats. Integers are
/// not, because their bytes make floats that are far too small or too large.
fn looks_like_floats(header: &Header<'_>, start: usize, points: usize) -> bool {
    const PLAUSIBLE: std::ops::Range<f64> = 1e-6..1e7;
    (0..4 * points).filter(|index| index % 4 < 3).all(|index| {
        let number = header.processor.f32_at(header.bytes, start + 4 * index);
        number.is_some_and(|number| number == 0.0 || PLAUSIBLE.contains(&number.abs()))
    })
}

/// The frames that the file states.
struct FrameRange {
    /// The number of the first frame, which is 0 in files that count from 0.
    first: f64,
    stated: Option<usize>,
    /// The number of frames in the parameters, if it differs from the stated number.
    other: Option<usize>,
}

impl FrameRange {
    fn read(header: &Header<'_>, parameters: &Parameters<'_>) -> Self {
        const MAX_WORD: f64 = 65_535.0;
        let [first, last] = [4, 5].map(|word| f64::from(header.read_u16(word)));
        let unsigned = |number: f64| if number < 0.0 { number + 65_536.0 } else { number };
        // The header holds 16-bit frame numbers, which overflow after nine minutes at 120 Hz. Longer
        // recordings store each frame number as two 16-bit words in the group `TRIAL`.
        let long = |name: &str| match parameters.numbers("TRIAL", name)[..] {
            [low, high, ..] => Some(unsigned(low) + unsigned(high) * 65_536.0),
            [number] => Some(number),
            _ => None,
        };
        let count =
            |first: f64, last: f64| (last >= first).then_some((last - first + 1.0) as usize);
        let trial = long("ACTUAL_START_FIELD").zip(long("ACTUAL_END_FIELD"));
        let trial = trial.filter(|(first, last)| *first >= 0.0 && *last >= (*first).max(1.0));
        let of_trial = trial.and_then(|(first, last)| count(first, last));
        let of_header =
            count(first, last).filter(|_| last < MAX_WORD && (last > 0.0 || first > 0.0));
        let of_parameters = ["LONG_FRAMES", "FRAMES"].into_iter().find_map(|name| {
            let frames = unsigned(parameters.number("POINT", name)?);
            (frames >= 1.0 && frames != MAX_WORD).then_some(frames as usize)
        });
        let first = trial.map_or(first, |(first, _)| first);
        let confirmed =
            of_parameters.filter(|frames| [of_trial, of_header].contains(&Some(*frames)));
        let stated = confirmed.or(of_trial).or(of_header).or(of_parameters);
        // A file that states frames 0 to 5, but only 5 frames, counts from 1.
        let other = of_parameters.filter(|frames| stated != Some(*frames));
        match other {
            Some(frames) if first == 0.0 && stated == Some(frames + 1) => {
                Self { first: 1.0, stated: Some(frames), other: None }
            }
            _ => Self { first, stated, other },
        }
    }

    /// Returns the number of frames to read. If two numbers are stated, chooses the one whose data
    /// fill the blocks of the file.
    fn choose(&self, available: usize, frame_bytes: usize, diagnostics: &mut Diagnostics) -> usize {
        let Some(stated) = self.stated else { return available };
        let Some(other) = self.other else { return stated };
        let blocks = |frames: usize| frames.saturating_mul(frame_bytes).div_ceil(BLOCK_BYTES);
        let is_filled =
            |frames: usize| frames <= available && blocks(frames) + 1 >= blocks(available);
        let chosen = if !is_filled(stated) && is_filled(other) { other } else { stated };
        let message = format!(
            "the frame numbers state {}, and POINT:FRAMES states {other}; using {chosen}",
            format_count(stated, "frame")
        );
        diagnostics
            .warning(codes::c3d::COUNT_DIFFERS, SourceLocation::byte(6), message)
            .with("expected", stated)
            .with("found", other);
        chosen
    }
}
