//! Writing recordings and films beside whatever plays, so that the window goes on.

use std::{
    fmt, io,
    ops::{ControlFlow, RangeInclusive},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, TryRecvError, channel},
    },
    thread,
};

use bevy::prelude::*;

use crate::{
    asset::ClipAsset,
    capture::{CaptureError, Film, FilmKind, Studio, film_times},
    clip::Clip,
    counterpart::Counterpart,
    export::{ExportError, Report, Target, Wanted, write_file},
    player::Player,
    stage::{StageScreen, Standpoint, View, Wardrobe},
};

/// What a recording is written as.
#[derive(Clone, Copy, Debug)]
pub enum ExportKind {
    /// A file that other tools read.
    Recording(&'static Target),
    /// A film of what is seen.
    Film(FilmKind),
}

impl PartialEq for ExportKind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Recording(one), Self::Recording(other)) => one.extension == other.extension,
            (Self::Film(one), Self::Film(other)) => one == other,
            _ => false,
        }
    }
}

/// What is to be written, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOrder {
    /// As what.
    pub kind: ExportKind,
    /// Where it goes.
    pub path: PathBuf,
    /// From when to when, in seconds; nothing for all of it.
    pub range: Option<(f64, f64)>,
    /// How many times a second; nothing for the recording's own keys, or as is usual for films.
    pub rate: Option<f64>,
    /// Width and height of a film, in pixels.
    pub size: [u32; 2],
}

/// What is being written, and what became of what was written last.
#[derive(Resource, Debug, Default)]
pub struct Exports {
    running: Option<Running>,
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

#[derive(Debug)]
struct Running {
    path: PathBuf,
    watch: Watch,
    result: Mutex<Receiver<Result<Report, Failed>>>,
}

impl Exports {
    /// How far the one that runs is, from 0 to 1, and where it goes.
    pub fn running(&self) -> Option<(&Path, f32)> {
        self.running.as_ref().map(|running| (running.path.as_path(), running.watch.part()))
    }

    /// Starts one, unless one runs.
    pub(super) fn start(&mut self, order: ExportOrder, scene: Scene) {
        if self.running.is_some() {
            return;
        }
        self.last = None;
        let watch = Watch::default();
        let (sender, result) = channel();
        let (watched, path) = (watch.clone(), order.path.clone());
        // A thread of its own: what it does takes long, and films want a renderer that waits.
        let thread = thread::Builder::new().name("export".to_owned());
        let started = thread.spawn(move || {
            // Nobody listens any more when the window is closed.
            let _ = sender.send(write(&order, scene, &watched));
        });
        match started {
            Ok(_) => self.running = Some(Running { path, watch, result: Mutex::new(result) }),
            Err(error) => self.last = Some(Exported { path, result: Err(error.to_string()) }),
        }
    }

    /// Stops the one that runs; nothing is left of it.
    pub(super) fn cancel(&self) {
        if let Some(running) = &self.running {
            running.watch.cancel();
        }
    }
}

impl Drop for Exports {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Takes over what became of the export that ran.
pub(super) fn finish(mut exports: ResMut<Exports>) {
    let quiet = exports.bypass_change_detection();
    let Some(running) = &quiet.running else { return };
    let result = running.result.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
    let result = match result {
        Err(TryRecvError::Empty) => return,
        Err(TryRecvError::Disconnected) => Err("it ended all at once".to_owned()),
        Ok(result) => match result {
            // Whoever cancels knows.
            Err(Failed::Cancelled) => {
                exports.running = None;
                return;
            }
            result => result.map_err(|error| error.to_string()),
        },
    };
    let path = running.path.clone();
    exports.running = None;
    exports.last = Some(Exported { path, result });
}

/// What is exported: the recording, and how it is seen.
pub(super) struct Scene {
    /// As its format defines it.
    recorded: Arc<Clip>,
    /// As it plays: sampled in another way, if the user wants to see it so.
    seen: Arc<Clip>,
    /// What is held against it.
    counterpart: Counterpart,
    view: View,
    from: Standpoint,
    /// When it is seen from there, in seconds.
    now: f64,
    wardrobe: Wardrobe,
}

impl Scene {
    /// What plays, if anything does.
    pub(super) fn of(
        player: &Player,
        counterpart: &Counterpart,
        view: &View,
        screen: &StageScreen,
        wardrobe: &Wardrobe,
    ) -> Option<Self> {
        let (recorded, seen) = (player.recording()?.clip.clone(), player.clip()?.clone());
        let (counterpart, view, wardrobe) = (counterpart.clone(), view.clone(), wardrobe.clone());
        let (from, now) = (screen.standpoint, player.clock().time());
        Some(Self { recorded, seen, counterpart, view, from, now, wardrobe })
    }
}

/// How far it is, and whether somebody still wants it; shared with whoever waits.
#[derive(Clone, Default)]
struct Watch(Arc<(AtomicU64, AtomicBool)>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.part()).finish()
    }
}

impl Watch {
    fn part(&self) -> f32 {
        f64::from_bits(self.0.0.load(Ordering::Relaxed)) as f32
    }

    fn cancel(&self) {
        self.0.1.store(true, Ordering::Relaxed);
    }

    /// Tells how far it is; whether to go on.
    fn tell(&self, part: f64) -> ControlFlow<()> {
        self.0.0.store(part.to_bits(), Ordering::Relaxed);
        let is_cancelled = self.0.1.load(Ordering::Relaxed);
        if is_cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
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

fn write(order: &ExportOrder, scene: Scene, watch: &Watch) -> Result<Report, Failed> {
    match order.kind {
        ExportKind::Recording(target) => {
            let title = order.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let range = order.range.map(|(from, to)| from..=to);
            let wanted = Wanted { title, range, rate: order.rate };
            let mut progress = |part| watch.tell(part);
            Ok(write_file(target, &scene.recorded, &wanted, &order.path, &mut progress)?)
        }
        ExportKind::Film(kind) => film(order, kind, scene, watch).map(|()| Report::default()),
    }
}

fn film(order: &ExportOrder, kind: FilmKind, scene: Scene, watch: &Watch) -> Result<(), Failed> {
    let span = scene.seen.span;
    let range: RangeInclusive<f64> =
        order.range.map_or(span.start..=span.end(), |(from, to)| from..=to);
    let rate = order.rate.unwrap_or_else(|| kind.usual_rate());
    let times = film_times(range, rate);
    let mut film = Film::begin(kind, &order.path, rate)?;
    let mut studio = Studio::new(order.size)?;
    studio.dress(scene.wardrobe);
    studio.open(ClipAsset::new(Clip::clone(&scene.seen)));
    studio.hold_against(scene.counterpart);
    *studio.view_mut() = scene.view;
    studio.aim_at(scene.from, scene.now);
    let count = times.len();
    for (index, time) in times.enumerate() {
        if watch.tell(index as f64 / count as f64).is_break() {
            return Err(Failed::Cancelled);
        }
        film.add(studio.picture(time)?)?;
    }
    Ok(film.finish()?)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::formats::{self, DecodeRequest};

    fn scene() -> Scene {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let recorded = Arc::new(formats::decode(bytes, &DecodeRequest::default()).unwrap());
        Scene {
            seen: recorded.clone(),
            recorded,
            counterpart: Counterpart::default(),
            view: View::default(),
            from: Standpoint::default(),
            now: 0.0,
            wardrobe: Wardrobe::default(),
        }
    }

    fn order(extension: &str, path: PathBuf) -> ExportOrder {
        let kind = ExportKind::Recording(Target::of_extension(extension).unwrap());
        ExportOrder { kind, path, range: Some((0.5, 1.0)), rate: Some(10.0), size: [64, 36] }
    }

    #[test]
    fn a_recording_is_written_while_others_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let mut app = App::new();
        app.init_resource::<Exports>().add_systems(Update, finish);
        let mut exports = app.world_mut().resource_mut::<Exports>();
        exports.start(order("csv", path.clone()), scene());
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
        let watch = Watch::default();
        watch.cancel();
        let cancelled = write(&order("glb", folder.path().join("out.glb")), scene(), &watch);
        assert!(matches!(cancelled, Err(Failed::Cancelled)), "{cancelled:?}");
        let nowhere = order("glb", folder.path().join("missing/out.glb"));
        let failed = write(&nowhere, scene(), &Watch::default()).unwrap_err();
        assert!(failed.to_string().starts_with("cannot be written"), "{failed}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
