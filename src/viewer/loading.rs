//! Opening recordings off the UI thread.
//!
//! A job reads and decodes on a task; what plays goes on meanwhile, and stays if the job fails.

use std::{
    fs::File,
    io::{self, Read},
    sync::Arc,
};

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use super::{FailedLoading, Files, Loading, Progress, Source, gallery::SAMPLES};
use crate::{
    asset::ClipAsset,
    formats::{self, FormatId},
    playback::TimeCommand,
    player::Player,
    rig::Rig,
    stage::{CameraRequest, View},
};

/// How much is read between two reports of progress.
const BYTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// What is being loaded, if anything is. A new job takes the place of the one before.
#[derive(Resource, Default)]
pub(super) struct LoadingJob {
    running: Option<Job>,
    /// The format that every file is taken for, if the user says so.
    pub(super) format: Option<FormatId>,
    /// The skeleton that recordings are put on, if they take it.
    pub(super) rig: Option<Arc<Rig>>,
}

struct Job {
    source: Source,
    task: Task<Result<ClipAsset, String>>,
    /// The time to go to afterwards: where playback was, if the same file is read anew.
    resume_at: Option<f64>,
}

impl LoadingJob {
    /// Starts to load `source`; goes to `resume_at` when it is there.
    pub(super) fn start(&mut self, source: Source, resume_at: Option<f64>, files: &mut Files) {
        let progress = Progress::default();
        files.failed = None;
        files.loading = Some(Loading { name: source.name(), progress: progress.clone() });
        let (from, decoder) =
            (source.clone(), Decoder { format: self.format, rig: self.rig.clone() });
        let task =
            AsyncComputeTaskPool::get().spawn(async move { load(&from, &decoder, &progress) });
        self.running = Some(Job { source, task, resume_at });
    }
}

/// Takes over what was loaded, or says why it could not be.
pub(super) fn finish(
    mut job: ResMut<LoadingJob>,
    mut files: ResMut<Files>,
    mut player: ResMut<Player>,
    mut view: ResMut<View>,
    mut camera: MessageWriter<CameraRequest>,
) {
    let Some(running) = &mut job.running else { return };
    let Some(result) = check_ready(&mut running.task) else { return };
    let Some(Job { source, resume_at, .. }) = job.running.take() else { return };
    files.loading = None;
    match result {
        Ok(recording) => {
            player.open(recording);
            view.selected_key = None;
            match resume_at {
                Some(time) => player.apply(TimeCommand::Seek(time)),
                None => {
                    view.selected = None;
                    view.hidden.clear();
                    camera.write(CameraRequest::FrameAll { at_once: true });
                }
            }
            files.current = Some(source);
        }
        Err(message) => files.failed = Some(FailedLoading { name: source.name(), message }),
    }
}

/// How recordings are decoded.
struct Decoder {
    format: Option<FormatId>,
    rig: Option<Arc<Rig>>,
}

impl Decoder {
    fn decode(
        &self,
        bytes: &[u8],
        extension: Option<&str>,
        format: Option<FormatId>,
    ) -> Result<ClipAsset, String> {
        let decoded = match &self.rig {
            Some(rig) => formats::decode_on_rig_if_taken(bytes, extension, format, rig),
            None => formats::decode(bytes, extension, format),
        };
        decoded.map(ClipAsset::new).map_err(|failure| failure.to_string())
    }
}

fn load(source: &Source, decoder: &Decoder, progress: &Progress) -> Result<ClipAsset, String> {
    let (bytes, extension) = match source {
        Source::Sample(index) => {
            let sample = &SAMPLES[*index];
            let rig = sample.rig();
            let rig = rig.as_ref().or(decoder.rig.as_deref());
            return sample.load(rig).map_err(|failure| failure.to_string());
        }
        Source::Stdin => (read(&mut io::stdin().lock(), 0, progress), None),
        Source::File(path) => {
            let bytes = File::open(path).and_then(|mut file| {
                let size = file.metadata()?.len();
                read(&mut file, size, progress)
            });
            (bytes, path.extension().and_then(|extension| extension.to_str()))
        }
    };
    let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
    decoder.decode(&bytes, extension, decoder.format)
}

/// Reads everything piece by piece, so that progress towards `size` can be shown.
fn read(from: &mut impl Read, size: u64, progress: &Progress) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = from.by_ref().take(BYTES_BETWEEN_REPORTS);
        if piece.read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        progress.set(bytes.len() as u64, size.max(bytes.len() as u64));
    }
}
