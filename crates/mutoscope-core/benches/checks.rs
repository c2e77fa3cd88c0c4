//! How long the checks of every clip take on ten million keys, compared with what cannot be beaten:
//! looking at each key's value once; and how long it takes to list their file and to find the keys
//! of what is seen of it.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mutoscope_core::{
    formats::mrtk::Version,
    io::bytes::FileContent,
    measure::{checks::check_clip, listing::Listing},
};
use mutoscope_testing::recording::{HandKeys, Keys, Recording};
use mutoscope_testing::timing::{decode_clip, median, ratio};

/// Both hands with all their joints, 60 times a second; ten million keys come together in as many
/// seconds.
const FRAMES: usize = 26_500;

/// A curve that always moves; now and then a key is out of place, so that there is something to
/// find.
fn curve(seed: usize) -> Keys {
    let key = |frame: usize| {
        let slip = if (frame + seed * 97).is_multiple_of(5000) { 1.0 } else { 0.0 };
        let angle = frame as f32 * 0.01 + seed as f32;
        (frame as f32 / 60.0, angle.sin() * 0.3 + (angle * 7.3).cos() * 0.01 + slip)
    };
    let keys: Vec<_> = (0..FRAMES).map(key).collect();
    Keys::simple(&keys)
}

fn ten_million_keys_in_bytes() -> Vec<u8> {
    let hand = |side: usize| HandKeys {
        tracked: Keys::simple(&[(0.0, 1.0), (100.0, 0.0), (101.0, 1.0)]),
        pinch: Keys::simple(&[]),
        poses: (0..27)
            .map(|pose| [0, 1, 2, 3, 4, 5, 6].map(|one| curve(side * 189 + pose * 7 + one)))
            .collect(),
    };
    let version = Version::V1_1 { parts: [0, 1, 0] };
    let recording = Recording { version, hands: Some([hand(0), hand(1)]), ..Recording::v1_1() };
    recording.encode()
}

fn checks(criterion: &mut Criterion) {
    let clip = decode_clip(&ten_million_keys_in_bytes());
    let mut group = criterion.benchmark_group("checks");
    group.throughput(Throughput::Elements(clip.key_count() as u64)).sample_size(10);
    group.bench_function("ten million keys", |bencher| bencher.iter(|| check_clip(&clip)));
    group.finish();

    let checking = median(|| check_clip(&clip));
    let looking = median(|| {
        let curves = clip.tracks.iter().flat_map(|track| track.curve.components());
        curves.map(|curve| black_box(curve.values().iter().sum::<f64>())).sum::<f64>()
    });
    println!("{} keys, {} issues: {checking:?}", clip.key_count(), check_clip(&clip).len());
    println!(
        "looking at each value once: {looking:?}; checking takes {:.1} times as long\n",
        ratio(checking, looking)
    );
}

fn listing(_: &mut Criterion) {
    let file = FileContent::from(ten_million_keys_in_bytes());
    let clip = decode_clip(file.in_memory().unwrap());
    let making = median(|| Listing::new(&clip, &file));
    let listing = Listing::new(&clip, &file);
    let size = listing.size();
    let windows: Vec<_> = (0..1000).map(|part| part * (size / 1000)).collect();
    let issue = median(|| {
        windows.iter().map(|&at| listing.keys_in(&clip, at..at + 600).len()).sum::<usize>()
    });
    println!(
        "a listing of {size} bytes: {making:?}; the keys of 600 bytes of it: {:?}\n",
        issue / 1000
    );
}

criterion_group!(benches, checks, listing);
criterion_main!(benches);
