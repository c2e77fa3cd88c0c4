//! The writer of the recording in the gallery: a walking figure, as Maya would export it.

use std::fmt::Write as _;

/// Frames of one round: two steps, at 24 a second.
const ROUND: i32 = 24;
/// The frame at which playback ends: three rounds.
const END: i32 = 1 + 3 * ROUND;
/// How far a round leads, in centimetres.
const STRIDE: f64 = 132.0;
/// Where it starts, so that it passes the origin half-way.
const START: f64 = 198.0;

/// The bytes of the file.
pub(crate) fn bytes() -> Vec<u8> {
    let mut text = format!(
        "animVersion 1.1;\nmayaVersion 2025;\ntimeUnit film;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 1;\nendTime {END};\nstartUnitless 0;\nendUnitless 1;\n"
    );
    hips().write(0, &mut text);
    text.into_bytes()
}

/// A node with its children.
struct Node {
    name: String,
    curves: Vec<Curve>,
    children: Vec<Node>,
}

/// A curve of a node.
struct Curve {
    full: String,
    input: &'static str,
    output: &'static str,
    weighted: bool,
    /// The infinity on both sides.
    infinity: &'static str,
    keys: Vec<String>,
}

impl Node {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), curves: Vec::new(), children: Vec::new() }
    }

    fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    fn over(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// With its place relative to its parent: one key for each axis, as a pose that was keyed.
    fn at(self, x: f64, y: f64, z: f64) -> Self {
        let place = [("X", x), ("Y", y), ("Z", z)];
        place.into_iter().fold(self, |node, (axis, value)| {
            let keys = vec![key(1, value, "auto", "auto")];
            node.with(Curve::new(&format!("translate.translate{axis}"), "linear", keys))
        })
    }

    fn write(&self, row: usize, text: &mut String) {
        let Self { name, curves, children } = self;
        let count = children.len();
        if curves.is_empty() {
            writeln!(text, "anim {name} {row} {count} 0;").unwrap();
        }
        for (index, curve) in curves.iter().enumerate() {
            let full = &curve.full;
            let leaf = full.rsplit('.').next().unwrap();
            writeln!(text, "anim {full} {leaf} {name} {row} {count} {index};").unwrap();
            curve.write(text);
        }
        for child in children {
            child.write(row + 1, text);
        }
    }
}

impl Curve {
    fn new(full: &str, output: &'static str, keys: Vec<String>) -> Self {
        let full = full.to_owned();
        Self { full, input: "time", output, weighted: false, infinity: "constant", keys }
    }

    /// Rotation about an axis.
    fn rotate(axis: &str, keys: Vec<String>) -> Self {
        Self::new(&format!("rotate.rotate{axis}"), "angular", keys)
    }

    /// Cycling, before its first key and after its last.
    fn cycling(self) -> Self {
        Self { infinity: "cycle", ..self }
    }

    fn write(&self, text: &mut String) {
        let Self { input, output, infinity, .. } = self;
        let weighted = u8::from(self.weighted);
        write!(
            text,
            "animData {{\n  input {input};\n  output {output};\n  weighted {weighted};\n  \
             preInfinity {infinity};\n  postInfinity {infinity};\n  keys {{\n"
        )
        .unwrap();
        for key in &self.keys {
            writeln!(text, "    {key};").unwrap();
        }
        text.push_str("  }\n}\n");
    }
}

fn key(frame: i32, value: f64, tangent_in: &str, tangent_out: &str) -> String {
    format!("{frame} {value} {tangent_in} {tangent_out} 1 1 0")
}

/// A key with fixed tangents: angles in degrees, in the file's units, and weights.
fn fixed(frame: i32, value: f64, angle: f64, weight: f64) -> String {
    format!("{frame} {value} fixed fixed 1 0 0 {angle} {weight} {angle} {weight}")
}

fn keys(tangent: &str, keys: &[(i32, f64)]) -> Vec<String> {
    keys.iter().map(|&(frame, value)| key(frame, value, tangent, tangent)).collect()
}

/// A rotation that swings back and forth once a round: from `angle` at `from` to −`angle` half a
/// round later.
fn swing(axis: &str, tangent: &str, from: i32, angle: f64) -> Curve {
    let half = ROUND / 2;
    let there = [(from, angle), (from + half, -angle), (from + ROUND, angle)];
    Curve::rotate(axis, keys(tangent, &there)).cycling()
}

/// It comes towards who sees it from the front, a stride a round.
fn hips() -> Node {
    let forward = Curve {
        infinity: "cycleRelative",
        ..Curve::new(
            "translate.translateZ",
            "linear",
            vec![
                key(1, START, "linear", "linear"),
                key(1 + ROUND, START - STRIDE, "linear", "linear"),
            ],
        )
    };
    // Another attribute drives it: listed, not played.
    let driven = Curve {
        input: "unitless",
        ..Curve::new(
            "stepHeight",
            "unitless",
            vec![key(0, 0.0, "linear", "linear"), key(10, 1.0, "linear", "linear")],
        )
    };
    let bob = [(1, 86.5), (7, 90.5), (13, 86.5), (19, 90.5), (25, 86.5)];
    let up = Curve::new("translate.translateY", "linear", keys("spline", &bob)).cycling();
    let turn = [(1, 173.0), (13, 187.0), (25, 173.0)];
    Node::new("hips")
        .with(up)
        .with(forward)
        .with(Curve::rotate("Y", keys("auto", &turn)).cycling())
        .with(swing("Z", "auto", 7, 3.0))
        .with(driven)
        .over(spine())
        .over(leg("L", 1, 1.0))
        .over(leg("R", 1 + ROUND / 2, -1.0))
}

fn spine() -> Node {
    let lean = Curve::rotate("X", vec![key(1, 4.0, "auto", "auto")]);
    let chest = Node::new("chest")
        .at(0.0, 24.0, 0.0)
        .with(swing("Y", "auto", 1, 9.0))
        .over(neck())
        .over(arm("L", 1, 1.0))
        .over(arm("R", 1 + ROUND / 2, -1.0));
    let spine = Node::new("spine").at(0.0, 13.0, 0.0);
    spine.with(lean).with(swing("Z", "auto", 7, -3.0)).over(chest)
}

fn neck() -> Node {
    // A look to the side, with handles of its own.
    let look = Curve {
        weighted: true,
        ..Curve::rotate(
            "Y",
            vec![
                fixed(1, 0.0, 0.0, 6.0),
                fixed(25, 35.0, 0.0, 9.0),
                fixed(43, 35.0, 0.0, 4.0),
                fixed(55, -4.0, -70.0, 3.0),
                fixed(73, 0.0, 0.0, 8.0),
            ],
        )
    };
    let blink = Curve::new(
        "blink",
        "unitless",
        keys(
            "plateau",
            &[(1, 0.0), (20, 0.0), (22, 1.0), (24, 0.0), (56, 0.0), (58, 1.0), (60, 0.0)],
        ),
    );
    let head = Node::new("head")
        .at(0.0, 11.0, 1.0)
        .with(look)
        .with(blink)
        .over(Node::new("headShape"))
        .over(hat());
    Node::new("neck").at(0.0, 24.0, 0.0).over(head)
}

/// Put on after a round, with a bounce.
fn hat() -> Node {
    let shown = Curve::new(
        "visibility",
        "unitless",
        vec![key(1, 0.0, "flat", "step"), key(1 + ROUND, 1.0, "flat", "step")],
    );
    let drop = Curve::new(
        "translate.translateY",
        "linear",
        vec![
            key(25, 45.0, "linear", "fast"),
            key(30, 22.0, "fast", "linear"),
            key(33, 27.0, "clamped", "clamped"),
            key(36, 22.0, "clamped", "clamped"),
        ],
    );
    let brim = Node::new("brim").at(0.0, 2.0, 11.0);
    Node::new("hat").with(drop).with(shown).over(brim)
}

/// An arm that is at the back at the frame `from`, on the side that `sign` tells.
fn arm(side: &str, from: i32, sign: f64) -> Node {
    let name = |part: &str| format!("{side}_{part}");
    let hang = Curve::rotate("Z", vec![key(1, -76.0 * sign, "auto", "auto")]);
    let bend = [(from, -14.0 * sign), (from + 12, -38.0 * sign), (from + ROUND, -14.0 * sign)];
    let hand = Node::new(&name("hand"))
        .at(25.0 * sign, 0.0, 0.0)
        .over(Node::new(&name("fingers")).at(9.0 * sign, 0.0, 0.0));
    let fore = Node::new(&name("foreArm"))
        .at(27.0 * sign, 0.0, 0.0)
        .with(Curve::rotate("Y", keys("plateau", &bend)).cycling())
        .over(hand);
    let upper = Node::new(&name("upperArm"))
        .at(13.0 * sign, 0.0, 0.0)
        .with(swing("Y", "auto", from, 26.0 * sign))
        .with(hang)
        .over(fore);
    Node::new(&name("collar")).at(5.0 * sign, 18.0, 0.0).over(upper)
}

/// A leg that sets its heel down at the frame `from`, on the side that `sign` tells.
fn leg(side: &str, from: i32, sign: f64) -> Node {
    let name = |part: &str| format!("{side}_{part}");
    let turning = |tangent: &str, angles: &[(i32, f64)]| {
        let later: Vec<_> = angles.iter().map(|&(frame, angle)| (frame + from, angle)).collect();
        Curve::rotate("X", keys(tangent, &later)).cycling()
    };
    let hip = [(0, -28.0), (3, -18.0), (6, -5.0), (12, 22.0), (16, 2.0), (20, -24.0), (24, -28.0)];
    let knee = [(0, 5.0), (3, 17.0), (6, 9.0), (12, 15.0), (16, 58.0), (20, 40.0), (24, 5.0)];
    let ankle = [(0, 8.0), (3, 1.0), (6, -4.0), (12, -14.0), (16, -18.0), (20, -14.0), (24, 8.0)];
    let toe = Node::new(&name("toe")).at(0.0, -5.0, 15.0);
    let foot = Node::new(&name("foot")).at(0.0, -41.0, 0.0).with(turning("auto", &ankle)).over(toe);
    let shin = Node::new(&name("shin"))
        .at(0.0, -42.0, 0.0)
        .with(turning("spline", &knee))
        .over(foot)
        .over(Node::new(if side == "L" { "effector1" } else { "effector2" }));
    Node::new(&name("thigh")).at(9.0 * sign, -2.0, 0.0).with(turning("auto", &hip)).over(shin)
}
