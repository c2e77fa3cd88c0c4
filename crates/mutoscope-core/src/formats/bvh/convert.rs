//! From document to clip.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{Channel as FileChannel, ChannelKind, Document, Joint, body::Body, units};
use crate::{
    clip::{
        AnyCurve, Channel, Channels, Clip, Convention, EulerOrder, EulerRotation, FormatId,
        Handedness, KeyTimes, Motion, Node, NodeId, NodeKind, Nodes, Owner, Provenance, Rotation,
        RotationRule, ScalarCurve, Shapes, Shown, Signal, SignalKind, Span, Stated, Track, TrackId,
        Transform, Translation, Unit, Up, ViewerMirror,
    },
    diagnostics::{Notices, SourceLocation},
};

/// Makes the clip. Issues in the file go to `notices`.
pub(super) fn convert(document: Document, notices: &mut Notices) -> Clip {
    let Document { joints, channels, motion } = document;
    let frame_time = motion.frame_time.unwrap_or(super::FRAME_RATE.recip());
    let times: Vec<f64> = (0..motion.lines.len()).map(|frame| frame as f64 * frame_time).collect();
    // A frame time near the largest number leaves the range of times: all but the first are cut.
    let finite = times.iter().take_while(|time| time.is_finite()).count();
    let times = KeyTimes::new(&times[..finite]).expect("frames ascend and are finite");
    let duration = times.ends().map_or(0.0, |(_, last)| last);
    let lines: Arc<[u32]> = motion.lines[..finite].into();
    let mut builder = Builder { times, lines, tracks: Vec::new(), signals: Vec::new() };
    let mut moved: Vec<Moved> = joints.iter().map(Moved::at_rest).collect();
    for (channel, values) in channels.iter().zip(motion.columns) {
        let name = joint_name(&joints, channel.joint);
        builder.channel(channel, &name, values, &mut moved[channel.joint]);
    }
    let body = Body::find(&joints);
    let metres_per_unit = units::assumed(&joints, body.as_ref(), notices);
    report_offsets(&joints, &moved, notices);
    let nodes = moved.into_iter().enumerate().map(|(index, moved)| moved.node(&joints, index));
    let nodes = nodes.collect();
    let Builder { tracks, signals, .. } = builder;
    let mut clip = Clip {
        subject: subject(&joints),
        span: Span { start: 0.0, duration },
        rate_hz: motion.frame_time.map(f64::recip).filter(|rate| rate.is_finite()),
        nodes: Nodes::new(nodes, notices),
        tracks,
        signals,
        ..Clip::new(FormatId::BVH, convention(1.0, Up::Y))
    };
    let up = units::up(&clip, body.as_ref(), notices);
    clip.convention = convention(metres_per_unit, up);
    clip
}

/// Right-handed; the file says nothing of it.
fn convention(metres_per_unit: f64, up: Up) -> Convention {
    Convention {
        handedness: Stated::assumed(Handedness::Right),
        up: Stated::assumed(up),
        metres_per_unit: Stated::assumed(metres_per_unit),
        seconds_per_unit: None,
        rotation: Stated::assumed(RotationRule::Continuous),
        mirror: ViewerMirror::Z,
        axes: None,
    }
}

/// The subject in a few words: `20 joints`.
fn subject(joints: &[Joint]) -> String {
    let count = joints.iter().filter(|joint| !joint.is_end).count();
    format!("{count} joint{}", if count == 1 { "" } else { "s" })
}

/// The name of a joint: of an end site after the joint that it ends.
fn joint_name(joints: &[Joint], index: usize) -> String {
    let joint = &joints[index];
    match (joint.name.as_str(), joint.parent) {
        ("", Some(parent)) if joint.is_end => {
            let parent = &joints[parent].name;
            format!("{parent}_end")
        }
        ("", _) => format!("joint {index}"),
        (name, _) => name.to_owned(),
    }
}

/// Reports that a root's offset is unused where its position is given in every frame.
fn report_offsets(joints: &[Joint], moved: &[Moved], notices: &mut Notices) {
    let is_replaced = |(joint, moved): &(&Joint, &Moved)| {
        joint.parent.is_none()
            && moved
                .translation
                .0
                .iter()
                .zip(joint.offset.to_array())
                .any(|(channel, offset)| offset != 0.0 && !matches!(channel, Channel::Rest(_)))
    };
    if let Some((joint, _)) = joints.iter().zip(moved).find(is_replaced) {
        let message = format!(
            "the root {:?} has an OFFSET and position channels; using the channels in place of the \
             offset, as Blender and MotionBuilder do",
            joint.name
        );
        notices.info(SourceLocation::line(joint.line), message);
    }
}

struct Builder {
    times: KeyTimes,
    lines: Arc<[u32]>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
}

impl Builder {
    /// Adds the track of a channel, and lets it move its joint.
    fn channel(
        &mut self,
        channel: &FileChannel,
        joint: &str,
        mut values: Vec<f64>,
        moved: &mut Moved,
    ) {
        values.truncate(self.times.as_slice().len());
        let track = TrackId::new(self.tracks.len());
        let unit = match channel.kind {
            Some(ChannelKind::Rotation(axis)) => {
                let unit = Unit::Degrees.factor();
                moved.angles.0[axis] = Channel::Track { track, unit };
                moved.order.push(axis);
                Unit::Degrees
            }
            Some(ChannelKind::Position(axis)) => {
                moved.translation.0[axis] = Channel::Track { track, unit: 1.0 };
                Unit::None
            }
            None => {
                let name = format!("{joint}.{}", channel.name);
                self.signals.push(Signal { name, track, kind: SignalKind::Attribute });
                Unit::None
            }
        };
        let curve = ScalarCurve::new(self.times.clone(), values, Shapes::Linear);
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(channel.joint)),
            property: channel.name.clone(),
            curve: AnyCurve::Number(curve),
            unit,
            source: Provenance::lines(SourceLocation::line(channel.line), Arc::clone(&self.lines)),
        });
    }
}

/// The channels of a joint.
struct Moved {
    translation: Channels,
    /// In radians.
    angles: Channels,
    /// The axes of its rotations, in the order of the channels: 0 is X.
    order: Vec<usize>,
}

impl Moved {
    fn at_rest(joint: &Joint) -> Self {
        Self {
            translation: Channels(joint.offset.to_array().map(Channel::Rest)),
            angles: Channels::at_rest(0.0),
            order: Vec::new(),
        }
    }

    fn node(self, joints: &[Joint], index: usize) -> Node {
        let joint = &joints[index];
        let parent = joint.parent.map(NodeId::new);
        let rotation = EulerRotation {
            angles: self.angles,
            order: order(&self.order),
            keyed_order: None,
            orientation: DQuat::IDENTITY,
            is_keyed_whole: true,
        };
        Node {
            name: joint_name(joints, index),
            group: None,
            parent,
            bone_from: parent,
            kind: if joint.is_end { NodeKind::Tip } else { NodeKind::Joint },
            side: None,
            rest: Transform {
                translation: joint.offset,
                rotation: DQuat::IDENTITY,
                scale: DVec3::ONE,
            },
            motion: Motion {
                translation: if self.translation.is_moved() {
                    Translation::Channels(Box::new(self.translation))
                } else {
                    Translation::Rest
                },
                rotation: if self.angles.is_moved() {
                    Rotation::Euler(Box::new(rotation))
                } else {
                    Rotation::Rest
                },
                scale: None,
                shown: Shown::Always,
            },
        }
    }
}

/// The order of rotations whose channels are about these axes, 0 for X. The channel that is listed
/// first is the outermost rotation, so it is applied last; axes that are missing never turn.
fn order(listed: &[usize]) -> EulerOrder {
    let missing = (0..3).filter(|axis| !listed.contains(axis));
    let outermost_first: Vec<usize> = listed.iter().copied().chain(missing).collect();
    match outermost_first[..] {
        [2, 0, 1] => EulerOrder::Yxz,
        [2, 1, 0] => EulerOrder::Xyz,
        [0, 1, 2] => EulerOrder::Zyx,
        [0, 2, 1] => EulerOrder::Yzx,
        [1, 0, 2] => EulerOrder::Zxy,
        _ => EulerOrder::Xzy,
    }
}
