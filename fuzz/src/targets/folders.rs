//! Batch conversion and indexing of folders with any files and names.
//!
//! An input is a list of files. Each file has a byte for the length of its name, a byte for its
//! content, then the name and the content, as [`Folder::from_bytes`] reads them. The first byte of
//! the input chooses the options.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

use clap::Parser as _;
use mutoscope_cli::{Cli, Status};
use tempfile::TempDir;

/// Contents of files that do not come from the input.
const CONTENTS: [&[u8]; 4] = [
    include_bytes!("../../../tests/data/bvh/chain_xyz.bvh"),
    include_bytes!("../../../tests/data/animj/rig/arm_swing.animj"),
    include_bytes!("../../../tests/data/maya/pose_no_units.anim"),
    b"{",
];

const TARGETS: [&str; 6] = ["bvh", "csv", "glb", "animj", "anim", "parquet"];

const MAX_FILES: usize = 12;

struct Folder {
    folder: TempDir,
    options: u8,
}

impl Folder {
    /// Creates a folder `in` with the files that `bytes` describe. Returns `None` if no file could
    /// be created.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&options, mut rest) = bytes.split_first()?;
        let folder = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
        let input_folder = folder.path().join("in");
        fs::create_dir(&input_folder).unwrap_or_else(|error| panic!("{error}"));
        let mut files = 0;
        while let [length, content, more @ ..] = rest
            && files < MAX_FILES
        {
            let (name, after) = more.split_at(usize::from(*length % 64).min(more.len()));
            let own = usize::from(*content).min(after.len());
            let (own, after) = after.split_at(if *content < 128 { own } else { 0 });
            let file_content =
                if *content < 128 { own } else { CONTENTS[usize::from(*content % 4)] };
            rest = after;
            // Skip names that the system rejects, or that are already a folder.
            let Some(path) = relative_path(name).map(|path| input_folder.join(path)) else {
                continue;
            };
            let _ = path.parent().map(fs::create_dir_all);
            files += usize::from(fs::write(path, file_content).is_ok());
        }
        (files > 0).then_some(Self { folder, options })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str], paths: &[(&str, &Path)]) -> Status {
        let arguments = arguments.iter().map(OsString::from);
        let paths = paths.iter().flat_map(|(option, path)| {
            let option = (!option.is_empty()).then(|| OsString::from(option));
            option.into_iter().chain([path.as_os_str().to_owned()])
        });
        let line = [OsString::from("mutoscope")].into_iter().chain(arguments).chain(paths);
        let cli = Cli::try_parse_from(line).unwrap_or_else(|error| panic!("{error}"));
        cli.run()
    }
}

/// Returns a relative path of at most four names, without `..`.
fn relative_path(name: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStringExt as _;
        PathBuf::from(OsString::from_vec(name.to_vec()))
    };
    #[cfg(not(unix))]
    let path = PathBuf::from(String::from_utf8_lossy(name).into_owned());
    let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let path: PathBuf = names.take(4).collect();
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Returns every file below `folder` and its content.
fn read_all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files.extend(read_all(&path)),
            false => drop(files.insert(path.clone(), fs::read(path).unwrap_or_default())),
        }
    }
    files
}

/// Converts the folder twice. Input files must not change, and no temporary files may be left.
pub(super) fn convert(bytes: &[u8]) {
    let Some(folder) = Folder::from_bytes(bytes) else { return };
    let target = TARGETS[usize::from(folder.options % 8).min(TARGETS.len() - 1)];
    let to = ["out", "out", "in/out", "in"][usize::from(folder.options / 64)];
    let writes_into_input = to == "in";
    let (from, to) = (folder.path("in"), folder.path(to));
    let mut before = read_all(&from);
    // Ignore files in the output folder, because the conversion may replace them.
    before.retain(|path, _| writes_into_input || !path.starts_with(&to));
    for _ in 0..2 {
        let paths = [("-o", to.as_path()), ("", from.as_path())];
        let status = folder.run(&["convert", "--to", target], &paths);
        assert!(writes_into_input || status != Status::WrongUsage);
        let after = read_all(&from);
        for (path, content) in &before {
            assert!(after.get(path) == Some(content), "{} is unchanged", path.display());
        }
    }
    let is_temporary =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "part");
    let left: Vec<_> = read_all(&to).into_keys().filter(is_temporary).collect();
    assert!(left.iter().all(|path| before.contains_key(path)), "{left:?}");
}

/// Indexes the folder twice. The second run must give the same table.
pub(super) fn index(bytes: &[u8]) {
    let Some(folder) = Folder::from_bytes(bytes) else { return };
    let name = ["out.jsonl", "out.csv", "out.parquet"][usize::from(folder.options % 3)];
    let (from, to) = (folder.path("in"), folder.path(name));
    let paths = [("-o", to.as_path()), ("", from.as_path())];
    let mut tables = Vec::new();
    for _ in 0..2 {
        assert!(folder.run(&["index"], &paths) != Status::WrongUsage);
        tables.push(fs::read(&to).unwrap_or_else(|error| panic!("{error}")));
    }
    assert!(tables[0] == tables[1], "the second run gives the same table");
    let text = String::from_utf8_lossy(&tables[0]);
    assert!(!text.contains("a bug in Mutoscope"), "{text}");
}

/// Indexes a single file with the bytes of the input. The index must have a row for it.
pub(super) fn index_row(bytes: &[u8]) {
    let folder =
        Folder { folder: TempDir::new().unwrap_or_else(|error| panic!("{error}")), options: 0 };
    let (take, to) = (folder.path("take"), folder.path("out.jsonl"));
    fs::write(&take, bytes).unwrap_or_else(|error| panic!("{error}"));
    let status = folder.run(&["index"], &[("-o", to.as_path()), ("", take.as_path())]);
    assert!(status != Status::WrongUsage);
    let text = fs::read_to_string(&to).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.starts_with('{') && !text.contains("a bug in Mutoscope"), "{text}");
}
