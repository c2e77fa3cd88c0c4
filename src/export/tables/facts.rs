//! The metadata of tables: keys that begin with `mutoscope.`, with text or JSON.

use arrow_schema::Metadata;
use serde_json::json;

use crate::{
    clip::{NodeId, Origin},
    export::Job,
    tables::Column,
};

/// The metadata of the table of poses, whose nodes have these names.
pub(super) fn of_poses(job: &Job<'_>, names: &[String], columns: &[Column]) -> Metadata {
    let nodes = job.clip.nodes.iter().zip(names).enumerate().map(|(index, (node, name))| {
        json!({"index": index, "name": name, "parent": node.parent.map(NodeId::index)})
    });
    let nodes = serde_json::Value::from_iter(nodes).to_string();
    let space = "right-handed, Y up, -Z forward; positions and rotations in world space; rotations are \
                 quaternions x, y, z, w";
    let mut facts = of(job, "poses", columns);
    facts.extend([named("nodes", nodes), named("space", space)]);
    facts
}

/// The metadata of any table of a recording.
pub(super) fn of(job: &Job<'_>, table: &str, columns: &[Column]) -> Metadata {
    let clip = job.clip;
    let units =
        columns.iter().filter_map(|column| Some((column.name.to_owned(), column.unit?.into())));
    let units: serde_json::Map<_, _> = units.collect();
    let mut facts = Metadata::from([
        named("table", table),
        named("writer", concat!("mutoscope ", env!("CARGO_PKG_VERSION"))),
        named("source", job.source),
        named("name", clip.name.as_str()),
        named("format", clip.format.word()),
        named("version", clip.version.as_str()),
        named("subject", clip.subject.as_str()),
        named("units", serde_json::Value::from(units).to_string()),
        named("range", json!([job.from, job.to]).to_string()),
        named("convention", convention(job).to_string()),
    ]);
    let rate = job.rate.map(|rate| named("rate", json!(rate).to_string()));
    facts.extend(rate);
    facts
}

fn named(key: &str, value: impl Into<String>) -> (String, String) {
    (format!("mutoscope.{key}"), value.into())
}

/// The convention of the recording, from which the numbers of the table are converted.
fn convention(job: &Job<'_>) -> serde_json::Value {
    let convention = &job.clip.convention;
    json!({
        "handedness": convention.handedness.value.word(),
        "up": convention.up.value.word(),
        "metres_per_unit": convention.metres_per_unit.value,
        "declared": convention.names_of(Origin::Declared),
        "assumed": convention.names_of(Origin::Assumed),
        "chosen": convention.names_of(Origin::Chosen),
    })
}
