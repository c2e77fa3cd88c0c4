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
    /// Answers a question by a reading of the columns.
    Read {
        /// The keys of a mapping file that state the reading, in TOML.
        toml: String,
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
    let before = columns.mapping_file.as_ref().map_or("", |file| &file.text);
    let mut changed = MappingEditor {
        sections: read_sections(before)?,
        recognised: read_sections(&columns.mapping)?,
    };
    match change {
        MappingChange::Set { key, toml } => {
            let value = read_sections(&format!("value = {toml}"))?.remove("value");
            changed.set_value(key, value.unwrap_or_default());
        }
        MappingChange::Use { column, role } => changed.set_role(columns, column, *role)?,
        MappingChange::Read { toml } => changed.read_as(read_sections(toml)?)?,
    }
    changed.into_mapping_file()
}

/// Returns a complete mapping with a reading in place of what it says about the same columns.
pub(crate) fn state_reading(mapping: &str, reading: &str) -> Result<MappingFile, String> {
    let sections = read_sections(mapping)?;
    let mut changed = MappingEditor { recognised: sections.clone(), sections };
    changed.read_as(read_sections(reading)?)?;
    changed.into_mapping_file()
}

fn read_sections(text: &str) -> Result<Map<String, Value>, String> {
    let json = mapping_to_json(text)?;
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

struct MappingEditor {
    sections: Map<String, Value>,
    recognised: Map<String, Value>,
}

impl MappingEditor {
    fn into_mapping_file(self) -> Result<MappingFile, String> {
        mapping_from_json(CHANGED_MAPPING_NAME, &Value::Object(self.sections).to_string())
    }

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

    fn set_value(&mut self, key: &str, value: Value) {
        let (section, name) = key.split_once('.').unwrap_or((key, ""));
        if section == "long" {
            // If the section exists, an absent key means that the column does not exist. So add the
            // recognised keys first.
            self.copy_recognised_section("long");
        }
        if key == "space.euler" {
            self.rename_angle_keys(value == ThreeAngles::VECTOR);
        }
        if key == "space.quaternion"
            && let Some(Value::Object(nodes)) = self.sections.get_mut("nodes")
        {
            nodes.values_mut().for_each(join_list);
        }
        if key == "time.column" {
            self.clear_time_unit();
        }
        self.section_mut(section).insert(name.to_owned(), value);
    }

    /// Adds the keys of a reading. Columns that become part of a pose are no signals any more.
    fn read_as(&mut self, reading: Map<String, Value>) -> Result<(), String> {
        for (section, values) in reading {
            let Value::Object(values) = values else {
                return Err(format!("{section}: expected a section, found {values}"));
            };
            match section.as_str() {
                "nodes" => self.add_to_nodes(values)?,
                "questions" => self.settle_signals(values),
                _ => {
                    for (key, value) in values {
                        self.set_value(&format!("{section}.{key}"), value);
                    }
                }
            }
        }
        Ok(())
    }

    fn add_to_nodes(&mut self, added: Map<String, Value>) -> Result<(), String> {
        self.copy_recognised_section("nodes");
        let Some(Value::Object(nodes)) = self.sections.get_mut("nodes") else {
            return Err(
                "a mapping cannot list the nodes of this table; the columns keep their use"
                    .to_owned(),
            );
        };
        // Then an answer about the order of lists still applies.
        nodes.values_mut().for_each(join_list);
        let mut columns: Vec<Value> = Vec::new();
        for (name, keys) in added {
            let Value::Object(keys) = keys else { continue };
            for value in keys.values() {
                match value {
                    Value::Array(names) => columns.extend(names.iter().cloned()),
                    name => columns.push(name.clone()),
                }
            }
            let node = nodes.entry(name).or_insert_with(|| json!({}));
            if let Value::Object(node) = node {
                node.extend(keys);
            }
        }
        if let Some(Value::Object(signals)) = self.sections.get_mut("signals") {
            signals.retain(|_, column| !columns.contains(column));
        }
        self.settle_signals(Map::new());
        Ok(())
    }

    /// Adds signals to the answered questions. The section keeps the other questions open, even if
    /// the mapping lists all nodes.
    fn settle_signals(&mut self, mut added: Map<String, Value>) {
        let signals = self.section_mut("questions").entry("signals").or_insert_with(|| json!([]));
        if let (Value::Array(signals), Some(Value::Array(added))) =
            (signals, added.get_mut("signals"))
        {
            signals.append(added);
        }
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

/// Replaces the items of a rotation's list by the list itself, so that `space.quaternion` decides
/// about their order.
fn join_list(node: &mut Value) {
    let Some(rotation) = node.get_mut("rotation") else { return };
    let Some(items) = rotation.as_array().filter(|items| items.len() == 4) else { return };
    let list_of = |(item, axis): (&Value, &str)| {
        item.as_str()?.strip_suffix(axis)?.strip_suffix('.').map(ToOwned::to_owned)
    };
    let mut lists: Vec<_> = items.iter().zip(["x", "y", "z", "w"]).map(list_of).collect();
    lists.dedup();
    if let [Some(list)] = &lists[..] {
        *rotation = list.clone().into();
    }
}
