//! Creates clips for tests of checks: one node with any tracks.

use glam::DVec4;

use super::{ClipDiagnostic, check_clip};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, Handedness, KeyTimes, Motion,
        Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, ScalarCurve, Shapes, Span, Track,
        TrackId, TrackLocation, Transform, TypedCurve, Unit, UpAxis, ValueType,
    },
    diagnostics::{Diagnostics, SourceLocation, Topic},
};

pub(super) const RATE_HZ: f64 = 50.0;

pub(super) fn even_times(count: usize) -> Vec<f64> {
    (0..count).map(|key| key as f64 / RATE_HZ).collect()
}

pub(super) fn wave(count: usize) -> Vec<f64> {
    (0..count).map(|key| (key as f64 * 0.11).sin() + 0.2 * (key as f64 * 0.37).cos()).collect()
}

fn track(property: &str, curve: AnyCurve, unit: Unit) -> Track {
    let source = TrackLocation::packed(SourceLocation::span(16, 8), 16, 8, None);
    Track { owner: Owner::Node(NodeId::new(0)), property: property.to_owned(), curve, unit, source }
}

pub(super) fn number_track(times: &[f64], values: &[f64], shapes: Shapes, unit: Unit) -> Track {
    let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values.to_vec(), shapes);
    track("value", AnyCurve::Number(curve), unit)
}

pub(super) fn switch_track(times: &[f64], values: &[f64]) -> Track {
    let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values.to_vec(), Shapes::Step);
    track("tracked", AnyCurve::Switch(curve), Unit::None)
}

pub(super) fn rotation_track(times: &[f64], keys: &[DVec4], authored_blend: Blend) -> Track {
    let times = KeyTimes::new(times).unwrap();
    let component = |index: usize| {
        let values: Vec<f64> = keys.iter().map(|key| key[index]).collect();
        ScalarCurve::new(times.clone(), values, Shapes::Linear)
    };
    let form = Form::Quaternion { authored_blend };
    let value_type = ValueType { name: "quaternion", element: Element::Number, form };
    let curve = TypedCurve::new(value_type, [0, 1, 2, 3].map(component));
    track("rotation", AnyCurve::Typed(Box::new(curve)), Unit::None)
}

pub(super) fn clip(tracks: Vec<Track>, visible_while: Option<usize>) -> Clip {
    let visibility = visible_while
        .map_or(NodeVisibility::Always, |track| NodeVisibility::While(TrackId::new(track)));
    let node = Node {
        name: "node".to_owned(),
        group: None,
        parent: None,
        bone_from: None,
        kind: NodeKind::Joint,
        side: None,
        rest: Transform::IDENTITY,
        motion: Motion { visibility, ..Motion::default() },
    };
    let ends = tracks.iter().filter_map(|track| track.curve.key_times().last().copied());
    let duration = ends.fold(0.0, f64::max);
    Clip {
        span: Span { start: 0.0, duration },
        nodes: Nodes::new(vec![node], &mut Diagnostics::new()),
        tracks,
        ..Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, UpAxis::Y))
    }
}

pub(super) fn diagnostics_about(clip: &Clip, topic: Topic) -> Vec<ClipDiagnostic> {
    let mut diagnostics = check_clip(clip);
    diagnostics.retain(|diagnostic| diagnostic.topic() == Some(topic));
    diagnostics
}

pub(super) fn key_spans(diagnostics: &[ClipDiagnostic]) -> Vec<(f64, Option<f64>, usize)> {
    let span = |diagnostic: &ClipDiagnostic| {
        (diagnostic.time.unwrap(), diagnostic.end, diagnostic.key.unwrap().index)
    };
    diagnostics.iter().map(span).collect()
}
