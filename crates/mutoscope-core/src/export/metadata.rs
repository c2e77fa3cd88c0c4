//! Metadata of a recording and its export, for targets that can hold metadata.

use serde_json::{Value, json};

use super::Job;
use crate::clip::{FactOrigin, NodeId};

impl Job<'_> {
    /// Returns the metadata of the export by key. Values are strings or JSON.
    pub fn metadata(&self) -> Vec<(&'static str, String)> {
        let clip = self.clip;
        let mut facts = vec![
            ("writer", concat!("mutoscope ", env!("CARGO_PKG_VERSION")).to_owned()),
            ("source", self.source.to_owned()),
            ("name", clip.name.clone()),
            ("format", clip.format.as_str().to_owned()),
            ("version", clip.version.clone()),
            ("subject", clip.subject.clone()),
            ("range", json!([self.from, self.to]).to_string()),
            ("convention", self.convention().to_string()),
        ];
        facts.extend(self.rate.map(|rate| ("rate", json!(rate).to_string())));
        facts
    }

    /// Returns the nodes as a JSON array. Each node has an index, its name from `names`, and its
    /// parent's index.
    pub fn nodes_as_json(&self, names: &[String]) -> String {
        let nodes = self.clip.nodes.iter().zip(names).enumerate().map(|(index, (node, name))| {
            json!({"index": index, "name": name, "parent": node.parent.map(NodeId::index)})
        });
        Value::from_iter(nodes).to_string()
    }

    fn convention(&self) -> Value {
        let convention = &self.clip.convention;
        json!({
            "handedness": convention.handedness.value.as_str(),
            "up": convention.up.value.as_str(),
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.fact_names(FactOrigin::Declared),
            "assumed": convention.fact_names(FactOrigin::Assumed),
            "chosen": convention.fact_names(FactOrigin::Chosen),
        })
    }
}
