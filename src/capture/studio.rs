//! Renders the stage without a window.

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
use crate::browser::yield_to_browser;
#[cfg(target_family = "wasm")]
use bevy_mutoscope::stage::ShaderWait;

use super::{CaptureError, renderer};
use bevy_mutoscope::{
    ClipAsset, PlaybackClock, Recording, RecordingPlugin,
    stage::{
        CameraPose, CameraRequest, PlayerSkin, RecordingSnapshot, StageCamera, StagePlugin, View,
    },
};
use mutoscope_core::{
    clip::Span,
    playback::{Clock, TimeCommand},
};

/// The maximum number of frames for an image. Many frames are needed if pipelines and shaders are
/// still being created.
const MAX_FRAMES_PER_IMAGE: usize = 400;

/// A stage without a window, with a camera that renders images of it.
///
/// Creating a studio takes about a second, and each image much less. Render many images with one
/// studio.
pub struct Studio {
    app: App,
    captured_image: Arc<Mutex<Option<RgbaImage>>>,
    target: Handle<Image>,
    clock: Entity,
    #[cfg(target_family = "wasm")]
    shader_wait: ShaderWait,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Studio {
    /// Creates a studio for images of `size`: width and height in pixels.
    ///
    /// # Errors
    /// If there is no graphics driver, or if it does not support images of this size.
    pub fn new(size: [u32; 2]) -> Result<Self, CaptureError> {
        let mut app = build_app(renderer::create_renderer()?);
        let max_side = app.world().resource::<RenderDevice>().limits().max_texture_dimension_2d;
        let [width, height] = size.map(|side| side.max(1));
        if width.max(height) > max_side {
            return Err(CaptureError::TooLarge(width, height, max_side));
        }
        let mut target =
            Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        let clock = app.world_mut().spawn(PlaybackClock::default()).id();
        let mut studio = Self {
            app,
            captured_image: Arc::default(),
            target,
            clock,
            #[cfg(target_family = "wasm")]
            shader_wait: ShaderWait::default(),
        };
        studio.update_undrawn();
        studio.set_camera_target();
        Ok(studio)
    }

    /// Replaces all recordings by `recording`.
    pub fn open(&mut self, recording: ClipAsset) {
        self.open_all(vec![RecordingSnapshot::new(recording)]);
    }

    /// Replaces all recordings by `recordings`. The first is the reference: the times of images are
    /// times of its clip. Returns the entities in the same order.
    pub fn open_all(&mut self, recordings: Vec<RecordingSnapshot>) -> Vec<Entity> {
        let world = self.app.world_mut();
        let mut before = world.query_filtered::<Entity, With<Recording>>();
        for entity in before.iter(world).collect::<Vec<_>>() {
            world.despawn(entity);
        }
        let span = recordings.first().map_or(Span::default(), |first| first.asset.clip.span);
        world.entity_mut(self.clock).insert(PlaybackClock(Clock::new(span)));
        let entities = RecordingSnapshot::spawn_all(recordings, self.clock, world);
        // The camera learns the aspect ratio of the image only after a frame.
        self.update_undrawn();
        self.update_undrawn();
        entities
    }

    /// Moves the camera to `from`. `None` moves it to the viewer's initial camera position for the
    /// recording.
    pub fn aim_camera(&mut self, from: Option<CameraPose>) {
        let all = CameraRequest::FrameAll { at_once: true };
        let request = from.map_or(all, CameraRequest::LookFrom);
        self.app.world_mut().write_message(request);
    }

    /// Moves the camera so that everything that moves between `times`, in seconds, fills most of
    /// the image. If the camera follows a node and the times differ, it frames the motion around
    /// that node.
    pub fn frame_times(&mut self, times: RangeInclusive<f64>) {
        let (from, to) = times.into_inner();
        self.seek(from);
        self.app.world_mut().write_message(CameraRequest::FrameTimes { from, to });
    }

    /// Moves the camera to `from` at `time`, in seconds. If the camera follows a node, it keeps its
    /// position relative to that node at later times.
    pub fn aim_camera_from_time(&mut self, from: CameraPose, time: f64) {
        self.seek(time);
        self.aim_camera(Some(from));
        self.update_undrawn();
    }

    /// Sets the skins of Minecraft players. Affects recordings that are opened afterwards.
    pub fn set_player_skin(&mut self, player_skin: PlayerSkin) {
        self.app.insert_resource(player_skin);
    }

    /// Returns the view settings of the stage.
    pub fn view_mut(&mut self) -> Mut<'_, View> {
        self.app.world_mut().resource_mut::<View>()
    }

    /// Renders an image of the recordings at `time`, in seconds. Code in a browser must not block,
    /// so use [`Self::render_image_async`] there.
    ///
    /// # Errors
    /// If the driver does not deliver an image.
    pub fn render_image(&mut self, time: f64) -> Result<RgbaImage, CaptureError> {
        block_on(self.render_image_async(time))
    }

    /// Renders an image of the recordings at `time`, in seconds. In a browser, the page can draw
    /// while this function waits.
    ///
    /// # Errors
    /// If the driver does not deliver an image.
    pub async fn render_image_async(&mut self, time: f64) -> Result<RgbaImage, CaptureError> {
        self.seek(time);
        self.draw_until_ready().await?;
        self.request_screenshot();
        self.update_and_wait();
        for _ in 0..MAX_FRAMES_PER_IMAGE {
            yield_to_browser().await;
            let captured_image =
                self.captured_image.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(picture) = captured_image {
                return Ok(picture);
            }
            // The image is drawn, but the driver has not delivered it yet.
            self.update_undrawn();
        }
        Err(CaptureError::ImageNotDelivered)
    }

    fn seek(&mut self, time: f64) {
        if let Some(mut clock) = self.app.world_mut().get_mut::<PlaybackClock>(self.clock) {
            clock.0.apply(TimeCommand::Seek(time), &[]);
        }
    }

    #[cfg(not(target_family = "wasm"))]
    async fn draw_until_ready(&mut self) -> Result<(), CaptureError> {
        for _ in 0..MAX_FRAMES_PER_IMAGE {
            self.update_and_wait();
            if self.waiting_pipeline_count() == 0 {
                return Ok(());
            }
        }
        Err(CaptureError::ImageNotDelivered)
    }

    /// Draws frames until the shaders are ready. In a browser, some shaders that Bevy requests
    /// never become ready. No visible object needs them, so the wait ends after a timeout.
    #[cfg(target_family = "wasm")]
    async fn draw_until_ready(&mut self) -> Result<(), CaptureError> {
        loop {
            self.update_and_wait();
            yield_to_browser().await;
            let now = self.app.world().resource::<Time<Real>>().elapsed_secs_f64();
            if !self.shader_wait.should_wait(self.waiting_pipeline_count(), now) {
                return Ok(());
            }
        }
    }

    fn waiting_pipeline_count(&self) -> usize {
        let pipelines = self.app.sub_app(RenderApp).world().resource::<PipelineCache>();
        pipelines.waiting_pipelines().count()
    }

    fn request_screenshot(&mut self) {
        let captured_image = Arc::clone(&self.captured_image);
        let store_image = move |captured: On<ScreenshotCaptured>| {
            let picture = captured.image.clone().try_into_dynamic().ok();
            *captured_image.lock().unwrap_or_else(PoisonError::into_inner) =
                picture.map(|p| p.into_rgba8());
        };
        self.app.world_mut().spawn(Screenshot::image(self.target.clone())).observe(store_image);
    }

    /// Updates the app without drawing, because a software renderer spends most of its time on
    /// drawing. In a browser the app draws nevertheless, because a screenshot arrives there only
    /// after some more frames are drawn.
    fn update_undrawn(&mut self) {
        self.set_cameras_active(cfg!(target_family = "wasm"));
        self.update_and_wait();
        self.set_cameras_active(true);
    }

    fn set_cameras_active(&mut self, is_active: bool) {
        let world = self.app.world_mut();
        let mut cameras = world.query_filtered::<&mut Camera, With<StageCamera>>();
        for mut camera in cameras.iter_mut(world) {
            camera.is_active = is_active;
        }
    }

    fn update_and_wait(&mut self) {
        self.app.update();
        let device = self.app.world().resource::<RenderDevice>();
        // Ignore the error. If the driver is lost, no image arrives, and the caller returns an
        // error for that.
        let _ = device.wgpu_device().poll(PollType::Wait { submission_index: None, timeout: None });
    }

    fn set_camera_target(&mut self) {
        let world = self.app.world_mut();
        let target = RenderTarget::from(self.target.clone());
        let mut cameras = world.query_filtered::<Entity, With<StageCamera>>();
        let cameras: Vec<_> = cameras.iter(world).collect();
        for camera in cameras {
            world.entity_mut(camera).insert(target.clone());
        }
    }
}

/// Returns at once, because there is no browser on the desktop.
#[cfg(not(target_family = "wasm"))]
async fn yield_to_browser() {}

fn build_app(renderer: bevy::render::settings::RenderCreation) -> App {
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
    // Disable pipelined rendering, so that the image is drawn when `update` returns.
    #[cfg(not(target_family = "wasm"))]
    let plugins =
        plugins.disable::<TerminalCtrlCHandlerPlugin>().disable::<PipelinedRenderingPlugin>();
    let mut app = App::new();
    app.add_plugins((plugins, RecordingPlugin, StagePlugin::viewer()));
    // Wait for the plugins, because the renderer is initialised asynchronously. On a page, the
    // renderer is already initialised.
    #[cfg(not(target_family = "wasm"))]
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}
