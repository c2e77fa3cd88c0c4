//! Draws a line between the selected joint and the joint that it is matched with in another
//! recording.

use bevy::prelude::*;

use super::{look::MATCH, overlay::StageLines, subject::Subjects};
use crate::RecordingNode;

/// The selected joint and its match in another recording. The stage draws a line between them.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchedSelection(pub Option<[RecordingNode; 2]>);

pub(super) fn draw_match(
    mut lines: Gizmos<StageLines>,
    matched: Res<MatchedSelection>,
    subjects: Subjects,
) {
    let position_of = |of: RecordingNode| {
        let subject = subjects.get(of.recording)?;
        subject.pose().nodes.get(of.node.index()).filter(|node| node.is_visible)?;
        Some(subject.node_transform(of.node)?.translation)
    };
    let positions = matched.0.map(|both| both.map(position_of));
    if let Some([Some(from), Some(to)]) = positions {
        lines.line(from, to, MATCH);
    }
}
