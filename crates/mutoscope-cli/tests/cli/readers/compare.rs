//! Comparing the output of a reader with that of the program.

use serde_json::Value;

/// How far two numbers may be apart: a part of the greater one, or of 1 if both are smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance(f64);

impl Tolerance {
    /// Both compute in double precision, in another order of operations. A wrong sign, index or factor
    /// is many powers of ten above that.
    pub(crate) const ROUNDING: Self = Self(1e-9);

    /// The program keeps some numbers of the file in single precision, which is good to 6e-8, and a
    /// reader in double; a chain of joints adds a few of them.
    pub(crate) const SINGLE: Self = Self(1e-6);

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
    let at = |what: String| Difference(format!("at {} s: {what}", expected["time"]));
    let pair = |name| (list(found, name), list(expected, name));
    let (tracks, expected_tracks) = pair("tracks");
    if tracks.len() != expected_tracks.len() {
        return Err(at(format!("{} tracks, expected {}", tracks.len(), expected_tracks.len())));
    }
    for (found, expected) in tracks.iter().zip(expected_tracks) {
        let is_named = ["index", "node", "property"].iter().all(|&key| found[key] == expected[key]);
        if !is_named || !is_same(&found["value"], &expected["value"], tolerance) {
            return Err(at(format!("found {found}, expected {expected}")));
        }
    }
    let (nodes, expected_nodes) = pair("nodes");
    for (index, node) in nodes.iter().enumerate() {
        // Names may repeat: only of some of the nodes are they needed.
        let same = match nodes.len() == expected_nodes.len() {
            true => &expected_nodes[index],
            false => expected_nodes
                .iter()
                .find(|other| other["name"] == node["name"])
                .ok_or_else(|| at(format!("a node {} that is not there", node["name"])))?,
        };
        if !is_same_place(node, same, tolerance) {
            return Err(at(format!("found {node}, expected {same}")));
        }
    }
    Ok([tracks.len(), nodes.len()])
}

fn list<'a>(sample: &'a Value, name: &str) -> &'a [Value] {
    sample[name].as_array().map_or(&[], Vec::as_slice)
}

/// Whether two nodes have one name and are at the same place, turned the same way; a reader may
/// not know how.
fn is_same_place(found: &Value, expected: &Value, tolerance: Tolerance) -> bool {
    let [from, to] = [found, expected].map(|node| &node["world"]);
    found["name"] == expected["name"]
        && found["shown"] == expected["shown"]
        && is_same(&from["translation"], &to["translation"], tolerance)
        && (from["rotation"].is_null()
            || is_same(&from["rotation"], &to["rotation"], tolerance)
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
fn differences_are_detected() {
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
