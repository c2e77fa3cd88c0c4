//! Converts the time column to seconds.

use mutoscope_core::{
    clip::AssumedFact,
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::FRAME_RATE_IGNORED,
};

use super::dates::{self, ColumnDates};
use crate::{
    codes,
    mapping::{DateOrder, Mapping, TimeUnit, TimeZero},
    plan::Plan,
    table::{Column, Role, Table},
};

/// The years 2001 to 2099, in seconds since 1970. A first time within this range is a date.
const EPOCH_SECONDS: std::ops::Range<f64> = 978_307_200.0..4_102_444_800.0;
/// The same years in units of 100 ns, since 1601 (Windows file times) and since the year 1 (.NET
/// ticks).
const EPOCH_TICKS: [std::ops::Range<f64>; 2] =
    [126_227_808e9..157_469_184e9, 631_139_040e9..662_380_416e9];

pub(crate) struct Times {
    /// The time of each row in seconds, or NaN.
    pub(super) seconds: Vec<f64>,
    pub(crate) unit: &'static str,
    pub(crate) zero: TimeZero,
    /// The frame rate in Hz, if rows or frame numbers are the times.
    pub(crate) rate: Option<f64>,
    pub(crate) date_order: Option<DateOrder>,
}

impl Times {
    fn new(seconds: Vec<f64>, unit: &'static str, zero: TimeZero) -> Self {
        Self { seconds, unit, zero, rate: None, date_order: None }
    }
}

pub(super) fn read_times(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    chosen: &Mapping,
    assumed: &mut Vec<AssumedFact>,
    diagnostics: &mut Diagnostics,
) -> Result<Times, Error> {
    let Some(index) = plan.time else {
        let why = "the file states neither times nor a frame rate, and each row is a frame";
        let rate = frame_rate(table, mapping, why, assumed);
        let seconds = (0..table.rows).map(|row| row as f64 / rate).collect();
        let times = Times::new(seconds, TimeUnit::Frames.as_str(), TimeZero::File);
        return Ok(Times { rate: Some(rate), ..times });
    };
    report_refuted_time(table, plan, index, diagnostics);
    let column = &table.columns[index];
    let is_declared = table.declared.roles.get(&index) == Some(&Role::Time);
    let times = if is_declared && mapping.time.unit.is_none() {
        let seconds = (0..table.rows).map(|row| column.number(row)).collect();
        let times = Times::new(seconds, TimeUnit::Seconds.as_str(), TimeZero::File);
        Times { rate: table.declared.rate_hz, ..times }
    } else if let Some(dates) = parse_dates(table, plan, mapping) {
        let zero = mapping.time.zero.unwrap_or(TimeZero::First);
        report_epoch(table, diagnostics, zero);
        if let Some(row) = dates.midnight {
            let message = "the time of day jumps back by almost 24 hours; read as the next day";
            diagnostics.info(codes::table::MIDNIGHT, table.location(row), message);
        }
        if let (Some(order), Some(why)) = (dates.order, dates.why_order) {
            let (fact, value) = ("time.dates", order.as_str().to_owned());
            assumed.push(AssumedFact { fact, value, why });
        }
        let dates_ns = dates.nanoseconds;
        let first = match zero {
            TimeZero::First => dates_ns.iter().flatten().copied().min().unwrap_or(0),
            _ => 0,
        };
        let second = |date: i64| date.saturating_sub(first) as f64 / 1e9;
        let seconds = dates_ns.iter().map(|date| date.map_or(f64::NAN, second)).collect();
        Times { date_order: dates.order, ..Times::new(seconds, "date", zero) }
    } else {
        read_numeric_times(table, index, plan, mapping, assumed, diagnostics)
    };
    let are_frames = times.unit == TimeUnit::Frames.as_str();
    // The core replaces a rate that the file declares.
    let is_replaced = are_frames || table.declared.rate_hz.is_some();
    if let Some(rate) = chosen.time.rate_hz.filter(|_| !is_replaced) {
        let name = &column.name;
        let message = format!(
            "the frame rate of {rate} Hz is not used, because the column {name:?} has times. To use \
             frame numbers instead, set [time] column in a mapping file"
        );
        diagnostics
            .warning(FRAME_RATE_IGNORED, SourceLocation::File, message)
            .with("rate_hz", rate);
    }
    times.check_missing(table, index, diagnostics)
}

/// Returns the stated frame rate in Hz, or assumes one.
fn frame_rate(table: &Table, mapping: &Mapping, why: &str, assumed: &mut Vec<AssumedFact>) -> f64 {
    let stated = mapping.time.rate_hz.or(table.declared.rate_hz);
    let stated = stated.or_else(|| table.first_lines.iter().find_map(|line| parse_rate(line)));
    stated.unwrap_or_else(|| {
        let value = crate::DEFAULT_FRAME_RATE_HZ.to_string();
        assumed.push(AssumedFact { fact: "time.rate", value, why: why.to_owned() });
        crate::DEFAULT_FRAME_RATE_HZ
    })
}

/// Parses a line above the header such as `// Update Rate: 100.0Hz`.
fn parse_rate(line: &str) -> Option<f64> {
    const NAMES: [&str; 5] =
        ["update rate", "frame rate", "sample rate", "sampling rate", "sampling frequency"];
    let line = line.to_lowercase();
    let (before, after) = line.split_once("hz")?;
    let text = before.trim_end();
    let start = text.rfind(|it: char| !it.is_ascii_digit() && it != '.').map_or(0, |at| at + 1);
    let rate: f64 = text.get(start..)?.parse().ok()?;
    let is_word = !after.starts_with(char::is_alphanumeric);
    let is_rate = is_word && NAMES.iter().any(|name| text.contains(name));
    (is_rate && rate > 0.0 && rate.is_finite()).then_some(rate)
}

fn report_refuted_time(table: &Table, plan: &Plan, time: usize, diagnostics: &mut Diagnostics) {
    if let Some(refuted) = plan.refuted_time {
        let (refuted, used) = (&table.columns[refuted].name, &table.columns[time].name);
        let message = format!(
            "the times in the column {refuted:?} repeat from row to row; using {used:?}, which \
             increases in each row. To choose the other column, set [time] column in a mapping file"
        );
        diagnostics
            .info(codes::table::TIMES_REPEAT, SourceLocation::File, message)
            .with("name", refuted.as_str());
    }
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
        diagnostics
            .warning(codes::table::ROW_WITHOUT_TIME, table.location(first), message)
            .with("name", name.as_str())
            .with("count", missing);
        Ok(self)
    }
}

fn parse_dates(table: &Table, plan: &Plan, mapping: &Mapping) -> Option<ColumnDates> {
    let column = plan.time?;
    if table.columns[column].has_numbers() || !table.columns[column].has_texts() {
        return None;
    }
    dates::read_dates(table, column, plan.finer_time, mapping.time.date_order)
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
    let finer = plan.finer_time.map(|finer| &table.columns[finer]);
    let is_whole = column.has_integers_only() && finer.is_none_or(Column::has_integers_only);
    let first_frame = match table.declared.roles.get(&index) {
        Some(Role::Frame { first }) => Some(*first),
        _ => None,
    };
    let stated = mapping.time.unit.or(plan.time_unit);
    let stated = stated.or(first_frame.map(|_| TimeUnit::Frames));
    let unit = stated.unwrap_or_else(|| {
        let (unit, mut why) = guess_unit(column, is_whole);
        if let Some(unknown) = &plan.unknown_time_unit {
            let name = &column.name;
            let message = format!(
                "{unknown:?} in the column {name:?} is not a known unit of time; the unit is \
                 guessed from the numbers. Set [time] unit in a mapping file"
            );
            diagnostics
                .warning(codes::table::UNKNOWN_UNIT, SourceLocation::File, message)
                .with("found", unknown.as_str());
            why = format!("{unknown:?} is not a known unit, and {why}");
        }
        let (fact, value) = ("time.unit", unit.as_str().to_owned());
        assumed.push(AssumedFact { fact, value, why });
        unit
    });
    let rate = (unit == TimeUnit::Frames)
        .then(|| frame_rate(table, mapping, "the file states no frame rate", assumed));
    // If the time has two columns, the first has seconds, and `unit` is the unit of the second.
    let per_second = unit.per_second().unwrap_or(1);
    let integer = |row: usize| match finer {
        None => column.integer(row),
        Some(finer) => {
            column.integer(row)?.checked_mul(per_second)?.checked_add(finer.integer(row)?)
        }
    };
    let number = |row: usize| match finer {
        None => column.number(row),
        Some(finer) => column.number(row) * per_second as f64 + finer.number(row),
    };
    let is_epoch =
        column.numbers().next().is_some_and(|(row, _)| is_since_epoch(unit, number(row)));
    let zero = mapping.time.zero.unwrap_or(match first_frame {
        Some(first) => TimeZero::AtInteger(first),
        None if is_epoch => TimeZero::First,
        None => TimeZero::File,
    });
    if is_epoch {
        report_epoch(table, diagnostics, zero);
    }
    let seconds = if is_whole {
        let times = || (0..table.rows).map(integer);
        let first = match zero {
            TimeZero::First => times().flatten().min().unwrap_or(0),
            TimeZero::File => 0,
            TimeZero::At(at) => at as i64,
            TimeZero::AtInteger(at) => at,
        };
        // Subtract as integers, because an f64 cannot hold nanoseconds since an epoch exactly.
        let second = |time: i64| unit.to_seconds(time.saturating_sub(first) as f64, rate);
        times().map(|time| time.map_or(f64::NAN, second)).collect()
    } else {
        let times = || (0..table.rows).map(number);
        let first = match zero {
            TimeZero::First => times().filter(|it| !it.is_nan()).fold(f64::INFINITY, f64::min),
            TimeZero::File => 0.0,
            TimeZero::At(at) => at,
            TimeZero::AtInteger(at) => at as f64,
        };
        times().map(|time| unit.to_seconds(time - first, rate)).collect()
    };
    Times { rate, ..Times::new(seconds, unit.as_str(), zero) }
}

fn report_epoch(table: &Table, diagnostics: &mut Diagnostics, zero: TimeZero) {
    if zero == TimeZero::First {
        let location = table.location(0);
        diagnostics.info(
            codes::table::EPOCH_TIMES,
            location,
            "times are counted from an epoch; the first one becomes time 0",
        );
    }
}

fn is_since_epoch(unit: TimeUnit, time: f64) -> bool {
    match unit {
        TimeUnit::Frames => false,
        TimeUnit::Ticks => EPOCH_TICKS.iter().any(|range| range.contains(&time)),
        _ => EPOCH_SECONDS.contains(&unit.to_seconds(time, None)),
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
    let median = crate::median(&mut steps).unwrap_or(0.0);
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
