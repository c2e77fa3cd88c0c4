//! Writing recordings and videos beside whatever plays, so that the window goes on.

#[cfg(not(target_family = "wasm"))]
mod video;

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;

use super::{Job, Jobs, Progress, open::OpenRecordings};

use crate::{
    capture::CaptureError,
    clip::Clip,
    export::{ExportError, ExportOptions, ExportTarget, Report, write_file},
    recording::RecordingSnapshot,
    stage::{CameraPose, PlayerSkin, StageScreen, View},
};

/// What is to be written, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOrder {
    /// As what.
    pub target: &'static ExportTarget,
    /// Where it goes.
    pub path: PathBuf,
    /// From when to when, in seconds; nothing for all of it.
    pub range: Option<(f64, f64)>,
    /// How many times a second; nothing for the recording's own keys, or as is usual for videos.
    pub rate: Option<f64>,
    /// Width and height of a video, in pixels.
    pub size: [u32; 2],
}

/// What is being written, and what became of what was written last.
#[derive(Resource, Debug, Default)]
pub struct Exports {
    job: Job<PathBuf, Result<Report, Failed>>,
    /// What became of the last one, until it is dismissed.
    pub last: Option<Exported>,
}

/// What became of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Where it went.
    pub path: PathBuf,
    /// What was kept, approximated and lost, or why there is nothing.
    pub result: Result<Report, String>,
}

impl Exports {
    /// How far the one that runs is, from 0 to 1, and where it goes.
    pub fn running(&self) -> Option<(&Path, f32)> {
        let part = self.job.progress()?.part().unwrap_or_default();
        Some((self.job.key()?, part))
    }

    /// Starts one, unless one runs.
    pub(super) fn start(&mut self, order: ExportOrder, scene: Scene, jobs: &Jobs) {
        if self.job.is_running() {
            return;
        }
        self.last = None;
        let path = order.path.clone();
        let write = move |progress: &Progress| write(&order, scene, progress);
        if cfg!(target_family = "wasm") {
            self.job.start(jobs, path, write);
            return;
        }
        // What it does takes long, and videos want a renderer that waits.
        if let Err(error) = self.job.start_on_thread(jobs, path.clone(), write) {
            self.last = Some(Exported { path, result: Err(error.to_string()) });
        }
    }

    /// Says why nothing is written to `path`.
    pub(super) fn refuse(&mut self, path: PathBuf, why: String) {
        self.last = Some(Exported { path, result: Err(why) });
    }

    /// Stops the one that runs; nothing is left of it.
    pub(super) fn cancel(&self) {
        if let Some(progress) = self.job.progress() {
            progress.cancel();
        }
    }
}

/// Takes over what became of the export that ran.
pub(super) fn finish(mut exports: ResMut<Exports>) {
    let Some((path, result)) = exports.bypass_change_detection().job.poll() else { return };
    let result = match result {
        Err(crashed) => Err(crashed.to_string()),
        // Whoever cancels knows.
        Ok(Err(Failed::Cancelled)) => return,
        Ok(result) => result.map_err(|error| error.to_string()),
    };
    exports.last = Some(Exported { path, result });
}

/// What is written: the recordings and how they are shown, apart from the app that shows them.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// The recording that files are made of, as its format defines it.
    recorded: Arc<Clip>,
    /// All of them as they are seen, the reference first.
    seen: Vec<RecordingSnapshot>,
    /// Their entities in that app, which the view speaks of.
    entities: Vec<Entity>,
    view: View,
    from: CameraPose,
    /// When it is seen from there, in seconds.
    now: f64,
    player_skin: PlayerSkin,
}

impl Scene {
    /// What is open, if anything is. Files are made of the recording that a node is selected of, else
    /// of the reference.
    pub(super) fn of(
        open: &OpenRecordings,
        view: &View,
        screen: &StageScreen,
        player_skin: &PlayerSkin,
    ) -> Option<Self> {
        let selected = view.selected.and_then(|selected| open.get(selected.recording));
        let recorded = selected.or_else(|| open.reference())?.recording.asset().clip.clone();
        let (seen, entities) = open.snapshots();
        Some(Self {
            recorded,
            seen,
            entities,
            view: view.clone(),
            from: screen.camera_pose,
            now: open.clock()?.time(),
            player_skin: player_skin.clone(),
        })
    }
}

/// What the whole of an export counts as, for its [`Progress`].
const WHOLE: u64 = 1_000_000;

/// Notes which part is done; whether to go on.
fn tell(progress: &Progress, part: f64) -> ControlFlow<()> {
    progress.set((part * WHOLE as f64) as u64, WHOLE);
    if progress.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Why there is nothing.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Recording(ExportError),
    #[error(transparent)]
    Undrawn(#[from] CaptureError),
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

fn write(order: &ExportOrder, scene: Scene, progress: &Progress) -> Result<Report, Failed> {
    match order.target.video() {
        None => {
            let title = order.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let range = order.range.map(|(from, to)| from..=to);
            let options = ExportOptions { title, range, rate: order.rate };
            let mut watch = |part| tell(progress, part);
            Ok(write_file(order.target, &scene.recorded, &options, &order.path, &mut watch)?)
        }
        #[cfg(not(target_family = "wasm"))]
        Some(format) => video::write(order, format, scene, progress).map(|()| Report::default()),
        #[cfg(target_family = "wasm")]
        Some(_) => Err(io::Error::from(io::ErrorKind::Unsupported).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::{
        asset::ClipAsset,
        formats::{self, DecodeRequest},
    };

    fn scene() -> Scene {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let recorded = Arc::new(formats::decode(bytes, &DecodeRequest::default()).unwrap());
        let asset = ClipAsset::new(Clip::clone(&recorded));
        Scene {
            seen: vec![RecordingSnapshot::new(asset)],
            recorded,
            entities: vec![Entity::PLACEHOLDER],
            view: View::default(),
            from: CameraPose::default(),
            now: 0.0,
            player_skin: PlayerSkin::default(),
        }
    }

    fn order(extension: &str, path: PathBuf) -> ExportOrder {
        let target = ExportTarget::of_extension(extension).unwrap();
        ExportOrder { target, path, range: Some((0.5, 1.0)), rate: Some(10.0), size: [64, 36] }
    }

    #[test]
    fn a_recording_is_written_while_others_go_on() {
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
    fn what_is_cancelled_or_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let watch = Progress::default();
        watch.cancel();
        let cancelled = write(&order("glb", folder.path().join("out.glb")), scene(), &watch);
        assert!(matches!(cancelled, Err(Failed::Cancelled)), "{cancelled:?}");
        let nowhere = order("glb", folder.path().join("missing/out.glb"));
        let failed = write(&nowhere, scene(), &Progress::default()).unwrap_err();
        assert!(failed.to_string().starts_with("cannot be written"), "{failed}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
