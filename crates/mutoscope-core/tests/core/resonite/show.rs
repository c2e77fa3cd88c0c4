//! Writes the Resonite animation of the gallery: circling lanterns, a lift, a sign, and subtitles.

use std::f64::consts::TAU;

use serde_json::{Value, json};

/// In seconds.
pub(crate) const DURATION: f64 = 12.0;

const LANTERN_COUNT: usize = 4;

/// The number of Bézier arcs that make up one circle.
const ARCS_PER_CIRCLE: usize = 8;

/// In metres.
const RADIUS: f64 = 1.3;

pub(crate) fn text() -> String {
    let mut tracks = Vec::new();
    for lantern in 0..LANTERN_COUNT {
        tracks.push(lantern_position(lantern));
        tracks.push(lantern_rotation(lantern));
    }
    tracks.extend([lift(), sign_rotation(), sign_scale(), color(), intensity(), level()]);
    tracks.extend([door(), count(), subtitle()]);
    let animation = json!({"name": "Lantern show", "globalDuration": DURATION});
    let name = animation["name"].clone();
    // `serde_json` would sort the members, but Resonite requires a fixed order in a track.
    let mut text = format!("{{\"name\": {name}, \"globalDuration\": {DURATION}, \"tracks\": [\n");
    let tracks: Vec<_> = tracks.iter().map(Track::text).collect();
    text += &tracks.join(",\n");
    text += "\n]}\n";
    text
}

struct Track {
    kind: &'static str,
    value_type: &'static str,
    node: String,
    property: &'static str,
    interval: Option<f64>,
    keys: Vec<Value>,
}

impl Track {
    fn new(
        kind: &'static str,
        value_type: &'static str,
        node: &str,
        property: &'static str,
    ) -> Self {
        let node = node.to_owned();
        Self { kind, value_type, node, property, interval: None, keys: Vec::new() }
    }

    fn keys(mut self, keys: impl IntoIterator<Item = Value>) -> Self {
        self.keys.extend(keys);
        self
    }

    fn text(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|key| format!("  {key}")).collect();
        let interval =
            self.interval.map(|one| format!(" \"interval\": {one},")).unwrap_or_default();
        let (kind, value_type, property) = (self.kind, self.value_type, self.property);
        let node = Value::from(self.node.as_str());
        format!(
            "{{\"trackType\": \"{kind}\", \"valueType\": \"{value_type}\", \"data\": {{\"node\": {node}, \
             \"property\": \"{property}\",{interval} \"keyframes\": [\n{}\n]}}}}",
            keys.join(",\n")
        )
    }
}

/// Rounds to five decimals, so that the file stays short.
fn round(number: f64) -> f64 {
    // Adding 0.0 turns −0 into 0.
    (number * 1e5).round() / 1e5 + 0.0
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({"x": round(x), "y": round(y), "z": round(z)})
}

fn rotation_about_y(angle: f64) -> Value {
    let (sin, cos) = (angle / 2.0).sin_cos();
    json!({"x": 0.0, "y": round(sin), "z": 0.0, "w": round(cos)})
}

fn discrete(time: f64, value: Value) -> Value {
    json!({"time": round(time), "value": value})
}

fn linear(time: f64, value: Value) -> Value {
    json!({"time": round(time), "value": value, "interpolation": "Linear"})
}

fn bezier(time: f64, value: Value, left: Value, right: Value) -> Value {
    json!({
        "time": round(time), "value": value, "interpolation": "CubicBezier",
        "leftTangent": left, "rightTangent": right
    })
}

/// Circles twice, in arcs whose handles lie on the tangents of the circle.
fn lantern_position(lantern: usize) -> Track {
    let step = TAU / ARCS_PER_CIRCLE as f64;
    let reach = 4.0 / 3.0 * (step / 4.0).tan() * RADIUS;
    let key = |index: usize| {
        let angle = index as f64 * step + lantern as f64 * TAU / LANTERN_COUNT as f64;
        let (sin, cos) = angle.sin_cos();
        let height = 1.2 + 0.25 * (2.0 * angle).sin();
        let slope = 0.5 * (2.0 * angle).cos() * step / 3.0;
        let handle = |side: f64| {
            let along = side * reach;
            vector([RADIUS * cos - along * sin, height + side * slope, RADIUS * sin + along * cos])
        };
        let time = DURATION * index as f64 / (2 * ARCS_PER_CIRCLE) as f64;
        bezier(time, vector([RADIUS * cos, height, RADIUS * sin]), handle(-1.0), handle(1.0))
    };
    let node = format!("Lantern {}", lantern + 1);
    Track::new("Curve", "float3", &node, "Position").keys((0..=2 * ARCS_PER_CIRCLE).map(key))
}

/// Turns once per circle, so that each lantern keeps its side towards the centre.
fn lantern_rotation(lantern: usize) -> Track {
    let key = |index: usize| {
        let turn = index as f64 * TAU / ARCS_PER_CIRCLE as f64
            + lantern as f64 * TAU / LANTERN_COUNT as f64;
        linear(DURATION * index as f64 / (2 * ARCS_PER_CIRCLE) as f64, rotation_about_y(-turn))
    };
    let node = format!("Lantern {}", lantern + 1);
    Track::new("Curve", "floatQ", &node, "Rotation").keys((0..=2 * ARCS_PER_CIRCLE).map(key))
}

/// Moves up, rests, and moves down again, with slow starts and ends.
fn lift() -> Track {
    let key = |time: f64, height: f64| {
        let position = vector([0.0, height, 0.0]);
        bezier(time, position.clone(), position.clone(), position)
    };
    Track::new("Curve", "float3", "Lift", "Position").keys([
        key(0.0, 0.2),
        key(4.0, 1.6),
        key(8.0, 1.6),
        key(DURATION, 0.2),
    ])
}

fn sign_rotation() -> Track {
    let key =
        |quarter: usize| linear(quarter as f64 * 3.0, rotation_about_y(quarter as f64 * TAU / 4.0));
    Track::new("Curve", "floatQ", "Sign", "Rotation").keys((0..=4).map(key))
}

fn sign_scale() -> Track {
    let size = |size: f64| vector([size; 3]);
    let key = |beat: usize| {
        let large = if beat.is_multiple_of(2) { 1.0 } else { 1.5 };
        bezier(beat as f64 * 1.5, size(large), size(large), size(large))
    };
    Track::new("Curve", "float3", "Sign", "Scale").keys((0..=8).map(key))
}

fn color() -> Track {
    let key = |(index, [r, g, b]): (usize, [f64; 3])| {
        linear(index as f64 * 2.4, json!({"r": r, "g": g, "b": b, "a": 1.0}))
    };
    let colors =
        [[1.0, 0.35, 0.1], [1.0, 0.8, 0.2], [0.2, 0.9, 0.5], [0.2, 0.5, 1.0], [0.9, 0.3, 0.9]];
    let colors = colors.into_iter().chain([[1.0, 0.35, 0.1]]);
    Track::new("Curve", "color", "Lantern 1", "Light.Color").keys(colors.enumerate().map(key))
}

fn intensity() -> Track {
    let key = |beat: usize| {
        let bright = if beat.is_multiple_of(2) { 0.2 } else { 1.0 };
        bezier(f64::from(beat as u32), json!(bright), json!(bright), json!(bright))
    };
    Track::new("Curve", "float", "Lantern 1", "Light.Intensity").keys((0..=12).map(key))
}

/// Ten values a second, like the level of a microphone.
fn level() -> Track {
    let value = |index: usize| {
        let time = index as f64 / 10.0;
        json!(round((0.5 + 0.5 * (time * 2.1).sin()) * (0.6 + 0.4 * (time * 9.7).sin())))
    };
    let track = Track::new("Raw", "float", "Music", "Level");
    Track { interval: Some(0.1), ..track }.keys((0..=120).map(value))
}

fn door() -> Track {
    let keys = [(0.0, false), (3.5, true), (8.5, false)];
    Track::new("Discrete", "bool", "Door", "Open")
        .keys(keys.map(|(time, value)| discrete(time, json!(value))))
}

fn count() -> Track {
    Track::new("Discrete", "int", "Visitors", "Count").keys(
        [(0.0, 0), (4.2, 1), (5.1, 2), (6.4, 3), (9.0, 2), (10.5, 0)]
            .map(|(time, value)| discrete(time, json!(value))),
    )
}

fn subtitle() -> Track {
    let lines = [
        (0.5, Some("Four lanterns, one round in six seconds")),
        (3.4, None),
        (3.6, Some("The door opens")),
        (5.6, None),
        (6.0, Some("The lift waits above")),
        (8.2, None),
        (8.5, Some("… and comes down again")),
        (11.5, None),
    ];
    Track::new("Discrete", "string", "Subtitle", "Text")
        .keys(lines.map(|(time, line)| discrete(time, json!(line))))
}
