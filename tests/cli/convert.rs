//! `convert`: what is written, and what is said of it.

use std::fs;

use crate::{fixtures, run, run_on};

fn in_a_folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().unwrap().to_owned())
}

#[test]
fn the_report_goes_to_standard_error_line_by_line() {
    let (_folder, path) = in_a_folder();
    let out = path("out.csv");
    let ran = run(&["convert", "ok/proc_v11_good.bin", "-o", &out]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(fs::read_to_string(&out).unwrap().starts_with("time,camera.tx,"));
    for line in ran.err.lines() {
        let is_in_form = ["info", "warning"]
            .iter()
            .any(|severity| line.starts_with(&format!("{severity}: {out}: ")));
        assert!(is_in_form || line.contains("proc_v11_good.bin"), "{line}");
    }
    assert!(ran.err.contains("rows, at the times of the recording's own keys"), "{}", ran.err);
}

#[test]
fn json_tells_the_same_on_standard_output() {
    let (_folder, path) = in_a_folder();
    let out = path("out.GLB");
    let ran = run(&[
        "convert",
        "--json",
        "--range=0.5..1",
        "--fps",
        "10",
        "ok/proc_v11_good.bin",
        "-o",
        &out,
    ]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let [line] = ran.json_lines().try_into().unwrap();
    assert_eq!(line["path"], out.as_str());
    assert_eq!(line["target"], "glb");
    assert_eq!(line["bytes"], fs::metadata(&out).unwrap().len());
    let report = line["report"].as_array().unwrap();
    assert!(report.iter().any(|said| said["message"] == "sampled 10 times a second"));
    assert_eq!(report.len(), ran.err.lines().filter(|line| line.contains("out.GLB: ")).count());
}

#[test]
fn standard_input_and_output_will_do() {
    let input = fixtures::one_mrtk("synth_v11_gaze_only.bin");
    let ran = run_on(&["convert", "-", "-o", "-", "--to", "csv"], &input);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("time,"));
}

#[test]
fn wrong_usage_is_told_and_nothing_is_written() {
    let (folder, path) = in_a_folder();
    for arguments in [
        vec!["convert", "ok/proc_v11_good.bin", "-o", "-"],
        vec!["convert", "ok/proc_v11_good.bin", "-o", &path("out.fbx")],
        vec!["convert", "ok/proc_v11_good.bin", "-o", &path("out")],
        vec!["convert", "ok/proc_v11_good.bin", "--json", "-o", "-", "--to", "csv"],
        vec!["convert", "ok/proc_v11_good.bin", "-o", &path("out.csv"), "--fps", "0"],
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_recording_is_not_written_over_itself() {
    let (_folder, path) = in_a_folder();
    let own = path("own.csv");
    fs::write(&own, fixtures::one_mrtk("synth_v11_gaze_only.bin")).unwrap();
    let ran = run(&["convert", &own, "-o", &own]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.ends_with("it is the recording itself: nothing written\n"), "{}", ran.err);
    assert_eq!(fs::read(&own).unwrap(), fixtures::one_mrtk("synth_v11_gaze_only.bin"));
}

/// Interrupted at the keyboard, it clears away what is half written.
#[cfg(unix)]
#[test]
fn what_is_interrupted_leaves_nothing_behind() {
    use std::{process::Command, time::Duration};

    let (folder, path) = in_a_folder();
    let keys: Vec<_> = (0..200_000)
        .map(|key| format!(r#"{{"time":{}.5,"value":{{"x":{},"y":0,"z":0}}}}"#, key, key % 7))
        .collect();
    let track = |node: usize| {
        format!(
            r#"{{"trackType":"Curve","valueType":"float3","data":{{"node":"n{node}","property":"Position",
               "keyframes":[{}]}}}}"#,
            keys.join(",")
        )
    };
    let tracks: Vec<_> = (0..8).map(track).collect();
    fs::write(path("long.animj"), format!(r#"{{"tracks":[{}]}}"#, tracks.join(","))).unwrap();
    let mut program = crate::program(&["convert", &path("long.animj"), "-o", &path("out.glb")])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let is_begun = || fs::read_dir(folder.path()).unwrap().count() > 1;
    while !is_begun() && program.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
    assert!(killed.success(), "it is still at work");
    let ended = program.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.ends_with("out.glb: cancelled\n"), "{said}");
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["long.animj"]);
}
