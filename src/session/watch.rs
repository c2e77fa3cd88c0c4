//! Reloads files after another program has written them, and keeps the view.
//!
//! We watch the folder instead of the file, because many programs write a new file and then rename
//! it to the old name. Some systems do not notify about changes, for example on network folders.
//! There the user can still reload with a key.

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

use super::{
    commands::{Command, CommandQueue},
    files::{FileCommand, Files, OpenRecordings, Source},
    jobs::{Busy, Jobs},
    schedule::SessionSystems,
    view::{Waker, absolute_path},
};

/// The time without further writes after which a file is taken as complete.
const SETTLE_TIME: Duration = Duration::from_millis(200);

#[derive(Resource, Default)]
struct FileWatch {
    /// `None` if no file is open, or if the system cannot watch files.
    watcher: Option<Watcher>,
    due: Option<(Instant, Busy)>,
}

struct Watcher {
    _watcher: RecommendedWatcher,
    files: HashSet<PathBuf>,
    written: Mutex<Receiver<PathBuf>>,
}

impl FileWatch {
    fn set_files(&mut self, files: HashSet<PathBuf>, wake: impl Fn() + Send + 'static) {
        let current = self.watcher.as_ref().map(|watcher| &watcher.files);
        if current.is_some_and(|current| *current == files) {
            return;
        }
        self.due = None;
        self.watcher = Watcher::new(files, wake).inspect_err(|error| warn!("{error}")).ok();
    }

    /// Returns `true` once after files were written and [`SETTLE_TIME`] has passed. Until then, the
    /// wait counts as a running job, so that the window keeps drawing frames.
    fn take_due(&mut self, now: Instant, jobs: &Jobs) -> bool {
        if self.watcher.as_ref().is_some_and(Watcher::drain_events) {
            self.due = Some((now + SETTLE_TIME, jobs.begin()));
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
        let (sender, written) = channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if changes_content(event.kind) {
                // Ignore the error. Sending fails if other files are watched by now, and then the
                // event is not needed.
                event.paths.into_iter().for_each(|path| drop(sender.send(path)));
                wake();
            }
        })?;
        let folders: HashSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        for folder in folders {
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
        }
        Ok(Self { _watcher: watcher, files, written: Mutex::new(written) })
    }

    fn drain_events(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        // Count all events, so that the channel is empty afterwards. If we stopped at the first
        // match, the next call would find the other events.
        written.try_iter().filter(|path| self.files.contains(path)).count() > 0
    }
}

fn changes_content(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Create(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        EventKind::Access(_) | EventKind::Remove(_) | EventKind::Any | EventKind::Other => false,
    }
}

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<FileWatch>()
        .add_systems(Update, reload_written_files.in_set(SessionSystems::Input));
}

fn reload_written_files(
    mut watch: ResMut<FileWatch>,
    mut queue: ResMut<CommandQueue>,
    open: OpenRecordings,
    files: Res<Files>,
    waker: Res<Waker>,
    jobs: Res<Jobs>,
) {
    let waker = waker.clone();
    let paths = files_to_watch(&open, &files);
    watch.bypass_change_detection().set_files(paths, move || waker.wake());
    if watch.bypass_change_detection().take_due(Instant::now(), &jobs) {
        queue.0.push(Command::File(FileCommand::Reload));
    }
}

fn files_to_watch(open: &OpenRecordings, files: &Files) -> HashSet<PathBuf> {
    let recordings = open.in_order();
    let paths = recordings.iter().filter_map(|open| match open.source {
        Source::File(path) => Some(path),
        Source::Stdin | Source::Sample(_) => None,
    });
    let skeleton = files.skeleton.as_ref().and_then(|skeleton| skeleton.path.as_ref());
    // The skeleton is read again with the reference, so the reference must be a file.
    let skeleton = skeleton.filter(|_| matches!(open.reference_source(), Some(Source::File(_))));
    paths.chain(skeleton).map(|path| absolute_path(path)).collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc::channel};

    use super::*;

    /// Writes a file in parts, replaces it and reads it: only complete writes reload the recording.
    #[test]
    fn file_is_reloaded_once_completely_written() {
        let folder = tempfile::tempdir().unwrap();
        let [file, neighbour, new] =
            ["take.anim", "other.anim", "new"].map(|name| folder.path().join(name));
        fs::write(&file, "1").unwrap();
        let (mut watch, jobs) = (FileWatch::default(), Jobs::default());
        let (sender, wakes) = channel();
        let wake = move || {
            let _ = sender.send(());
        };
        watch.set_files([file.clone()].into(), wake);
        let timeout = Duration::from_secs(20);
        let now = Instant::now();
        assert!(!watch.take_due(now, &jobs));

        fs::write(&neighbour, "1").unwrap();
        wakes.recv_timeout(timeout).unwrap();
        assert!(!watch.take_due(now, &jobs) && watch.due.is_none(), "the file is not watched");

        fs::write(&file, "2").unwrap();
        while watch.due.is_none() {
            wakes.recv_timeout(timeout).unwrap();
            assert!(!watch.take_due(now, &jobs), "more writes may follow");
        }
        assert_eq!(jobs.running_count(), 1, "the wait counts as a job");
        // Drain all events of this write.
        while wakes.recv_timeout(Duration::from_millis(300)).is_ok() {}
        watch.take_due(now, &jobs);
        assert!(watch.take_due(now + SETTLE_TIME, &jobs));
        assert!(!watch.take_due(now + 2 * SETTLE_TIME, &jobs), "a write reloads only once");
        assert_eq!(jobs.running_count(), 0);

        fs::write(&new, "3").unwrap();
        fs::rename(&new, &file).unwrap();
        while watch.due.is_none() {
            wakes.recv_timeout(timeout).unwrap();
            watch.take_due(now, &jobs);
        }

        // Reading the file must not trigger a reload.
        while wakes.recv_timeout(Duration::from_millis(300)).is_ok() {}
        watch.take_due(now, &jobs);
        assert!(watch.take_due(now + SETTLE_TIME, &jobs));
        fs::read(&file).unwrap();
        assert!(wakes.recv_timeout(Duration::from_millis(300)).is_err());
    }
}
