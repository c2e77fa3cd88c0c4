//! Properties of every curve: continuity, values at keys, symmetry, and repetition.

use mutoscope_core::{
    clip::{Clip, Hint, ScalarCurve},
    formats::{self, DecodeRequest, FormatId},
};

use mutoscope_testing::property::{RandomInput, check_property};

/// The tangent types whose curves have no jumps.
const SMOOTH: [&str; 13] = [
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

/// A key by random.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// Seconds after the key before it.
    way: f64,
    value: f64,
    before: Tangent,
    after: Tangent,
}

/// A tangent; angle and weight are for those that are fixed.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    word: &'static str,
    angle: f64,
    weight: f64,
}

impl Tangent {
    fn by(random: &mut RandomInput) -> Self {
        let word = SMOOTH[random.below(SMOOTH.len())];
        Self { word, angle: random.in_range(-80.0, 80.0), weight: random.in_range(0.0, 4.0) }
    }

    fn numbers(self) -> String {
        if self.word == "fixed" {
            format!(" {} {}", self.angle, self.weight)
        } else {
            String::new()
        }
    }

    fn turned(self) -> Self {
        Self { angle: -self.angle, ..self }
    }
}

/// One to six keys.
fn keys(random: &mut RandomInput) -> Vec<Key> {
    (0..=random.below(6))
        .map(|_| Key {
            way: random.in_range(0.1, 3.0),
            value: random.in_range(-9.0, 9.0),
            before: Tangent::by(random),
            after: Tangent::by(random),
        })
        .collect()
}

/// A clip of one curve with these keys, in seconds, the first at 1.
fn clip(keys: &[Key], weighted: bool, infinity: &str) -> Clip {
    let mut lines = String::new();
    let mut time = 1.0;
    for (index, Key { way, value, before, after }) in keys.iter().enumerate() {
        if index > 0 {
            time += way;
        }
        let (words, numbers) =
            ([before.word, after.word].join(" "), before.numbers() + &after.numbers());
        lines += &format!("{time} {value} {words} 0 0 0{numbers};\n");
    }
    let weighted = u8::from(weighted);
    read(&format!(
        "animVersion 1.1;\ntimeUnit sec;\nlinearUnit cm;\nangularUnit deg;\nanim translate.translateX \
         translateX a 0 0 0;\nanimData {{\nweighted {weighted};\npreInfinity {infinity};\npostInfinity \
         {infinity};\nkeys {{\n{lines}}}\n}}\n"
    ))
}

fn read(text: &str) -> Clip {
    formats::decode(text.as_bytes(), &DecodeRequest::default().format(FormatId::MAYA)).unwrap()
}

fn curve(clip: &Clip) -> &ScalarCurve {
    clip.tracks[0].curve.scalar()
}

fn evaluate(clip: &Clip, time: f64) -> f64 {
    curve(clip).evaluate(time, &mut Hint::default())
}

/// As far as a curve can get in [`BESIDE`] with an angle of 80° and a handle of next to no length.
const STEEP: f64 = 0.03;

/// Seconds: next to nothing, but more than what counts as one time.
const BESIDE: f64 = 1e-8;

#[test]
fn curves_pass_through_keys_continuously() {
    check_property(|random| {
        let keys = keys(random);
        let clip = clip(&keys, random.below(2) == 1, "constant");
        let curve = curve(&clip);
        for index in 0..curve.len() {
            let key = curve.key(index).unwrap();
            assert_eq!(evaluate(&clip, key.time), key.value, "{keys:?}");
            for aside in [-BESIDE, BESIDE] {
                let beside = evaluate(&clip, key.time + aside);
                assert!((beside - key.value).abs() < STEEP, "{beside} beside {index} of {keys:?}");
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
        let keys = keys(random);
        let clip = clip(&keys, random.below(2) == 1, "constant");
        let (first, last) = curve(&clip).times().first_and_last().unwrap();
        let time = random.in_range(first, last);
        let (here, beside) = (evaluate(&clip, time), evaluate(&clip, time + BESIDE));
        assert!((here - beside).abs() < STEEP, "{here} {beside} at {time} of {keys:?}");
    });
}

#[test]
fn negated_keys_give_the_negated_curve() {
    check_property(|random| {
        let (keys, weighted) = (keys(random), random.below(2) == 1);
        let turn = |key: &Key| Key {
            value: -key.value,
            before: key.before.turned(),
            after: key.after.turned(),
            ..*key
        };
        let turned: Vec<_> = keys.iter().map(turn).collect();
        let time = random.in_range(-2.0, 12.0);
        let here = evaluate(&clip(&keys, weighted, "linear"), time);
        let there = evaluate(&clip(&turned, weighted, "linear"), time);
        assert!((here + there).abs() <= 1e-9 * here.abs().max(1.0), "{here} {there}: {keys:?}");
    });
}

#[test]
fn reversed_keys_give_the_reversed_curve() {
    check_property(|random| {
        let keys = keys(random);
        let turn = |index: usize| {
            let key = keys[keys.len() - 1 - index];
            // Backwards, a key's way leads from the one after it.
            let way = keys.get(keys.len() - index).map_or(key.way, |next| next.way);
            Key { way, before: key.after.turned(), after: key.before.turned(), ..key }
        };
        let turned: Vec<_> = (0..keys.len()).map(turn).collect();
        let [here, there] = [&keys, &turned].map(|keys| clip(keys, false, "constant"));
        let (first, last) = curve(&here).times().first_and_last().unwrap();
        let (_, last_there) = curve(&there).times().first_and_last().unwrap();
        let way = random.in_range(0.0, last - first);
        let (here, there) = (evaluate(&here, first + way), evaluate(&there, last_there - way));
        assert!((here - there).abs() < 1e-6, "{here} {there}: {keys:?}");
    });
}

#[test]
fn cycles_repeat_exactly() {
    check_property(|random| {
        let (mut keys, weighted) = (keys(random), random.below(2) == 1);
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
                let near = (found - expected).abs() < 1e-5 * expected.abs().max(1.0);
                assert!(near, "{infinity}, {rounds} rounds: {found} {expected}: {keys:?}");
            }
        }
    });
}

#[test]
fn automatic_tangents_never_leave_the_range_of_their_keys() {
    check_property(|random| {
        let word = ["plateau", "auto", "autoease", "automix"][random.below(4)];
        let mut keys = keys(random);
        for key in &mut keys {
            (key.before.word, key.after.word) = (word, word);
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
        let auto = Tangent { word: "auto", angle: 0.0, weight: 1.0 };
        let clip =
            clip(&[Key { way: 1.0, value: 5.0, before: auto, after: auto }], false, infinity);
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
    let clip = read(text);
    let values = [0.0, 0.99, 1.0, 1.01, 2.0].map(|time| evaluate(&clip, time));
    assert_eq!(values, [1.0, 1.0, 2.0, 5.0, 5.0]);
    let middle = evaluate(&clip, 2.5);
    assert!(5.0 < middle && middle < 7.0, "a handle of no length is no step: {middle}");
}
