//! Tests of `convert` with a folder as input.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::commands::{program, run, run_output, with_slashes};
use mutoscope_testing::fixtures;

fn folder_with_recordings() -> (tempfile::TempDir, impl Fn(&str) -> String) {
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

fn files_below(folder: &str) -> Vec<String> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { add(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    add(Path::new(folder), &mut files);
    let below =
        |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<_> = files.iter().map(below).collect();
    files.sort();
    files
}

#[test]
fn each_kind_of_table_has_its_own_folder() {
    let (_folder, path) = folder_with_recordings();
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
    // Each table must equal that of a single conversion.
    assert_eq!(run(&["convert", &path("takes/a.bin"), "-o", &path("one.parquet")]).status, Some(0));
    for (one, all) in [("one", "poses"), ("one.signals", "signals"), ("one.events", "events")] {
        let one = fs::read(path(&format!("{one}.parquet"))).unwrap();
        assert!(one == fs::read(path(&format!("out/{all}/a.bin.parquet"))).unwrap(), "{all}");
    }
}

#[test]
fn other_targets_keep_the_folders_of_the_recordings() {
    let (_folder, path) = folder_with_recordings();
    fs::copy(fixtures::path("mrtk/bad/truncated.bin"), path("takes/cut.bin")).unwrap();
    let arguments = ["convert", "--json", "--to", "csv", &path("takes"), "-o", &path("takes/out")];
    let done = run(&arguments);
    assert_eq!(done.status, Some(1), "{}", done.err);
    assert!(with_slashes(&done.err).contains("takes/cut.bin: mrtk"), "{}", done.err);
    assert!(done.err.ends_with("2 recordings converted, 1 failed, 1 skipped (not recognised)\n"));
    let files = ["a.bin.csv", "deep/a.bin.csv"];
    assert_eq!(files_below(&path("takes/out")), files);
    let written = done.json_lines();
    let paths: Vec<_> =
        written.iter().map(|one| with_slashes(one["path"].as_str().unwrap())).collect();
    assert_eq!(paths, files.map(|file| with_slashes(&path(&format!("takes/out/{file}")))));
    assert_eq!(written[0]["target"], "csv");
    // The output folder is inside the input folder, but a second run must not convert the outputs.
    let again = run(&arguments);
    assert_eq!(again.json_lines(), written);
    assert_eq!(files_below(&path("takes/out")), files);
}

#[test]
fn folder_input_needs_a_target_and_an_output_folder() {
    let (_folder, path) = folder_with_recordings();
    let refused = run(&["convert", &path("takes"), "-o", &path("out.glb")]);
    assert_eq!(refused.status, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("a folder needs a target. Pass --to with one of glb"),
        "{}",
        refused.err
    );
    let refused = run_output(
        program(&["convert", "--to", "glb", &path("takes"), "-o", "-"]).output().unwrap(),
    );
    assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""), "{}", refused.err);
    fs::write(path("file"), "").unwrap();
    let refused = run(&["convert", "--to", "glb", &path("takes"), "-o", &path("file")]);
    assert_eq!(refused.status, Some(1), "{}", refused.err);
}

fn copy_asset(name: &str, to: String) {
    let from = Path::new(mutoscope_testing::ROOT).join("assets").join(name);
    fs::copy(from, to).unwrap();
}

/// `w.bvh` would become `w.bvh.bvh`, which is another recording of the folder. A second run would
/// then convert `w.bvh.bvh` to `w.bvh.bvh.bvh`.
#[test]
fn input_folder_is_refused_as_output() {
    let (_folder, path) = folder_with_recordings();
    for name in ["w.bvh", "w.bvh.bvh"] {
        copy_asset("bvh/walk.bvh", path(&format!("takes/{name}")));
    }
    let before = files_below(&path(""));
    let (takes, same) = (path("takes"), path("takes/deep/.."));
    for out in [&takes, &same] {
        let ran = run(&["convert", "--to", "bvh", "-o", out, &takes]);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(
            ran.err.contains("the output folder is the input folder; nothing written"),
            "{}",
            ran.err
        );
        assert_eq!(files_below(&path("")), before);
    }
}

/// The output folder contains the folder of recordings, so some outputs would have the paths of
/// recordings.
#[test]
fn outputs_among_the_recordings_are_refused() {
    let (_folder, path) = folder_with_recordings();
    fs::create_dir_all(path("takes/takes")).unwrap();
    copy_asset("bvh/walk.bvh", path("takes/takes/w.bvh"));
    copy_asset("bvh/walk.bvh", path("takes/w.bvh.bvh"));
    copy_asset("bvh/walk.bvh", path("takes/takes/v.bvh"));
    let mine = fs::read(path("takes/w.bvh.bvh")).unwrap();
    for _ in 0..2 {
        let ran = run(&["convert", "--to", "bvh", "-o", &path(""), &path("takes")]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(
            ran.err.contains("w.bvh.bvh: would overwrite a file of the folder, an input"),
            "{}",
            ran.err
        );
        assert!(
            ran.err.contains("v.bvh.bvh: the output would be among the recordings"),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("3 recordings converted, 2 failed"), "{}", ran.err);
        assert!(fs::read(path("takes/w.bvh.bvh")).unwrap() == mine);
        assert!(
            Path::new(&path("w.bvh.bvh.bvh")).exists()
                && !Path::new(&path("takes/v.bvh.bvh")).exists()
        );
    }
}

#[cfg(unix)]
#[test]
fn outputs_through_links_never_overwrite_recordings() {
    use std::os::unix::fs::symlink;

    let (_folder, path) = folder_with_recordings();
    copy_asset("bvh/walk.bvh", path("takes/deep/w.bvh"));
    copy_asset("bvh/walk.bvh", path("takes/v.bvh"));
    fs::create_dir(path("out")).unwrap();
    symlink(path("takes/deep"), path("out/deep")).unwrap();
    symlink(path("takes/deep/w.bvh"), path("out/v.bvh.csv")).unwrap();
    let before = files_below(&path("takes"));
    let ran = run(&["convert", "--to", "csv", "-o", &path("out"), &path("takes")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("1 recording converted, 3 failed"), "{}", ran.err);
    assert_eq!(files_below(&path("takes")), before);
    assert!(fs::read(path("takes/deep/w.bvh")).unwrap().starts_with(b"HIERARCHY"));
}

#[test]
fn models_next_to_recordings_are_skipped() {
    let (_folder, path) = folder_with_recordings();
    crate::commands::write_model(&path("takes/model.glb"));
    fs::write(path("takes/broken.glb"), "glTF").unwrap();
    let ran = run(&["convert", "--to", "csv", "-o", &path("out"), &path("takes")]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let summary =
        "2 recordings converted, 1 failed, 1 skipped (not recognised), 1 skipped (no animations)\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    assert!(ran.err.contains("broken.glb: ") && !ran.err.contains("model.glb"), "{}", ran.err);
}

#[test]
fn recordings_without_the_chosen_animation_are_skipped() {
    let (_folder, path) = folder_with_recordings();
    copy_asset("gltf/walker.glb", path("takes/walker.glb"));
    copy_asset("animj/arm-swing.animj", path("takes/arm.animj"));
    let pak = fixtures::path("prime-characters/warden_mp1.pak");
    fs::copy(pak, path("takes/warden.pak")).unwrap();
    let convert = |name: &str| {
        let out = path(&format!("out-{name}"));
        run(&["convert", "--to", "csv", "--animation", name, "-o", &out, &path("takes")])
    };
    let ran = convert("Greet");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let summary =
        "1 recording converted, 1 skipped (not recognised), 4 skipped (no animation \"Greet\")\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    assert_eq!(files_below(&path("out-Greet")), ["walker.glb.csv"]);
    let one = path("one.csv");
    run(&["convert", "--animation", "Greet", "-o", &one, &path("takes/walker.glb")]);
    assert!(fs::read(&one).unwrap() == fs::read(path("out-Greet/walker.glb.csv")).unwrap());
    // A name that no recording has is a mistake, and so is a name that a single given file does not
    // have.
    let ran = convert("Gret");
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("none of 5 recordings has the animation that --animation"),
        "{}",
        ran.err
    );
    let ran = run(&["convert", "--animation", "Greet", "-o", &one, &path("takes/arm.animj")]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
}

#[test]
fn minecraft_recordings_are_rewritten() {
    let (_folder, path) = folder_with_recordings();
    copy_asset("mcmocap/a-day.mcmocap_rec", path("takes/deep/day.mcmocap_rec"));
    fs::write(path("takes/scene.mcmocap_scene"), "{\"version\":5,\"subscenes\":[]}").unwrap();
    fs::write(path("takes/cut.mcmocap_rec"), [0, 0]).unwrap();
    let arguments =
        ["convert", "--json", "--to", "mcmocap_rec", "-o", &path("out"), &path("takes")];
    let ran = run(&arguments);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("cut.mcmocap_rec: "), "{}", ran.err);
    let summary = "out: 1 recording converted, 1 failed, 1 skipped (not recognised), \
                3 skipped (not Minecraft recordings)\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    assert_eq!(files_below(&path("out")), ["deep/day.mcmocap_rec.mcmocap_rec"]);
    let one = path("one.mcmocap_rec");
    let alone = run(&["convert", "--json", "-o", &one, &path("takes/deep/day.mcmocap_rec")]);
    assert_eq!(alone.json_lines()[0]["bytes"], ran.json_lines()[0]["bytes"]);
    let rewritten = fs::read(path("out/deep/day.mcmocap_rec.mcmocap_rec")).unwrap();
    assert!(rewritten == fs::read(one).unwrap());
    let ran = run(&["convert", "-o", &path("out.mcmocap_rec"), &path("takes")]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
}

#[test]
fn missing_folder_is_reported_with_the_output_path() {
    let (_folder, path) = folder_with_recordings();
    for name in ["nowhere/a.csv", "nowhere/a.parquet", "nowhere/a.glb"] {
        let ran = run(&["convert", "-o", &path(name), &path("takes/a.bin")]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        let summary =
            format!("error: {}: cannot be written: its folder does not exist\n", path(name));
        assert!(ran.err.ends_with(&summary), "{}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn stopped_batch_leaves_only_complete_files() {
    use std::process::Stdio;

    let (_folder, path) = folder_with_recordings();
    for copy in 0..500 {
        fs::hard_link(path("takes/a.bin"), path(&format!("takes/{copy:03}.bin"))).unwrap();
    }
    let arguments = ["convert", "--to", "csv", "--fps", "500", "-o", &path("out"), &path("takes")];
    let mut program = program(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    let has_output = || {
        let is_done = |name: &String| name.ends_with(".csv");
        Path::new(&path("out")).is_dir()
            && fs::read_dir(path("out")).unwrap().any(|entry| {
                entry.is_ok_and(|entry| is_done(&entry.file_name().to_string_lossy().into_owned()))
            })
    };
    while !has_output() && program.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let id = program.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ran = run_output(program.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("out: stopped; "), "{}", ran.err);
    let files = files_below(&path("out"));
    assert!(!files.is_empty() && files.len() < 500, "{}", files.len());
    assert!(files.iter().all(|name| name.ends_with(".bin.csv")), "{files:?}");
    let lines =
        |name: &String| fs::read_to_string(path(&format!("out/{name}"))).unwrap().lines().count();
    let expected = lines(&files[0]);
    assert!(files.iter().all(|name| lines(name) == expected));
}
