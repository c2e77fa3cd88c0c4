//! Holding what a reader says against what the program says.

use serde_json::Value;

/// How far two numbers may be apart: a part of the greater one, or of 1 if both are smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance(f64);

impl Tolerance {
    /// Both compute in double precision, in another order of operations. A wrong sign, index or factor
    /// is many powers of ten above that.
    pub(crate) const ROUNDING: Self = Self(1e-9);

    fn allows(self, found: f64, expected: f64) -> bool {
        let scale = found.abs().max(expected.abs()).max(1.0);
        (found - expected).abs() <= self.0 * scale
    }
}

/// Where a reader and the program differ.
#[derive(Debug)]
pub(crate) struct Difference(pub String);

/// How many values of tracks and places of nodes of one time are the same.
///
/// Tracks must be the same one for one. A reader may know where only some nodes are.
pub(crate) fn compare(
    found: &Value,
    expected: &Value,
    tolerance: Tolerance,
) -> Result<[usize; 2], Difference> {
    let list = |sample: &Value, name: &str| sample[name].as_array().cloned().unwrap_or_default();
    let different = |found: &Value, expected: &Value| {
        let time = &expected["time"];
        Difference(format!("at {time} found {found}, expected {expected}"))
    };
    let tracks = (list(found, "tracks"), list(expected, "tracks"));
    let at = |what: String| Difference(format!("at {}: {what}", expected["time"]));
    if tracks.0.len() != tracks.1.len() {
        let (found, expected) = (tracks.0.len(), tracks.1.len());
        return Err(at(format!("{found} tracks, expected {expected}")));
    }
    for (found, expected) in tracks.0.iter().zip(&tracks.1) {
        let is_named = ["index", "node", "property"].iter().all(|&key| found[key] == expected[key]);
        if !is_named || !is_same(&found["value"], &expected["value"], tolerance) {
            return Err(at(format!("found {found}, expected {expected}")));
        }
    }
    let nodes = list(found, "nodes");
    for node in &nodes {
        let expected = counterpart(node, &nodes, &list(expected, "nodes"))
            .ok_or_else(|| at(format!("a node {} that is not there", node["name"])))?;
        if !is_same_place(node, &expected, tolerance) {
            return Err(different(node, &expected));
        }
    }
    Ok([tracks.0.len(), nodes.len()])
}

/// The node with the same index if there are as many (names repeat), else the one of the same name.
fn counterpart(node: &Value, nodes: &[Value], expected: &[Value]) -> Option<Value> {
    let index = nodes.iter().position(|other| std::ptr::eq(other, node))?;
    if nodes.len() == expected.len() {
        return expected.get(index).cloned();
    }
    expected.iter().find(|other| other["name"] == node["name"]).cloned()
}

/// Whether two nodes have one name and are at the same place, turned the same way.
fn is_same_place(found: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    let [from, to] = [found, expected].map(|node| &node["world"]);
    found["name"] == expected["name"]
        && found["shown"] == expected["shown"]
        && is_same(&from["translation"], &to["translation"], tolerance)
        && (is_same(&from["rotation"], &to["rotation"], tolerance)
            || is_same(&negated(&from["rotation"]), &to["rotation"], tolerance))
}

/// A quaternion and its negative are the same rotation.
fn negated(quaternion: &Value) -> Value {
    let numbers = quaternion.as_array().into_iter().flatten();
    numbers.map(|number| number.as_f64().map(|number| -number)).collect()
}

/// Whether two values are of one kind and the same: whole numbers and words exactly.
fn is_same(found: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(a, b)| is_same(a, b, tolerance))
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() || b.is_f64() => {
            a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| tolerance.allows(a, b))
        }
        _ => found == expected,
    }
}

#[test]
fn a_difference_is_a_difference() {
    let expected = serde_json::json!({
        "time": 0.5,
        "tracks": [{"index": 0, "node": "n", "property": "p", "value": [1.0, 2.0]}],
        "nodes": [{"name": "n", "shown": true,
            "world": {"translation": [1.0, 2.0, 3.0], "rotation": [0.0, 0.6, 0.0, 0.8]}}],
    });
    let same = compare(&expected, &expected, Tolerance::ROUNDING).unwrap();
    assert_eq!(same, [1, 1]);
    let mut turned = expected.clone();
    turned["nodes"][0]["world"]["rotation"] = serde_json::json!([0.0, -0.6, 0.0, -0.8]);
    assert!(compare(&turned, &expected, Tolerance::ROUNDING).is_ok(), "the same rotation");
    let changes = [
        ("/tracks/0/value/1", serde_json::json!(-2.0)),
        ("/tracks/0/value/1", serde_json::json!(2.000_000_01)),
        ("/tracks/0/value/1", Value::Null),
        ("/tracks/0/value", serde_json::json!([1.0])),
        ("/tracks/0/property", serde_json::json!("q")),
        ("/tracks", serde_json::json!([])),
        ("/nodes/0/name", serde_json::json!("m")),
        ("/nodes/0/shown", serde_json::json!(false)),
        ("/nodes/0/world/translation/2", serde_json::json!(-3.0)),
        ("/nodes/0/world/rotation/1", serde_json::json!(-0.6)),
    ];
    for (place, value) in changes {
        let mut found = expected.clone();
        *found.pointer_mut(place).unwrap() = value;
        assert!(compare(&found, &expected, Tolerance::ROUNDING).is_err(), "{place}");
    }
}
