//! Converts a BVH document into a clip.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{
    Channel as FileChannel, ChannelKind, Document, Joint, body::Body, codes,
    stated_unit::StatedUnit, units,
};
use crate::{
    clip::{
        AnyCurve, Channel, Channels, Clip, Convention, EulerOrder, EulerRotation, FormatId,
        Handedness, KeyTimes, Motion, Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner,
        Rotation, RotationRule, ScalarCurve, Shapes, Signal, SignalKind, Span, Stated, Track,
        TrackId, TrackLocation, Transform, Translation, Unit, UpAxis, ViewerMirror,
    },
    diagnostics::{Diagnostics, SourceLocation},
};

pub(super) fn to_clip(
    document: Document,
    stated_unit: Option<&StatedUnit>,
    diagnostics: &mut Diagnostics,
) -> Clip {
    let Document { joints, channels, motion } = document;
    let frame_time = motion.frame_time.unwrap_or(super::DEFAULT_FRAME_RATE_HZ.recip());
    let times: Vec<f64> = (0..motion.lines.len()).map(|frame| frame as f64 * frame_time).collect();
    // A huge frame time makes the times of later frames infinite. Drop those frames, because
    // `KeyTimes` rejects infinite times.
    let finite = times.iter().take_while(|time| time.is_finite()).count();
    let times = KeyTimes::new(&times[..finite]).expect("frames ascend and are finite");
    let duration = times.first_and_last().map_or(0.0, |(_, last)| last);
    let lines: Arc<[u32]> = motion.lines[..finite].into();
    let mut builder = TrackBuilder { times, lines, tracks: Vec::new(), signals: Vec::new() };
    let bones = add_missing_offsets(&joints, &channels, &motion.columns);
    let mut motions: Vec<JointMotion> = joints.iter().map(JointMotion::at_rest).collect();
    for (channel, values) in channels.iter().zip(motion.columns) {
        let name = joint_name(&joints, channel.joint);
        builder.add_channel(channel, &name, values, &mut motions[channel.joint]);
    }
    let body = Body::find(&joints);
    let metres_per_unit = units::assume_unit(&bones, body.as_ref(), stated_unit, diagnostics);
    report_unused_offsets(&joints, &motions, diagnostics);
    let nodes =
        motions.into_iter().enumerate().map(|(index, motion)| motion.into_node(&joints, index));
    let nodes = nodes.collect();
    let TrackBuilder { tracks, signals, .. } = builder;
    let mut clip = Clip {
        subject: describe_subject(&joints),
        span: Span { start: 0.0, duration },
        rate_hz: motion.frame_time.map(f64::recip).filter(|rate| rate.is_finite()),
        nodes: Nodes::new(nodes, diagnostics),
        tracks,
        signals,
        ..Clip::new(FormatId::BVH, assumed_convention(1.0, UpAxis::Y))
    };
    let up = units::assume_up_axis(&clip, &bones, body.as_ref(), diagnostics);
    clip.convention = assumed_convention(metres_per_unit, up);
    clip
}

/// Returns the joints with the positions of the first frame in place of OFFSETs that are 0, because
/// some writers store all positions in the channels.
fn add_missing_offsets(
    joints: &[Joint],
    channels: &[FileChannel],
    columns: &[Vec<f64>],
) -> Vec<Joint> {
    let mut bones = joints.to_vec();
    for (channel, values) in channels.iter().zip(columns) {
        let joint = &joints[channel.joint];
        let is_missing = joint.parent.is_some() && joint.offset == DVec3::ZERO;
        if let (Some(ChannelKind::Position(axis)), Some(&position)) = (channel.kind, values.first())
            && is_missing
            && position.is_finite()
        {
            bones[channel.joint].offset[axis] = position;
        }
    }
    bones
}

fn assumed_convention(metres_per_unit: f64, up: UpAxis) -> Convention {
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

fn describe_subject(joints: &[Joint]) -> String {
    let count = joints.iter().filter(|joint| !joint.is_end).count();
    format!("{count} joint{}", if count == 1 { "" } else { "s" })
}

/// An end site without a name gets its parent's name and the suffix `_end`.
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

fn report_unused_offsets(joints: &[Joint], motions: &[JointMotion], diagnostics: &mut Diagnostics) {
    let is_replaced = |(joint, motion): &(&Joint, &JointMotion)| {
        joint.parent.is_none()
            && motion
                .translation
                .0
                .iter()
                .zip(joint.offset.to_array())
                .any(|(channel, offset)| offset != 0.0 && !matches!(channel, Channel::Rest(_)))
    };
    if let Some((joint, _)) = joints.iter().zip(motions).find(is_replaced) {
        let message = format!(
            "the root {:?} has an OFFSET and position channels; using the channels in place of the \
             offset, as Blender and MotionBuilder do",
            joint.name
        );
        let location = SourceLocation::line(joint.line);
        diagnostics
            .info(codes::ROOT_OFFSET_REPLACED, location, message)
            .with("name", joint.name.as_str());
    }
}

struct TrackBuilder {
    times: KeyTimes,
    lines: Arc<[u32]>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
}

impl TrackBuilder {
    fn add_channel(
        &mut self,
        channel: &FileChannel,
        joint: &str,
        mut values: Vec<f64>,
        motion: &mut JointMotion,
    ) {
        values.truncate(self.times.as_slice().len());
        let track = TrackId::new(self.tracks.len());
        let unit = match channel.kind {
            Some(ChannelKind::Rotation(axis)) => {
                let unit = Unit::Degrees.si_factor();
                motion.angles.0[axis] = Channel::Track { track, unit };
                motion.axis_order.push(axis);
                Unit::Degrees
            }
            Some(ChannelKind::Position(axis)) => {
                motion.translation.0[axis] = Channel::Track { track, unit: 1.0 };
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
            source: TrackLocation::lines(
                SourceLocation::line(channel.line),
                Arc::clone(&self.lines),
            ),
        });
    }
}

struct JointMotion {
    translation: Channels,
    /// The rotation angles in radians.
    angles: Channels,
    axis_order: Vec<usize>,
}

impl JointMotion {
    fn at_rest(joint: &Joint) -> Self {
        Self {
            translation: Channels(joint.offset.to_array().map(Channel::Rest)),
            angles: Channels::resting(0.0),
            axis_order: Vec::new(),
        }
    }

    fn into_node(self, joints: &[Joint], index: usize) -> Node {
        let joint = &joints[index];
        let parent = joint.parent.map(NodeId::new);
        let rotation = EulerRotation {
            angles: self.angles,
            order: euler_order(&self.axis_order),
            order_track: None,
            orientation: DQuat::IDENTITY,
            is_sampled: true,
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
                translation: if self.translation.is_animated() {
                    Translation::Channels(Box::new(self.translation))
                } else {
                    Translation::Rest
                },
                rotation: if self.angles.is_animated() {
                    Rotation::Euler(Box::new(rotation))
                } else {
                    Rotation::Rest
                },
                scale: None,
                visibility: NodeVisibility::Always,
            },
        }
    }
}

/// Returns the Euler order of a joint's rotation channels. `listed` holds the axis of each channel
/// in file order, where 0 is X. The first channel is the outermost rotation, so it is applied last.
///
/// Axes without a channel always have the angle 0, so their place in the order does not matter.
fn euler_order(listed: &[usize]) -> EulerOrder {
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
