//! Reading what was asked for: recordings and skeletons, on a task.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    FailedLoading, Progress, RigFile, Source,
    folder::{folder_of, only_skeleton_in, recordings_in},
    gallery::SAMPLES,
    sorting::{Sorted, sort},
};
use crate::{
    asset::ClipAsset,
    diagnostics::Place,
    formats::{self, FormatId},
    rig::{self, Rig},
};

/// How much is read between two reports of progress.
const BYTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// What is to be opened, and how.
pub(super) struct Order {
    pub(super) what: What,
    pub(super) on: On,
    /// The format that every file is taken for, if the user says so.
    pub(super) format: Option<FormatId>,
    /// The layout that the recording is in, if the user says so, and of which format that is one.
    pub(super) layout: Option<(FormatId, usize)>,
    pub(super) manner: Manner,
}

/// What becomes of what the user is looking at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Manner {
    /// The recording is seen from its start, and all of it.
    #[default]
    Afresh,
    /// Another recording of a list is seen from where the one before was.
    Alike,
    /// Playback goes on where it is: what is open is read anew.
    GoesOn,
}

/// What is to be opened.
pub(super) enum What {
    /// A recording.
    Source(Source),
    /// Files that were given together, recordings and skeletons.
    Together {
        files: Vec<PathBuf>,
        /// The recording that a skeleton alone is meant for.
        open: Option<Source>,
    },
}

/// What a recording is put on.
pub(super) enum On {
    /// No skeleton but its own.
    Nothing,
    /// The skeleton that lies beside it, if there is just one, and if its format keeps them there.
    WhatLiesBeside,
    /// This skeleton, if the recording takes it.
    Kept(RigFile),
    /// The skeleton in this file.
    File(PathBuf),
}

/// What came of an order.
#[derive(Default)]
pub(super) struct Outcome {
    /// What was opened; nothing if it could not be, or if there was nothing but a skeleton.
    pub(super) opened: Option<(Source, ClipAsset)>,
    pub(super) manner: Manner,
    /// The recordings among the files that were given together.
    pub(super) recordings: Vec<PathBuf>,
    /// The skeleton that is attached from now on; nothing if that is as before.
    pub(super) rig: Option<RigFile>,
    /// What could not be read, or not be used.
    pub(super) failed: Option<FailedLoading>,
}

impl Order {
    /// What is waited for, for the user.
    pub(super) fn name(&self) -> String {
        match (&self.on, &self.what) {
            (On::File(path), _) => name_of(path),
            (_, What::Source(source)) => source.name(),
            (_, What::Together { files, open }) => {
                let first = files.first().cloned().map(Source::of_path);
                first.as_ref().or(open.as_ref()).map_or_else(String::new, Source::name)
            }
        }
    }

    /// Reads and decodes everything.
    pub(super) fn carry_out(self, progress: &Progress) -> Outcome {
        let mut outcome = Outcome { manner: self.manner, ..Outcome::default() };
        let mut on = self.on;
        let source = match self.what {
            What::Source(source) => Some(source),
            What::Together { files, open } => {
                match outcome.gather(files, self.format) {
                    Some(skeleton) => on = On::File(skeleton),
                    None if outcome.nothing_came() => return outcome,
                    None => {}
                }
                outcome.recordings.first().cloned().map(Source::of_path).or(open)
            }
        };
        let looks_beside = matches!(on, On::WhatLiesBeside);
        let rig = match read_skeleton(on) {
            Ok(rig) => rig,
            Err(failed) => {
                outcome.failed = Some(failed);
                if outcome.manner == Manner::GoesOn {
                    return outcome;
                }
                None
            }
        };
        let reading = Reading { format: self.format, layout: self.layout, looks_beside };
        outcome.open(source, rig, reading, progress);
        outcome
    }
}

/// How a recording is read.
#[derive(Clone, Copy)]
struct Reading {
    format: Option<FormatId>,
    layout: Option<(FormatId, usize)>,
    /// Whether a skeleton that lies beside it is attached.
    looks_beside: bool,
}

/// A skeleton, and whether the recording has to take it.
struct Wanted {
    file: RigFile,
    is_asked_for: bool,
}

impl Outcome {
    /// Sorts what was given together, and returns the skeleton among it.
    fn gather(&mut self, files: Vec<PathBuf>, format: Option<FormatId>) -> Option<PathBuf> {
        let Expanded { files, empty } = expand(files, format);
        let Sorted { recordings, skeletons } = sort(files, format);
        let mut skeletons = skeletons.into_iter();
        let skeleton = skeletons.next();
        self.failed = skeletons.next().map(one_too_many).or(empty);
        if recordings.is_empty() {
            self.manner = Manner::GoesOn;
        }
        self.recordings = recordings;
        skeleton
    }

    /// Whether folders were given, and nothing was in them.
    fn nothing_came(&self) -> bool {
        self.recordings.is_empty() && self.failed.is_some()
    }

    fn open(
        &mut self,
        source: Option<Source>,
        wanted: Option<Wanted>,
        reading: Reading,
        progress: &Progress,
    ) {
        let rig = wanted.as_ref().map(|wanted| &*wanted.file.rig);
        let asked_for = wanted.as_ref().filter(|wanted| wanted.is_asked_for);
        if let Some(source) = source {
            if self.manner == Manner::GoesOn && !source.can_be_read_again() {
                let message = "it can be read only once: save it to a file, or give the skeleton \
                               with --rig";
                self.failed =
                    Some(FailedLoading { name: source.name(), message: message.to_owned() });
                return;
            }
            match load(&source, rig, reading, progress) {
                Ok(recording) => {
                    let recording = match (&source, reading.looks_beside) {
                        (Source::File(path), true) => put_beside(recording, path, reading),
                        _ => recording,
                    };
                    if let Some(Wanted { file, .. }) = asked_for
                        && let Some(failed) = refusal(&recording, file)
                    {
                        self.failed = Some(failed);
                        self.opened =
                            (self.manner != Manner::GoesOn).then_some((source, recording));
                        return;
                    }
                    self.opened = Some((source, recording));
                }
                Err(message) => {
                    self.failed = Some(FailedLoading { name: source.name(), message });
                    return;
                }
            }
        }
        self.rig = wanted.filter(|wanted| wanted.is_asked_for).map(|wanted| wanted.file);
    }
}

/// Why the recording is not on the skeleton, if it is not.
fn refusal(recording: &ClipAsset, file: &RigFile) -> Option<FailedLoading> {
    let format = recording.clip.format.format();
    (!format.takes(file.rig.kind)).then(|| FailedLoading {
        name: file.rig.name.clone(),
        message: format.refusal(file.rig.kind).to_string(),
    })
}

fn one_too_many(path: PathBuf) -> FailedLoading {
    let message = "a recording goes on one skeleton, and another was given with it".to_owned();
    FailedLoading { name: name_of(&path), message }
}

fn read_skeleton(on: On) -> Result<Option<Wanted>, FailedLoading> {
    let path = match on {
        On::Nothing | On::WhatLiesBeside => return Ok(None),
        On::Kept(file) => return Ok(Some(Wanted { file, is_asked_for: false })),
        On::File(path) => path,
    };
    let name = name_of(&path);
    let read = fs::read(&path).map_err(|error| format!("cannot be read: {error}"));
    let decoded = read.and_then(|bytes| {
        rig::decode(&bytes, &name).map_err(|error| format!("as a skeleton: {error}"))
    });
    match decoded {
        Ok(rig) => Ok(Some(Wanted { file: RigFile::new(rig, Some(path)), is_asked_for: true })),
        Err(message) => Err(FailedLoading { name, message }),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The same recording on the skeleton beside its file at `path`, if its format keeps them there and
/// there is just one; what comes of that is noted.
fn put_beside(mut recording: ClipAsset, path: &Path, reading: Reading) -> ClipAsset {
    let kind = recording.clip.format.format().on_rig.as_ref().map(|on_rig| on_rig.kind);
    let Some(beside) = kind
        .filter(|kind| kind.lies_beside_recordings())
        .and_then(|kind| only_skeleton_in(folder_of(path), kind))
    else {
        return recording;
    };
    let name = name_of(&beside);
    let source = Source::File(path.to_owned());
    let found = read_skeleton(On::File(beside)).map_err(|failed| failed.message);
    let on_it = found.and_then(|wanted| {
        let rig = wanted.as_ref().map(|wanted| &*wanted.file.rig);
        load(&source, rig, reading, &Progress::default())
    });
    match on_it {
        Ok(mut on_it) => {
            let message = format!("on the skeleton {name}, the only one in its folder");
            Arc::make_mut(&mut on_it.clip).notices.info(Place::File, message);
            on_it
        }
        Err(message) => {
            let message = format!("not on the skeleton {name} in its folder: {message}");
            Arc::make_mut(&mut recording.clip).notices.warning(Place::File, message);
            recording
        }
    }
}

/// Reads the recording, and puts it on `rig` if it takes it.
fn load(
    source: &Source,
    rig: Option<&Rig>,
    reading: Reading,
    progress: &Progress,
) -> Result<ClipAsset, String> {
    let (bytes, extension) = match source {
        Source::Sample(index) => {
            let layout = reading.layout.map(|(_, layout)| layout);
            return SAMPLES[*index].load(rig, layout).map_err(|failure| failure.to_string());
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
    let decoded = match (reading.layout, rig) {
        (Some((format, layout)), rig) => formats::decode_in_layout(&bytes, format, layout, rig),
        (None, Some(rig)) => {
            formats::decode_on_rig_if_taken(&bytes, extension, reading.format, rig)
        }
        (None, None) => formats::decode(&bytes, extension, reading.format),
    };
    decoded.map(ClipAsset::new).map_err(|failure| failure.to_string())
}

/// Files, and the first folder without any, if there is one.
struct Expanded {
    files: Vec<PathBuf>,
    empty: Option<FailedLoading>,
}

/// `files`, with the recordings in them in place of folders.
fn expand(files: Vec<PathBuf>, format: Option<FormatId>) -> Expanded {
    let mut expanded = Expanded { files: Vec::new(), empty: None };
    for path in files {
        if !path.is_dir() {
            expanded.files.push(path);
            continue;
        }
        let message = match recordings_in(&path, format) {
            Ok(found) if found.is_empty() => "no recording is in it".to_owned(),
            Ok(found) => {
                expanded.files.extend(found);
                continue;
            }
            Err(error) => format!("cannot be read: {error}"),
        };
        expanded.empty.get_or_insert(FailedLoading { name: name_of(&path), message });
    }
    expanded
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

#[cfg(test)]
mod tests;
