//! What holds for every curve, whatever its numbers: continuity, values at keys, symmetry, and
//! what repeats.

use mutoscope::{
    clip::{Clip, Hint},
    formats::{self, FormatId},
};
use proptest::prelude::*;

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

/// A key: the way from the one before it in seconds, its value, its tangents, and their angles and
/// weights, for those that are fixed.
type DrawnKey = (f64, f64, usize, usize, [f64; 4]);

fn drawn_keys() -> impl Strategy<Value = Vec<DrawnKey>> {
    let tangent = 0..SMOOTH.len();
    let fixed = [-80.0..80.0, 0.0..4.0, -80.0..80.0, 0.0..4.0];
    prop::collection::vec((0.1..3.0, -9.0..9.0, tangent.clone(), tangent, fixed), 1..7)
}

/// The text of a curve with these keys, in seconds, the first at 1.
fn text(keys: &[DrawnKey], weighted: bool, infinity: &str) -> String {
    let mut lines = String::new();
    let mut time = 1.0;
    for (index, (way, value, in_type, out_type, [angle, weight, out_angle, out_weight])) in
        keys.iter().enumerate()
    {
        if index > 0 {
            time += way;
        }
        let (in_type, out_type) = (SMOOTH[*in_type], SMOOTH[*out_type]);
        lines += &format!("{time} {value} {in_type} {out_type} 0 0 0");
        if in_type == "fixed" {
            lines += &format!(" {angle} {weight}");
        }
        if out_type == "fixed" {
            lines += &format!(" {out_angle} {out_weight}");
        }
        lines += ";\n";
    }
    format!(
        "animVersion 1.1;\ntimeUnit sec;\nlinearUnit cm;\nangularUnit deg;\nanim translate.translateX \
         translateX a 0 0 0;\nanimData {{\nweighted {};\npreInfinity {infinity};\npostInfinity \
         {infinity};\nkeys {{\n{lines}}}\n}}\n",
        u8::from(weighted)
    )
}

fn clip(text: &str) -> Clip {
    formats::decode(text.as_bytes(), None, Some(FormatId::Maya)).unwrap()
}

fn evaluate(clip: &Clip, time: f64) -> f64 {
    clip.tracks[0].curve.scalar().evaluate(time, &mut Hint::default())
}

proptest! {
    #[test]
    fn curves_pass_through_their_keys_without_a_jump(keys in drawn_keys(), weighted: bool) {
        let clip = clip(&text(&keys, weighted, "constant"));
        let curve = clip.tracks[0].curve.scalar();
        for index in 0..curve.len() {
            let key = curve.key(index).unwrap();
            prop_assert_eq!(evaluate(&clip, key.time), key.value);
            // As close as a curve can be that rises as steeply as an angle of 80° and a handle
            // with next to no length allow.
            for aside in [-1e-9, 1e-9] {
                let beside = evaluate(&clip, key.time + aside);
                prop_assert!((beside - key.value).abs() < 0.03, "{beside} beside {}", key.value);
            }
        }
        let (first, last) = curve.times().ends().unwrap();
        prop_assert_eq!(evaluate(&clip, first - 5.0), curve.values().at(0));
        prop_assert_eq!(evaluate(&clip, last + 5.0), curve.values().at(curve.len() - 1));
    }

    #[test]
    fn between_keys_nothing_jumps(keys in drawn_keys(), weighted: bool, part in 0.0..1.0) {
        let clip = clip(&text(&keys, weighted, "constant"));
        let (first, last) = clip.tracks[0].curve.scalar().times().ends().unwrap();
        let time = first + (last - first) * part;
        let (here, beside) = (evaluate(&clip, time), evaluate(&clip, time + 1e-9));
        prop_assert!((here - beside).abs() < 0.03, "{here} {beside}");
    }

    #[test]
    fn a_curve_upside_down_is_the_curve_upside_down(keys in drawn_keys(), weighted: bool, time in 0.0..12.0) {
        let turned: Vec<_> = keys
            .iter()
            .map(|&(way, value, in_type, out_type, [a, w, b, v])| (way, -value, in_type, out_type, [-a, w, -b, v]))
            .collect();
        let here = evaluate(&clip(&text(&keys, weighted, "linear")), time);
        let there = evaluate(&clip(&text(&turned, weighted, "linear")), time);
        prop_assert!((here + there).abs() <= 1e-9 * here.abs().max(1.0), "{here} {there}");
    }

    #[test]
    fn a_curve_backwards_is_the_curve_backwards(keys in drawn_keys(), part in 0.0..1.0) {
        // A key's way leads from the one before it: backwards, from the one after it.
        let mut turned: Vec<_> = keys.iter().rev().copied().collect();
        for index in 1..turned.len() {
            turned[index].0 = keys[keys.len() - index].0;
        }
        for key in &mut turned {
            let [a, w, b, v] = key.4;
            (key.2, key.3, key.4) = (key.3, key.2, [-b, v, -a, w]);
        }
        let (here, there) = (clip(&text(&keys, false, "constant")), clip(&text(&turned, false, "constant")));
        let (first, last) = here.tracks[0].curve.scalar().times().ends().unwrap();
        let (first_there, last_there) = there.tracks[0].curve.scalar().times().ends().unwrap();
        prop_assert!((last - first - last_there + first_there).abs() < 1e-9);
        let way = (last - first) * part;
        let (here, there) = (evaluate(&here, first + way), evaluate(&there, last_there - way));
        prop_assert!((here - there).abs() < 1e-6, "{here} {there}");
    }

    #[test]
    fn what_repeats_repeats(keys in drawn_keys(), weighted: bool, part in 0.01..0.99, times in 1..400_i32) {
        prop_assume!(keys.len() > 1);
        for infinity in ["cycle", "cycleRelative", "oscillate"] {
            let clip = clip(&text(&keys, weighted, infinity));
            let curve = clip.tracks[0].curve.scalar();
            let (first, last) = curve.times().ends().unwrap();
            let length = last - first;
            let rise = curve.values().at(curve.len() - 1) - curve.values().at(0);
            for repeats in [f64::from(times), f64::from(-times)] {
                let backwards = infinity == "oscillate" && times % 2 == 1;
                let part_there = if backwards { 1.0 - part } else { part };
                let within = evaluate(&clip, first + length * part_there);
                let expected = if infinity == "cycleRelative" { within + repeats * rise } else { within };
                let found = evaluate(&clip, first + length * (part + repeats));
                prop_assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{infinity}, {repeats}: {found} {expected}");
            }
        }
    }

    #[test]
    fn automatic_tangents_never_leave_the_range_of_their_keys(
        keys in drawn_keys(),
        weighted: bool,
        kind in prop::sample::select(vec!["plateau", "auto", "autoease", "automix"]),
    ) {
        let kind = SMOOTH.iter().position(|&name| name == kind).unwrap();
        let keys: Vec<_> = keys.iter().map(|&(way, value, _, _, fixed)| (way, value, kind, kind, fixed)).collect();
        let clip = clip(&text(&keys, weighted, "constant"));
        let curve = clip.tracks[0].curve.scalar();
        for pair in curve.times().as_slice().windows(2) {
            let ends = [evaluate(&clip, pair[0]), evaluate(&clip, pair[1])];
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            for step in 1..20 {
                let value = evaluate(&clip, pair[0] + (pair[1] - pair[0]) * f64::from(step) / 20.0);
                prop_assert!(low - 1e-9 <= value && value <= high + 1e-9, "{value} in {low}..{high}");
            }
        }
    }
}

#[test]
fn a_single_key_is_the_curve() {
    for infinity in ["constant", "linear", "cycle", "cycleRelative", "oscillate"] {
        let clip = clip(&text(&[(1.0, 5.0, 8, 8, [0.0; 4])], false, infinity));
        for time in [-100.0, 1.0, 100.0] {
            assert_eq!(evaluate(&clip, time), 5.0, "{infinity} at {time}");
        }
    }
}

#[test]
fn steps_go_by_their_word() {
    let text = "animVersion 1.1;\ntimeUnit sec;\nanim translate.translateX translateX a 0 0 0;\nanimData {\n\
                weighted 1;\nkeys {\n0 1 auto step 1 1 0;\n1 2 auto stepnext 1 1 0;\n2 5 fixed fixed 1 1 0 0 0 0 \
                0;\n3 7 fixed fixed 1 1 0 0 0 0 0;\n}\n}\n";
    let clip = clip(text);
    let values = [0.0, 0.99, 1.0, 1.01, 2.0].map(|time| evaluate(&clip, time));
    assert_eq!(values, [1.0, 1.0, 2.0, 5.0, 5.0]);
    let middle = evaluate(&clip, 2.5);
    assert!(5.0 < middle && middle < 7.0, "a handle of no length is no step: {middle}");
}
