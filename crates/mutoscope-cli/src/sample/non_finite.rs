//! NaN and infinite results, which JSON and tables cannot hold: the nodes, signals and tracks are
//! reported once.

use crate::Message;
use mutoscope_core::{
    clip::{Clip, Pose, Track, Value},
    export::some_of,
};

/// The nodes, signals and tracks with NaN or infinite results.
pub(super) struct NonFinite<'a> {
    clip: &'a Clip,
    nodes: Vec<Option<Occurrences>>,
    signals: Vec<Option<Occurrences>>,
    tracks: Vec<Option<Occurrences>>,
}

/// At how many times something was not finite, and at which first.
#[derive(Clone, Copy)]
struct Occurrences {
    count: usize,
    /// Seconds.
    first: f64,
}

impl<'a> NonFinite<'a> {
    pub(super) fn new(clip: &'a Clip) -> Self {
        let (nodes, signals) = (vec![None; clip.nodes.len()], vec![None; clip.signals.len()]);
        Self { clip, nodes, signals, tracks: vec![None; clip.tracks.len()] }
    }

    /// Notes the non-finite results of a pose that is printed.
    pub(super) fn look(&mut self, pose: &Pose) {
        for (node, occurrences) in pose.nodes.iter().zip(&mut self.nodes) {
            if !(node.local.is_finite() && node.world.is_finite()) {
                add(occurrences, pose.time);
            }
        }
        for (value, occurrences) in pose.signals.iter().zip(&mut self.signals) {
            if !is_finite(value) {
                add(occurrences, pose.time);
            }
        }
    }

    /// Notes a non-finite value of the track with this index that is printed.
    pub(super) fn look_at_track(&mut self, index: usize, value: &Value, time: f64) {
        if !is_finite(value) {
            add(&mut self.tracks[index], time);
        }
    }

    /// The messages about the file at `path`: at most one for nodes, one for signals, one for tracks.
    pub(super) fn messages<'p>(&self, path: &'p str) -> Vec<Message<'p>> {
        let nodes = self.clip.nodes.iter().map(|node| node.name.as_str());
        let signals = self.clip.signals.iter().map(|signal| signal.name.as_str());
        let owner = |track: &'a Track| match self.clip.owner_name(track.owner) {
            "" => track.property.clone(),
            owner => format!("{owner}.{}", track.property),
        };
        let tracks: Vec<String> = match self.tracks.iter().any(Option::is_some) {
            true => self.clip.tracks.iter().map(owner).collect(),
            false => Vec::new(),
        };
        let tracks = text(tracks.iter().map(String::as_str), &self.tracks);
        let (nodes, signals) = (text(nodes, &self.nodes), text(signals, &self.signals));
        [("nodes", nodes), ("signals", signals), ("tracks", tracks)]
            .into_iter()
            .filter_map(|(what, names)| {
                let message =
                    format!("NaN or infinite results; printed as null. The {what}: {}", names?);
                Some(Message::of_results(path, self.clip.format, message))
            })
            .collect()
    }
}

fn is_finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_finite(),
        Value::Numbers(numbers) => numbers.iter().all(|number| number.is_finite()),
        _ => true,
    }
}

fn add(occurrences: &mut Option<Occurrences>, time: f64) {
    occurrences.get_or_insert(Occurrences { count: 0, first: time }).count += 1;
}

/// The names of those that had such results, and when.
fn text<'a>(
    names: impl Iterator<Item = &'a str>,
    occurrences: &[Option<Occurrences>],
) -> Option<String> {
    let listed: Vec<_> = names
        .zip(occurrences)
        .filter_map(|(name, occurrences)| {
            let Occurrences { count, first } = (*occurrences)?;
            Some(match count {
                1 => format!("{name:?} (at {first} s)"),
                _ => format!("{name:?} (at {count} times, first at {first} s)"),
            })
        })
        .collect();
    (!listed.is_empty()).then(|| some_of(&listed))
}
