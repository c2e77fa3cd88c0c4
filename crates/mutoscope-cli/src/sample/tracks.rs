//! The values of tracks, in the file's own axes and units.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::json;
use mutoscope_core::{
    clip::{Clip, TrackId, Value},
    export::table::Table,
};

/// Prints every track's value at each of `times`, in seconds: one JSON object a line.
pub(super) fn lines(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    out: &mut impl Write,
) -> io::Result<()> {
    times.try_for_each(|time| json::line(out, &Line { time, tracks: TrackValues { clip, time } }))
}

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    tracks: TrackValues<'a>,
}

struct TrackValues<'a> {
    clip: &'a Clip,
    time: f64,
}

/// One track at one time.
#[derive(Serialize)]
struct TrackValue<'a> {
    index: usize,
    node: &'a str,
    property: &'a str,
    value: Value,
}

impl Serialize for TrackValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values(self.clip, self.time))
    }
}

/// Prints every track's value at each of `times`, in seconds, as a table: a row for each time and
/// track.
pub(super) fn table(
    clip: &Clip,
    mut times: impl Iterator<Item = f64>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = Table::new(out);
    table.texts(&["time", "index", "node", "property", "value"])?;
    table.end_row()?;
    times.try_for_each(|time| {
        values(clip, time).try_for_each(|TrackValue { index, node, property, value }| {
            table.numbers(&[time])?;
            table.index(Some(index))?;
            table.texts(&[node, property])?;
            table.value(&value)?;
            table.end_row()
        })
    })
}

fn values(clip: &Clip, time: f64) -> impl Iterator<Item = TrackValue<'_>> {
    clip.tracks.iter().enumerate().map(move |(index, track)| TrackValue {
        index,
        node: clip.owner_name(track.owner),
        property: &track.property,
        value: clip.value(TrackId::new(index), time),
    })
}
