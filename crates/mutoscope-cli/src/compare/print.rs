//! The result of a comparison, as JSON and as a table.

use std::io::{self, Write};

use serde::Serialize;

use super::Answer;
use mutoscope_core::{
    clip::Clip,
    diagnostics::printable,
    measure::compare::{Alignment, Deviation, Timing},
};

/// The output of `--json`.
#[derive(Serialize)]
pub(super) struct Lines<'a> {
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
    /// At how many times both are visible; without any, the numbers are null.
    seen: usize,
    max: Option<f64>,
    max_at: Option<f64>,
    rms: Option<f64>,
    rms_in_place: Option<f64>,
    mean: Option<[f64; 3]>,
    max_angle: Option<f64>,
    rms_angle: Option<f64>,
}

impl Answer {
    pub(super) fn lines<'a>(
        &self,
        [first_name, second_name]: [String; 2],
        [first, second]: [&'a Clip; 2],
    ) -> Lines<'a> {
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
            first: first_name,
            second: second_name,
            offset: self.comparison.timing.offset,
            rate: self.comparison.timing.rate,
            from: self.comparison.range.0,
            to: self.comparison.range.1,
            times: self.comparison.times.len(),
            alignment,
            joints: self.comparison.deviations.iter().map(joint).collect(),
        }
    }

    pub(super) fn print(
        &self,
        names: &[String; 2],
        clips: [&Clip; 2],
        out: &mut impl Write,
    ) -> io::Result<()> {
        for (name, clip) in names.iter().zip(clips) {
            let (from, to) = (seconds(clip.span.start), seconds(clip.span.end()));
            let (name, subject) = (printable(name), printable(&clip.subject));
            writeln!(out, "{name}: {}, {subject} from {from} to {to} s", clip.format)?;
        }
        let Timing { offset, rate } = self.comparison.timing;
        write!(out, "offset {} s", seconds(offset))?;
        writeln!(out, "{}", if rate == 1.0 { String::new() } else { format!(", rate {rate}") })?;
        if let Some(found) = self.alignment {
            print_alignment(&found, out)?;
        }
        let (from, to) = (seconds(self.comparison.range.0), seconds(self.comparison.range.1));
        writeln!(out, "compared from {from} to {to} s at {} times\n", self.comparison.times.len())?;
        self.table(clips, out)
    }

    fn table(&self, [first, second]: [&Clip; 2], out: &mut impl Write) -> io::Result<()> {
        let head = [
            "joint",
            "joint of B",
            "seen",
            "max m",
            "at s",
            "rms m",
            "in place m",
            "max °",
            "rms °",
        ];
        let mut rows = vec![head.map(str::to_owned)];
        for one in &self.comparison.deviations {
            let names =
                [&first.nodes[one.joints.first].name, &second.nodes[one.joints.second].name];
            let number = |number: f64, digits: usize| match one.seen {
                0 => "–".to_owned(),
                _ => format!("{number:.digits$}"),
            };
            rows.push([
                printable(names[0]).into_owned(),
                printable(names[1]).into_owned(),
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
        _ if !found.is_beyond_chance() => {
            writeln!(out, "; uncertain: unrelated motion may correlate as much")
        }
        Some((offset, correlation)) if !found.is_unambiguous() => {
            writeln!(out, "; ambiguous: {correlation:.3} at {} s", seconds(offset))
        }
        _ => writeln!(out),
    }
}

/// A time as people read it: to the microsecond, without trailing zeros.
fn seconds(time: f64) -> f64 {
    (time * 1e6).round() / 1e6 + 0.0
}
