//! Parses column names: their words, units, axes, quantities and nodes.

mod joints;
mod node;
mod property;
mod unit;
mod words;

pub(crate) use joints::{HandJoint, bone_from, joint_index};
pub(crate) use node::{NodeName, is_node_column, is_side_column, node_from_label, parse_side};
pub(crate) use property::{ColumnName, Quantity, ScalarProperty};
pub(crate) use unit::{
    LENGTH_UNITS, UnitWord, format_length_unit, is_unit, length_unit_name, parse_length_unit,
};

pub(crate) fn is_vector_name(name: &str) -> bool {
    let name = ColumnName::parse(&format!("{name}.x"));
    name.axis == Some(0) && name.quantity.is_some() && !name.is_not_pose
}

pub(crate) fn lowercase_words(name: &str) -> Vec<String> {
    words::split_words(name).into_iter().map(|word| word.text).collect()
}
