//! Changes a mapping, for when the recognised columns or facts are wrong.

use mutoscope_core::{clip::ColumnUses, formats::MappingFile};
use serde_json::{Map, Value, json};

use super::{ThreeAngles, mapping_from_json, mapping_to_json};

const CHANGED_MAPPING_NAME: &str = "the changed mapping";

const POSE_KEYS: [&str; 5] = ["position", "rotation", "euler", "rotation_vector", "direction"];

/// A change of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingChange {
    /// Sets the value of a fact.
    Set {
        /// The key with its section, such as `space.axes`.
        key: String,
        /// The value in TOML, such as `["right", "up", "back"]`.
        toml: String,
    },
    /// Sets the role of a column.
    Use {
        /// The name of the column.
        column: String,
        /// The new role.
        role: ColumnRole,
    },
}

/// A role that the user gives to a column, regardless of the column's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    /// The time of the rows.
    Time,
    /// A signal.
    Signal,
    /// The names of events.
    Event,
    /// The column is not used.
    Unused,
}

/// Changes the mapping with which a table was read. Facts that the old mapping left to recognition
/// stay out of the new mapping if possible, so that they are recognised again.
///
/// # Errors
/// If no mapping can express the change. The error is the message.
pub fn change_mapping(columns: &ColumnUses, change: &MappingChange) -> Result<MappingFile, String> {
    let read = |text: &str| -> Result<Map<String, Value>, String> {
        let json = mapping_to_json(text)?;
        serde_json::from_str(&json).map_err(|error| error.to_string())
    };
    let before = columns.mapping_file.as_ref().map_or("", |file| &file.text);
    let mut changed =
        MappingEditor { sections: read(before)?, recognised: read(&columns.mapping)? };
    match change {
        MappingChange::Set { key, toml } => changed.set_value(key, toml)?,
        MappingChange::Use { column, role } => changed.set_role(columns, column, *role)?,
    }
    mapping_from_json(CHANGED_MAPPING_NAME, &Value::Object(changed.sections).to_string())
}

struct MappingEditor {
    sections: Map<String, Value>,
    recognised: Map<String, Value>,
}

impl MappingEditor {
    fn section_mut(&mut self, name: &str) -> &mut Map<String, Value> {
        let section = self.sections.entry(name).or_insert_with(|| json!({}));
        if !section.is_object() {
            *section = json!({});
        }
        section.as_object_mut().expect("it is an object")
    }

    fn copy_recognised_section(&mut self, name: &str) {
        if let Some(whole) = self.recognised.get(name)
            && !self.sections.contains_key(name)
        {
            self.sections.insert(name.to_owned(), whole.clone());
        }
    }

    fn set_value(&mut self, key: &str, toml: &str) -> Result<(), String> {
        let json = mapping_to_json(&format!("value = {toml}"))?;
        let value: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        let value = value["value"].clone();
        let (section, name) = key.split_once('.').unwrap_or((key, ""));
        if section == "long" {
            // If the section exists, an absent key means that the column does not exist. So add the
            // recognised keys first.
            self.copy_recognised_section("long");
        }
        if key == "space.euler" {
            self.rename_angle_keys(value == ThreeAngles::VECTOR);
        }
        if key == "time.column" {
            self.clear_time_unit();
        }
        self.section_mut(section).insert(name.to_owned(), value);
        Ok(())
    }

    /// Removes the unit, rate and zero, because they describe the previous time column.
    fn clear_time_unit(&mut self) {
        let time = self.section_mut("time");
        ["unit", "dates", "rate", "zero"].iter().for_each(|key| drop(time.remove(*key)));
    }

    fn rename_angle_keys(&mut self, are_vectors: bool) {
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

    fn set_role(
        &mut self,
        columns: &ColumnUses,
        column: &str,
        role: ColumnRole,
    ) -> Result<(), String> {
        let is_of_pose = |property: &str| !["signal", "event", "node", "side"].contains(&property);
        let is_of_node =
            columns.used.iter().any(|one| one.column == column && is_of_pose(&one.property));
        if is_of_node {
            self.remove_from_nodes(column)?;
        }
        if self.sections.get("events").is_some_and(|events| events["column"] == column)
            || self.recognised.get("events").is_some_and(|events| events["column"] == column)
        {
            self.sections.insert("events".to_owned(), json!({}));
        }
        match role {
            ColumnRole::Time => {
                self.clear_time_unit();
                self.section_mut("time").insert("column".to_owned(), column.into());
            }
            ColumnRole::Event => {
                self.section_mut("events").insert("column".to_owned(), column.into());
                if let Some(Value::Object(signals)) = self.sections.get_mut("signals") {
                    signals.retain(|_, own| own != column);
                }
            }
            ColumnRole::Signal | ColumnRole::Unused => {
                self.list_all_signals(columns);
                let signals = self.section_mut("signals");
                signals.retain(|_, own| own != column);
                if role == ColumnRole::Signal {
                    signals.insert(column.to_owned(), column.into());
                }
            }
        }
        Ok(())
    }

    /// Adds all recognised signals to the mapping, so that a signal can be added or removed.
    fn list_all_signals(&mut self, columns: &ColumnUses) {
        self.copy_recognised_section("signals");
        if !self.sections.contains_key("signals") {
            let signals = columns.used.iter().filter(|one| one.property == "signal");
            let signals = signals.map(|one| (one.column.clone(), one.column.clone().into()));
            self.sections.insert("signals".to_owned(), Value::Object(signals.collect()));
        }
    }

    fn remove_from_nodes(&mut self, column: &str) -> Result<(), String> {
        let has_it = |columns: &Value| match columns {
            Value::String(name) => {
                name == column || column.rsplit_once('.').is_some_and(|(list, _)| list == name)
            }
            Value::Array(names) => names.iter().any(|name| name == column),
            Value::Object(flag) => flag.get("column").is_some_and(|own| own == column),
            _ => false,
        };
        self.copy_recognised_section("nodes");
        let Some(Value::Object(nodes)) = self.sections.get_mut("nodes") else {
            return Err(format!(
                "{column:?} belongs to a pose, and a mapping cannot list the nodes of this table; the \
                 column keeps its role"
            ));
        };
        for node in nodes.values_mut().filter_map(Value::as_object_mut) {
            node.retain(|_, columns| !has_it(columns));
        }
        nodes.retain(|_, node| {
            let has = |key: &str| node.get(key).is_some();
            POSE_KEYS.iter().any(|key| has(key)) || has("yaw") && has("pitch")
        });
        if nodes.is_empty() {
            return Err(format!("without {column:?}, no pose is left"));
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
