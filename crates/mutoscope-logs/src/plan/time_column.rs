//! The column of times.

use mutoscope_core::diagnostics::Error;

use super::mapped;
use crate::{
    mapping::{Mapping, TimeUnit},
    names::{ColumnName, UnitWord},
    table::{Role, Table},
};

/// How well a column fits; less is better.
type Rank = (u8, bool, bool, bool);

/// The column of times, if there is one, and the others that may be it.
///
/// # Errors
/// If the mapping names a column that the table lacks.
pub(super) fn find(table: &Table, mapping: &Mapping) -> Result<(Option<usize>, Vec<usize>), Error> {
    if let Some(named) = &mapping.time.column {
        return mapped::column(table, mapping, named).map(|column| (Some(column), Vec::new()));
    }
    let by_role = table.declared.roles.iter().find(|(_, role)| **role == Role::Time);
    if let Some((column, _)) = by_role {
        return Ok((Some(*column), Vec::new()));
    }
    let ranked = table.columns.iter().enumerate().filter(|(_, column)| !column.is_empty());
    let ranked = ranked.filter_map(|(index, column)| {
        let rank =
            rank(&column.name).or_else(|| column.time_unit.map(|_| (1, false, false, false)));
        Some((rank?, index))
    });
    let mut ranked: Vec<(Rank, usize)> = ranked.collect();
    ranked.sort_unstable();
    let first = ranked.first().map(|(_, index)| *index);
    // The number of the frame is no other time.
    let others = ranked.iter().skip(1).filter(|((class, ..), _)| *class < 2);
    Ok((first, others.map(|(_, index)| *index).collect()))
}

/// The unit that the name or the type of a column of times states.
pub(super) fn unit(table: &Table, column: usize) -> Option<TimeUnit> {
    let column = &table.columns[column];
    if let Some(unit) = column.time_unit {
        return TimeUnit::of_word(unit);
    }
    let name = ColumnName::of(&column.name);
    match name.unit {
        Some(UnitWord::Time(word)) => TimeUnit::of_word(word),
        _ => match parts(&column.name).1 {
            Some(UnitWord::Time(word)) => TimeUnit::of_word(word),
            _ if is_frame(&parts(&column.name).0) => Some(TimeUnit::Frames),
            _ => None,
        },
    }
}

/// The words of a name without its unit, and the unit that stands alone.
fn parts(name: &str) -> (Vec<String>, Option<UnitWord>) {
    let base = name.split(['[', '(']).next().unwrap_or_default();
    let mut words: Vec<String> = crate::names::words_of(base);
    let last_is_unit = words.last().and_then(|word| UnitWord::of_last_word(word));
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

fn rank(name: &str) -> Option<Rank> {
    let (words, alone) = parts(name);
    let brackets = ColumnName::of(name);
    if brackets.axis.is_some() {
        return None;
    }
    let is_unit = |unit: &UnitWord| matches!(unit, UnitWord::Time(_));
    let has_unit =
        brackets.unit.as_ref().is_some_and(is_unit) || alone.as_ref().is_some_and(is_unit);
    let has = |word: &str| words.iter().any(|own| own == word);
    let is_plain = matches!(words.concat().as_str(), "time" | "timestamp" | "t");
    if is_plain {
        return Some((0, false, false, false));
    }
    // A unit alone, such as `Seconds`, is a word of time too.
    let is_lone_unit = words.len() == 1 && alone.as_ref().is_some_and(is_unit);
    let is_time =
        ["time", "stamp", "date", "datetime", "elapsed", "clock"].iter().any(|it| has(it));
    if is_time || is_lone_unit {
        return Some((1, has("processed"), has("utc"), !has_unit));
    }
    is_frame(&words).then_some((2, false, false, false))
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
        let column = find(&table, &Mapping::default()).unwrap().0?;
        Some((column, unit(&table, column)))
    }

    #[test]
    fn plain_names_come_before_others_and_frames_last() {
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
