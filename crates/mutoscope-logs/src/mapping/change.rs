//! Changing a mapping, where what was recognised does not fit.

use mutoscope_core::{clip::ColumnUses, formats::MappingFile};
use serde_json::{Map, Value, json};

use super::{ThreeAngles, mapping_as_json, mapping_of_json};

/// The name of a changed mapping in messages.
const NAME: &str = "the changed mapping";

/// The keys of a node by which it has a pose.
const POSES: [&str; 5] = ["position", "rotation", "euler", "rotation_vector", "direction"];

/// A change of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingChange {
    /// Another value for a fact.
    Set {
        /// The key behind its section: `space.axes`.
        key: String,
        /// The value in TOML: `["right", "up", "back"]`.
        toml: String,
    },
    /// Another use of a column.
    Use {
        /// The name of the column.
        column: String,
        /// Its role.
        role: ColumnRole,
    },
}

/// The role of a column that is chosen, regardless of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// The time of the rows.
    Time,
    /// A signal.
    Signal,
    /// Events.
    Event,
    /// Nothing.
    Unused,
}

/// The mapping by which a table was read, changed. What the mapping before did not say it leaves open, as far as
/// possible: it is recognised as before.
///
/// # Errors
/// If no mapping says that: the message.
pub fn changed_mapping(
    columns: &ColumnUses,
    change: &MappingChange,
) -> Result<MappingFile, String> {
    let read = |text: &str| -> Result<Map<String, Value>, String> {
        let json = mapping_as_json(text)?;
        serde_json::from_str(&json).map_err(|error| error.to_string())
    };
    let before = columns.read_by.as_ref().map_or("", |file| &file.text);
    let mut changed = Changed { sections: read(before)?, whole: read(&columns.mapping)? };
    match change {
        MappingChange::Set { key, toml } => changed.set(key, toml)?,
        MappingChange::Use { column, role } => changed.give(columns, column, *role)?,
    }
    mapping_of_json(NAME, &Value::Object(changed.sections).to_string())
}

/// A mapping that is being changed.
struct Changed {
    sections: Map<String, Value>,
    /// The same with all that was recognised.
    whole: Map<String, Value>,
}

impl Changed {
    fn section(&mut self, name: &str) -> &mut Map<String, Value> {
        let section = self.sections.entry(name).or_insert_with(|| json!({}));
        if !section.is_object() {
            *section = json!({});
        }
        section.as_object_mut().expect("it is an object")
    }

    /// Takes over a section from what was recognised, unless the mapping has it.
    fn take_over(&mut self, name: &str) {
        if let Some(whole) = self.whole.get(name)
            && !self.sections.contains_key(name)
        {
            self.sections.insert(name.to_owned(), whole.clone());
        }
    }

    fn set(&mut self, key: &str, toml: &str) -> Result<(), String> {
        let json = mapping_as_json(&format!("value = {toml}"))?;
        let value: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        let value = value["value"].clone();
        let (section, name) = key.split_once('.').unwrap_or((key, ""));
        if section == "long" {
            // A table is long by all of that section, or by none.
            self.take_over("long");
        }
        if key == "space.euler" {
            self.rename_angles(value == ThreeAngles::VECTOR);
        }
        if key == "time.column" {
            self.forget_time();
        }
        self.section(section).insert(name.to_owned(), value);
        Ok(())
    }

    /// The unit was that of another column.
    fn forget_time(&mut self) {
        let time = self.section("time");
        ["unit", "rate", "zero"].iter().for_each(|key| drop(time.remove(*key)));
    }

    /// Lets the nodes that are listed have a rotation vector, or angles.
    fn rename_angles(&mut self, are_vectors: bool) {
        let Some(Value::Object(nodes)) = self.sections.get_mut("nodes") else { return };
        let (from, to) = match are_vectors {
            true => ("euler", "rotation_vector"),
            false => ("rotation_vector", "euler"),
        };
        for node in nodes.values_mut().filter_map(Value::as_object_mut) {
            if let Some(columns) = node.remove(from) {
                node.insert(to.to_owned(), columns);
            }
        }
    }

    /// Gives a column another role.
    fn give(&mut self, columns: &ColumnUses, column: &str, role: ColumnRole) -> Result<(), String> {
        let is_of_pose = |property: &str| !["signal", "event", "node", "side"].contains(&property);
        let is_of_node =
            columns.used.iter().any(|one| one.column == column && is_of_pose(&one.property));
        if is_of_node {
            self.take_from_nodes(column)?;
        }
        if self.sections.get("events").is_some_and(|events| events["column"] == column)
            || self.whole.get("events").is_some_and(|events| events["column"] == column)
        {
            self.sections.insert("events".to_owned(), json!({}));
        }
        match role {
            ColumnRole::Time => {
                self.forget_time();
                self.section("time").insert("column".to_owned(), column.into());
            }
            ColumnRole::Event => {
                self.section("events").insert("column".to_owned(), column.into());
                if let Some(Value::Object(signals)) = self.sections.get_mut("signals") {
                    signals.retain(|_, own| own != column);
                }
            }
            ColumnRole::Signal | ColumnRole::Unused => {
                self.list_signals(columns);
                let signals = self.section("signals");
                signals.retain(|_, own| own != column);
                if role == ColumnRole::Signal {
                    signals.insert(column.to_owned(), column.into());
                }
            }
        }
        Ok(())
    }

    /// Lists the signals, if they are not.
    fn list_signals(&mut self, columns: &ColumnUses) {
        self.take_over("signals");
        if !self.sections.contains_key("signals") {
            let signals = columns.used.iter().filter(|one| one.property == "signal");
            let signals = signals.map(|one| (one.column.clone(), one.column.clone().into()));
            self.sections.insert("signals".to_owned(), Value::Object(signals.collect()));
        }
    }

    /// Takes a column from the nodes that have it, with the columns beside it.
    fn take_from_nodes(&mut self, column: &str) -> Result<(), String> {
        let has_it = |columns: &Value| match columns {
            Value::String(name) => {
                name == column || column.rsplit_once('.').is_some_and(|(list, _)| list == name)
            }
            Value::Array(names) => names.iter().any(|name| name == column),
            _ => false,
        };
        self.take_over("nodes");
        let Some(Value::Object(nodes)) = self.sections.get_mut("nodes") else {
            return Err(format!(
                "{column:?} is of a pose, and a mapping cannot list the nodes of this table; its columns \
                 stay what they are"
            ));
        };
        for node in nodes.values_mut().filter_map(Value::as_object_mut) {
            node.retain(|_, columns| !has_it(columns));
        }
        nodes.retain(|_, node| {
            let has = |key: &str| node.get(key).is_some();
            POSES.iter().any(|key| has(key)) || has("yaw") && has("pitch")
        });
        if nodes.is_empty() {
            return Err(format!("without {column:?} no column is of a pose"));
        }
        let names: Vec<String> = nodes.keys().cloned().collect();
        for node in nodes.values_mut().filter_map(Value::as_object_mut) {
            node.retain(|key, value| {
                key != "parent"
                    || value.as_str().is_some_and(|it| names.iter().any(|name| name == it))
            });
        }
        Ok(())
    }
}
