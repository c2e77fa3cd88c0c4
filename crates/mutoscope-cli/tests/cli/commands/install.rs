//! `scripts/install`: what it puts where, and that it takes all of it away again.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> &'static Path {
    Path::new(mutoscope_testing::ROOT)
}

/// All files below `folder`.
fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { [path].into() };
    entries.flat_map(below).collect()
}

fn install(prefix: &Path, arguments: &[&str]) {
    let mut command = Command::new(root().join("scripts/install"));
    command.args(arguments).env("PREFIX", prefix).env("BINARY", env!("CARGO_BIN_EXE_mutoscope"));
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
#[cfg(target_os = "linux")]
fn installed_files_are_removed_again() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path();
    install(prefix, &[]);
    let installed = files_below(prefix);
    for path in [
        "bin/mutoscope",
        "share/applications/mutoscope.desktop",
        "share/icons/hicolor/scalable/apps/mutoscope.svg",
        "share/mime/packages/mutoscope.xml",
        "share/thumbnailers/mutoscope.thumbnailer",
    ] {
        assert!(installed.contains(&prefix.join(path)), "{path}");
    }
    install(prefix, &["--uninstall"]);
    let is_ours = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().contains("mutoscope"))
    };
    assert_eq!(files_below(prefix).into_iter().find(is_ours), None);
}

/// The types that a file of the desktop lists.
fn listed(name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("packaging/linux").join(name)).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    line.split_terminator(';').map(str::to_owned).collect()
}

#[test]
fn desktop_entry_and_thumbnailer_list_the_types_that_are_declared() {
    let xml = std::fs::read_to_string(root().join("packaging/linux/mutoscope.xml")).unwrap();
    let declared = xml.split("<mime-type type=\"").skip(1);
    let declared: BTreeSet<_> =
        declared.map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
    assert!(declared.len() > 5);
    assert_eq!(listed("mutoscope.desktop"), declared);
    assert_eq!(listed("mutoscope.thumbnailer"), declared);
}
