//! How long it takes to read AnimJ and AnimX, compared with what cannot be beaten by much:
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

/// Slots of the animation.
const SLOTS: usize = 60;

/// Keys of each track in a text.
const KEYS: usize = 600;

/// Keys of each track in bytes: eight minutes at 30 Hz.
const KEYS_IN_BYTES: usize = 15_000;

/// How many times to sample at, over the whole animation.
const TIMES: usize = 2000;

/// An animation's JSON, parsed without interpreting its tracks.
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

/// A document as model exporters write it: the position and rotation of every slot at every frame.
fn transforms() -> String {
    let mut tracks = Vec::new();
    for slot in 0..SLOTS {
        for (property, value_type) in [("Position", "float3"), ("Rotation", "floatQ")] {
            let mut keys = Vec::new();
            for key in 0..KEYS {
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
    animation(&tracks)
}

/// A document as curve converters write it: scalar tracks with tangent handles.
fn handles() -> String {
    let mut tracks = Vec::new();
    for slot in 0..2 * SLOTS {
        let mut keys = Vec::new();
        for key in 0..KEYS {
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
    animation(&tracks)
}

fn track(kind: &str, value_type: &str, node: &str, property: &str, keys: &[String]) -> String {
    format!(
        "{{\"trackType\": \"{kind}\", \"valueType\": \"{value_type}\", \"data\": {{\"node\": \"{node}\", \
         \"property\": \"{property}\", \"keyframes\": [\n{}\n]}}}}",
        keys.join(",\n")
    )
}

fn animation(tracks: &[String]) -> String {
    let tracks = tracks.join(",\n");
    format!("{{\"name\": \"bench\", \"globalDuration\": 0, \"tracks\": [\n{tracks}\n]}}\n")
}

/// Whether the tracks of an animation are keyed at the same times, as exporters do.
#[derive(Clone, Copy, PartialEq)]
enum Keyed {
    Together,
    EachAtItsOwnTimes,
}

/// The same slots, positions and rotations in bytes, without compression.
fn bytes(keyed: Keyed) -> Vec<u8> {
    let mut bytes = b"\x05AnimX".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    put_count(&mut bytes, 2 * SLOTS);
    bytes.extend(0_f32.to_le_bytes());
    put_text(&mut bytes, "bench");
    bytes.push(0);
    for slot in 0..SLOTS {
        for (property, value_type, components) in [("Position", 23, 3), ("Rotation", 25, 4)] {
            bytes.extend([2, value_type]);
            put_text(&mut bytes, &format!("Bone{slot}"));
            put_text(&mut bytes, property);
            put_count(&mut bytes, KEYS_IN_BYTES);
            // Without interpolations and tangents of the keys' own: all are linear.
            bytes.extend([0, 1]);
            let first_time = match keyed {
                Keyed::Together => 0.0,
                Keyed::EachAtItsOwnTimes => (2 * slot + components) as f32 / 10_000.0,
            };
            for key in 0..KEYS_IN_BYTES {
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

fn put_count(bytes: &mut Vec<u8>, mut count: usize) {
    while count > 0x7f {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_count(bytes, text.len());
    bytes.extend(text.as_bytes());
}

fn read_json(criterion: &mut Criterion) {
    compare_json::<PlainVector>(criterion, "transforms", &transforms());
    compare_json::<f64>(criterion, "handles", &handles());
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
    compare_bytes(criterion, "keyed together", &bytes(Keyed::Together));
    compare_bytes(criterion, "keyed apart", &bytes(Keyed::EachAtItsOwnTimes));
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
    let clip = decode_clip(&bytes(Keyed::Together));
    let times = random_times(clip.span, TIMES);
    let mut pose = Pose::default();
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(times.len() as u64)).sample_size(10);
    group.bench_function("poses", |bencher| {
        bencher.iter(|| sample_all(&clip, &times, &mut pose));
    });
    group.finish();
    let one = divide_duration(median(|| sample_all(&clip, &times, &mut pose)), TIMES);
    println!("a pose of {} slots at a random time: {one:?}\n", clip.nodes.len());
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
