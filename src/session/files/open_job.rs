//! Loads the requested recordings and skeletons in a background job.

use std::path::{Path, PathBuf};

use super::{
    AttachedSkeleton, FileBytes, FileFailure, Source,
    decoding::load_recording,
    folder::{ExpandedFiles, expand_folders},
    sorting::{SortedFiles, sort_by_purpose},
};
use crate::session::{history::Edit, jobs::Progress};
use bevy::prelude::Entity;
use bevy_mutoscope::ClipAsset;
use mutoscope_core::{
    formats::{Fit, FormatId, ReadOptions, SkeletonSource},
    io::{bytes::FolderSidecars, storage},
    skeleton_file::{LoadedSkeleton, SkeletonKind},
};

/// The files to open, and the options for reading them.
pub(in crate::session) struct OpenJob {
    pub(in crate::session) target: OpenTarget,
    /// The origin of the skeleton. The job loads the skeleton and adds it to the options.
    pub(in crate::session) skeleton: SkeletonOrigin,
    pub(in crate::session) options: ReadOptions,
    pub(in crate::session) mode: OpenMode,
    /// The edited content of recordings with unsaved edits.
    pub(in crate::session) edited: Vec<(Source, FileBytes)>,
    /// The edit that the job applies. It can be undone once the recording has been read with it.
    pub(in crate::session) edit: Option<Edit>,
    /// The open recording that is read again. `None` if a file is opened.
    pub(in crate::session) reloads: Option<Entity>,
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

/// The origin of the skeleton for a recording.
pub(in crate::session) enum SkeletonOrigin {
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
    /// The way in which recordings are attached to the skeleton from now on. `None` keeps the
    /// current one.
    pub(in crate::session) fit: Option<Fit>,
    pub(in crate::session) footage: Option<PathBuf>,
    pub(in crate::session) failure: Option<FileFailure>,
    /// The edit that was applied. `None` if the recording could not be read with it.
    pub(in crate::session) edit: Option<Edit>,
}

impl OpenJob {
    pub(in crate::session) fn name(&self) -> String {
        match (&self.skeleton, &self.target) {
            (SkeletonOrigin::File(path), _) => display_name(path),
            (_, OpenTarget::Source(source)) => source.name(),
            (_, OpenTarget::Files { files, open }) => {
                let first = files.first().cloned().map(Source::from_path);
                first.as_ref().or(open.as_ref()).map_or_else(String::new, Source::name)
            }
        }
    }

    pub(in crate::session) async fn run(self, progress: &Progress) -> OpenOutcome {
        let Self { target, mut skeleton, mut options, mode, edited, edit, reloads: _ } = self;
        let mut outcome = OpenOutcome { mode, ..OpenOutcome::default() };
        let fit = options.fit.clone();
        let mut source = match target {
            OpenTarget::Source(source) => Some(source),
            OpenTarget::Files { files, open } => {
                match outcome.sort_files(files, options.format) {
                    Some(path) => skeleton = SkeletonOrigin::File(path),
                    None if outcome.has_nothing_to_load() => return outcome,
                    None => {}
                }
                outcome.recordings.first().cloned().map(Source::from_path).or(open)
            }
        };
        let is_requested = matches!(skeleton, SkeletonOrigin::File(_));
        // The user chose the fit for the skeleton that the user attached.
        if matches!(skeleton, SkeletonOrigin::Sample(_)) {
            options.fit = Fit::ByName;
        }
        options.skips_unsupported_skeleton = !is_requested;
        options.skeleton = match skeleton {
            SkeletonOrigin::Folder => SkeletonSource::Beside,
            _ => SkeletonSource::Own,
        };
        let attached = match skeleton.load() {
            Ok(attached) => attached,
            Err(failure) => {
                outcome.failure = Some(failure);
                if outcome.mode == OpenMode::Reload {
                    return outcome;
                }
                None
            }
        };
        if let Some(attached) = &attached {
            options.skeleton = SkeletonSource::Given(attached.skeleton.clone());
            // Show a character that is opened alone in its rest pose.
            if source.is_none() && attached.skeleton.kind == SkeletonKind::GLTF {
                source = attached.path.clone().map(Source::from_path);
                options.format = Some(FormatId::GLTF);
                options.skeleton = SkeletonSource::Own;
                outcome.mode = OpenMode::New;
            }
        }
        if let Some(source) = source
            && !outcome.open(source, options, is_requested, &edited, progress).await
        {
            return outcome;
        }
        outcome.skeleton = attached.filter(|_| is_requested);
        outcome.fit = Some(fit);
        outcome.edit = edit;
        outcome
    }
}

impl OpenOutcome {
    fn sort_files(&mut self, files: Vec<PathBuf>, format: Option<FormatId>) -> Option<PathBuf> {
        let ExpandedFiles { files, has_listed, failure: empty, footage: folder } =
            expand_folders(files, format);
        let SortedFiles { recordings, skeletons, footage } =
            sort_by_purpose(files, format, !has_listed);
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

    /// Opens the recording with its skeleton. If that fails, opens the recording without a skeleton
    /// and reports the failure. Returns `true` if the skeleton could be used. `is_requested` says
    /// that the user requested the skeleton for this recording.
    async fn open(
        &mut self,
        source: Source,
        options: ReadOptions,
        is_requested: bool,
        edited: &[(Source, FileBytes)],
        progress: &Progress,
    ) -> bool {
        if self.mode == OpenMode::Reload && !source.is_rereadable() {
            let message = "standard input can be read only once; not reloaded. Save it to a \
                           file, or pass the skeleton with --rig";
            self.failure = Some(FileFailure { name: source.name(), message: message.to_owned() });
            return false;
        }
        let message = match load_recording(&source, &options, edited, progress).await {
            Ok(recording) => {
                self.opened = Some((source, recording));
                return true;
            }
            Err(message) => message,
        };
        let name = options.given_skeleton().map_or_else(|| source.name(), |rig| rig.name.clone());
        // Try to load the recording without the skeleton. If that succeeds, the skeleton caused the
        // failure.
        let recording = match options.skeleton {
            SkeletonSource::Beside | SkeletonSource::Given(_) if source.is_rereadable() => {
                let options = ReadOptions { skeleton: SkeletonSource::Own, ..options };
                load_recording(&source, &options, edited, progress).await.ok()
            }
            _ => None,
        };
        let Some(recording) = recording else {
            self.failure = Some(FileFailure { name: source.name(), message });
            return false;
        };
        self.failure = Some(FileFailure { name, message });
        // If the user requested this skeleton on a reload, keep the recording that is already open.
        if !is_requested || self.mode != OpenMode::Reload {
            self.opened = Some((source, recording));
        }
        false
    }
}

fn second_skeleton_failure(path: PathBuf) -> FileFailure {
    let message = "a second skeleton was given; skipped. Open one skeleton at a time".to_owned();
    FileFailure { name: display_name(&path), message }
}

impl SkeletonOrigin {
    fn load(self) -> Result<Option<AttachedSkeleton>, FileFailure> {
        match self {
            Self::None | Self::Folder => Ok(None),
            Self::Sample(attached) | Self::Attached(attached) => Ok(Some(attached)),
            Self::File(path) => match load_skeleton(&path) {
                Ok(skeleton) => Ok(Some(AttachedSkeleton::new(skeleton, Some(path)))),
                Err(message) => Err(FileFailure { name: display_name(&path), message }),
            },
        }
    }
}

fn load_skeleton(path: &Path) -> Result<LoadedSkeleton, String> {
    if let Some(skeleton) = crate::registry().built_in_character(path) {
        return Ok(skeleton);
    }
    let bytes = storage::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    crate::registry()
        .decode_skeleton(&bytes, &display_name(path), &FolderSidecars::for_file(path))
        .map_err(|error| format!("as a skeleton: {error}"))
}

pub(in crate::session) fn display_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
