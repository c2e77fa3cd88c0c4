//! Tests of `convert`: the output and the report.

use std::fs;

use crate::commands::{fixtures, run, run_on};
use mutoscope_core::{
    ReadOptions,
    read::{self, Source},
};

fn temp_folder() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().unwrap().to_owned())
}

#[test]
fn report_goes_to_standard_error_line_by_line() {
    let (_folder, path) = temp_folder();
    let out = path("out.csv");
    let ran = run(&["convert", "ok/proc_v11_good.bin", "-o", &out]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(fs::read_to_string(&out).unwrap().starts_with("time,camera.tx,"));
    for line in ran.err.lines() {
        let is_report_line = ["info", "warning"]
            .iter()
            .any(|severity| line.starts_with(&format!("{severity}: {out}: ")));
        assert!(is_report_line || line.contains("proc_v11_good.bin"), "{line}");
    }
    assert!(ran.err.contains("rows, at the times of the recording's own keys"), "{}", ran.err);
}

#[test]
fn json_report_goes_to_standard_output() {
    let (_folder, path) = temp_folder();
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
    assert!(report.iter().any(|line| line["message"] == "sampled at 10 Hz"));
    assert_eq!(report.len(), ran.err.lines().filter(|line| line.contains("out.GLB: ")).count());
}

#[test]
fn exact_pages_keep_every_key() {
    let (_folder, path) = temp_folder();
    let (near, exact) = (path("near.html"), path("exact.html"));
    let within = run(&["convert", "ok/proc_v11_good.bin", "-o", &near]);
    assert!(within.err.contains("positions within 0.100 mm"), "{}", within.err);
    let every = run(&["convert", "--exact", "ok/proc_v11_good.bin", "-o", &exact]);
    assert!(every.err.contains("every key is kept"), "{}", every.err);
    assert_eq!([within.status, every.status], [Some(0); 2]);
    let pages = [near, exact].map(|page| fs::read_to_string(page).unwrap());
    assert!(pages.iter().all(|page| page.starts_with("<!doctype html>")));
    assert!(pages[0].len() < pages[1].len());
}

#[test]
fn whole_viewer_is_embedded_in_a_page() {
    const ARM: &str = "../../../assets/animj/arm-swing.animj";
    const RIG: &str = "../../../assets/animj/arm-swing.glb";
    let (folder, path) = temp_folder();
    let (dist, out) = (path("dist"), path("full.html"));
    let full = format!("--full={dist}");
    let arguments = ["convert", ARM, "--rig", RIG, "--range", "0.5..2", "-o", &out, &full];
    let ran = run(&arguments);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("--full=DIST") && ran.err.contains("scripts/web"), "{}", ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // Use the real page with a program that does nothing, because the viewer is not built for this
    // test.
    let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
    fs::create_dir(&dist).unwrap();
    for name in ["page.css", "page.js"] {
        fs::copy(format!("{web}/{name}"), format!("{dist}/{name}")).unwrap();
    }
    fs::write(format!("{dist}/mutoscope_bg.wasm"), b"\0asm\x01\0\0\0").unwrap();
    fs::write(format!("{dist}/mutoscope.js"), "let wasm_bindgen;\n").unwrap();
    fs::write(format!("{dist}/index.html"), "<html></html>\n").unwrap();
    let ran = run(&arguments);
    assert!(ran.status == Some(1) && ran.err.contains("another version"), "{}", ran.err);
    fs::copy(format!("{web}/index.html"), format!("{dist}/index.html")).unwrap();
    let ran = run(&arguments);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("for the viewer"), "{}", ran.err);
    let page = fs::read_to_string(&out).unwrap();
    let contents = page.split_once("\"mutoscope-contents\">").unwrap().1.split_once("</script>");
    let contents: serde_json::Value = serde_json::from_str(contents.unwrap().0).unwrap();
    let link = serde_json::json!([
        ["file", "arm-swing.animj"],
        ["rig", "arm-swing.glb"],
        ["range", "0.5..2"]
    ]);
    assert_eq!(contents["link"], link);
    assert_eq!(contents["files"], serde_json::json!(["arm-swing.animj", "arm-swing.glb"]));
    for (wrong, words) in [
        (&["-o", &path("full.glb")][..], "--full is for html"),
        (&["-o", &path("full.mcmocap_rec")], "--full is for html"),
        (&["-o", &out, "--exact"], "cannot be used with"),
        (&["-o", &out, "--animation", "Wave"], "--full cannot be combined with"),
    ] {
        let ran = run(&[&["convert", ARM, &full][..], wrong].concat());
        assert!(ran.status == Some(2) && ran.err.contains(words), "{wrong:?}: {}", ran.err);
    }
}

#[test]
fn several_recordings_play_on_one_page() {
    const WALK: &str = "../../../assets/bvh/walk.bvh";
    const WALKER: &str = "../../../assets/gltf/walker.glb";
    let (folder, path) = temp_folder();
    let (one, two) = (path("one.html"), path("two.html"));
    assert_eq!(run(&["convert", WALK, "-o", &one]).status, Some(0));
    let both = run(&["convert", WALK, "--against", WALKER, "--offset", "0.5", "-o", &two]);
    assert_eq!(both.status, Some(0), "{}", both.err);
    let [one, two] = [one, two].map(|page| fs::read_to_string(page).unwrap());
    let blocks = |page: &str| page.matches("data-mutoscope-block=").count();
    assert!(blocks(&two) > blocks(&one), "{} and {}", blocks(&two), blocks(&one));

    // The page contains the timing, so other timing options give another page.
    let other = path("other.html");
    let times: [&[&str]; 3] = [&[], &["--offset", "0.25"], &["--align"]];
    let pages = times.map(|timing| {
        let ran = run(&[&["convert", WALK, "--against", WALK, "-o", &other][..], timing].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        fs::read_to_string(&other).unwrap()
    });
    assert!(pages[0] != pages[1] && pages[1] != two);
    assert!(pages[0] == pages[2], "aligning a recording with itself must not move it");

    // These are rejected: a range in which the other recording does not play, targets that hold a
    // single recording, and an input as the output.
    let apart = path("apart.html");
    let range = ["--offset", "10", "--range", "0..1"];
    let ran = run(&[&["convert", WALK, "--against", WALKER, "-o", &apart][..], &range].concat());
    assert!(ran.status == Some(1) && ran.err.contains("does not play within"), "{}", ran.err);
    let ran = run(&["convert", WALK, "--against", WALKER, "-o", &path("both.glb")]);
    assert!(ran.status == Some(2) && ran.err.contains("--against is for html"), "{}", ran.err);
    let input = path("take.html");
    fs::copy(format!("{}/assets/bvh/walk.bvh", mutoscope_testing::ROOT), &input).unwrap();
    let ran = run(&["convert", WALK, "--against", &input, "-o", &input]);
    assert!(ran.status == Some(1) && ran.err.contains("recording"), "{}", ran.err);
    let ran = run(&["convert", WALK, "--against", WALKER, "-o", &path("both.mcmocap_rec")]);
    assert!(ran.status == Some(2) && ran.err.contains("--against is for html"), "{}", ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn standard_input_and_output_are_accepted() {
    let input = fixtures::mrtk_file("synth_v11_gaze_only.bin");
    let ran = run_on(&["convert", "-", "-o", "-", "--to", "csv"], &input);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("time,"));
}

#[test]
fn wrong_usage_is_reported_and_writes_nothing() {
    let (folder, path) = temp_folder();
    for arguments in [
        vec!["convert", "ok/proc_v11_good.bin", "-o", "-"],
        vec!["convert", "ok/proc_v11_good.bin", "-o", &path("out.obj")],
        vec!["convert", "ok/proc_v11_good.bin", "--ascii", "-o", &path("out.glb")],
        vec!["convert", "ok/proc_v11_good.bin", "-o", &path("out")],
        vec!["convert", "ok/proc_v11_good.bin", "--exact", "-o", &path("out.csv")],
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
fn every_target_list_is_complete() {
    let (_folder, path) = temp_folder();
    let (none, other) = (path("out"), path("out.obj"));
    for output in [vec!["-"], vec![&none], vec![&other], vec![&other, "--to", "obj"]] {
        let ran = run(&[&["convert", "ok/proc_v11_good.bin", "-o"][..], &output].concat());
        assert_eq!(ran.status, Some(2), "{output:?}");
        for target in [
            "glb",
            "fbx",
            "vrma",
            "html",
            "csv",
            "animj",
            "animx",
            "anim",
            "bvh",
            "mrtk",
            "prime",
            "parquet",
            "arrow",
            "mcap",
            "mcmocap_rec",
        ] {
            assert!(ran.err.contains(target), "{output:?}: {}", ran.err);
        }
    }
}

#[test]
fn every_animation_of_a_file_gets_a_file() {
    let (folder, path) = temp_folder();
    let pak = fixtures::path("prime-characters/warden_mp1.pak");
    let pak = pak.to_str().unwrap();
    let into = folder.path().to_str().unwrap();
    let ran = run(&["convert", pak, "--to", "animx", "--compression", "none", "-o", into]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 8);
    let one = path("one.animx");
    let chosen = ["--compression", "none", "--animation", "B_walk", "-o", &one];
    let ran = run(&[&["convert", pak][..], &chosen].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(fs::read(&one).unwrap() == fs::read(path("B_walk.animx")).unwrap());
}

#[test]
fn animations_become_takes_of_one_fbx() {
    let (folder, path) = temp_folder();
    let walker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/gltf/walker.glb");
    let names = |fbx: &str| -> Vec<String> {
        let options = ReadOptions::from(mutoscope_cli::registry());
        let listed = read::list_animations(&Source::File(fbx.into()), &options).unwrap();
        listed.into_iter().map(|animation| animation.name).collect()
    };
    let chosen = path("chosen.fbx");
    let ran = run(&["convert", walker, "--takes", "--animation", "Greet", "-o", &chosen]);
    assert!(ran.status == Some(0) && ran.err.contains("takes: Greet, Walk"), "{}", ran.err);
    assert_eq!(names(&chosen), ["Greet", "Walk"]);

    let recordings = folder.path().join("recordings");
    fs::create_dir(&recordings).unwrap();
    fs::copy(walker, recordings.join("walker.glb")).unwrap();
    let (from, to) = (recordings.to_str().unwrap(), path("out"));
    let ran = run(&["convert", from, "--takes", "--to", "fbx", "-o", &to]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(names(&path("out/walker.glb.fbx")), ["Walk", "Greet"]);

    let refused = path("refused.fbx");
    let ran = run(&["convert", walker, "--takes", "--range", "0..1", "-o", &refused]);
    assert!(ran.status == Some(1) && ran.err.contains("a range belongs to one"), "{}", ran.err);
    let input = fs::read(walker).unwrap();
    let ran = run_on(&["convert", "-", "--takes", "-o", &refused], &input);
    assert!(ran.status == Some(1) && ran.err.contains("read only once"), "{}", ran.err);
    assert!(!fs::exists(&refused).unwrap());
}

#[test]
fn options_of_a_target_are_wrong_usage_for_others() {
    let (_folder, path) = temp_folder();
    let output = path("out.glb");
    for option in [["--mrtk-version", "1.0"], ["--compression", "none"], ["--prime-format", "0"]] {
        let ran = run(&["convert", "ok/proc_v11_good.bin", "-o", &output, option[0], option[1]]);
        assert_eq!(ran.status, Some(2), "{option:?}");
        assert!(ran.err.contains(option[0]) && !fs::exists(&output).unwrap(), "{}", ran.err);
    }
}

#[test]
fn options_that_change_the_motion_are_checked_and_reported() {
    let (_folder, path) = temp_folder();
    let walk = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/bvh/walk.bvh");
    let convert = |output: &str, options: &[&str]| {
        run(&[&["convert", walk, "-o", &path(output)][..], options].concat())
    };
    let bvh = &["--in-place", "root", "--up", "z", "--forward", "-x", "--rest", "t-pose"];
    let ran = convert("out.bvh", &[&bvh[..], &["--scale", "0.5"]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let text = fs::read_to_string(path("out.bvh")).unwrap();
    assert!(text.starts_with("HIERARCHY\nROOT root\n"), "{text}");
    for reported in ["Z up", "a root node of its own", "T-pose", "multiplied by 0.5"] {
        assert!(ran.err.contains(reported), "{reported}: {}", ran.err);
    }
    // The skeleton is attached to an ANIM to find its root, but not to a GLB.
    let prime = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/prime/walk.ANIM");
    let rig = prime.replace("ANIM", "CINF");
    let options = ["--rig", &rig, "--in-place", "remove"];
    let glb = path("prime.glb");
    let steps = [
        (prime, &path("out.ANIM"), &options[..]),
        (prime, &glb, &options[..2]),
        (&glb, &path("again.ANIM"), &options[..]),
    ];
    for (source, output, options) in steps {
        let ran = run(&[&["convert", source, "-o", output], options].concat());
        assert_eq!(ran.status, Some(0), "{output}: {}", ran.err);
    }
    let wrong = [
        ["--in-place", "yes"],
        ["--up", "w"],
        ["--rest", "nan"],
        ["--scale", "0"],
        ["--scale", "-1"],
        ["--scale", "NaN"],
    ];
    for option in wrong {
        let ran = convert("wrong.bvh", &option);
        assert_eq!(ran.status, Some(2), "{option:?}: {}", ran.err);
    }
    let refused = [
        ("wrong.bvh", ["--up", "-y", "--forward", "y"], "option-invalid"),
        ("wrong.bvh", ["--rest", "9e9", "--in-place", "keep"], "option-invalid"),
        ("wrong.glb", ["--up", "z", "--in-place", "keep"], "option-not-supported"),
        ("wrong.html", ["--up", "z", "--against", walk], "option-not-supported"),
        ("wrong.csv", ["--rest", "0", "--in-place", "keep"], "option-not-supported"),
    ];
    for (output, options, code) in refused {
        let ran = convert(output, &options);
        assert_eq!(ran.status, Some(1), "{options:?}: {}", ran.err);
        assert!(ran.err.trim_end().ends_with(&format!("[export/{code}]")), "{}", ran.err);
        assert!(!fs::exists(path(output)).unwrap());
    }
}

#[test]
fn refusals_and_losses_have_codes() {
    let (_folder, path) = temp_folder();
    let (anim, bin) = (path("out.anim"), path("out.bin"));
    let ran = run(&["convert", "ok/proc_v11_good.bin", "--to", "prime", "-o", &anim]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.trim_end().ends_with("[export/skeleton-required]"), "{}", ran.err);
    let arguments =
        ["convert", "ok/proc_v11_good.bin", "--mrtk-version", "1.0", "--json", "-o", &bin];
    let ran = run(&arguments);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let mut codes = report["report"].as_array().unwrap().iter().map(|remark| &remark["code"]);
    assert!(codes.any(|code| code == "export/parts-skipped"), "{}", ran.out);
}

#[test]
fn capital_anim_with_a_cinf_selects_metroid_prime() {
    let (_folder, path) = temp_folder();
    let file = |name: &str| fixtures::path(name).to_str().unwrap().to_owned();
    let (walk, rig) = (file("prime/walk_mp1_v2.ANIM"), file("prime/rig_mp1.CINF"));
    let (prime, maya) = (path("out.ANIM"), path("out.anim"));
    for output in [&prime, &maya] {
        assert_eq!(run(&["convert", &walk, "--rig", &rig, "-o", output]).status, Some(0));
    }
    assert!(fs::read(&prime).unwrap() == fixtures::prime_file("walk_mp1_v2.ANIM"));
    assert!(fs::read(&maya).unwrap().starts_with(b"animVersion"));
}

#[test]
fn input_files_are_never_overwritten() {
    let (folder, path) = temp_folder();
    let recording = fixtures::resonite_file("rig/arm_swing.animj");
    let skeleton = fixtures::resonite_file("rig/arm.glb");
    let (own, rig) = (path("own.animj"), path("rig.glb"));
    fs::write(&own, &recording).unwrap();
    fs::write(&rig, &skeleton).unwrap();
    let above = folder.path().join("../").join(folder.path().file_name().unwrap());
    let other_way = above.join("own.animj").to_str().unwrap().to_owned();
    let cases = [
        (vec!["convert", &own, "-o", &own], "the recording"),
        (vec!["convert", &own, "-o", &other_way], "the recording"),
        (vec!["convert", &own, "--rig", &rig, "-o", &rig], "the skeleton"),
    ];
    for (arguments, what) in cases {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{arguments:?}");
        let expected =
            format!("would overwrite {what}, an input; nothing written. Name another file\n");
        assert!(ran.err.ends_with(&expected), "{}", ran.err);
    }
    assert_eq!(fs::read(&own).unwrap(), recording);
    assert_eq!(fs::read(&rig).unwrap(), skeleton);
}

#[cfg(target_os = "linux")]
#[test]
fn redirected_input_is_never_overwritten() {
    use std::{fs::File, process::Stdio};

    let (_folder, path) = temp_folder();
    let recording = fixtures::mrtk_file("synth_v11_gaze_only.bin");
    let own = path("own.csv");
    fs::write(&own, &recording).unwrap();
    let input = || Stdio::from(File::open(&own).unwrap());
    let mut program = crate::commands::program(&["convert", "-", "-o", &own]);
    let ran = crate::commands::run_output(program.stdin(input()).output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("would overwrite the recording, an input"), "{}", ran.err);
    let output = Stdio::from(File::options().append(true).open(&own).unwrap());
    let mut program = crate::commands::program(&["convert", &own, "-o", "-", "--to", "csv"]);
    let ran = crate::commands::run_output(
        program.stdout(output).stderr(Stdio::piped()).output().unwrap(),
    );
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert_eq!(fs::read(&own).unwrap(), recording);
}

#[test]
fn convert_rejects_video_targets() {
    let (folder, path) = temp_folder();
    for (name, what) in [("out.gif", "Animated GIF"), ("out.MP4", "MP4"), ("out.frames", "PNG")] {
        let ran = run(&["convert", "ok/proc_v11_good.bin", "-o", &path(name)]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains(what) && ran.err.contains("convert cannot write"), "{}", ran.err);
    }
    let ran = run(&["convert", "ok/proc_v11_good.bin", "-o", &path("out"), "--to", "gif"]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The export must take long enough that a signal arrives before its end.
#[cfg(unix)]
fn long_recording() -> String {
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
    format!(r#"{{"tracks":[{}]}}"#, tracks.join(","))
}

/// Starts a long export, sends the signal when the output file appears, and returns the result.
#[cfg(unix)]
fn run_with_signal(
    signal: &str,
    start: impl Fn(&[&str]) -> std::process::Command,
) -> crate::commands::RunOutput {
    use std::{process::Command, time::Duration};

    let (folder, path) = temp_folder();
    fs::write(path("long.animj"), long_recording()).unwrap();
    let mut program = start(&["convert", &path("long.animj"), "-o", &path("out.glb")])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    while files() < 2 && program.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args([signal, &program.id().to_string()]).status().unwrap();
    assert!(
        sent.success() || program.try_wait().unwrap().is_some(),
        "the signal did not reach the running program"
    );
    let ran = crate::commands::run_output(program.wait_with_output().unwrap());
    let written = usize::from(ran.status == Some(0));
    assert_eq!(files(), 1 + written, "a partial output was left in the folder");
    ran
}

#[cfg(unix)]
#[test]
fn interrupted_export_leaves_no_file() {
    for signal in ["-INT", "-TERM", "-HUP", "-QUIT"] {
        // On a busy machine the export may end before the signal arrives, so try several times.
        let mut tries = (0..10).map(|_| run_with_signal(signal, program_with_default_hang_up));
        let ran = tries
            .find(|ran| ran.status != Some(0))
            .expect("no signal arrived before the end of an export");
        assert_eq!(ran.status, Some(1), "{signal}: {}", ran.err);
        assert!(ran.err.ends_with("out.glb: cancelled\n"), "{signal}: {}", ran.err);
    }
}

/// Terminals start programs that react to hang-ups, but the test runner may ignore them, and its
/// children inherit that.
#[cfg(unix)]
fn program_with_default_hang_up(arguments: &[&str]) -> std::process::Command {
    let mut program = crate::commands::program(arguments);
    mutoscope_testing::signals::reset_hang_up_handler(&mut program);
    program
}

/// A program under `nohup` must outlive its terminal.
#[cfg(unix)]
#[test]
fn ignored_hang_up_signal_stays_ignored() {
    let ran = run_with_signal("-HUP", |arguments| {
        let mut command = std::process::Command::new("nohup");
        command.arg(env!("CARGO_BIN_EXE_mutoscope-cli")).args(arguments);
        command.stdin(std::process::Stdio::null());
        command
    });
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}
