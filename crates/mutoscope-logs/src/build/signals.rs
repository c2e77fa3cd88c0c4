//! Builds signals from the columns that do not belong to a pose.

use std::{collections::HashMap, sync::Arc};

use mutoscope_core::{
    clip::{
        AnyCurve, KeyTimes, Owner, ScalarCurve, Shapes, Signal, SignalKind, TextCurve, Track,
        TrackId, TrackLocation, Unit,
    },
    diagnostics::SourceLocation,
};

use super::{Builder, curves::Keys, rows::NO_INDEX};
use crate::{names::parse_flag, skeleton::side_owner};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    Number,
    Switch,
    Text,
}

impl Builder<'_> {
    pub(super) fn add_signals(&mut self) {
        let plan = self.plan;
        for (name, column) in &plan.signals {
            if self.rows.groups.is_empty() || self.agrees_at_each_time(*column) {
                let rows = self.rows_with_value(*column, None);
                self.add_column_signal(name, *column, &rows, side_owner(None));
                self.record_use(*column, "", "signal");
                continue;
            }
            for group in 0..self.rows.groups.len() {
                let rows = self.rows_with_value(*column, Some(group));
                if rows.is_empty() {
                    continue;
                }
                let group = &self.rows.groups[group];
                let node = group.node_name();
                let (text, owner) = match group.side {
                    Some(_) if group.node.is_none() => {
                        (format!("{node}/{name}"), side_owner(group.side))
                    }
                    _ => {
                        let index = self.nodes.iter().position(|it| it.name == node);
                        let id = index.map(mutoscope_core::clip::NodeId::new);
                        (format!("{node}.{name}"), id.map_or(side_owner(group.side), Owner::Node))
                    }
                };
                self.add_column_signal(&text, *column, &rows, owner);
                self.record_use(*column, &node, "signal");
            }
        }
    }

    /// Returns `true` if, at each time, all rows have the same value in this column. Such a column
    /// belongs to no node.
    fn agrees_at_each_time(&self, column: usize) -> bool {
        let table = &self.table;
        let mut numbers: Vec<f64> = vec![f64::NAN; self.rows.times.len()];
        for (row, number) in table.columns[column].numbers() {
            let Some(slot) = self.rows.slots.get(row).filter(|slot| **slot != NO_INDEX) else {
                continue;
            };
            let before = &mut numbers[*slot as usize];
            if !before.is_nan() && *before != number {
                return false;
            }
            *before = number;
        }
        let mut texts: Vec<&str> = Vec::new();
        for (row, text) in table.texts(column) {
            let Some(slot) = self.rows.slots.get(row).filter(|slot| **slot != NO_INDEX) else {
                continue;
            };
            if texts.is_empty() {
                texts = vec![""; self.rows.times.len()];
            }
            let before = &mut texts[*slot as usize];
            if !before.is_empty() && *before != text {
                return false;
            }
            *before = text;
        }
        true
    }

    fn rows_with_value(&self, column: usize, group: Option<usize>) -> Arc<[u32]> {
        let rows = self.rows;
        if let Some(all) = &rows.all_in_order
            && self.table.columns[column].has_all_numbers(all.len())
        {
            return Arc::clone(all);
        }
        let slot = |row: &u32| rows.slots[*row as usize];
        let numbers = self.table.columns[column].numbers().map(|(row, _)| row as u32);
        let texts = self.table.texts(column).map(|(row, _)| row as u32);
        let is_kept = |row: &u32| {
            (*row as usize) < rows.slots.len()
                && slot(row) != NO_INDEX
                && group.is_none_or(|group| rows.group_of_row[*row as usize] == group as u32)
        };
        let mut found: Vec<u32> = match group {
            Some(group) => {
                let has = |row: &&u32| {
                    let row = **row as usize;
                    !self.table.columns[column].number(row).is_nan()
                        || self.table.text(column, row).is_some()
                };
                rows.groups[group].rows.iter().filter(has).copied().collect()
            }
            None => numbers.chain(texts).filter(is_kept).collect(),
        };
        if !found.is_sorted_by(|one, other| slot(one) < slot(other)) {
            found.sort_by_key(|row| (slot(row), *row));
            // `dedup_by_key` keeps the first row of each time. Reverse the rows, so that the last
            // row of each time remains.
            found.reverse();
            found.dedup_by_key(|row| slot(row));
            found.reverse();
        }
        found.into()
    }

    fn value_kind(&self, column: usize) -> ValueKind {
        let of_column = &self.table.columns[column];
        if !of_column.has_texts() {
            return ValueKind::Number;
        }
        let is_bool =
            |text: &str| ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(text));
        match !of_column.has_numbers() && self.table.texts(column).all(|(_, text)| is_bool(text)) {
            true => ValueKind::Switch,
            false => ValueKind::Text,
        }
    }

    fn add_column_signal(&mut self, name: &str, column: usize, rows: &Arc<[u32]>, owner: Owner) {
        let keys = self.sets.keys_for(rows, &[]);
        let property = self.table.columns[column].name.clone();
        let kind = self.value_kind(column);
        let curve = self.stepped_curve(&keys, column, kind, 1.0);
        self.release_use(column);
        self.add_signal(&keys, owner, name, &property, curve);
    }

    pub(super) fn add_node_signal(
        &mut self,
        keys: &Keys,
        owner: Owner,
        column: usize,
        name: &str,
        property: &str,
        factor: f64,
    ) {
        let rows: Arc<[u32]> = keys
            .rows
            .iter()
            .copied()
            .filter(|row| !self.table.columns[column].number(*row as usize).is_nan())
            .collect();
        let keys = self.sets.keys_for(&rows, &[]);
        let curve = self.stepped_curve(&keys, column, ValueKind::Number, factor);
        let track = self.add_signal(&keys, owner, name, property, curve);
        self.signal_tracks.remove(&track);
    }

    fn add_signal(
        &mut self,
        keys: &Keys,
        owner: Owner,
        name: &str,
        property: &str,
        curve: AnyCurve,
    ) -> TrackId {
        let track = self.add_track(Track {
            owner,
            property: property.to_owned(),
            curve,
            unit: Unit::None,
            source: keys.location(),
        });
        self.signal_tracks.insert(track);
        self.signals.push(Signal { name: name.to_owned(), track, kind: SignalKind::Attribute });
        track
    }

    pub(super) fn add_series(&mut self) {
        let mut known: Option<(usize, f64, KeyTimes)> = None;
        for series in &self.table.series {
            let count = series.values.len();
            let same =
                known.take().filter(|(length, rate, _)| (*length, *rate) == (count, series.rate));
            let times = match same {
                Some((.., times)) => times,
                None => {
                    let time = |index: usize| series.start + index as f64 / series.rate;
                    let Ok(times) = KeyTimes::new((0..count).map(time).collect::<Vec<f64>>())
                    else {
                        continue;
                    };
                    times
                }
            };
            known = Some((count, series.rate, times.clone()));
            self.tracks.push(Track {
                owner: side_owner(None),
                property: series.name.clone(),
                curve: AnyCurve::Number(ScalarCurve::new(times, &series.values[..], Shapes::Step)),
                unit: Unit::None,
                source: TrackLocation::for_track(SourceLocation::File),
            });
            let track = TrackId::new(self.tracks.len() - 1);
            self.signal_tracks.insert(track);
            let (name, kind) = (series.name.clone(), SignalKind::Attribute);
            self.signals.push(Signal { name, track, kind });
        }
    }

    /// Adds a track of a flag in the rows of a group, or in all rows.
    pub(super) fn add_flag_track(&mut self, owner: Owner, column: usize, group: Option<usize>) {
        let rows = self.rows_with_value(column, group);
        let keys = self.sets.keys_for(&rows, &[]);
        let kind = self.value_kind(column);
        let curve = self.stepped_curve(&keys, column, kind, 1.0);
        self.add_track(Track {
            owner,
            property: "tracked".to_owned(),
            curve,
            unit: Unit::None,
            source: keys.location(),
        });
    }

    fn stepped_curve(&self, keys: &Keys, column: usize, kind: ValueKind, factor: f64) -> AnyCurve {
        let (table, times) = (&self.table, keys.times.clone());
        let number = |row: &u32| table.columns[column].number(*row as usize);
        match kind {
            ValueKind::Number if factor == 1.0 => {
                let values = keys.column_values(&table.columns[column]);
                AnyCurve::Number(ScalarCurve::new(times, values, Shapes::Step))
            }
            ValueKind::Number => {
                let values: Vec<f64> = keys.rows.iter().map(|row| number(row) * factor).collect();
                AnyCurve::Number(ScalarCurve::new(times, values, Shapes::Step))
            }
            ValueKind::Switch => {
                let is_on = |row: &u32| {
                    let text = table.text(column, *row as usize);
                    f32::from(u8::from(text.is_some_and(|text| parse_flag(text) == Some(true))))
                };
                let values: Vec<f32> = keys.rows.iter().map(is_on).collect();
                AnyCurve::Switch(ScalarCurve::new(times, values, Shapes::Step))
            }
            ValueKind::Text => {
                let mut known: HashMap<String, Arc<str>> = HashMap::new();
                let mut shared = |row: &u32| {
                    let text = table.label(column, *row as usize)?;
                    if let Some(known) = known.get(&text) {
                        return Some(Arc::clone(known));
                    }
                    let made: Arc<str> = text.as_str().into();
                    known.insert(text, Arc::clone(&made));
                    Some(made)
                };
                let texts: Vec<_> = keys.rows.iter().map(&mut shared).collect();
                AnyCurve::Text(Box::new(TextCurve::new(times, texts)))
            }
        }
    }
}
