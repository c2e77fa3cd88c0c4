//! The key figures of a recording, for tables of many.

use super::{JointMotion, episodes, hand_joint, hand_signal, joint_motion};
use crate::{
    clip::{Clip, Node, NodeId, NodeKind, Side, SignalKind},
    measure::compare::{Detail, Kinematics},
};

/// The key figures of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The number of joints, including ends of chains.
    pub joints: usize,
    /// Samples per second: as stated, else the mean rate of the keys of a wrist or of the root. `None`
    /// without keys.
    pub rate: Option<f64>,
    /// The left hand, if it has one.
    pub left: Option<HandSummary>,
    /// The right hand, if it has one.
    pub right: Option<HandSummary>,
    /// The motion of the root: [`Clip::root_motion_node`].
    pub root: Option<JointMotion>,
}

/// The key figures of a hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandSummary {
    /// The share of the recording in which it is tracked, from 0 to 1, if the recording has that signal.
    pub tracked: Option<f64>,
    /// The motion of the wrist, if there is one.
    pub wrist: Option<JointMotion>,
    /// The number of pinches, if the recording has that signal.
    pub pinches: Option<usize>,
}

/// The key figures of `clip`. Joints are sampled at the recording's own rate, or 60 times per second
/// where curves are smooth.
pub fn summary(clip: &Clip) -> Summary {
    let is_joint = |node: &&Node| matches!(node.kind, NodeKind::Joint | NodeKind::Tip);
    let [left, right] = [Side::Left, Side::Right].map(|side| hand_joint(clip, side, "Wrist"));
    let root = clip.root_motion_node();
    let followed = [left, right, root].into_iter().flatten();
    Summary {
        joints: clip.nodes.iter().filter(is_joint).count(),
        rate: clip.rate_hz.or_else(|| followed.filter_map(|node| key_rate(clip, node)).next()),
        left: hand(clip, Side::Left, left),
        right: hand(clip, Side::Right, right),
        root: root.map(|root| motion(clip, root)),
    }
}

fn hand(clip: &Clip, side: Side, wrist: Option<NodeId>) -> Option<HandSummary> {
    clip.nodes.iter().find(|node| node.side == Some(side))?;
    let signal = |kind| hand_signal(clip, side, kind);
    let tracked = signal(SignalKind::Tracked).filter(|_| clip.span.duration > 0.0).map(|track| {
        let on: f64 = episodes(clip, track).iter().map(|one| one.end - one.start).sum();
        on / clip.span.duration
    });
    let pinches = signal(SignalKind::Pinch).map(|track| episodes(clip, track).len());
    Some(HandSummary { tracked, wrist: wrist.map(|wrist| motion(clip, wrist)), pinches })
}

fn motion(clip: &Clip, node: NodeId) -> JointMotion {
    let interval = Kinematics::new(clip, node).interval(Detail::default());
    joint_motion(clip, node, interval.recip())
}

/// The key rate of the track of a node that has the most keys.
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
    use crate::formats::{self, DecodeRequest};

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn hands_are_summed_up_side_by_side() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let summary = summary(&clip);
        assert_eq!(summary.joints, clip.nodes.iter().filter(|node| node.side.is_some()).count());
        for (hand, name) in [(summary.left, "left"), (summary.right, "right")] {
            let hand = hand.unwrap();
            let signal = |end: &str| {
                let name = format!("{name}/{end}");
                clip.signals.iter().find(|signal| signal.name == name).unwrap().track
            };
            let pinches = episodes(&clip, signal("pinch"));
            assert_eq!(hand.pinches, Some(pinches.len()));
            let tracked = episodes(&clip, signal("tracked"));
            let lost: f64 = tracked.windows(2).map(|pair| pair[1].start - pair[0].end).sum();
            let ends = (tracked[0].start - clip.span.start)
                + (clip.span.end() - tracked[tracked.len() - 1].end);
            near(hand.tracked.unwrap(), 1.0 - (lost + ends) / clip.span.duration);
            let wrist = clip.nodes.with_ids().find(|(_, it)| it.name == format!("{name}/Wrist"));
            assert_eq!(hand.wrist, Some(motion(&clip, wrist.unwrap().0)));
        }
        assert!(summary.left != summary.right);
    }

    #[test]
    fn without_hands_there_is_what_carries_the_others() {
        let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let summary = summary(&clip);
        assert_eq!((summary.left, summary.right), (None, None));
        assert_eq!(summary.rate, clip.rate_hz);
        assert!(summary.root.unwrap().path_length > 0.1);
        let unstated = Clip { rate_hz: None, ..clip.clone() };
        near(super::summary(&unstated).rate.unwrap(), clip.rate_hz.unwrap());
    }

    #[test]
    fn an_empty_recording_has_nothing_to_sum_up() {
        let bytes = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        let empty = Clip::new(clip.format, clip.convention);
        assert_eq!(summary(&empty), Summary::default());
    }
}
