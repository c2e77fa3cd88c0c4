//! Writes how many recordings have each problem, and the distribution of the worst value of each check,
//! so that a person can choose thresholds.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
};

use mutoscope_core::diagnostics::Severity;

use super::{
    axis::Scale,
    html::{ShortNumber, escape, number_cell},
};
use crate::{
    report::Report,
    verdict::{Limit, WorstValue},
};

const BINS: usize = 24;
/// The size of a histogram.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 36.0;

/// Smaller values are all in the first bin: the share of the threshold.
const MIN_VALUE_SHARE: f64 = 1e-3;

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let tallies = || report.recordings.iter().map(|recording| &recording.checks);
    let mut problems: BTreeMap<&str, Problems> = BTreeMap::new();
    for (code, (severity, count)) in tallies().flat_map(|tally| &tally.problems) {
        let all = problems.entry(code).or_insert(Problems { severity: *severity, ..NO_PROBLEMS });
        all.severity = all.severity.max(*severity);
        all.recordings += 1;
        all.count += count;
    }
    let mut values: BTreeMap<(&str, &str), Vec<WorstValue>> = BTreeMap::new();
    for worst in tallies().flat_map(|tally| &tally.worst_values) {
        values.entry((worst.code.as_str(), worst.measured.name)).or_default().push(*worst);
    }
    if problems.is_empty() && values.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section id=\"checks\">\n<h2>Checks</h2>")?;
    write_problems(&problems, out)?;
    write_values(values, out)?;
    writeln!(out, "</section>")
}

/// The problems with one code, in all recordings.
struct Problems {
    severity: Severity,
    recordings: usize,
    count: usize,
}

const NO_PROBLEMS: Problems = Problems { severity: Severity::Info, recordings: 0, count: 0 };

fn write_problems(problems: &BTreeMap<&str, Problems>, out: &mut dyn Write) -> io::Result<()> {
    if problems.is_empty() {
        return writeln!(out, "<p>no issues</p>");
    }
    let columns = "<th>Issue</th><th>severity</th><th>recordings</th><th>issues</th>";
    writeln!(
        out,
        "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr>{columns}</tr></thead>\n<tbody>"
    )?;
    let mut rows: Vec<_> = problems.iter().collect();
    rows.sort_by_key(|(_, all)| std::cmp::Reverse((all.severity, all.recordings, all.count)));
    for (code, Problems { severity, recordings, count }) in rows {
        let counts = [*recordings, *count].map(|count| number_cell("", count.into(), ""));
        writeln!(
            out,
            "<tr><th>{}</th><td class=\"text\">{}</td>{}</tr>",
            escape(code),
            severity.as_str(),
            counts.concat()
        )?;
    }
    writeln!(out, "</tbody></table></div>")
}

fn write_values(
    values: BTreeMap<(&str, &str), Vec<WorstValue>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<h3>Worst values <small>of each recording, on a logarithmic scale. The line is the threshold.</small></h3>\n\
         <div class=\"wide\"><table class=\"sortable\">\n<thead><tr><th>Check</th><th>threshold</th>\
         <th>recordings</th><th>beyond</th><th>median</th><th>worst 5 %</th><th>worst</th>\
         <th>distribution</th></tr></thead>\n<tbody>"
    )?;
    for ((code, name), mut worst) in values {
        // From the best value to the worst.
        worst.sort_by(|a, b| match a.measured.limit {
            Limit::Below => b.value.total_cmp(&a.value),
            Limit::Above | Limit::Duration => a.value.total_cmp(&b.value),
        });
        let WorstValue { measured, threshold, .. } = worst[0];
        let unit = if measured.unit == "1" { "" } else { measured.unit };
        let beyond = worst.iter().filter(|one| one.is_problem()).count();
        let at_share = |share: f64| worst[((worst.len() - 1) as f64 * share).round() as usize];
        let numbers = [0.5, 0.95, 1.0].map(|share| at_share(share).value);
        let cells: String = [threshold.into(), worst.len().into(), beyond.into()]
            .into_iter()
            .chain(numbers.map(Into::into))
            .map(|number| number_cell("", number, "unknown"))
            .collect();
        writeln!(
            out,
            "<tr><th>{} <small>{name} {unit}</small></th>{cells}<td>{}</td></tr>",
            escape(code),
            draw_histogram(&worst, threshold)
        )?;
    }
    writeln!(out, "</tbody></table></div>")
}

/// Returns a histogram as SVG. Empty if all values are 0.
fn draw_histogram(worst: &[WorstValue], threshold: f64) -> String {
    let values = || worst.iter().map(|one| one.value);
    let positive = || values().chain([threshold]).filter(|value| *value > 0.0);
    let (lowest, highest) =
        (positive().fold(f64::MAX, f64::min), positive().fold(f64::MIN_POSITIVE, f64::max));
    if lowest > highest {
        return String::new();
    }
    // Extend the axis, so that the line of the threshold is never at its end.
    let range = [lowest.max(threshold * MIN_VALUE_SHARE) / 1.2, highest * 1.2];
    let bins = Scale::logarithmic(range, [0.0, BINS as f64]);
    let mut counts = [0_usize; BINS];
    for value in values() {
        let bin = bins.map(value.clamp(range[0], range[1])) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let width = WIDTH / BINS as f64;
    let mut svg = format!(
        "<svg class=\"histogram\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"from {} to {}\">",
        ShortNumber(range[0]),
        ShortNumber(range[1])
    );
    for (bin, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        let height = (HEIGHT - 2.0) * count as f64 / most;
        let [from, to] = [bin, bin + 1].map(|edge| {
            let share = edge as f64 / BINS as f64;
            ShortNumber(range[0] * (range[1] / range[0]).powf(share))
        });
        let _ = write!(
            svg,
            "<rect class=\"gaze\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{from} to {to}: {count}</title></rect>",
            width * bin as f64,
            HEIGHT - height,
            width - 1.0,
        );
    }
    if threshold > 0.0 {
        let x = bins.map(threshold) * width;
        let _ = write!(svg, "<path class=\"fit\" d=\"M{x:.1} 0V{HEIGHT}\"/>");
    }
    svg + "</svg>"
}
