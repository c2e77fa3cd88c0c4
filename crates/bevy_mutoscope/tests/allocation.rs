//! Measures the memory of players, and checks that playback allocates none per frame.

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
static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);

struct CountingAllocator;

// SAFETY: all calls are passed on to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        LIVE_BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const FRAME_COUNT: usize = 20;

struct Usage {
    /// The number of allocations in [`FRAME_COUNT`] frames.
    allocations: usize,
    /// The memory that the players use, in bytes.
    bytes: usize,
}

/// Measures an app with this many players of one recording of two hands.
fn measure_players(players: usize, with_joints: bool) -> Usage {
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
    let handle = app.world_mut().resource_mut::<Assets<ClipAsset>>().add(asset);
    app.update();
    let bytes_before = LIVE_BYTES.load(Ordering::Relaxed);
    for _ in 0..players {
        let mut player = app.world_mut().spawn(RecordingPlayer(handle.clone()));
        if with_joints {
            player.insert(SpawnJoints);
        }
    }
    // All keys are passed once, so that every buffer has its final size.
    (0..600).for_each(|_| app.update());
    let bytes = LIVE_BYTES.load(Ordering::Relaxed) - bytes_before;
    let count_before = COUNT.load(Ordering::Relaxed);
    (0..FRAME_COUNT).for_each(|_| app.update());
    Usage { allocations: COUNT.load(Ordering::Relaxed) - count_before, bytes }
}

/// The engine itself allocates in each frame, including when it propagates the transforms of
/// joints. This test therefore leaves the propagation out. Recordings must add nothing.
#[test]
fn players_share_their_clip_and_allocate_nothing_per_frame() {
    const PLAYERS: usize = 128;
    for (with_joints, max_bytes) in [(false, 20_000), (true, 60_000)] {
        let [one, many] = [1, PLAYERS].map(|players| measure_players(players, with_joints));
        // The engine grows a buffer of its own now and then.
        let [allocations, max] = [many.allocations, one.allocations + FRAME_COUNT];
        assert!(allocations < max, "with joints {with_joints}: {allocations} {max}");
        let bytes = (many.bytes - one.bytes) / (PLAYERS - 1);
        println!("a player uses {bytes} bytes, with joints {with_joints}");
        assert!(bytes < max_bytes, "with joints {with_joints}: {bytes}");
    }
}
