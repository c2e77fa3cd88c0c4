//! The JSON object that `info --json` prints for a recording.

use serde::Serialize;
use serde_json::Map;

use mutoscope_core::{
    clip::{
        AssumedFact, Clip, ColumnQuestion, ColumnReading, ColumnUse, ColumnUses, Convention, Event,
        FactOrigin, HumanBone, Node, NodeId, Track, TrackId, UnusedColumn, Value,
    },
    diagnostics::Diagnostic,
    formats::NamedAnimation,
    retarget::{MappedBone, Retargeting},
};

#[derive(Serialize)]
pub(super) struct ClipInfo<'a> {
    path: &'a str,
    format: &'static str,
    version: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<&'a str>,
    start: f64,
    duration: f64,
    rate_hz: Option<f64>,
    nodes: usize,
    tracks: usize,
    keys: usize,
    convention: ConventionInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<ColumnsInfo<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retarget: Option<RetargetInfo<'a>>,
    node_list: Vec<NodeInfo<'a>>,
    track_list: Vec<TrackInfo<'a>>,
    events: Vec<EventInfo<'a>>,
    animations: Vec<AnimationInfo<'a>>,
    notices: Vec<DiagnosticInfo<'a>>,
}

#[derive(Serialize)]
struct AnimationInfo<'a> {
    name: &'a str,
    duration: Option<f64>,
}

#[derive(Serialize)]
struct ConventionInfo {
    handedness: &'static str,
    up: &'static str,
    metres_per_unit: f64,
    declared: Vec<&'static str>,
    assumed: Vec<&'static str>,
}

#[derive(Serialize)]
struct ColumnsInfo<'a> {
    shape: &'static str,
    time: TimeInfo<'a>,
    used: Vec<UsedInfo<'a>>,
    ignored: Vec<IgnoredInfo<'a>>,
    assumed: Vec<AssumedInfo<'a>>,
    questions: Vec<QuestionInfo<'a>>,
}

#[derive(Serialize)]
struct QuestionInfo<'a> {
    columns: &'a [String],
    why: &'a str,
    readings: Vec<ReadingInfo<'a>>,
}

#[derive(Serialize)]
struct ReadingInfo<'a> {
    label: &'a str,
    /// `true` if the table was read in this way.
    current: bool,
    /// The keys of a mapping file.
    mapping: &'a str,
    /// The poses or the numbers of the first second, for a person to check.
    shows: Option<String>,
}

#[derive(Serialize)]
struct RetargetInfo<'a> {
    mode: &'static str,
    mapped: Vec<MappedInfo<'a>>,
    unmapped: UnmappedInfo,
    hip_scale: f64,
    turn: f64,
    reference: ReferenceInfo,
}

#[derive(Serialize)]
struct MappedInfo<'a> {
    bone: &'static str,
    motion: &'a str,
    character: &'a str,
}

#[derive(Serialize)]
struct UnmappedInfo {
    motion: Vec<&'static str>,
    character: Vec<&'static str>,
}

/// The poses that rotations are relative to: `rest`, or a time of the recording in seconds.
#[derive(Serialize)]
struct ReferenceInfo {
    motion: Reference,
    character: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reference {
    Word(&'static str),
    Seconds(f64),
}

#[derive(Serialize)]
struct TimeInfo<'a> {
    column: &'a str,
    unit: &'static str,
}

#[derive(Serialize)]
struct UsedInfo<'a> {
    column: &'a str,
    node: &'a str,
    property: &'a str,
}

#[derive(Serialize)]
struct IgnoredInfo<'a> {
    column: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct AssumedInfo<'a> {
    what: &'static str,
    value: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct NodeInfo<'a> {
    index: usize,
    name: &'a str,
    parent: Option<usize>,
}

#[derive(Serialize)]
struct TrackInfo<'a> {
    index: usize,
    node: &'a str,
    property: &'a str,
    r#type: &'static str,
    keys: usize,
    first: Option<f64>,
    last: Option<f64>,
}

#[derive(Serialize)]
struct EventInfo<'a> {
    time: f64,
    node: &'a str,
    name: &'a str,
    value: Option<&'a Value>,
    #[serde(flatten)]
    details: Option<EventDetailsInfo>,
}

#[derive(Serialize)]
struct EventDetailsInfo {
    kind: &'static str,
    fires: bool,
}

#[derive(Serialize)]
pub(super) struct DiagnosticInfo<'a> {
    severity: &'static str,
    place: String,
    message: &'a str,
    time: Option<f64>,
    code: &'static str,
    data: Map<String, serde_json::Value>,
}

impl<'a> ClipInfo<'a> {
    pub(super) fn new(
        path: &'a str,
        clip: &'a Clip,
        character: Option<&'a str>,
        animations: &'a [NamedAnimation],
    ) -> Self {
        Self {
            path,
            format: clip.format.as_str(),
            version: &clip.version,
            name: &clip.name,
            character,
            start: clip.span.start,
            duration: clip.span.duration,
            rate_hz: clip.rate_hz,
            nodes: clip.nodes.len(),
            tracks: listed_tracks(clip).count(),
            keys: clip.key_count(),
            convention: convention(&clip.convention),
            columns: clip.columns().map(columns),
            retarget: clip
                .procedural_as::<Retargeting>()
                .map(|retargeting| retarget(retargeting, clip)),
            node_list: clip.nodes.iter().enumerate().map(node).collect(),
            track_list: listed_tracks(clip).enumerate().map(|(i, t)| track(clip, i, t)).collect(),
            events: clip.events.iter().map(|event_| event(clip, event_)).collect(),
            animations: animations.iter().map(animation).collect(),
            notices: clip.diagnostics.iter().map(diagnostic_info).collect(),
        }
    }
}

fn retarget<'a>(retargeting: &'a Retargeting, character: &'a Clip) -> RetargetInfo<'a> {
    let mapped = |one: &MappedBone| MappedInfo {
        bone: one.bone.name(),
        motion: &retargeting.motion.nodes[one.motion].name,
        character: &character.nodes[one.character].name,
    };
    let names = |bones: &[HumanBone]| bones.iter().map(|bone| bone.name()).collect();
    RetargetInfo {
        mode: if retargeting.map.is_some() { "map" } else { "auto" },
        mapped: retargeting.mapped.iter().map(mapped).collect(),
        unmapped: UnmappedInfo {
            motion: names(&retargeting.only_in_motion),
            character: names(&retargeting.only_in_character),
        },
        hip_scale: retargeting.hip_scale,
        turn: retargeting.turn,
        reference: ReferenceInfo {
            motion: retargeting.reference.map_or(Reference::Word("rest"), Reference::Seconds),
            character: "rest",
        },
    }
}

fn animation(NamedAnimation { name, duration }: &NamedAnimation) -> AnimationInfo<'_> {
    AnimationInfo { name, duration: *duration }
}

fn convention(convention: &Convention) -> ConventionInfo {
    ConventionInfo {
        handedness: convention.handedness.value.as_str(),
        up: convention.up.value.as_str(),
        metres_per_unit: convention.metres_per_unit.value,
        declared: convention.fact_names(FactOrigin::Declared),
        assumed: convention.fact_names(FactOrigin::Assumed),
    }
}

fn node((index, node): (usize, &Node)) -> NodeInfo<'_> {
    NodeInfo { index, name: &node.name, parent: node.parent.map(NodeId::index) }
}

fn listed_tracks(clip: &Clip) -> impl Iterator<Item = (TrackId, &Track)> {
    let all = clip.tracks.iter().enumerate();
    let listed = all.filter(|(_, track)| !track.source.is_derived());
    listed.map(|(index, track)| (TrackId::new(index), track))
}

fn columns(columns: &ColumnUses) -> ColumnsInfo<'_> {
    ColumnsInfo {
        shape: columns.shape,
        time: TimeInfo { column: &columns.time, unit: columns.time_unit },
        used: columns.used.iter().map(UsedInfo::from).collect(),
        ignored: columns.ignored.iter().map(IgnoredInfo::from).collect(),
        assumed: columns.assumed.iter().map(AssumedInfo::from).collect(),
        questions: columns.questions.iter().map(QuestionInfo::from).collect(),
    }
}

impl<'a> From<&'a ColumnUse> for UsedInfo<'a> {
    fn from(ColumnUse { column, node, property }: &'a ColumnUse) -> Self {
        Self { column, node, property }
    }
}

impl<'a> From<&'a UnusedColumn> for IgnoredInfo<'a> {
    fn from(UnusedColumn { column, why }: &'a UnusedColumn) -> Self {
        Self { column, why }
    }
}

impl<'a> From<&'a AssumedFact> for AssumedInfo<'a> {
    fn from(AssumedFact { fact, value, why }: &'a AssumedFact) -> Self {
        Self { what: *fact, value, why }
    }
}

impl<'a> From<&'a ColumnQuestion> for QuestionInfo<'a> {
    fn from(ColumnQuestion { columns, why, readings }: &'a ColumnQuestion) -> Self {
        Self { columns, why, readings: readings.iter().map(ReadingInfo::from).collect() }
    }
}

impl<'a> From<&'a ColumnReading> for ReadingInfo<'a> {
    fn from(reading: &'a ColumnReading) -> Self {
        Self {
            label: &reading.label,
            current: reading.is_current,
            mapping: &reading.toml,
            shows: reading.preview.as_ref().map(ToString::to_string),
        }
    }
}

fn track<'a>(clip: &'a Clip, index: usize, (id, track): (TrackId, &'a Track)) -> TrackInfo<'a> {
    let times = track.curve.key_times();
    TrackInfo {
        index,
        node: clip.listed_owner(id),
        property: clip.listed_property(id),
        r#type: track.curve.type_name(),
        keys: track.curve.key_count(),
        first: times.first().copied(),
        last: times.last().copied(),
    }
}

fn event<'a>(clip: &'a Clip, event: &'a Event) -> EventInfo<'a> {
    let details = event.details.as_deref();
    EventInfo {
        time: event.time,
        node: event.node_name(clip),
        name: &event.name,
        value: event.value.as_deref(),
        details: details.map(|one| EventDetailsInfo { kind: one.kind, fires: one.is_fired }),
    }
}

pub(super) fn diagnostic_info(diagnostic: &Diagnostic) -> DiagnosticInfo<'_> {
    DiagnosticInfo {
        code: diagnostic.code.as_str(),
        severity: diagnostic.severity.as_str(),
        place: diagnostic.location.to_string(),
        message: &diagnostic.message,
        time: diagnostic.time,
        data: Diagnostic::data_object(&diagnostic.data),
    }
}
