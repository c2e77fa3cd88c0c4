//! Previews of the files of a list, one after the other, without opening them.
//!
//! A recording that is opened on its own brings the others of its folder with it, if they are of the
//! same format: [`Files::listed`]. Files that were given together are a list already. Either way a
//! task reads them, and what it finds is there for the panels as soon as it is found.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
};

use bevy::{platform::cell::SyncCell, prelude::*};

use crate::session::{
    Files, Job, Jobs, OpenRecordings, Source, Thumbnail,
    files::Listing,
    files::folder::{folder_of, is_recording, named_like},
    files::loading::LoadingJob,
    view::settings::Settings,
};
use mutoscope_core::{
    clip::{Clip, FormatAssumptions, FormatId},
    diagnostics::Severity,
    io::{bytes::FolderSidecars, storage},
    read::{LoadRequest, SkeletonChoice, load},
    rig::Rig,
};
use mutoscope_study::{Quality, quality};

/// Larger files are listed, but not looked into, in bytes.
const LARGEST: u64 = 64 << 20;

/// The preview of a file that is not open.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePreview {
    /// It can be played.
    Recording(RecordingPreview),
    /// It seems to be of this format, and cannot be read.
    Unreadable(Option<FormatId>),
    /// It is too large to be looked into.
    TooLarge,
}

/// The content of a recording that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingPreview {
    /// Its format.
    pub format: FormatId,
    /// How long it plays, in seconds.
    pub duration: f64,
    /// How many curves it has.
    pub tracks: usize,
    /// How many errors and how many warnings there are about it.
    pub errors_and_warnings: [usize; 2],
    /// Its loss, jerk, still stretches and clipped ends.
    pub quality: Quality,
    /// Its thumbnail.
    pub thumbnail: Thumbnail,
}

/// The search for previews.
#[derive(Clone, Debug, PartialEq)]
enum Search {
    /// The recordings of a format in a folder.
    Siblings(PathBuf, FormatId),
    /// The recordings in these files.
    Listed(Vec<PathBuf>),
}

/// The last search and its results.
#[derive(Resource, Default)]
pub(in crate::session) struct Previews {
    search: Option<Search>,
    options: PreviewOptions,
    job: Job<(), ()>,
    /// The previews that the job has sent.
    found: Option<SyncCell<Receiver<(PathBuf, FilePreview)>>>,
}

/// Starts a search whenever another list is needed, and takes its results.
pub(in crate::session) fn update_previews(
    mut previews: ResMut<Previews>,
    mut files: ResMut<Files>,
    open: OpenRecordings,
    (loading, settings, jobs): (Res<LoadingJob>, Res<Settings>, Res<Jobs>),
) {
    let search = search(&files, &open);
    let options = PreviewOptions {
        format: loading.format,
        rig: files.rig.as_ref().map(|file| file.rig.clone()),
        alone_in: files.alone_in.clone(),
        assumptions: settings.format_assumptions(),
    };
    if search.is_some() && (previews.search != search || previews.options != options) {
        let is_elsewhere = previews.search != search;
        if let (true, Some(Search::Siblings(..)), Some(Source::File(path))) =
            (is_elsewhere, &search, &files.current)
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
    // Asked first: what is found before it ends is there by then.
    let has_ended = previews.job.poll().is_some();
    if let Some(found) = &mut previews.found {
        for (path, preview) in found.get().try_iter() {
            files.note(path, preview);
        }
    }
    if has_ended {
        previews.found = None;
    }
}

impl Previews {
    fn start(&mut self, search: Search, options: PreviewOptions, jobs: &Jobs) {
        let (sender, found) = mpsc::channel();
        self.found = Some(SyncCell::new(found));
        self.job.start(jobs, (), move |_| search.run(options, &sender));
    }
}

/// The search for the current listing, if a recording is open.
fn search(files: &Files, open: &OpenRecordings) -> Option<Search> {
    let Some(Source::File(path)) = &files.current else { return None };
    match files.listing {
        Listing::Given if files.given.len() > 1 => Some(Search::Listed(files.given.clone())),
        Listing::Given | Listing::Siblings => {
            Some(Search::Siblings(folder_of(path).to_owned(), open.reference()?.clip().format))
        }
    }
}

impl Search {
    /// Sends previews for as long as the receiver exists.
    fn run(self, options: PreviewOptions, found: &Sender<(PathBuf, FilePreview)>) {
        let (files, format) = match self {
            Self::Siblings(folder, format) => (named_like(format, &folder), Some(format)),
            Self::Listed(files) => (files, None),
        };
        let mut previewer = Previewer { options, folder: None };
        for path in files {
            // Other files with that extension need not be read to the end.
            if format.is_some() && !is_recording(&path, format) {
                continue;
            }
            let preview = previewer.preview(&path);
            let is_wanted = match (&preview, format) {
                (_, None) | (FilePreview::TooLarge, _) => true,
                (FilePreview::Recording(preview), Some(format)) => preview.format == format,
                (FilePreview::Unreadable(own), Some(format)) => *own == Some(format),
            };
            if is_wanted && found.send((path, preview)).is_err() {
                return;
            }
        }
    }
}

/// How files are looked into: as they would be opened.
#[derive(Clone, Debug, Default)]
struct PreviewOptions {
    /// The format that every file is read as, if the user sets one.
    format: Option<FormatId>,
    /// The skeleton that the user attached.
    rig: Option<Arc<Rig>>,
    /// The folder in which none is put on the skeleton that is kept there.
    alone_in: Option<PathBuf>,
    /// The user's assumptions about formats.
    assumptions: FormatAssumptions,
}

impl PartialEq for PreviewOptions {
    fn eq(&self, other: &Self) -> bool {
        // A skeleton that was reloaded is another one; comparing its meshes would take too long.
        self.rig.as_ref().map(Arc::as_ptr) == other.rig.as_ref().map(Arc::as_ptr)
            && self.format == other.format
            && self.alone_in == other.alone_in
            && self.assumptions == other.assumptions
    }
}

impl PreviewOptions {
    /// The skeleton that a file in `folder` is put on.
    fn skeleton(&self, folder: &Path) -> SkeletonChoice<'_> {
        match &self.rig {
            Some(rig) => SkeletonChoice::FittingIfTaken(rig),
            None if self.alone_in.as_deref() == Some(folder) => SkeletonChoice::Own,
            None => SkeletonChoice::KeptWithRecording,
        }
    }
}

/// Looks into one file after the other.
struct Previewer {
    options: PreviewOptions,
    /// The files of the folder that was looked into last: its skeletons are looked for once.
    folder: Option<(PathBuf, FolderSidecars)>,
}

impl Previewer {
    fn preview(&mut self, path: &Path) -> FilePreview {
        if storage::about(path).is_ok_and(|about| about.size > LARGEST) {
            return FilePreview::TooLarge;
        }
        let Ok(bytes) = storage::read(path) else { return FilePreview::Unreadable(None) };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = folder_of(path);
        if self.folder.as_ref().is_none_or(|(known, _)| known != folder) {
            self.folder = Some((folder.to_owned(), FolderSidecars::of_file(path)));
        }
        let mut request = LoadRequest::new(&name, &bytes);
        if let Some((_, sidecars)) = &self.folder {
            request.sidecars = sidecars;
        }
        request.format = self.options.format;
        request.skeleton = self.options.skeleton(folder);
        request.assumptions = self.options.assumptions.clone();
        request.allows_unmatched_rig = true;
        match load(&request) {
            Ok(clip) => FilePreview::Recording(preview(clip)),
            Err(failure) => FilePreview::Unreadable(failure.format),
        }
    }
}

fn preview(clip: Clip) -> RecordingPreview {
    let count = |severity| clip.notices.iter().filter(|notice| notice.severity == severity).count();
    RecordingPreview {
        format: clip.format,
        duration: clip.span.duration,
        tracks: clip.tracks.len(),
        errors_and_warnings: [Severity::Error, Severity::Warning].map(count),
        quality: quality(&clip),
        thumbnail: Thumbnail::of(&clip.with_placeholder_offsets()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::session::files::folder::tests::copy;
    use mutoscope_core::clip::Assumptions;

    fn found(search: Search, options: PreviewOptions) -> Vec<(String, FilePreview)> {
        let (sender, found) = mpsc::channel();
        search.run(options, &sender);
        drop(sender);
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        found.into_iter().map(|(path, glance)| (name(path), glance)).collect()
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
        let found =
            found(Search::Siblings(folder.path().to_owned(), format), PreviewOptions::default());
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["cut.ANIM", "spin.ANIM", "walk.ANIM"]);
        assert_eq!(found[0].1, FilePreview::Unreadable(Some(format)));
        let FilePreview::Recording(seen) = &found[2].1 else { panic!() };
        assert!((seen.duration - 2.2).abs() < 1e-3, "{}", seen.duration);
        assert_eq!((seen.format, seen.errors_and_warnings), (format, [0, 0]));
        assert!(seen.tracks > 10 && !seen.thumbnail.still.is_empty());
        assert_eq!(seen.quality.loss, Some(0.0), "a walk is never lost");
        assert!(seen.quality.jerk.is_some() && seen.quality.clipped.is_some());
    }

    #[test]
    fn given_files_are_listed_whatever_their_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "no animation at all").unwrap();
        let missing = folder.path().join("missing");
        let found = found(Search::Listed(vec![path, missing]), PreviewOptions::default());
        let expected =
            ["text", "missing"].map(|name| (name.to_owned(), FilePreview::Unreadable(None)));
        assert_eq!(found, expected);
    }

    fn sound(glance: &FilePreview) -> &RecordingPreview {
        let FilePreview::Recording(seen) = glance else { panic!("{glance:?}") };
        seen
    }

    #[test]
    fn previews_follow_the_format_that_the_user_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.ANIM");
        copy("assets/prime/walk.ANIM", &path);
        let look = |format| {
            let options = PreviewOptions { format, ..PreviewOptions::default() };
            found(Search::Listed(vec![path.clone()]), options).remove(0).1
        };
        assert_eq!(sound(&look(None)).format, FormatId::PRIME);
        assert_eq!(look(Some(FormatId::MAYA)), FilePreview::Unreadable(Some(FormatId::MAYA)));
    }

    #[test]
    fn previews_follow_what_the_user_assumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("show.animj");
        copy("assets/animj/lantern-show.animj", &path);
        let look = |seconds_per_unit| {
            let of_all = Assumptions { seconds_per_unit, ..Assumptions::default() };
            let assumptions = FormatAssumptions::of_all(of_all);
            let options = PreviewOptions { assumptions, ..PreviewOptions::default() };
            sound(&found(Search::Listed(vec![path.clone()]), options)[0].1).duration
        };
        let usual = look(None);
        assert!((look(Some(0.5)) - usual / 2.0).abs() < 1e-9, "{usual}");
    }

    #[test]
    fn previews_use_the_folder_skeleton_unless_detached() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.ANIM");
        copy("assets/prime/walk.ANIM", &path);
        copy("assets/prime/walk.CINF", &folder.path().join("walk.CINF"));
        let strokes = |alone_in| {
            let options = PreviewOptions { alone_in, ..PreviewOptions::default() };
            let found = found(Search::Listed(vec![path.clone()]), options);
            sound(&found[0].1).thumbnail.still.len()
        };
        assert!(strokes(None) > 10);
        assert_eq!(strokes(Some(folder.path().to_owned())), 0, "its bones stand nowhere");
    }
}
