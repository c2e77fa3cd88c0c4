//! Adds the face of a VRM animation as signals: the weights of expressions, and the gaze direction.

use glam::{DQuat, DVec3};

use crate::{
    clip::{
        AnyCurve, Clip, ComputedCurve, EXPRESSION_PREFIX, KeyTimes, NodeId, Owner, Rotation,
        Signal, SignalKind, Track, TrackId, TrackLocation, Translation, Unit, Value,
    },
    skeleton_file::gltf::DeclaredHumanoid,
};

pub(super) fn add_signals(clip: &mut Clip, declared: &DeclaredHumanoid) {
    for (name, node) in &declared.expressions {
        let node = NodeId::new(*node);
        let Some(track) = translation_track(clip, node) else { continue };
        add_signal(
            clip,
            node,
            track,
            format!("{EXPRESSION_PREFIX}{name}"),
            FaceChannel::Weight,
            Unit::None,
        );
    }
    let Some(node) = declared.look_at.map(NodeId::new) else { return };
    let Rotation::Keyed(track) = clip.nodes[node].motion.rotation else { return };
    add_signal(clip, node, track, "lookAt/yaw".to_owned(), FaceChannel::Yaw, Unit::Degrees);
    add_signal(clip, node, track, "lookAt/pitch".to_owned(), FaceChannel::Pitch, Unit::Degrees);
}

fn translation_track(clip: &Clip, node: NodeId) -> Option<TrackId> {
    match &clip.nodes[node].motion.translation {
        Translation::Channels(channels) => channels.tracks().next(),
        Translation::Rest | Translation::Components(_) => None,
    }
}

fn add_signal(
    clip: &mut Clip,
    node: NodeId,
    source: TrackId,
    name: String,
    channel: FaceChannel,
    unit: Unit,
) {
    let curve = AnyCurve::Computed(std::sync::Arc::new(FaceCurve {
        curve: clip.track(source).curve.clone(),
        channel,
    }));
    let track = TrackId::new(clip.tracks.len());
    clip.tracks.push(Track {
        owner: Owner::Node(node),
        property: name.clone(),
        curve,
        unit,
        source: TrackLocation::derived(),
    });
    clip.signals.push(Signal { name, track, kind: SignalKind::Attribute });
}

#[derive(Debug)]
struct FaceCurve {
    curve: AnyCurve,
    channel: FaceChannel,
}

#[derive(Clone, Copy, Debug)]
enum FaceChannel {
    /// The weight of an expression, from 0 to 1, stored as the x of a translation.
    Weight,
    /// The gaze angle about Y from +Z, in degrees. Positive angles are to the left.
    Yaw,
    /// The gaze angle about X, in degrees. Positive angles are downwards.
    Pitch,
}

impl FaceChannel {
    fn extract(self, value: &Value) -> Value {
        let Value::Numbers(numbers) = value else { return Value::Null };
        let number = match (self, numbers.as_slice()) {
            (Self::Weight, [x, ..]) => x.clamp(0.0, 1.0),
            (Self::Yaw, &[x, y, z, w]) => {
                let gaze = gaze_direction([x, y, z, w]);
                gaze.x.atan2(gaze.z).to_degrees()
            }
            (Self::Pitch, &[x, y, z, w]) => {
                let gaze = gaze_direction([x, y, z, w]);
                (-gaze.y).atan2(gaze.x.hypot(gaze.z)).to_degrees()
            }
            _ => return Value::Null,
        };
        Value::Number(number)
    }
}

/// Returns the gaze direction. Eyes look along +Z before the rotation.
fn gaze_direction(quaternion: [f64; 4]) -> DVec3 {
    DQuat::from_array(quaternion).normalize() * DVec3::Z
}

impl ComputedCurve for FaceCurve {
    fn type_name(&self) -> &'static str {
        "float"
    }

    fn times(&self) -> &KeyTimes {
        self.curve.times()
    }

    fn key_value(&self, index: usize) -> Value {
        self.channel.extract(&self.curve.key_value(index))
    }

    fn value(&self, time: f64) -> Value {
        self.channel.extract(&self.curve.value(time))
    }
}
