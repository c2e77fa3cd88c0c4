//! Compares the output of a reader with that of the program.

use serde_json::Value;

/// A tolerance relative to the greater of two numbers, or to 1 if both are smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance(f64);

impl Tolerance {
    /// For computations in double precision in another order of operations. A wrong sign, index or
    /// factor is off by many powers of ten more.
    pub(crate) const ROUNDING: Self = Self(1e-9);

    /// For numbers that the program stores in single precision (6e-8) and a reader in double
    /// precision. A chain of joints adds several such errors.
    pub(crate) const SINGLE: Self = Self(1e-6);

    fn allows(self, found: f64, expected: f64) -> bool {
        let scale = found.abs().max(expected.abs()).max(1.0);
        (found - expected).abs() <= self.0 * scale
    }
}

/// A description of a difference between a reader and the program.
#[derive(Debug)]
pub(crate) struct Difference(pub String);

/// Returns the number of equal track values and node positions at one time.
///
/// All tracks must be equal. A reader may return only some of the nodes.
pub(crate) fn compare(
    found: &Value,
    expected: &Value,
    tolerance: Tolerance,
) -> Result<[usize; 2], Difference> {
    let difference = |what: String| Difference(format!("at {} s: {what}", expected["time"]));
    let pair = |name| (list(found, name), list(expected, name));
    let (tracks, expected_tracks) = pair("tracks");
    if tracks.len() != expected_tracks.len() {
        return Err(difference(format!(
            "{} tracks, expected {}",
            tracks.len(),
            expected_tracks.len()
        )));
    }
    for (found, expected) in tracks.iter().zip(expected_tracks) {
        let is_named = ["index", "node", "property"].iter().all(|&key| found[key] == expected[key]);
        if !is_named || !is_same(&found["value"], &expected["value"], tolerance) {
            return Err(difference(format!("found {found}, expected {expected}")));
        }
    }
    let (nodes, expected_nodes) = pair("nodes");
    for (index, node) in nodes.iter().enumerate() {
        // Names may repeat, so they are used only if the reader returns some of the nodes.
        let same = match nodes.len() == expected_nodes.len() {
            true => &expected_nodes[index],
            false => expected_nodes
                .iter()
                .find(|other| other["name"] == node["name"])
                .ok_or_else(|| difference(format!("an unexpected node {}", node["name"])))?,
        };
        if !has_same_pose(node, same, tolerance) {
            return Err(difference(format!("found {node}, expected {same}")));
        }
    }
    Ok([tracks.len(), nodes.len()])
}

fn list<'a>(sample: &'a Value, name: &str) -> &'a [Value] {
    sample[name].as_array().map_or(&[], Vec::as_slice)
}

/// A reader may leave out the rotation.
fn has_same_pose(found: &Value, expected: &Value, tolerance: Tolerance) -> bool {
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

/// Integers and strings must be exactly equal.
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
    assert!(
        compare(&turned, &expected, Tolerance::ROUNDING).is_ok(),
        "the negated quaternion is the same rotation"
    );
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
    for (pointer, value) in changes {
        let mut found = expected.clone();
        *found.pointer_mut(pointer).unwrap() = value;
        assert!(compare(&found, &expected, Tolerance::ROUNDING).is_err(), "{pointer}");
    }
}
