//! Exporting recordings and videos in the background.

mod page;
mod video;

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;
#[cfg(any(test, not(target_family = "wasm")))]
use bevy::tasks::block_on;

use crate::session::{Job, Jobs, OpenFootage, Progress, SavedFootage, files::open::OpenRecordings};

use crate::{
    capture::{BurnIn, CaptureError},
    footage::FootageError,
    recording::RecordingSnapshot,
    stage::{CameraPose, PlayerSkin, StageScreen, View},
};
use mutoscope_core::{
    clip::Clip,
    export::{ExportError, ExportOptions, ExportTarget, Report, write_file},
};

/// The request of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOrder {
    /// The target.
    pub target: &'static ExportTarget,
    /// The path.
    pub path: PathBuf,
    /// The range, in seconds; `None` for all of it.
    pub range: Option<(f64, f64)>,
    /// How many times a second; nothing for the recording's own keys, or as is usual for videos.
    pub rate: Option<f64>,
    /// Width and height of a video, in pixels.
    pub size: [u32; 2],
    /// The text in the images of a video.
    pub burn_in: BurnIn,
    /// Whether an MP4 has the sound of the reference video.
    pub sound: bool,
}

/// The export that runs, and the result of the last one.
#[derive(Resource, Debug, Default)]
pub struct Exports {
    job: Job<PathBuf, Result<Report, Failed>>,
    /// The result of the last one, until it is dismissed.
    pub last: Option<Exported>,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The path that was written.
    pub path: PathBuf,
    /// The report, or the error.
    pub result: Result<Report, String>,
}

impl Exports {
    /// The progress of the one that runs, from 0 to 1, and its path.
    pub fn running(&self) -> Option<(&Path, f32)> {
        let part = self.job.progress()?.part().unwrap_or_default();
        Some((self.job.key()?, part))
    }

    /// Starts one, unless one runs.
    pub(in crate::session) fn start(&mut self, order: ExportOrder, scene: Scene, jobs: &Jobs) {
        if self.job.is_running() {
            return;
        }
        self.last = None;
        let path = order.path.clone();
        #[cfg(target_family = "wasm")]
        self.job
            .start_here(jobs, path, async move |progress| write(&order, scene, &progress).await);
        // Exports take long, and videos need a renderer that blocks.
        #[cfg(not(target_family = "wasm"))]
        if let Err(error) = self.job.start_on_thread(jobs, path.clone(), move |progress| {
            block_on(write(&order, scene, progress))
        }) {
            self.last = Some(Exported { path, result: Err(error.to_string()) });
        }
    }

    /// Reports why nothing is written to `path`.
    pub(in crate::session) fn refuse(&mut self, path: PathBuf, why: String) {
        self.last = Some(Exported { path, result: Err(why) });
    }

    /// Cancels the one that runs; its files are removed.
    pub(in crate::session) fn cancel(&self) {
        if let Some(progress) = self.job.progress() {
            progress.cancel();
        }
    }
}

/// Takes the result of the export that ran.
pub(in crate::session) fn finish(mut exports: ResMut<Exports>) {
    let Some((path, result)) = exports.bypass_change_detection().job.poll() else { return };
    let result = match result {
        Err(crashed) => Err(crashed.to_string()),
        // No message: the user cancelled it.
        Ok(Err(Failed::Cancelled)) => return,
        Ok(result) => result.map_err(|error| error.to_string()),
    };
    exports.last = Some(Exported { path, result });
}

/// The input of an export: the recordings and how they are shown, independent of the app.
#[derive(Clone, Debug)]
pub(in crate::session) struct Scene {
    /// The recording that files are made of, as its format defines it.
    recorded: Arc<Clip>,
    /// All of them as they are seen, the reference first.
    seen: Vec<RecordingSnapshot>,
    /// Their entities in that app, which the view speaks of.
    entities: Vec<Entity>,
    /// Their names, without extensions.
    names: Vec<String>,
    view: View,
    from: CameraPose,
    /// When it is seen from there, in seconds.
    now: f64,
    player_skin: PlayerSkin,
    footage: Option<SavedFootage>,
}

impl Scene {
    /// The open recordings, if any are. Files are made of the recording that a node is selected of,
    /// else of the reference.
    pub(in crate::session) fn of(
        open: &OpenRecordings,
        view: &View,
        screen: &StageScreen,
        player_skin: &PlayerSkin,
        footage: &OpenFootage,
    ) -> Option<Self> {
        let selected = view.selected.and_then(|selected| open.get(selected.recording));
        let recorded = selected.or_else(|| open.reference())?.recording.asset().clip.clone();
        let (seen, entities) = open.snapshots();
        let source = |entity: &Entity| open.get(*entity).map(|one| one.source.name());
        let stem = |name: String| match Path::new(&name).file_stem() {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => name,
        };
        let names = entities.iter().map(|entity| source(entity).map(stem).unwrap_or_default());
        Some(Self {
            recorded,
            seen,
            names: names.collect(),
            entities,
            view: view.clone(),
            from: screen.camera_pose,
            now: open.clock()?.time(),
            player_skin: player_skin.clone(),
            footage: footage.saved().cloned(),
        })
    }
}

/// The total of an export's [`Progress`].
const WHOLE: u64 = 1_000_000;

/// Notes the progress; returns whether to continue.
fn tell(progress: &Progress, part: f64) -> ControlFlow<()> {
    progress.set((part * WHOLE as f64) as u64, WHOLE);
    if progress.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Recording(ExportError),
    #[error(transparent)]
    Undrawn(#[from] CaptureError),
    #[error("the sound of the reference video: {0}")]
    Silent(#[from] FootageError),
    #[error("cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

impl From<ExportError> for Failed {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Cancelled => Self::Cancelled,
            other => Self::Recording(other),
        }
    }
}

async fn write(order: &ExportOrder, scene: Scene, progress: &Progress) -> Result<Report, Failed> {
    if let Some(bounds) = mutoscope_player::bounds_of(order.target) {
        return page::write(order, bounds, &scene, progress);
    }
    match order.target.video() {
        None => {
            let title = order.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let range = order.range.map(|(from, to)| from..=to);
            let options = ExportOptions { title, range, rate: order.rate };
            let mut watch = |part| tell(progress, part);
            Ok(write_file(order.target, &scene.recorded, &options, &order.path, &mut watch)?)
        }
        Some(format) => {
            video::write(order, format, scene, progress).await.map(|()| Report::default())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::asset::ClipAsset;
    use mutoscope_core::formats::{self, DecodeRequest};

    pub(super) fn scene() -> Scene {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let recorded = Arc::new(formats::decode(bytes, &DecodeRequest::default()).unwrap());
        let asset = ClipAsset::new(Clip::clone(&recorded));
        Scene {
            seen: vec![RecordingSnapshot::new(asset)],
            recorded,
            entities: vec![Entity::PLACEHOLDER],
            names: vec!["two-hands".to_owned()],
            view: View::default(),
            from: CameraPose::default(),
            now: 0.0,
            player_skin: PlayerSkin::default(),
            footage: None,
        }
    }

    fn order(extension: &str, path: PathBuf) -> ExportOrder {
        let target = ExportTarget::of_extension(extension).unwrap();
        ExportOrder {
            target,
            path,
            range: Some((0.5, 1.0)),
            rate: Some(10.0),
            size: [64, 36],
            burn_in: BurnIn::default(),
            sound: false,
        }
    }

    #[test]
    fn export_runs_beside_playback() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let mut app = App::new();
        app.init_resource::<Exports>().add_systems(Update, finish);
        let jobs = Jobs::default();
        let mut exports = app.world_mut().resource_mut::<Exports>();
        exports.start(order("csv", path.clone()), scene(), &jobs);
        assert_eq!(jobs.busy(), 1);
        assert_eq!(exports.running().unwrap().0, path);
        let deadline = Instant::now() + Duration::from_secs(60);
        while app.world().resource::<Exports>().running().is_some() {
            assert!(Instant::now() < deadline);
            app.update();
        }
        let last = app.world().resource::<Exports>().last.clone().unwrap();
        assert!(last.result.is_ok(), "{last:?}");
        // A line of names, and one for each tenth of a second.
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1 + 6);
    }

    #[test]
    fn cancelled_or_failed_export_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let watch = Progress::default();
        watch.cancel();
        let cancelled = order("glb", folder.path().join("out.glb"));
        let cancelled = block_on(write(&cancelled, scene(), &watch));
        assert!(matches!(cancelled, Err(Failed::Cancelled)), "{cancelled:?}");
        let nowhere = order("glb", folder.path().join("missing/out.glb"));
        let failed = block_on(write(&nowhere, scene(), &Progress::default())).unwrap_err();
        assert!(failed.to_string().starts_with("cannot be written"), "{failed}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
