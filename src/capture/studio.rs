//! The stage without a window: poses in, images out.

use std::{
    ops::RangeInclusive,
    sync::{Arc, Mutex, PoisonError},
};

use bevy::{
    app::PanicHandlerPlugin,
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
    render::{
        RenderApp, RenderPlugin,
        render_resource::{PipelineCache, PollType, TextureFormat, TextureUsages},
        renderer::RenderDevice,
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    tasks::block_on,
    window::ExitCondition,
    winit::WinitPlugin,
};
#[cfg(not(target_family = "wasm"))]
use bevy::{
    app::{PluginsState, TerminalCtrlCHandlerPlugin},
    render::pipelined_rendering::PipelinedRenderingPlugin,
    tasks::tick_global_task_pools_on_main_thread,
};
use image::RgbaImage;

#[cfg(target_family = "wasm")]
use crate::{browser::next_turn, stage::Patience};

use super::{CaptureError, renderer};
use crate::{
    asset::ClipAsset,
    recording::{PlaybackClock, Recording, RecordingPlugin, RecordingSnapshot},
    stage::{CameraPose, CameraRequest, PlayerSkin, StageCamera, StagePlugin, View},
};
use mutoscope_core::{
    clip::Span,
    playback::{Clock, TimeCommand},
};

/// How many frames an image may take: pipelines and shaders are made in the first ones.
const PATIENCE: usize = 400;

/// A stage without a window, and a camera that renders images of it.
///
/// Preparing it takes a second or so, every image much less: render many with one.
pub struct Studio {
    app: App,
    taken: Arc<Mutex<Option<RgbaImage>>>,
    target: Handle<Image>,
    clock: Entity,
    #[cfg(target_family = "wasm")]
    patience: Patience,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Studio {
    /// Prepares images of `size`: width and height in pixels.
    ///
    /// # Errors
    /// If there is no driver to draw with, or none for images this large.
    pub fn new(size: [u32; 2]) -> Result<Self, CaptureError> {
        let mut app = app(renderer::create()?);
        let most = app.world().resource::<RenderDevice>().limits().max_texture_dimension_2d;
        let [width, height] = size.map(|side| side.max(1));
        if width.max(height) > most {
            return Err(CaptureError::TooLarge(width, height, most));
        }
        let mut target =
            Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        let clock = app.world_mut().spawn(PlaybackClock::default()).id();
        let mut studio = Self {
            app,
            taken: Arc::default(),
            target,
            clock,
            #[cfg(target_family = "wasm")]
            patience: Patience::default(),
        };
        studio.update_undrawn();
        studio.aim_camera_at_target();
        Ok(studio)
    }

    /// Shows a recording in place of those before.
    pub fn open(&mut self, recording: ClipAsset) {
        self.open_all(vec![RecordingSnapshot::new(recording)]);
    }

    /// Shows recordings in place of those before; the first is the reference, whose times are those
    /// of images. Returns their entities, in the same order.
    pub fn open_all(&mut self, recordings: Vec<RecordingSnapshot>) -> Vec<Entity> {
        let world = self.app.world_mut();
        let mut before = world.query_filtered::<Entity, With<Recording>>();
        for entity in before.iter(world).collect::<Vec<_>>() {
            world.despawn(entity);
        }
        let span = recordings.first().map_or(Span::default(), |first| first.asset.clip.span);
        world.entity_mut(self.clock).insert(PlaybackClock(Clock::new(span)));
        let entities = RecordingSnapshot::spawn_all(recordings, self.clock, world);
        // The shape of the image is known to the camera only after a frame.
        self.update_undrawn();
        self.update_undrawn();
        entities
    }

    /// Moves the camera there; `None` moves it to where the viewer first shows a recording from.
    pub fn aim(&mut self, from: Option<CameraPose>) {
        let all = CameraRequest::FrameAll { at_once: true };
        let request = from.map_or(all, CameraRequest::LookFrom);
        self.app.world_mut().write_message(request);
    }

    /// Moves the camera to where the viewer first shows a recording from, so that what moves between
    /// `times`, in seconds, fills most of the image; all of it, if the camera follows it.
    pub fn frame(&mut self, times: RangeInclusive<f64>) {
        let (from, to) = times.into_inner();
        self.seek(from);
        self.app.world_mut().write_message(CameraRequest::FrameTimes { from, to });
    }

    /// Takes the camera to where it is at `time`, in seconds: from there it follows what it is set
    /// to follow.
    pub fn aim_at(&mut self, from: CameraPose, time: f64) {
        self.seek(time);
        self.aim(Some(from));
        self.update_undrawn();
    }

    /// Sets the skins of Minecraft players, for recordings that are opened from now on.
    pub fn dress(&mut self, player_skin: PlayerSkin) {
        self.app.insert_resource(player_skin);
    }

    /// The settings of what is shown of the recording.
    pub fn view_mut(&mut self) -> Mut<'_, View> {
        self.app.world_mut().resource_mut::<View>()
    }

    /// An image of the recording at `time`, in seconds. In a browser, which may not wait, use
    /// [`Self::picture_between_frames`].
    ///
    /// # Errors
    /// If the driver does not deliver one.
    pub fn picture(&mut self, time: f64) -> Result<RgbaImage, CaptureError> {
        block_on(self.picture_between_frames(time))
    }

    /// The same. In a browser it lets the page draw on.
    ///
    /// # Errors
    /// If the driver does not deliver one.
    pub async fn picture_between_frames(&mut self, time: f64) -> Result<RgbaImage, CaptureError> {
        self.seek(time);
        self.draw_until_ready().await?;
        self.order_screenshot();
        self.update();
        for _ in 0..PATIENCE {
            next_turn().await;
            let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(picture) = taken {
                return Ok(picture);
            }
            // It is drawn, and on its way.
            self.update_undrawn();
        }
        Err(CaptureError::NoPicture)
    }

    fn seek(&mut self, time: f64) {
        if let Some(mut clock) = self.app.world_mut().get_mut::<PlaybackClock>(self.clock) {
            clock.apply(TimeCommand::Seek(time), &[]);
        }
    }

    /// Draws frames until nothing is missing from them.
    #[cfg(not(target_family = "wasm"))]
    async fn draw_until_ready(&mut self) -> Result<(), CaptureError> {
        for _ in 0..PATIENCE {
            self.update();
            if self.missing_pipelines() == 0 {
                return Ok(());
            }
        }
        Err(CaptureError::NoPicture)
    }

    /// Draws frames until nothing is missing from them that still arrives: some shaders that the engine
    /// asks for never do in a browser, and nothing that is seen needs them.
    #[cfg(target_family = "wasm")]
    async fn draw_until_ready(&mut self) -> Result<(), CaptureError> {
        loop {
            self.update();
            next_turn().await;
            let now = self.app.world().resource::<Time<Real>>().elapsed_secs_f64();
            if !self.patience.waits(self.missing_pipelines(), now) {
                return Ok(());
            }
        }
    }

    /// How many pipelines wait for shaders.
    fn missing_pipelines(&self) -> usize {
        let pipelines = self.app.sub_app(RenderApp).world().resource::<PipelineCache>();
        pipelines.waiting_pipelines().count()
    }

    fn order_screenshot(&mut self) {
        let taken = Arc::clone(&self.taken);
        let keep = move |captured: On<ScreenshotCaptured>| {
            let picture = captured.image.clone().try_into_dynamic().ok();
            *taken.lock().unwrap_or_else(PoisonError::into_inner) = picture.map(|p| p.into_rgba8());
        };
        self.app.world_mut().spawn(Screenshot::image(self.target.clone())).observe(keep);
    }

    /// A frame in which everything happens but drawing: in software, drawing is what takes time. In a browser it is
    /// drawn all the same, as an image there may be taken only some drawn frames after it was ordered.
    fn update_undrawn(&mut self) {
        self.draw(cfg!(target_family = "wasm"));
        self.update();
        self.draw(true);
    }

    fn draw(&mut self, draws: bool) {
        let world = self.app.world_mut();
        let mut cameras = world.query_filtered::<&mut Camera, With<StageCamera>>();
        for mut camera in cameras.iter_mut(world) {
            camera.is_active = draws;
        }
    }

    /// Draws a frame, and waits for the driver.
    fn update(&mut self) {
        self.app.update();
        let device = self.app.world().resource::<RenderDevice>();
        // A lost driver shows in the image that never arrives.
        let _ = device.wgpu_device().poll(PollType::Wait { submission_index: None, timeout: None });
    }

    fn aim_camera_at_target(&mut self) {
        let world = self.app.world_mut();
        let target = RenderTarget::from(self.target.clone());
        let mut cameras = world.query_filtered::<Entity, With<StageCamera>>();
        let cameras: Vec<_> = cameras.iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(target.clone());
        }
    }
}

/// On the desktop nothing else waits for its turn.
#[cfg(not(target_family = "wasm"))]
async fn next_turn() {}

/// Bevy with a stage, without a window, a log, and any other input or output.
fn app(renderer: bevy::render::settings::RenderCreation) -> App {
    let render_plugin = RenderPlugin {
        render_creation: renderer,
        synchronous_pipeline_compilation: true,
        ..default()
    };
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let plugins = DefaultPlugins
        .set(render_plugin)
        .set(no_window)
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
        .disable::<PanicHandlerPlugin>();
    // An image is drawn when `update` returns, not while the next one is prepared.
    #[cfg(not(target_family = "wasm"))]
    let plugins =
        plugins.disable::<TerminalCtrlCHandlerPlugin>().disable::<PipelinedRenderingPlugin>();
    let mut app = App::new();
    app.add_plugins((plugins, RecordingPlugin, StagePlugin));
    // The renderer of a page is ready.
    #[cfg(not(target_family = "wasm"))]
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}
