//! Compares a recording with itself at another rate, and with an unrelated recording.

use std::sync::OnceLock;

use mutoscope_core::{
    clip::{Clip, NodeId},
    formats::{ReadOptions, decode},
    measure::compare::{Comparison, JointPair, Timing, align, pair_joints},
};

use super::{analyses, hash};

/// Returns a walk of some seconds.
fn walk() -> &'static Clip {
    static WALK: OnceLock<Clip> = OnceLock::new();
    WALK.get_or_init(|| {
        let bytes = include_bytes!("../../../assets/bvh/walk.bvh");
        decode(bytes, &ReadOptions::from(mutoscope_cli::registry()))
            .unwrap_or_else(|error| panic!("{error}"))
    })
}

pub(super) fn compare(bytes: &[u8]) {
    let Some(clip) = analyses::scaled_clip(bytes).filter(|clip| clip.nodes.len() <= 100) else {
        return;
    };
    let rate = [1.0, 1.0, 0.5, 1e-9, 1e9, 1e300, 1e-300, 3.0][(hash(bytes) / 64 % 8) as usize];
    let own_pairs = pair_joints(&clip, &clip);
    compare_clips([&clip, &clip], &own_pairs, rate);
    if rate == 1.0
        && let Ok(alignment) = align([&clip, &clip], &own_pairs, rate)
        && alignment.is_certain()
    {
        assert!(alignment.offset.abs() <= alignment.interval, "no offset to itself: {alignment:?}");
    }
    let pair_with_first =
        |second: usize| JointPair { first: NodeId::new(0), second: NodeId::new(second) };
    if !clip.nodes.is_empty() {
        compare_clips([&clip, walk()], &[pair_with_first(3)], rate);
        compare_clips([walk(), &clip], &[pair_with_first(0)], rate);
    }
}

fn compare_clips(clips: [&Clip; 2], pairs: &[JointPair], rate: f64) {
    let mut timing = Timing { offset: 0.0, rate };
    match align(clips, pairs, rate) {
        Ok(alignment) => {
            assert!(alignment.offset.is_finite() && alignment.interval > 0.0, "{alignment:?}");
            assert!((0.0..=1.0 + 1e-9).contains(&alignment.correlation), "{alignment:?}");
            assert!((0.0..=1.0).contains(&alignment.chance), "{alignment:?}");
            timing.offset = alignment.offset;
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
    let Ok(comparison) = Comparison::new(clips, pairs, timing) else { return };
    assert!(comparison.times.is_sorted() && !comparison.times.is_empty());
    assert!(comparison.times.iter().all(|time| time.is_finite()), "{:?}", comparison.range);
    assert_eq!(comparison.rms_distances().len(), comparison.times.len());
}
