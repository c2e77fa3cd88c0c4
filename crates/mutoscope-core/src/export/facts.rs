//! Metadata of a recording and its export, for targets that have metadata.

use serde_json::{Value, json};

use super::Job;
use crate::clip::{NodeId, Origin};

impl Job<'_> {
    /// The metadata for any target, by key: text or JSON.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let clip = self.clip;
        let mut facts = vec![
            ("writer", concat!("mutoscope ", env!("CARGO_PKG_VERSION")).to_owned()),
            ("source", self.source.to_owned()),
            ("name", clip.name.clone()),
            ("format", clip.format.word().to_owned()),
            ("version", clip.version.clone()),
            ("subject", clip.subject.clone()),
            ("range", json!([self.from, self.to]).to_string()),
            ("convention", self.convention().to_string()),
        ];
        facts.extend(self.rate.map(|rate| ("rate", json!(rate).to_string())));
        facts
    }

    /// The nodes with these names, each with its parent, as JSON.
    pub fn nodes_as_json(&self, names: &[String]) -> String {
        let nodes = self.clip.nodes.iter().zip(names).enumerate().map(|(index, (node, name))| {
            json!({"index": index, "name": name, "parent": node.parent.map(NodeId::index)})
        });
        Value::from_iter(nodes).to_string()
    }

    /// The convention of the recording, from which the numbers of the target are converted.
    fn convention(&self) -> Value {
        let convention = &self.clip.convention;
        json!({
            "handedness": convention.handedness.value.word(),
            "up": convention.up.value.word(),
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.names_of(Origin::Declared),
            "assumed": convention.names_of(Origin::Assumed),
            "chosen": convention.names_of(Origin::Chosen),
        })
    }
}
