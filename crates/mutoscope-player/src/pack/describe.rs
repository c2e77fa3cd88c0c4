//! Describes a recording as JSON: metadata, nodes, signals and events. The player reads this
//! description first.

use glam::DVec3;
use mutoscope_core::{
    clip::{
        AnyCurve, Clip, FactOrigin, NodeId, NodeKind, Owner, Pose, Side, SignalKind, Transform,
        Value,
    },
    export::{
        ExportError, Job, Report,
        traced::{SignalCurve, SignalTracer},
    },
};
use mutoscope_view::figure::{
    BONE_RADIUS, BoneLengths, Mannequins, PartDirection, Proportions, STICK_RATIO,
    find_marker_sticks, find_palms,
};
use serde::Serialize;

use super::{budget::Bounds, meshes::Meshes};

/// A recording. The names of all fields in this module are JSON keys that the player reads.
#[derive(Debug, Serialize)]
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) format: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) subject: String,
    /// The start and the end, in seconds of clip time.
    pub(super) span: [f64; 2],
    /// The clock time of clip time 0 in seconds, and the number of clip seconds per second of the
    /// clock.
    pub(super) offset: f64,
    pub(super) rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) looping: Option<bool>,
    #[serde(rename = "rateHz", skip_serializing_if = "Option::is_none")]
    pub(super) rate_hz: Option<f64>,
    /// The sRGB colour in which the recording is drawn. `None` keeps its own colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tint: Option<[u8; 3]>,
    pub(super) convention: Convention,
    /// The origin that is subtracted from root positions, because f32 is too coarse far from 0.
    pub(super) origin: [f64; 3],
    /// The bounds and the measured errors of the packed motion. `None` if every key is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<MeasuredBounds>,
    /// The error bounds of figure parts: for positions in metres, for rotations in radians.
    #[serde(rename = "figureBounds", skip_serializing_if = "Option::is_none")]
    pub(super) figure_bounds: Option<[f64; 2]>,
    /// The length of a tick of key times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tick: Option<f64>,
    pub(super) chunks: Vec<f64>,
    pub(super) block: usize,
    pub(super) size: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) loose: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<usize>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) palms: Vec<PalmDescription>,
    /// The sticks between markers: both nodes, and the radius in metres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sticks: Vec<(usize, usize, f32)>,
    /// The parts of mannequins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) body: Vec<BodyPart>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) signals: Vec<SignalStates>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<EventDescription>,
    #[serde(skip_serializing_if = "Meshes::is_empty")]
    pub(super) meshes: Meshes,
    #[serde(rename = "meshBlock", skip_serializing_if = "Option::is_none")]
    pub(super) mesh_block: Option<usize>,
    pub(super) remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct MeasuredBounds {
    pub(super) position: f64,
    pub(super) rotation: f64,
    /// The largest measured errors, in metres and radians.
    pub(super) measured: [f64; 2],
    pub(super) times: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Convention {
    handedness: &'static str,
    up: &'static str,
    #[serde(rename = "metresPerUnit")]
    metres_per_unit: f64,
    assumed: Vec<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Node {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<usize>,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<usize>,
    /// The radii of the joint and the bone, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) radii: Option<[f32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pinch: Option<usize>,
    /// The channels that have keys, as flags: 1 for translation, 2 for rotation, 4 for scale, 8 for
    /// visibility, and 16 for the scale that children do not inherit.
    pub(super) keyed: u8,
    /// The constant values of the channels without keys. A missing value is the identity.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f64; 3]>,
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f64; 4]>,
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f64; 3]>,
    /// `true` if a mannequin replaces the joint and the bone that ends there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) covered: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    /// The vertical field of view, in degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) angle: Option<f64>,
}

impl Node {
    pub(super) fn new(name: &str, kind: &'static str, parent: Option<usize>) -> Self {
        Self {
            name: name.to_owned(),
            parent,
            kind,
            side: None,
            from: None,
            radii: None,
            pinch: None,
            keyed: 0,
            translation: None,
            rotation: None,
            scale: None,
            covered: false,
            hidden: false,
            size: None,
            mesh: None,
            angle: None,
        }
    }

    pub(super) fn set_constant_transform(&mut self, transform: &Transform) {
        let Transform { translation, rotation, scale } = transform;
        self.translation = Some(translation.to_array()).filter(|it| *it != [0.0; 3]);
        self.rotation = Some(rotation.to_array()).filter(|it| *it != [0.0, 0.0, 0.0, 1.0]);
        self.scale = Some(scale.to_array()).filter(|it| *it != [1.0; 3]);
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PalmDescription {
    wrist: usize,
    radius: f32,
    fingers: Vec<Finger>,
}

#[derive(Debug, Serialize)]
struct Finger {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<usize>,
    knuckle: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    thumb: bool,
}

/// A rigid part of a mannequin, with the index of its surface.
#[derive(Debug, Serialize)]
pub(super) struct BodyPart {
    node: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    surface: usize,
    along: Direction,
    hint: Direction,
    /// The node at the end of the part, and its distance from the start at rest, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<(usize, f64)>,
    /// The two spheres whose hull casts the shadow of the part: the centre in the space of the part,
    /// and the radius, in metres.
    capsule: [[f32; 4]; 2],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum Direction {
    Between([usize; 2]),
    InNode([f64; 3]),
}

impl From<PartDirection> for Direction {
    fn from(direction: PartDirection) -> Self {
        match direction {
            PartDirection::Between(ends) => Self::Between(ends.map(NodeId::index)),
            PartDirection::InNode(direction) => Self::InNode(direction.to_array()),
        }
    }
}

/// A signal: values that hold from their time on or, if `linear` is `true`, numbers to interpolate.
/// From a null to the next value, the signal has no value.
#[derive(Debug, Serialize)]
pub(super) struct SignalStates {
    name: String,
    kind: &'static str,
    times: Vec<f64>,
    values: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Option<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    linear: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct EventDescription {
    time: f64,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    node: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    pub(super) words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
}

impl EventDescription {
    pub(super) fn time(&self) -> f64 {
        self.time
    }

    pub(super) fn node(&self) -> &str {
        &self.node
    }
}

pub(super) fn describe_convention(clip: &Clip) -> Convention {
    let convention = &clip.convention;
    Convention {
        handedness: convention.handedness.value.as_str(),
        up: convention.up.value.as_str(),
        metres_per_unit: convention.metres_per_unit.value,
        assumed: convention.fact_names(FactOrigin::Assumed),
    }
}

/// Describes the nodes of `clip` and their palms. The nodes have the same order as in `clip`. Also
/// returns the factor by which the drawn bones are larger than the bones of a hand.
pub(super) fn describe_nodes(clip: &Clip) -> (Vec<Node>, Vec<PalmDescription>, f64) {
    let lengths = BoneLengths::from_clip(clip);
    let size = match lengths.scale().filter(|_| !clip.has_only_loose_nodes()) {
        Some(scale) => scale,
        None => scale_without_bones(clip),
    };
    let proportions = Proportions::new(clip, &lengths, size);
    let node = |(id, node): (NodeId, &mutoscope_core::clip::Node)| Node {
        side: node.side.map(side_name),
        from: node.bone_from.map(NodeId::index),
        radii: is_drawn(node.kind)
            .then(|| [proportions.joint_radius(id), proportions.bone_radius(id)]),
        pinch: find_pinch_signal(clip, id),
        ..Node::new(&node.name, node.kind.as_str(), node.parent.map(NodeId::index))
    };
    let nodes = clip.nodes.with_ids().map(node).collect();
    let describe_palm = |palm: &mutoscope_view::figure::Palm| PalmDescription {
        wrist: palm.wrist.index(),
        radius: palm
            .fingers
            .iter()
            .map(|finger| proportions.bone_radius(finger.knuckle))
            .fold(0.0, f32::max)
            .min(BONE_RADIUS * size as f32),
        fingers: palm
            .fingers
            .iter()
            .map(|finger| Finger {
                base: finger.base.map(NodeId::index),
                knuckle: finger.knuckle.index(),
                thumb: finger.is_thumb,
            })
            .collect(),
    };
    (nodes, find_palms(clip).iter().map(describe_palm).collect(), size)
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// Describes the sticks between the markers of `clip`. `nodes` are its nodes.
pub(super) fn describe_sticks(clip: &Clip, nodes: &[Node]) -> Vec<(usize, usize, f32)> {
    let sticks = find_marker_sticks(clip).into_iter().map(|ends| ends.map(NodeId::index));
    let stick = |[from, to]: [usize; 2]| Some((from, to, STICK_RATIO * nodes[to].radii?[0]));
    sticks.filter_map(stick).collect()
}

/// Adds the surfaces of the mannequins in `clip` to `meshes`, marks the nodes that the mannequins
/// replace, and returns the parts.
pub(super) fn describe_bodies(
    clip: &Clip,
    nodes: &mut [Node],
    meshes: &mut Meshes,
) -> Vec<BodyPart> {
    /// Pages are small, so their mannequins have fewer triangles than those of the viewer.
    const COARSENESS: f32 = 1.8;
    let mannequins = Mannequins::from_clip(clip, COARSENESS);
    for (id, _) in clip.nodes.with_ids() {
        nodes[id.index()].covered = mannequins.covers(id);
    }
    let describe_part = |part: &mutoscope_view::figure::MannequinPart| BodyPart {
        node: part.attachment.node.index(),
        side: part.side.map(side_name),
        surface: meshes.add_body_part(part),
        along: part.attachment.along.into(),
        hint: part.attachment.hint.into(),
        end: part.attachment.end.map(|(node, length)| (node.index(), length)),
        capsule: part.capsule.map(|([x, y, z], radius)| [x, y, z, radius]),
    };
    mannequins.parts.iter().map(describe_part).collect()
}

fn scale_without_bones(clip: &Clip) -> f64 {
    const SAMPLES: u32 = 17;
    const BONE_SHARE: f64 = 0.04;
    const HAND_BONE_M: f64 = 0.045;
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut pose = Pose::default();
    for sample in 0..SAMPLES {
        let t = f64::from(sample) / f64::from(SAMPLES - 1);
        clip.sample(clip.span.start + clip.span.duration * t, &mut pose);
        let shown = pose.nodes.iter().filter(|node| node.is_visible);
        for position in shown.map(|node| node.world.translation) {
            (min, max) = (min.min(position), max.max(position));
        }
    }
    let scale = BONE_SHARE * (max - min).length() / HAND_BONE_M;
    if scale > 0.0 && scale.is_finite() { scale.clamp(0.05, 50.0) } else { 1.0 }
}

fn is_drawn(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Joint | NodeKind::Tip | NodeKind::Locator)
}

fn find_pinch_signal(clip: &Clip, id: NodeId) -> Option<usize> {
    const TIPS: [&str; 2] = ["ThumbTip", "IndexTip"];
    let node = &clip.nodes[id];
    let group = node.group.filter(|_| TIPS.iter().any(|tip| node.name.ends_with(tip)))?;
    clip.signals.iter().position(|signal| {
        signal.kind == SignalKind::Pinch && clip.track(signal.track).owner == Owner::Group(group)
    })
}

pub(super) fn describe_signals(
    job: &Job<'_>,
    report: &mut Report,
) -> Result<Vec<SignalStates>, ExportError> {
    let mut tracer = SignalTracer::new(job);
    let mut signals = Vec::with_capacity(job.clip.signals.len());
    for signal in &job.clip.signals {
        let track = job.clip.track(signal.track);
        let kind = match (signal.kind, &track.curve) {
            (SignalKind::Tracked, _) => "tracked",
            (SignalKind::Pinch, _) => "pinch",
            (SignalKind::Attribute, AnyCurve::Text(_)) => "text",
            (SignalKind::Attribute, _) => "attribute",
        };
        let (times, values, linear) = match tracer.trace_curve(signal.track)? {
            SignalCurve::States(states) => {
                let (times, values) = states.into_iter().unzip();
                (times, values, false)
            }
            SignalCurve::Numbers(curve) => simplify_numbers(&curve),
        };
        let words: Vec<Option<String>> = match linear {
            true => Vec::new(),
            false => values.iter().map(|value| job.clip.value_label(track, value)).collect(),
        };
        signals.push(SignalStates {
            name: signal.name.clone(),
            kind,
            times,
            values,
            words: if words.iter().all(Option::is_none) { Vec::new() } else { words },
            linear,
        });
    }
    tracer.report(report);
    Ok(signals)
}

const NUMBER_TOLERANCE: f64 = 1e-4;

/// Removes the keys that linear interpolation reproduces within a tolerance. If a segment holds its
/// value, an additional key with this value is inserted at the end of the segment.
fn simplify_numbers(
    curve: &mutoscope_core::export::traced::KeyedCurve<f64>,
) -> (Vec<f64>, Vec<Value>, bool) {
    use mutoscope_core::export::traced::SegmentKind;
    let values = || curve.keys().iter().map(|key| key.value);
    let [min, max] = [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)];
    let simple = curve.simplified(NUMBER_TOLERANCE * (max - min).max(0.0));
    let (mut times, mut kept) = (Vec::new(), Vec::new());
    let mut push = |time: f64, value: f64| {
        times.push(time);
        kept.push(if value.is_nan() { Value::Null } else { Value::Number(value) });
    };
    for (index, key) in simple.keys().iter().enumerate() {
        push(key.time, key.value);
        if let (SegmentKind::Hold, Some(next)) = (key.segment, simple.keys().get(index + 1))
            && !key.value.is_nan()
        {
            push(next.time, key.value);
        }
    }
    (times, kept, true)
}

pub(super) fn describe_events(job: &Job<'_>) -> Vec<EventDescription> {
    let event = |(time, event): (f64, &mutoscope_core::clip::Event)| {
        let node = event.node_name(job.clip).to_owned();
        let words = match job.clip.describe_event(event) {
            Some(words) if node.is_empty() => words.sentence,
            Some(words) => format!("{node} {}", words.sentence),
            None => event.name.clone(),
        };
        let value = event.value.as_deref().cloned();
        let duration = event.details.as_ref().map(|details| details.duration);
        let duration = duration.filter(|duration| *duration > 0.0);
        EventDescription { time, name: event.name.clone(), node, value, words, duration }
    };
    let mut events: Vec<_> = job.events().map(event).collect();
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

pub(super) fn format_bounds(bounds: Bounds, measured: [f64; 2], times: usize) -> String {
    format!(
        "positions within {:.3} mm and rotations within {:.3}° in the world; largest difference at {times} \
         times: {:.3} mm, {:.4}°",
        bounds.position * 1e3,
        bounds.rotation.to_degrees(),
        measured[0] * 1e3,
        measured[1].to_degrees(),
    )
}
