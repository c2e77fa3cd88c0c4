//! Prints the result of a comparison, as JSON and as a table.

use std::io::{self, Write};

use serde::Serialize;

use super::ComparisonResult;
use mutoscope_core::{
    clip::Clip,
    diagnostics::escape_control_chars,
    diagnostics::format_count,
    measure::compare::{Alignment, Deviation, Timing},
};

#[derive(Serialize)]
pub(super) struct ComparisonJson<'a> {
    first: String,
    second: String,
    offset: f64,
    rate: f64,
    from: f64,
    to: f64,
    times: usize,
    alignment: Option<AlignmentJson>,
    joints: Vec<JointJson<'a>>,
}

#[derive(Serialize)]
struct AlignmentJson {
    offset: f64,
    correlation: f64,
    certain: bool,
    interval: f64,
    runner_up: Option<RunnerUpJson>,
}

#[derive(Serialize)]
struct RunnerUpJson {
    offset: f64,
    correlation: f64,
}

#[derive(Serialize)]
struct JointJson<'a> {
    first: &'a str,
    second: &'a str,
    /// The number of times at which both joints are visible. If it is 0, all measures are `None`.
    seen: usize,
    max: Option<f64>,
    max_at: Option<f64>,
    rms: Option<f64>,
    rms_in_place: Option<f64>,
    mean: Option<[f64; 3]>,
    max_angle: Option<f64>,
    rms_angle: Option<f64>,
}

impl ComparisonResult {
    pub(super) fn to_json<'a>(
        &self,
        [first_name, second_name]: [String; 2],
        [first, second]: [&'a Clip; 2],
    ) -> ComparisonJson<'a> {
        let joint = |deviation: &Deviation| {
            let measured = |value: f64| (deviation.visible_count > 0).then_some(value);
            JointJson {
                first: &first.nodes[deviation.joints.first].name,
                second: &second.nodes[deviation.joints.second].name,
                seen: deviation.visible_count,
                max: measured(deviation.max),
                max_at: measured(deviation.max_at),
                rms: measured(deviation.rms),
                rms_in_place: measured(deviation.rms_in_place),
                mean: (deviation.visible_count > 0).then(|| deviation.mean_offset.to_array()),
                max_angle: measured(deviation.max_angle.to_degrees()),
                rms_angle: measured(deviation.rms_angle.to_degrees()),
            }
        };
        let alignment = self.alignment.map(|alignment| AlignmentJson {
            offset: alignment.offset,
            correlation: alignment.correlation,
            certain: alignment.is_certain(),
            interval: alignment.interval,
            runner_up: alignment
                .runner_up
                .map(|(offset, correlation)| RunnerUpJson { offset, correlation }),
        });
        ComparisonJson {
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

    pub(super) fn print_text(
        &self,
        names: &[String; 2],
        clips: [&Clip; 2],
        out: &mut impl Write,
    ) -> io::Result<()> {
        for (name, clip) in names.iter().zip(clips) {
            let (from, to) =
                (round_to_microseconds(clip.span.start), round_to_microseconds(clip.span.end()));
            let (name, subject) = (escape_control_chars(name), escape_control_chars(&clip.subject));
            writeln!(out, "{name}: {}, {subject} from {from} to {to} s", clip.format)?;
        }
        let Timing { offset, rate } = self.comparison.timing;
        write!(out, "offset {} s", round_to_microseconds(offset))?;
        writeln!(out, "{}", if rate == 1.0 { String::new() } else { format!(", rate {rate}") })?;
        if let Some(alignment) = self.alignment {
            print_alignment(&alignment, out)?;
        }
        let (from, to) = (
            round_to_microseconds(self.comparison.range.0),
            round_to_microseconds(self.comparison.range.1),
        );
        writeln!(
            out,
            "compared from {from} to {to} s at {}\n",
            format_count(self.comparison.times.len(), "time")
        )?;
        self.print_table(clips, out)
    }

    fn print_table(&self, [first, second]: [&Clip; 2], out: &mut impl Write) -> io::Result<()> {
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
        for deviation in &self.comparison.deviations {
            let names = [
                &first.nodes[deviation.joints.first].name,
                &second.nodes[deviation.joints.second].name,
            ];
            let format_number = |number: f64, digits: usize| match deviation.visible_count {
                0 => "–".to_owned(),
                _ => format!("{number:.digits$}"),
            };
            rows.push([
                escape_control_chars(names[0]).into_owned(),
                escape_control_chars(names[1]).into_owned(),
                deviation.visible_count.to_string(),
                format_number(deviation.max, 5),
                format_number(deviation.max_at, 3),
                format_number(deviation.rms, 5),
                format_number(deviation.rms_in_place, 5),
                format_number(deviation.max_angle.to_degrees(), 2),
                format_number(deviation.rms_angle.to_degrees(), 2),
            ]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..head.len()).map(|column| width(column).unwrap_or(0)).collect();
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Align names to the left and numbers to the right.
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

fn print_alignment(alignment: &Alignment, out: &mut impl Write) -> io::Result<()> {
    write!(
        out,
        "aligned by the speeds of the joints, to {:.4} s: correlation {:.3}",
        alignment.interval, alignment.correlation
    )?;
    match alignment.runner_up {
        _ if !alignment.is_significant() => {
            writeln!(out, "; uncertain: unrelated motion may correlate as much")
        }
        Some((offset, correlation)) if !alignment.is_unambiguous() => {
            writeln!(out, "; ambiguous: {correlation:.3} at {} s", round_to_microseconds(offset))
        }
        _ => writeln!(out),
    }
}

/// Rounds a time to microseconds. Adding 0 turns −0 into 0.
fn round_to_microseconds(time: f64) -> f64 {
    (time * 1e6).round() / 1e6 + 0.0
}
