//! Tests of `scripts/install`, which installs files and removes them again. The script is for Linux
//! only.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> &'static Path {
    Path::new(mutoscope_testing::ROOT)
}

fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { [path].into() };
    entries.flat_map(below).collect()
}

fn install(prefix: &Path, arguments: &[&str]) {
    let mut command = Command::new(root().join("scripts/install"));
    command
        .args(arguments)
        .env("PREFIX", prefix)
        .env("BINARY", env!("CARGO_BIN_EXE_mutoscope-cli"));
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn uninstall_removes_all_installed_files() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path();
    install(prefix, &[]);
    let installed = files_below(prefix);
    for path in [
        "bin/mutoscope",
        "share/applications/mutoscope.desktop",
        "share/applications/mutoscope-link.desktop",
        "share/icons/hicolor/scalable/apps/mutoscope.svg",
        "share/mime/packages/mutoscope.xml",
        "share/thumbnailers/mutoscope.thumbnailer",
        "share/bash-completion/completions/mutoscope",
        "share/zsh/site-functions/_mutoscope",
        "share/fish/vendor_completions.d/mutoscope.fish",
        "share/man/man1/mutoscope.1",
        "share/man/man1/mutoscope-convert.1",
    ] {
        assert!(installed.contains(&prefix.join(path)), "{path}");
    }
    install(prefix, &["--uninstall"]);
    let is_ours = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().contains("mutoscope"))
    };
    assert_eq!(files_below(prefix).into_iter().find(is_ours), None);
}

/// Runs `scripts/run` without a display and returns the names of the pictures. A script that only
/// prints the path of the picture replaces the viewer.
fn picture_names(files: &[&str]) -> Vec<String> {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    let folder = tempfile::tempdir().unwrap();
    let script = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("bin/cargo", ":");
    script("bin/dpkg-query", "echo installed");
    script("target/debug/mutoscope", r#"echo "$3" >>"$TMPDIR/written""#);
    let path =
        format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(root().join("scripts/run"));
    command.args(files).env("PATH", path).env("TMPDIR", folder.path());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let ended = command.env("CARGO_TARGET_DIR", folder.path().join("target")).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let written = fs::read_to_string(folder.path().join("written")).unwrap();
    assert_eq!(
        written,
        String::from_utf8(ended.stdout).unwrap(),
        "the script must print the paths of the pictures"
    );
    let name = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
    written.lines().map(name).collect()
}

#[test]
fn every_sample_has_a_picture_of_its_own() {
    let assert_distinct = |files: &[&str], count: usize| {
        let names = picture_names(files);
        let distinct: BTreeSet<&String> = names.iter().collect();
        assert_eq!((names.len(), distinct.len()), (2 * count, 2 * count), "{names:?}");
        names
    };
    let names =
        assert_distinct(&["a/walk.bvh", "b/walk.ANIM", "c/walk.bvh", "d/walk-strip.bvh"], 4);
    assert_eq!(names[..3], ["walk.png", "walk-strip.png", "walk.ANIM.png"]);
    // Without arguments, the script draws the samples. Two of them are walks, and one is a model
    // with animations.
    let samples = assert_distinct(&[], 9);
    assert!(samples.contains(&"walker.png".to_owned()), "{samples:?}");
}

fn listed_mime_types(name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("packaging/linux").join(name)).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    line.split_terminator(';').map(str::to_owned).collect()
}

#[test]
fn desktop_entry_and_thumbnailer_list_the_declared_types() {
    let xml = std::fs::read_to_string(root().join("packaging/linux/mutoscope.xml")).unwrap();
    let declared = xml.split("<mime-type type=\"").skip(1);
    let declared: BTreeSet<_> =
        declared.map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
    assert!(declared.len() > 5);
    assert_eq!(listed_mime_types("mutoscope.thumbnailer"), declared);
    // Desktops already declare the types of glTF, and other programs draw its thumbnails.
    let gltf = ["model/gltf-binary", "model/gltf+json"].map(str::to_owned);
    assert_eq!(listed_mime_types("mutoscope.desktop"), declared.into_iter().chain(gltf).collect());
}

#[test]
fn link_handlers_pass_one_link_that_is_never_an_option() {
    assert_eq!(
        listed_mime_types("mutoscope-link.desktop"),
        ["x-scheme-handler/mutoscope".to_owned()].into()
    );
    let read = |path: &str| std::fs::read_to_string(root().join("packaging").join(path)).unwrap();
    let entry = read("linux/mutoscope-link.desktop");
    assert!(entry.contains("\nExec=mutoscope -- %u\n") && entry.contains("\nNoDisplay=true\n"));
    assert!(read("windows/installer.nsi").contains(r#"'"$INSTDIR\mutoscope.exe" -- "%1"'"#));
}
