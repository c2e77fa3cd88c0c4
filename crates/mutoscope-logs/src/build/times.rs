//! Converts the time column to seconds.

use mutoscope_core::{
    clip::AssumedFact,
    diagnostics::{Diagnostics, Error},
};

use super::dates;
use crate::{
    mapping::{Mapping, TimeUnit, TimeZero},
    plan::Plan,
    table::{Column, Role, Table},
};

/// The years 2001 to 2099, in seconds since 1970. A first time within this range is a date.
const EPOCH_SECONDS: std::ops::Range<f64> = 978_307_200.0..4_102_444_800.0;
/// The same years in units of 100 ns, since 1601 (Windows file times) and since the year 1 (.NET
/// ticks).
const EPOCH_TICKS: [std::ops::Range<f64>; 2] =
    [126_227_808e9..157_469_184e9, 631_139_040e9..662_380_416e9];

pub(super) struct Times {
    /// The time of each row in seconds, or NaN.
    pub(super) seconds: Vec<f64>,
    pub(super) unit: &'static str,
    pub(super) zero: TimeZero,
    pub(super) rate: Option<f64>,
}

pub(super) fn read_times(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    assumed: &mut Vec<AssumedFact>,
    diagnostics: &mut Diagnostics,
) -> Result<Times, Error> {
    let index = plan.time.unwrap_or(0);
    let column = &table.columns[index];
    if table.declared.roles.get(&index) == Some(&Role::Time) && mapping.time.unit.is_none() {
        let seconds = (0..table.rows).map(|row| column.number(row)).collect();
        let unit = if table.version == "vicon" { "frames" } else { "s" };
        let times = Times { seconds, unit, zero: TimeZero::File, rate: table.declared.rate_hz };
        return times.check_missing(table, index, diagnostics);
    }
    let dates = parse_dates(table, index);
    let times = match dates {
        Some(dates) => {
            let zero = mapping.time.zero.unwrap_or(TimeZero::First);
            report_epoch(table, diagnostics, zero);
            let first = if zero == TimeZero::First {
                dates.iter().flatten().copied().min().unwrap_or(0)
            } else {
                0
            };
            let seconds =
                dates.iter().map(|date| date.map_or(f64::NAN, |date| (date - first) as f64 / 1e9));
            Times { seconds: seconds.collect(), unit: "date", zero, rate: None }
        }
        None => read_numeric_times(table, index, plan, mapping, assumed, diagnostics),
    };
    times.check_missing(table, index, diagnostics)
}

impl Times {
    fn check_missing(
        self,
        table: &Table,
        column: usize,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Error> {
        let name = &table.columns[column].name;
        let is_missing = |row: &usize| self.seconds.get(*row).is_none_or(|time| time.is_nan());
        let missing: usize = (0..table.rows).filter(is_missing).count();
        let first = (0..table.rows).find(is_missing);
        let Some(first) = first else { return Ok(self) };
        let found = table.label(column, first);
        if missing == table.rows {
            let found = found.map_or("none".to_owned(), |text| format!("{text:?}"));
            return Err(Error::malformed(
                table.location(first),
                format_args!("times in the column {name:?}"),
                found,
            ));
        }
        let what = match found {
            Some(text) => format!("{text:?} in the column {name:?} is not a number"),
            None => format!("no time in the column {name:?}"),
        };
        let message = format!("{what}; rows without a time skipped: {missing}");
        diagnostics.warning(table.location(first), message);
        Ok(self)
    }
}

fn parse_dates(table: &Table, column: usize) -> Option<Vec<Option<i64>>> {
    if table.columns[column].has_numbers() || !table.columns[column].has_texts() {
        return None;
    }
    let mut dates = vec![None; table.rows];
    let mut any = false;
    for (row, text) in table.texts(column) {
        if let Some(slot) = dates.get_mut(row) {
            *slot = dates::parse_nanoseconds(text);
            any |= slot.is_some();
        }
    }
    any.then_some(dates)
}

fn read_numeric_times(
    table: &Table,
    index: usize,
    plan: &Plan,
    mapping: &Mapping,
    assumed: &mut Vec<AssumedFact>,
    diagnostics: &mut Diagnostics,
) -> Times {
    let column = &table.columns[index];
    let is_whole = column.has_integers_only();
    let stated = mapping.time.unit.or(plan.time_unit);
    let unit = stated.unwrap_or_else(|| {
        let (unit, why) = guess_unit(column, is_whole);
        let (fact, value) = ("time.unit", unit.as_str().to_owned());
        assumed.push(AssumedFact { fact, value, why });
        unit
    });
    let mut rate = None;
    if unit == TimeUnit::Frames {
        let stated = mapping.time.rate_hz.or(table.declared.rate_hz);
        rate = Some(stated.unwrap_or_else(|| {
            let value = crate::DEFAULT_FRAME_RATE_HZ.to_string();
            let why = "the file states no frame rate".to_owned();
            assumed.push(AssumedFact { fact: "time.rate", value, why });
            crate::DEFAULT_FRAME_RATE_HZ
        }));
    }
    let per_second = rate.unwrap_or(unit.units_per_second());
    let is_epoch = column.numbers().next().is_some_and(|(_, first)| is_since_epoch(unit, first));
    let zero = mapping.time.zero.unwrap_or(if is_epoch { TimeZero::First } else { TimeZero::File });
    if is_epoch {
        report_epoch(table, diagnostics, zero);
    }
    let seconds = if is_whole {
        let times = || (0..table.rows).map(|row| column.integer(row));
        let first = match zero {
            TimeZero::First => times().flatten().min().unwrap_or(0),
            TimeZero::File => 0,
            TimeZero::At(at) => at as i64,
            TimeZero::AtInteger(at) => at,
        };
        // Subtract as integers, because an f64 cannot hold nanoseconds since an epoch exactly.
        let second = |time: i64| time.saturating_sub(first) as f64 / per_second;
        times().map(|time| time.map_or(f64::NAN, second)).collect()
    } else {
        let times = || (0..table.rows).map(|row| column.number(row));
        let first = match zero {
            TimeZero::First => times().filter(|it| !it.is_nan()).fold(f64::INFINITY, f64::min),
            TimeZero::File => 0.0,
            TimeZero::At(at) => at,
            TimeZero::AtInteger(at) => at as f64,
        };
        times().map(|time| (time - first) / per_second).collect()
    };
    Times { seconds, unit: unit.as_str(), zero, rate }
}

fn report_epoch(table: &Table, diagnostics: &mut Diagnostics, zero: TimeZero) {
    if zero == TimeZero::First {
        let location = table.location(0);
        diagnostics.info(location, "times are counted from an epoch; the first one becomes time 0");
    }
}

fn is_since_epoch(unit: TimeUnit, time: f64) -> bool {
    match unit {
        TimeUnit::Frames => false,
        TimeUnit::Ticks => EPOCH_TICKS.iter().any(|range| range.contains(&time)),
        _ => EPOCH_SECONDS.contains(&(time / unit.units_per_second())),
    }
}

/// Guesses the unit of the times, and returns it with the reason. If the first time is a date, the
/// date determines the unit. Otherwise the median step does.
fn guess_unit(column: &Column, is_whole: bool) -> (TimeUnit, String) {
    use TimeUnit::{Microseconds, Milliseconds, Nanoseconds, Seconds, Ticks};
    const MAX_STEPS: usize = 4096;
    let first = column.numbers().next().map_or(0.0, |(_, first)| first);
    let of_epoch = [Seconds, Milliseconds, Microseconds, Nanoseconds, Ticks]
        .into_iter()
        .find(|unit| is_since_epoch(*unit, first));
    if let Some(unit) = of_epoch {
        return (unit, format!("{first} is a date of 2001 to 2100 in it"));
    }
    let times: Vec<f64> = column.numbers().map(|(_, time)| time).take(MAX_STEPS).collect();
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
    // Round to six decimals, because differences of f64 times have rounding errors in the last
    // digits.
    (unit, format!("the median step is {}", (median * 1e6).round() / 1e6))
}
