//! The head of a recording: what it is, its nodes, signals and events, as JSON.

use glam::DVec3;
use mutoscope_core::{
    clip::{
        AnyCurve, Clip, NodeId, NodeKind, Origin, Owner, Pose, Side, SignalKind, Transform, Value,
    },
    export::{
        ExportError, Job, Report,
        traced::{SignalCurve, Signals},
    },
    measure::figure::{BONE_RADIUS, BoneLengths, Proportions, palms},
};
use serde::Serialize;

use super::{budget::Bounds, meshes::Meshes};

/// A recording.
#[derive(Debug, Serialize)]
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) format: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) subject: String,
    /// When it begins and ends, in its own seconds.
    pub(super) span: [f64; 2],
    /// When its second 0 is on the clock, and how fast it runs.
    pub(super) offset: f64,
    pub(super) rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) looping: Option<bool>,
    #[serde(rename = "rateHz", skip_serializing_if = "Option::is_none")]
    pub(super) rate_hz: Option<f64>,
    /// Its colour, red, green and blue in sRGB; nothing for its own colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tint: Option<[u8; 3]>,
    pub(super) convention: Convention,
    /// The origin that is subtracted where single precision is too coarse.
    pub(super) origin: [f64; 3],
    /// The bounds that it was packed within; nothing if it is as exact as it was traced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bounds: Option<BoundsOf>,
    /// The bounds of the parts of figures, in metres and radians.
    #[serde(rename = "figureBounds", skip_serializing_if = "Option::is_none")]
    pub(super) figure_bounds: Option<[f64; 2]>,
    /// The length of a tick of its times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tick: Option<f64>,
    /// Where its chunks begin, and where the last ends.
    pub(super) chunks: Vec<f64>,
    /// The block of its first chunk.
    pub(super) block: usize,
    /// How much larger than those of a hand its bones are.
    pub(super) size: f64,
    /// Whether no bone joins any two nodes, so that axes show how they turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) loose: bool,
    /// The node with the root motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<usize>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) palms: Vec<Hand>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) signals: Vec<SignalStates>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<EventAt>,
    #[serde(skip_serializing_if = "Meshes::is_empty")]
    pub(super) meshes: Meshes,
    /// The block of its meshes.
    #[serde(rename = "meshBlock", skip_serializing_if = "Option::is_none")]
    pub(super) mesh_block: Option<usize>,
    /// Remarks on the recording and its packing.
    pub(super) remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct BoundsOf {
    /// Metres.
    pub(super) position: f64,
    /// Radians.
    pub(super) rotation: f64,
    /// The largest differences that were measured, in the same units.
    pub(super) measured: [f64; 2],
    /// At how many times they were measured.
    pub(super) times: usize,
}

/// The axes and the unit of the file, which the page's are converted from.
#[derive(Debug, Serialize)]
pub(super) struct Convention {
    handedness: &'static str,
    up: &'static str,
    #[serde(rename = "metresPerUnit")]
    metres_per_unit: f64,
    assumed: Vec<&'static str>,
}

/// A node, a part of a figure, or a view.
#[derive(Debug, Serialize)]
pub(super) struct Node {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<usize>,
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) side: Option<&'static str>,
    /// The node at the other end of the bone that is drawn to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<usize>,
    /// The radii of its joint and its bone, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) radii: Option<[f32; 2]>,
    /// The signal during which it glows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pinch: Option<usize>,
    /// Flags of the channels that have keys: 1 translation, 2 rotation, 4 scale, 8 visibility, 16 the scale
    /// that does not reach its children.
    pub(super) keyed: u8,
    /// Where it stands in the other channels.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f64; 3]>,
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f64; 4]>,
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) hidden: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<[f64; 3]>,
    /// The mesh of a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    /// The angle of a view from its lower edge to the upper one, in degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) angle: Option<f64>,
}

impl Node {
    /// A node that stands still at the origin.
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
            hidden: false,
            size: None,
            mesh: None,
            angle: None,
        }
    }

    /// Puts it where it stands while no key moves it.
    pub(super) fn stand(&mut self, at: &Transform) {
        let Transform { translation, rotation, scale } = at;
        self.translation = Some(translation.to_array()).filter(|it| *it != [0.0; 3]);
        self.rotation = Some(rotation.to_array()).filter(|it| *it != [0.0, 0.0, 0.0, 1.0]);
        self.scale = Some(scale.to_array()).filter(|it| *it != [1.0; 3]);
    }
}

/// The joints that enclose a palm.
#[derive(Debug, Serialize)]
pub(super) struct Hand {
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

/// A signal: its values from times on, or numbers that run from one to the next.
#[derive(Debug, Serialize)]
pub(super) struct SignalStates {
    name: String,
    kind: &'static str,
    times: Vec<f64>,
    values: Vec<Value>,
    /// Words for the values, where the format has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Option<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    linear: bool,
}

/// An event.
#[derive(Debug, Serialize)]
pub(super) struct EventAt {
    time: f64,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    node: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    /// The event, in plain words.
    pub(super) words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
}

impl EventAt {
    pub(super) fn time(&self) -> f64 {
        self.time
    }

    pub(super) fn node(&self) -> &str {
        &self.node
    }
}

/// The axes and the unit of `clip`.
pub(super) fn convention(clip: &Clip) -> Convention {
    let convention = &clip.convention;
    Convention {
        handedness: convention.handedness.value.word(),
        up: convention.up.value.word(),
        metres_per_unit: convention.metres_per_unit.value,
        assumed: convention.names_of(Origin::Assumed),
    }
}

/// The nodes of `clip`, where each is the same as in the recording, and how large they are drawn.
pub(super) fn nodes(clip: &Clip) -> (Vec<Node>, Vec<Hand>, f64) {
    let lengths = BoneLengths::of(clip);
    let size = match lengths.scale().filter(|_| !clip.is_loose()) {
        Some(scale) => scale,
        None => scale_without_bones(clip),
    };
    let proportions = Proportions::of(clip, &lengths, size);
    let node = |(id, node): (NodeId, &mutoscope_core::clip::Node)| Node {
        side: node.side.map(|side| match side {
            Side::Left => "left",
            Side::Right => "right",
        }),
        from: node.bone_from.map(NodeId::index),
        radii: is_drawn(node.kind).then(|| [proportions.joint(id), proportions.bone(id)]),
        pinch: pinch(clip, id),
        ..Node::new(&node.name, node.kind.word(), node.parent.map(NodeId::index))
    };
    let nodes = clip.nodes.with_ids().map(node).collect();
    let hand = |palm: &mutoscope_core::measure::figure::Palm| Hand {
        wrist: palm.wrist.index(),
        radius: palm
            .fingers
            .iter()
            .map(|finger| proportions.bone(finger.knuckle))
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
    (nodes, palms(clip).iter().map(hand).collect(), size)
}

/// How much larger than those of a hand joints are drawn where no bones tell: in proportion to where they go.
fn scale_without_bones(clip: &Clip) -> f64 {
    /// How many poses are looked at.
    const SAMPLES: u32 = 17;
    /// The length of a bone, over where everything goes, and the length of a bone of a hand in metres.
    const PART: f64 = 0.04;
    const HAND_BONE: f64 = 0.045;
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut pose = Pose::default();
    for sample in 0..SAMPLES {
        let t = f64::from(sample) / f64::from(SAMPLES - 1);
        clip.sample(clip.span.start + clip.span.duration * t, &mut pose);
        let shown = pose.nodes.iter().filter(|node| node.shown);
        for place in shown.map(|node| node.world.translation) {
            (least, most) = (least.min(place), most.max(place));
        }
    }
    let scale = PART * (most - least).length() / HAND_BONE;
    if scale > 0.0 && scale.is_finite() { scale.clamp(0.05, 50.0) } else { 1.0 }
}

fn is_drawn(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Joint | NodeKind::Tip | NodeKind::Locator)
}

/// The signal of a pinch that the tip `id` takes part in.
fn pinch(clip: &Clip, id: NodeId) -> Option<usize> {
    /// The fingers that pinch, by the ends of their tips' names.
    const TIPS: [&str; 2] = ["ThumbTip", "IndexTip"];
    let node = &clip.nodes[id];
    let group = node.group.filter(|_| TIPS.iter().any(|tip| node.name.ends_with(tip)))?;
    clip.signals.iter().position(|signal| {
        signal.kind == SignalKind::Pinch && clip.track(signal.track).owner == Owner::Group(group)
    })
}

/// The signals of the job's clip within its range.
///
/// # Errors
/// If there are too many keys.
pub(super) fn signals(
    job: &Job<'_>,
    report: &mut Report,
) -> Result<Vec<SignalStates>, ExportError> {
    let mut tracing = Signals::new(job);
    let mut signals = Vec::with_capacity(job.clip.signals.len());
    for signal in &job.clip.signals {
        let track = job.clip.track(signal.track);
        let kind = match (signal.kind, &track.curve) {
            (SignalKind::Tracked, _) => "tracked",
            (SignalKind::Pinch, _) => "pinch",
            (SignalKind::Attribute, AnyCurve::Text(_)) => "text",
            (SignalKind::Attribute, _) => "attribute",
        };
        let (times, values, linear) = match tracing.curve(signal.track)? {
            SignalCurve::States(states) => {
                let (times, values) = states.into_iter().unzip();
                (times, values, false)
            }
            SignalCurve::Numbers(curve) => numbers(&curve),
        };
        let words: Vec<Option<String>> = match linear {
            true => Vec::new(),
            false => values.iter().map(|value| job.clip.value_words(track, value)).collect(),
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
    tracing.report(report);
    Ok(signals)
}

/// The part of the range of a number's values that is not kept.
const NUMBERS: f64 = 1e-4;

/// A curve of numbers within a small part of its range; what is held has a key right before the next.
fn numbers(
    curve: &mutoscope_core::export::traced::KeyedCurve<f64>,
) -> (Vec<f64>, Vec<Value>, bool) {
    use mutoscope_core::export::traced::SegmentKind;
    let values = || curve.keys().iter().map(|key| key.value);
    let [least, most] = [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)];
    let simple = curve.simplified(NUMBERS * (most - least).max(0.0));
    let (mut times, mut kept) = (Vec::new(), Vec::new());
    let mut push = |time: f64, value: f64| {
        times.push(time);
        kept.push(Value::Number(value));
    };
    for (index, key) in simple.keys().iter().enumerate() {
        push(key.time, key.value);
        if let (SegmentKind::Hold, Some(next)) = (key.segment, simple.keys().get(index + 1)) {
            push(next.time, key.value);
        }
    }
    (times, kept, true)
}

/// The events of the job's clip within its range, by time.
pub(super) fn events(job: &Job<'_>) -> Vec<EventAt> {
    let range = job.from..=job.to;
    let within = job.clip.events.iter().filter(|event| range.contains(&event.time));
    let event = |event: &mutoscope_core::clip::Event| {
        let node = event.node_name(job.clip).to_owned();
        let words = match job.clip.event_words(event) {
            Some(words) if node.is_empty() => words.sentence,
            Some(words) => format!("{node} {}", words.sentence),
            None => event.name.clone(),
        };
        let value = event.value.as_deref().cloned();
        let duration = event.details.as_ref().map(|details| details.duration);
        let duration = duration.filter(|duration| *duration > 0.0);
        EventAt { time: event.time, name: event.name.clone(), node, value, words, duration }
    };
    let mut events: Vec<_> = within.map(event).collect();
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

/// The bounds in words.
pub(super) fn bounds_in_words(bounds: Bounds, measured: [f64; 2], times: usize) -> String {
    format!(
        "positions within {:.3} mm and rotations within {:.3}° in the world; largest difference at {times} \
         times: {:.3} mm, {:.4}°",
        bounds.position * 1e3,
        bounds.rotation.to_degrees(),
        measured[0] * 1e3,
        measured[1].to_degrees(),
    )
}
