//! Collects NaN and infinite results, which JSON and tables cannot hold. Each node, signal and
//! track is reported once.

use crate::Message;
use mutoscope_core::{
    clip::{Clip, Pose, Track, Value},
    export::list_names,
};

pub(super) struct NonFinite<'a> {
    clip: &'a Clip,
    nodes: Vec<Option<Occurrences>>,
    signals: Vec<Option<Occurrences>>,
    tracks: Vec<Option<Occurrences>>,
}

#[derive(Clone, Copy)]
struct Occurrences {
    count: usize,
    /// The first time with a value that is not finite, in seconds.
    first: f64,
}

impl<'a> NonFinite<'a> {
    pub(super) fn new(clip: &'a Clip) -> Self {
        let (nodes, signals) = (vec![None; clip.nodes.len()], vec![None; clip.signals.len()]);
        Self { clip, nodes, signals, tracks: vec![None; clip.tracks.len()] }
    }

    pub(super) fn record_pose(&mut self, pose: &Pose) {
        for (node, occurrences) in pose.nodes.iter().zip(&mut self.nodes) {
            if !(node.local.is_finite() && node.world.is_finite()) {
                record(occurrences, pose.time);
            }
        }
        for (value, occurrences) in pose.signals.iter().zip(&mut self.signals) {
            if !is_finite(value) {
                record(occurrences, pose.time);
            }
        }
    }

    pub(super) fn record_track_value(&mut self, index: usize, value: &Value, time: f64) {
        if !is_finite(value) {
            record(&mut self.tracks[index], time);
        }
    }

    pub(super) fn messages<'p>(&self, path: &'p str) -> Vec<Message<'p>> {
        let nodes = self.clip.nodes.iter().map(|node| node.name.as_str());
        let signals = self.clip.signals.iter().map(|signal| signal.name.as_str());
        let track_name = |track: &'a Track| match self.clip.owner_name(track.owner) {
            "" => track.property.clone(),
            owner => format!("{owner}.{}", track.property),
        };
        let tracks: Vec<String> = match self.tracks.iter().any(Option::is_some) {
            true => self.clip.tracks.iter().map(track_name).collect(),
            false => Vec::new(),
        };
        let tracks = list_occurrences(tracks.iter().map(String::as_str), &self.tracks);
        let (nodes, signals) =
            (list_occurrences(nodes, &self.nodes), list_occurrences(signals, &self.signals));
        [("nodes", nodes), ("signals", signals), ("tracks", tracks)]
            .into_iter()
            .filter_map(|(what, names)| {
                let message =
                    format!("NaN or infinite results; printed as null. The {what}: {}", names?);
                Some(Message::for_results(path, self.clip.format, message))
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

fn record(occurrences: &mut Option<Occurrences>, time: f64) {
    occurrences.get_or_insert(Occurrences { count: 0, first: time }).count += 1;
}

fn list_occurrences<'a>(
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
    (!listed.is_empty()).then(|| list_names(&listed))
}
