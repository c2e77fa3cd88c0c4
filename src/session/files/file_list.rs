//! The files that are open, are being opened or failed to open, and the list to step through.

use std::{borrow::Cow, collections::HashMap, path::PathBuf, sync::Arc};

use alphanumeric_sort::compare_path;
use bevy::prelude::*;

use super::{FilePreview, FileSort};
use crate::session::{jobs::Progress, samples::SAMPLES, view::Settings};
use mutoscope_core::{
    export::InputFiles,
    formats::ReadOptions,
    io::bytes::MemorySidecars,
    playback::Direction,
    read::{self, MemoryFile},
    skeleton_file::LoadedSkeleton,
};

/// The files that are open, are being opened or failed to open, and the list to step through.
#[derive(Resource, Clone, Debug, Default)]
pub struct Files {
    /// The recording that is being opened for comparison.
    pub loading_compared: Option<Loading>,
    /// The skeleton that the user attached last. Recordings that support it are attached to it.
    pub skeleton: Option<AttachedSkeleton>,
    /// The options for reading files, without the skeleton and the assumptions.
    pub options: ReadOptions,
    /// The folder of the recording from which the user detached the skeleton. The skeleton in this
    /// folder is no longer attached to recordings of this folder.
    pub detached_folder: Option<PathBuf>,
    /// The files that `[` and `]` step through.
    pub listed: Vec<PathBuf>,
    /// The origin of the list of files.
    pub list_origin: ListOrigin,
    /// The previews of listed files that were computed so far.
    pub previews: HashMap<PathBuf, FilePreview>,
    /// The number of previews that were added so far. A value that was computed from the previews
    /// is outdated if this number has changed.
    pub preview_count: u64,
    /// The order in which listed files are shown and stepped through.
    pub sort: FileSort,
    /// The recording that is being loaded.
    pub loading: Option<Loading>,
    /// The most recent confirmation message for the user.
    pub confirmation: Confirmation,
    /// The last failure, until the user dismisses it or opens something else.
    pub failure: Option<FileFailure>,
    /// The last file that could not be written, until the user dismisses the message.
    pub write_failure: Option<FileFailure>,
    /// Why the last link was refused, until the user dismisses the message or opens something else.
    pub refused_link: Option<String>,
}

/// The origin of the list of files to step through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrigin {
    /// The user gave the files, together or one by one.
    #[default]
    Given,
    /// The user gave one file, and the others are in its folder and have its format.
    Siblings,
}

/// A message that confirms an action. The number distinguishes a new message from an earlier one
/// with the same text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    /// The number of confirmations so far.
    pub number: u32,
    /// The text.
    pub text: String,
    /// The file that was written, if the user may want to see its folder.
    pub written: Option<PathBuf>,
}

impl Files {
    /// Returns the options for reading files with the assumptions of the `settings`.
    pub(in crate::session) fn read_options(&self, settings: &Settings) -> ReadOptions {
        ReadOptions { assumptions: settings.format_assumptions(), ..self.options.clone() }
    }

    /// Adds the listed recordings to the files that no output may replace.
    pub(in crate::session) fn add_listed_to(&self, inputs: &mut InputFiles) {
        for path in &self.listed {
            inputs.add(path, "a listed recording");
        }
    }

    /// Shows a confirmation.
    pub fn notify(&mut self, text: String) {
        let number = self.confirmation.number + 1;
        self.confirmation = Confirmation { number, text, written: None };
    }

    /// Shows a confirmation that a file was written.
    pub(in crate::session) fn notify_written(&mut self, text: String, written: PathBuf) {
        self.notify(text);
        self.confirmation.written = Some(written);
    }

    /// Makes `recordings` the list to step through. A single recording is appended instead if the
    /// user gave the files of the list.
    pub(in crate::session) fn add_to_list(&mut self, mut recordings: Vec<PathBuf>) {
        recordings.retain(|path| Source::from_path(path.clone()).is_rereadable());
        match &recordings[..] {
            [] => {}
            [path] if self.listed.contains(path) => {}
            [_] if self.list_origin == ListOrigin::Given => self.listed.append(&mut recordings),
            _ => {
                self.list_origin = ListOrigin::Given;
                self.listed = recordings;
            }
        }
    }

    /// Returns the index of the listed file after or before the open one.
    pub(in crate::session) fn adjacent_file(
        &self,
        open: Option<&Source>,
        direction: Direction,
    ) -> Option<usize> {
        let order = self.sorted_indices();
        let is_open = |index: &usize| matches!(open, Some(Source::File(open)) if *open == self.listed[*index]);
        let open = order.iter().position(is_open);
        let is_sound = |index: &&usize| {
            !matches!(self.previews.get(&self.listed[**index]), Some(FilePreview::Unreadable(_)))
        };
        let next = match (open, direction) {
            (None, _) => order.iter().find(is_sound),
            (Some(open), Direction::Forward) => order[open + 1..].iter().find(is_sound),
            (Some(open), Direction::Backward) => order[..open].iter().rfind(is_sound),
        };
        next.copied()
    }

    pub(in crate::session) fn list_siblings_of(&mut self, path: PathBuf) {
        self.list_origin = ListOrigin::Siblings;
        self.listed = vec![path];
        self.previews.clear();
    }

    pub(in crate::session) fn add_preview(&mut self, path: PathBuf, preview: FilePreview) {
        if !self.listed.contains(&path) {
            let comes_before = |other: &PathBuf| compare_path(other, &path).is_lt();
            let index = self.listed.partition_point(comes_before);
            self.listed.insert(index, path.clone());
        }
        self.previews.insert(path, preview);
        self.preview_count += 1;
    }
}

/// A skeleton that recordings are attached to, and its file.
#[derive(Clone, Debug)]
pub struct AttachedSkeleton {
    /// The skeleton.
    pub skeleton: Arc<LoadedSkeleton>,
    /// The file, or `None` if the skeleton cannot be read again.
    pub path: Option<PathBuf>,
}

impl AttachedSkeleton {
    /// Returns `skeleton` as it was read from the file at `path`.
    pub fn new(skeleton: LoadedSkeleton, path: Option<PathBuf>) -> Self {
        Self { skeleton: Arc::new(skeleton), path }
    }
}

/// The source of a recording.
#[derive(Component, Clone, Debug, PartialEq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, which can be read only once.
    Stdin,
    /// The embedded sample with this index.
    Sample(usize),
}

impl Source {
    /// Returns the file at `path`, or standard input if `path` is `-`.
    pub fn from_path(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path) }
    }

    pub(in crate::session) fn to_read_source(&self) -> read::Source {
        match self {
            Self::File(path) => read::Source::File(path.clone()),
            Self::Stdin => read::Source::Stdin,
            Self::Sample(index) => read::Source::Memory(MemoryFile {
                name: self.name(),
                bytes: Arc::new(Cow::Borrowed(SAMPLES[*index].bytes)),
                sidecars: MemorySidecars::default(),
            }),
        }
    }

    /// Returns the name that the user sees.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            Self::Stdin => "standard input".to_owned(),
            Self::Sample(index) => SAMPLES[*index].name.to_owned(),
        }
    }

    /// Returns the path that the paths of output files are derived from: the path of the file, or
    /// the name of the source if it has no file. In a browser the path is only a name, because
    /// downloads go to the browser's own folder.
    pub fn output_base_path(&self) -> PathBuf {
        match self {
            Self::File(path) if !cfg!(target_family = "wasm") => path.clone(),
            Self::File(path) => path.file_name().map_or_else(|| path.clone(), PathBuf::from),
            other => other.name().into(),
        }
    }

    /// Returns the path of a file next to the recording: `take.areas.txt` for `take.bin` and
    /// `.areas.txt`.
    pub(in crate::session) fn sidecar_path(&self, ending: &str) -> PathBuf {
        let path = self.output_base_path();
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(ending);
        path.with_file_name(name)
    }

    /// Returns `true` if the source can be read again. Standard input can be read only once.
    pub fn is_rereadable(&self) -> bool {
        *self != Self::Stdin
    }
}

/// A recording that is being loaded.
#[derive(Clone, Debug)]
pub struct Loading {
    /// The name that the user sees.
    pub name: String,
    /// The progress of the job.
    pub progress: Progress,
}

/// A file that could not be loaded or written.
#[derive(Clone, Debug, PartialEq)]
pub struct FileFailure {
    /// The name that the user sees.
    pub name: String,
    /// The reason, with the location in the file if it is known.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::files::{RecordingPreview, Thumbnail};
    use mutoscope_core::formats::FormatId;
    use mutoscope_study::verdict::Verdict;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    fn readable_preview() -> FilePreview {
        FilePreview::Recording(RecordingPreview {
            format: FormatId::PRIME,
            duration: 1.0,
            tracks: 1,
            size: 1 << 20,
            modified: None,
            errors_and_warnings: [0, 0],
            quality: mutoscope_study::Quality::default(),
            verdict: Verdict::default(),
            thumbnail: Thumbnail::default(),
        })
    }

    #[test]
    fn siblings_are_listed_in_natural_order() {
        let mut files = Files::default();
        files.list_siblings_of("takes/take 9.ANIM".into());
        for name in ["takes/take 10.ANIM", "takes/take 9.ANIM", "takes/take 1.ANIM"] {
            files.add_preview(name.into(), readable_preview());
        }
        let expected = paths(&["takes/take 1.ANIM", "takes/take 9.ANIM", "takes/take 10.ANIM"]);
        assert_eq!((files.listed, files.previews.len()), (expected, 3));
    }

    #[test]
    fn file_stepping_skips_broken_files_and_stops_at_the_ends() {
        let mut files = Files { listed: paths(&["a", "b", "c", "d"]), ..Files::default() };
        files.add_preview("b".into(), FilePreview::Unreadable(None));
        files.add_preview("c".into(), readable_preview());
        let next = |open: &str, direction| {
            files.adjacent_file(Some(&Source::File(open.into())), direction)
        };
        assert_eq!(next("a", Direction::Forward), Some(2));
        assert_eq!(next("c", Direction::Backward), Some(0));
        assert_eq!(next("c", Direction::Forward), Some(3), "no preview yet");
        assert_eq!(
            next("b", Direction::Forward),
            Some(2),
            "an unreadable file can be opened by a click"
        );
        assert_eq!((next("d", Direction::Forward), next("a", Direction::Backward)), (None, None));
        assert_eq!(next("elsewhere", Direction::Backward), Some(0));
    }

    #[test]
    fn given_files_form_a_list_and_foreign_files_end_it() {
        let mut files = Files::default();
        files.add_to_list(paths(&["a", "b"]));
        files.add_to_list(paths(&["b"]));
        files.add_to_list(paths(&["c"]));
        assert_eq!(files.listed, paths(&["a", "b", "c"]));
        files.list_siblings_of("d/1".into());
        files.add_preview("d/2".into(), readable_preview());
        files.add_to_list(paths(&["d/2"]));
        assert_eq!((files.listed.len(), files.list_origin), (2, ListOrigin::Siblings));
        files.add_to_list(paths(&["e"]));
        assert_eq!((files.listed, files.list_origin), (paths(&["e"]), ListOrigin::Given));
    }
}
