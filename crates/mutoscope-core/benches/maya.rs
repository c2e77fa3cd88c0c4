//! Measures how long it takes to read a Maya `.anim` file and to evaluate its curves. The baseline
//! is the least that reading text can cost: splitting the same bytes into words and parsing the
//! numbers among them with the standard library.
//!
//! Both sides of the ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{fmt::Write as _, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{
    clip::{Clip, Hint, Pose},
    diagnostics::Diagnostics,
    formats::maya,
};
use mutoscope_testing::timing::{
    decode_clip, divide_duration, median, random_times, ratio, sample_all,
};

const NODE_COUNT: usize = 60;

const KEY_COUNT: usize = 600;

const SAMPLE_COUNT: usize = 2000;

/// Each row has the parent attribute, the attribute and the output unit.
const ATTRIBUTES: [(&str, &str, &str); 9] = [
    ("translate", "translateX", "linear"),
    ("translate", "translateY", "linear"),
    ("translate", "translateZ", "linear"),
    ("rotate", "rotateX", "angular"),
    ("rotate", "rotateY", "angular"),
    ("rotate", "rotateZ", "angular"),
    ("scale", "scaleX", "unitless"),
    ("scale", "scaleY", "unitless"),
    ("scale", "scaleZ", "unitless"),
];

/// Builds a file as Maya writes it. `tangents` returns the text that follows a key's value.
fn recording(weighted: bool, tangents: impl Fn(f64) -> String) -> String {
    let mut text =
        "animVersion 1.1;\nmayaVersion 2025;\ntimeUnit ntsc;\nlinearUnit cm;\nangularUnit \
                    deg;\nstartTime 1;\nendTime 600;\n"
            .to_owned();
    let weighted = u8::from(weighted);
    for node in 0..NODE_COUNT {
        for (attr, (group, leaf, output)) in ATTRIBUTES.into_iter().enumerate() {
            writeln!(text, "anim {group}.{leaf} {leaf} joint{node} {node} 1 {attr};").unwrap();
            write!(
                text,
                "animData {{\n  input time;\n  output {output};\n  weighted {weighted};\n  preInfinity \
                 constant;\n  postInfinity constant;\n  keys {{\n"
            )
            .unwrap();
            for key in 1..=KEY_COUNT {
                let value = 90.0 * (0.05 * key as f64 + (node * 9 + attr) as f64).sin();
                writeln!(text, "    {key} {value:.6} {};", tangents(value)).unwrap();
            }
            text += "  }\n}\n";
        }
    }
    text
}

/// Automatic tangents without weights are the common case.
fn automatic_tangents() -> String {
    recording(false, |_| "auto auto 1 1 0".to_owned())
}

/// Fixed, weighted tangents take the most text per key and are the most expensive to evaluate.
fn fixed_tangents() -> String {
    recording(true, |value| {
        let (angle, weight) = (0.8 * value, 0.3 + 0.005 * value.abs());
        format!("fixed fixed 1 0 0 {angle:.6} {weight:.8} {angle:.6} {weight:.8}")
    })
}

fn parse_words(text: &str) -> f64 {
    let words = text.split_ascii_whitespace().map(|word| word.trim_end_matches(';'));
    words.filter_map(|word| word.parse::<f64>().ok()).sum()
}

fn read(criterion: &mut Criterion) {
    for (name, text) in [("automatic", automatic_tangents()), ("fixed", fixed_tangents())] {
        let bytes = text.as_bytes();
        let mut group = criterion.benchmark_group(format!("read, {name} tangents"));
        group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
        group.bench_function("document", |bencher| bencher.iter(|| document_keys(bytes)));
        group.bench_function("clip", |bencher| bencher.iter(|| decode_clip(bytes)));
        group.bench_function("words and numbers", |bencher| {
            bencher.iter(|| parse_words(black_box(&text)));
        });
        group.finish();

        let parsing = median(|| document_keys(bytes));
        let all = median(|| decode_clip(bytes));
        let lower_bound = median(|| parse_words(black_box(&text)));
        println!(
            "{} bytes, {name} tangents: parsed in {parsing:?}, a clip in {all:?}",
            bytes.len()
        );
        println!("the same bytes split into words, their numbers parsed: {lower_bound:?}");
        println!(
            "parsing runs at {:.2} of that speed (aim: 0.33), all the way to a clip at {:.2}\n",
            ratio(lower_bound, parsing),
            ratio(lower_bound, all)
        );
    }
}

fn evaluate(criterion: &mut Criterion) {
    for (name, text) in [("automatic", automatic_tangents()), ("fixed, weighted", fixed_tangents())]
    {
        let clip = decode_clip(text.as_bytes());
        let times = random_times(clip.span, SAMPLE_COUNT);
        let mut pose = Pose::default();
        let mut group = criterion.benchmark_group(format!("evaluate, {name} tangents"));
        group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
        group.bench_function("poses", |bencher| {
            bencher.iter(|| sample_all(&clip, &times, &mut pose));
        });
        group.bench_function("one curve", |bencher| {
            bencher.iter(|| evaluate_first_curve(&clip, &times))
        });
        group.finish();

        let poses = divide_duration(median(|| sample_all(&clip, &times, &mut pose)), SAMPLE_COUNT);
        let curve = divide_duration(median(|| evaluate_first_curve(&clip, &times)), SAMPLE_COUNT);
        let (nodes, curves) = (clip.nodes.len(), clip.tracks.len());
        println!(
            "{name}: a curve at a random time {curve:?}; a pose of {nodes} nodes, {curves} curves {poses:?}\n"
        );
    }
}

fn document_keys(bytes: &[u8]) -> usize {
    let document = maya::decode(black_box(bytes), &mut Diagnostics::new()).unwrap();
    document.items.iter().flat_map(|item| &item.curves).map(|curve| curve.keys.len()).sum()
}

fn evaluate_first_curve(clip: &Clip, times: &[f64]) -> f64 {
    let curve = clip.tracks[0].curve.scalar();
    let mut hint = Hint::default();
    times.iter().map(|&time| curve.evaluate(black_box(time), &mut hint)).sum()
}

criterion_group!(benches, read, evaluate);
criterion_main!(benches);
