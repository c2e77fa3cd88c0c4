//! Reading requested recordings and skeletons, on a task.

use std::path::{Path, PathBuf};

use crate::asset::ClipAsset;
use crate::session::{
    FailedLoading, Progress, RigFile, SceneBytes, Source,
    files::folder::{Expanded, expand},
    files::reader::Reader,
    files::sorting::{Sorted, sort},
};
use mutoscope_core::{
    clip::{FormatAssumptions, FormatId, VariantChoice},
    formats::{MappingFile, built_in_character, decode_skeleton},
    io::{bytes::FolderSidecars, storage},
    read::{Retarget, SkeletonChoice},
    rig::Rig,
};

/// A request to open files.
pub(in crate::session) struct OpenRequest {
    pub(in crate::session) what: OpenTarget,
    pub(in crate::session) on: SkeletonSource,
    /// How recordings are put on a skeleton, if the user chose that.
    pub(in crate::session) retarget: Option<Retarget>,
    /// The format that every file is read as, if the user sets one.
    pub(in crate::session) format: Option<FormatId>,
    /// The mapping of the columns of tables, if the user gave or chose one.
    pub(in crate::session) columns: Option<MappingFile>,
    /// The user's choices among the recording's variants.
    pub(in crate::session) variants: Vec<VariantChoice>,
    /// The user's assumptions about formats.
    pub(in crate::session) assumptions: FormatAssumptions,
    pub(in crate::session) mode: OpenMode,
    /// The content of files that were edited and not saved.
    pub(in crate::session) edited: Vec<(Source, SceneBytes)>,
}

/// The part of the current view that is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::session) enum OpenMode {
    /// The recording is seen from its start, and all of it.
    #[default]
    New,
    /// Another recording of a list is seen from where the one before was.
    KeepView,
    /// Playback goes on where it is: what is open is reloaded.
    Reload,
}

/// The files to open.
pub(in crate::session) enum OpenTarget {
    /// A recording.
    Source(Source),
    /// Files that were given together, recordings and skeletons.
    Files {
        files: Vec<PathBuf>,
        /// The recording that a skeleton alone is meant for.
        open: Option<Source>,
    },
}

/// The skeleton that a recording is put on.
pub(in crate::session) enum SkeletonSource {
    /// No skeleton but its own.
    None,
    /// The skeleton in its folder, if there is just one, and if its format keeps them there.
    Folder,
    /// This skeleton of an example, which was made for it.
    OfSample(RigFile),
    /// This skeleton, if the recording takes it.
    Attached(RigFile),
    /// The skeleton in this file.
    File(PathBuf),
}

/// The result of a request.
#[derive(Default)]
pub(in crate::session) struct Outcome {
    /// The opened recording; nothing if it failed, or if there was nothing but a skeleton.
    pub(in crate::session) opened: Option<(Source, ClipAsset)>,
    pub(in crate::session) mode: OpenMode,
    /// The recordings among the files that were given together.
    pub(in crate::session) recordings: Vec<PathBuf>,
    /// The skeleton that is attached from now on; nothing if that is as before.
    pub(in crate::session) rig: Option<RigFile>,
    /// How the recording was put on it, if the user chose that; nothing if it is on none, or could not be.
    pub(in crate::session) retarget: Option<Option<Retarget>>,
    /// The reference footage among the files that were given together.
    pub(in crate::session) footage: Option<PathBuf>,
    /// The file that could not be read or used, and why.
    pub(in crate::session) failed: Option<FailedLoading>,
}

impl OpenRequest {
    /// The name of what is being loaded, for the user.
    pub(in crate::session) fn name(&self) -> String {
        match (&self.on, &self.what) {
            (SkeletonSource::File(path), _) => name_of(path),
            (_, OpenTarget::Source(source)) => source.name(),
            (_, OpenTarget::Files { files, open }) => {
                let first = files.first().cloned().map(Source::of_path);
                first.as_ref().or(open.as_ref()).map_or_else(String::new, Source::name)
            }
        }
    }

    /// Reads and decodes everything. Yields now and then.
    pub(in crate::session) async fn run(self, progress: &Progress) -> Outcome {
        let mut outcome = Outcome { mode: self.mode, ..Outcome::default() };
        let mut on = self.on;
        let source = match self.what {
            OpenTarget::Source(source) => Some(source),
            OpenTarget::Files { files, open } => {
                match outcome.gather(files, self.format) {
                    Some(skeleton) => on = SkeletonSource::File(skeleton),
                    None if outcome.nothing_came() => return outcome,
                    None => {}
                }
                outcome.recordings.first().cloned().map(Source::of_path).or(open)
            }
        };
        let is_kept = matches!(on, SkeletonSource::Folder);
        let rig = match read_skeleton(on) {
            Ok(rig) => rig,
            Err(failed) => {
                outcome.failed = Some(failed);
                if outcome.mode == OpenMode::Reload {
                    return outcome;
                }
                None
            }
        };
        let (format, variants, assumptions) = (self.format, &self.variants, &self.assumptions);
        let edited = &self.edited;
        let columns = self.columns.as_ref();
        let reader = Reader { format, columns, variants, assumptions, progress, edited };
        let skeleton = match (&rig, &self.retarget) {
            (None, _) if is_kept => SkeletonChoice::KeptWithRecording,
            (None, _) => SkeletonChoice::Own,
            (Some(wanted), _) if wanted.is_of_sample => SkeletonChoice::IfTaken(&wanted.file.rig),
            (Some(SkeletonCandidate { file, is_asked_for, .. }), retarget) => {
                skeleton_choice(&file.rig, retarget.as_ref(), *is_asked_for)
            }
        };
        if let Some(source) = source
            && !outcome.open(source, skeleton, rig.as_ref(), &reader).await
        {
            return outcome;
        }
        outcome.rig = rig.filter(|wanted| wanted.is_asked_for).map(|wanted| wanted.file);
        outcome.retarget = Some(self.retarget);
        outcome
    }
}

/// A skeleton, and whether the recording has to take it.
struct SkeletonCandidate {
    file: RigFile,
    is_asked_for: bool,
    is_of_sample: bool,
}

/// How a recording is put on a skeleton that the user attached; `is_asked_for` if that is for this recording.
fn skeleton_choice<'a>(
    rig: &'a Rig,
    retarget: Option<&'a Retarget>,
    is_asked_for: bool,
) -> SkeletonChoice<'a> {
    match retarget {
        Some(Retarget::Off) if rig.matches_by_bones_only() => SkeletonChoice::Retargeted(rig, None),
        None if is_asked_for => SkeletonChoice::Fitting(rig),
        None => SkeletonChoice::FittingIfTaken(rig),
        Some(Retarget::Off) if is_asked_for => SkeletonChoice::Required(rig),
        Some(Retarget::Off) => SkeletonChoice::IfTaken(rig),
        Some(Retarget::Auto) => SkeletonChoice::Retargeted(rig, None),
        Some(Retarget::Map(map)) => SkeletonChoice::Retargeted(rig, Some(map)),
    }
}

impl Outcome {
    /// Sorts what was given together, and returns the skeleton among it.
    fn gather(&mut self, files: Vec<PathBuf>, format: Option<FormatId>) -> Option<PathBuf> {
        let Expanded { files, empty, footage: folder } = expand(files, format);
        let Sorted { recordings, skeletons, footage } = sort(files, format);
        self.footage = footage.into_iter().next().or(folder);
        let mut skeletons = skeletons.into_iter();
        let skeleton = skeletons.next();
        self.failed = skeletons.next().map(one_too_many).or(empty);
        if recordings.is_empty() {
            self.mode = OpenMode::Reload;
        }
        self.recordings = recordings;
        skeleton
    }

    /// Whether there is nothing to read: folders were given with nothing in them, or footage alone.
    fn nothing_came(&self) -> bool {
        self.recordings.is_empty() && (self.failed.is_some() || self.footage.is_some())
    }

    /// Opens the recording on that skeleton of a `candidate`; without one, and with a message, if it does not go on it.
    /// Whether the skeleton is of use.
    async fn open(
        &mut self,
        source: Source,
        skeleton: SkeletonChoice<'_>,
        candidate: Option<&SkeletonCandidate>,
        reader: &Reader<'_>,
    ) -> bool {
        if self.mode == OpenMode::Reload && !source.can_be_read_again() {
            let message = "it can be read only once: save it to a file, or give the skeleton \
                           with --rig";
            self.failed = Some(FailedLoading { name: source.name(), message: message.to_owned() });
            return false;
        }
        let message = match reader.load(&source, skeleton).await {
            Ok(recording) => {
                self.opened = Some((source, recording));
                return true;
            }
            Err(message) => message,
        };
        let alone = match skeleton {
            SkeletonChoice::Own => None,
            // If it opens without the skeleton, that is the reason.
            _ if source.can_be_read_again() => reader.load(&source, SkeletonChoice::Own).await.ok(),
            _ => None,
        };
        let Some(recording) = alone else {
            self.failed = Some(FailedLoading { name: source.name(), message });
            return false;
        };
        let name = candidate.map_or_else(|| source.name(), |one| one.file.rig.name.clone());
        self.failed = Some(FailedLoading { name, message });
        // What plays without the skeleton that was asked for goes on as it is.
        let is_asked_for = candidate.is_some_and(|one| one.is_asked_for);
        if !is_asked_for || self.mode != OpenMode::Reload {
            self.opened = Some((source, recording));
        }
        false
    }
}

fn one_too_many(path: PathBuf) -> FailedLoading {
    let message = "a second skeleton was given; skipped. A recording takes one".to_owned();
    FailedLoading { name: name_of(&path), message }
}

fn read_skeleton(on: SkeletonSource) -> Result<Option<SkeletonCandidate>, FailedLoading> {
    let path = match on {
        SkeletonSource::None | SkeletonSource::Folder => return Ok(None),
        SkeletonSource::OfSample(file) => {
            return Ok(Some(SkeletonCandidate { file, is_asked_for: false, is_of_sample: true }));
        }
        SkeletonSource::Attached(file) => {
            return Ok(Some(SkeletonCandidate { file, is_asked_for: false, is_of_sample: false }));
        }
        SkeletonSource::File(path) => path,
    };
    match skeleton_in(&path) {
        Ok(rig) => {
            let file = RigFile::new(rig, Some(path));
            Ok(Some(SkeletonCandidate { file, is_asked_for: true, is_of_sample: false }))
        }
        Err(message) => Err(FailedLoading { name: name_of(&path), message }),
    }
}

/// The skeleton in the file at `path`, or the built-in one that it means, or why there is none.
fn skeleton_in(path: &Path) -> Result<Rig, String> {
    if let Some(rig) = built_in_character(path) {
        return Ok(rig);
    }
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    decode_skeleton(&bytes, &name_of(path), &FolderSidecars::of_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))
}

pub(in crate::session) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
