//! Files that are open, being opened, or failed to open.

use std::{borrow::Cow, collections::HashMap, path::PathBuf, sync::Arc};

use alphanumeric_sort::compare_path;
use bevy::prelude::*;

use crate::session::{FilePreview, FileSort, Progress, SAMPLES, files::folder::folder_of};
use mutoscope_core::{
    export::InputFiles,
    formats::MappingFile,
    io::bytes::MemorySidecars,
    playback::Direction,
    read::{self, MemoryFile, Retarget},
    rig::Rig,
};

/// Files that are open, being opened, or failed to open.
#[derive(Resource, Clone, Debug, Default)]
pub struct Files {
    /// Where the recording that plays came from.
    pub current: Option<Source>,
    /// Where the recordings came from that are compared with it, in order.
    pub compared: Vec<Source>,
    /// Recordings that are being opened for comparison.
    pub adding: Option<Loading>,
    /// The skeleton that the user attached last: what is opened goes on it, if it takes it.
    pub rig: Option<RigFile>,
    /// How recordings are put on it, if the user chose that; else by the names of nodes if most match, and bone
    /// by bone if not.
    pub retarget: Option<Retarget>,
    /// The mapping of the columns of tables, if the user gave one for all.
    pub columns: Option<MappingFile>,
    /// The folder in which the user detached the skeleton: none of its recordings is put on it
    /// again.
    pub alone_in: Option<PathBuf>,
    /// The recordings that were open, in this run and before, the latest first.
    pub recent: Vec<PathBuf>,
    /// The files that `[` and `]` step through.
    pub given: Vec<PathBuf>,
    /// The origin of the list.
    pub listing: Listing,
    /// Their previews, as far as they are known.
    pub previews: HashMap<PathBuf, FilePreview>,
    /// How many previews came so far: what is computed from them holds until it grows.
    pub noted: u64,
    /// The order in which they are shown and stepped through.
    pub sort: FileSort,
    /// The recording that is being loaded.
    pub loading: Option<Loading>,
    /// The last confirmation for the user.
    pub confirmation: Confirmation,
    /// The last failure, until it is dismissed or something else is opened.
    pub failed: Option<FailedLoading>,
    /// The last file that could not be written, until it is dismissed.
    pub unwritten: Option<FailedLoading>,
    /// Why a link opens nothing, until it is dismissed or something else is opened.
    pub refused_link: Option<String>,
}

/// The origin of the list of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// The user gave them, one by one or together.
    #[default]
    Given,
    /// They are in the folder of one that the user gave, and of its format.
    Siblings,
}

/// A confirmation with its number, as the same text may come again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    /// The number of confirmations so far.
    pub number: u32,
    /// The words.
    pub words: String,
}

impl Files {
    /// Shows a confirmation.
    pub fn say(&mut self, words: String) {
        self.confirmation = Confirmation { number: self.confirmation.number + 1, words };
    }

    /// Notes `recordings` as those to step through, or a single one as one more of them.
    pub(in crate::session) fn remember(&mut self, mut recordings: Vec<PathBuf>) {
        recordings.retain(|path| Source::of_path(path.clone()).can_be_read_again());
        match &recordings[..] {
            [] => {}
            [one] if self.given.contains(one) => {}
            [_] if self.listing == Listing::Given => self.given.append(&mut recordings),
            _ => {
                self.listing = Listing::Given;
                self.given = recordings;
            }
        }
    }

    /// The index of the file to step to from the one that is open, skipping those that are known to
    /// be broken.
    pub(in crate::session) fn next(&self, direction: Direction) -> Option<usize> {
        let order = self.order();
        let is_open = |index: &usize| matches!(&self.current, Some(Source::File(open)) if *open == self.given[*index]);
        let open = order.iter().position(is_open);
        let is_sound = |index: &&usize| {
            !matches!(self.previews.get(&self.given[**index]), Some(FilePreview::Unreadable(_)))
        };
        let next = match (open, direction) {
            (None, _) => order.iter().find(is_sound),
            (Some(open), Direction::Forward) => order[open + 1..].iter().find(is_sound),
            (Some(open), Direction::Backward) => order[..open].iter().rfind(is_sound),
        };
        next.copied()
    }

    /// The folder of what is open, if that is a file.
    pub(in crate::session) fn folder(&self) -> Option<PathBuf> {
        match &self.current {
            Some(Source::File(path)) => Some(folder_of(path).to_owned()),
            _ => None,
        }
    }

    /// Begins a list of what is in the same folder as the file at `path`.
    pub(in crate::session) fn list_siblings_of(&mut self, path: PathBuf) {
        self.listing = Listing::Siblings;
        self.given = vec![path];
        self.previews.clear();
    }

    /// Notes the preview of the file at `path`, and adds it to the list if needed.
    pub(in crate::session) fn note(&mut self, path: PathBuf, glance: FilePreview) {
        if !self.given.contains(&path) {
            let comes_before = |one: &PathBuf| compare_path(one, &path).is_lt();
            let place = self.given.partition_point(comes_before);
            self.given.insert(place, path.clone());
        }
        self.previews.insert(path, glance);
        self.noted += 1;
    }
}

/// A skeleton, and where it comes from.
#[derive(Clone, Debug)]
pub struct RigFile {
    /// The skeleton.
    pub rig: Arc<Rig>,
    /// Its file, if there is one that can be read again.
    pub path: Option<PathBuf>,
}

impl RigFile {
    /// The skeleton, as it was read from the file at `path`, if from any.
    pub fn new(rig: Rig, path: Option<PathBuf>) -> Self {
        Self { rig: Arc::new(rig), path }
    }
}

impl Files {
    /// The files that are open, which no export may write over.
    pub(in crate::session) fn inputs(&self) -> InputFiles {
        let mut inputs = InputFiles::default();
        for source in self.current.iter().chain(&self.compared) {
            if let Source::File(path) = source {
                inputs.add(path, "an open recording");
            }
        }
        let rig = self.rig.as_ref().and_then(|rig| rig.path.as_deref());
        rig.into_iter().for_each(|path| inputs.add(path, "the skeleton"));
        inputs
    }
}

/// Where a recording comes from.
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
    /// The file at `path`, or standard input if it is `-`.
    pub fn of_path(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path) }
    }

    /// Where it is read from.
    pub(in crate::session) fn to_read(&self) -> read::Source {
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

    /// Its name, for the user.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            Self::Stdin => "standard input".to_owned(),
            Self::Sample(index) => SAMPLES[*index].name.to_owned(),
        }
    }

    /// The path whose folder other files are proposed in: that of its file; without a file, its name. A
    /// browser has its own folder for downloads, so there it is the name alone.
    pub fn path_for_others(&self) -> PathBuf {
        match self {
            Self::File(path) if !cfg!(target_family = "wasm") => path.clone(),
            Self::File(path) => path.file_name().map_or_else(|| path.clone(), PathBuf::from),
            other => other.name().into(),
        }
    }

    /// Whether reading it a second time gives the same again.
    pub fn can_be_read_again(&self) -> bool {
        *self != Self::Stdin
    }
}

/// A recording that is being loaded.
#[derive(Clone, Debug)]
pub struct Loading {
    /// Its name, for the user.
    pub name: String,
    /// How far it is.
    pub progress: Progress,
}

/// A file that could not be loaded, or written.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedLoading {
    /// Its name, for the user.
    pub name: String,
    /// Why, with the place.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{RecordingPreview, Thumbnail};
    use mutoscope_core::formats::FormatId;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    fn sound() -> FilePreview {
        FilePreview::Recording(RecordingPreview {
            format: FormatId::PRIME,
            duration: 1.0,
            tracks: 1,
            errors_and_warnings: [0, 0],
            quality: mutoscope_study::Quality::default(),
            thumbnail: Thumbnail::default(),
        })
    }

    #[test]
    fn siblings_join_the_list_in_the_order_of_their_names() {
        let mut files = Files::default();
        files.list_siblings_of("takes/take 9.ANIM".into());
        for name in ["takes/take 10.ANIM", "takes/take 9.ANIM", "takes/take 1.ANIM"] {
            files.note(name.into(), sound());
        }
        let expected = paths(&["takes/take 1.ANIM", "takes/take 9.ANIM", "takes/take 10.ANIM"]);
        assert_eq!((files.given, files.previews.len()), (expected, 3));
    }

    #[test]
    fn file_stepping_skips_broken_files_and_stops_at_the_ends() {
        let mut files = Files { given: paths(&["a", "b", "c", "d"]), ..Files::default() };
        files.note("b".into(), FilePreview::Unreadable(None));
        files.note("c".into(), sound());
        let mut next = |open: &str, direction| {
            files.current = Some(Source::File(open.into()));
            files.next(direction)
        };
        assert_eq!(next("a", Direction::Forward), Some(2));
        assert_eq!(next("c", Direction::Backward), Some(0));
        assert_eq!(next("c", Direction::Forward), Some(3), "not looked into yet");
        assert_eq!(next("b", Direction::Forward), Some(2), "opened by a click");
        assert_eq!((next("d", Direction::Forward), next("a", Direction::Backward)), (None, None));
        assert_eq!(next("elsewhere", Direction::Backward), Some(0));
    }

    #[test]
    fn given_files_form_a_list_and_foreign_files_end_it() {
        let mut files = Files::default();
        files.remember(paths(&["a", "b"]));
        files.remember(paths(&["b"]));
        files.remember(paths(&["c"]));
        assert_eq!(files.given, paths(&["a", "b", "c"]));
        files.list_siblings_of("d/1".into());
        files.note("d/2".into(), sound());
        files.remember(paths(&["d/2"]));
        assert_eq!((files.given.len(), files.listing), (2, Listing::Siblings));
        files.remember(paths(&["e"]));
        assert_eq!((files.given, files.listing), (paths(&["e"]), Listing::Given));
    }
}
