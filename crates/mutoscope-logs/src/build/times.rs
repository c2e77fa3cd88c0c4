//! The times of the rows, in seconds.

use mutoscope_core::{
    clip::AssumedFact,
    diagnostics::{Error, Notices, SourceLocation},
};

use super::dates;
use crate::{
    mapping::{Mapping, TimeUnit, Zero},
    plan::Plan,
    table::{Column, Role, Table},
};

/// Seconds from 1970 to 2001 and to 2100: later times since an epoch are none.
const EPOCH: std::ops::Range<f64> = 978_307_200.0..4_102_444_800.0;
/// The same in intervals of 100 ns from 1601, as Windows counts them, and from the year 1, as .NET does.
const TICKS: [std::ops::Range<f64>; 2] =
    [126_227_808e9..157_469_184e9, 631_139_040e9..662_380_416e9];

/// The times of the rows.
pub(super) struct Times {
    /// In seconds by row; NaN where there is none.
    pub(super) seconds: Vec<f64>,
    /// The word for their unit.
    pub(super) unit: &'static str,
    /// Their zero, for the mapping.
    pub(super) zero: Zero,
    /// Frames a second, where they are frames.
    pub(super) rate: Option<f64>,
}

/// Reads the times of the rows.
///
/// # Errors
/// If the column has none.
pub(super) fn read(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    assumed: &mut Vec<AssumedFact>,
    notices: &mut Notices,
) -> Result<Times, Error> {
    let index = plan.time.unwrap_or(0);
    let column = &table.columns[index];
    if table.declared.roles.get(&index) == Some(&Role::Time) && mapping.time.unit.is_none() {
        let seconds = (0..table.rows).map(|row| column.number(row)).collect();
        let unit = if table.version == "vicon" { "frames" } else { "s" };
        let times = Times { seconds, unit, zero: Zero::File, rate: table.declared.rate_hz };
        return times.checked(table, index, notices);
    }
    let dates = dates_of(table, index);
    let times = match dates {
        Some(dates) => {
            let zero = mapping.time.zero.unwrap_or(Zero::First);
            note_zero(table, notices, zero);
            let first = if zero == Zero::First {
                dates.iter().flatten().copied().min().unwrap_or(0)
            } else {
                0
            };
            let seconds =
                dates.iter().map(|date| date.map_or(f64::NAN, |date| (date - first) as f64 / 1e9));
            Times { seconds: seconds.collect(), unit: "date", zero, rate: None }
        }
        None => numeric(table, index, plan, mapping, assumed, notices),
    };
    times.checked(table, index, notices)
}

impl Times {
    /// The same, if there are any, with a notice of those that there are not.
    fn checked(self, table: &Table, column: usize, notices: &mut Notices) -> Result<Self, Error> {
        let name = &table.columns[column].name;
        let is_missing = |row: &usize| self.seconds.get(*row).is_none_or(|time| time.is_nan());
        let missing: usize = (0..table.rows).filter(is_missing).count();
        let first = (0..table.rows).find(is_missing);
        let place = |row: usize| table.line(row).map_or(SourceLocation::File, SourceLocation::line);
        let Some(first) = first else { return Ok(self) };
        let found = table.label(column, first);
        if missing == table.rows {
            let found = found.map_or("none".to_owned(), |text| format!("{text:?}"));
            return Err(Error::malformed(
                place(first),
                format_args!("times in the column {name:?}"),
                found,
            ));
        }
        let what = match found {
            Some(text) => format!("{text:?} in the column {name:?} is not a number"),
            None => format!("no time in the column {name:?}"),
        };
        let message = format!("{what}; rows without a time skipped: {missing}");
        notices.warning(place(first), message);
        Ok(self)
    }
}

/// Dates and times of day by row, in nanoseconds, if the cells of a column are such.
fn dates_of(table: &Table, column: usize) -> Option<Vec<Option<i64>>> {
    if table.columns[column].has_numbers() || !table.columns[column].has_texts() {
        return None;
    }
    let mut dates = vec![None; table.rows];
    let mut any = false;
    for (row, text) in table.texts(column) {
        if let Some(slot) = dates.get_mut(row) {
            *slot = dates::nanoseconds(text);
            any |= slot.is_some();
        }
    }
    any.then_some(dates)
}

fn numeric(
    table: &Table,
    index: usize,
    plan: &Plan,
    mapping: &Mapping,
    assumed: &mut Vec<AssumedFact>,
    notices: &mut Notices,
) -> Times {
    let column = &table.columns[index];
    let is_whole = column.is_whole();
    let stated = mapping.time.unit.or(plan.time_unit);
    let unit = stated.unwrap_or_else(|| {
        let (unit, why) = guess(column, is_whole);
        let (fact, value) = ("time.unit", unit.word().to_owned());
        assumed.push(AssumedFact { fact, value, why });
        unit
    });
    let mut rate = None;
    if unit == TimeUnit::Frames {
        let stated = mapping.time.rate.or(table.declared.rate_hz);
        rate = Some(stated.unwrap_or_else(|| {
            let value = crate::FRAME_RATE.to_string();
            let why = "the file states no rate of frames".to_owned();
            assumed.push(AssumedFact { fact: "time.rate", value, why });
            crate::FRAME_RATE
        }));
    }
    let per_second = rate.unwrap_or(unit.per_second());
    let is_epoch = column.numbers().next().is_some_and(|(_, first)| is_of_epoch(unit, first));
    let zero = mapping.time.zero.unwrap_or(if is_epoch { Zero::First } else { Zero::File });
    if is_epoch {
        note_zero(table, notices, zero);
    }
    let seconds = if is_whole {
        let times = || (0..table.rows).map(|row| column.integer(row));
        let first = match zero {
            Zero::First => times().flatten().min().unwrap_or(0),
            Zero::File => 0,
            Zero::At(at) => at as i64,
            Zero::AtInteger(at) => at,
        };
        // As whole numbers: a double does not hold nanoseconds since an epoch.
        let second = |time: i64| time.saturating_sub(first) as f64 / per_second;
        times().map(|time| time.map_or(f64::NAN, second)).collect()
    } else {
        let times = || (0..table.rows).map(|row| column.number(row));
        let first = match zero {
            Zero::First => times().filter(|it| !it.is_nan()).fold(f64::INFINITY, f64::min),
            Zero::File => 0.0,
            Zero::At(at) => at,
            Zero::AtInteger(at) => at as f64,
        };
        times().map(|time| (time - first) / per_second).collect()
    };
    Times { seconds, unit: unit.word(), zero, rate }
}

fn note_zero(table: &Table, notices: &mut Notices, zero: Zero) {
    if zero == Zero::First {
        let place = table.line(0).map_or(SourceLocation::File, SourceLocation::line);
        notices.info(place, "times are since an epoch; time 0 is the first of them");
    }
}

/// Whether a time is since an epoch.
fn is_of_epoch(unit: TimeUnit, time: f64) -> bool {
    match unit {
        TimeUnit::Frames => false,
        TimeUnit::Ticks => TICKS.iter().any(|range| range.contains(&time)),
        _ => EPOCH.contains(&(time / unit.per_second())),
    }
}

/// The unit of times that state none, by their size or by the steps between them.
fn guess(column: &Column, is_whole: bool) -> (TimeUnit, String) {
    use TimeUnit::{Microseconds, Milliseconds, Nanoseconds, Seconds, Ticks};
    const STEPS: usize = 4096;
    let first = column.numbers().next().map_or(0.0, |(_, first)| first);
    let of_epoch = [Seconds, Milliseconds, Microseconds, Nanoseconds, Ticks]
        .into_iter()
        .find(|unit| is_of_epoch(*unit, first));
    if let Some(unit) = of_epoch {
        return (unit, format!("{first} is a date of 2001 to 2100 in it"));
    }
    let times: Vec<f64> = column.numbers().map(|(_, time)| time).take(STEPS).collect();
    let mut steps: Vec<f64> =
        times.windows(2).map(|pair| (pair[1] - pair[0]).abs()).filter(|step| *step > 0.0).collect();
    let middle = steps.len() / 2;
    let median = match middle < steps.len() {
        true => *steps.select_nth_unstable_by(middle, f64::total_cmp).1,
        false => 0.0,
    };
    let unit = match (is_whole, median) {
        (_, step) if step < 2.0 => Seconds,
        (false, _) => Milliseconds,
        (true, step) if step < 1e3 => Milliseconds,
        (true, step) if step < 1e6 => Microseconds,
        (true, _) => Nanoseconds,
    };
    // Differences of times end in digits that no clock had.
    (unit, format!("the median step is {}", (median * 1e6).round() / 1e6))
}
