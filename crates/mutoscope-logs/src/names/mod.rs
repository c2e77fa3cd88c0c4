//! Parses column names: their words, units, axes, quantities and nodes.

mod column;
mod joints;
mod node;
mod unit;
mod vocabulary;
mod words;

pub(crate) use column::{ColumnName, Quantity, ScalarProperty};
pub(crate) use joints::{HandJoint, bone_from, joint_index};
pub(crate) use node::{
    NodeName, RowKey, is_generic_object, node_from_label, parse_flag, parse_side,
};
pub(crate) use unit::{
    LENGTH_UNITS, UnitWord, format_length_unit, is_unit, length_unit_name, parse_length_unit,
};

pub(crate) fn is_vector_name(name: &str) -> bool {
    let name = ColumnName::parse(&format!("{name}.x"));
    name.axis == Some(0) && name.quantity.is_some() && !name.is_not_pose
}

/// Returns `true` if a word of the name means a gaze.
pub(crate) fn names_gaze(name: &str) -> bool {
    let (nodes, angles) = (&vocabulary::VOCABULARY.nodes, &vocabulary::VOCABULARY.angles);
    let words = words::split_words(name);
    words.iter().any(|word| nodes.gaze.has(&word.text) || angles.of_gaze.has(&word.text))
}

/// Returns `true` if the name is a letter that usually means a quantity other than a position.
pub(crate) fn is_letter_of_other_quantity(name: &str) -> bool {
    vocabulary::VOCABULARY.other.letters.has(&name.to_lowercase())
}

/// Returns `true` for the letter t, and for words of a time column's name.
pub(crate) fn is_time_word(word: &str) -> bool {
    word == "t" || vocabulary::VOCABULARY.time.words.has(word)
}

pub(crate) fn lowercase_words(name: &str) -> Vec<String> {
    words::split_words(name).into_iter().map(|word| word.text).collect()
}

/// Returns `true` for the head and the parts of it, and `false` for the hips, legs and feet. Returns
/// `None` for other names.
pub(crate) fn is_upper_body(name: &str) -> Option<bool> {
    let body = &vocabulary::VOCABULARY.body;
    let words = words::split_words(name);
    let has = |list: &vocabulary::List| words.iter().any(|word| list.has(&word.text));
    match (has(&body.upper), has(&body.lower)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
