//! Builds the metadata of tables. Keys begin with `mutoscope.`; values are text or JSON.

use arrow_schema::Metadata;

use crate::Column;
use mutoscope_core::export::{FileAxis, Job};

pub(super) fn pose_metadata(job: &Job<'_>, names: &[String], columns: &[Column]) -> Metadata {
    let [up, forward] = job.motion.file_axes().map(FileAxis::as_str);
    let space = format!(
        "right-handed, {} up, {} forward; positions and rotations in world space; rotations are \
         quaternions x, y, z, w",
        up.to_uppercase(),
        forward.to_uppercase()
    );
    let mut facts = table_metadata(job, "poses", columns);
    facts.extend([
        prefixed("nodes", job.nodes_as_json(names)),
        prefixed("space", space),
        prefixed("up", up),
        prefixed("forward", forward),
    ]);
    facts
}

pub(super) fn table_metadata(job: &Job<'_>, table: &str, columns: &[Column]) -> Metadata {
    let units =
        columns.iter().filter_map(|column| Some((column.name.to_owned(), column.unit?.into())));
    let units: serde_json::Map<_, _> = units.collect();
    let mut facts = Metadata::from([
        prefixed("table", table),
        prefixed("units", serde_json::Value::from(units).to_string()),
    ]);
    facts.extend(job.metadata().into_iter().map(|(key, value)| prefixed(key, value)));
    facts
}

fn prefixed(key: &str, value: impl Into<String>) -> (String, String) {
    (format!("mutoscope.{key}"), value.into())
}
