//! Properties of every curve: continuity, values at keys, symmetry, and repetition.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Hint, ScalarCurve},
    formats::FormatId,
};

use mutoscope_testing::property::{RandomInput, check_property};

/// These tangent types never make a curve jump.
const SMOOTH_TANGENTS: [&str; 13] = [
    "global",
    "linear",
    "flat",
    "spline",
    "slow",
    "fast",
    "clamped",
    "plateau",
    "auto",
    "autoease",
    "automix",
    "autocustom",
    "fixed",
];

#[derive(Clone, Copy, Debug)]
struct Key {
    /// The time since the previous key, in seconds.
    interval: f64,
    value: f64,
    in_tangent: Tangent,
    out_tangent: Tangent,
}

/// A tangent. Only the type `fixed` uses the angle and the weight.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    kind: &'static str,
    angle: f64,
    weight: f64,
}

impl Tangent {
    fn random(input: &mut RandomInput) -> Self {
        let kind = SMOOTH_TANGENTS[input.below(SMOOTH_TANGENTS.len())];
        Self { kind, angle: input.in_range(-80.0, 80.0), weight: input.in_range(0.0, 4.0) }
    }

    fn to_text(self) -> String {
        if self.kind == "fixed" {
            format!(" {} {}", self.angle, self.weight)
        } else {
            String::new()
        }
    }

    fn negated(self) -> Self {
        Self { angle: -self.angle, ..self }
    }
}

/// Returns one to six random keys.
fn random_keys(random: &mut RandomInput) -> Vec<Key> {
    (0..=random.below(6))
        .map(|_| Key {
            interval: random.in_range(0.1, 3.0),
            value: random.in_range(-9.0, 9.0),
            in_tangent: Tangent::random(random),
            out_tangent: Tangent::random(random),
        })
        .collect()
}

/// Builds a clip of one curve with these keys. The first key is at 1 s.
fn clip(keys: &[Key], weighted: bool, infinity: &str) -> Clip {
    let mut lines = String::new();
    let mut time = 1.0;
    for (index, Key { interval, value, in_tangent, out_tangent }) in keys.iter().enumerate() {
        if index > 0 {
            time += interval;
        }
        let (words, numbers) = (
            [in_tangent.kind, out_tangent.kind].join(" "),
            in_tangent.to_text() + &out_tangent.to_text(),
        );
        lines += &format!("{time} {value} {words} 0 0 0{numbers};\n");
    }
    let weighted = u8::from(weighted);
    decode(&format!(
        "animVersion 1.1;\ntimeUnit sec;\nlinearUnit cm;\nangularUnit deg;\nanim translate.translateX \
         translateX a 0 0 0;\nanimData {{\nweighted {weighted};\npreInfinity {infinity};\npostInfinity \
         {infinity};\nkeys {{\n{lines}}}\n}}\n"
    ))
}

fn decode(text: &str) -> Clip {
    mutoscope_core::decode(text.as_bytes(), &ReadOptions::default().with_format(FormatId::MAYA))
        .unwrap()
}

fn curve(clip: &Clip) -> &ScalarCurve {
    clip.tracks[0].curve.scalar()
}

fn evaluate(clip: &Clip, time: f64) -> f64 {
    curve(clip).evaluate(time, &mut Hint::default())
}

/// A curve rises at most this much within [`TINY_STEP_S`], at 80° and with a handle of nearly no
/// length.
const MAX_STEP_RISE: f64 = 0.03;

/// Tiny, but larger than the tolerance within which two times are equal.
const TINY_STEP_S: f64 = 1e-8;

#[test]
fn curves_pass_through_keys_continuously() {
    check_property(|random| {
        let keys = random_keys(random);
        let clip = clip(&keys, random.below(2) == 1, "constant");
        let curve = curve(&clip);
        for index in 0..curve.len() {
            let key = curve.key(index).unwrap();
            assert_eq!(evaluate(&clip, key.time), key.value, "{keys:?}");
            for step in [-TINY_STEP_S, TINY_STEP_S] {
                let nearby_value = evaluate(&clip, key.time + step);
                assert!(
                    (nearby_value - key.value).abs() < MAX_STEP_RISE,
                    "{nearby_value} next to key {index} of {keys:?}"
                );
            }
        }
        let (first, last) = curve.times().first_and_last().unwrap();
        assert_eq!(evaluate(&clip, first - 5.0), curve.values().value_at(0));
        assert_eq!(evaluate(&clip, last + 5.0), curve.values().value_at(curve.len() - 1));
    });
}

#[test]
fn curves_are_continuous_between_keys() {
    check_property(|random| {
        let keys = random_keys(random);
        let clip = clip(&keys, random.below(2) == 1, "constant");
        let (first, last) = curve(&clip).times().first_and_last().unwrap();
        let time = random.in_range(first, last);
        let (value, nearby_value) = (evaluate(&clip, time), evaluate(&clip, time + TINY_STEP_S));
        assert!(
            (value - nearby_value).abs() < MAX_STEP_RISE,
            "{value} {nearby_value} at {time} of {keys:?}"
        );
    });
}

#[test]
fn negated_keys_give_the_negated_curve() {
    check_property(|random| {
        let (keys, weighted) = (random_keys(random), random.below(2) == 1);
        let negate = |key: &Key| Key {
            value: -key.value,
            in_tangent: key.in_tangent.negated(),
            out_tangent: key.out_tangent.negated(),
            ..*key
        };
        let negated: Vec<_> = keys.iter().map(negate).collect();
        let time = random.in_range(-2.0, 12.0);
        let value = evaluate(&clip(&keys, weighted, "linear"), time);
        let negated_value = evaluate(&clip(&negated, weighted, "linear"), time);
        assert!(
            (value + negated_value).abs() <= 1e-9 * value.abs().max(1.0),
            "{value} {negated_value}: {keys:?}"
        );
    });
}

#[test]
fn reversed_keys_give_the_reversed_curve() {
    check_property(|random| {
        let keys = random_keys(random);
        let reverse = |index: usize| {
            let key = keys[keys.len() - 1 - index];
            // In the reversed order, the time since the previous key is the time until the next key
            // of the original.
            let interval = keys.get(keys.len() - index).map_or(key.interval, |next| next.interval);
            Key {
                interval,
                in_tangent: key.out_tangent.negated(),
                out_tangent: key.in_tangent.negated(),
                ..key
            }
        };
        let reversed: Vec<_> = (0..keys.len()).map(reverse).collect();
        let [forward, reversed] = [&keys, &reversed].map(|keys| clip(keys, false, "constant"));
        let (first, last) = curve(&forward).times().first_and_last().unwrap();
        let (_, reversed_end) = curve(&reversed).times().first_and_last().unwrap();
        let interval = random.in_range(0.0, last - first);
        let value = evaluate(&forward, first + interval);
        let reversed_value = evaluate(&reversed, reversed_end - interval);
        assert!((value - reversed_value).abs() < 1e-6, "{value} {reversed_value}: {keys:?}");
    });
}

#[test]
fn cycles_repeat_exactly() {
    check_property(|random| {
        let (mut keys, weighted) = (random_keys(random), random.below(2) == 1);
        keys.push(keys[0]);
        let part = random.in_range(0.01, 0.99);
        let times = 1 + random.below(400);
        for infinity in ["cycle", "cycleRelative", "oscillate"] {
            let clip = clip(&keys, weighted, infinity);
            let curve = curve(&clip);
            let (first, last) = curve.times().first_and_last().unwrap();
            let length = last - first;
            let rise = curve.values().value_at(curve.len() - 1) - curve.values().value_at(0);
            let relative = infinity == "cycleRelative";
            let backwards = infinity == "oscillate" && times % 2 == 1;
            let within =
                evaluate(&clip, first + length * if backwards { 1.0 - part } else { part });
            for rounds in [times as f64, -(times as f64)] {
                let expected = if relative { within + rounds * rise } else { within };
                let found = evaluate(&clip, first + length * (part + rounds));
                let is_close = (found - expected).abs() < 1e-5 * expected.abs().max(1.0);
                assert!(is_close, "{infinity}, {rounds} rounds: {found} {expected}: {keys:?}");
            }
        }
    });
}

#[test]
fn automatic_tangents_never_leave_the_range_of_their_keys() {
    check_property(|random| {
        let kind = ["plateau", "auto", "autoease", "automix"][random.below(4)];
        let mut keys = random_keys(random);
        for key in &mut keys {
            (key.in_tangent.kind, key.out_tangent.kind) = (kind, kind);
        }
        let clip = clip(&keys, random.below(2) == 1, "constant");
        for pair in curve(&clip).times().as_slice().windows(2) {
            let ends = [pair[0], pair[1]].map(|time| evaluate(&clip, time));
            let (low, high) = (ends[0].min(ends[1]) - 1e-9, ends[0].max(ends[1]) + 1e-9);
            for step in 1..20 {
                let time = pair[0] + (pair[1] - pair[0]) * f64::from(step) / 20.0;
                let value = evaluate(&clip, time);
                assert!((low..=high).contains(&value), "{value} in {low}..{high}: {keys:?}");
            }
        }
    });
}

#[test]
fn single_key_gives_a_constant_curve() {
    for infinity in ["constant", "linear", "cycle", "cycleRelative", "oscillate"] {
        let auto = Tangent { kind: "auto", angle: 0.0, weight: 1.0 };
        let clip = clip(
            &[Key { interval: 1.0, value: 5.0, in_tangent: auto, out_tangent: auto }],
            false,
            infinity,
        );
        for time in [-100.0, 1.0, 100.0] {
            assert_eq!(evaluate(&clip, time), 5.0, "{infinity} at {time}");
        }
    }
}

#[test]
fn step_and_stepnext_hold_the_right_key() {
    let text = "animVersion 1.1;\ntimeUnit sec;\nanim translate.translateX translateX a 0 0 0;\nanimData {\n\
                weighted 1;\nkeys {\n0 1 auto step 1 1 0;\n1 2 auto stepnext 1 1 0;\n2 5 fixed fixed 1 1 0 0 0 0 \
                0;\n3 7 fixed fixed 1 1 0 0 0 0 0;\n}\n}\n";
    let clip = decode(text);
    let values = [0.0, 0.99, 1.0, 1.01, 2.0].map(|time| evaluate(&clip, time));
    assert_eq!(values, [1.0, 1.0, 2.0, 5.0, 5.0]);
    let middle = evaluate(&clip, 2.5);
    assert!(5.0 < middle && middle < 7.0, "a handle of zero length does not step: {middle}");
}
