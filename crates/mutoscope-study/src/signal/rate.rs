//! The rate of a recording, and where it is from.

use mutoscope_core::clip::{Clip, NodeId};

use super::statistics::median;

/// The rate where nothing tells it, in Hz.
pub(crate) const ASSUMED: f64 = 60.0;

/// The fewest keys that tell a rate.
const FEWEST_KEYS: usize = 10;

/// The part of the gaps between keys that have to be even, and how even.
const EVEN_SHARE: f64 = 0.9;
const EVEN_WITHIN: f64 = 0.01;

/// Samples per second, and where that is from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Samples per second.
    pub hz: f64,
    /// Where it is from.
    pub source: RateSource,
}

/// Where a rate is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateSource {
    /// It was asked for.
    Option,
    /// The file states it.
    File,
    /// It is the mean rate of keys that are even.
    Keys,
    /// Nothing tells it.
    Assumed,
}

impl RateSource {
    /// Its word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::File => "file",
            Self::Keys => "keys",
            Self::Assumed => "assumed",
        }
    }
}

impl Rate {
    /// The rate of `clip`: the one that is `chosen`, else the file's, else that of the keys of the first of
    /// `nodes` whose keys are even, else 60 Hz.
    pub fn of(clip: &Clip, chosen: Option<f64>, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let is_rate = |hz: &f64| hz.is_finite() && *hz > 0.0;
        if let Some(hz) = chosen {
            return Self { hz, source: RateSource::Option };
        }
        if let Some(hz) = clip.rate_hz.filter(is_rate) {
            return Self { hz, source: RateSource::File };
        }
        match nodes.into_iter().find_map(|node| even_rate(most_keys(clip, node)?)).filter(is_rate) {
            Some(hz) => Self { hz, source: RateSource::Keys },
            None => Self { hz: ASSUMED, source: RateSource::Assumed },
        }
    }
}

/// The key times of the track of a node that has the most.
fn most_keys(clip: &Clip, node: NodeId) -> Option<&[f64]> {
    let tracks = clip.nodes[node].motion.tracks();
    let times = tracks.iter().map(|track| clip.track(*track).curve.key_times());
    times.max_by_key(|times| times.len())
}

/// The mean number of keys per second on a node's most keyed track.
pub(crate) fn key_rate(clip: &Clip, node: NodeId) -> Option<f64> {
    let times = most_keys(clip, node)?;
    let duration = times.last()? - times.first()?;
    (duration > 0.0).then(|| (times.len() - 1) as f64 / duration)
}

/// The mean rate of keys if nearly all gaps between them are alike, rounded to 0.01 Hz.
fn even_rate(times: &[f64]) -> Option<f64> {
    if times.len() < FEWEST_KEYS {
        return None;
    }
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let median = median(gaps.clone())?;
    let even = gaps.iter().filter(|gap| (*gap - median).abs() <= EVEN_WITHIN * median).count();
    let duration = times[times.len() - 1] - times[0];
    let is_even = median > 0.0 && even as f64 >= EVEN_SHARE * gaps.len() as f64;
    is_even.then(|| (gaps.len() as f64 / duration * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_keys_tell_their_rate() {
        let times = |gap: fn(usize) -> f64| -> Vec<f64> {
            (0..100)
                .scan(0.0, |time, index| {
                    *time += gap(index);
                    Some(*time)
                })
                .collect()
        };
        let rate = even_rate(&times(|_| 1.0 / 59.94));
        assert_eq!(rate, Some(59.94));
        // One gap in twenty is twice as long.
        let rate = even_rate(&times(|index| if index % 20 == 5 { 0.1 } else { 0.05 }));
        assert!(rate.is_some_and(|rate| (rate - 19.04).abs() < 0.05), "{rate:?}");
        assert_eq!(even_rate(&times(|index| if index % 5 == 0 { 0.1 } else { 0.05 })), None);
        assert_eq!(even_rate(&[0.0, 5.0]), None);
        assert_eq!(even_rate(&[1.0; 50]), None);
    }
}
