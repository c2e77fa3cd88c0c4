//! The subjects of a recording: hands, gaze, head, body.

use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Shown, Side, SignalKind, TrackId},
    measure::analysis::{hand_joint, hand_signal},
};

/// The hands in the order in which they are reported, and the words for them.
pub(crate) const HANDS: [(Side, &str); 2] = [(Side::Right, "right"), (Side::Left, "left")];

/// The subjects of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Subjects {
    /// The hands that have a wrist, in the order of [`HANDS`].
    pub(crate) hands: [Option<HandNodes>; 2],
    pub(crate) gaze: Option<NodeId>,
    pub(crate) head: Option<NodeId>,
    /// The root of a body.
    pub(crate) root: Option<NodeId>,
}

/// The nodes and signals of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HandNodes {
    pub(crate) wrist: NodeId,
    /// The tips of thumb and index finger, if it has both.
    pub(crate) tips: Option<[NodeId; 2]>,
    pub(crate) tracked: Option<TrackId>,
    pub(crate) pinch: Option<TrackId>,
}

impl Subjects {
    /// The subjects of a recording: those that move, or stand somewhere.
    pub(crate) fn of(clip: &Clip) -> Self {
        let hands = HANDS.map(|(side, _)| HandNodes::of(clip, side));
        let is_there = |id: &NodeId| is_there(clip, *id);
        let gaze = clip.rays().find(is_there);
        let mut heads = clip.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Head);
        let head = heads.find(|(id, _)| is_there(id)).map(|(id, _)| id);
        let is_body = gaze.is_none() && hands.iter().all(Option::is_none);
        let root = clip
            .root_motion_node()
            .filter(|root| is_body && is_there(root) && clip.nodes[*root].kind != NodeKind::Head);
        Self { hands, gaze, head, root }
    }

    /// The nodes whose keys may tell the rate of the recording.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = NodeId> {
        let wrists = self.hands.iter().flatten().map(|hand| hand.wrist);
        wrists.chain(self.gaze).chain(self.root).chain(self.head)
    }
}

impl HandNodes {
    fn of(clip: &Clip, side: Side) -> Option<Self> {
        let joint = |name| hand_joint(clip, side, name).filter(|id| is_there(clip, *id));
        let tips = joint("ThumbTip").zip(joint("IndexTip")).map(<[NodeId; 2]>::from);
        let signal = |kind| hand_signal(clip, side, kind);
        let (tracked, pinch) = (signal(SignalKind::Tracked), signal(SignalKind::Pinch));
        Some(Self { wrist: joint("Wrist")?, tips, tracked, pinch })
    }
}

/// Whether the file has a motion for the node: a hand without keys is not there.
fn is_there(clip: &Clip, id: NodeId) -> bool {
    let motion = &clip.nodes[id].motion;
    let is_keyed = |track: TrackId| !clip.track(track).curve.key_times().is_empty();
    let signal = match motion.shown {
        Shown::Never => return false,
        Shown::While(track) => Some(track),
        Shown::Always => None,
    };
    let tracks = motion.tracks();
    let mut own = tracks.iter().filter(|track| Some(**track) != signal).peekable();
    // Without tracks of its own it is moved by its parents.
    own.peek().is_none() && signal.is_none() || own.any(|track| is_keyed(*track))
}
