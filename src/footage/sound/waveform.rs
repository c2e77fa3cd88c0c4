//! The peaks of a sound track over time.

/// The maximum number of buckets in the first level. When it is reached, each two neighbouring
/// buckets are merged into one.
const MAX_BUCKETS: usize = 1 << 20;

const INITIAL_BUCKET_S: f64 = 1e-3;

/// The minimum and maximum of samples, in steps of 1/127.
type Peaks = [i8; 2];

/// The peaks of a sound track over time. The memory is bounded to a few megabytes, however long the
/// sound is.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform {
    /// The peaks of buckets. The buckets of each level are twice as long as those of the level
    /// before.
    levels: Vec<Vec<Peaks>>,
    bucket_s: f64,
    duration: f64,
}

impl Waveform {
    /// Returns the duration in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Returns the amplitude of the loudest sample, from 0 to 1.
    pub fn max_amplitude(&self) -> f32 {
        let longest = self.levels.last().and_then(|level| level.first());
        longest.map_or(0.0, |[min, max]| amplitude(*max).max(-amplitude(*min)))
    }

    /// Returns the minimum and maximum sample between two times in seconds, from -1 to 1. Returns
    /// `None` if there is no sound in that range.
    pub fn peaks(&self, from: f64, to: f64) -> Option<[f32; 2]> {
        let (from, to) = (from.max(0.0), to.min(self.duration));
        if from >= to {
            return None;
        }
        // Choose the level so that about sixteen buckets cover the range. The range is then
        // extended by at most about a sixteenth at each end.
        let level = ((to - from) / self.bucket_s / 16.0).log2().round().max(0.0) as usize;
        let level = level.min(self.levels.len().checked_sub(1)?);
        let length = self.bucket_s * (level as f64).exp2();
        let buckets = &self.levels[level];
        let first = ((from / length) as usize).min(buckets.len().checked_sub(1)?);
        let last = ((to / length).ceil() as usize).clamp(first + 1, buckets.len());
        let [min, max] = buckets[first..last].iter().copied().reduce(merge)?;
        Some([amplitude(min), amplitude(max)])
    }
}

fn amplitude(peak: i8) -> f32 {
    f32::from(peak) / 127.0
}

fn merge(one: Peaks, other: Peaks) -> Peaks {
    [one[0].min(other[0]), one[1].max(other[1])]
}

fn merge_pairs(buckets: &[Peaks]) -> Vec<Peaks> {
    buckets.chunks(2).filter_map(|pair| pair.iter().copied().reduce(merge)).collect()
}

#[derive(Debug)]
pub(super) struct WaveformBuilder {
    /// The sample rate in Hz.
    rate: f64,
    samples_per_bucket: usize,
    buckets: Vec<Peaks>,
    current: Peaks,
    current_len: usize,
}

impl WaveformBuilder {
    pub(super) fn new(rate: f64) -> Self {
        let samples_per_bucket = (rate * INITIAL_BUCKET_S).round().max(1.0) as usize;
        Self { rate, samples_per_bucket, buckets: Vec::new(), current: [0, 0], current_len: 0 }
    }

    pub(super) fn push(&mut self, sample: f32) {
        // The conversion to `i8` turns NaN into 0, which is silence.
        let sample = (sample * 127.0).clamp(-127.0, 127.0) as i8;
        self.current = merge(self.current, [sample, sample]);
        self.current_len += 1;
        if self.current_len == self.samples_per_bucket {
            self.close();
        }
    }

    fn close(&mut self) {
        self.buckets.push(std::mem::take(&mut self.current));
        self.current_len = 0;
        if self.buckets.len() == MAX_BUCKETS {
            self.buckets = merge_pairs(&self.buckets);
            self.samples_per_bucket *= 2;
        }
    }

    pub(super) fn finish(mut self) -> Waveform {
        let sample_count = (self.buckets.len() * self.samples_per_bucket + self.current_len) as f64;
        if self.current_len > 0 {
            self.close();
        }
        let mut levels = vec![self.buckets];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            levels.push(merge_pairs(last));
        }
        let (bucket_s, duration) =
            (self.samples_per_bucket as f64 / self.rate, sample_count / self.rate);
        Waveform { levels, bucket_s, duration }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waveform(rate: f64, samples: impl IntoIterator<Item = f32>) -> Waveform {
        let mut builder = WaveformBuilder::new(rate);
        samples.into_iter().for_each(|sample| builder.push(sample));
        builder.finish()
    }

    #[test]
    fn peaks_are_found_at_every_width() {
        // Silence with a clap of one sample at 2.5 s.
        let clap = |index: usize| if index == 20_000 { -0.5 } else { 0.01 };
        let waveform = waveform(8000.0, (0..40_000).map(clap));
        assert_eq!(waveform.duration(), 5.0);
        assert!((waveform.max_amplitude() - 0.5).abs() < 0.01);
        for width in [0.001, 0.01, 0.3, 1.0, 2.0] {
            let [min, _] = waveform.peaks(2.5 - 0.5 * width, 2.5 + 0.5 * width + 1e-3).unwrap();
            assert!((min + 0.5).abs() < 0.01, "{width}: {min}");
            let [min, max] = waveform.peaks(0.4, 0.4 + 0.4 * width).unwrap();
            assert!(min >= 0.0 && max < 0.02, "{width}: {min} {max}");
        }
        assert_eq!(waveform.peaks(-2.0, -1.0), None);
        assert_eq!(waveform.peaks(5.0, 6.0), None);
        assert!(waveform.peaks(4.999, 6.0).is_some());
    }

    #[test]
    fn bucket_count_is_bounded_and_invalid_samples_are_accepted() {
        let waveform = waveform(1000.0, (0..MAX_BUCKETS * 2).map(|_| 0.25));
        assert!(waveform.levels[0].len() <= MAX_BUCKETS);
        assert_eq!(waveform.bucket_s, 4e-3);
        assert_eq!(waveform.duration(), (MAX_BUCKETS * 2) as f64 / 1000.0);
        let invalid = super::tests::waveform(10.0, [f32::NAN, f32::INFINITY, -9.0]);
        assert_eq!(invalid.peaks(0.0, 0.3), Some([-1.0, 1.0]));
        assert_eq!(super::tests::waveform(10.0, []).peaks(0.0, 1.0), None);
        assert_eq!(super::tests::waveform(10.0, []).max_amplitude(), 0.0);
    }
}
