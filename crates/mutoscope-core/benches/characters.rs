//! Measures how long it takes to list a large archive of Metroid Prime, compared with unpacking its
//! characters alone. Also compares skinning a model with the matrix products that skinning consists
//! of.
//!
//! Both sides of a ratio are measured in the same run, on the same machine and the same data.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{fs, hint::black_box, path::PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DAffine3, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::Pose,
    diagnostics::Diagnostics,
    formats::prime::{
        archive::{Archive, ArchiveResources, ResourceType},
        characters::{Library, OpenedAnimation, Selection, SkeletonPreference},
    },
};
use mutoscope_testing::timing::{median, ratio};

/// More sets than any archive of the games has.
const SET_COUNT: u32 = 200;

const OTHERS_PER_SET: u32 = 100;

/// All other resources together have more than 100 MB.
const OTHER_SIZE: usize = 6144;

fn sample_archive() -> Vec<u8> {
    let path = "tests/data/prime-characters/warden_mp1.pak";
    fs::read(PathBuf::from(mutoscope_testing::ROOT).join(path)).unwrap()
}

/// Repeats the sample's character set, each time followed by resources that a list skips.
fn large_archive() -> Vec<u8> {
    let sample = sample_archive();
    let archive = Archive::decode(&sample, &mut Diagnostics::new()).unwrap();
    let set = archive.entries.iter().find(|entry| entry.kind == ResourceType::ANCS).unwrap();
    let set = set.stored_bytes(&sample);
    let other = vec![0xa5; OTHER_SIZE];
    let count = SET_COUNT * (OTHERS_PER_SET + 1);
    let mut head = [0x0003_0005_u32, 0, 0, count].map(u32::to_be_bytes).concat();
    let table = head.len() + 20 * count as usize;
    let start = table.next_multiple_of(32);
    let mut data = Vec::new();
    for index in 0..count {
        let is_set = index.is_multiple_of(OTHERS_PER_SET + 1);
        let (kind, bytes) = if is_set { (*b"ANCS", set) } else { (*b"TXTR", &other[..]) };
        head.extend(u32::from(is_set).to_be_bytes());
        head.extend(kind);
        let numbers = [index + 1, bytes.len() as u32, (start + data.len()) as u32];
        head.extend(numbers.map(u32::to_be_bytes).concat());
        data.extend_from_slice(bytes);
    }
    head.resize(start, 0);
    head.extend(data);
    head
}

fn list(criterion: &mut Criterion) {
    let bytes = large_archive();
    let unpack_sets = || {
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let sets = archive.entries.iter().filter(|entry| entry.kind == ResourceType::ANCS);
        sets.map(|set| set.read(&bytes).bytes.len()).sum::<usize>()
    };
    let list = || Library::from_archive(black_box(&bytes)).unwrap();
    let mut group = criterion.benchmark_group("list");
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
    group.bench_function("characters and animations", |bencher| bencher.iter(list));
    group.bench_function("table and unpacking alone", |bencher| bencher.iter(unpack_sets));
    group.finish();

    let (ours, lower_bound) = (median(list), median(unpack_sets));
    let animations: usize = list().sets.iter().map(|set| set.ancs.animations.len()).sum();
    println!(
        "{} MB, {SET_COUNT} sets, {animations} animations: listed in {ours:?}",
        bytes.len() / 1_000_000
    );
    println!("the table and unpacking the sets take {lower_bound:?}");
    println!("listing takes {:.2} times as long\n", ratio(ours, lower_bound));
}

fn skin(criterion: &mut Criterion) {
    let bytes = sample_archive();
    let library = Library::from_archive(&bytes).unwrap();
    let resources = ArchiveResources { archive: library.archive.as_ref().unwrap(), bytes: &bytes };
    let chosen = library.select(&Selection::default()).unwrap();
    let options = ReadOptions { with_model: true, ..ReadOptions::default() };
    let OpenedAnimation { clip, model, .. } =
        library.open_first(&chosen, &resources, &options, SkeletonPreference::Given).unwrap();
    let model = model.unwrap().model;
    // Repeat the sample's vertices, so that the piece has as many as a character of the games.
    let mut piece = model.pieces[0].clone();
    let skin = piece.skin.as_mut().unwrap();
    for _ in 0..6 {
        piece.positions.extend_from_within(..);
        skin.influences.extend_from_within(..);
        skin.weights.extend_from_within(..);
    }
    let products = skin.weights.as_flattened().iter().filter(|weight| **weight > 0.0).count();
    let (mut pose, mut matrices, mut positions) = (Pose::default(), Vec::new(), Vec::new());
    clip.sample(0.5, &mut pose);
    let mut skinned = || {
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        piece.fill_posed_positions(black_box(&matrices), &mut positions);
        positions[0]
    };
    let points: Vec<DVec3> = (0..products).map(|index| DVec3::splat(index as f64)).collect();
    let matrix = DAffine3::from_rotation_x(0.1);
    let lower_bound = || -> DVec3 {
        points.iter().map(|point| black_box(&matrix).transform_point3(*point) * 0.5).sum()
    };
    let count = piece.positions.len() as u64;
    let mut group = criterion.benchmark_group("skin");
    group.throughput(Throughput::Elements(count)).sample_size(20);
    group.bench_function("vertices", |bencher| bencher.iter(&mut skinned));
    group.bench_function("products", |bencher| bencher.iter(lower_bound));
    group.finish();

    let (ours, lower_bound) = (median(&mut skinned), median(lower_bound));
    let each = ours.as_secs_f64() * 1e9 / count as f64;
    println!("{count} vertices with {products} weights: skinned in {ours:?}, {each:.1} ns each");
    println!(
        "skinning takes {:.2} times as long as the products alone\n",
        ratio(ours, lower_bound)
    );
}

criterion_group!(benches, list, skin);
criterion_main!(benches);
