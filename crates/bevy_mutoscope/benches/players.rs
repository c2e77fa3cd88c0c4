//! Measures a frame with recordings of two hands: their poses alone, with an entity for each joint,
//! and Bevy's own `AnimationPlayer` with keyframe curves of the same samples.

use std::{fs, path::Path, sync::Arc, time::Duration};

use bevy::{
    animation::{
        AnimatedBy, AnimationTargetId, animated_field, prelude::AnimatableCurve,
        prelude::AnimatableKeyframeCurve,
    },
    prelude::*,
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use bevy_mutoscope::{prelude::*, targets_by_path};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope_core::{
    clip::{Clip, Pose},
    decode,
    formats::ReadOptions,
};

fn two_hands() -> Arc<Clip> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/mrtk/two-hands.bin");
    let bytes = fs::read(path).expect("the sample is there");
    Arc::new(decode(&bytes, &ReadOptions::default()).expect("the sample is valid"))
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, AnimationPlugin))
        .add_plugins(RecordingPlugin)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.finish();
    app.cleanup();
    app
}

fn spawn_recordings(app: &mut App, clip: &Arc<Clip>, count: usize, with_joints: bool) {
    let asset = ClipAsset { clip: clip.clone(), ..ClipAsset::new(Clip::clone(clip)) };
    for _ in 0..count {
        let clock = PlaybackClock::for_asset(&asset);
        let mut player = app.world_mut().spawn((Recording::new(asset.clone()), clock));
        if with_joints {
            player.insert(SpawnJoints);
        }
    }
}

/// Converts the samples of a recording to Bevy's keyframe curves.
fn keyframes(clip: &Clip) -> AnimationClip {
    let mut samples = Vec::new();
    for time in clip.sample_times() {
        let mut pose = Pose::default();
        clip.sample(time, &mut pose);
        samples.push(((time - clip.span.start) as f32, pose));
    }
    let mut animation = AnimationClip::default();
    for (node, target) in targets_by_path(clip) {
        let local = |value: fn(&mutoscope_core::clip::Transform) -> Vec3| {
            samples.iter().map(move |(time, pose)| (*time, value(&pose[node].local)))
        };
        let translations = local(|local| local.translation.as_vec3());
        let scales = local(|local| local.scale.as_vec3());
        let rotations =
            samples.iter().map(|(time, pose)| (*time, pose[node].local.rotation.as_quat()));
        let field = animated_field!(Transform::translation);
        let curve = AnimatableKeyframeCurve::new(translations).expect("the times increase");
        animation.add_curve_to_target(target, AnimatableCurve::new(field, curve));
        let field = animated_field!(Transform::rotation);
        let curve = AnimatableKeyframeCurve::new(rotations).expect("the times increase");
        animation.add_curve_to_target(target, AnimatableCurve::new(field, curve));
        let field = animated_field!(Transform::scale);
        let curve = AnimatableKeyframeCurve::new(scales).expect("the times increase");
        animation.add_curve_to_target(target, AnimatableCurve::new(field, curve));
    }
    animation
}

fn spawn_bevy_players(app: &mut App, clip: &Clip, count: usize) {
    let animation = app.world_mut().resource_mut::<Assets<AnimationClip>>().add(keyframes(clip));
    let (graph, node) = AnimationGraph::from_clip(animation);
    let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
    let targets: Vec<(_, AnimationTargetId)> = targets_by_path(clip);
    for _ in 0..count {
        let mut player = AnimationPlayer::default();
        player.play(node).repeat();
        let place = (Transform::default(), Visibility::default());
        let player =
            app.world_mut().spawn((player, AnimationGraphHandle(graph.clone()), place)).id();
        let mut joints = Vec::new();
        for (_, target) in &targets {
            let place = (Transform::default(), Visibility::default());
            joints.push(app.world_mut().spawn((*target, AnimatedBy(player), place)).id());
        }
        for (id, node) in clip.nodes.with_ids() {
            let parent = node.parent.map_or(player, |parent| joints[parent.index()]);
            app.world_mut().entity_mut(joints[id.index()]).insert(ChildOf(parent));
        }
    }
}

fn measure_frames(criterion: &mut Criterion) {
    let clip = two_hands();
    let mut group = criterion.benchmark_group("frame");
    let mut measure = |name: &str, count: usize, mut app: App| {
        // Bevy prepares a new graph in the first frames.
        (0..10).for_each(|_| app.update());
        group
            .bench_function(BenchmarkId::new(name, count), |bencher| bencher.iter(|| app.update()));
    };
    measure("empty", 0, app());
    for count in [1, 10, 100] {
        for (name, with_joints) in [("poses", false), ("joints", true)] {
            let mut app = app();
            spawn_recordings(&mut app, &clip, count, with_joints);
            measure(name, count, app);
        }
        let mut app = app();
        spawn_bevy_players(&mut app, &clip, count);
        measure("animation_player", count, app);
    }
}

criterion_group!(benches, measure_frames);
criterion_main!(benches);
