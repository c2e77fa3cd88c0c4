//! Issues of the checks.

use crate::{
    clip::{Clip, KeyId, NodeId, Owner, TrackId},
    diagnostics::{Notice, Severity, SourceLocation, Topic},
};

/// Something about the data of a clip that is odd or worth a look.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// How much it matters.
    pub severity: Severity,
    /// Its topic; `None` if only the decoder can notice such a thing.
    pub topic: Option<Topic>,
    /// When it is, or begins, in seconds of the clip; `None` if it has no time.
    pub time: Option<f64>,
    /// When it ends, if it takes a while.
    pub end: Option<f64>,
    /// The node or group that it concerns, if any more than others.
    pub owner: Option<Owner>,
    /// The track that it is about.
    pub track: Option<TrackId>,
    /// The key that it is about, or begins at.
    pub key: Option<KeyId>,
    /// Where the file has it.
    pub place: SourceLocation,
    /// One sentence, in words that the format's own users know.
    pub message: String,
}

impl Issue {
    /// The node that it concerns, if it concerns one.
    pub fn node(&self) -> Option<NodeId> {
        match self.owner? {
            Owner::Node(node) => Some(node),
            Owner::Group(_) => None,
        }
    }
}

/// The `notices` of `clip` as issues, each with the track that its place is in, if it is in one.
pub(super) fn of_notices<'a>(
    clip: &'a Clip,
    notices: impl Iterator<Item = &'a Notice>,
) -> Vec<Issue> {
    let mut by_place: Vec<(&SourceLocation, TrackId)> =
        clip.tracks_with_ids().map(|(id, track)| (&track.source.place, id)).collect();
    by_place.sort_by_key(|(place, _)| order_of(place));
    let track_at = |place: &SourceLocation| {
        let first = by_place.partition_point(|(other, _)| order_of(other) < order_of(place));
        let mut there = by_place[first..].iter();
        there.next().filter(|(other, _)| *other == place).map(|&(_, track)| track)
    };
    let issue = |notice: &Notice| {
        let track = track_at(&notice.place);
        Issue {
            severity: notice.severity,
            topic: notice.topic,
            time: notice.time,
            end: None,
            owner: track.map(|track| clip.track(track).owner),
            track,
            key: None,
            place: notice.place.clone(),
            message: notice.message.clone(),
        }
    };
    notices.map(issue).collect()
}

/// Places in an order in which equal ones are neighbours.
fn order_of(place: &SourceLocation) -> (u64, u64) {
    match place {
        SourceLocation::File => (0, 0),
        SourceLocation::Bytes(range) | SourceLocation::Unpacked(range) => (range.start, range.end),
        SourceLocation::Bits { word, bits } => (*word, bits.start),
        SourceLocation::Line { line, column } => ((*line).into(), column.unwrap_or(0).into()),
    }
}
