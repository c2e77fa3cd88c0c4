//! The choice of times for images of a recording.

use std::ops::RangeInclusive;

use mutoscope_core::clip::{Clip, Pose, SignalKind};

/// How many times are tried for a representative one.
const TRIES: usize = 65;

/// The most representative time of `clip` between two times: as many nodes visible as ever are, if
/// possible while something pinches, and as near the middle as that allows.
pub fn telling_moment(clip: &Clip, between: RangeInclusive<f64>) -> f64 {
    let mut pose = Pose::default();
    let middle = (between.start() + between.end()) / 2.0;
    let rank = |time: f64| {
        clip.sample(time, &mut pose);
        let shown = pose.nodes.iter().filter(|node| node.shown).count();
        let pinches = clip.signals.iter().zip(&pose.signals);
        let pinches =
            pinches.filter(|(signal, on)| signal.kind == SignalKind::Pinch && on.is_true()).count();
        (shown, pinches, -(time - middle).abs())
    };
    let ranked = spread(between.clone(), TRIES).map(|time| (time, time)).map({
        let mut rank = rank;
        move |(time, same)| (rank(same), time)
    });
    let best =
        ranked.max_by(|(a, _), (b, _)| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    best.map_or(middle, |(_, time)| time)
}

/// `count` times from one to another, both included; the middle if it is one.
pub fn spread(between: RangeInclusive<f64>, count: usize) -> impl Iterator<Item = f64> {
    let (start, end) = between.into_inner();
    (0..count).map(move |index| {
        let part = if count == 1 { 0.5 } else { index as f64 / (count - 1) as f64 };
        start + (end - start) * part
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::formats::{self, DecodeRequest};

    #[test]
    fn times_are_spread_from_end_to_end() {
        assert_eq!(spread(1.0..=2.0, 3).collect::<Vec<_>>(), [1.0, 1.5, 2.0]);
        assert_eq!(spread(1.0..=2.0, 1).collect::<Vec<_>>(), [1.5]);
        assert_eq!(spread(1.0..=1.0, 2).collect::<Vec<_>>(), [1.0, 1.0]);
        assert_eq!(spread(1.0..=2.0, 0).count(), 0);
    }

    #[test]
    fn representative_time_shows_both_hands() {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let time = telling_moment(&clip, clip.span.start..=clip.span.end());
        let mut pose = Pose::default();
        clip.sample(time, &mut pose);
        assert!(pose.nodes.iter().all(|node| node.shown), "at {time}");
        assert!(pose.signals.iter().all(|signal| signal.is_true()) || time > 0.0);
    }
}
