//! Collects the key figures of a recording, for tables of many recordings.

use super::{JointMotion, find_episodes, hand_joint, hand_signal, joint_motion};
use crate::{
    clip::{Clip, Node, NodeId, NodeKind, Side, SignalKind},
    measure::compare::{DetailLevel, Kinematics},
};

/// The key figures of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The number of joints, including the ends of chains.
    pub joints: usize,
    /// The sample rate in Hz that the recording states. If it states none, the mean key rate of a
    /// wrist or of the root is used. `None` if there are no keys either.
    pub rate: Option<f64>,
    /// The left hand, or `None` if the recording lacks it.
    pub left: Option<HandSummary>,
    /// The right hand, or `None` if the recording lacks it.
    pub right: Option<HandSummary>,
    /// The motion of the root, which is [`Clip::root_motion_node`].
    pub root: Option<JointMotion>,
}

/// The key figures of a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandSummary {
    /// The share of the recording in which the hand is tracked, from 0 to 1. `None` if the
    /// recording has no such signal.
    pub tracked: Option<f64>,
    /// The motion of the wrist, or `None` without a wrist.
    pub wrist: Option<JointMotion>,
    /// The number of pinches, or `None` if the recording has no such signal.
    pub pinches: Option<usize>,
}

/// Returns the key figures of `clip`. Joints are sampled at the recording's own rate, or at 60 Hz
/// if their curves are smooth.
pub fn summarise(clip: &Clip) -> Summary {
    let is_joint = |node: &&Node| matches!(node.kind, NodeKind::Joint | NodeKind::Tip);
    let [left, right] = [Side::Left, Side::Right].map(|side| hand_joint(clip, side, "Wrist"));
    let root = clip.root_motion_node();
    let followed = [left, right, root].into_iter().flatten();
    Summary {
        joints: clip.nodes.iter().filter(is_joint).count(),
        rate: clip.rate_hz.or_else(|| followed.filter_map(|node| key_rate(clip, node)).next()),
        left: summarise_hand(clip, Side::Left, left),
        right: summarise_hand(clip, Side::Right, right),
        root: root.map(|root| motion(clip, root)),
    }
}

fn summarise_hand(clip: &Clip, side: Side, wrist: Option<NodeId>) -> Option<HandSummary> {
    clip.nodes.iter().find(|node| node.side == Some(side))?;
    let signal = |kind| hand_signal(clip, side, kind);
    let tracked = signal(SignalKind::Tracked).filter(|_| clip.span.duration > 0.0).map(|track| {
        let on: f64 =
            find_episodes(clip, track).iter().map(|episode| episode.end - episode.start).sum();
        on / clip.span.duration
    });
    let pinches = signal(SignalKind::Pinch).map(|track| find_episodes(clip, track).len());
    Some(HandSummary { tracked, wrist: wrist.map(|wrist| motion(clip, wrist)), pinches })
}

fn motion(clip: &Clip, node: NodeId) -> JointMotion {
    let interval = Kinematics::new(clip, node).interval(DetailLevel::default());
    joint_motion(clip, node, interval.recip())
}

fn key_rate(clip: &Clip, node: NodeId) -> Option<f64> {
    let tracks = clip.nodes[node].motion.tracks();
    let times = tracks.iter().map(|track| clip.track(*track).curve.key_times());
    let times = times.max_by_key(|times| times.len())?;
    let duration = times.last()? - times.first()?;
    (duration > 0.0).then(|| (times.len() - 1) as f64 / duration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn both_hands_are_summarised() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let summary = summarise(&clip);
        assert_eq!(summary.joints, clip.nodes.iter().filter(|node| node.side.is_some()).count());
        for (hand, name) in [(summary.left, "left"), (summary.right, "right")] {
            let hand = hand.unwrap();
            let signal = |end: &str| {
                let name = format!("{name}/{end}");
                clip.signals.iter().find(|signal| signal.name == name).unwrap().track
            };
            let pinches = find_episodes(&clip, signal("pinch"));
            assert_eq!(hand.pinches, Some(pinches.len()));
            let tracked = find_episodes(&clip, signal("tracked"));
            let lost: f64 = tracked.windows(2).map(|pair| pair[1].start - pair[0].end).sum();
            let ends = (tracked[0].start - clip.span.start)
                + (clip.span.end() - tracked[tracked.len() - 1].end);
            assert_near(hand.tracked.unwrap(), 1.0 - (lost + ends) / clip.span.duration);
            let wrist = clip.nodes.with_ids().find(|(_, it)| it.name == format!("{name}/Wrist"));
            assert_eq!(hand.wrist, Some(motion(&clip, wrist.unwrap().0)));
        }
        assert!(summary.left != summary.right);
    }

    #[test]
    fn recordings_without_hands_have_root_motion() {
        let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let summary = summarise(&clip);
        assert_eq!((summary.left, summary.right), (None, None));
        assert_eq!(summary.rate, clip.rate_hz);
        assert!(summary.root.unwrap().path_length > 0.1);
        let unstated = Clip { rate_hz: None, ..clip.clone() };
        assert_near(super::summarise(&unstated).rate.unwrap(), clip.rate_hz.unwrap());
    }

    #[test]
    fn empty_recordings_have_an_empty_summary() {
        let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let empty = Clip::new(clip.format, clip.convention);
        assert_eq!(summarise(&empty), Summary::default());
    }
}
