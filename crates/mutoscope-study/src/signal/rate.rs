//! Determines the sampling rate of a recording.

use mutoscope_core::clip::{Clip, NodeId};

use super::statistics::median;

pub(crate) const DEFAULT_RATE_HZ: f64 = 60.0;

const MIN_KEYS: usize = 10;

/// Keys are evenly spaced if this share of the gaps is within [`GAP_TOLERANCE`] of the median gap.
const MIN_EVEN_SHARE: f64 = 0.9;

/// The tolerance of a gap, as a fraction of the median gap.
const GAP_TOLERANCE: f64 = 0.01;

/// A sampling rate and its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The number of samples per second.
    pub hz: f64,
    /// The source of the rate.
    pub source: RateSource,
}

/// The source of a sampling rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum RateSource {
    /// The caller chose the rate.
    Option,
    /// The file states the rate.
    File,
    /// The rate is the mean rate of evenly spaced keys.
    Keys,
    /// The recording does not reveal a rate, so a default is used.
    Assumed,
}

impl RateSource {
    /// Returns the name that JSON uses for the source.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Rate {
    /// Determines the rate of `clip`: the `chosen` rate, otherwise the rate that the file states,
    /// otherwise the rate of the first of `nodes` with evenly spaced keys, otherwise 60 Hz.
    pub fn for_clip(
        clip: &Clip,
        chosen: Option<f64>,
        nodes: impl IntoIterator<Item = NodeId>,
    ) -> Self {
        let is_rate = |hz: &f64| hz.is_finite() && *hz > 0.0;
        if let Some(hz) = chosen {
            return Self { hz, source: RateSource::Option };
        }
        if let Some(hz) = clip.rate_hz.filter(is_rate) {
            return Self { hz, source: RateSource::File };
        }
        match nodes
            .into_iter()
            .find_map(|node| even_key_rate(longest_key_times(clip, node)?))
            .filter(is_rate)
        {
            Some(hz) => Self { hz, source: RateSource::Keys },
            None => Self { hz: DEFAULT_RATE_HZ, source: RateSource::Assumed },
        }
    }
}

fn longest_key_times(clip: &Clip, node: NodeId) -> Option<&[f64]> {
    let tracks = clip.nodes[node].motion.tracks();
    let times = tracks.iter().map(|track| clip.track(*track).curve.key_times());
    times.max_by_key(|times| times.len())
}

pub(crate) fn mean_key_rate(clip: &Clip, node: NodeId) -> Option<f64> {
    let times = longest_key_times(clip, node)?;
    let duration = times.last()? - times.first()?;
    (duration > 0.0).then(|| (times.len() - 1) as f64 / duration)
}

/// Returns the mean rate of the keys. `None` if the keys are too few or not evenly spaced.
///
/// The rate is rounded to 0.01 Hz, because times are often rounded, unless the last key would then
/// be more than a thousandth of a step beside its sample.
fn even_key_rate(times: &[f64]) -> Option<f64> {
    if times.len() < MIN_KEYS {
        return None;
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let median = median(gaps.clone())?;
    let even = gaps.iter().filter(|gap| (*gap - median).abs() <= GAP_TOLERANCE * median).count();
    let duration = times[times.len() - 1] - times[0];
    let is_even = median > 0.0 && even as f64 >= MIN_EVEN_SHARE * gaps.len() as f64;
    let steps = gaps.len() as f64;
    let mean = steps / duration;
    let rounded = (mean * 100.0).round() / 100.0;
    let keeps_last_key = (duration * rounded - steps).abs() <= 1e-3;
    is_even.then_some(if keeps_last_key { rounded } else { mean })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_keys_have_a_rate() {
        let times = |gap: fn(usize) -> f64| -> Vec<f64> {
            (0..100)
                .scan(0.0, |time, index| {
                    *time += gap(index);
                    Some(*time)
                })
                .collect()
        };
        let rate = even_key_rate(&times(|_| 1.0 / 59.94));
        assert_eq!(rate, Some(59.94));
        // One gap in twenty is twice as long.
        let rate = even_key_rate(&times(|index| if index % 20 == 5 { 0.1 } else { 0.05 }));
        assert!(rate.is_some_and(|rate| (rate - 19.04).abs() < 0.05), "{rate:?}");
        assert_eq!(even_key_rate(&times(|index| if index % 5 == 0 { 0.1 } else { 0.05 })), None);
        assert_eq!(even_key_rate(&[0.0, 5.0]), None);
        assert_eq!(even_key_rate(&[1.0; 50]), None);
    }
}
