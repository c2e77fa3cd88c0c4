//! Computes previews of listed files one after the other, without opening them.
//!
//! If a single recording is opened, the recordings of its format in the same folder become the
//! list: [`Files::listed`]. Files that the user gave together already are the list. A background
//! job reads the files, and the panels show each preview as soon as it arrives.

use std::{
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, Sender},
    time::SystemTime,
};

use bevy::{platform::cell::SyncCell, prelude::*};

use super::{
    Files, ListOrigin, OpenRecordings, Source, Thumbnail,
    diagnostics::read_profile_beside,
    folder::{files_with_format_extension, folder_of, is_recording},
};
use crate::session::{
    jobs::{Job, Jobs},
    view::Settings,
};
use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::Severity,
    formats::{ReadOptions, SkeletonSource, SourceFile, decode},
    io::{
        bytes::FolderSidecars,
        storage::{self, FileMetadata},
    },
};
use mutoscope_study::{
    Quality, quality,
    verdict::{Profile, Verdict},
};

const MAX_PREVIEW_BYTES: u64 = 64 << 20;

/// The preview of a file that is not open.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePreview {
    /// The file can be played.
    Recording(RecordingPreview),
    /// The file cannot be read. The format is the one that its content suggests, if any.
    Unreadable(Option<FormatId>),
    /// The file is too large for a preview.
    TooLarge,
}

/// The summary of a recording that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingPreview {
    /// The format.
    pub format: FormatId,
    /// The duration in seconds.
    pub duration: f64,
    /// The number of tracks.
    pub tracks: usize,
    /// The size of the file in bytes.
    pub size: u64,
    /// The time at which the file was written. `None` in a browser.
    pub modified: Option<SystemTime>,
    /// The number of errors and the number of warnings in the diagnostics.
    pub errors_and_warnings: [usize; 2],
    /// The tracking loss, jerk, still stretches and clipped ends.
    pub quality: Quality,
    /// The verdict of the checks.
    pub verdict: Verdict,
    /// The thumbnail.
    pub thumbnail: Thumbnail,
}

#[derive(Clone, Debug, PartialEq)]
enum PreviewSearch {
    /// The recordings of a format in a folder.
    Siblings(PathBuf, FormatId),
    /// The recordings in these files.
    Listed(Vec<PathBuf>),
}

#[derive(Resource, Default)]
pub(in crate::session) struct Previews {
    search: Option<PreviewSearch>,
    options: PreviewOptions,
    job: Job<(), ()>,
    receiver: Option<SyncCell<Receiver<(PathBuf, FilePreview)>>>,
}

pub(in crate::session) fn update_previews(
    mut previews: ResMut<Previews>,
    mut files: ResMut<Files>,
    open: OpenRecordings,
    settings: Res<Settings>,
    jobs: Res<Jobs>,
) {
    let search = current_search(&files, &open);
    let options = PreviewOptions {
        read: ReadOptions {
            skeleton: match &files.skeleton {
                Some(attached) => SkeletonSource::Given(attached.skeleton.clone()),
                None => SkeletonSource::Beside,
            },
            skips_unsupported_skeleton: true,
            ..files.read_options(&settings)
        },
        detached_folder: files.detached_folder.clone(),
    };
    if search.is_some() && (previews.search != search || previews.options != options) {
        let is_elsewhere = previews.search != search;
        if let (true, Some(PreviewSearch::Siblings(..)), Some(Source::File(path))) =
            (is_elsewhere, &search, open.reference_source())
        {
            let path = path.clone();
            files.list_siblings_of(path);
        }
        previews.search.clone_from(&search);
        previews.options = options.clone();
        if let Some(search) = search {
            previews.start(search, options, &jobs);
        }
    }
    // Poll the job before reading the channel. If the job has ended, all its previews are then in
    // the channel.
    let has_ended = previews.job.poll().is_some();
    if let Some(receiver) = &mut previews.receiver {
        for (path, preview) in receiver.get().try_iter() {
            files.add_preview(path, preview);
        }
    }
    if has_ended {
        previews.receiver = None;
    }
}

impl Previews {
    fn start(&mut self, search: PreviewSearch, options: PreviewOptions, jobs: &Jobs) {
        let (sender, receiver) = mpsc::channel();
        self.receiver = Some(SyncCell::new(receiver));
        self.job.start(jobs, (), move |_| search.run(options, &sender));
    }
}

fn current_search(files: &Files, open: &OpenRecordings) -> Option<PreviewSearch> {
    let reference = open.reference()?;
    let Source::File(path) = reference.source else { return None };
    match files.list_origin {
        ListOrigin::Given if files.listed.len() > 1 => {
            Some(PreviewSearch::Listed(files.listed.clone()))
        }
        ListOrigin::Given | ListOrigin::Siblings => {
            Some(PreviewSearch::Siblings(folder_of(path).to_owned(), reference.clip().format))
        }
    }
}

impl PreviewSearch {
    fn run(self, options: PreviewOptions, sender: &Sender<(PathBuf, FilePreview)>) {
        let (files, format) = match self {
            Self::Siblings(folder, format) => {
                (files_with_format_extension(format, &folder), Some(format))
            }
            Self::Listed(files) => (files, None),
        };
        let mut previewer = Previewer { options, folder: None };
        for path in files {
            // Check the first bytes of the file. Otherwise files of other formats with the same
            // extension would be read to the end.
            if format.is_some() && !is_recording(&path, format) {
                continue;
            }
            let preview = previewer.preview(&path);
            let is_wanted = match (&preview, format) {
                (_, None) | (FilePreview::TooLarge, _) => true,
                (FilePreview::Recording(preview), Some(format)) => preview.format == format,
                (FilePreview::Unreadable(own), Some(format)) => *own == Some(format),
            };
            if is_wanted && sender.send((path, preview)).is_err() {
                return;
            }
        }
    }
}

/// The options with which files are opened. A preview uses the same options, so that it shows what
/// opening the file would show.
#[derive(Clone, Debug, Default)]
struct PreviewOptions {
    read: ReadOptions,
    detached_folder: Option<PathBuf>,
}

impl PartialEq for PreviewOptions {
    fn eq(&self, other: &Self) -> bool {
        let values = |options: &Self| {
            let ReadOptions { format, assumptions, fit, columns, frame_rate, .. } =
                options.read.clone();
            // Compare skeletons by pointer, because comparing their meshes would take too long.
            // Reloading a skeleton creates another pointer.
            let skeleton = options.read.given_skeleton().map(std::ptr::from_ref);
            let folder = options.detached_folder.clone();
            (format, assumptions, fit, columns, frame_rate, skeleton, folder)
        };
        values(self) == values(other)
    }
}

struct Previewer {
    options: PreviewOptions,
    /// The folder of the last file and the sidecar files in it. They are cached, so that the
    /// skeletons of a folder are searched only once.
    folder: Option<(PathBuf, FolderSidecars)>,
}

impl Previewer {
    fn preview(&mut self, path: &Path) -> FilePreview {
        let Ok(metadata) = storage::metadata(path) else { return FilePreview::Unreadable(None) };
        if metadata.size > MAX_PREVIEW_BYTES {
            return FilePreview::TooLarge;
        }
        let Ok(bytes) = storage::read(path) else { return FilePreview::Unreadable(None) };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = folder_of(path);
        if self.folder.as_ref().is_none_or(|(known, _)| known != folder) {
            self.folder = Some((folder.to_owned(), FolderSidecars::for_file(path)));
        }
        let mut file = SourceFile::new(&name, &bytes);
        if let Some((_, sidecars)) = &self.folder {
            file = file.with_sidecars(sidecars);
        }
        let PreviewOptions { read: mut options, detached_folder } = self.options.clone();
        if options.given_skeleton().is_none() && detached_folder.as_deref() == Some(folder) {
            options.skeleton = SkeletonSource::Own;
        }
        match decode(file, &options) {
            Ok(clip) => FilePreview::Recording(summarise_clip(path, clip, metadata)),
            Err(failure) => FilePreview::Unreadable(failure.format),
        }
    }
}

fn summarise_clip(path: &Path, clip: Clip, metadata: FileMetadata) -> RecordingPreview {
    let count = |severity| {
        clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    };
    RecordingPreview {
        format: clip.format,
        duration: clip.span.duration,
        tracks: clip.tracks.len(),
        size: metadata.size,
        modified: metadata.modified,
        errors_and_warnings: [Severity::Error, Severity::Warning].map(count),
        quality: quality(&clip),
        verdict: verdict(path, &clip),
        thumbnail: Thumbnail::from_clip(&clip.with_placeholder_offsets()),
    }
}

/// Returns the verdict of the profile next to the file, or of the default profile if there is no
/// valid one.
fn verdict(path: &Path, clip: &Clip) -> Verdict {
    let beside = read_profile_beside(&Source::File(path.to_owned())).and_then(Result::ok);
    let profile = beside.map_or_else(Profile::default, |(profile, _)| profile);
    Verdict::from_clip(clip, &profile)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::session::files::folder::tests::copy;
    use mutoscope_core::clip::{Assumptions, FormatAssumptions};

    fn options() -> ReadOptions {
        let skeleton = SkeletonSource::Beside;
        ReadOptions { skeleton, ..crate::session::files::default_read_options() }
    }

    fn previews(search: PreviewSearch, read: ReadOptions) -> Vec<(String, FilePreview)> {
        previews_with(search, PreviewOptions { read, detached_folder: None })
    }

    fn previews_with(search: PreviewSearch, options: PreviewOptions) -> Vec<(String, FilePreview)> {
        let (sender, previews) = mpsc::channel();
        search.run(options, &sender);
        drop(sender);
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        previews.into_iter().map(|(path, preview)| (name(path), preview)).collect()
    }

    #[test]
    fn sibling_files_have_the_same_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        copy("assets/prime/walk.ANIM", &path("walk.ANIM"));
        copy("tests/data/prime/longway_mp1_v2.ANIM", &path("spin.ANIM"));
        copy("assets/prime/walk.CINF", &path("walk.CINF"));
        copy("tests/data/maya/spec_example_4joints.anim", &path("maya.anim"));
        let bytes = fs::read(path("walk.ANIM")).unwrap();
        fs::write(path("cut.ANIM"), &bytes[..bytes.len() / 2]).unwrap();
        fs::write(path("text.ANIM"), "no animation at all").unwrap();
        let format = FormatId::PRIME;
        let previews =
            previews(PreviewSearch::Siblings(folder.path().to_owned(), format), options());
        let names: Vec<_> = previews.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["cut.ANIM", "spin.ANIM", "walk.ANIM"]);
        assert_eq!(previews[0].1, FilePreview::Unreadable(Some(format)));
        let FilePreview::Recording(preview) = &previews[2].1 else { panic!() };
        assert!((preview.duration - 2.2).abs() < 1e-3, "{}", preview.duration);
        assert_eq!((preview.format, preview.errors_and_warnings), (format, [0, 0]));
        assert!(preview.tracks > 10 && !preview.thumbnail.still.is_empty());
        assert_eq!(preview.quality.loss, Some(0.0), "a walk is never lost");
        assert!(preview.quality.jerk.is_some() && preview.quality.clipped.is_some());
    }

    #[test]
    fn given_files_are_listed_whatever_their_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "no animation at all").unwrap();
        let missing = folder.path().join("missing");
        let previews = previews(PreviewSearch::Listed(vec![path, missing]), options());
        let expected =
            ["text", "missing"].map(|name| (name.to_owned(), FilePreview::Unreadable(None)));
        assert_eq!(previews, expected);
    }

    fn recording_preview(preview: &FilePreview) -> &RecordingPreview {
        let FilePreview::Recording(preview) = preview else { panic!("{preview:?}") };
        preview
    }

    #[test]
    fn previews_use_the_chosen_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.ANIM");
        copy("assets/prime/walk.ANIM", &path);
        let open_preview = |format| {
            let options = ReadOptions { format, ..options() };
            previews(PreviewSearch::Listed(vec![path.clone()]), options).remove(0).1
        };
        assert_eq!(recording_preview(&open_preview(None)).format, FormatId::PRIME);
        assert_eq!(
            open_preview(Some(FormatId::MAYA)),
            FilePreview::Unreadable(Some(FormatId::MAYA))
        );
    }

    #[test]
    fn previews_use_the_assumptions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.animj");
        copy("assets/animj/lantern-show.animj", &path);
        let open_preview = |seconds_per_unit| {
            let assumptions = Assumptions { seconds_per_unit, ..Assumptions::default() };
            let assumptions = FormatAssumptions::for_all_formats(assumptions);
            let options = ReadOptions { assumptions, ..options() };
            recording_preview(&previews(PreviewSearch::Listed(vec![path.clone()]), options)[0].1)
                .duration
        };
        let default_duration = open_preview(None);
        assert!(
            (open_preview(Some(0.5)) - default_duration / 2.0).abs() < 1e-9,
            "{default_duration}"
        );
    }

    #[test]
    fn previews_use_the_folder_skeleton_unless_detached() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.ANIM");
        copy("assets/prime/walk.ANIM", &path);
        copy("assets/prime/walk.CINF", &folder.path().join("walk.CINF"));
        let strokes = |detached_folder| {
            let options = PreviewOptions { read: options(), detached_folder };
            let previews = previews_with(PreviewSearch::Listed(vec![path.clone()]), options);
            recording_preview(&previews[0].1).thumbnail.still.len()
        };
        assert!(strokes(None) > 10);
        assert_eq!(strokes(Some(folder.path().to_owned())), 0, "the bones have no positions");
    }
}
