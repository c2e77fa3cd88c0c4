//! Builds the tables of a report, column by column.

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
    /// The name, which becomes part of the file name. Empty for the table of ranges.
    pub name: &'static str,
    /// The columns, all of the same length.
    pub columns: Vec<TableColumn>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    /// The name of the column.
    pub name: String,
    /// The cells, row by row.
    pub cells: Cells,
}

/// The cells of a column. An unknown value is `None`.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Strings.
    Text(Vec<Option<String>>),
    /// Real numbers.
    Numbers(Vec<Option<f64>>),
    /// Counts.
    Counts(Vec<Option<u64>>),
    /// Boolean flags.
    Flags(Vec<bool>),
}

impl Cells {
    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Numbers(cells) => cells.len(),
            Self::Counts(cells) => cells.len(),
            Self::Flags(cells) => cells.len(),
        }
    }

    /// Returns `true` if there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Builds all tables of a report: ranges, areas, movements, pinches, saccades, fixations, dwells.
/// Tables without rows are included.
pub fn build_tables(recordings: &[RecordingReport]) -> Vec<ReportTable> {
    vec![
        ranges_table(recordings),
        areas_table(recordings),
        movements_table(recordings),
        pinches_table(recordings),
        saccades_table(recordings),
        fixations_table(recordings),
        dwells_table(recordings),
    ]
}

struct TableBuilder<'a, T> {
    rows: Vec<(&'a RecordingReport, &'a T)>,
    columns: Vec<TableColumn>,
}

impl<'a, T> TableBuilder<'a, T> {
    fn new(
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

    fn finish(self, name: &'static str) -> ReportTable {
        ReportTable { name, columns: self.columns }
    }
}

fn ranges_table(recordings: &[RecordingReport]) -> ReportTable {
    let mut table = TableBuilder::new(recordings, |recording| &recording.ranges)
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
    table.finish("")
}

fn areas_table(recordings: &[RecordingReport]) -> ReportTable {
    let ranges = recordings
        .iter()
        .flat_map(|recording| recording.ranges.iter().map(move |range| (recording, range)));
    let rows: Vec<(&RecordingReport, (&RangeMeasures, &AreaMeasures))> = ranges
        .flat_map(|(recording, range)| {
            range.areas.iter().map(move |area| (recording, (range, area)))
        })
        .collect();
    let items: Vec<_> = rows.iter().map(|(recording, item)| (*recording, item)).collect();
    let mut table = TableBuilder { rows: items, columns: Vec::new() };
    let paths = table.rows.iter().map(|(recording, _)| Some(recording.path.clone())).collect();
    let animations = table.rows.iter().map(|(recording, _)| recording.animation.clone()).collect();
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
        .number("accuracy_deg", |(_, area)| area.accuracy_deg)
        .finish("areas")
}

fn movements_table(recordings: &[RecordingReport]) -> ReportTable {
    TableBuilder::new(recordings, |recording| &recording.events.movements)
        .text("hand", |movement: &Movement| Some(movement.hand))
        .number("start_s", |movement| Some(movement.start_s))
        .number("end_s", |movement| Some(movement.end_s))
        .number("duration_s", |movement| Some(movement.duration_s))
        .number("path_m", |movement| Some(movement.path_m))
        .number("displacement_m", |movement| Some(movement.displacement_m))
        .number("straightness", |movement| Some(movement.straightness))
        .number("peak_speed_mps", |movement| Some(movement.peak_speed_mps))
        .number("mean_speed_mps", |movement| Some(movement.mean_speed_mps))
        .number("time_to_peak_s", |movement| Some(movement.time_to_peak_s))
        .count("speed_peaks", |movement| Some(movement.speed_peaks))
        .number("ldlj", |movement| Some(movement.ldlj))
        .number("sparc", |movement| Some(movement.sparc))
        .flag("cut", |movement| movement.cut)
        .finish("movements")
}

fn pinches_table(recordings: &[RecordingReport]) -> ReportTable {
    TableBuilder::new(recordings, |recording| &recording.events.pinches)
        .text("hand", |pinch: &Pinch| Some(pinch.hand))
        .number("start_s", |pinch| Some(pinch.start_s))
        .number("end_s", |pinch| Some(pinch.end_s))
        .number("duration_s", |pinch| Some(pinch.duration_s))
        .number("aperture_peak_m", |pinch| pinch.aperture_peak_m)
        .number("aperture_peak_s", |pinch| pinch.aperture_peak_s)
        .number("closing_speed_mps", |pinch| pinch.closing_speed_mps)
        .number("reach_start_s", |pinch| pinch.reach_start_s)
        .number("reach_s", |pinch| pinch.reach_s)
        .number("reach_time_to_peak_speed_s", |pinch| pinch.reach_time_to_peak_speed_s)
        .number("reach_time_to_peak_aperture_s", |pinch| pinch.reach_time_to_peak_aperture_s)
        .number("gaze_lead_s", |pinch| pinch.gaze_lead_s)
        .number("gaze_lead_onset_s", |pinch| pinch.gaze_lead_onset_s)
        .finish("pinches")
}

fn saccades_table(recordings: &[RecordingReport]) -> ReportTable {
    TableBuilder::new(recordings, |recording| &recording.events.saccades)
        .number("start_s", |saccade: &Saccade| Some(saccade.start_s))
        .number("end_s", |saccade| Some(saccade.end_s))
        .number("duration_s", |saccade| Some(saccade.duration_s))
        .number("amplitude_deg", |saccade| Some(saccade.amplitude_deg))
        .number("peak_velocity_degps", |saccade| Some(saccade.peak_velocity_degps))
        .number("mean_velocity_degps", |saccade| Some(saccade.mean_velocity_degps))
        .number("head_deg", |saccade| saccade.head_deg)
        .finish("saccades")
}

fn fixations_table(recordings: &[RecordingReport]) -> ReportTable {
    TableBuilder::new(recordings, |recording| &recording.events.fixations)
        .number("start_s", |fixation: &FixationEvent| Some(fixation.start_s))
        .number("end_s", |fixation| Some(fixation.end_s))
        .number("duration_s", |fixation| Some(fixation.duration_s))
        .vector("direction", |fixation| fixation.direction)
        .vector("origin", |fixation| fixation.origin)
        .finish("fixations")
}

fn dwells_table(recordings: &[RecordingReport]) -> ReportTable {
    TableBuilder::new(recordings, |recording| &recording.events.dwells)
        .text("area", |dwell: &DwellEvent| Some(&dwell.area))
        .number("start_s", |dwell| Some(dwell.start_s))
        .number("end_s", |dwell| Some(dwell.end_s))
        .number("duration_s", |dwell| Some(dwell.duration_s))
        .finish("dwells")
}
