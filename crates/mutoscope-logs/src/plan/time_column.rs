//! Finds the time column.

use mutoscope_core::diagnostics::Error;

use super::mapped;
use crate::{
    mapping::{Mapping, TimeUnit},
    names::{ColumnName, UnitWord},
    table::{Role, Table},
};

/// Ranks candidates for the time column. The smallest rank wins, and fields are compared in order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
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

pub(super) fn find_time_column(
    table: &Table,
    mapping: &Mapping,
) -> Result<(Option<usize>, Vec<usize>), Error> {
    if let Some(named) = &mapping.time.column {
        return mapped::find_column(table, mapping, named).map(|column| (Some(column), Vec::new()));
    }
    let by_role = table.declared.roles.iter().find(|(_, role)| **role == Role::Time);
    if let Some((column, _)) = by_role {
        return Ok((Some(*column), Vec::new()));
    }
    let ranked = table.columns.iter().enumerate().filter(|(_, column)| !column.is_empty());
    let ranked = ranked.filter_map(|(index, column)| {
        let rank = rank_name(&column.name)
            .or_else(|| column.time_unit.map(|_| Rank::of_class(Rank::TIME)));
        Some((rank?, index))
    });
    let mut ranked: Vec<(Rank, usize)> = ranked.collect();
    ranked.sort_unstable();
    let first = ranked.first().map(|(_, index)| *index);
    // Do not offer frame numbers, because they measure the same time as the time column.
    let others = ranked.iter().skip(1).filter(|(rank, _)| rank.class < Rank::FRAME);
    Ok((first, others.map(|(_, index)| *index).collect()))
}

pub(super) fn stated_unit(table: &Table, column: usize) -> Option<TimeUnit> {
    let column = &table.columns[column];
    if let Some(unit) = column.time_unit {
        return TimeUnit::parse(unit);
    }
    let name = ColumnName::parse(&column.name);
    match name.unit {
        Some(UnitWord::Time(word)) => TimeUnit::parse(word),
        _ => match split_unit(&column.name).1 {
            Some(UnitWord::Time(word)) => TimeUnit::parse(word),
            _ if is_frame(&split_unit(&column.name).0) => Some(TimeUnit::Frames),
            _ => None,
        },
    }
}

fn split_unit(name: &str) -> (Vec<String>, Option<UnitWord>) {
    let base = name.split(['[', '(']).next().unwrap_or_default();
    let mut words: Vec<String> = crate::names::lowercase_words(base);
    let last_is_unit = words.last().and_then(|word| UnitWord::parse_last_word(word));
    let unit = match last_is_unit {
        Some(unit) if words.len() > 1 => {
            words.pop();
            Some(unit)
        }
        Some(unit) => Some(unit),
        None => None,
    };
    (words, unit)
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
    let (words, alone) = split_unit(name);
    let brackets = ColumnName::parse(name);
    if brackets.axis.is_some() {
        return None;
    }
    let is_unit = |unit: &UnitWord| matches!(unit, UnitWord::Time(_));
    let has_unit =
        brackets.unit.as_ref().is_some_and(is_unit) || alone.as_ref().is_some_and(is_unit);
    let has = |word: &str| words.iter().any(|own| own == word);
    let is_plain = matches!(words.concat().as_str(), "time" | "timestamp" | "t");
    if is_plain {
        return Some(Rank::of_class(Rank::PLAIN));
    }
    // A name that is only a unit, such as `Seconds`, is also the name of a time column.
    let is_lone_unit = words.len() == 1 && alone.as_ref().is_some_and(is_unit);
    let is_time =
        ["time", "stamp", "date", "datetime", "elapsed", "clock"].iter().any(|it| has(it));
    if is_time || is_lone_unit {
        return Some(Rank {
            class: Rank::TIME,
            is_processed: has("processed"),
            is_utc: has("utc"),
            lacks_unit: !has_unit,
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
        let column = find_time_column(&table, &Mapping::default()).unwrap().0?;
        Some((column, stated_unit(&table, column)))
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
