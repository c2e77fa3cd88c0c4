//! Diagnostics of clips, found by checks or reported by decoders.

use crate::{
    clip::{Clip, KeyId, NodeId, Owner, TrackId},
    diagnostics::{Code, Diagnostic, Measure, Severity, SourceLocation, Topic},
};

/// A suspicious or notable property of a clip's data.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipDiagnostic {
    /// The kind of the problem.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The time of the diagnostic, or its start, in clip seconds. `None` if it has no time.
    pub time: Option<f64>,
    /// The end of the diagnostic in clip seconds. `None` if it has no duration.
    pub end: Option<f64>,
    /// The node or group that the diagnostic belongs to, or `None` if it concerns the whole clip.
    pub owner: Option<Owner>,
    /// The other nodes that the diagnostic concerns.
    pub other_nodes: Vec<NodeId>,
    /// The track that the diagnostic belongs to.
    pub track: Option<TrackId>,
    /// The key of the diagnostic, or its first key if it covers several keys.
    pub key: Option<KeyId>,
    /// The location in the file.
    pub location: SourceLocation,
    /// The message: one sentence, in the terms that users of the format know.
    pub message: String,
    /// The value that crossed a threshold, if the problem is one of degree.
    pub measure: Option<Measure>,
}

impl ClipDiagnostic {
    /// Returns the topic, or `None` if the checks do not look for the problem. Only diagnostics of
    /// decoders have no topic.
    pub fn topic(&self) -> Option<Topic> {
        self.code.topic()
    }

    /// Returns the node that the diagnostic belongs to, or `None` if there is none.
    pub fn node(&self) -> Option<NodeId> {
        match self.owner? {
            Owner::Node(node) => Some(node),
            Owner::Group(_) => None,
        }
    }

    /// Returns the names of all nodes that the diagnostic concerns.
    pub fn node_names<'a>(&self, clip: &'a Clip) -> Vec<&'a str> {
        let nodes = self.node().into_iter().chain(self.other_nodes.iter().copied());
        nodes.map(|node| clip.nodes[node].name.as_str()).collect()
    }
}

pub(super) fn from_decoder<'a>(
    clip: &'a Clip,
    diagnostics: impl Iterator<Item = &'a Diagnostic>,
) -> Vec<ClipDiagnostic> {
    let mut by_location: Vec<(&SourceLocation, TrackId)> =
        clip.tracks_with_ids().map(|(id, track)| (&track.source.location, id)).collect();
    by_location.sort_by_key(|(location, _)| sort_key(location));
    let track_at = |location: &SourceLocation| {
        let first = by_location.partition_point(|(other, _)| sort_key(other) < sort_key(location));
        let mut candidates = by_location[first..].iter();
        candidates.next().filter(|(other, _)| *other == location).map(|&(_, track)| track)
    };
    let convert = |diagnostic: &Diagnostic| {
        let track = track_at(&diagnostic.location);
        ClipDiagnostic {
            code: diagnostic.code,
            severity: diagnostic.severity,
            time: diagnostic.time,
            end: None,
            owner: track.map(|track| clip.track(track).owner),
            other_nodes: Vec::new(),
            track,
            key: None,
            location: diagnostic.location.clone(),
            message: diagnostic.message.clone(),
            measure: None,
        }
    };
    diagnostics.map(convert).collect()
}

fn sort_key(location: &SourceLocation) -> (u64, u64) {
    match location {
        SourceLocation::File => (0, 0),
        SourceLocation::Bytes(range) | SourceLocation::Unpacked(range) => (range.start, range.end),
        SourceLocation::Bits { word, bits } => (*word, bits.start),
        SourceLocation::Line { line, column } => ((*line).into(), column.unwrap_or(0).into()),
    }
}
