//! `compare`: how far the joints of one recording are from those of another.

use std::io::{self, Write};

use serde::Serialize;

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

/// What `--json` prints.
#[derive(Serialize)]
struct Lines<'a> {
    first: String,
    second: String,
    offset: f64,
    rate: f64,
    from: f64,
    to: f64,
    times: usize,
    alignment: Option<AlignmentLine>,
    joints: Vec<JointLine<'a>>,
}

#[derive(Serialize)]
struct AlignmentLine {
    offset: f64,
    correlation: f64,
    certain: bool,
    interval: f64,
    runner_up: Option<RunnerUp>,
}

#[derive(Serialize)]
struct RunnerUp {
    offset: f64,
    correlation: f64,
}

#[derive(Serialize)]
struct JointLine<'a> {
    first: &'a str,
    second: &'a str,
    /// At how many times both are to be seen; without any, the numbers are null.
    seen: usize,
    max: Option<f64>,
    max_at: Option<f64>,
    rms: Option<f64>,
    rms_in_place: Option<f64>,
    mean: Option<[f64; 3]>,
    max_angle: Option<f64>,
    rms_angle: Option<f64>,
}

impl Comparison {
    fn lines<'a>(&self, args: &CompareArgs, [first, second]: [&'a Clip; 2]) -> Lines<'a> {
        let joint = |deviation: &Deviation| {
            let of_seen = |number: f64| (deviation.seen > 0).then_some(number);
            JointLine {
                first: &first.nodes[deviation.joints.first].name,
                second: &second.nodes[deviation.joints.second].name,
                seen: deviation.seen,
                max: of_seen(deviation.max),
                max_at: of_seen(deviation.max_at),
                rms: of_seen(deviation.rms),
                rms_in_place: of_seen(deviation.rms_in_place),
                mean: (deviation.seen > 0).then(|| deviation.mean.to_array()),
                max_angle: of_seen(deviation.max_angle.to_degrees()),
                rms_angle: of_seen(deviation.rms_angle.to_degrees()),
            }
        };
        let alignment = self.alignment.map(|found| AlignmentLine {
            offset: found.offset,
            correlation: found.correlation,
            certain: found.is_certain(),
            interval: found.interval,
            runner_up: found
                .runner_up
                .map(|(offset, correlation)| RunnerUp { offset, correlation }),
        });
        Lines {
            first: args.first.to_string(),
            second: args.second.to_string(),
            offset: self.timing.offset,
            rate: self.timing.rate,
            from: self.range.0,
            to: self.range.1,
            times: self.times,
            alignment,
            joints: self.deviations.iter().map(joint).collect(),
        }
    }

    fn print(&self, args: &CompareArgs, clips: [&Clip; 2], out: &mut impl Write) -> io::Result<()> {
        for (source, clip) in [&args.first, &args.second].iter().zip(clips) {
            let (from, to) = (clip.span.start, clip.span.end());
            writeln!(out, "{source}: {}, {} from {from} to {to} s", clip.format, clip.subject)?;
        }
        let Timing { offset, rate } = self.timing;
        write!(out, "the second begins its time 0 at {offset} s")?;
        writeln!(
            out,
            "{}",
            if rate == 1.0 { String::new() } else { format!(", {rate} times as fast") }
        )?;
        if let Some(found) = self.alignment {
            print_alignment(&found, out)?;
        }
        let (from, to) = self.range;
        writeln!(out, "compared from {from} to {to} s at {} times\n", self.times)?;
        self.table(clips, out)
    }

    fn table(&self, [first, second]: [&Clip; 2], out: &mut impl Write) -> io::Result<()> {
        let head =
            ["joint", "second's", "seen", "max m", "at s", "rms m", "in place m", "max °", "rms °"];
        let mut rows = vec![head.map(str::to_owned)];
        for one in &self.deviations {
            let names =
                [&first.nodes[one.joints.first].name, &second.nodes[one.joints.second].name];
            let number = |number: f64, digits: usize| match one.seen {
                0 => "–".to_owned(),
                _ => format!("{number:.digits$}"),
            };
            rows.push([
                names[0].clone(),
                names[1].clone(),
                one.seen.to_string(),
                number(one.max, 5),
                number(one.max_at, 3),
                number(one.rms, 5),
                number(one.rms_in_place, 5),
                number(one.max_angle.to_degrees(), 2),
                number(one.rms_angle.to_degrees(), 2),
            ]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0)).collect();
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Names to the left, numbers to the right.
                line += &if column < 2 {
                    format!("{cell:<width$}  ")
                } else {
                    format!("{cell:>width$}  ")
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn print_alignment(found: &Alignment, out: &mut impl Write) -> io::Result<()> {
    write!(
        out,
        "aligned by the speeds of the joints, to {:.4} s: correlation {:.3}",
        found.interval, found.correlation
    )?;
    match found.runner_up {
        Some((offset, correlation)) if !found.is_certain() => {
            writeln!(out, "; uncertain: {correlation:.3} at {offset:.3} s")
        }
        _ => writeln!(out),
    }
}
