//! A pane holds the curves that share a value axis.

use super::kinematic_curves::KinematicChannel;
use crate::ui::display_text;
use mutoscope_core::{
    clip::{Clip, KeyId, NodeId, Owner, TrackId},
    measure::{
        Measurement,
        compare::{KinematicQuantity, VectorComponent},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ChannelId {
    /// A track, or one component of its values.
    Keyed { track: TrackId, component: usize },
    /// A quantity of a node's motion, which no track has.
    Kinematic(KinematicChannel),
    /// A distance, height or angle of nodes, which no track has.
    Measured(Measurement),
}

impl ChannelId {
    pub(super) fn track(self) -> Option<TrackId> {
        match self {
            Self::Keyed { track, .. } => Some(track),
            Self::Kinematic(_) | Self::Measured(_) => None,
        }
    }

    pub(super) fn key(self, index: usize) -> Option<KeyId> {
        self.track().map(|track| KeyId { track, index })
    }

    pub(super) fn is_shown_by_default(self) -> bool {
        match self {
            Self::Keyed { .. } | Self::Measured(_) => true,
            Self::Kinematic(channel) => channel.component == VectorComponent::Magnitude,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PaneId {
    /// A pane, identified by its first track.
    Track(TrackId),
    Kinematic(NodeId, KinematicQuantity),
    Measured(Measurement),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    pub(super) id: ChannelId,
    pub(super) name: String,
    pub(super) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    X,
    Y,
    Z,
    W,
    /// A curve that is not a component. Has the index of the curve in its pane.
    Other(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pane {
    pub(super) owner: Owner,
    pub(super) title: String,
    pub(super) unit: &'static str,
    pub(super) content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Numbers, as curves.
    Curves(Vec<Channel>),
    /// Colours, as a strip.
    Colors(TrackId),
    /// Text, as a strip with a box for each key.
    Text(TrackId),
}

impl Pane {
    pub(super) fn new(owner: Owner, title: &str, unit: &'static str, content: Content) -> Self {
        Self { owner, title: title.to_owned(), unit, content }
    }

    pub(super) fn for_kinematics(node: NodeId, quantity: KinematicQuantity) -> Self {
        let (title, unit, magnitude) = match quantity {
            KinematicQuantity::Velocity => ("velocity", "m/s", "speed"),
            KinematicQuantity::Acceleration => ("acceleration", "m/s²", "magnitude"),
        };
        let channel = |component| {
            let (name, role) = match component {
                VectorComponent::Magnitude => (magnitude, Role::Other(0)),
                VectorComponent::X => ("x", Role::X),
                VectorComponent::Y => ("y", Role::Y),
                VectorComponent::Z => ("z", Role::Z),
            };
            let id = ChannelId::Kinematic(KinematicChannel { node, quantity, component });
            Channel { id, name: name.to_owned(), role }
        };
        let channels = VectorComponent::ALL.map(channel).to_vec();
        Self::new(Owner::Node(node), title, unit, Content::Curves(channels))
    }

    pub(super) fn for_measurement(clip: &Clip, node: NodeId, measurement: Measurement) -> Self {
        let name_of = |id: NodeId| display_text::short_name(&clip.nodes[id], &clip.groups);
        let (title, unit) = match measurement {
            Measurement::Distance([from, _]) => (format!("distance from {}", name_of(from)), "m"),
            Measurement::Height(_) => ("height".to_owned(), "m"),
            Measurement::Angle([_, middle, _]) => (format!("angle at {}", name_of(middle)), "°"),
            Measurement::Speed(_) => ("speed".to_owned(), "m/s"),
        };
        let id = ChannelId::Measured(measurement);
        let name = measurement.quantity().to_owned();
        let channel = Channel { id, name, role: Role::Other(0) };
        Self::new(Owner::Node(node), &title, unit, Content::Curves(vec![channel]))
    }

    pub(super) fn id(&self) -> PaneId {
        match &self.content {
            Content::Curves(channels) => match channels[0].id {
                ChannelId::Keyed { track, .. } => PaneId::Track(track),
                ChannelId::Kinematic(channel) => PaneId::Kinematic(channel.node, channel.quantity),
                ChannelId::Measured(measurement) => PaneId::Measured(measurement),
            },
            Content::Colors(track) | Content::Text(track) => PaneId::Track(*track),
        }
    }

    pub(super) fn channels(&self) -> &[Channel] {
        match &self.content {
            Content::Curves(channels) => channels,
            Content::Colors(_) | Content::Text(_) => &[],
        }
    }
}
