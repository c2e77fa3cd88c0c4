//! What there is to know about a recording and its export, for targets that have metadata.

use serde_json::{Value, json};

use super::Job;
use crate::clip::{Event, Handedness, NodeId, Origin, Up};

impl Job<'_> {
    /// What holds for any target, each with a name and words or JSON.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
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

    /// The nodes, which are called by these names, each with its parent.
    pub(super) fn nodes_as_json(&self, names: &[String]) -> String {
        let nodes = self.clip.nodes.iter().zip(names).enumerate().map(|(index, (node, name))| {
            json!({"index": index, "name": name, "parent": node.parent.map(NodeId::index)})
        });
        Value::from_iter(nodes).to_string()
    }

    /// The node that an event concerns, as `info --json` has it; empty for none.
    pub(super) fn node_of_event<'a>(&'a self, event: &'a Event) -> &'a str {
        match (event.details.as_deref(), event.owner) {
            (Some(details), _) => &details.node,
            (None, Some(owner)) => self.clip.owner_name(owner),
            (None, None) => "",
        }
    }

    /// How the numbers of the recording itself are understood, which those of the target are made of.
    fn convention(&self) -> Value {
        let convention = &self.clip.convention;
        json!({
            "handedness": match convention.handedness.value {
                Handedness::Left => "left",
                Handedness::Right => "right",
            },
            "up": match convention.up.value {
                Up::Y => "Y",
                Up::Z => "Z",
            },
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.names_of(Origin::Declared),
            "assumed": convention.names_of(Origin::Assumed),
            "chosen": convention.names_of(Origin::Chosen),
        })
    }
}
