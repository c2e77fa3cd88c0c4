//! A recording compared with itself at another pace, and with one that has nothing to do with it.

use std::sync::OnceLock;

use mutoscope_core::{
    clip::{Clip, NodeId},
    formats::{self, DecodeRequest},
    measure::compare::{Comparison, JointPair, Timing, align, pair_joints},
};

use super::{analyses, number};

/// Somebody who walks, for some seconds.
fn walk() -> &'static Clip {
    static WALK: OnceLock<Clip> = OnceLock::new();
    WALK.get_or_init(|| {
        let bytes = include_bytes!("../../../assets/bvh/walk.bvh");
        formats::decode(bytes, &DecodeRequest::default()).unwrap_or_else(|error| panic!("{error}"))
    })
}

pub(super) fn aligned(bytes: &[u8]) {
    let Some(clip) = analyses::clip(bytes).filter(|clip| clip.nodes.len() <= 100) else { return };
    let rate = [1.0, 1.0, 0.5, 1e-9, 1e9, 1e300, 1e-300, 3.0][(number(bytes) / 64 % 8) as usize];
    let own = pair_joints(&clip, &clip);
    compare([&clip, &clip], &own, rate);
    if rate == 1.0
        && let Ok(found) = align([&clip, &clip], &own, rate)
        && found.is_certain()
    {
        assert!(found.offset.abs() <= found.interval, "it is itself: {found:?}");
    }
    let first = |second: usize| JointPair { first: NodeId::new(0), second: NodeId::new(second) };
    if !clip.nodes.is_empty() {
        compare([&clip, walk()], &[first(3)], rate);
        compare([walk(), &clip], &[first(0)], rate);
    }
}

fn compare(clips: [&Clip; 2], pairs: &[JointPair], rate: f64) {
    let mut timing = Timing { offset: 0.0, rate };
    match align(clips, pairs, rate) {
        Ok(found) => {
            assert!(found.offset.is_finite() && found.interval > 0.0, "{found:?}");
            assert!((0.0..=1.0 + 1e-9).contains(&found.correlation), "{found:?}");
            assert!((0.0..=1.0).contains(&found.chance), "{found:?}");
            timing.offset = found.offset;
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
    let Ok(comparison) = Comparison::new(clips, pairs, timing) else { return };
    assert!(comparison.times.is_sorted() && !comparison.times.is_empty());
    assert!(comparison.times.iter().all(|time| time.is_finite()), "{:?}", comparison.range);
    assert_eq!(comparison.rms_distances().len(), comparison.times.len());
}
