//! The face in an animation for VRM: the weights of expressions, and the direction of the eyes.

use glam::{DQuat, DVec3};

use crate::{
    clip::{
        AnyCurve, Clip, ComputedCurve, EXPRESSION, KeyTimes, NodeId, Owner, Provenance, Rotation,
        Signal, SignalKind, Track, TrackId, Translation, Unit, Value,
    },
    rig::gltf::Declared,
};

/// Adds a signal for each expression, and two for the gaze, as far as the animation moves them.
pub(super) fn add_signals(clip: &mut Clip, declared: &Declared) {
    for (name, node) in &declared.expressions {
        let node = NodeId::new(*node);
        let Some(track) = translation_track(clip, node) else { continue };
        add(clip, node, track, format!("{EXPRESSION}{name}"), Reading::Weight, Unit::None);
    }
    let Some(node) = declared.look_at.map(NodeId::new) else { return };
    let Rotation::Keyed(track) = clip.nodes[node].motion.rotation else { return };
    add(clip, node, track, "lookAt/yaw".to_owned(), Reading::Yaw, Unit::Degrees);
    add(clip, node, track, "lookAt/pitch".to_owned(), Reading::Pitch, Unit::Degrees);
}

fn translation_track(clip: &Clip, node: NodeId) -> Option<TrackId> {
    match &clip.nodes[node].motion.translation {
        Translation::Channels(channels) => channels.tracks().next(),
        Translation::Rest | Translation::Components(_) => None,
    }
}

fn add(clip: &mut Clip, node: NodeId, of: TrackId, name: String, reading: Reading, unit: Unit) {
    let curve = AnyCurve::Computed(std::sync::Arc::new(FaceCurve {
        curve: clip.track(of).curve.clone(),
        reading,
    }));
    let track = TrackId::new(clip.tracks.len());
    clip.tracks.push(Track {
        owner: Owner::Node(node),
        property: name.clone(),
        curve,
        unit,
        source: Provenance::derived(),
    });
    clip.signals.push(Signal { name, track, kind: SignalKind::Attribute });
}

/// A number in the translation or the rotation of a node.
#[derive(Debug)]
struct FaceCurve {
    curve: AnyCurve,
    reading: Reading,
}

#[derive(Clone, Copy, Debug)]
enum Reading {
    /// The x of a translation is the weight of an expression, from 0 to 1.
    Weight,
    /// About Y from +Z, in degrees: to the left is positive.
    Yaw,
    /// About X, in degrees: downwards is positive.
    Pitch,
}

impl Reading {
    fn of(self, value: &Value) -> Value {
        let Value::Numbers(numbers) = value else { return Value::Null };
        let number = match (self, numbers.as_slice()) {
            (Self::Weight, [x, ..]) => x.clamp(0.0, 1.0),
            (Self::Yaw, &[x, y, z, w]) => {
                let gaze = gaze([x, y, z, w]);
                gaze.x.atan2(gaze.z).to_degrees()
            }
            (Self::Pitch, &[x, y, z, w]) => {
                let gaze = gaze([x, y, z, w]);
                (-gaze.y).atan2(gaze.x.hypot(gaze.z)).to_degrees()
            }
            _ => return Value::Null,
        };
        Value::Number(number)
    }
}

/// Where eyes look that this quaternion turns from +Z.
fn gaze(quaternion: [f64; 4]) -> DVec3 {
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
        self.reading.of(&self.curve.key_value(index))
    }

    fn value(&self, time: f64) -> Value {
        self.reading.of(&self.curve.value(time))
    }
}
