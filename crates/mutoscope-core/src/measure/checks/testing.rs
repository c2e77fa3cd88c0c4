//! Clips made for tests of checks: one node with whatever tracks a test needs.

use glam::DVec4;

use super::{Issue, all_issues};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, Handedness, KeyTimes, Motion,
        Node, NodeId, NodeKind, Nodes, Owner, Provenance, ScalarCurve, Shapes, Shown, Span, Track,
        TrackId, Transform, TypedCurve, Unit, Up, ValueType,
    },
    diagnostics::{Notices, SourceLocation, Topic},
};

/// Keys a second.
pub(super) const RATE: f64 = 50.0;

/// The times of `count` keys, evenly.
pub(super) fn even(count: usize) -> Vec<f64> {
    (0..count).map(|key| key as f64 / RATE).collect()
}

/// Motion that never rests and never jumps.
pub(super) fn wave(count: usize) -> Vec<f64> {
    (0..count).map(|key| (key as f64 * 0.11).sin() + 0.2 * (key as f64 * 0.37).cos()).collect()
}

fn track(property: &str, curve: AnyCurve, unit: Unit) -> Track {
    let source = Provenance::packed(SourceLocation::span(16, 8), 16, 8, None);
    Track { owner: Owner::Node(NodeId::new(0)), property: property.to_owned(), curve, unit, source }
}

/// A track of numbers.
pub(super) fn numbers(times: &[f64], values: &[f64], shapes: Shapes, unit: Unit) -> Track {
    let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values.to_vec(), shapes);
    track("value", AnyCurve::Number(curve), unit)
}

/// A track that is on or off.
pub(super) fn switch(times: &[f64], values: &[f64]) -> Track {
    let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values.to_vec(), Shapes::Step);
    track("tracked", AnyCurve::Switch(curve), Unit::None)
}

/// A track of quaternions.
pub(super) fn rotations(times: &[f64], keys: &[DVec4], faithful: Blend) -> Track {
    let times = KeyTimes::new(times).unwrap();
    let component = |index: usize| {
        let values: Vec<f64> = keys.iter().map(|key| key[index]).collect();
        ScalarCurve::new(times.clone(), values, Shapes::Linear)
    };
    let form = Form::Quaternion { faithful };
    let value_type = ValueType { name: "quaternion", element: Element::Number, form };
    let curve = TypedCurve::new(value_type, [0, 1, 2, 3].map(component));
    track("rotation", AnyCurve::Typed(Box::new(curve)), Unit::None)
}

/// A node with these tracks, shown while the track with the index `shown` is on.
pub(super) fn clip(tracks: Vec<Track>, shown: Option<usize>) -> Clip {
    let shown = shown.map_or(Shown::Always, |track| Shown::While(TrackId::new(track)));
    let node = Node {
        name: "node".to_owned(),
        group: None,
        parent: None,
        bone_from: None,
        kind: NodeKind::Joint,
        side: None,
        rest: Transform::IDENTITY,
        motion: Motion { shown, ..Motion::default() },
    };
    let ends = tracks.iter().filter_map(|track| track.curve.key_times().last().copied());
    let duration = ends.fold(0.0, f64::max);
    Clip {
        span: Span { start: 0.0, duration },
        nodes: Nodes::new(vec![node], &mut Notices::new()),
        tracks,
        ..Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, Up::Y))
    }
}

/// The issues in `clip` about `topic`.
pub(super) fn about(clip: &Clip, topic: Topic) -> Vec<Issue> {
    let mut issues = all_issues(clip);
    issues.retain(|issue| issue.topic == Some(topic));
    issues
}

/// When, until when, and at which key each of `issues` is.
pub(super) fn spots(issues: &[Issue]) -> Vec<(f64, Option<f64>, usize)> {
    let span = |issue: &Issue| (issue.time.unwrap(), issue.end, issue.key.unwrap().index);
    issues.iter().map(span).collect()
}
