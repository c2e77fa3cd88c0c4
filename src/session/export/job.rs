//! Exports recordings and videos in the background.

use std::{
    io,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use bevy::prelude::*;
#[cfg(not(target_family = "wasm"))]
use bevy::tasks::block_on;

use super::{VideoCamera, page, video};
use crate::{
    capture::{BurnIn, CaptureError},
    footage::FootageError,
    session::{
        files::{FileFailure, Files, OpenRecordings, display_name, display_output_path},
        jobs::{Job, Jobs},
        view::{SavedFootage, WindowRequest},
    },
};
use bevy_mutoscope::stage::{CameraPose, PlayerSkin, RecordingSnapshot, StageScreen, View};
use mutoscope_core::{
    ReadOptions,
    clip::Clip,
    export::{
        Cancelled, ExportError, ExportOptions, ExportTarget, MotionOptions, OptionValue, Progress,
        Report, TargetSettings, write_file,
    },
    measure::Measurement,
    read,
};

/// A request to export recordings.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportRequest {
    /// The target format.
    pub target: &'static ExportTarget,
    /// The path of the output file.
    pub path: PathBuf,
    /// The exported range of the clock, in seconds. `None` exports everything.
    pub range: Option<(f64, f64)>,
    /// The sampling rate in Hz. `None` keeps the recording's own keys, or uses the default rate of
    /// a video format.
    pub rate: Option<f64>,
    /// The options that change the motion.
    pub motion: MotionOptions,
    /// The quantities that are written as signals.
    pub measurements: Vec<Measurement>,
    /// The options that only some targets have.
    pub settings: TargetSettings,
    /// The file of the skeleton, for a target that needs one.
    pub skeleton: Option<PathBuf>,
    /// The width and the height of a video, in pixels.
    pub size: [u32; 2],
    /// The camera of a video.
    pub camera: VideoCamera,
    /// The text that is drawn into the images of a video.
    pub burn_in: BurnIn,
    /// Is `true` if an MP4 gets the sound of the reference video.
    pub sound: bool,
    /// Is `true` if existing files may be replaced without asking the user.
    pub replaces: bool,
}

/// The running export, and the result of the last one.
#[derive(Resource, Debug, Default)]
pub struct Exports {
    job: Job<PathBuf, Result<Report, ExportFailure>>,
    started: Option<Instant>,
    /// Is `true` if the window closes once the cancelled export has removed its partial file.
    closes_window: bool,
    /// The skeleton that the user chose for exports that need one.
    pub skeleton: Option<PathBuf>,
    /// The output file that the user chose in a dialog.
    pub chosen_output: Option<PathBuf>,
    /// The result of the last export, until it is dismissed.
    pub last: Option<Exported>,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The path of the output file.
    pub path: PathBuf,
    /// The report, or why the export failed.
    pub result: Result<Report, String>,
}

impl Exports {
    /// Returns the path of the running export and its progress from 0 to 1.
    pub fn running(&self) -> Option<(&Path, f32)> {
        let part = self.job.progress()?.fraction().unwrap_or_default();
        Some((self.job.key()?, part))
    }

    /// Returns the estimated time until the running export ends. `None` in the first moments, when an
    /// estimate would be wrong, and in a browser.
    pub fn time_left(&self) -> Option<Duration> {
        const MIN_ELAPSED: Duration = Duration::from_secs(1);
        let (_, part) = self.running()?;
        let elapsed = self.started?.elapsed();
        let is_known = elapsed > MIN_ELAPSED && part > 0.01;
        is_known.then(|| elapsed.mul_f32((1.0 - part).max(0.0) / part))
    }

    pub(super) fn start(&mut self, request: ExportRequest, scene: ExportScene, jobs: &Jobs) {
        if self.job.is_running() {
            return;
        }
        self.last = None;
        self.started = cfg!(not(target_family = "wasm")).then(Instant::now);
        let path = request.path.clone();
        #[cfg(target_family = "wasm")]
        self.job.start_here(jobs, path, async move |progress| {
            write(&request, scene, &mut progress.watch_work()).await
        });
        // Use a separate thread, because exports take long and the video renderer blocks. In the
        // task pool, they would delay other jobs.
        #[cfg(not(target_family = "wasm"))]
        if let Err(error) = self.job.start_on_thread(jobs, path.clone(), move |progress| {
            block_on(write(&request, scene, &mut progress.watch_work()))
        }) {
            self.last = Some(Exported { path, result: Err(error.to_string()) });
        }
    }

    pub(super) fn reject(&mut self, path: PathBuf, why: String) {
        self.last = Some(Exported { path, result: Err(why) });
    }

    pub(super) fn cancel(&self) {
        if let Some(progress) = self.job.progress() {
            progress.cancel();
        }
    }
}

/// Cancels the running export, and closes the window when its partial file has been removed.
/// Returns `false` if no export is running.
pub(in crate::session) fn close_window_after_export(mut exports: ResMut<Exports>) -> bool {
    let is_running = exports.job.is_running();
    exports.cancel();
    exports.closes_window = is_running;
    is_running
}

pub(super) fn finish_export(
    mut exports: ResMut<Exports>,
    mut files: ResMut<Files>,
    mut window: MessageWriter<WindowRequest>,
) {
    let Some((path, result)) = exports.bypass_change_detection().job.poll() else { return };
    if std::mem::take(&mut exports.closes_window) {
        window.write(WindowRequest::Close);
    }
    let result = match result {
        Err(crashed) => Err(crashed.to_string()),
        // The user cancelled the export, so there is nothing to report.
        Ok(Err(ExportFailure::Cancelled(_))) => return,
        Ok(result) => result.map_err(|error| error.to_string()),
    };
    match &result {
        Ok(_) => {
            files.notify_written(format!("Wrote {}", display_output_path(&path)), path.clone())
        }
        Err(message) => {
            let name = display_name(&path);
            files.write_failure = Some(FileFailure { name, message: message.clone() });
        }
    }
    exports.last = Some(Exported { path, result });
}

#[derive(Clone, Debug)]
pub(super) struct ExportScene {
    pub(super) clip: Arc<Clip>,
    /// The file of the clip and the options with which it was read, to read its other animations.
    pub(super) origin: (read::Source, ReadOptions),
    pub(super) snapshots: Vec<RecordingSnapshot>,
    pub(super) entities: Vec<Entity>,
    pub(super) names: Vec<String>,
    pub(super) view: View,
    pub(super) camera: CameraPose,
    /// The clock time of the view, in seconds.
    pub(super) time: f64,
    pub(super) player_skin: PlayerSkin,
    pub(super) footage: Option<SavedFootage>,
}

impl ExportScene {
    pub(super) fn capture(
        open: &OpenRecordings,
        view: &View,
        screen: &StageScreen,
        player_skin: &PlayerSkin,
        footage: Option<SavedFootage>,
    ) -> Option<Self> {
        let focused = open.focused(view)?;
        let asset = focused.recording.asset();
        let origin = (focused.source.to_read_source(), asset.options.clone());
        let recorded = asset.clip.clone();
        let (snapshots, entities) = open.snapshots();
        let source = |entity: &Entity| open.get(*entity).map(|recording| recording.source.name());
        let names = entities.iter().map(|entity| source(entity).map(file_stem).unwrap_or_default());
        Some(Self {
            clip: recorded,
            origin,
            snapshots,
            names: names.collect(),
            entities,
            view: view.clone(),
            camera: screen.camera_pose,
            time: open.clock()?.time(),
            player_skin: player_skin.clone(),
            footage,
        })
    }

    /// Returns the name of the recording's file without its extension.
    fn source_name(&self) -> String {
        match &self.origin.0 {
            read::Source::Stdin => "recording".to_owned(),
            source => file_stem(source.file_name()),
        }
    }

    fn open_other_animations(&self) -> Result<Vec<Arc<Clip>>, ExportFailure> {
        let (source, options) = &self.origin;
        let options = ReadOptions { with_model: true, ..options.clone() };
        Ok(read::open_other_animations(source, &options, &self.clip)?)
    }
}

fn file_stem(name: String) -> String {
    match Path::new(&name).file_stem() {
        Some(stem) => stem.to_string_lossy().into_owned(),
        None => name,
    }
}

impl ExportRequest {
    /// Creates a request to export everything with the default options, unless files would be
    /// replaced.
    pub fn new(target: &'static ExportTarget, path: PathBuf) -> Self {
        Self {
            target,
            path,
            range: None,
            rate: None,
            motion: MotionOptions::default(),
            measurements: Vec::new(),
            settings: TargetSettings::default(),
            skeleton: None,
            size: [1280, 720],
            camera: VideoCamera::default(),
            burn_in: BurnIn::default(),
            sound: true,
            replaces: false,
        }
    }

    /// Returns the options of the target. Reads the skeleton, if the target needs one.
    pub(super) fn export_options(
        &self,
        title: String,
        range: Option<RangeInclusive<f64>>,
    ) -> Result<ExportOptions, ExportFailure> {
        let mut settings = self.settings.clone();
        if let (Some(option), Some(path)) = (self.target.skeleton_option(), &self.skeleton) {
            let bytes = read::Source::File(path.clone())
                .read()
                .map_err(|why| ExportFailure::Skeleton { path: path.display().to_string(), why })?;
            settings.set(option, Some(OptionValue::File(bytes.into())));
        }
        let (rate, motion) = (self.rate, self.motion.clone());
        let measurements = self.measurements.clone();
        let takes = Vec::new(); // `write` adds them, because it knows the recording.
        Ok(ExportOptions { title, range, rate, motion, measurements, settings, takes })
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ExportFailure {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Recording(ExportError),
    #[error(transparent)]
    Capture(#[from] CaptureError),
    #[error("the sound of the reference video: {0}")]
    Sound(#[from] FootageError),
    #[error("cannot read {path}: {why}")]
    Skeleton { path: String, why: io::Error },
    #[error("another animation of the file: {0}")]
    Animation(#[from] read::ReadError),
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
}

impl From<ExportError> for ExportFailure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Cancelled(cancelled) => cancelled.into(),
            other => Self::Recording(other),
        }
    }
}

async fn write(
    request: &ExportRequest,
    scene: ExportScene,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportFailure> {
    if let Some(bounds) = mutoscope_player::bounds_for_target(request.target) {
        return page::write(request, bounds, &scene, progress);
    }
    match request.target.video_format() {
        None => {
            let title = scene.source_name();
            let range = request.range.map(|(from, to)| from..=to);
            let mut options = request.export_options(title, range)?;
            if request.target.wants_takes(&options.settings) {
                options.takes = scene.open_other_animations()?;
            }
            Ok(write_file(request.target, &scene.clip, &options, &request.path, progress)?)
        }
        Some(format) => {
            video::write(request, format, scene, progress).await.map(|()| Report::default())
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use bevy_mutoscope::ClipAsset;
    use mutoscope_core::decode;

    pub(in crate::session::export) fn scene() -> ExportScene {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let clip = Arc::new(decode(bytes, &ReadOptions::from(crate::registry())).unwrap());
        let asset = ClipAsset::new(Clip::clone(&clip));
        ExportScene {
            snapshots: vec![RecordingSnapshot::new(asset)],
            clip,
            origin: (read::Source::Stdin, ReadOptions::default()),
            entities: vec![Entity::PLACEHOLDER],
            names: vec!["two-hands".to_owned()],
            view: View::default(),
            camera: CameraPose::default(),
            time: 0.0,
            player_skin: PlayerSkin::default(),
            footage: None,
        }
    }
}
