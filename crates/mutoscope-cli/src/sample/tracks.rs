//! The values of tracks, in the file's own axes and units.

use std::io::{self, Write};

use serde::Serialize;

use super::NonFinite;
use crate::json;
use mutoscope_core::{
    clip::{Clip, TrackId, Value},
    export::table::Table,
};

/// Prints every track's value at each of `times`, in seconds: one JSON object a line.
pub(super) fn lines(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut values = Vec::with_capacity(clip.tracks.len());
    times.try_for_each(|time| {
        values.clear();
        values.extend(self::values(clip, time));
        values.iter().for_each(|one: &TrackValue<'_>| {
            non_finite.look_at_track(one.index, &one.value, time);
        });
        json::line(out, &Line { time, tracks: &values })
    })
}

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    tracks: &'a [TrackValue<'a>],
}

/// One track at one time.
#[derive(Serialize)]
struct TrackValue<'a> {
    index: usize,
    node: &'a str,
    property: &'a str,
    value: Value,
}

/// Prints every track's value at each of `times`, in seconds, as a table: a row for each time and
/// track.
pub(super) fn table(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    non_finite: &mut NonFinite<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = Table::new(out);
    table.texts(&["time", "index", "node", "property", "value"])?;
    table.end_row()?;
    times.try_for_each(|time| {
        values(clip, time).try_for_each(|TrackValue { index, node, property, value }| {
            non_finite.look_at_track(index, &value, time);
            table.numbers(&[time])?;
            table.index(Some(index))?;
            table.texts(&[node, property])?;
            table.value(&value)?;
            table.end_row()
        })
    })
}

fn values(clip: &Clip, time: f64) -> impl Iterator<Item = TrackValue<'_>> {
    let ids = (0..clip.tracks.len()).map(TrackId::new);
    let listed = ids.filter(move |id| !clip.track(*id).source.is_derived());
    listed.enumerate().map(move |(index, id)| TrackValue {
        index,
        node: clip.listed_owner(id),
        property: clip.listed_property(id),
        value: clip.value(id, time),
    })
}
