//! A parsed BVH file.

use glam::DVec3;

/// A BVH file: joints, and a number for each of their channels in every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The joints and end sites, in file order: parents before their children.
    pub joints: Vec<Joint>,
    /// The channels of all joints, in the order of the numbers of a frame.
    pub channels: Vec<Channel>,
    /// The frames.
    pub motion: Motion,
}

/// A joint, or the end of a chain of joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name as written; empty where there is none.
    pub name: String,
    /// The index of the joint that it is a child of.
    pub parent: Option<usize>,
    /// Whether it is an end site, which marks where a chain ends and never moves.
    pub is_end: bool,
    /// Where it rests relative to its parent, in the file's unit.
    pub offset: DVec3,
    /// The line that it begins in, counted from 1.
    pub line: u32,
}

/// One number of every frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The index of the joint.
    pub joint: usize,
    /// Its name in the file: `Xposition`.
    pub name: String,
    /// The animated component; `None` if the name is unknown.
    pub kind: Option<ChannelKind>,
    /// The line that it is listed in, counted from 1.
    pub line: u32,
}

/// The component that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelKind {
    /// The position along an axis: 0 is X.
    Position(usize),
    /// The angle about an axis in degrees: 0 is X.
    Rotation(usize),
}

impl ChannelKind {
    /// The kind of the channel with this name, in any case.
    pub fn named(name: &[u8]) -> Option<Self> {
        let (axis, what) = name.split_first()?;
        let axis = match axis.to_ascii_lowercase() {
            b'x' => 0,
            b'y' => 1,
            b'z' => 2,
            _ => return None,
        };
        match what {
            _ if what.eq_ignore_ascii_case(b"position") => Some(Self::Position(axis)),
            _ if what.eq_ignore_ascii_case(b"rotation") => Some(Self::Rotation(axis)),
            _ => None,
        }
    }
}

/// The frames of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The seconds from one frame to the next, as stated; `None` if that is not valid.
    pub frame_time: Option<f64>,
    /// For each channel its number in every frame.
    pub columns: Vec<Vec<f64>>,
    /// For each frame the line that it begins in, counted from 1.
    pub lines: Vec<u32>,
}
