//! Finds the time column, or the two columns that hold the time together.

use std::collections::HashMap;

use mutoscope_core::diagnostics::Error;

use super::{Plan, mapped, missing_columns_error};
use crate::{
    build::dates::{DateKind, date_kind, parse_nanoseconds},
    mapping::{Mapping, TimeUnit},
    names::{NodeName, is_time_word},
    table::{Column, Role, Table},
};

/// Ranks candidates for the time column. The smallest rank wins, and fields are compared in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    class: u8,
    is_processed: bool,
    is_utc: bool,
    lacks_unit: bool,
}

impl Rank {
    const PLAIN: u8 = 0;
    const TIME: u8 = 1;
    const FRAME: u8 = 2;

    fn of_class(class: u8) -> Self {
        Self { class, is_processed: false, is_utc: false, lacks_unit: false }
    }
}

/// The columns of the time.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeColumns {
    pub(super) time: Option<usize>,
    /// The second column of the time: the part of a second, or the time of day.
    pub(super) finer: Option<usize>,
    pub(super) unit: Option<TimeUnit>,
    /// A unit that the name states and that is not known.
    pub(super) unknown_unit: Option<String>,
    /// The columns that fit too.
    pub(super) others: Vec<usize>,
}

impl TimeColumns {
    fn new(table: &Table, time: usize, finer: Option<usize>, others: Vec<usize>) -> Self {
        let column = &table.columns[finer.unwrap_or(time)];
        let name = TimeName::parse(&column.name);
        let unit = match column.time_unit {
            Some(unit) => TimeUnit::parse(unit),
            None => name.unit.or_else(|| is_frame(&name.words).then_some(TimeUnit::Frames)),
        };
        // Dates have no unit.
        let unknown_unit = name.unknown_unit.filter(|_| unit.is_none());
        Self { time: Some(time), finer, unit, unknown_unit, others }
    }
}

pub(super) fn find_time_columns(table: &Table, mapping: &Mapping) -> Result<TimeColumns, Error> {
    if let Some(named) = &mapping.time.column {
        let time = mapped::find_column(table, mapping, named)?;
        let finer = mapping.time.finer_column.as_ref();
        let finer = finer.map(|it| mapped::find_column(table, mapping, it)).transpose()?;
        return Ok(TimeColumns::new(table, time, finer, Vec::new()));
    }
    let by_role = table
        .declared
        .roles
        .iter()
        .find(|(_, role)| matches!(role, Role::Time | Role::Frame { .. }));
    if let Some((column, _)) = by_role {
        return Ok(TimeColumns::new(table, *column, None, Vec::new()));
    }
    let ranked = table.columns.iter().enumerate().filter(|(_, column)| !column.is_empty());
    let ranked = ranked.filter_map(|(index, column)| {
        let rank = rank_name(&column.name)
            .or_else(|| column.time_unit.map(|_| Rank::of_class(Rank::TIME)));
        Some((rank?, index))
    });
    let mut ranked: Vec<(Rank, usize)> = ranked.collect();
    // Compare names last, so that the order of columns does not matter.
    ranked.sort_by(|one, other| {
        let name = |(_, column): &(Rank, usize)| &table.columns[*column].name;
        one.0.cmp(&other.0).then_with(|| name(one).cmp(name(other)))
    });
    let Some((first_rank, first)) = ranked.first().copied() else {
        return Ok(TimeColumns::default());
    };
    let (time, finer) = match find_date_and_clock(table, &ranked) {
        Some((date, clock)) if [date, clock].contains(&first) => (date, Some(clock)),
        _ => match find_seconds_and_fraction(table) {
            Some((seconds, fraction))
                if [seconds, fraction].contains(&first) || first_rank.class != Rank::PLAIN =>
            {
                (seconds, Some(fraction))
            }
            _ => (first, None),
        },
    };
    // Do not offer frame numbers, because they measure the same time as the time column.
    let others = ranked.iter().filter(|(rank, _)| rank.class < Rank::FRAME);
    let others = others.map(|(_, index)| *index);
    let others = others.filter(|index| ![Some(time), finer].contains(&Some(*index))).collect();
    Ok(TimeColumns::new(table, time, finer, others))
}

/// Returns a column of whole seconds, and the column of the part of the second that has the same
/// name except for the unit.
fn find_seconds_and_fraction(table: &Table) -> Option<(usize, usize)> {
    let named = table.columns.iter().enumerate().map(|(index, column)| {
        let name = TimeName::parse(&column.name);
        (index, name.words_without_unit(), name.unit)
    });
    let mut seconds: HashMap<Vec<String>, usize> = HashMap::new();
    let mut fractions = Vec::new();
    for (index, words, unit) in named {
        let is_time =
            |word: &String| matches!(&**word, "header" | "epoch" | "unix") || is_time_word(word);
        if !words.is_empty() && !words.iter().any(is_time) {
            continue;
        }
        match unit {
            Some(TimeUnit::Seconds) => {
                seconds.entry(words).or_insert(index);
            }
            Some(
                unit @ (TimeUnit::Milliseconds | TimeUnit::Microseconds | TimeUnit::Nanoseconds),
            ) => fractions.push((words, index, unit)),
            _ => {}
        }
    }
    fractions.into_iter().find_map(|(words, fraction, unit)| {
        let whole = *seconds.get(&words)?;
        let limit = unit.per_second()? as f64;
        let mut numbers = table.columns[fraction].numbers();
        let are_parts = numbers.all(|(_, number)| (0.0..limit).contains(&number));
        let is_pair = are_parts
            && table.columns[whole].has_integers_only()
            && table.columns[fraction].has_numbers();
        is_pair.then_some((whole, fraction))
    })
}

/// Returns a column of dates without a time of day, and a column of times of day.
fn find_date_and_clock(table: &Table, ranked: &[(Rank, usize)]) -> Option<(usize, usize)> {
    const MAX_CELLS: usize = 16;
    let has_only = |column: usize, kind: DateKind| {
        let mut kinds = table.texts(column).take(MAX_CELLS).map(|(_, text)| date_kind(text));
        let texts = &table.columns[column];
        texts.has_texts() && !texts.has_numbers() && kinds.all(|it| it == Some(kind))
    };
    let clock = ranked.iter().find(|(_, column)| has_only(*column, DateKind::Clock))?.1;
    let is_date_name = |words: &[String]| {
        words.iter().any(|word| matches!(&**word, "date" | "datum" | "day" | "tag"))
    };
    let dates = (0..table.columns.len()).find(|column| {
        is_date_name(&TimeName::parse(&table.columns[*column].name).words)
            && has_only(*column, DateKind::Date)
    })?;
    Some((dates, clock))
}

/// Returns other time columns if the times of `plan` repeat in many rows, each of which holds all
/// nodes, and the other times increase in each row.
pub(super) fn find_better_time(table: &Table, plan: &Plan) -> Option<TimeColumns> {
    /// One in this many rows may have the time of the row before.
    const ROWS_PER_REPEAT: usize = 10;
    let time = plan.time.filter(|_| plan.node.is_none() && plan.side.is_none())?;
    let others = &plan.alternatives.iter().find(|it| it.chosen == time)?.others;
    let columns = [Some(time), plan.finer_time];
    let is_repeated = |row: &usize| {
        columns.iter().flatten().all(|column| {
            let (column, before) = (*column, row - 1);
            let numbers = &table.columns[column];
            match table.text(column, *row) {
                Some(text) => table.text(column, before) == Some(text),
                None => numbers.number(*row) == numbers.number(before),
            }
        })
    };
    let repeats = (1..table.rows).filter(is_repeated).count();
    if repeats * ROWS_PER_REPEAT < table.rows {
        return None;
    }
    let better = others.iter().copied().find(|other| increases(table, *other))?;
    let others = others.iter().copied().filter(|other| *other != better).collect();
    Some(TimeColumns::new(table, better, None, others))
}

/// Returns `true` if each row has a number or a date in this column, and they increase strictly.
pub(super) fn increases(table: &Table, column: usize) -> bool {
    let numbers = &table.columns[column];
    if numbers.has_numbers() {
        return numbers.has_all_numbers(table.rows)
            && (1..table.rows).all(|row| numbers.number(row - 1) < numbers.number(row));
    }
    let mut last = None;
    let mut rows = 0;
    table.texts(column).all(|(_, text)| {
        rows += 1;
        let time = parse_nanoseconds(text);
        let increases = time.is_some() && last < time;
        last = time;
        increases
    }) && rows == table.rows
}

/// Checks that each row is a frame, as nothing else states the time. The columns must be poses
/// without doubt, and no other column may be the time.
///
/// # Errors
/// If the table needs a time column.
pub(super) fn check_rows_are_frames(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
) -> Result<(), Error> {
    let is_stated = mapping.time.rate_hz.is_some() || mapping.time.unit == Some(TimeUnit::Frames);
    let is_long = plan.node.is_some() || plan.side.is_some();
    if !is_long && is_stated {
        return Ok(());
    }
    let is_named = plan.nodes.iter().all(|node| node.name != NodeName::Nameless);
    let has_many = plan.nodes.iter().filter(|node| node.position.is_some()).count() > 1;
    let has_full_pose = |node: &super::NodePlan| {
        node.position.is_some() && (node.rotation.is_some() || node.euler.is_some())
    };
    let used: usize = plan.nodes.iter().map(|node| node.components().len()).sum();
    let filled = table.columns.iter().filter(|column| !column.is_empty()).count();
    let is_json = matches!(table.version, "json" | "jsonl");
    let are_poses = is_named
        && !is_long
        && !is_json
        && 2 * used >= filled
        && (has_many || plan.nodes.iter().any(has_full_pose));
    let may_be_time = |column: usize| {
        !is_row_count(&table.columns[column], table.rows) && increases(table, column)
    };
    let signals = plan.signals.iter().map(|(_, column)| *column);
    match signals.into_iter().find(|column| may_be_time(*column)) {
        Some(column) => {
            let name = &table.columns[column].name;
            let what = format!("no time column, although {name:?} increases in each row");
            Err(missing_columns_error(&what, table))
        }
        None if are_poses => Ok(()),
        None if is_long => Err(missing_columns_error("no time column", table)),
        None => {
            let what = "no time column (if each row is a frame, add --as table --rate HZ)";
            Err(missing_columns_error(what, table))
        }
    }
}

/// Returns `true` if the column counts the rows.
fn is_row_count(column: &Column, rows: usize) -> bool {
    column.has_all_numbers(rows)
        && (1..rows).all(|row| column.number(row) - column.number(row - 1) == 1.0)
}

/// The name of a column that may hold times.
struct TimeName {
    words: Vec<String>,
    unit: Option<TimeUnit>,
    /// The text in brackets at the end of the name, if it is not a known unit.
    unknown_unit: Option<String>,
    /// `true` if the words are only a unit, such as `Seconds`.
    is_lone_unit: bool,
}

impl TimeName {
    fn parse(name: &str) -> Self {
        /// Words in brackets that are not units.
        const NO_UNITS: [&str; 10] = [
            "utc", "gmt", "local", "unix", "epoch", "posix", "relative", "absolute", "hh:mm:ss",
            "iso",
        ];
        let name = name.trim();
        let (base, bracket) = match name.strip_suffix([']', ')']) {
            Some(inner) => inner.rsplit_once(['[', '(']).unwrap_or((name, "")),
            None => (name, ""),
        };
        let mut words: Vec<String> = crate::names::lowercase_words(base);
        let bracket = bracket.trim();
        let mut unit = TimeUnit::parse(bracket);
        let is_no_unit = NO_UNITS.contains(&bracket.to_lowercase().as_str());
        let unknown = Some(bracket).filter(|it| unit.is_none() && !it.is_empty() && !is_no_unit);
        let mut is_lone_unit = false;
        for count in [2, 1] {
            let Some(at) = words.len().checked_sub(count).filter(|_| unit.is_none()) else {
                continue;
            };
            let word = words[at..].concat();
            unit = TimeUnit::parse(&word).filter(|it| *it != TimeUnit::Frames);
            // `min` may mean a minimum, and `h` a height.
            is_lone_unit = at == 0 && unit.is_some_and(|it| it.per_second().is_some());
            if unit.is_some() && at > 0 {
                words.truncate(at);
            }
        }
        Self { words, unit, unknown_unit: unknown.map(ToOwned::to_owned), is_lone_unit }
    }

    fn words_without_unit(&self) -> Vec<String> {
        if self.is_lone_unit { Vec::new() } else { self.words.clone() }
    }
}

fn is_frame(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words[..],
        ["frame" | "frames" | "frameno"]
            | ["frame", "number" | "index" | "no" | "num" | "nr" | "id" | "count"]
    )
}

fn rank_name(name: &str) -> Option<Rank> {
    let TimeName { words, unit, is_lone_unit, .. } = TimeName::parse(name);
    let has = |word: &str| words.iter().any(|own| own == word);
    if words.iter().any(|word| matches!(&**word, "x" | "y" | "z" | "w")) {
        return None;
    }
    if matches!(words.concat().as_str(), "time" | "timestamp" | "t") {
        return Some(Rank::of_class(Rank::PLAIN));
    }
    let is_time = words.iter().any(|word| word != "t" && is_time_word(word));
    if is_time || is_lone_unit {
        return Some(Rank {
            class: Rank::TIME,
            is_processed: has("processed"),
            is_utc: has("utc"),
            lacks_unit: unit.is_none(),
        });
    }
    is_frame(&words).then(|| Rank::of_class(Rank::FRAME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn chosen(names: &[&str]) -> Option<(usize, Option<TimeUnit>)> {
        let mut table = Table::new("csv");
        table.columns = names.iter().map(|name| Column::new(*name)).collect();
        for column in 0..names.len() {
            table.push_number(column, 0, 1.0);
        }
        let found = find_time_columns(&table, &Mapping::default()).unwrap();
        Some((found.time?, found.unit))
    }

    #[test]
    fn prefers_plain_time_names_and_uses_frames_last() {
        use TimeUnit::{Frames, Microseconds, Milliseconds, Nanoseconds, Seconds, Ticks};
        type Case<'a> = (&'a [&'a str], Option<(usize, Option<TimeUnit>)>);
        let cases: [Case<'_>; 11] = [
            (&["frame", "unix_time", "time"], Some((2, None))),
            (
                &["graph_uid", "tracking_timestamp_us", "utc_timestamp_ns"],
                Some((1, Some(Microseconds))),
            ),
            (&["utc_timestamp_ns", "tracking_timestamp_us"], Some((1, Some(Microseconds)))),
            (&["eyeDataTimestamp", "frameTimestamp"], Some((0, None))),
            (&["frame", "timestamp_ms"], Some((1, Some(Milliseconds)))),
            (&["timestamp [ns]"], Some((0, Some(Nanoseconds)))),
            (&["time(100ns)"], Some((0, Some(Ticks)))),
            (&["Seconds", "x"], Some((0, Some(Seconds)))),
            (&["Frame", "x"], Some((0, Some(Frames)))),
            (&["t_x", "t_y"], None),
            (&["a", "head_x"], None),
        ];
        for (names, expected) in cases {
            assert_eq!(chosen(names), expected, "{names:?}");
        }
    }
}
