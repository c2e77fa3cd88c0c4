//! Which files are open, being opened, or could not be.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bevy::prelude::*;

use super::SAMPLES;
use crate::rig::Rig;

/// Which files are open, being opened, or could not be.
#[derive(Resource, Clone, Debug, Default)]
pub struct Files {
    /// Where the recording that plays came from.
    pub current: Option<Source>,
    /// The skeleton that the user attached last: what is opened goes on it, if it takes it.
    pub rig: Option<RigFile>,
    /// The files that were given together, which `[` and `]` step through.
    pub given: Vec<PathBuf>,
    /// What is being loaded.
    pub loading: Option<Loading>,
    /// The picture that was saved last.
    pub saved: Option<PathBuf>,
    /// What could not be loaded last, until it is dismissed or something else is opened.
    pub failed: Option<FailedLoading>,
}

impl Files {
    /// Notes `recordings` as those to step through, or a single one as one more of them.
    pub(super) fn remember(&mut self, mut recordings: Vec<PathBuf>) {
        recordings.retain(|path| Source::of_path(path.clone()).can_be_read_again());
        match &recordings[..] {
            [] => {}
            [one] if self.given.contains(one) => {}
            [_] => self.given.append(&mut recordings),
            _ => self.given = recordings,
        }
    }
}

/// A skeleton, and where it comes from.
#[derive(Clone, Debug)]
pub struct RigFile {
    /// The skeleton.
    pub rig: Arc<Rig>,
    /// Its file, if there is one that can be read again.
    pub path: Option<PathBuf>,
}

impl RigFile {
    /// The skeleton, as it was read from the file at `path`, if from any.
    pub fn new(rig: Rig, path: Option<PathBuf>) -> Self {
        Self { rig: Arc::new(rig), path }
    }
}

/// Where a recording comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, which can be read only once.
    Stdin,
    /// The embedded sample with this index.
    Sample(usize),
}

impl Source {
    /// The file at `path`, or standard input if it is `-`.
    pub fn of_path(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path) }
    }

    /// Its name, for the user.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            Self::Stdin => "standard input".to_owned(),
            Self::Sample(index) => SAMPLES[*index].name.to_owned(),
        }
    }

    /// Whether reading it a second time gives the same again.
    pub fn can_be_read_again(&self) -> bool {
        *self != Self::Stdin
    }
}

/// A recording that is being loaded.
#[derive(Clone, Debug)]
pub struct Loading {
    /// Its name, for the user.
    pub name: String,
    /// How far it is.
    pub progress: Progress,
}

/// How many bytes of how many are read; shared with whoever reads them.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<[AtomicU64; 2]>);

impl Progress {
    /// Notes that `done` bytes of `all` are read.
    pub fn set(&self, done: u64, all: u64) {
        self.0[0].store(done, Ordering::Relaxed);
        self.0[1].store(all, Ordering::Relaxed);
    }

    /// The part that is read, within 0..=1; nothing before its size is known.
    pub fn part(&self) -> Option<f32> {
        let [done, all] = [0, 1].map(|index| self.0[index].load(Ordering::Relaxed));
        (all > 0).then(|| (done as f64 / all as f64) as f32)
    }
}

/// A recording that could not be loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedLoading {
    /// Its name, for the user.
    pub name: String,
    /// Why, with the place.
    pub message: String,
}
