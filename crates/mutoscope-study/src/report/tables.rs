//! The tables of a report, column by column.

use std::collections::HashMap;

use super::RecordingReport;
use crate::{
    Number, RangeMeasures,
    gaze::{AreaMeasures, DwellEvent, FixationEvent, Saccade},
    hands::{Movement, Pinch},
};

/// A table of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportTable {
    /// Its name, which is part of the name of its file; empty for the table of ranges.
    pub name: &'static str,
    /// Its columns, all of the same length.
    pub columns: Vec<TableColumn>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// Its cells, row by row.
    pub cells: Cells,
}

/// The cells of a column; `None` where a value is unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Text.
    Text(Vec<Option<String>>),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Counts.
    Counts(Vec<Option<u64>>),
    /// True or false.
    Flags(Vec<bool>),
}

impl Cells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Numbers(cells) => cells.len(),
            Self::Counts(cells) => cells.len(),
            Self::Flags(cells) => cells.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All tables of the recordings of a report: ranges, areas, movements, pinches, saccades, fixations, dwells; also those without rows.
pub fn tables(recordings: &[RecordingReport]) -> Vec<ReportTable> {
    vec![
        ranges(recordings),
        areas(recordings),
        movements(recordings),
        pinches(recordings),
        saccades(recordings),
        fixations(recordings),
        dwells(recordings),
    ]
}

/// The rows of a table: a recording and something of it.
struct Rows<'a, T> {
    rows: Vec<(&'a RecordingReport, &'a T)>,
    columns: Vec<TableColumn>,
}

impl<'a, T> Rows<'a, T> {
    /// A table that begins with the path and the animation of each recording.
    fn of(
        recordings: &'a [RecordingReport],
        items: impl Fn(&'a RecordingReport) -> &'a [T],
    ) -> Self {
        let rows = recordings
            .iter()
            .flat_map(|recording| items(recording).iter().map(move |item| (recording, item)));
        let mut table = Self { rows: rows.collect(), columns: Vec::new() };
        let paths = table.rows.iter().map(|(recording, _)| Some(recording.path.clone())).collect();
        table.push("path", Cells::Text(paths));
        let animations =
            table.rows.iter().map(|(recording, _)| recording.animation.clone()).collect();
        table.push("animation", Cells::Text(animations));
        table
    }

    fn push(&mut self, name: &str, cells: Cells) {
        self.columns.push(TableColumn { name: name.to_owned(), cells });
    }

    fn text(mut self, name: &str, text: impl Fn(&T) -> Option<&str>) -> Self {
        let cells = self.rows.iter().map(|(_, item)| text(item).map(str::to_owned)).collect();
        self.push(name, Cells::Text(cells));
        self
    }

    fn number(mut self, name: &str, number: impl Fn(&T) -> Option<f64>) -> Self {
        let finite = |number: &f64| number.is_finite();
        let cells = self.rows.iter().map(|(_, item)| number(item).filter(finite)).collect();
        self.push(name, Cells::Numbers(cells));
        self
    }

    fn count(mut self, name: &str, count: impl Fn(&T) -> Option<usize>) -> Self {
        let cells =
            self.rows.iter().map(|(_, item)| count(item).map(|count| count as u64)).collect();
        self.push(name, Cells::Counts(cells));
        self
    }

    fn flag(mut self, name: &str, flag: impl Fn(&T) -> bool) -> Self {
        let cells = self.rows.iter().map(|(_, item)| flag(item)).collect();
        self.push(name, Cells::Flags(cells));
        self
    }

    fn vector(self, name: &str, vector: impl Fn(&T) -> [f64; 3]) -> Self {
        (0..3).zip(["x", "y", "z"]).fold(self, |table, (axis, end)| {
            table.number(&format!("{name}_{end}"), |item| Some(vector(item)[axis]))
        })
    }

    fn table(self, name: &'static str) -> ReportTable {
        ReportTable { name, columns: self.columns }
    }
}

fn ranges(recordings: &[RecordingReport]) -> ReportTable {
    let mut table = Rows::of(recordings, |recording| &recording.ranges)
        .text("label", |range: &RangeMeasures| Some(&range.label))
        .text("tier", |range| range.tier.as_deref())
        .number("start_s", |range| Some(range.start_s))
        .number("end_s", |range| Some(range.end_s));
    let (mut names, mut columns): (Vec<&str>, HashMap<&str, Vec<Number>>) = Default::default();
    for (row, (_, range)) in table.rows.iter().enumerate() {
        for (name, number) in range.measures.iter() {
            let column = columns.entry(name).or_insert_with(|| {
                names.push(name);
                Vec::new()
            });
            column.resize(row, Number::Unknown);
            column.push(number);
        }
    }
    let rows = table.rows.len();
    let measures: Vec<TableColumn> = names
        .into_iter()
        .filter_map(|name| {
            let mut numbers = columns.remove(name)?;
            numbers.resize(rows, Number::Unknown);
            let is_count = numbers.iter().any(|number| matches!(number, Number::Count(_)));
            let count = |number: &Number| match number {
                Number::Count(count) => Some(*count as u64),
                Number::Real(_) | Number::Unknown => None,
            };
            let cells = match is_count {
                true => Cells::Counts(numbers.iter().map(count).collect()),
                false => Cells::Numbers(numbers.iter().map(|number| number.value()).collect()),
            };
            Some(TableColumn { name: name.to_owned(), cells })
        })
        .collect();
    table.columns.extend(measures);
    table.table("")
}

/// An area of a range.
fn areas(recordings: &[RecordingReport]) -> ReportTable {
    let ranges = recordings
        .iter()
        .flat_map(|recording| recording.ranges.iter().map(move |range| (recording, range)));
    let rows: Vec<(&RecordingReport, (&RangeMeasures, &AreaMeasures))> = ranges
        .flat_map(|(recording, range)| {
            range.areas.iter().map(move |area| (recording, (range, area)))
        })
        .collect();
    let items: Vec<_> = rows.iter().map(|(recording, item)| (*recording, item)).collect();
    let table = Rows { rows: items, columns: Vec::new() };
    let paths = table.rows.iter().map(|(recording, _)| Some(recording.path.clone())).collect();
    let animations = table.rows.iter().map(|(recording, _)| recording.animation.clone()).collect();
    let mut table = table;
    table.push("path", Cells::Text(paths));
    table.push("animation", Cells::Text(animations));
    table
        .text("label", |(range, _)| Some(&range.label))
        .text("tier", |(range, _)| range.tier.as_deref())
        .number("start_s", |(range, _)| Some(range.start_s))
        .number("end_s", |(range, _)| Some(range.end_s))
        .text("area", |(_, area)| Some(&area.area))
        .count("fixations", |(_, area)| area.fixations)
        .number("first_fixation_s", |(_, area)| area.first_fixation_s)
        .number("fixation_s", |(_, area)| area.fixation_s)
        .count("dwells", |(_, area)| area.dwells)
        .number("first_dwell_s", |(_, area)| area.first_dwell_s)
        .number("dwell_s", |(_, area)| area.dwell_s)
        .number("dwell_mean_s", |(_, area)| area.dwell_mean_s)
        .number("dwell_share", |(_, area)| area.dwell_share)
        .count("revisits", |(_, area)| area.revisits)
        .table("areas")
}

fn movements(recordings: &[RecordingReport]) -> ReportTable {
    Rows::of(recordings, |recording| &recording.events.movements)
        .text("hand", |one: &Movement| Some(one.hand))
        .number("start_s", |one| Some(one.start_s))
        .number("end_s", |one| Some(one.end_s))
        .number("duration_s", |one| Some(one.duration_s))
        .number("path_m", |one| Some(one.path_m))
        .number("displacement_m", |one| Some(one.displacement_m))
        .number("straightness", |one| Some(one.straightness))
        .number("peak_speed_mps", |one| Some(one.peak_speed_mps))
        .number("mean_speed_mps", |one| Some(one.mean_speed_mps))
        .number("time_to_peak_s", |one| Some(one.time_to_peak_s))
        .count("speed_peaks", |one| Some(one.speed_peaks))
        .number("ldlj", |one| Some(one.ldlj))
        .number("sparc", |one| Some(one.sparc))
        .flag("cut", |one| one.cut)
        .table("movements")
}

fn pinches(recordings: &[RecordingReport]) -> ReportTable {
    Rows::of(recordings, |recording| &recording.events.pinches)
        .text("hand", |one: &Pinch| Some(one.hand))
        .number("start_s", |one| Some(one.start_s))
        .number("end_s", |one| Some(one.end_s))
        .number("duration_s", |one| Some(one.duration_s))
        .number("aperture_peak_m", |one| one.aperture_peak_m)
        .number("aperture_peak_s", |one| one.aperture_peak_s)
        .number("closing_speed_mps", |one| one.closing_speed_mps)
        .number("reach_start_s", |one| one.reach_start_s)
        .number("reach_s", |one| one.reach_s)
        .number("reach_time_to_peak_speed_s", |one| one.reach_time_to_peak_speed_s)
        .number("reach_time_to_peak_aperture_s", |one| one.reach_time_to_peak_aperture_s)
        .number("gaze_lead_s", |one| one.gaze_lead_s)
        .number("gaze_lead_onset_s", |one| one.gaze_lead_onset_s)
        .table("pinches")
}

fn saccades(recordings: &[RecordingReport]) -> ReportTable {
    Rows::of(recordings, |recording| &recording.events.saccades)
        .number("start_s", |one: &Saccade| Some(one.start_s))
        .number("end_s", |one| Some(one.end_s))
        .number("duration_s", |one| Some(one.duration_s))
        .number("amplitude_deg", |one| Some(one.amplitude_deg))
        .number("peak_velocity_degps", |one| Some(one.peak_velocity_degps))
        .number("mean_velocity_degps", |one| Some(one.mean_velocity_degps))
        .number("head_deg", |one| one.head_deg)
        .table("saccades")
}

fn fixations(recordings: &[RecordingReport]) -> ReportTable {
    Rows::of(recordings, |recording| &recording.events.fixations)
        .number("start_s", |one: &FixationEvent| Some(one.start_s))
        .number("end_s", |one| Some(one.end_s))
        .number("duration_s", |one| Some(one.duration_s))
        .vector("direction", |one| one.direction)
        .vector("origin", |one| one.origin)
        .table("fixations")
}

fn dwells(recordings: &[RecordingReport]) -> ReportTable {
    Rows::of(recordings, |recording| &recording.events.dwells)
        .text("area", |one: &DwellEvent| Some(&one.area))
        .number("start_s", |one| Some(one.start_s))
        .number("end_s", |one| Some(one.end_s))
        .number("duration_s", |one| Some(one.duration_s))
        .table("dwells")
}
