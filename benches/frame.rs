//! A frame of the whole viewer by its parts, drawn into a texture of 1280×720 without a window: an hour of two
//! hands at random times, as scrubbing visits them, and a Minecraft player with what is around it.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{
    env, fs,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant},
};

use bevy::{
    app::{PanicHandlerPlugin, PluginsState, TerminalCtrlCHandlerPlugin},
    asset::AssetEventSystems,
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
    render::{
        Render, RenderApp, RenderPlugin, RenderSystems,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::{PipelineCache, PollType, TextureFormat},
        renderer::RenderDevice,
    },
    tasks::tick_global_task_pools_on_main_thread,
    transform::TransformSystems,
    winit::WinitPlugin,
};
use bevy_egui::{EguiPlugin, EguiPostUpdateSet};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope::{
    recording::{PlaybackClock, Recording, RecordingPlugin},
    session::{Command, CommandQueue, FileCommand, Jobs, SessionPlugin},
    stage::{PlayerSkin, StagePlugin},
    ui::UiPlugin,
};
use mutoscope_core::playback::TimeCommand;

/// As many keys as an hour at the 60 samples a second of a HoloLens has.
const KEYS: usize = 9_600_000;

const SIZE: (u32, u32) = (1280, 720);

/// How many frames the medians are of.
const FRAMES: usize = 300;

/// Frames that opening may take.
const PATIENCE: usize = 20_000;

/// The parts of a frame, in the order in which they run.
const PARTS: [(&str, &str); 7] = [
    ("stage", "poses are sampled; figures, lines, trails and the session follow"),
    ("panels", "laid out and tessellated"),
    ("culling", "what is in the picture is found"),
    ("extraction", "what is drawn is copied to the renderer"),
    ("upload", "buffers, textures and pipelines are prepared"),
    ("encoding", "draw calls are encoded and submitted; a driver in software draws meanwhile"),
    ("driver", "until the picture is there"),
];

/// The parts of the current frame so far, and when the last of them ended.
static PARTS_OF_FRAME: Mutex<(Vec<Duration>, Option<Instant>)> = Mutex::new((Vec::new(), None));

fn parts_of_frame() -> MutexGuard<'static, (Vec<Duration>, Option<Instant>)> {
    PARTS_OF_FRAME.lock().unwrap()
}

/// A part ends here.
fn end_part() {
    let (parts, last) = &mut *parts_of_frame();
    let now = Instant::now();
    parts.push(now - last.unwrap_or(now));
    *last = Some(now);
}

struct Viewer {
    app: App,
    seconds: f64,
}

impl Viewer {
    /// The viewer with the recording in this file.
    fn open(path: PathBuf) -> Self {
        let mut app = app();
        app.update();
        aim_cameras_at_texture(&mut app);
        app.world_mut()
            .resource_mut::<CommandQueue>()
            .0
            .push(Command::File(FileCommand::Open(vec![path])));
        let mut viewer = Self { app, seconds: 0.0 };
        viewer.wait();
        let world = viewer.app.world_mut();
        let recording = world.query::<&Recording>().single(world).unwrap();
        viewer.seconds = recording.clip().span.duration;
        viewer
    }

    /// Draws until the recording is open, checked, and all that draws it is ready.
    fn wait(&mut self) {
        for _ in 0..PATIENCE {
            self.draw();
            let world = self.app.world_mut();
            let is_open = world.query::<&Recording>().iter(world).next().is_some();
            let is_busy = world.resource::<Jobs>().running_count() > 0;
            let pipelines = self.app.sub_app(RenderApp).world().resource::<PipelineCache>();
            if is_open && !is_busy && pipelines.waiting_pipelines().count() == 0 {
                return;
            }
        }
        panic!("the recording was not opened");
    }

    /// Draws a frame at a random time; returns what each part of it took.
    fn frame(&mut self) -> Vec<Duration> {
        let time = fastrand::f64() * self.seconds;
        let world = self.app.world_mut();
        let mut clock = world.query::<&mut PlaybackClock>().single_mut(world).unwrap();
        clock.apply(TimeCommand::Seek(time), &[]);
        self.draw()
    }

    fn draw(&mut self) -> Vec<Duration> {
        *parts_of_frame() = (Vec::new(), Some(Instant::now()));
        self.app.update();
        let device = self.app.world().resource::<RenderDevice>();
        let all = PollType::Wait { submission_index: None, timeout: None };
        device.wgpu_device().poll(all).unwrap();
        end_part();
        std::mem::take(&mut parts_of_frame().0)
    }
}

fn app() -> App {
    let render_plugin = RenderPlugin { synchronous_pipeline_compilation: true, ..default() };
    let window = Window { resolution: SIZE.into(), ..default() };
    let plugins = DefaultPlugins
        .set(render_plugin)
        .set(WindowPlugin { primary_window: Some(window), ..default() })
        // One part after the other, or they could not be told apart.
        .disable::<PipelinedRenderingPlugin>()
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
        .disable::<PanicHandlerPlugin>()
        .disable::<TerminalCtrlCHandlerPlugin>();
    let mut app = App::new();
    app.add_plugins(plugins).add_plugins((
        EguiPlugin::default(),
        RecordingPlugin,
        StagePlugin,
        SessionPlugin::default(),
        UiPlugin,
    ));
    app.insert_resource(PlayerSkin::default());
    end_parts(&mut app);
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}

/// Adds the systems that end the parts of a frame.
fn end_parts(app: &mut App) {
    use EguiPostUpdateSet::{EndPass, PostProcessOutput};
    app.add_systems(
        PostUpdate,
        (
            end_part.after(TransformSystems::Propagate).before(EndPass),
            end_part.after(PostProcessOutput).before(AssetEventSystems),
        ),
    );
    app.add_systems(Last, end_part);
    app.sub_app_mut(RenderApp).add_systems(
        Render,
        (
            end_part.before(RenderSystems::ExtractCommands),
            end_part.after(RenderSystems::PrepareBindGroups).before(RenderSystems::Render),
            end_part.after(RenderSystems::Render).before(RenderSystems::Cleanup),
        ),
    );
}

/// Draws all cameras into one texture, as into a window.
fn aim_cameras_at_texture(app: &mut App) {
    let texture = Image::new_target_texture(SIZE.0, SIZE.1, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(texture);
    let world = app.world_mut();
    let cameras: Vec<_> = world.query_filtered::<Entity, With<Camera>>().iter(world).collect();
    for camera in cameras {
        world.entity_mut(camera).insert(RenderTarget::from(target.clone()));
    }
}

/// Prints the median of each part.
fn print_parts(name: &str, viewer: &mut Viewer) {
    let frames: Vec<_> = (0..FRAMES).map(|_| viewer.frame()).collect();
    println!("{name}, medians of {FRAMES} frames");
    for (index, (part, what)) in PARTS.iter().enumerate() {
        let mut took: Vec<_> = frames.iter().map(|parts| parts[index]).collect();
        took.sort();
        let (median, worst) = (took[FRAMES / 2], took[FRAMES * 99 / 100]);
        println!("  {part:<11} {median:>10.1?}  (99 of 100: {worst:.1?}): {what}");
    }
    println!();
}

fn bench(criterion: &mut Criterion) {
    fastrand::seed(4);
    let hour = env::temp_dir().join(format!("mutoscope-frame-{}.bin", std::process::id()));
    fs::write(&hour, mutoscope_testing::long_mrtk::recording(KEYS).encode()).unwrap();
    let day = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/mcmocap/a-day.mcmocap_rec");
    for (name, path) in [("an hour of two hands", hour.clone()), ("a day of a player", day)] {
        let mut viewer = Viewer::open(path);
        let mut group = criterion.benchmark_group("frame");
        group.sample_size(20).measurement_time(Duration::from_secs(5));
        group.bench_function(BenchmarkId::new("all of it", name), |bencher| {
            bencher.iter(|| viewer.frame());
        });
        group.finish();
        print_parts(name, &mut viewer);
    }
    fs::remove_file(hour).unwrap();
}

criterion_group!(benches, bench);
criterion_main!(benches);
