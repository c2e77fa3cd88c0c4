//! `compare`: how far the joints of recordings are from those of a reference.

mod print;

use std::io::{self, Write};

use super::{CompareArgs, Input, Message, Reader, Source, Status, json, report, tell};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{Alignment, Comparison, JointPair, Timing, align, pair_joints},
};

pub(super) fn run(args: &CompareArgs, reader: &Reader, out: &mut impl Write) -> io::Result<Status> {
    let first = open(reader, &args.first);
    let Some(reference) = report(&first) else { return Ok(Status::Failed) };
    let mut all_done = true;
    for (index, source) in args.others.iter().enumerate() {
        let other = open(reader, source);
        let Some(clip) = report(&other) else {
            all_done = false;
            continue;
        };
        let names = [args.first.to_string(), source.to_string()];
        match compare(args, [reference, clip]) {
            Ok(answer) if args.json => {
                json::line(out, &answer.lines(names, [reference, clip]))?;
            }
            Ok(answer) => {
                if index > 0 {
                    writeln!(out)?;
                }
                answer.print(&names, [reference, clip], out)?;
            }
            Err(message) => {
                tell(Message::about_file(&other.name, message));
                all_done = false;
            }
        }
    }
    Ok(Status::done_if(all_done))
}

/// A skeleton is for those of the recordings that take it.
pub(super) fn open(reader: &Reader, source: &Source) -> Input {
    match source {
        Source::File(_) => reader.open_if_recognised(source).unwrap_or_else(|| reader.open(source)),
        Source::Stdin | Source::Memory(_) => reader.open(source),
    }
}

/// The result.
struct Answer {
    comparison: Comparison,
    alignment: Option<Alignment>,
}

fn compare(args: &CompareArgs, clips: [&Clip; 2]) -> Result<Answer, String> {
    let pairs = pairs(args, clips)?;
    let mut timing = Timing { offset: args.offset.unwrap_or(0.0), rate: args.rate };
    let alignment = match args.align {
        false => None,
        true => {
            let found = align(clips, &pairs, args.rate);
            Some(found.map_err(|why| format!("cannot be aligned: {why}"))?)
        }
    };
    if let Some(alignment) = alignment {
        timing.offset = alignment.offset;
    }
    let comparison = Comparison::new(clips, &pairs, timing).map_err(|why| why.to_string())?;
    Ok(Answer { comparison, alignment })
}

/// The requested joints, or else all that both have.
fn pairs(args: &CompareArgs, clips: [&Clip; 2]) -> Result<Vec<JointPair>, String> {
    let all = pair_joints(clips[0], clips[1]);
    if args.joints.is_empty() {
        return match all.is_empty() {
            true => {
                Err("no joints match by name; nothing compared. --joint NAME=OTHER names a pair"
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
    like.ok_or_else(|| format!("it has no match for {joint:?}; --joint {joint}=OTHER names one"))
}
