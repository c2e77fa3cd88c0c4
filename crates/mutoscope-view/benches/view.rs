//! Measures motion trails and ghosts per frame, for all nodes of two hands and a head over a minute.
//! The aim is less than 4 ms for both. Also measures how long it takes to list the file of the same
//! recording and to find the keys of its visible bytes, and how long it takes to create and to place a
//! mannequin.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    io::bytes::FileContent,
};
use mutoscope_testing::minute_mrtk::{Keyed, recording};
use mutoscope_testing::timing::{decode_clip, median};
use mutoscope_view::{figure::Mannequins, listing::Listing, trails::Trails};

/// A line vertex as the renderer needs it: position and colour.
type Vertex = ([f32; 3], [f32; 4]);

/// The stage draws at most this many ghosts.
const GHOST_COUNT: u32 = 40;

fn trails(criterion: &mut Criterion) {
    let clip = decode_clip(&recording(Keyed::EveryFrame).encode());
    let joints: Vec<NodeId> = clip.nodes.with_ids().map(|(id, _)| id).collect();
    let window = 0.0..=60.0;
    let mut trails = Trails::new(&clip, joints.clone());
    let sampling = median(|| {
        let mut fresh = trails.clone();
        assert!(fresh.prepare(&clip, &window, usize::MAX));
    });
    assert!(trails.prepare(&clip, &window, usize::MAX));
    let mut vertices: Vec<Vertex> = Vec::new();
    let mut draw_trails = || {
        vertices.clear();
        assert!(trails.prepare(&clip, &window, 1));
        for joint in 0..joints.len() {
            for piece in trails.pieces(joint, &window) {
                vertices.extend(piece.points.iter().map(|point| {
                    let heat = (0.5 * point.speed).clamp(0.0, 1.0);
                    let position = point.position;
                    (position, [heat, 0.4, 1.0 - heat, f32::from(u8::from(point.is_visible()))])
                }));
            }
            black_box(trails.keys(joint, &window));
        }
        black_box(vertices.len())
    };
    let count = draw_trails();
    criterion.bench_function("a picture with the trails of a minute", |bencher| {
        bencher.iter(&mut draw_trails);
    });
    let trail_time = median(&mut draw_trails);
    let (mut pose, mut lines) = (Pose::default(), Vec::new());
    let mut draw_ghosts = || collect_ghosts(&clip, &mut pose, &mut lines);
    criterion.bench_function("a picture with ghosts over a minute", |bencher| {
        bencher.iter(&mut draw_ghosts);
    });
    let ghost_time = median(&mut draw_ghosts);
    println!(
        "{} joints, {count} positions: {trail_time:?} per frame, sampled once in {sampling:?}; {GHOST_COUNT} ghosts: \
         {ghost_time:?} per frame (aim: 4 ms together)",
        joints.len()
    );
}

/// Samples poses at even times, and collects both ends of every bone.
fn collect_ghosts(clip: &Clip, pose: &mut Pose, lines: &mut Vec<Vertex>) -> usize {
    lines.clear();
    for index in 0..GHOST_COUNT {
        clip.sample(60.0 * f64::from(index) / f64::from(GHOST_COUNT), pose);
        for (to, node) in clip.nodes.with_ids() {
            let Some(from) = node.bone_from else { continue };
            let ends = [from, to].map(|id| &pose[id]).map(|node| {
                let position = node.world.translation.as_vec3().to_array();
                (position, [0.4, 0.5, 0.7, f32::from(u8::from(node.is_visible))])
            });
            lines.extend(ends);
        }
    }
    black_box(lines.len())
}

fn listing(_: &mut Criterion) {
    let file = FileContent::from(recording(Keyed::EveryFrame).encode());
    let clip = decode_clip(file.in_memory().unwrap());
    let listing_time = median(|| Listing::new(&clip, &file, &mutoscope_core::Registry::default()));
    let listing = Listing::new(&clip, &file, &mutoscope_core::Registry::default());
    let size = listing.size();
    let offsets: Vec<_> = (0..1000).map(|part| part * (size / 1000)).collect();
    let finding_time = median(|| {
        offsets.iter().map(|&at| listing.keys_in(&clip, at..at + 600).len()).sum::<usize>()
    });
    println!(
        "a listing of {size} bytes: {listing_time:?}; the keys of 600 bytes of it: {:?}\n",
        finding_time / 1000
    );
}

/// Compares placing the parts of a mannequin with sampling the pose that they follow.
fn mannequin(criterion: &mut Criterion) {
    let clip = decode_clip(include_bytes!("../../../assets/bvh/walk.bvh"));
    let creation = median(|| Mannequins::from_clip(&clip, 1.0));
    let mannequins = Mannequins::from_clip(&clip, 1.0);
    let mut pose = Pose::default();
    let mut time = 0.0;
    let mut sample = || {
        time = (time + 0.618) % clip.span.duration;
        clip.sample(time, &mut pose);
    };
    let sampling = median(&mut sample);
    criterion.bench_function("a pose of a walk", |bencher| bencher.iter(&mut sample));
    let place = || mannequins.parts.iter().filter_map(|part| part.transform(&pose)).count();
    assert_eq!(place(), mannequins.parts.len());
    let placing = median(place);
    criterion.bench_function("the places of a mannequin's parts", |bencher| bencher.iter(place));
    let triangles: usize = mannequins.parts.iter().map(|part| part.triangles.len() / 3).sum();
    println!(
        "a mannequin of {} parts and {triangles} triangles: created in {creation:?}, placed in {placing:?} per \
         frame; sampling the pose: {sampling:?}\n",
        mannequins.parts.len()
    );
}

criterion_group!(benches, trails, listing, mannequin);
criterion_main!(benches);
