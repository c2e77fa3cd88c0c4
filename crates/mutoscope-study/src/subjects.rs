//! Finds the subjects of a recording: hands, gaze, head, body.

use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, NodeVisibility, Side, SignalKind, TrackId},
    measure::analysis::{hand_joint, hand_signal},
};

pub(crate) const HANDS: [(Side, &str); 2] = [(Side::Right, "right"), (Side::Left, "left")];

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Subjects {
    /// The hands that have a wrist, in the order of [`HANDS`].
    pub(crate) hands: [Option<HandNodes>; 2],
    pub(crate) gaze: Option<NodeId>,
    pub(crate) head: Option<NodeId>,
    /// The root of a body. `None` if the recording has hands or a gaze.
    pub(crate) root: Option<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HandNodes {
    pub(crate) wrist: NodeId,
    pub(crate) tips: Option<[NodeId; 2]>,
    pub(crate) tracked: Option<TrackId>,
    pub(crate) pinch: Option<TrackId>,
}

impl Subjects {
    pub(crate) fn from_clip(clip: &Clip) -> Self {
        let hands = HANDS.map(|(side, _)| HandNodes::find(clip, side));
        let is_animated = |id: &NodeId| has_motion(clip, *id);
        let gaze = clip.ray_nodes().find(is_animated);
        let mut heads = clip.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Head);
        let head = heads.find(|(id, _)| is_animated(id)).map(|(id, _)| id);
        let is_body = gaze.is_none() && hands.iter().all(Option::is_none);
        let root = clip.root_motion_node().filter(|root| {
            is_body && is_animated(root) && clip.nodes[*root].kind != NodeKind::Head
        });
        Self { hands, gaze, head, root }
    }

    pub(crate) fn rate_candidates(&self) -> impl Iterator<Item = NodeId> {
        let wrists = self.hands.iter().flatten().map(|hand| hand.wrist);
        wrists.chain(self.gaze).chain(self.root).chain(self.head)
    }
}

impl HandNodes {
    fn find(clip: &Clip, side: Side) -> Option<Self> {
        let joint = |name| hand_joint(clip, side, name).filter(|id| has_motion(clip, *id));
        let tips = joint("ThumbTip").zip(joint("IndexTip")).map(<[NodeId; 2]>::from);
        let signal = |kind| hand_signal(clip, side, kind);
        let (tracked, pinch) = (signal(SignalKind::Tracked), signal(SignalKind::Pinch));
        Some(Self { wrist: joint("Wrist")?, tips, tracked, pinch })
    }
}

fn has_motion(clip: &Clip, id: NodeId) -> bool {
    let motion = &clip.nodes[id].motion;
    let is_keyed = |track: TrackId| !clip.track(track).curve.key_times().is_empty();
    let signal = match motion.visibility {
        NodeVisibility::Never => return false,
        NodeVisibility::While(track) => Some(track),
        NodeVisibility::Always => None,
    };
    let tracks = motion.tracks();
    let mut own = tracks.iter().filter(|track| Some(**track) != signal).peekable();
    // A node without tracks has motion, because its parents move it.
    own.peek().is_none() && signal.is_none() || own.any(|track| is_keyed(*track))
}
