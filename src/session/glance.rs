//! Looking into the files of a list, one after the other, without opening them.
//!
//! A recording that is opened on its own brings the others of its folder with it, if they are of the
//! same format: [`Files::listed`]. Files that were given together are a list already. Either way a
//! task reads them, and what it finds is there for the panels as soon as it is found.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender, TryRecvError},
    },
};

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task},
};

use super::{
    Files, Sketch, Source,
    files::Listing,
    folder::{folder_of, is_recording, named_like, only_skeleton_in},
    order::skeleton_in,
};
use crate::{
    clip::Clip,
    diagnostics::Severity,
    formats::{self, Failure, FormatId},
    player::Player,
    rig::Rig,
};

/// Larger files are listed, but not looked into, in bytes.
const LARGEST: u64 = 64 << 20;

/// What a look into a file told.
#[derive(Clone, Debug, PartialEq)]
pub enum Glance {
    /// It can be played.
    Sound(Seen),
    /// It is of this format, as far as can be told, and cannot be read.
    Broken(Option<FormatId>),
    /// It is too large to be looked into.
    Unseen,
}

/// What is in a recording that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its format.
    pub format: FormatId,
    /// How long it plays, in seconds.
    pub duration: f64,
    /// How many curves it has.
    pub tracks: usize,
    /// How many errors and how many warnings there are about it.
    pub errors_and_warnings: [usize; 2],
    /// What it looks like.
    pub sketch: Sketch,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
enum Search {
    /// The recordings of a format in a folder.
    Siblings(PathBuf, FormatId),
    /// What is in these files.
    Listed(Vec<PathBuf>),
}

/// What was looked for last, and what comes of it.
#[derive(Resource, Default)]
pub(super) struct Looking {
    search: Option<Search>,
    running: Option<Running>,
}

struct Running {
    found: Mutex<Receiver<(PathBuf, Glance)>>,
    /// Ends with it.
    _task: Task<()>,
}

impl Looking {
    /// Whether there is more to come.
    pub(super) fn is_under_way(&self) -> bool {
        self.running.is_some()
    }
}

/// Looks around whenever another list is wanted, and takes over what was found.
pub(super) fn look_around(
    mut looking: ResMut<Looking>,
    mut files: ResMut<Files>,
    open: OpenRecordings,
) {
    let search = search(&files, &open);
    if search.is_some() && looking.search != search {
        if let (Some(Search::Siblings(..)), Some(Source::File(path))) = (&search, &files.current) {
            let path = path.clone();
            files.list_siblings_of(path);
        }
        looking.search.clone_from(&search);
        let rig = files.rig.as_ref().map(|file| file.rig.clone());
        looking.running = search.map(|search| start(search, rig));
    }
    let Some(running) = &looking.running else { return };
    let Ok(found) = running.found.lock() else { return };
    let is_over = loop {
        match found.try_recv() {
            Ok((path, glance)) => files.note(path, glance),
            Err(TryRecvError::Empty) => break false,
            Err(TryRecvError::Disconnected) => break true,
        }
    };
    drop(found);
    if is_over {
        looking.running = None;
    }
}

/// What there is to look for, if a recording is open.
fn search(files: &Files, open: &OpenRecordings) -> Option<Search> {
    let Some(Source::File(path)) = &files.current else { return None };
    match files.listing {
        Listing::Given if files.given.len() > 1 => Some(Search::Listed(files.given.clone())),
        Listing::Given | Listing::Siblings => {
            Some(Search::Siblings(folder_of(path).to_owned(), open.reference()?.clip().format))
        }
    }
}

fn start(search: Search, rig: Option<Arc<Rig>>) -> Running {
    let (sender, found) = mpsc::channel();
    let task = AsyncComputeTaskPool::get().spawn(async move { search.carry_out(rig, &sender) });
    Running { found: Mutex::new(found), _task: task }
}

impl Search {
    /// Tells what it finds for as long as somebody listens.
    /// Recordings are put on the skeleton `rig`, if there is one.
    fn carry_out(self, rig: Option<Arc<Rig>>, found: &Sender<(PathBuf, Glance)>) {
        let (files, format) = match self {
            Self::Siblings(folder, format) => (named_like(format, &folder), Some(format)),
            Self::Listed(files) => (files, None),
        };
        let mut eyes = Eyes { rig, beside: HashMap::new() };
        for path in files {
            // Whatever else is called so need not be read to its end.
            if format.is_some() && !is_recording(&path, format) {
                continue;
            }
            let glance = eyes.glance(&path);
            let is_wanted = match (&glance, format) {
                (_, None) | (Glance::Unseen, _) => true,
                (Glance::Sound(seen), Some(format)) => seen.format == format,
                (Glance::Broken(own), Some(format)) => *own == Some(format),
            };
            if is_wanted && found.send((path, glance)).is_err() {
                return;
            }
        }
    }
}

/// Looks into one file after the other.
struct Eyes {
    /// The skeleton that the user attached.
    rig: Option<Arc<Rig>>,
    /// The only skeletons of folders, as far as somebody has looked.
    beside: HashMap<PathBuf, Option<Rig>>,
}

impl Eyes {
    fn glance(&mut self, path: &Path) -> Glance {
        if fs::metadata(path).is_ok_and(|metadata| metadata.len() > LARGEST) {
            return Glance::Unseen;
        }
        let Ok(bytes) = fs::read(path) else { return Glance::Broken(None) };
        match self.decode(path, &bytes) {
            Ok(clip) => Glance::Sound(seen(clip)),
            Err(failure) => Glance::Broken(failure.format),
        }
    }

    /// As it would be opened: on the skeleton that it is put on, with what lies beside it.
    fn decode(&mut self, path: &Path, bytes: &[u8]) -> Result<Clip, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let read = |named: &Path| fs::read(path.with_file_name(named));
        if let Some(rig) = &self.rig {
            return formats::decode_on_rig_if_taken(bytes, extension, None, rig, &read);
        }
        let clip = formats::decode_beside(bytes, extension, None, &read)?;
        let Some(kind) = clip.format.format().skeleton_beside() else { return Ok(clip) };
        let folder = folder_of(path);
        let find = || skeleton_in(&only_skeleton_in(folder, kind)?).ok();
        let beside = self.beside.entry(folder.to_owned()).or_insert_with(find).as_ref();
        let on_it = beside.and_then(|rig| formats::decode_on_rig(bytes, extension, None, rig).ok());
        Ok(on_it.unwrap_or(clip))
    }
}

fn seen(clip: Clip) -> Seen {
    let count = |severity| clip.notices.iter().filter(|notice| notice.severity == severity).count();
    Seen {
        format: clip.format,
        duration: clip.span.duration,
        tracks: clip.tracks.len(),
        errors_and_warnings: [Severity::Error, Severity::Warning].map(count),
        sketch: Sketch::of(&clip.with_made_up_offsets()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::folder::tests::copy;

    fn found(search: Search) -> Vec<(String, Glance)> {
        let (sender, found) = mpsc::channel();
        search.carry_out(None, &sender);
        drop(sender);
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        found.into_iter().map(|(path, glance)| (name(path), glance)).collect()
    }

    #[test]
    fn siblings_are_of_the_same_format_whatever_else_is_called_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        copy("assets/prime/walk.ANIM", &path("walk.ANIM"));
        copy("tests/data/prime/longway_mp1_v2.ANIM", &path("spin.ANIM"));
        copy("assets/prime/walk.CINF", &path("walk.CINF"));
        copy("tests/data/maya/spec_example_4joints.anim", &path("maya.anim"));
        let bytes = fs::read(path("walk.ANIM")).unwrap();
        fs::write(path("cut.ANIM"), &bytes[..bytes.len() / 2]).unwrap();
        fs::write(path("text.ANIM"), "no animation at all").unwrap();
        let format = FormatId::Prime;
        let found = found(Search::Siblings(folder.path().to_owned(), format));
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["cut.ANIM", "spin.ANIM", "walk.ANIM"]);
        assert_eq!(found[0].1, Glance::Broken(Some(format)));
        let Glance::Sound(seen) = &found[2].1 else { panic!() };
        assert!((seen.duration - 2.2).abs() < 1e-3, "{}", seen.duration);
        assert_eq!((seen.format, seen.errors_and_warnings), (format, [0, 0]));
        assert!(seen.tracks > 10 && !seen.sketch.still.is_empty());
    }

    #[test]
    fn files_that_were_given_are_listed_whatever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "no animation at all").unwrap();
        let missing = folder.path().join("missing");
        let found = found(Search::Listed(vec![path, missing]));
        let expected = ["text", "missing"].map(|name| (name.to_owned(), Glance::Broken(None)));
        assert_eq!(found, expected);
    }
}
