//! Reloading a file when it was written, keeping the view.
//!
//! The folder is watched rather than the file, because many programs write a new file and give it
//! the old one's name. Where the system does not notify, as for network folders, the key for
//! reloading remains.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

use bevy::prelude::*;
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};

use crate::session::{
    Busy, Command, CommandQueue, FileCommand, Files, Jobs, SessionSystems, Source, Waker,
    view::remember::absolute,
};

/// A file that was not written to for this long is complete.
const SETTLED: Duration = Duration::from_millis(200);

/// The watched files and their changes.
#[derive(Resource, Default)]
struct Watch {
    /// Nothing until there is a file to watch, and where the system cannot watch.
    watcher: Option<Watcher>,
    /// When what was written may be read, if anything was.
    due: Option<(Instant, Busy)>,
}

struct Watcher {
    /// Ends the watch when it is dropped.
    _watcher: RecommendedWatcher,
    files: HashSet<PathBuf>,
    written: Mutex<Receiver<PathBuf>>,
}

impl Watch {
    /// Watches these files and no others. `wake` is called when one was written.
    fn aim_at(&mut self, files: HashSet<PathBuf>, wake: impl Fn() + Send + 'static) {
        let current = self.watcher.as_ref().map(|watcher| &watcher.files);
        if current.is_some_and(|current| *current == files) {
            return;
        }
        self.due = None;
        self.watcher = Watcher::new(files, wake).inspect_err(|error| warn!("{error}")).ok();
    }

    /// Whether it is time, `now`, to read the files again. Until it is, that counts among `jobs`.
    fn is_time(&mut self, now: Instant, jobs: &Jobs) -> bool {
        if self.watcher.as_ref().is_some_and(Watcher::takes_notice) {
            self.due = Some((now + SETTLED, jobs.begin()));
        }
        let is_time = self.due.as_ref().is_some_and(|(due, _)| *due <= now);
        if is_time {
            self.due = None;
        }
        is_time
    }
}

impl Watcher {
    fn new(files: HashSet<PathBuf>, wake: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let (tell, written) = channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if is_written(event.kind) {
                // The receiver is gone when another file is watched.
                event.paths.into_iter().for_each(|path| drop(tell.send(path)));
                wake();
            }
        })?;
        let folders: HashSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        for folder in folders {
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
        }
        Ok(Self { _watcher: watcher, files, written: Mutex::new(written) })
    }

    /// Whether one of the files was written since this was asked last.
    fn takes_notice(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        // All of it: what is left would count for the next time.
        written.try_iter().filter(|path| self.files.contains(path)).count() > 0
    }
}

/// Whether an event changes a file's content, rather than only accessing it.
fn is_written(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Create(_) => true,
        EventKind::Modify(what) => !matches!(what, ModifyKind::Metadata(_)),
        EventKind::Access(_) | EventKind::Remove(_) | EventKind::Any | EventKind::Other => false,
    }
}

/// Watches the open files.
pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<Watch>()
        .add_systems(Update, read_what_was_written.in_set(SessionSystems::Input));
}

/// Reloads what is open when it, or its skeleton, was written.
fn read_what_was_written(
    mut watch: ResMut<Watch>,
    mut queue: ResMut<CommandQueue>,
    files: Res<Files>,
    (waker, jobs): (Res<Waker>, Res<Jobs>),
) {
    if files.is_changed() {
        let wanted = watched(&files);
        let waker = waker.clone();
        watch.bypass_change_detection().aim_at(wanted, move || waker.wake());
    }
    if watch.bypass_change_detection().is_time(Instant::now(), &jobs) {
        queue.0.push(Command::File(FileCommand::Reload));
    }
}

/// The files that what is open was made of.
fn watched(files: &Files) -> HashSet<PathBuf> {
    let file = |source: &Source| match source {
        Source::File(path) => Some(path.clone()),
        Source::Stdin | Source::Sample(_) => None,
    };
    let recording = files.current.as_ref().and_then(file);
    let rig = files.rig.as_ref().and_then(|rig| rig.path.clone()).filter(|_| recording.is_some());
    let all = recording.into_iter().chain(rig).chain(files.compared.iter().filter_map(file));
    all.map(|path| absolute(&path)).collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc::channel};

    use super::*;

    /// The recording is reloaded once a file is complete, while it is written piece by piece and
    /// then replaced.
    #[test]
    fn file_is_reloaded_once_completely_written() {
        let folder = tempfile::tempdir().unwrap();
        let [file, neighbour, new] =
            ["take.anim", "other.anim", "new"].map(|name| folder.path().join(name));
        fs::write(&file, "1").unwrap();
        let (mut watch, jobs) = (Watch::default(), Jobs::default());
        let (woken, wakes) = channel();
        let wake = move || {
            let _ = woken.send(());
        };
        watch.aim_at([file.clone()].into(), wake);
        let patience = Duration::from_secs(20);
        let now = Instant::now();
        assert!(!watch.is_time(now, &jobs));

        fs::write(&neighbour, "1").unwrap();
        wakes.recv_timeout(patience).unwrap();
        assert!(!watch.is_time(now, &jobs) && watch.due.is_none(), "it is not watched");

        fs::write(&file, "2").unwrap();
        while watch.due.is_none() {
            wakes.recv_timeout(patience).unwrap();
            assert!(!watch.is_time(now, &jobs), "more may come");
        }
        assert_eq!(jobs.busy(), 1, "a window at rest looks again soon");
        // All that belongs to it has come by then.
        while wakes.recv_timeout(Duration::from_millis(300)).is_ok() {}
        watch.is_time(now, &jobs);
        assert!(watch.is_time(now + SETTLED, &jobs));
        assert!(!watch.is_time(now + 2 * SETTLED, &jobs), "once is enough");
        assert_eq!(jobs.busy(), 0);

        fs::write(&new, "3").unwrap();
        fs::rename(&new, &file).unwrap();
        while watch.due.is_none() {
            wakes.recv_timeout(patience).unwrap();
            watch.is_time(now, &jobs);
        }

        // Reading is no writing.
        while wakes.recv_timeout(Duration::from_millis(300)).is_ok() {}
        watch.is_time(now, &jobs);
        assert!(watch.is_time(now + SETTLED, &jobs));
        fs::read(&file).unwrap();
        assert!(wakes.recv_timeout(Duration::from_millis(300)).is_err());
    }
}
