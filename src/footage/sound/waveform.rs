//! A sound track as peaks over time.

/// How many buckets there are at most: then they become twice as long.
const MOST_BUCKETS: usize = 1 << 20;

/// How long a bucket is at first, in seconds.
const BUCKET: f64 = 1e-3;

/// The least and the greatest of samples, in 127ths.
type Peaks = [i8; 2];

/// A sound track as peaks over time. However long it is, it takes a few megabytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform {
    /// Peaks of even buckets of time, then those of buckets twice as long, and so on.
    levels: Vec<Vec<Peaks>>,
    /// How long the shortest buckets are, in seconds.
    bucket: f64,
    duration: f64,
}

impl Waveform {
    /// How long it is, in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The amplitude of the loudest sample, from 0 to 1.
    pub fn loudest(&self) -> f32 {
        let top = self.levels.last().and_then(|level| level.first());
        top.map_or(0.0, |[least, most]| amplitude(*most).max(-amplitude(*least)))
    }

    /// The least and the greatest sample between two times in seconds, from -1 to 1; nothing where there is
    /// no sound.
    pub fn peaks(&self, from: f64, to: f64) -> Option<[f32; 2]> {
        let (from, to) = (from.max(0.0), to.min(self.duration));
        if from >= to {
            return None;
        }
        // About sixteen buckets, so that the ends are right to a sixteenth.
        let level = ((to - from) / self.bucket / 16.0).log2().round().max(0.0) as usize;
        let level = level.min(self.levels.len().checked_sub(1)?);
        let length = self.bucket * (level as f64).exp2();
        let buckets = &self.levels[level];
        let first = ((from / length) as usize).min(buckets.len().checked_sub(1)?);
        let last = ((to / length).ceil() as usize).clamp(first + 1, buckets.len());
        let [least, most] = buckets[first..last].iter().copied().reduce(merge)?;
        Some([amplitude(least), amplitude(most)])
    }
}

fn amplitude(peak: i8) -> f32 {
    f32::from(peak) / 127.0
}

fn merge(one: Peaks, other: Peaks) -> Peaks {
    [one[0].min(other[0]), one[1].max(other[1])]
}

/// Pairs of buckets as one each.
fn halved(buckets: &[Peaks]) -> Vec<Peaks> {
    buckets.chunks(2).filter_map(|pair| pair.iter().copied().reduce(merge)).collect()
}

/// Makes a waveform of samples, one after the other.
#[derive(Debug)]
pub(super) struct WaveformBuilder {
    /// Samples a second.
    rate: f64,
    /// How many samples make a bucket.
    samples: usize,
    buckets: Vec<Peaks>,
    /// The bucket that is being filled, and with how many samples.
    current: Peaks,
    filled: usize,
}

impl WaveformBuilder {
    /// Of sound at this sample rate.
    pub(super) fn new(rate: f64) -> Self {
        let samples = (rate * BUCKET).round().max(1.0) as usize;
        Self { rate, samples, buckets: Vec::new(), current: [0, 0], filled: 0 }
    }

    /// Takes in the next sample, from -1 to 1.
    pub(super) fn push(&mut self, sample: f32) {
        // A sample that is NaN is silence.
        let sample = (sample * 127.0).clamp(-127.0, 127.0) as i8;
        self.current = merge(self.current, [sample, sample]);
        self.filled += 1;
        if self.filled == self.samples {
            self.close();
        }
    }

    fn close(&mut self) {
        self.buckets.push(std::mem::take(&mut self.current));
        self.filled = 0;
        if self.buckets.len() == MOST_BUCKETS {
            self.buckets = halved(&self.buckets);
            self.samples *= 2;
        }
    }

    pub(super) fn finish(mut self) -> Waveform {
        let whole = (self.buckets.len() * self.samples + self.filled) as f64;
        if self.filled > 0 {
            self.close();
        }
        let mut levels = vec![self.buckets];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            levels.push(halved(last));
        }
        let (bucket, duration) = (self.samples as f64 / self.rate, whole / self.rate);
        Waveform { levels, bucket, duration }
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
        assert!((waveform.loudest() - 0.5).abs() < 0.01);
        for width in [0.001, 0.01, 0.3, 1.0, 2.0] {
            let [least, _] = waveform.peaks(2.5 - 0.5 * width, 2.5 + 0.5 * width + 1e-3).unwrap();
            assert!((least + 0.5).abs() < 0.01, "{width}: {least}");
            let [least, most] = waveform.peaks(0.4, 0.4 + 0.4 * width).unwrap();
            assert!(least >= 0.0 && most < 0.02, "{width}: {least} {most}");
        }
        assert_eq!(waveform.peaks(-2.0, -1.0), None);
        assert_eq!(waveform.peaks(5.0, 6.0), None);
        assert!(waveform.peaks(4.999, 6.0).is_some());
    }

    #[test]
    fn memory_is_bounded_and_values_are_hostile() {
        let waveform = waveform(1000.0, (0..MOST_BUCKETS * 2).map(|_| 0.25));
        assert!(waveform.levels[0].len() <= MOST_BUCKETS);
        assert_eq!(waveform.bucket, 4e-3);
        assert_eq!(waveform.duration(), (MOST_BUCKETS * 2) as f64 / 1000.0);
        let odd = super::tests::waveform(10.0, [f32::NAN, f32::INFINITY, -9.0]);
        assert_eq!(odd.peaks(0.0, 0.3), Some([-1.0, 1.0]));
        assert_eq!(super::tests::waveform(10.0, []).peaks(0.0, 1.0), None);
        assert_eq!(super::tests::waveform(10.0, []).loudest(), 0.0);
    }
}
