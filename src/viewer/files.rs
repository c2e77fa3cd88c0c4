//! Which files are open, being opened, or could not be.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bevy::prelude::*;

/// Which files are open, being opened, or could not be.
#[derive(Resource, Clone, Debug, Default)]
pub struct Files {
    /// Where the recording that plays came from.
    pub current: Option<Source>,
    /// The files that were given together, which `[` and `]` step through.
    pub given: Vec<PathBuf>,
    /// What is being loaded.
    pub loading: Option<Loading>,
    /// What could not be loaded last, until it is dismissed or something else is opened.
    pub failed: Option<FailedLoading>,
}

/// Where a recording comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// The embedded sample with this index.
    Sample(usize),
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
