//! The metadata of tables: keys that begin with `mutoscope.`, with text or JSON.

use arrow_schema::Metadata;

use crate::Column;
use mutoscope_core::export::Job;

/// The metadata of the table of poses, whose nodes have these names.
pub(super) fn of_poses(job: &Job<'_>, names: &[String], columns: &[Column]) -> Metadata {
    let space = "right-handed, Y up, -Z forward; positions and rotations in world space; rotations are \
                 quaternions x, y, z, w";
    let mut facts = of(job, "poses", columns);
    facts.extend([named("nodes", job.nodes_as_json(names)), named("space", space)]);
    facts
}

/// The metadata of any table of a recording.
pub(super) fn of(job: &Job<'_>, table: &str, columns: &[Column]) -> Metadata {
    let units =
        columns.iter().filter_map(|column| Some((column.name.to_owned(), column.unit?.into())));
    let units: serde_json::Map<_, _> = units.collect();
    let mut facts = Metadata::from([
        named("table", table),
        named("units", serde_json::Value::from(units).to_string()),
    ]);
    facts.extend(job.facts().into_iter().map(|(key, value)| named(key, value)));
    facts
}

fn named(key: &str, value: impl Into<String>) -> (String, String) {
    (format!("mutoscope.{key}"), value.into())
}
