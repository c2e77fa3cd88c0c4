//! Checks that playback allocates no memory per frame.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use bevy::{
    app::{TaskPoolOptions, TaskPoolThreadAssignmentPolicy as Threads},
    ecs::schedule::{ScheduleLabel as _, SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_mutoscope::prelude::*;
use mutoscope_core::{decode, formats::ReadOptions};

static COUNT: AtomicUsize = AtomicUsize::new(0);

struct CountingAllocator;

// SAFETY: all calls are passed on to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const FRAME_COUNT: usize = 20;

/// Returns the number of allocations in [`FRAME_COUNT`] frames with this many recordings of two hands.
fn count_allocations(recordings: usize, with_joints: bool) -> usize {
    let mut app = App::new();
    let one = Threads {
        min_threads: 1,
        max_threads: 1,
        percent: 1.0,
        ..TaskPoolOptions::default().compute
    };
    let pools = TaskPoolOptions { compute: one, max_total_threads: 1, ..default() };
    app.add_plugins(MinimalPlugins.set(TaskPoolPlugin { task_pool_options: pools }))
        .add_plugins((AssetPlugin::default(), RecordingPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    for schedule in
        [Update.intern(), PreUpdate.intern(), PostUpdate.intern(), First.intern(), Last.intern()]
    {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
    let hands = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/mrtk/two-hands.bin");
    let clip = decode(&std::fs::read(hands).unwrap(), &ReadOptions::default()).unwrap();
    let asset = ClipAsset::new(clip);
    for _ in 0..recordings {
        let clock = PlaybackClock::for_asset(&asset);
        let mut player = app.world_mut().spawn((Recording::new(asset.clone()), clock));
        if with_joints {
            player.insert(SpawnJoints);
        }
    }
    // All keys are passed once, so that every buffer has its final size.
    (0..600).for_each(|_| app.update());
    let before = COUNT.load(Ordering::Relaxed);
    (0..FRAME_COUNT).for_each(|_| app.update());
    COUNT.load(Ordering::Relaxed) - before
}

/// The engine itself allocates in each frame, also when it propagates the transforms of joints, which
/// this test therefore leaves out. Recordings must add nothing.
#[test]
fn recordings_allocate_nothing_per_frame() {
    for with_joints in [false, true] {
        let [one, hundred] = [1, 100].map(|count| count_allocations(count, with_joints));
        // The engine grows a buffer of its own now and then.
        assert!(hundred < one + FRAME_COUNT, "with joints {with_joints}: {one}, {hundred}");
    }
}
