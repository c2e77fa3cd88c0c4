//! Recordings as a list of world transforms, which tests can damage.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{
        AnyCurve, Clip, ComponentRotation, ComponentVector, Convention, FormatId, KeyTimes, Motion,
        Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, Pose, Rotation, ScalarCurve, Shapes,
        Side, Span, Track, TrackId, TrackLocation, Transform, Translation, Unit,
    },
    decode,
    diagnostics::{Diagnostics, SourceLocation},
};

pub(super) const RATE_HZ: f64 = 60.0;

/// The period in which a take repeats moving and resting, in frames.
pub(super) const PERIOD: usize = 180;

/// The frames of a period in which the subjects rest.
pub(super) const RESTING: std::ops::Range<usize> = 90..160;

/// The time of the examples at which subjects rest, in seconds.
const REST_S: f64 = 0.3;

/// The distance between the eyes of an average adult, in metres.
pub(super) const EYE_DISTANCE_M: f64 = 0.063;

/// The standard deviation of the noise of positions, in metres, and of rotations, in radians.
const NOISE: [f64; 2] = [0.000_2, 0.002];

#[derive(Clone)]
pub(super) struct Take {
    pub(super) nodes: Vec<Node>,
    pub(super) times: Vec<f64>,
    /// The world transforms of all nodes, for each frame.
    pub(super) worlds: Vec<Vec<Transform>>,
    /// Whether the left and the right hand are tracked, for each frame.
    pub(super) tracked: Vec<[bool; 2]>,
    /// The length of the stored direction of the gaze, for each frame.
    pub(super) gaze_length: Vec<f64>,
    /// The place in the file of each frame. `None` if the file has the order of time.
    pub(super) file_order: Option<Vec<u32>>,
    pub(super) stated_rate: Option<f64>,
    pub(super) stated_end: Option<f64>,
}

impl Take {
    /// Samples a part of a recording to and fro with noise, and rests in the second half of each period.
    pub(super) fn sample(path: &str, frames: usize, random: &mut fastrand::Rng) -> Self {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(path);
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let clip = decode(SourceFile::new(name, &bytes), &ReadOptions::default()).unwrap();
        let mut pose = Pose::default();
        let mut worlds = Vec::new();
        for frame in 0..frames {
            // Out and back during the first half of a period. The walk rests on its left foot.
            let moved = (frame % PERIOD).min(RESTING.start.saturating_sub(frame % PERIOD));
            let time = REST_S + moved as f64 / RATE_HZ;
            clip.sample(clip.span.start + time, &mut pose);
            let [still, turning] = NOISE;
            let world = pose.nodes.iter().map(|node| Transform {
                translation: node.world.translation + noise(random, still),
                rotation: DQuat::from_scaled_axis(noise(random, turning)) * node.world.rotation,
                scale: DVec3::ONE,
            });
            worlds.push(world.collect());
        }
        Self {
            nodes: clip.nodes.to_vec(),
            times: (0..frames).map(|frame| frame as f64 / RATE_HZ).collect(),
            worlds,
            tracked: vec![[true; 2]; frames],
            gaze_length: vec![1.0; frames],
            file_order: None,
            stated_rate: None,
            stated_end: None,
        }
    }

    /// Keeps only the positions of the joints, as markers.
    pub(super) fn into_markers(mut self) -> Self {
        for node in &mut self.nodes {
            (node.parent, node.bone_from, node.side) = (None, None, None);
            (node.group, node.kind) = (None, NodeKind::Joint);
            node.motion = Motion::default();
        }
        self
    }

    /// Adds two eyes that converge on a point 0.5 m away along the gaze.
    pub(super) fn with_eyes(mut self) -> Self {
        let gaze = self.node("gaze");
        for (side, name) in [(Side::Left, "left/gaze"), (Side::Right, "right/gaze")] {
            let (name, side) = (name.to_owned(), Some(side));
            self.nodes.push(Node { name, side, parent: None, ..self.nodes[gaze].clone() });
        }
        for world in &mut self.worlds {
            let target = world[gaze].rotation * DVec3::NEG_Z * 0.5 + world[gaze].translation;
            for side in [-1.0, 1.0] {
                let eye = world[gaze];
                let offset = eye.rotation * DVec3::X * side * EYE_DISTANCE_M / 2.0;
                let translation = eye.translation + offset;
                world.push(Transform { translation, ..look_at(eye, target - translation) });
            }
        }
        self
    }

    pub(super) fn node(&self, name: &str) -> usize {
        let found = self.nodes.iter().position(|node| node.name == name);
        found.unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Returns the nodes of a side.
    pub(super) fn side(&self, side: Side) -> Vec<usize> {
        (0..self.nodes.len()).filter(|node| self.nodes[*node].side == Some(side)).collect()
    }

    /// Removes frames, together with their times.
    pub(super) fn remove(&mut self, frames: std::ops::Range<usize>) {
        self.times.drain(frames.clone());
        self.worlds.drain(frames.clone());
        self.tracked.drain(frames.clone());
        self.gaze_length.drain(frames);
    }

    pub(super) fn to_clip(&self) -> Clip {
        let mut clip = Clip::new(FormatId::new("planted"), Convention::gltf());
        let to_source = clip.convention.viewer_from_source().inverse();
        let times = KeyTimes::new(self.times.clone()).unwrap();
        let mut tracks = Vec::new();
        let mut add = |owner: usize, values: Vec<f64>, is_switch: bool| {
            let location = SourceLocation::span(0, 8 * values.len());
            let file_order = self.file_order.clone().map(Vec::into_boxed_slice);
            let shapes = if is_switch { Shapes::Step } else { Shapes::Linear };
            let curve = ScalarCurve::new(times.clone(), values, shapes);
            tracks.push(Track {
                owner: Owner::Node(NodeId::new(owner)),
                property: "p".to_owned(),
                curve: if is_switch { AnyCurve::Switch(curve) } else { AnyCurve::Number(curve) },
                unit: Unit::None,
                source: TrackLocation::packed(location, 0, 8, file_order),
            });
            TrackId::new(tracks.len() - 1)
        };
        let mut plans = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let locals: Vec<Transform> =
                self.worlds.iter().map(|world| self.local(world, index)).collect();
            let position = |local: &Transform| to_source.convert_point(local.translation);
            let position = [0, 1, 2].map(|axis| {
                add(index, locals.iter().map(|local| position(local)[axis]).collect(), false)
            });
            let rotation = if node.kind == NodeKind::Ray {
                let direction = |frame: usize| {
                    let direction = locals[frame].rotation * DVec3::NEG_Z;
                    to_source.convert_direction(direction) * self.gaze_length[frame]
                };
                let axes = [0, 1, 2];
                axes.map(|axis| {
                    let values = (0..locals.len()).map(|frame| direction(frame)[axis]);
                    add(index, values.collect(), false)
                })
                .to_vec()
            } else if matches!(node.motion.rotation, Rotation::Rest) {
                Vec::new()
            } else {
                let rotations =
                    |local: &Transform| to_source.convert_rotation(local.rotation).to_array();
                let rotations: Vec<[f64; 4]> = locals.iter().map(rotations).collect();
                let part =
                    |part: usize| rotations.iter().map(move |rotation| rotation[part]).collect();
                [0, 1, 2, 3].map(|index_of_part| add(index, part(index_of_part), false)).to_vec()
            };
            let is_hand = matches!(node.motion.visibility, NodeVisibility::While(_));
            let visibility = node.side.filter(|_| is_hand).map(|side| {
                let hand = usize::from(side == Side::Right);
                let values = self.tracked.iter().map(|tracked| f64::from(u8::from(tracked[hand])));
                add(index, values.collect(), true)
            });
            plans.push((position, rotation, visibility));
        }
        let nodes = self.nodes.iter().zip(plans).map(|(node, (position, rotation, visibility))| {
            let motion = Motion {
                translation: Translation::Components(ComponentVector::new(position, &mut tracks)),
                rotation: match rotation[..] {
                    [x, y, z] => Rotation::Direction(ComponentVector::new([x, y, z], &mut tracks)),
                    [x, y, z, w] => {
                        Rotation::Components(ComponentRotation::new([x, y, z, w], &mut tracks))
                    }
                    _ => Rotation::Rest,
                },
                scale: None,
                visibility: visibility.map_or(NodeVisibility::Always, NodeVisibility::While),
            };
            Node { motion, rest: Transform::IDENTITY, group: None, ..node.clone() }
        });
        let nodes: Vec<Node> = nodes.collect();
        clip.nodes = Nodes::new(nodes, &mut Diagnostics::new());
        clip.tracks = tracks;
        clip.rate_hz = self.stated_rate;
        let end = self.stated_end.unwrap_or(self.times[self.times.len() - 1]);
        clip.span = Span { start: self.times[0], duration: end - self.times[0] };
        clip
    }

    fn local(&self, world: &[Transform], node: usize) -> Transform {
        let own = world[node];
        let Some(parent) = self.nodes[node].parent else { return own };
        let parent = world[parent.index()];
        let inverse = parent.rotation.inverse();
        Transform {
            translation: inverse * (own.translation - parent.translation),
            rotation: inverse * own.rotation,
            scale: DVec3::ONE,
        }
    }
}

/// Turns a ray into a direction, the shortest way.
pub(super) fn look_at(ray: Transform, direction: DVec3) -> Transform {
    let forward = ray.rotation * DVec3::NEG_Z;
    let turn = DQuat::from_rotation_arc(forward, direction.normalize());
    Transform { rotation: turn * ray.rotation, ..ray }
}

/// Returns a vector of independent normal numbers with this standard deviation.
pub(super) fn noise(random: &mut fastrand::Rng, deviation: f64) -> DVec3 {
    let mut normal = || {
        let (u, v) = (1.0 - random.f64(), random.f64());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    DVec3::new(normal(), normal(), normal()) * deviation
}
