//! Measures a frame of recordings on the stage, without drawing: the clock moves, poses are
//! sampled, and parts, bones and lines follow. The benchmark compares one recording with four on
//! one clock. Each is an hour of two hands, at random times as while scrubbing.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::time::Duration;

use bevy::{
    asset::AssetPlugin, gizmos::GizmoPlugin, input::InputPlugin,
    mesh::skinning::SkinnedMeshInverseBindposes, prelude::*, time::TimePlugin,
    transform::TransformPlugin,
};
use bevy_mutoscope::{
    ClipAsset, FollowsClock, PlaybackClock, Recording, RecordingPlugin,
    stage::{StagePlugin, Tint},
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope_core::{
    measure::compare::Timing,
    playback::{Clock, TimeCommand},
};

use mutoscope_testing::timing::{decode_clip, medians};

/// The number of keys of an hour at 60 samples per second, as a HoloLens records it.
const KEY_COUNT: usize = 9_600_000;

struct Stage {
    app: App,
    clock: Entity,
    seconds: f64,
}

impl Stage {
    fn new(asset: &ClipAsset, recordings: usize) -> Self {
        let mut app = App::new();
        app.add_plugins((
            (TaskPoolPlugin::default(), TimePlugin, TransformPlugin, InputPlugin),
            (AssetPlugin::default(), GizmoPlugin, RecordingPlugin, StagePlugin::viewer()),
        ));
        app.init_asset::<Mesh>().init_asset::<Image>();
        app.init_asset::<SkinnedMeshInverseBindposes>();
        app.finish();
        app.cleanup();
        let clock = PlaybackClock(Clock::new(asset.clip.span));
        let clock = app.world_mut().spawn(clock).id();
        for index in 0..recordings {
            let mut recording = Recording::new(asset.clone());
            recording.set_timing(Timing { offset: 0.5 * index as f64, rate: 1.0 });
            app.world_mut().spawn((recording, FollowsClock(clock), Tint::for_index(index)));
        }
        app.update();
        Self { app, clock, seconds: asset.clip.span.duration }
    }

    fn run_random_frame(&mut self) {
        let time = fastrand::f64() * self.seconds;
        let mut clock = self.app.world_mut().get_mut::<PlaybackClock>(self.clock).unwrap();
        clock.0.apply(TimeCommand::Seek(time), &[]);
        self.app.update();
    }
}

fn bench(criterion: &mut Criterion) {
    fastrand::seed(4);
    let asset =
        ClipAsset::new(decode_clip(&mutoscope_testing::long_mrtk::recording(KEY_COUNT).encode()));
    let mut stages = [1, 4].map(|count| (count, Stage::new(&asset, count)));
    let mut group = criterion.benchmark_group("stage");
    group.sample_size(30).measurement_time(Duration::from_secs(5));
    for (count, stage) in &mut stages {
        group.bench_function(BenchmarkId::new("hours of two hands", *count), |bencher| {
            bencher.iter(|| stage.run_random_frame());
        });
    }
    group.finish();
    let [(_, one), (_, four)] = &mut stages;
    let times = medians([&mut || one.run_random_frame(), &mut || four.run_random_frame()]);
    println!(
        "a frame of one recording {:?}, of four {:?}: {:.2} times as long (aim: 4, under 4 ms)\n",
        times[0],
        times[1],
        times[1].as_secs_f64() / times[0].as_secs_f64()
    );
}

criterion_group!(benches, bench);
criterion_main!(benches);
