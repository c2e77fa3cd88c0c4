//! Folders of anything, by any names: batches and indices.
//!
//! An input is a list of files, each after a byte that says how long its name is and one that says what is in
//! it, as [`Folder::of`] reads it. The first byte chooses what is done with them.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

use clap::Parser as _;
use mutoscope_cli::{Cli, Status};
use tempfile::TempDir;

/// Contents of a file besides bytes of the input.
const CONTENTS: [&[u8]; 4] = [
    include_bytes!("../../../tests/data/bvh/chain_xyz.bvh"),
    include_bytes!("../../../tests/data/animj/rig/arm_swing.animj"),
    include_bytes!("../../../tests/data/maya/pose_no_units.anim"),
    b"{",
];

/// The targets of batches.
const TARGETS: [&str; 6] = ["bvh", "csv", "glb", "animj", "anim", "parquet"];

/// At most this many files are made.
const MANY: usize = 12;

struct Folder {
    folder: TempDir,
    options: u8,
}

impl Folder {
    /// A folder `in` with the files that `bytes` say; nothing if they say none.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (&options, mut rest) = bytes.split_first()?;
        let folder = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
        let below = folder.path().join("in");
        fs::create_dir(&below).unwrap_or_else(|error| panic!("{error}"));
        let mut files = 0;
        while let [length, content, more @ ..] = rest
            && files < MANY
        {
            let (name, after) = more.split_at(usize::from(*length % 64).min(more.len()));
            let own = usize::from(*content).min(after.len());
            let (own, after) = after.split_at(if *content < 128 { own } else { 0 });
            let held = if *content < 128 { own } else { CONTENTS[usize::from(*content % 4)] };
            rest = after;
            // What the system does not take for a name, or is a folder already, is not made.
            let Some(path) = path(name).map(|path| below.join(path)) else { continue };
            let _ = path.parent().map(fs::create_dir_all);
            files += usize::from(fs::write(path, held).is_ok());
        }
        (files > 0).then_some(Self { folder, options })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str], paths: &[(&str, &Path)]) -> Status {
        let words = arguments.iter().map(OsString::from);
        let paths = paths.iter().flat_map(|(option, path)| {
            let option = (!option.is_empty()).then(|| OsString::from(option));
            option.into_iter().chain([path.as_os_str().to_owned()])
        });
        let line = [OsString::from("mutoscope")].into_iter().chain(words).chain(paths);
        let cli = Cli::try_parse_from(line).unwrap_or_else(|error| panic!("{error}"));
        cli.run()
    }
}

/// A path below a folder, whatever the bytes are.
fn path(name: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStringExt as _;
        PathBuf::from(OsString::from_vec(name.to_vec()))
    };
    #[cfg(not(unix))]
    let path = PathBuf::from(String::from_utf8_lossy(name).into_owned());
    let plain = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let path: PathBuf = plain.take(4).collect();
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Every file below `folder`, with what is in it.
fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => all.extend(content(&path)),
            false => drop(all.insert(path.clone(), fs::read(path).unwrap_or_default())),
        }
    }
    all
}

/// Converts all of it. No input changes, and nothing is left that is not whole.
pub(super) fn batch(bytes: &[u8]) {
    let Some(folder) = Folder::of(bytes) else { return };
    let target = TARGETS[usize::from(folder.options % 8).min(TARGETS.len() - 1)];
    let to = ["out", "out", "in/out", "in"][usize::from(folder.options / 64)];
    let is_itself = to == "in";
    let (from, to) = (folder.at("in"), folder.at(to));
    let mut before = content(&from);
    // What is in the folder of the outputs is taken for these.
    before.retain(|path, _| is_itself || !path.starts_with(&to));
    for _ in 0..2 {
        let paths = [("-o", to.as_path()), ("", from.as_path())];
        let status = folder.run(&["convert", "--to", target], &paths);
        assert!(is_itself || status != Status::WrongUsage);
        let after = content(&from);
        for (path, content) in &before {
            assert!(after.get(path) == Some(content), "{} was written over", path.display());
        }
    }
    let is_part = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "part");
    let left: Vec<_> = content(&to).into_keys().filter(is_part).collect();
    assert!(left.iter().all(|path| before.contains_key(path)), "{left:?}");
}

/// Indexes all of it, twice: nothing has changed the second time.
pub(super) fn index(bytes: &[u8]) {
    let Some(folder) = Folder::of(bytes) else { return };
    let name = ["out.jsonl", "out.csv", "out.parquet"][usize::from(folder.options % 3)];
    let (from, to) = (folder.at("in"), folder.at(name));
    let paths = [("-o", to.as_path()), ("", from.as_path())];
    let mut tables = Vec::new();
    for _ in 0..2 {
        assert!(folder.run(&["index"], &paths) != Status::WrongUsage);
        tables.push(fs::read(&to).unwrap_or_else(|error| panic!("{error}")));
    }
    assert!(tables[0] == tables[1], "a second run says something else");
    let text = String::from_utf8_lossy(&tables[0]);
    assert!(!text.contains("a bug in Mutoscope"), "{text}");
}

/// A recording by itself: its row, whatever it is.
pub(super) fn row(bytes: &[u8]) {
    let folder =
        Folder { folder: TempDir::new().unwrap_or_else(|error| panic!("{error}")), options: 0 };
    let (take, to) = (folder.at("take"), folder.at("out.jsonl"));
    fs::write(&take, bytes).unwrap_or_else(|error| panic!("{error}"));
    let status = folder.run(&["index"], &[("-o", to.as_path()), ("", take.as_path())]);
    assert!(status != Status::WrongUsage);
    let text = fs::read_to_string(&to).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.starts_with('{') && !text.contains("a bug in Mutoscope"), "{text}");
}
