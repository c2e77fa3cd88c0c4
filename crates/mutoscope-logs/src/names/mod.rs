//! Names of columns: their words, units, axes, quantities and nodes.

mod joints;
mod node;
mod property;
mod unit;
mod words;

pub(crate) use joints::{HandJoint, Numbering, bone_from, canonical_index};
pub(crate) use node::{NodeName, is_node_column, is_side_column, joint_of_label, side_of_word};
pub(crate) use property::{ColumnName, Flag, Quantity};
pub(crate) use unit::{UnitWord, is_unit, length_of};

/// Whether a column of this name holds vectors or quaternions: its last words are a quantity.
pub(crate) fn is_vector_name(name: &str) -> bool {
    let name = ColumnName::of(&format!("{name}.x"));
    name.axis == Some(0) && name.quantity.is_some() && !name.is_no_pose
}

/// The words of a name, in lower case.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    words::words(name).into_iter().map(|word| word.text).collect()
}
