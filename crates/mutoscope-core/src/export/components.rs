//! The components of values, and their names in tables.

use crate::clip::Value;

/// Returns the names of the components of `value`, or `None` if it has a single component.
pub fn component_names(value: &Value, is_color: bool) -> Option<&'static [&'static str]> {
    const VECTOR: [&str; 4] = ["x", "y", "z", "w"];
    const COLOR: [&str; 4] = ["r", "g", "b", "a"];
    const MATRIX: [&str; 16] =
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    let count = match value {
        Value::Bools(bools) => bools.len(),
        Value::Integers(integers) => integers.len(),
        Value::Numbers(numbers) => numbers.len(),
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Number(_) | Value::Text(_) => {
            return None;
        }
    };
    Some(match count {
        0..=4 if is_color => &COLOR[..count],
        0..=4 => &VECTOR[..count],
        _ => &MATRIX[..count],
    })
}

/// Splits `value` into exactly `count` cells. Missing components become null.
pub fn split_components(value: &Value, count: usize) -> Vec<Value> {
    let mut cells: Vec<Value> = match value {
        Value::Bools(bools) => bools.iter().copied().map(Value::Bool).collect(),
        Value::Integers(integers) => integers.iter().copied().map(Value::Integer).collect(),
        Value::Numbers(numbers) => numbers.iter().copied().map(Value::Number).collect(),
        other => vec![other.clone()],
    };
    cells.resize(count, Value::Null);
    cells
}
