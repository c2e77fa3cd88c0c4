//! Loads the requested recordings and skeletons in a background job.

use std::path::{Path, PathBuf};

use crate::asset::ClipAsset;
use crate::session::{
    AttachedSkeleton, FileFailure, Progress, SceneBytes, Source,
    files::folder::{ExpandedFiles, expand_folders},
    files::reader::Reader,
    files::sorting::{SortedFiles, sort_by_purpose},
};
use mutoscope_core::{
    clip::{FormatAssumptions, FormatId, VariantChoice},
    formats::{MappingFile, built_in_character, decode_skeleton},
    io::{bytes::FolderSidecars, storage},
    read::{Retarget, SkeletonChoice},
    skeleton_file::LoadedSkeleton,
};

pub(in crate::session) struct OpenRequest {
    pub(in crate::session) what: OpenTarget,
    pub(in crate::session) on: SkeletonSource,
    /// How recordings are matched with the skeleton. `None` matches nodes by name if most names
    /// match. Otherwise it matches bone by bone.
    pub(in crate::session) retarget: Option<Retarget>,
    /// The format that every file is read as. `None` recognises the format of each file.
    pub(in crate::session) format: Option<FormatId>,
    pub(in crate::session) columns: Option<MappingFile>,
    pub(in crate::session) variants: Vec<VariantChoice>,
    pub(in crate::session) assumptions: FormatAssumptions,
    pub(in crate::session) mode: OpenMode,
    pub(in crate::session) edited: Vec<(Source, SceneBytes)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::session) enum OpenMode {
    /// The recording is framed as a whole and played from its start.
    #[default]
    New,
    /// The camera and the selection stay, because the user steps from one recording of the list to
    /// another.
    KeepView,
    /// The time, the camera and the selection stay, because the recording is reloaded.
    Reload,
}

pub(in crate::session) enum OpenTarget {
    /// One recording.
    Source(Source),
    /// Files that the user gave together: recordings and skeletons.
    Files {
        files: Vec<PathBuf>,
        /// The recording to attach the skeleton to if `files` contains no recording.
        open: Option<Source>,
    },
}

pub(in crate::session) enum SkeletonSource {
    /// No skeleton in addition to the recording's own.
    None,
    /// The skeleton in the folder of the recording, if the format stores skeletons there and the
    /// folder has exactly one.
    Folder,
    /// The skeleton that comes with a sample.
    Sample(AttachedSkeleton),
    /// The skeleton that the user attached earlier. Recordings that do not support it are opened
    /// without it.
    Attached(AttachedSkeleton),
    /// The skeleton in this file, which is meant for this recording. If the recording does not
    /// support it, the user gets an error message.
    File(PathBuf),
}

#[derive(Default)]
pub(in crate::session) struct OpenOutcome {
    /// The opened recording. `None` if opening failed, or if only a skeleton was given.
    pub(in crate::session) opened: Option<(Source, ClipAsset)>,
    pub(in crate::session) mode: OpenMode,
    pub(in crate::session) recordings: Vec<PathBuf>,
    /// The skeleton to attach from now on. `None` keeps the current one.
    pub(in crate::session) skeleton: Option<AttachedSkeleton>,
    /// The method with which the nodes of the opened recording were matched, as the user chose it.
    /// The outer `None` keeps the current choice.
    pub(in crate::session) retarget: Option<Option<Retarget>>,
    pub(in crate::session) footage: Option<PathBuf>,
    pub(in crate::session) failure: Option<FileFailure>,
}

impl OpenRequest {
    pub(in crate::session) fn name(&self) -> String {
        match (&self.on, &self.what) {
            (SkeletonSource::File(path), _) => display_name(path),
            (_, OpenTarget::Source(source)) => source.name(),
            (_, OpenTarget::Files { files, open }) => {
                let first = files.first().cloned().map(Source::from_path);
                first.as_ref().or(open.as_ref()).map_or_else(String::new, Source::name)
            }
        }
    }

    pub(in crate::session) async fn run(self, progress: &Progress) -> OpenOutcome {
        let mut outcome = OpenOutcome { mode: self.mode, ..OpenOutcome::default() };
        let mut skeleton_source = self.on;
        let source = match self.what {
            OpenTarget::Source(source) => Some(source),
            OpenTarget::Files { files, open } => {
                match outcome.sort_files(files, self.format) {
                    Some(skeleton) => skeleton_source = SkeletonSource::File(skeleton),
                    None if outcome.has_nothing_to_load() => return outcome,
                    None => {}
                }
                outcome.recordings.first().cloned().map(Source::from_path).or(open)
            }
        };
        let uses_folder = matches!(skeleton_source, SkeletonSource::Folder);
        let candidate = match resolve_skeleton(skeleton_source) {
            Ok(candidate) => candidate,
            Err(failed) => {
                outcome.failure = Some(failed);
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
        let skeleton = match (&candidate, &self.retarget) {
            (None, _) if uses_folder => SkeletonChoice::KeptWithRecording,
            (None, _) => SkeletonChoice::Own,
            (Some(candidate), _) if candidate.is_from_sample => {
                SkeletonChoice::IfSupported(&candidate.file.skeleton)
            }
            (Some(SkeletonCandidate { file, is_required, .. }), retarget) => {
                skeleton_choice(&file.skeleton, retarget.as_ref(), *is_required)
            }
        };
        if let Some(source) = source
            && !outcome.open(source, skeleton, candidate.as_ref(), &reader).await
        {
            return outcome;
        }
        outcome.skeleton =
            candidate.filter(|candidate| candidate.is_required).map(|candidate| candidate.file);
        outcome.retarget = Some(self.retarget);
        outcome
    }
}

struct SkeletonCandidate {
    file: AttachedSkeleton,
    is_required: bool,
    is_from_sample: bool,
}

/// Returns how the recording is matched with a skeleton that the user attached. If `is_required` is
/// `true`, the skeleton is meant for this recording, so a mismatch is an error.
fn skeleton_choice<'a>(
    skeleton: &'a LoadedSkeleton,
    retarget: Option<&'a Retarget>,
    is_required: bool,
) -> SkeletonChoice<'a> {
    match retarget {
        Some(Retarget::Off) if skeleton.matches_by_bones_only() => {
            SkeletonChoice::Retargeted(skeleton, None)
        }
        None if is_required => SkeletonChoice::Fitting(skeleton),
        None => SkeletonChoice::FittingIfSupported(skeleton),
        Some(Retarget::Off) if is_required => SkeletonChoice::Required(skeleton),
        Some(Retarget::Off) => SkeletonChoice::IfSupported(skeleton),
        Some(Retarget::Auto) => SkeletonChoice::Retargeted(skeleton, None),
        Some(Retarget::Map(map)) => SkeletonChoice::Retargeted(skeleton, Some(map)),
    }
}

impl OpenOutcome {
    fn sort_files(&mut self, files: Vec<PathBuf>, format: Option<FormatId>) -> Option<PathBuf> {
        let ExpandedFiles { files, failure: empty, footage: folder } =
            expand_folders(files, format);
        let SortedFiles { recordings, skeletons, footage } = sort_by_purpose(files, format);
        self.footage = footage.into_iter().next().or(folder);
        let mut skeletons = skeletons.into_iter();
        let skeleton = skeletons.next();
        self.failure = skeletons.next().map(second_skeleton_failure).or(empty);
        if recordings.is_empty() {
            self.mode = OpenMode::Reload;
        }
        self.recordings = recordings;
        skeleton
    }

    fn has_nothing_to_load(&self) -> bool {
        self.recordings.is_empty() && (self.failure.is_some() || self.footage.is_some())
    }

    /// Opens the recording with `skeleton`. If that fails, opens the recording without a skeleton
    /// and reports the failure. Returns `true` if the skeleton could be used.
    async fn open(
        &mut self,
        source: Source,
        skeleton: SkeletonChoice<'_>,
        candidate: Option<&SkeletonCandidate>,
        reader: &Reader<'_>,
    ) -> bool {
        if self.mode == OpenMode::Reload && !source.is_rereadable() {
            let message = "standard input can be read only once; not reloaded. Save it to a \
                           file, or pass the skeleton with --rig";
            self.failure = Some(FileFailure { name: source.name(), message: message.to_owned() });
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
            // Try to load the recording without the skeleton. If that succeeds, the skeleton caused
            // the failure.
            _ if source.is_rereadable() => reader.load(&source, SkeletonChoice::Own).await.ok(),
            _ => None,
        };
        let Some(recording) = alone else {
            self.failure = Some(FileFailure { name: source.name(), message });
            return false;
        };
        let name = candidate.map_or_else(|| source.name(), |one| one.file.skeleton.name.clone());
        self.failure = Some(FileFailure { name, message });
        // If the user asked for this skeleton on a reload, keep the recording that is already open.
        let is_asked_for = candidate.is_some_and(|one| one.is_required);
        if !is_asked_for || self.mode != OpenMode::Reload {
            self.opened = Some((source, recording));
        }
        false
    }
}

fn second_skeleton_failure(path: PathBuf) -> FileFailure {
    let message = "a second skeleton was given; skipped. Open one skeleton at a time".to_owned();
    FileFailure { name: display_name(&path), message }
}

fn resolve_skeleton(source: SkeletonSource) -> Result<Option<SkeletonCandidate>, FileFailure> {
    let path = match source {
        SkeletonSource::None | SkeletonSource::Folder => return Ok(None),
        SkeletonSource::Sample(file) => {
            return Ok(Some(SkeletonCandidate { file, is_required: false, is_from_sample: true }));
        }
        SkeletonSource::Attached(file) => {
            return Ok(Some(SkeletonCandidate { file, is_required: false, is_from_sample: false }));
        }
        SkeletonSource::File(path) => path,
    };
    match load_skeleton(&path) {
        Ok(skeleton) => {
            let file = AttachedSkeleton::new(skeleton, Some(path));
            Ok(Some(SkeletonCandidate { file, is_required: true, is_from_sample: false }))
        }
        Err(message) => Err(FileFailure { name: display_name(&path), message }),
    }
}

fn load_skeleton(path: &Path) -> Result<LoadedSkeleton, String> {
    if let Some(skeleton) = built_in_character(path) {
        return Ok(skeleton);
    }
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    decode_skeleton(&bytes, &display_name(path), &FolderSidecars::for_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))
}

pub(in crate::session) fn display_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
