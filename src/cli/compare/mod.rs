//! `compare`: how far the joints of one recording are from those of another.

mod print;

use std::io::{self, Write};

use super::{CompareArgs, Input, Message, Reader, Source, Status, json, tell};
use crate::{
    clip::{Clip, NodeId},
    compare::{Alignment, Deviation, JointPair, Timing, align, deviations, pair_joints},
};

/// How many times are looked at, at most.
const MOST: usize = 20_000;

pub(super) fn run(args: &CompareArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let [one, other] = [&args.first, &args.second].map(|source| open(reader, source));
    let (Some(first), Some(second)) = (one.report(), other.report()) else {
        return Ok(Status::Failed);
    };
    match compare(args, [first, second]) {
        Ok(comparison) if args.json => {
            json::line(out, &comparison.lines(args, [first, second]))?;
            Ok(Status::Done)
        }
        Ok(comparison) => {
            comparison.print(args, [first, second], out)?;
            Ok(Status::Done)
        }
        Err(message) => {
            tell(Message::about_file(&other.name, message));
            Ok(Status::Failed)
        }
    }
}

/// A skeleton is for those of the two that take it.
fn open(reader: &Reader, source: &Source) -> Input {
    match source {
        Source::File(_) => reader.open_if_recognised(source).unwrap_or_else(|| reader.open(source)),
        Source::Stdin => reader.open(source),
    }
}

/// What there is to say.
struct Comparison {
    timing: Timing,
    alignment: Option<Alignment>,
    /// From when to when both play, in seconds of the first, and how often that was looked at.
    range: (f64, f64),
    times: usize,
    deviations: Vec<Deviation>,
}

fn compare(args: &CompareArgs, clips: [&Clip; 2]) -> Result<Comparison, String> {
    let pairs = pairs(args, clips)?;
    let mut timing = Timing { offset: args.offset.unwrap_or(0.0), rate: args.rate };
    let alignment = match args.align {
        false => None,
        true => {
            let firsts: Vec<NodeId> = pairs.iter().map(|pair| pair.first).collect();
            let seconds: Vec<NodeId> = pairs.iter().map(|pair| pair.second).collect();
            let found = align(clips, [&firsts, &seconds], args.rate);
            Some(found.map_err(|why| format!("cannot be aligned: {why}"))?)
        }
    };
    if let Some(alignment) = alignment {
        timing.offset = alignment.offset;
    }
    let [first, second] = clips;
    let range = timing
        .common(first.span, second.span)
        .ok_or("the two never play at the same time with this offset")?;
    let times = times(clips, timing, *range.start(), *range.end());
    let deviations = deviations(clips, &pairs, timing, &times);
    let range = range.into_inner();
    Ok(Comparison { timing, alignment, range, times: times.len(), deviations })
}

/// The joints that are asked for, or else all that both have.
fn pairs(args: &CompareArgs, clips: [&Clip; 2]) -> Result<Vec<JointPair>, String> {
    let all = pair_joints(clips[0], clips[1]);
    if args.joints.is_empty() {
        return match all.is_empty() {
            true => {
                Err("no joint is called as one of the first: --joint NAME=OTHER names two that \
                         are the same"
                    .to_owned())
            }
            false => Ok(all),
        };
    }
    args.joints.iter().map(|joint| pair(joint, &all, clips)).collect()
}

fn pair(joint: &str, all: &[JointPair], [first, second]: [&Clip; 2]) -> Result<JointPair, String> {
    let named = |clip: &Clip, name: &str| {
        clip.nodes.iter().position(|node| node.name == name).map(NodeId::new)
    };
    let of_first =
        |name: &str| named(first, name).ok_or_else(|| format!("the first has no joint {name:?}"));
    // A name may have an = of its own.
    if let (None, Some((one, other))) = (named(first, joint), joint.split_once('=')) {
        let of_second = named(second, other).ok_or_else(|| format!("it has no joint {other:?}"));
        return Ok(JointPair { first: of_first(one)?, second: of_second? });
    }
    let id = of_first(joint)?;
    let like = all.iter().copied().find(|pair| pair.first == id);
    like.ok_or_else(|| format!("it has no joint like {joint:?}: --joint {joint}=OTHER names one"))
}

/// The times at which either has keys, in seconds of the first; so many that are spread evenly if
/// there are more than can be looked at.
fn times([first, second]: [&Clip; 2], timing: Timing, from: f64, to: f64) -> Vec<f64> {
    let mut times = first.sample_times();
    times.extend(second.sample_times().into_iter().map(|time| timing.first(time)));
    times.retain(|time| from < *time && *time < to);
    times.extend([from, to]);
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    if times.len() > MOST {
        let step = (to - from) / (MOST - 1) as f64;
        times = (0..MOST).map(|index| from + index as f64 * step).collect();
    }
    times
}
