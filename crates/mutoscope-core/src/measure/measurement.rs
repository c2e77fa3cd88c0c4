//! Distances, heights, angles and speeds of nodes, which no track of a file has.

use std::{cell::RefCell, sync::Arc};

use glam::DVec3;

use super::compare::{Path, finest_spacing};
use crate::{
    clip::{
        AnyCurve, Clip, ComputedCurve, KeyTimes, NodeId, NodeKind, Owner, Pose, Signal, SignalKind,
        Track, TrackId, TrackLocation, Unit, Value,
    },
    diagnostics::SourceLocation,
};

/// A quantity of the positions of nodes in world space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measurement {
    /// The distance between two nodes, in metres.
    Distance([NodeId; 2]),
    /// The height above the ground, in metres.
    Height(NodeId),
    /// The angle at the middle node between the directions to the other two, in degrees. It is 180°
    /// if the three nodes are on a line.
    Angle([NodeId; 3]),
    /// The speed, in m/s: the central difference of positions one sample before and after, as
    /// [`Kinematics`](super::compare::Kinematics) computes it.
    Speed(NodeId),
}

impl Measurement {
    /// Returns the angle at a joint between the bones to its parent and to its first child. `None`
    /// if the node has no parent or no child.
    pub fn bend(clip: &Clip, node: NodeId) -> Option<Self> {
        let parent = clip.nodes[node].parent?;
        let is_child = |id: &NodeId| {
            let other = &clip.nodes[*id];
            other.parent == Some(node) && matches!(other.kind, NodeKind::Joint | NodeKind::Tip)
        };
        let child = clip.nodes.with_ids().map(|(id, _)| id).find(is_child)?;
        Some(Self::Angle([parent, node, child]))
    }

    /// Returns the nodes that are measured.
    pub fn nodes(self) -> Vec<NodeId> {
        match self {
            Self::Distance(nodes) => nodes.to_vec(),
            Self::Height(node) | Self::Speed(node) => vec![node],
            Self::Angle(nodes) => nodes.to_vec(),
        }
    }

    /// Returns the same quantity of other nodes. `None` if `map` returns `None` for a node.
    #[must_use]
    pub fn map_nodes(self, map: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        Some(match self {
            Self::Distance([a, b]) => Self::Distance([map(a)?, map(b)?]),
            Self::Height(node) => Self::Height(map(node)?),
            Self::Angle([a, b, c]) => Self::Angle([map(a)?, map(b)?, map(c)?]),
            Self::Speed(node) => Self::Speed(map(node)?),
        })
    }

    /// Returns the name of the quantity: `distance`.
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Distance(_) => "distance",
            Self::Height(_) => "height",
            Self::Angle(_) => "angle",
            Self::Speed(_) => "speed",
        }
    }

    /// Returns the name with the nodes: `distance(left/ThumbTip, left/IndexTip)`.
    pub fn name(self, clip: &Clip) -> String {
        let nodes = self.nodes();
        let names: Vec<_> = nodes.iter().map(|node| clip.nodes[*node].name.as_str()).collect();
        format!("{}({})", self.quantity(), names.join(", "))
    }

    /// Measures `count` times, `interval` seconds apart, from the time `start` on. A value is NaN
    /// while a node is hidden.
    pub fn sample(self, clip: &Clip, start: f64, interval: f64, count: usize) -> Vec<f64> {
        let nodes = self.nodes();
        let sample = |start: f64| Path::sample_joints(clip, &nodes, start, interval, count);
        if let Self::Speed(_) = self {
            let spacing = self.spacing(clip);
            let (before, after) = (&sample(start - spacing)[0], &sample(start + spacing)[0]);
            let pairs = before.positions.iter().zip(&after.positions);
            return pairs.map(|(before, after)| speed(*before, *after, spacing)).collect();
        }
        let paths = sample(start);
        let values = (0..count).map(|index| {
            let positions: Vec<_> = paths.iter().map(|path| path.positions[index]).collect();
            self.value_of_positions(&positions)
        });
        values.collect()
    }

    /// Measures at one time, in seconds of the clip. Returns NaN while a node is hidden.
    pub fn value_at(self, clip: &Clip, time: f64) -> f64 {
        self.value_with_pose(clip, time, self.spacing(clip), &mut Pose::default())
    }

    /// Returns the time between a sample and the samples before and after it, from which a speed is
    /// computed, in seconds. The other quantities do not need it, so it is 0.
    fn spacing(self, clip: &Clip) -> f64 {
        if let Self::Speed(node) = self { finest_spacing(clip, node) } else { 0.0 }
    }

    /// Measures like [`Self::value_at`], and reuses the memory of `pose` and the result of
    /// [`Self::spacing`].
    fn value_with_pose(self, clip: &Clip, time: f64, spacing: f64, pose: &mut Pose) -> f64 {
        let mut positions_at = |time: f64| -> Vec<Option<DVec3>> {
            clip.sample_motion(time, pose);
            let nodes = self.nodes().into_iter().map(|id| &pose[id]);
            nodes.map(|node| node.is_visible.then_some(node.world.translation)).collect()
        };
        if let Self::Speed(_) = self {
            let [before, after] =
                [time - spacing, time + spacing].map(|time| positions_at(time)[0]);
            return speed(before, after, spacing);
        }
        self.value_of_positions(&positions_at(time))
    }

    /// Computes the quantity from the positions of [`nodes`](Self::nodes). Returns NaN if one of
    /// them is unknown, and for a speed.
    fn value_of_positions(self, positions: &[Option<DVec3>]) -> f64 {
        match (self, positions) {
            (Self::Distance(_), &[Some(a), Some(b)]) => a.distance(b),
            (Self::Height(_), &[Some(node)]) => node.y,
            (Self::Angle(_), &[Some(a), Some(b), Some(c)]) => {
                (a - b).angle_between(c - b).to_degrees()
            }
            _ => f64::NAN,
        }
    }
}

fn speed(before: Option<DVec3>, after: Option<DVec3>, spacing: f64) -> f64 {
    before.zip(after).map_or(f64::NAN, |(before, after)| before.distance(after) / (2.0 * spacing))
}

impl Clip {
    /// Returns the clip with a signal for each of `measurements`. A signal has a key at each
    /// [sample time](Self::sample_times) of the recording.
    #[must_use]
    pub fn with_measurements(&self, measurements: &[Measurement]) -> Self {
        let times = KeyTimes::new(self.sample_times()).unwrap_or_default();
        let source = Arc::new(self.clone());
        let mut clip = self.clone();
        for &measurement in measurements {
            let track = TrackId::new(clip.tracks.len());
            let curve = MeasuredCurve {
                source: source.clone(),
                measurement,
                spacing: measurement.spacing(self),
                times: times.clone(),
            };
            clip.tracks.push(Track {
                owner: Owner::Node(measurement.nodes()[0]),
                property: measurement.quantity().to_owned(),
                curve: AnyCurve::Computed(Arc::new(curve)),
                unit: match measurement {
                    Measurement::Distance(_) | Measurement::Height(_) => Unit::Metres,
                    Measurement::Angle(_) => Unit::Degrees,
                    Measurement::Speed(_) => Unit::None,
                },
                source: TrackLocation::points(SourceLocation::File, []),
            });
            let (name, kind) = (measurement.name(self), SignalKind::Attribute);
            clip.signals.push(Signal { name, track, kind });
        }
        clip
    }
}

#[derive(Debug)]
struct MeasuredCurve {
    source: Arc<Clip>,
    measurement: Measurement,
    spacing: f64,
    times: KeyTimes,
}

thread_local! {
    static POSE: RefCell<Pose> = RefCell::default();
}

impl ComputedCurve for MeasuredCurve {
    fn type_name(&self) -> &'static str {
        "float"
    }

    fn times(&self) -> &KeyTimes {
        &self.times
    }

    fn key_value(&self, index: usize) -> Value {
        self.value(self.times.as_slice()[index])
    }

    fn value(&self, time: f64) -> Value {
        let mut pose = POSE.take();
        let Self { source, measurement, spacing, .. } = self;
        let value = measurement.value_with_pose(source, time, *spacing, &mut pose);
        POSE.replace(pose);
        if value.is_finite() { Value::Number(value) } else { Value::Null }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    fn two_hands() -> Clip {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        decode(bytes, &ReadOptions::default()).unwrap()
    }

    fn node(clip: &Clip, name: &str) -> NodeId {
        clip.nodes.with_ids().find(|(_, node)| node.name == name).unwrap().0
    }

    #[test]
    fn angle_is_180_degrees_on_a_line() {
        let ids = [0, 1, 2].map(NodeId::new);
        let angle = |positions: [[f64; 3]; 3]| {
            let positions = positions.map(|position| Some(DVec3::from_array(position)));
            Measurement::Angle(ids).value_of_positions(&positions)
        };
        let straight = angle([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, -2.0, 0.0]]);
        let bent = angle([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 3.0]]);
        assert!((straight - 180.0).abs() < 1e-9 && (bent - 90.0).abs() < 1e-9);
        let half_known = [None, Some(DVec3::X)];
        assert!(Measurement::Distance([ids[0], ids[1]]).value_of_positions(&half_known).is_nan());
    }

    #[test]
    fn samples_equal_single_values() {
        let clip = two_hands();
        let ids = ["right/ThumbTip", "right/IndexTip", "right/Wrist"].map(|name| node(&clip, name));
        for measurement in [
            Measurement::Distance([ids[0], ids[1]]),
            Measurement::Height(ids[2]),
            Measurement::Angle(ids),
            Measurement::Speed(ids[1]),
        ] {
            let samples = measurement.sample(&clip, 0.5, 0.1, 20);
            for (index, sample) in samples.into_iter().enumerate() {
                let value = measurement.value_at(&clip, 0.5 + index as f64 * 0.1);
                assert!((sample - value).abs() < 1e-12, "{measurement:?}: {sample} {value}");
            }
        }
    }

    #[test]
    fn speed_is_that_of_the_camera() {
        let clip = two_hands();
        let camera = node(&clip, "camera");
        let mut pose = Pose::default();
        let mut position = |time: f64| {
            clip.sample(time, &mut pose);
            pose[camera].world.translation
        };
        let expected = position(1.001).distance(position(0.999)) / 0.002;
        let found = Measurement::Speed(camera).value_at(&clip, 1.0);
        assert!(expected > 0.01 && (found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }

    #[test]
    fn measurements_become_signals() {
        let clip = two_hands();
        let pair = ["left/ThumbTip", "left/IndexTip"].map(|name| node(&clip, name));
        let distance = Measurement::Distance(pair);
        let measured = clip.with_measurements(&[distance]);
        let signal = measured.signals.last().unwrap();
        assert_eq!(signal.name, "distance(left/ThumbTip, left/IndexTip)");
        let track = measured.track(signal.track);
        assert_eq!(track.curve.key_times(), clip.sample_times());
        let value = measured.value(signal.track, 1.205);
        assert_eq!(value, Value::Number(distance.value_at(&clip, 1.205)));
    }
}
