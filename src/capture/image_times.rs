//! Chooses times at which to render images of a recording.

use std::ops::RangeInclusive;

use mutoscope_core::clip::{Clip, Pose, SignalKind};

const CANDIDATE_COUNT: usize = 65;

/// Returns the most representative time of `clip` within `between`, in seconds. Among evenly spaced
/// candidates, it is the time at which most nodes are visible. If several are equal, it is the one
/// with the most pinching hands, and then the one nearest to the middle.
pub fn representative_time(clip: &Clip, between: RangeInclusive<f64>) -> f64 {
    let mut pose = Pose::default();
    let middle = (between.start() + between.end()) / 2.0;
    let mut rank = |time: f64| {
        clip.sample(time, &mut pose);
        let visible_count = pose.nodes.iter().filter(|node| node.is_visible).count();
        let signals = clip.signals.iter().zip(&pose.signals);
        let pinch_count = signals
            .filter(|(signal, value)| signal.kind == SignalKind::Pinch && value.is_true())
            .count();
        (visible_count, pinch_count, -(time - middle).abs())
    };
    let ranked =
        evenly_spaced_times(between.clone(), CANDIDATE_COUNT).map(|time| (rank(time), time));
    let best =
        ranked.max_by(|(a, _), (b, _)| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    best.map_or(middle, |(_, time)| time)
}

/// Returns `count` evenly spaced times from the start to the end of `between`, both included. If
/// `count` is 1, the time is the middle.
pub fn evenly_spaced_times(
    between: RangeInclusive<f64>,
    count: usize,
) -> impl Iterator<Item = f64> {
    let (start, end) = between.into_inner();
    (0..count).map(move |index| {
        let part = if count == 1 { 0.5 } else { index as f64 / (count - 1) as f64 };
        start + (end - start) * part
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn evenly_spaced_times_include_both_ends() {
        assert_eq!(evenly_spaced_times(1.0..=2.0, 3).collect::<Vec<_>>(), [1.0, 1.5, 2.0]);
        assert_eq!(evenly_spaced_times(1.0..=2.0, 1).collect::<Vec<_>>(), [1.5]);
        assert_eq!(evenly_spaced_times(1.0..=1.0, 2).collect::<Vec<_>>(), [1.0, 1.0]);
        assert_eq!(evenly_spaced_times(1.0..=2.0, 0).count(), 0);
    }

    #[test]
    fn representative_time_shows_both_hands() {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let time = representative_time(&clip, clip.span.start..=clip.span.end());
        let mut pose = Pose::default();
        clip.sample(time, &mut pose);
        assert!(pose.nodes.iter().all(|node| node.is_visible), "at {time}");
        assert!(pose.signals.iter().all(|signal| signal.is_true()) || time > 0.0);
    }
}
