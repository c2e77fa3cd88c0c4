//! The content of a file, for programs.

use serde::Serialize;

use mutoscope_core::{
    clip::{Clip, Convention, Event, Node, NodeId, Origin, Track, Value},
    diagnostics::Notice,
    formats::NamedAnimation,
};

/// The object that `info --json` prints for a file.
#[derive(Serialize)]
pub(super) struct Info<'a> {
    path: &'a str,
    format: &'static str,
    version: &'a str,
    name: &'a str,
    /// The character that it is shown on, in formats that have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<&'a str>,
    start: f64,
    duration: f64,
    rate_hz: Option<f64>,
    nodes: usize,
    tracks: usize,
    keys: usize,
    convention: ConventionInfo,
    node_list: Vec<NodeInfo<'a>>,
    track_list: Vec<TrackInfo<'a>>,
    events: Vec<EventInfo<'a>>,
    /// The names for `--animation`.
    animations: Vec<AnimationInfo<'a>>,
    notices: Vec<NoticeInfo<'a>>,
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
pub(super) struct NoticeInfo<'a> {
    severity: &'static str,
    place: String,
    message: &'a str,
    time: Option<f64>,
}

impl<'a> Info<'a> {
    pub(super) fn new(
        path: &'a str,
        clip: &'a Clip,
        character: Option<&'a str>,
        animations: &'a [NamedAnimation],
    ) -> Self {
        Self {
            path,
            format: clip.format.word(),
            version: &clip.version,
            name: &clip.name,
            character,
            start: clip.span.start,
            duration: clip.span.duration,
            rate_hz: clip.rate_hz,
            nodes: clip.nodes.len(),
            tracks: clip.tracks.len(),
            keys: clip.key_count(),
            convention: convention(&clip.convention),
            node_list: clip.nodes.iter().enumerate().map(node).collect(),
            track_list: clip.tracks.iter().enumerate().map(|(i, t)| track(clip, i, t)).collect(),
            events: clip.events.iter().map(|one| event(clip, one)).collect(),
            animations: animations.iter().map(animation).collect(),
            notices: clip.notices.iter().map(notice).collect(),
        }
    }
}

fn animation(NamedAnimation { name, duration }: &NamedAnimation) -> AnimationInfo<'_> {
    AnimationInfo { name, duration: *duration }
}

fn convention(convention: &Convention) -> ConventionInfo {
    ConventionInfo {
        handedness: convention.handedness.value.word(),
        up: convention.up.value.word(),
        metres_per_unit: convention.metres_per_unit.value,
        declared: convention.names_of(Origin::Declared),
        assumed: convention.names_of(Origin::Assumed),
    }
}

fn node((index, node): (usize, &Node)) -> NodeInfo<'_> {
    NodeInfo { index, name: &node.name, parent: node.parent.map(NodeId::index) }
}

fn track<'a>(clip: &'a Clip, index: usize, track: &'a Track) -> TrackInfo<'a> {
    let times = track.curve.key_times();
    TrackInfo {
        index,
        node: clip.owner_name(track.owner),
        property: &track.property,
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
        details: details.map(|one| EventDetailsInfo { kind: one.kind, fires: one.fires }),
    }
}

pub(super) fn notice(notice: &Notice) -> NoticeInfo<'_> {
    NoticeInfo {
        severity: notice.severity.word(),
        place: notice.place.to_string(),
        message: &notice.message,
        time: notice.time,
    }
}
