//! Prints the values of tracks, in the file's own axes and units.

use std::io::{self, Write};

use serde::Serialize;

use super::NonFinite;
use crate::json;
use mutoscope_core::{
    clip::{Clip, TrackId, Value},
    export::table::TableWriter,
};

pub(super) fn print_lines(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut values = Vec::with_capacity(clip.tracks.len());
    times.try_for_each(|time| {
        values.clear();
        values.extend(self::track_values(clip, time));
        values.iter().for_each(|track: &TrackValue<'_>| {
            non_finite.record_track_value(track.index, &track.value, time);
        });
        json::write_line(out, &Line { time, tracks: &values })
    })
}

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    tracks: &'a [TrackValue<'a>],
}

#[derive(Serialize)]
struct TrackValue<'a> {
    index: usize,
    node: &'a str,
    property: &'a str,
    value: Value,
}

pub(super) fn print_table(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = TableWriter::new(out);
    table.write_strings(&["time", "index", "node", "property", "value"])?;
    table.end_row()?;
    times.try_for_each(|time| {
        track_values(clip, time).try_for_each(|TrackValue { index, node, property, value }| {
            non_finite.record_track_value(index, &value, time);
            table.write_numbers(&[time])?;
            table.write_index(Some(index))?;
            table.write_strings(&[node, property])?;
            table.write_value(&value)?;
            table.end_row()
        })
    })
}

fn track_values(clip: &Clip, time: f64) -> impl Iterator<Item = TrackValue<'_>> {
    let ids = (0..clip.tracks.len()).map(TrackId::new);
    let listed = ids.filter(move |id| !clip.track(*id).source.is_derived());
    listed.enumerate().map(move |(index, id)| TrackValue {
        index,
        node: clip.listed_owner(id),
        property: clip.listed_property(id),
        value: clip.value(id, time),
    })
}
