//! Reading what was asked for: recordings and skeletons, on a task.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{
    FailedLoading, Progress, RigFile, Source,
    gallery::SAMPLES,
    settings::Settings,
    sorting::{Sorted, sort},
};
use crate::{
    asset::ClipAsset,
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
    /// What is assumed of formats.
    pub(super) settings: Settings,
    /// Whether playback is to go on where it is: what is open is read anew.
    pub(super) goes_on: bool,
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
    /// Whether playback is to go on where it is.
    pub(super) goes_on: bool,
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
        let mut outcome = Outcome { goes_on: self.goes_on, ..Outcome::default() };
        let mut on = self.on;
        let source = match self.what {
            What::Source(source) => Some(source),
            What::Together { files, open } => {
                let Sorted { recordings, skeletons } = sort(files, self.format);
                let mut skeletons = skeletons.into_iter();
                if let Some(skeleton) = skeletons.next() {
                    on = On::File(skeleton);
                }
                outcome.failed = skeletons.next().map(one_too_many);
                outcome.goes_on |= recordings.is_empty();
                outcome.recordings = recordings;
                outcome.recordings.first().cloned().map(Source::of_path).or(open)
            }
        };
        let rig = match read_skeleton(on) {
            Ok(rig) => rig,
            Err(failed) => {
                outcome.failed = Some(failed);
                if outcome.goes_on {
                    return outcome;
                }
                None
            }
        };
        let reader = Reader { format: self.format, settings: &self.settings, progress };
        outcome.open(source, rig, &reader);
        outcome
    }
}

/// A skeleton, and whether the recording has to take it.
struct Wanted {
    file: RigFile,
    is_asked_for: bool,
}

impl Outcome {
    fn open(&mut self, source: Option<Source>, wanted: Option<Wanted>, reader: &Reader<'_>) {
        let rig = wanted.as_ref().map(|wanted| &*wanted.file.rig);
        let asked_for = wanted.as_ref().filter(|wanted| wanted.is_asked_for);
        if let Some(source) = source {
            if self.goes_on && !source.can_be_read_again() {
                let message = "it can be read only once: save it to a file, or give the skeleton \
                               with --rig";
                self.failed =
                    Some(FailedLoading { name: source.name(), message: message.to_owned() });
                return;
            }
            match reader.load(&source, rig) {
                Ok(recording) => {
                    if let Some(Wanted { file, .. }) = asked_for
                        && let Some(failed) = refusal(&recording, file)
                    {
                        self.failed = Some(failed);
                        self.opened = (!self.goes_on).then_some((source, recording));
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
        On::Nothing => return Ok(None),
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

/// How recordings are read.
struct Reader<'a> {
    format: Option<FormatId>,
    settings: &'a Settings,
    progress: &'a Progress,
}

impl Reader<'_> {
    /// Reads the recording, and puts it on `rig` if it takes it.
    fn load(&self, source: &Source, rig: Option<&Rig>) -> Result<ClipAsset, String> {
        let (bytes, extension, format) = match source {
            Source::Sample(index) => {
                let sample = &SAMPLES[*index];
                (Ok(sample.bytes.into()), None, Some(sample.format))
            }
            Source::Stdin => (self.read(&mut io::stdin().lock(), 0), None, self.format),
            Source::File(path) => {
                let extension = path.extension().and_then(|extension| extension.to_str());
                (self.read_file(path), extension, self.format)
            }
        };
        let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
        let assumed = |format| self.settings.assumptions(format);
        let decoded = formats::decode_as_assumed(&bytes, extension, format, rig, assumed);
        decoded.map(ClipAsset::new).map_err(|failure| failure.to_string())
    }

    fn read_file(&self, path: &Path) -> io::Result<Cow<'static, [u8]>> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        self.read(&mut file, size)
    }

    /// Reads everything piece by piece, so that progress towards `size` can be shown.
    fn read(&self, from: &mut impl Read, size: u64) -> io::Result<Cow<'static, [u8]>> {
        let mut bytes = Vec::new();
        loop {
            let mut piece = from.by_ref().take(BYTES_BETWEEN_REPORTS);
            if piece.read_to_end(&mut bytes)? == 0 {
                return Ok(bytes.into());
            }
            self.progress.set(bytes.len() as u64, size.max(bytes.len() as u64));
        }
    }
}

#[cfg(test)]
mod tests;
