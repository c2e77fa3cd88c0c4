//! `convert` of everything below a folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::commands::{program, ran, run};
use mutoscope_testing::fixtures;

fn in_a_folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("takes/deep")).unwrap();
    for to in ["takes/a.bin", "takes/deep/a.bin"] {
        fs::copy(fixtures::path("mrtk/ok/proc_v11_good.bin"), path(to)).unwrap();
    }
    fs::write(path("takes/notes.txt"), "none").unwrap();
    (folder, path)
}

/// All files below a folder, by their paths from there.
fn files_below(folder: &str) -> Vec<String> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { add(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    add(Path::new(folder), &mut files);
    let below = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    let mut files: Vec<_> = files.iter().map(below).collect();
    files.sort();
    files
}

#[test]
fn tables_of_a_kind_are_in_a_folder_of_their_own() {
    let (_folder, path) = in_a_folder();
    let done = run(&["convert", "--to", "parquet", &path("takes"), "-o", &path("out")]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    assert!(
        done.err.ends_with("out: 2 recordings converted, 1 skipped (not recognised)\n"),
        "{}",
        done.err
    );
    let expected = ["events", "poses", "signals"]
        .map(|table| ["a.bin", "deep/a.bin"].map(|take| format!("{table}/{take}.parquet")));
    assert_eq!(files_below(&path("out")), expected.concat());
    // Each is what is written of it alone.
    assert_eq!(run(&["convert", &path("takes/a.bin"), "-o", &path("one.parquet")]).status, Some(0));
    for (one, all) in [("one", "poses"), ("one.signals", "signals"), ("one.events", "events")] {
        let one = fs::read(path(&format!("{one}.parquet"))).unwrap();
        assert!(one == fs::read(path(&format!("out/{all}/a.bin.parquet"))).unwrap(), "{all}");
    }
}

#[test]
fn other_targets_are_where_the_recordings_were() {
    let (_folder, path) = in_a_folder();
    fs::copy(fixtures::path("mrtk/bad/truncated.bin"), path("takes/cut.bin")).unwrap();
    let arguments = ["convert", "--json", "--to", "csv", &path("takes"), "-o", &path("takes/out")];
    let done = run(&arguments);
    assert_eq!(done.status, Some(1), "{}", done.err);
    assert!(done.err.contains("takes/cut.bin: mrtk"), "{}", done.err);
    assert!(done.err.ends_with("2 recordings converted, 1 failed, 1 skipped (not recognised)\n"));
    let files = ["a.bin.csv", "deep/a.bin.csv"];
    assert_eq!(files_below(&path("takes/out")), files);
    let written = done.json_lines();
    let paths: Vec<_> = written.iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, files.map(|file| path(&format!("takes/out/{file}"))));
    assert_eq!(written[0]["target"], "csv");
    // What was written is no recording of the folder.
    let again = run(&arguments);
    assert_eq!(again.json_lines(), written);
    assert_eq!(files_below(&path("takes/out")), files);
}

#[test]
fn a_folder_needs_a_target_and_a_folder() {
    let (_folder, path) = in_a_folder();
    let refused = run(&["convert", &path("takes"), "-o", &path("out.glb")]);
    assert_eq!(refused.status, Some(2), "{}", refused.err);
    assert!(refused.err.contains("it is a folder; --to takes one of glb"), "{}", refused.err);
    let refused =
        ran(program(&["convert", "--to", "glb", &path("takes"), "-o", "-"]).output().unwrap());
    assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""), "{}", refused.err);
    fs::write(path("file"), "").unwrap();
    let refused = run(&["convert", "--to", "glb", &path("takes"), "-o", &path("file")]);
    assert_eq!(refused.status, Some(1), "{}", refused.err);
}
