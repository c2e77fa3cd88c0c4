//! Panes, each with the curves that share its axis.

use super::kinematic_curves::Measure;
use mutoscope_core::{
    clip::{KeyId, NodeId, Owner, TrackId},
    measure::compare::{Change, Part},
};

/// A number that changes over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ChannelId {
    /// A track, or one component of its values.
    Keyed {
        /// The track.
        track: TrackId,
        /// The index of the component.
        component: usize,
    },
    /// A node's motion, which no track has.
    Moved(Measure),
}

impl ChannelId {
    /// Its track, if it has one.
    pub(super) fn track(self) -> Option<TrackId> {
        match self {
            Self::Keyed { track, .. } => Some(track),
            Self::Moved(_) => None,
        }
    }

    /// The key with this index, if it is keyed.
    pub(super) fn key(self, index: usize) -> Option<KeyId> {
        self.track().map(|track| KeyId { track, index })
    }

    /// Whether it is shown by default.
    pub(super) fn is_shown_at_first(self) -> bool {
        match self {
            Self::Keyed { .. } => true,
            Self::Moved(measure) => measure.part == Part::Magnitude,
        }
    }
}

/// The identity of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PaneId {
    /// The pane that begins with this track.
    Of(TrackId),
    /// The pane of a node's velocity or acceleration.
    Moved(NodeId, Change),
}

/// One curve of a pane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    pub(super) id: ChannelId,
    /// Its name within its pane: `x`, or its full name where it is alone.
    pub(super) name: String,
    pub(super) role: Role,
}

/// The component of a curve, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    X,
    Y,
    Z,
    W,
    /// Nothing with an axis: its ordinal in its pane.
    Other(usize),
}

/// A pane of channels that share a value axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pane {
    pub(super) owner: Owner,
    /// The common name of its channels: `translate`.
    pub(super) title: String,
    /// How the unit of its numbers is written behind them; may be empty.
    pub(super) unit: &'static str,
    pub(super) content: Content,
}

/// The content of a pane.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Numbers, as curves.
    Curves(Vec<Channel>),
    /// Colours, as they are.
    Colors(TrackId),
    /// Words, each as long as it stands.
    Words(TrackId),
}

impl Pane {
    /// The pane of `content` of `owner`, with this title and unit.
    pub(super) fn of(owner: Owner, title: &str, unit: &'static str, content: Content) -> Self {
        Self { owner, title: title.to_owned(), unit, content }
    }

    /// The pane of the motion of `node`.
    pub(super) fn of_moved(node: NodeId, change: Change) -> Self {
        let (title, unit, magnitude) = match change {
            Change::Velocity => ("velocity", "m/s", "speed"),
            Change::Acceleration => ("acceleration", "m/s²", "magnitude"),
        };
        let channel = |part| {
            let (name, role) = match part {
                Part::Magnitude => (magnitude, Role::Other(0)),
                Part::X => ("x", Role::X),
                Part::Y => ("y", Role::Y),
                Part::Z => ("z", Role::Z),
            };
            let id = ChannelId::Moved(Measure { node, change, part });
            Channel { id, name: name.to_owned(), role }
        };
        let channels = Part::ALL.map(channel).to_vec();
        Self::of(Owner::Node(node), title, unit, Content::Curves(channels))
    }

    /// Its unique id.
    pub(super) fn id(&self) -> PaneId {
        match &self.content {
            Content::Curves(channels) => match channels[0].id {
                ChannelId::Keyed { track, .. } => PaneId::Of(track),
                ChannelId::Moved(measure) => PaneId::Moved(measure.node, measure.change),
            },
            Content::Colors(track) | Content::Words(track) => PaneId::Of(*track),
        }
    }

    /// Its curves, if it has any.
    pub(super) fn channels(&self) -> &[Channel] {
        match &self.content {
            Content::Curves(channels) => channels,
            Content::Colors(_) | Content::Words(_) => &[],
        }
    }
}
