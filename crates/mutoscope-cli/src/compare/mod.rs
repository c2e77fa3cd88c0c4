//! `compare`: measures how far the joints of recordings are from those of a reference.

mod print;

use mutoscope_core::read;
use std::io::{self, Write};

use super::{
    CompareArgs, Input, Message, ReadOptions, Source, Status, json, print_message, report_input,
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{Alignment, Comparison, JointPair, Timing, align, pair_joints},
};

pub(super) fn run(
    args: &CompareArgs,
    read_options: &ReadOptions,
    out: &mut impl Write,
) -> io::Result<Status> {
    let first = open_recording(read_options, &args.reference);
    let Some(reference) = report_input(&first) else { return Ok(Status::Failed) };
    let mut all_done = true;
    for (index, source) in args.others.iter().enumerate() {
        let other = open_recording(read_options, source);
        let Some(clip) = report_input(&other) else {
            all_done = false;
            continue;
        };
        let names = [args.reference.to_string(), source.to_string()];
        match compare(args, [reference, clip]) {
            Ok(result) if args.json => {
                json::write_line(out, &result.to_json(names, [reference, clip]))?;
            }
            Ok(result) => {
                if index > 0 {
                    writeln!(out)?;
                }
                result.print_text(&names, [reference, clip], out)?;
            }
            Err(message) => {
                print_message(Message::for_file(&other.name, message));
                all_done = false;
            }
        }
    }
    Ok(Status::done_if(all_done))
}

/// Reads a recording. A format that does not support the skeleton of `--rig` ignores the skeleton,
/// so that recordings of different formats can be compared.
pub(super) fn open_recording(read_options: &ReadOptions, source: &Source) -> Input {
    match source {
        Source::File(_) => crate::recording_hint::open_if_recognised(
            source,
            read::read_if_recognised(source, read_options),
            read_options,
        )
        .unwrap_or_else(|| Input::open(source, read_options)),
        Source::Stdin | Source::Memory(_) => Input::open(source, read_options),
    }
}

struct ComparisonResult {
    comparison: Comparison,
    alignment: Option<Alignment>,
}

fn compare(args: &CompareArgs, clips: [&Clip; 2]) -> Result<ComparisonResult, String> {
    let pairs = select_pairs(args, clips)?;
    let mut timing = Timing { offset: args.offset.unwrap_or(0.0), rate: args.rate };
    let alignment = match args.align {
        false => None,
        true => {
            let alignment = align(clips, &pairs, args.rate);
            Some(alignment.map_err(|why| format!("cannot be aligned: {why}"))?)
        }
    };
    if let Some(alignment) = alignment {
        timing.offset = alignment.offset;
    }
    let comparison = Comparison::new(clips, &pairs, timing).map_err(|why| why.to_string())?;
    Ok(ComparisonResult { comparison, alignment })
}

fn select_pairs(args: &CompareArgs, clips: [&Clip; 2]) -> Result<Vec<JointPair>, String> {
    let all = pair_joints(clips[0], clips[1]);
    if args.joints.is_empty() {
        return match all.is_empty() {
            true => Err(
                "no joints match by name; nothing compared. Pass --joint NAME=OTHER for each pair"
                    .to_owned(),
            ),
            false => Ok(all),
        };
    }
    args.joints.iter().map(|joint| select_pair(joint, &all, clips)).collect()
}

fn select_pair(
    joint: &str,
    all: &[JointPair],
    [first, second]: [&Clip; 2],
) -> Result<JointPair, String> {
    let find = |clip: &Clip, name: &str| {
        clip.nodes.iter().position(|node| node.name == name).map(NodeId::new)
    };
    let find_in_first =
        |name: &str| find(first, name).ok_or_else(|| format!("A has no joint {name:?}"));
    // Try the whole argument as a name first, because a name may contain `=`.
    if let (None, Some((name, other))) = (find(first, joint), joint.split_once('=')) {
        let in_second = find(second, other).ok_or_else(|| format!("B has no joint {other:?}"));
        return Ok(JointPair { first: find_in_first(name)?, second: in_second? });
    }
    let id = find_in_first(joint)?;
    let matching = all.iter().copied().find(|pair| pair.first == id);
    matching
        .ok_or_else(|| format!("B has no joint that matches {joint:?}. Pass --joint {joint}=OTHER"))
}
