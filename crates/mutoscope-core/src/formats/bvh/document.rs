//! A parsed BVH file.

use glam::DVec3;

/// A BVH file: joints, and a value for each of their channels in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// The joints and end sites in file order, parents before their children.
    pub joints: Vec<Joint>,
    /// The channels of all joints, in the order of the values of a frame.
    pub channels: Vec<Channel>,
    /// The frames.
    pub motion: Motion,
}

/// A joint, or the end site of a chain of joints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    /// The name in the file; empty for joints without a name.
    pub name: String,
    /// The index of the parent joint; `None` for a root.
    pub parent: Option<usize>,
    /// `true` for an end site, which marks the end of a chain and never moves.
    pub is_end: bool,
    /// The rest position relative to the parent, in the file's unit.
    pub offset: DVec3,
    /// The line where the joint begins, counted from 1.
    pub line: u32,
}

/// A channel: one animated component of a joint, with a value in every frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Channel {
    /// The index of the animated joint.
    pub joint: usize,
    /// The name in the file, such as `Xposition`.
    pub name: String,
    /// The animated component; `None` if the name is unknown.
    pub kind: Option<ChannelKind>,
    /// The line where the channel is listed, counted from 1.
    pub line: u32,
}

/// The component of a joint that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ChannelKind {
    /// The position along an axis, where 0 is X.
    Position(usize),
    /// The angle about an axis in degrees, where 0 is X.
    Rotation(usize),
}

impl ChannelKind {
    /// Returns the kind for a channel name, ignoring case, or `None` if the name is unknown.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        let (axis, quantity) = name.split_first()?;
        let axis = match axis.to_ascii_lowercase() {
            b'x' => 0,
            b'y' => 1,
            b'z' => 2,
            _ => return None,
        };
        match quantity {
            _ if quantity.eq_ignore_ascii_case(b"position") => Some(Self::Position(axis)),
            _ if quantity.eq_ignore_ascii_case(b"rotation") => Some(Self::Rotation(axis)),
            _ => None,
        }
    }
}

/// The motion: the values of all channels over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// The stated time between frames, in seconds; `None` if it is missing or invalid.
    pub frame_time: Option<f64>,
    /// The values of each channel, one per frame.
    pub columns: Vec<Vec<f64>>,
    /// The line of each frame, counted from 1.
    pub lines: Vec<u32>,
}
