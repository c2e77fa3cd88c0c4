//! Looking into the files of a list, one after the other, without opening them.
//!
//! A recording that is opened on its own brings the others of its folder with it, if they are of the
//! same format: [`Files::listed`]. Files that were given together are a list already. Either way a
//! task reads them, and what it finds is there for the panels as soon as it is found.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        mpsc::{self, Receiver, Sender, TryRecvError},
    },
};

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task},
};

use super::{
    Files, Source,
    files::Listing,
    folder::{folder_of, is_recording, named_like},
};
use crate::{
    formats::{self, FormatId},
    player::Player,
};

/// Larger files are listed, but not looked into, in bytes.
const LARGEST: u64 = 64 << 20;

/// What a look into a file told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Glance {
    /// It can be played.
    Sound {
        /// Its format.
        format: FormatId,
        /// How long it plays, in seconds.
        duration: f64,
    },
    /// It is of this format, as far as can be told, and cannot be read.
    Broken(Option<FormatId>),
    /// It is too large to be looked into.
    Unseen,
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
    player: Res<Player>,
) {
    let search = search(&files, &player);
    if search.is_some() && looking.search != search {
        if let (Some(Search::Siblings(..)), Some(Source::File(path))) = (&search, &files.current) {
            let path = path.clone();
            files.list_siblings_of(path);
        }
        looking.search.clone_from(&search);
        looking.running = search.map(start);
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
fn search(files: &Files, player: &Player) -> Option<Search> {
    let Some(Source::File(path)) = &files.current else { return None };
    match files.listing {
        Listing::Given if files.given.len() > 1 => Some(Search::Listed(files.given.clone())),
        Listing::Given | Listing::Siblings => {
            Some(Search::Siblings(folder_of(path).to_owned(), player.clip()?.format))
        }
    }
}

fn start(search: Search) -> Running {
    let (sender, found) = mpsc::channel();
    let task = AsyncComputeTaskPool::get().spawn(async move { search.carry_out(&sender) });
    Running { found: Mutex::new(found), _task: task }
}

impl Search {
    /// Tells what it finds for as long as somebody listens.
    fn carry_out(self, found: &Sender<(PathBuf, Glance)>) {
        let (files, format) = match self {
            Self::Siblings(folder, format) => (named_like(format, &folder), Some(format)),
            Self::Listed(files) => (files, None),
        };
        for path in files {
            // Whatever else is called so need not be read to its end.
            if format.is_some() && !is_recording(&path, format) {
                continue;
            }
            let glance = glance(&path);
            let is_wanted = match (glance, format) {
                (_, None) | (Glance::Unseen, _) => true,
                (Glance::Sound { format: own, .. }, Some(format)) => own == format,
                (Glance::Broken(own), Some(format)) => own == Some(format),
            };
            if is_wanted && found.send((path, glance)).is_err() {
                return;
            }
        }
    }
}

fn glance(path: &Path) -> Glance {
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > LARGEST) {
        return Glance::Unseen;
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let Ok(bytes) = fs::read(path) else { return Glance::Broken(None) };
    match formats::decode(&bytes, extension, None) {
        Ok(clip) => Glance::Sound { format: clip.format, duration: clip.span.duration },
        Err(failure) => Glance::Broken(failure.format),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::folder::tests::copy;

    fn found(search: Search) -> Vec<(String, Glance)> {
        let (sender, found) = mpsc::channel();
        search.carry_out(&sender);
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
        copy("tests/data/maya/spec_example_4joints.anim", &path("maya.anim"));
        let bytes = fs::read(path("walk.ANIM")).unwrap();
        fs::write(path("cut.ANIM"), &bytes[..bytes.len() / 2]).unwrap();
        fs::write(path("text.ANIM"), "no animation at all").unwrap();
        let format = FormatId::Prime;
        let found = found(Search::Siblings(folder.path().to_owned(), format));
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["cut.ANIM", "spin.ANIM", "walk.ANIM"]);
        assert_eq!(found[0].1, Glance::Broken(Some(format)));
        let Glance::Sound { format: FormatId::Prime, duration } = found[2].1 else { panic!() };
        assert!((duration - 2.2).abs() < 1e-3, "{duration}");
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
