//! Measures a frame of the whole viewer and each of its stages. The viewer draws into a texture of
//! 1280×720 without a window, at random times as while scrubbing. The recordings are an hour of two
//! hands, and a Minecraft player with its surroundings. Both are also drawn while they are exported.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]

use std::{
    fs,
    num::NonZero,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
    thread,
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
use bevy_mutoscope::{
    PlaybackClock, Recording, RecordingPlugin,
    stage::{PlayerSkin, StagePlugin},
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mutoscope::{
    session::{
        Command, CommandQueue, ExportCommand, ExportRequest, Exports, FileCommand, Jobs,
        SessionPlugin,
    },
    ui::UiPlugin,
};
use mutoscope_core::{io::parallel::set_thread_count, playback::TimeCommand};

/// The number of keys of an hour at 60 samples per second, as a HoloLens records it.
const KEY_COUNT: usize = 9_600_000;

const SIZE: (u32, u32) = (1280, 720);

const FRAME_COUNT: usize = 300;

/// The number of frames to wait until the recording is open.
const MAX_OPENING_FRAMES: usize = 20_000;

/// The stages of a frame in the order in which they run, each with a description.
const FRAME_STAGES: [(&str, &str); 7] = [
    ("stage", "sampling of poses, then figures, lines, trails and the session"),
    ("panels", "layout and tessellation"),
    ("culling", "search for visible objects"),
    ("extraction", "copy of visible objects to the renderer"),
    ("upload", "preparation of buffers, textures and pipelines"),
    ("encoding", "encoding and submission of draw calls; a software driver draws meanwhile"),
    ("driver", "wait for the GPU to finish the image"),
];

/// The index of the encoding in [`FRAME_STAGES`].
const ENCODING_STAGE: usize = 5;

/// The durations of the stages of the current frame so far, and the end of the last stage.
static STAGE_DURATIONS: Mutex<(Vec<Duration>, Option<Instant>)> = Mutex::new((Vec::new(), None));

fn stage_durations() -> MutexGuard<'static, (Vec<Duration>, Option<Instant>)> {
    STAGE_DURATIONS.lock().unwrap()
}

/// Ends a stage of the current frame. Systems with this function run between the stages.
fn end_stage() {
    let (durations, last) = &mut *stage_durations();
    let now = Instant::now();
    durations.push(now - last.unwrap_or(now));
    *last = Some(now);
}

struct Viewer {
    app: App,
    seconds: f64,
}

impl Viewer {
    /// Opens the recording at `path`.
    fn open(path: PathBuf) -> Self {
        let mut app = app();
        app.update();
        aim_cameras_at_texture(&mut app);
        app.world_mut()
            .resource_mut::<CommandQueue>()
            .0
            .push(Command::File(FileCommand::Open(vec![path])));
        let mut viewer = Self { app, seconds: 0.0 };
        viewer.wait_until_open();
        let world = viewer.app.world_mut();
        let recording = world.query::<&Recording>().single(world).unwrap();
        viewer.seconds = recording.clip().span.duration;
        viewer
    }

    /// Draws frames until the recording is open and checked, and all pipelines are ready.
    fn wait_until_open(&mut self) {
        for _ in 0..MAX_OPENING_FRAMES {
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

    /// Draws a frame at a random time. Returns the duration of each stage.
    fn draw_random_frame(&mut self) -> Vec<Duration> {
        let time = fastrand::f64() * self.seconds;
        let world = self.app.world_mut();
        let mut clock = world.query::<&mut PlaybackClock>().single_mut(world).unwrap();
        clock.0.apply(TimeCommand::Seek(time), &[]);
        self.draw()
    }

    /// Draws frames at random times until the recording is exported to `path`. Returns the durations
    /// of their stages.
    fn draw_during_export(&mut self, path: PathBuf) -> Vec<Vec<Duration>> {
        let target = mutoscope::targets().target_for_path(&path).unwrap();
        let request = ExportRequest::new(target, path);
        let command = Command::Export(ExportCommand::Start(Box::new(request)));
        self.app.world_mut().resource_mut::<CommandQueue>().0.push(command);
        let mut frames = Vec::new();
        loop {
            frames.push(self.draw_random_frame());
            let exports = self.app.world().resource::<Exports>();
            if let Some(exported) = &exports.last {
                exported.result.as_ref().unwrap();
                return frames;
            }
        }
    }

    fn draw(&mut self) -> Vec<Duration> {
        *stage_durations() = (Vec::new(), Some(Instant::now()));
        self.app.update();
        let device = self.app.world().resource::<RenderDevice>();
        let all = PollType::Wait { submission_index: None, timeout: None };
        device.wgpu_device().poll(all).unwrap();
        end_stage();
        std::mem::take(&mut stage_durations().0)
    }
}

fn app() -> App {
    let render_plugin = RenderPlugin { synchronous_pipeline_compilation: true, ..default() };
    let window = Window { resolution: SIZE.into(), ..default() };
    let plugins = DefaultPlugins
        .set(render_plugin)
        .set(WindowPlugin { primary_window: Some(window), ..default() })
        // Run the stages one after another, because they could not be measured separately if they
        // overlapped.
        .disable::<PipelinedRenderingPlugin>()
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
        .disable::<PanicHandlerPlugin>()
        .disable::<TerminalCtrlCHandlerPlugin>();
    let mut app = App::new();
    app.add_plugins(plugins).add_plugins((
        EguiPlugin::default(),
        RecordingPlugin,
        StagePlugin::viewer(),
        SessionPlugin::default(),
        UiPlugin,
    ));
    app.insert_resource(PlayerSkin::default());
    add_stage_ends(&mut app);
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}

/// Adds the systems that end the stages.
fn add_stage_ends(app: &mut App) {
    use EguiPostUpdateSet::{EndPass, PostProcessOutput};
    app.add_systems(
        PostUpdate,
        (
            end_stage.after(TransformSystems::Propagate).before(EndPass),
            end_stage.after(PostProcessOutput).before(AssetEventSystems),
        ),
    );
    app.add_systems(Last, end_stage);
    app.sub_app_mut(RenderApp).add_systems(
        Render,
        (
            end_stage.before(RenderSystems::ExtractCommands),
            end_stage.after(RenderSystems::PrepareBindGroups).before(RenderSystems::Render),
            end_stage.after(RenderSystems::Render).before(RenderSystems::Cleanup),
        ),
    );
}

/// Makes all cameras draw into one texture instead of a window.
fn aim_cameras_at_texture(app: &mut App) {
    let texture = Image::new_target_texture(SIZE.0, SIZE.1, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(texture);
    let world = app.world_mut();
    let cameras: Vec<_> = world.query_filtered::<Entity, With<Camera>>().iter(world).collect();
    for camera in cameras {
        world.entity_mut(camera).insert(RenderTarget::from(target.clone()));
    }
}

/// Prints the median and the 99th percentile of each stage, and of all stages before the drawing.
fn print_stages(name: &str, frames: &[Vec<Duration>]) {
    let print = |stage: &str, mut durations: Vec<Duration>, description: &str| {
        durations.sort();
        let (median, slow) = (durations[frames.len() / 2], durations[frames.len() * 99 / 100]);
        println!("  {stage:<11} {median:>10.1?}  (99 %: {slow:.1?}): {description}");
    };
    println!("{name}, medians of {} frames", frames.len());
    for (index, (stage, description)) in FRAME_STAGES.iter().enumerate() {
        print(stage, frames.iter().map(|stages| stages[index]).collect(), description);
    }
    let before_drawing =
        frames.iter().map(|stages| stages[..ENCODING_STAGE].iter().sum()).collect();
    print("together", before_drawing, "all stages before the encoding");
    println!();
}

fn bench(criterion: &mut Criterion) {
    fastrand::seed(4);
    // Leave a core to the frames while a recording is exported, as the viewer does.
    let cores = thread::available_parallelism().unwrap().get();
    set_thread_count(NonZero::new(cores - 1).unwrap_or(NonZero::<usize>::MIN));
    let folder = tempfile::tempdir().unwrap();
    let hour = folder.path().join("hour.bin");
    fs::write(&hour, mutoscope_testing::long_mrtk::recording(KEY_COUNT).encode()).unwrap();
    let day = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/mcmocap/a-day.mcmocap_rec");
    for (name, path) in [("an hour of two hands", hour), ("a day of a player", day)] {
        let mut viewer = Viewer::open(path);
        let mut group = criterion.benchmark_group("frame");
        group.sample_size(20).measurement_time(Duration::from_secs(5));
        group.bench_function(BenchmarkId::new("whole frame", name), |bencher| {
            bencher.iter(|| viewer.draw_random_frame());
        });
        group.finish();
        let frames: Vec<_> = (0..FRAME_COUNT).map(|_| viewer.draw_random_frame()).collect();
        print_stages(name, &frames);
        let frames = viewer.draw_during_export(folder.path().join("out.anim"));
        print_stages(&format!("{name}, while .anim is exported"), &frames);
        fs::remove_file(folder.path().join("out.anim")).unwrap();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
