//! Writes the Maya recording of the gallery: a walking figure, as Maya would export it.

use std::fmt::Write as _;

/// The frames of one walk cycle, which is two steps, at 24 fps.
const CYCLE_FRAMES: i32 = 24;
/// Playback ends after three cycles.
const END_FRAME: i32 = 1 + 3 * CYCLE_FRAMES;
/// The distance of one cycle, in centimetres.
const STRIDE_CM: f64 = 132.0;
/// The first z position in centimetres. With three cycles of 132 cm, the figure passes the origin
/// half-way.
const START_CM: f64 = 198.0;

pub(crate) fn encode() -> Vec<u8> {
    let mut text = format!(
        "animVersion 1.1;\nmayaVersion 2025;\ntimeUnit film;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 1;\nendTime {END_FRAME};\nstartUnitless 0;\nendUnitless 1;\n"
    );
    hips().write(0, &mut text);
    text.into_bytes()
}

struct Node {
    name: String,
    curves: Vec<Curve>,
    children: Vec<Node>,
}

struct Curve {
    full: String,
    input: &'static str,
    output: &'static str,
    weighted: bool,
    /// The extrapolation before the first key and after the last one.
    infinity: &'static str,
    keys: Vec<String>,
}

impl Node {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), curves: Vec::new(), children: Vec::new() }
    }

    fn with_curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    fn with_child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds one key per axis, as Maya writes a keyed pose. The position is relative to the parent.
    fn at_position(self, x: f64, y: f64, z: f64) -> Self {
        let axes = [("X", x), ("Y", y), ("Z", z)];
        axes.into_iter().fold(self, |node, (axis, value)| {
            let keys = vec![key(1, value, "auto", "auto")];
            node.with_curve(Curve::new(&format!("translate.translate{axis}"), "linear", keys))
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

    fn rotate(axis: &str, keys: Vec<String>) -> Self {
        Self::new(&format!("rotate.rotate{axis}"), "angular", keys)
    }

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

/// Writes a key with fixed tangents. The angle is in degrees, in the file's units.
fn fixed_key(frame: i32, value: f64, angle: f64, weight: f64) -> String {
    format!("{frame} {value} fixed fixed 1 0 0 {angle} {weight} {angle} {weight}")
}

fn keys(tangent: &str, keys: &[(i32, f64)]) -> Vec<String> {
    keys.iter().map(|&(frame, value)| key(frame, value, tangent, tangent)).collect()
}

/// Returns a rotation that swings from `angle` at frame `from` to −`angle` half a cycle later, and
/// back.
fn swing(axis: &str, tangent: &str, from: i32, angle: f64) -> Curve {
    let half = CYCLE_FRAMES / 2;
    let swing_keys = [(from, angle), (from + half, -angle), (from + CYCLE_FRAMES, angle)];
    Curve::rotate(axis, keys(tangent, &swing_keys)).cycling()
}

/// The figure walks towards a viewer in front of it, one stride per cycle.
fn hips() -> Node {
    let forward = Curve {
        infinity: "cycleRelative",
        ..Curve::new(
            "translate.translateZ",
            "linear",
            vec![
                key(1, START_CM, "linear", "linear"),
                key(1 + CYCLE_FRAMES, START_CM - STRIDE_CM, "linear", "linear"),
            ],
        )
    };
    // The input of this curve is another attribute, so a reader lists the curve but cannot play it.
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
        .with_curve(up)
        .with_curve(forward)
        .with_curve(Curve::rotate("Y", keys("auto", &turn)).cycling())
        .with_curve(swing("Z", "auto", 7, 3.0))
        .with_curve(driven)
        .with_child(spine())
        .with_child(leg("L", 1, 1.0))
        .with_child(leg("R", 1 + CYCLE_FRAMES / 2, -1.0))
}

fn spine() -> Node {
    let lean = Curve::rotate("X", vec![key(1, 4.0, "auto", "auto")]);
    let chest = Node::new("chest")
        .at_position(0.0, 24.0, 0.0)
        .with_curve(swing("Y", "auto", 1, 9.0))
        .with_child(neck())
        .with_child(arm("L", 1, 1.0))
        .with_child(arm("R", 1 + CYCLE_FRAMES / 2, -1.0));
    let spine = Node::new("spine").at_position(0.0, 13.0, 0.0);
    spine.with_curve(lean).with_curve(swing("Z", "auto", 7, -3.0)).with_child(chest)
}

fn neck() -> Node {
    // A look to the side, with weighted tangents.
    let look = Curve {
        weighted: true,
        ..Curve::rotate(
            "Y",
            vec![
                fixed_key(1, 0.0, 0.0, 6.0),
                fixed_key(25, 35.0, 0.0, 9.0),
                fixed_key(43, 35.0, 0.0, 4.0),
                fixed_key(55, -4.0, -70.0, 3.0),
                fixed_key(73, 0.0, 0.0, 8.0),
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
        .at_position(0.0, 11.0, 1.0)
        .with_curve(look)
        .with_curve(blink)
        .with_child(Node::new("headShape"))
        .with_child(hat());
    Node::new("neck").at_position(0.0, 24.0, 0.0).with_child(head)
}

/// The hat appears after one cycle and bounces.
fn hat() -> Node {
    let shown = Curve::new(
        "visibility",
        "unitless",
        vec![key(1, 0.0, "flat", "step"), key(1 + CYCLE_FRAMES, 1.0, "flat", "step")],
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
    let brim = Node::new("brim").at_position(0.0, 2.0, 11.0);
    Node::new("hat").with_curve(drop).with_curve(shown).with_child(brim)
}

/// Builds an arm that is farthest back at the frame `from`. `sign` is 1 on the left, −1 on the
/// right.
fn arm(side: &str, from: i32, sign: f64) -> Node {
    let name = |part: &str| format!("{side}_{part}");
    let hang = Curve::rotate("Z", vec![key(1, -76.0 * sign, "auto", "auto")]);
    let bend =
        [(from, -14.0 * sign), (from + 12, -38.0 * sign), (from + CYCLE_FRAMES, -14.0 * sign)];
    let hand = Node::new(&name("hand"))
        .at_position(25.0 * sign, 0.0, 0.0)
        .with_child(Node::new(&name("fingers")).at_position(9.0 * sign, 0.0, 0.0));
    let fore = Node::new(&name("foreArm"))
        .at_position(27.0 * sign, 0.0, 0.0)
        .with_curve(Curve::rotate("Y", keys("plateau", &bend)).cycling())
        .with_child(hand);
    let upper = Node::new(&name("upperArm"))
        .at_position(13.0 * sign, 0.0, 0.0)
        .with_curve(swing("Y", "auto", from, 26.0 * sign))
        .with_curve(hang)
        .with_child(fore);
    Node::new(&name("collar")).at_position(5.0 * sign, 18.0, 0.0).with_child(upper)
}

/// Builds a leg whose heel touches the ground at the frame `from`. `sign` is 1 on the left, −1 on
/// the right.
fn leg(side: &str, from: i32, sign: f64) -> Node {
    let name = |part: &str| format!("{side}_{part}");
    let turning = |tangent: &str, angles: &[(i32, f64)]| {
        let later: Vec<_> = angles.iter().map(|&(frame, angle)| (frame + from, angle)).collect();
        Curve::rotate("X", keys(tangent, &later)).cycling()
    };
    let hip = [(0, -28.0), (3, -18.0), (6, -5.0), (12, 22.0), (16, 2.0), (20, -24.0), (24, -28.0)];
    let knee = [(0, 5.0), (3, 17.0), (6, 9.0), (12, 15.0), (16, 58.0), (20, 40.0), (24, 5.0)];
    let ankle = [(0, 8.0), (3, 1.0), (6, -4.0), (12, -14.0), (16, -18.0), (20, -14.0), (24, 8.0)];
    let toe = Node::new(&name("toe")).at_position(0.0, -5.0, 15.0);
    let foot = Node::new(&name("foot"))
        .at_position(0.0, -41.0, 0.0)
        .with_curve(turning("auto", &ankle))
        .with_child(toe);
    let shin = Node::new(&name("shin"))
        .at_position(0.0, -42.0, 0.0)
        .with_curve(turning("spline", &knee))
        .with_child(foot)
        .with_child(Node::new(if side == "L" { "effector1" } else { "effector2" }));
    Node::new(&name("thigh"))
        .at_position(9.0 * sign, -2.0, 0.0)
        .with_curve(turning("auto", &hip))
        .with_child(shin)
}
