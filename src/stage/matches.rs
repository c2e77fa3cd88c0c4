//! A line between the selected joint and the one it is matched with in another recording.

use bevy::prelude::*;

use super::{look::MATCH, overlay::StageLines, subject::Subjects};
use crate::recording::RecordingNode;

/// The joints that a line is drawn between: the selected one and its match in another recording.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchedSelection(pub Option<[RecordingNode; 2]>);

/// Draws it, if both are there.
pub(super) fn draw_match(
    mut lines: Gizmos<StageLines>,
    matched: Res<MatchedSelection>,
    subjects: Subjects,
) {
    let place = |of: RecordingNode| {
        let subject = subjects.get(of.recording)?;
        subject.pose().nodes.get(of.node.index()).filter(|node| node.shown)?;
        Some(subject.transform(of.node)?.translation)
    };
    let places = matched.0.map(|both| both.map(place));
    if let Some([Some(from), Some(to)]) = places {
        lines.line(from, to, MATCH);
    }
}
