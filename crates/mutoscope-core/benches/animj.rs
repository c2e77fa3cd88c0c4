//! Measures how long it takes to read AnimJ and AnimX. The baselines cannot be beaten by much:
//! serde_json filling plain structs from the same text, and copying the same bytes.
//!
//! Both sides of each ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![allow(dead_code, reason = "plain structs are filled and no more")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{
    clip::Pose,
    diagnostics::Diagnostics,
    formats::resonite::{animj, animx},
};
use mutoscope_testing::timing::{
    decode_clip, divide_duration, median, medians, random_times, ratio, sample_all,
};
use serde::{Deserialize, de::DeserializeOwned};

const SLOTS: usize = 60;

const KEYS_PER_JSON_TRACK: usize = 600;

/// About eight minutes at 30 Hz.
const KEYS_PER_BINARY_TRACK: usize = 15_000;

const SAMPLE_COUNT: usize = 2000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainAnimation<V> {
    name: String,
    global_duration: f64,
    tracks: Vec<PlainTrack<V>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainTrack<V> {
    track_type: String,
    value_type: String,
    data: PlainData<V>,
}

#[derive(Deserialize)]
struct PlainData<V> {
    node: String,
    property: String,
    keyframes: Vec<PlainKey<V>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainKey<V> {
    time: f64,
    value: V,
    interpolation: PlainInterpolation,
    left_tangent: Option<V>,
    right_tangent: Option<V>,
}

#[derive(Deserialize)]
enum PlainInterpolation {
    Hold,
    Linear,
    Tangent,
    CubicBezier,
}

#[derive(Deserialize)]
struct PlainVector {
    x: f64,
    y: f64,
    z: f64,
    #[serde(default)]
    w: f64,
}

/// Builds a document like those of model exporters: position and rotation keys for every slot in
/// every frame.
fn transform_document() -> String {
    let mut tracks = Vec::new();
    for slot in 0..SLOTS {
        for (property, value_type) in [("Position", "float3"), ("Rotation", "floatQ")] {
            let mut keys = Vec::new();
            for key in 0..KEYS_PER_JSON_TRACK {
                let time = key as f64 / 30.0;
                let angle = 0.05 * key as f64 + slot as f64;
                let (sin, cos) = angle.sin_cos();
                let w = if value_type == "floatQ" {
                    format!(", \"w\": {cos:.7}")
                } else {
                    String::new()
                };
                keys.push(format!(
                    "{{\"time\": {time:.6}, \"value\": {{\"x\": {sin:.7}, \"y\": {:.7}, \"z\": {:.7}{w}}}, \
                     \"interpolation\": \"Linear\"}}",
                    0.3 * cos,
                    0.1 * sin * cos
                ));
            }
            tracks.push(track("Curve", value_type, &format!("Bone{slot}"), property, &keys));
        }
    }
    document(&tracks)
}

/// Builds a document like those of curve converters: scalar tracks with tangent handles.
fn tangent_document() -> String {
    let mut tracks = Vec::new();
    for slot in 0..2 * SLOTS {
        let mut keys = Vec::new();
        for key in 0..KEYS_PER_JSON_TRACK {
            let value = (0.05 * key as f64 + slot as f64).sin();
            keys.push(format!(
                "{{\"time\": {:.6}, \"value\": {value:.7}, \"leftTangent\": {:.7}, \"rightTangent\": {:.7}, \
                 \"interpolation\": \"CubicBezier\"}}",
                key as f64 / 30.0,
                value - 0.01,
                value + 0.01
            ));
        }
        tracks.push(track("Curve", "float", "Expression", &format!("{slot:024x}"), &keys));
    }
    document(&tracks)
}

fn track(kind: &str, value_type: &str, node: &str, property: &str, keys: &[String]) -> String {
    format!(
        "{{\"trackType\": \"{kind}\", \"valueType\": \"{value_type}\", \"data\": {{\"node\": \"{node}\", \
         \"property\": \"{property}\", \"keyframes\": [\n{}\n]}}}}",
        keys.join(",\n")
    )
}

fn document(tracks: &[String]) -> String {
    let tracks = tracks.join(",\n");
    format!("{{\"name\": \"bench\", \"globalDuration\": 0, \"tracks\": [\n{tracks}\n]}}\n")
}

#[derive(Clone, Copy, PartialEq)]
enum KeyTimes {
    Shared,
    PerTrack,
}

/// Encodes the slots of `transform_document` as AnimX without compression.
fn encode_animx(key_times: KeyTimes) -> Vec<u8> {
    let mut bytes = b"\x05AnimX".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    push_varint(&mut bytes, 2 * SLOTS);
    bytes.extend(0_f32.to_le_bytes());
    push_string(&mut bytes, "bench");
    bytes.push(0);
    for slot in 0..SLOTS {
        for (property, value_type, components) in [("Position", 23, 3), ("Rotation", 25, 4)] {
            bytes.extend([2, value_type]);
            push_string(&mut bytes, &format!("Bone{slot}"));
            push_string(&mut bytes, property);
            push_varint(&mut bytes, KEYS_PER_BINARY_TRACK);
            // The two zeroes leave out interpolations and tangents per key, so all keys are linear.
            bytes.extend([0, 1]);
            let first_time = match key_times {
                KeyTimes::Shared => 0.0,
                KeyTimes::PerTrack => (2 * slot + components) as f32 / 10_000.0,
            };
            for key in 0..KEYS_PER_BINARY_TRACK {
                bytes.extend((first_time + key as f32 / 30.0).to_le_bytes());
                for component in 0..components {
                    let value = (0.05 * key as f32 + (slot + component) as f32).sin();
                    bytes.extend(value.to_le_bytes());
                }
            }
        }
    }
    bytes
}

fn push_varint(bytes: &mut Vec<u8>, mut count: usize) {
    while count > 0x7f {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

fn push_string(bytes: &mut Vec<u8>, text: &str) {
    push_varint(bytes, text.len());
    bytes.extend(text.as_bytes());
}

fn read_json(criterion: &mut Criterion) {
    compare_json::<PlainVector>(criterion, "transforms", &transform_document());
    compare_json::<f64>(criterion, "handles", &tangent_document());
}

fn compare_json<V: DeserializeOwned>(criterion: &mut Criterion, name: &str, text: &str) {
    let mut group = criterion.benchmark_group(format!("read AnimJ, {name}"));
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("document", |bencher| bencher.iter(|| json_keys(text)));
    group.bench_function("clip", |bencher| bencher.iter(|| decode_clip(text.as_bytes())));
    group.bench_function("plain structs", |bencher| bencher.iter(|| plain_keys::<V>(text)));
    group.finish();

    assert_eq!(json_keys(text), plain_keys::<V>(text));
    let [parsing, all, plain] = medians([
        &mut || _ = black_box(json_keys(text)),
        &mut || drop(black_box(decode_clip(text.as_bytes()))),
        &mut || _ = black_box(plain_keys::<V>(text)),
    ]);
    println!("{} bytes, {name}: parsed in {parsing:?}, a clip in {all:?}", text.len());
    println!("serde_json fills plain structs in {plain:?}");
    println!(
        "parsing takes {:.2} times as long (aim: 1.5), all the way to a clip {:.2} times\n",
        ratio(parsing, plain),
        ratio(all, plain)
    );
}

fn read_bytes(criterion: &mut Criterion) {
    compare_bytes(criterion, "shared key times", &encode_animx(KeyTimes::Shared));
    compare_bytes(criterion, "key times per track", &encode_animx(KeyTimes::PerTrack));
}

fn compare_bytes(criterion: &mut Criterion, name: &str, bytes: &[u8]) {
    let mut copy = vec![0_u8; bytes.len()];
    let mut group = criterion.benchmark_group(format!("read AnimX, {name}"));
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
    group.bench_function("document", |bencher| bencher.iter(|| bytes_keys(bytes)));
    group.bench_function("clip", |bencher| bencher.iter(|| decode_clip(bytes)));
    group.bench_function("copying the same bytes", |bencher| {
        bencher.iter(|| black_box(&mut copy).copy_from_slice(black_box(bytes)));
    });
    group.finish();

    let [parsing, all, copying] = medians([
        &mut || _ = black_box(bytes_keys(bytes)),
        &mut || drop(black_box(decode_clip(bytes))),
        &mut || black_box(&mut copy).copy_from_slice(black_box(bytes)),
    ]);
    println!("{} bytes of AnimX, {name}: parsed in {parsing:?}, a clip in {all:?}", bytes.len());
    println!("copying them: {copying:?}");
    println!(
        "parsing takes {:.2} times as long (aim: 10), all the way to a clip {:.2} times\n",
        ratio(parsing, copying),
        ratio(all, copying)
    );
}

fn evaluate(criterion: &mut Criterion) {
    let clip = decode_clip(&encode_animx(KeyTimes::Shared));
    let times = random_times(clip.span, SAMPLE_COUNT);
    let mut pose = Pose::default();
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
    group.bench_function("poses", |bencher| {
        bencher.iter(|| sample_all(&clip, &times, &mut pose));
    });
    group.finish();
    let pose_time = divide_duration(median(|| sample_all(&clip, &times, &mut pose)), SAMPLE_COUNT);
    println!("a pose of {} slots at a random time: {pose_time:?}\n", clip.nodes.len());
}

fn json_keys(text: &str) -> usize {
    let animation = animj::decode(black_box(text.as_bytes()), &mut Diagnostics::new()).unwrap();
    animation.tracks.iter().map(|track| track.keys.values.len()).sum()
}

fn plain_keys<V: DeserializeOwned>(text: &str) -> usize {
    let animation: PlainAnimation<V> = serde_json::from_slice(black_box(text.as_bytes())).unwrap();
    animation.tracks.iter().map(|track| track.data.keyframes.len()).sum()
}

fn bytes_keys(bytes: &[u8]) -> usize {
    let (_, animation) = animx::decode(black_box(bytes), &mut Diagnostics::new()).unwrap();
    animation.tracks.iter().map(|track| track.keys.values.len()).sum()
}

criterion_group!(benches, read_json, read_bytes, evaluate);
criterion_main!(benches);
