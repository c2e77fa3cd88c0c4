//! Tests of `check`.

use std::{collections::HashSet, fs, path::Path};

use mutoscope_core::diagnostics::CodeDescription;
use mutoscope_study::verdict::motion_checks;
use serde_json::Value;

use crate::commands::{keys, run, run_on, small_recording, with_slashes};
use mutoscope_testing::{
    fixtures,
    recording::{Keys, Recording},
};

/// Writes a profile without the checks of motion, because most fixtures have random values.
fn write_profile(folder: &Path) -> String {
    let path = folder.join("decoders.toml").to_str().unwrap().to_owned();
    let mut codes: Vec<_> = motion_checks().map(|check| check.code.as_str()).collect();
    codes.dedup();
    let off = |code: &str| format!("[codes.{code:?}]\nseverity = \"off\"\n");
    fs::write(&path, codes.into_iter().map(off).collect::<String>()).unwrap();
    path
}

/// Runs `check` without the checks of motion.
fn check_decoding(arguments: &[&str]) -> crate::commands::RunOutput {
    let folder = tempfile::tempdir().unwrap();
    let profile = write_profile(folder.path());
    run(&[&["check", "--profile", &profile], arguments].concat())
}

#[test]
fn valid_files_have_no_issues() {
    let ran = run(&["check", "ok/proc_v10.bin", "ok/proc_v11_good.bin"]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

#[test]
fn warnings_are_listed_and_exit_with_0() {
    let ran = check_decoding(&["ok"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let out = with_slashes(&ran.out);
    let starts: Vec<Vec<_>> = out.lines().map(|line| line.split(": ").take(3).collect()).collect();
    let expected: [Vec<&str>; 2] = [
        vec!["warning", "ok/proc_v11_wbug.bin", "mrtk at bytes 0x2b3..0x2c7"],
        vec!["warning", "ok/synth_v11_doc_layout.bin", "mrtk at byte 0x13"],
    ];
    assert_eq!(starts, expected);
}

/// `messages.txt` lists the messages that users see. Each file that is added to `bad` needs a line
/// there.
/// Removes the codes at the ends of the lines.
fn without_codes(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" [") {
        Some((message, code)) if code.ends_with(']') => format!("{message}\n"),
        _ => panic!("{line:?} has no code"),
    };
    text.lines().map(line).collect()
}

#[test]
fn every_broken_file_has_its_message() {
    let ran = check_decoding(&["bad"]);
    let summary = "info: bad: 14 files checked, 1 skipped (not recognised)\n";
    let expected = fs::read_to_string(fixtures::path("mrtk/bad/messages.txt")).unwrap();
    assert_eq!(without_codes(&with_slashes(&ran.out)), expected);
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), summary));
}

#[test]
fn json_keys_follow_the_order_of_the_contract() {
    let ran = check_decoding(&["--json", "bad"]);
    assert_eq!(ran.status, Some(1));
    for line in ran.out.lines() {
        assert_eq!(
            keys::object_keys(line).join(" "),
            "path format severity place message time code location data end nodes measure"
        );
    }
    let problems = ran.json_lines();
    assert_eq!(problems.len(), 14);
    let find_problem = |path: &str| {
        let has_path = |p: &&serde_json::Value| with_slashes(p["path"].as_str().unwrap()) == path;
        problems.iter().find(has_path).unwrap()
    };
    let nan = find_problem("bad/key-value-nan.bin");
    assert_eq!((nan["severity"].as_str(), nan["format"].as_str()), (Some("warning"), Some("mrtk")));
    assert_eq!(nan["place"], "bytes 0x13..0x37");
    assert_eq!(nan["time"], -0.568_675_398_826_599_1);
    let end = find_problem("bad/bytes-after-end.bin");
    assert_eq!((end["place"].as_str(), end["time"].as_f64()), (Some("byte 0x18f"), None));
}

#[test]
fn unrecognised_files_are_errors_if_named_or_with_a_recording_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name);
    fs::create_dir_all(path_to("b/deep")).unwrap();
    fs::write(path_to("a-photo.jpg"), [0xff, 0xd8, 0xff]).unwrap();
    fs::write(path_to("empty.bin"), []).unwrap();
    let mut broken = small_recording().encode();
    broken.pop();
    fs::write(path_to("b/deep/broken.bin"), &broken).unwrap();
    fs::write(path_to("c-broken.dat"), &broken).unwrap();

    let arguments = |named: &[&str]| {
        let mut arguments = vec!["check".into(), "--json".into()];
        arguments.extend(named.iter().map(|name| path_to(name).into_os_string()));
        arguments
    };
    let in_folder = run(&arguments(&[""]));
    let path_of = |p: &serde_json::Value| with_slashes(p["path"].as_str().unwrap());
    let paths: Vec<_> = in_folder.json_lines().iter().map(path_of).collect();
    let expected = ["b/deep/broken.bin", "c-broken.dat", "empty.bin"].map(path_to);
    let expected: Vec<_> =
        expected.iter().map(|path| with_slashes(path.to_str().unwrap())).collect();
    assert_eq!(paths, expected);
    let summary =
        format!("info: {}: 3 files checked, 1 skipped (not recognised)\n", path_to("").display());
    assert_eq!(in_folder.err, summary);

    let named = run(&arguments(&["a-photo.jpg", "empty.bin", "missing.bin", "c-broken.dat"]));
    assert_eq!(named.status, Some(1));
    let problems = named.json_lines();
    let formats: Vec<_> = problems.iter().map(|p| p["format"].as_str()).collect();
    assert_eq!(formats, [None, None, None, Some("mrtk")]);
    assert!(problems[..3].iter().all(|p| p["place"].is_null() && p["severity"] == "error"));
}

#[test]
fn damaged_recordings_in_a_folder_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name);
    let sound = small_recording().encode();
    for (name, bytes) in [
        ("1.animj", &b""[..]),
        ("2.animx", b"\x05Ani"),
        ("3.mcmocap_rec", b"\0"),
        ("4.anim", b"no known format"),
        ("5.bin", &sound[..5]),
        ("buffer-of-a-model.bin", &[7; 64]),
        ("sound.bin", &sound),
        ("notes.txt", b"mine"),
    ] {
        fs::write(path_to(name), bytes).unwrap();
    }
    let ran = run(&["check".into(), "--json".into(), path_to("").into_os_string()]);
    assert_eq!(ran.status, Some(1));
    let problems = ran.json_lines();
    let errors = problems.iter().filter(|problem| problem["severity"] == "error");
    let names: Vec<_> = errors
        .map(|problem| {
            problem["path"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(names, ["1.animj", "2.animx", "3.mcmocap_rec", "4.anim", "5.bin"], "{}", ran.out);
    assert!(ran.err.ends_with(": 6 files checked, 2 skipped (not recognised)\n"), "{}", ran.err);
}

/// The sparse file of 3 GB takes no space on the disk.
#[cfg(unix)]
#[test]
fn large_foreign_files_are_rejected_by_their_first_bytes() {
    use std::{fs::File, time::Duration};

    let folder = tempfile::tempdir().unwrap();
    let video = File::create(folder.path().join("video.mp4")).unwrap();
    video.set_len(3 << 30).unwrap();
    let mut program = crate::commands::program(&["check".as_ref(), folder.path().as_os_str()]);
    let mut child = program.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // If the program read the whole file, its memory would grow to the size of the file.
    let mut largest = 0_u64;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let size = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = size.and_then(|text| text.trim().split(' ').next()?.parse().ok());
        largest = largest.max(size.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    let ran = crate::commands::run_output(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.ends_with(": 0 files checked, 1 skipped (not recognised)\n"), "{}", ran.err);
    assert!(largest < 200_000, "{largest} kB");
}

#[test]
fn standard_input_can_be_checked() {
    let ran = run_on(&["check", "-"], b"\0");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.starts_with("error: -: expected a recording of a known format"), "{}", ran.out);
    let ran = run_on(&["check", "--as", "mrtk", "-"], b"\0");
    assert!(ran.out.starts_with("error: -: mrtk at byte 0x0: expected the magic"), "{}", ran.out);
}

#[test]
fn infos_are_printed_with_all() {
    let usual = run(&["check", "ok/proc_v10.bin"]);
    assert_eq!((usual.status, usual.out.as_str()), (Some(0), ""));
    let all = run(&["check", "--all", "--json", "ok/proc_v10.bin"]);
    assert_eq!((all.status, all.err.as_str()), (Some(0), ""));
    for line in all.out.lines() {
        assert_eq!(
            keys::object_keys(line).join(" "),
            "path format severity place message time code location data end nodes measure"
        );
    }
    let found = all.json_lines();
    assert!(found.iter().all(|one| one["severity"] == "info"));
    // The hand is untracked from 1.5 s to 2 s. The issue is located at the key that turns tracking
    // off.
    let lost = found.iter().find(|one| one["message"] == "left: not tracked for 0.50 s").unwrap();
    assert_eq!(
        (lost["time"].as_f64(), lost["place"].as_str()),
        (Some(1.5), Some("bytes 0xb8fc..0xb904"))
    );
}

#[test]
fn long_turn_is_reported_at_its_key() {
    let all = run(&["check", "--all", "../prime/longway_mp1_v2.ANIM"]);
    let expected = "info: ../prime/longway_mp1_v2.ANIM: prime at bytes 0x181..0x18a: \
                    bone_22.rotation: turns by 300° up to the next key, the long way round \
                    [motion/long-turn]";
    assert!(all.out.lines().any(|line| line == expected), "{}", all.out);
}

#[test]
fn decoder_diagnostics_are_not_repeated_by_checks() {
    for all in [&["bad"][..], &["--all", "bad"][..]] {
        let out = with_slashes(&check_decoding(all).out);
        let count_lines = |word: &str| out.lines().filter(|line| line.contains(word)).count();
        assert_eq!(
            (count_lines("a non-finite value"), count_lines("bad/key-value-nan.bin")),
            (1, 1),
            "{out}"
        );
        assert_eq!(count_lines("bad/keys-unsorted.bin"), 1, "{out}");
    }
}

#[test]
fn check_issues_are_added_to_decoder_diagnostics() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |odd: f32| Keys::simple(&[(0.0, 1.0), (odd, f32::INFINITY), (odd, 2.0)]);
    let path = folder.path().join("doubled.bin");
    fs::write(&path, Recording::with_gaze([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(keys)).encode())
        .unwrap();
    let ran = run(&[std::ffi::OsStr::new("check"), path.as_os_str()]);
    let count_lines = |words: &str| ran.out.lines().filter(|line| line.contains(words)).count();
    assert_eq!(
        (count_lines("a non-finite value"), count_lines("2 keys at the same time")),
        (6, 6),
        "{}",
        ran.out
    );
    assert_eq!(ran.status, Some(0));
}

#[test]
fn repeated_issues_are_counted() {
    let track = |index: usize| {
        format!(
            r#"{{"trackType":"Discrete","valueType":"int","data":{{"node":"n{index}","property":"p",
               "keyframes":[{{"time":{index},"value":1}},{{"time":{index},"value":2}}]}}}}"#
        )
    };
    for count in [20, 21, 300] {
        let tracks: Vec<_> = (0..count).map(track).collect();
        let text = format!(r#"{{"tracks":[{}]}}"#, tracks.join(","));
        let ran = run_on(&["check", "-"], text.as_bytes());
        let listed =
            ran.out.lines().filter(|line| line.contains(": 2 keys at the same time")).count();
        let counted: Vec<_> = ran.out.lines().filter(|line| line.contains("more issue")).collect();
        assert!(listed <= 21, "{}", ran.out);
        match count {
            20 => assert_eq!(counted, [""; 0]),
            21 => assert!(counted[0].contains(": 1 more issue ("), "{counted:?}"),
            _ => {
                assert!(counted.len() == 1 && counted[0].contains(" more issues ("), "{}", ran.out)
            }
        }
    }
}

#[test]
fn truncated_json_is_an_error_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name);
    let animation = "{\"name\":\"arm\",\"globalDuration\":2,\"tracks\":[]}";
    let texts = [
        ("1.json", ""),
        ("2.json", "{"),
        ("3.JSON", &animation[..20]),
        ("package.json", "{\"name\": \"mine\"}"),
        ("sound.json", animation),
    ];
    for (name, text) in texts {
        fs::write(path_to(name), text).unwrap();
    }
    let ran = run(&["check".into(), "--json".into(), path_to("").into_os_string()]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let problems = ran.json_lines();
    let errors = problems.iter().filter(|problem| problem["severity"] == "error");
    let names: Vec<_> = errors
        .map(|one| one["path"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap())
        .collect();
    assert_eq!(names, ["1.json", "2.json", "3.JSON"], "{}", ran.out);
    assert!(ran.err.ends_with(": 4 files checked, 1 skipped (not recognised)\n"), "{}", ran.err);
    for name in ["1.json", "2.json"] {
        assert_eq!(
            run(&["check".into(), path_to(name).into_os_string()]).status,
            Some(1),
            "{name}"
        );
    }
}

#[test]
fn models_next_to_recordings_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path_to("take.bin"), small_recording().encode()).unwrap();
    crate::commands::write_model(&path_to("model.glb"));
    let ran = run(&["check", &path_to("")]);
    assert_eq!(ran.status, Some(0), "{}", ran.out);
    assert!(ran.err.ends_with(": 1 file checked, 1 skipped (no animations)\n"), "{}", ran.err);
    // A broken model is an error, because it may have been a recording. A model that is named on
    // the command line is an error, because it was expected to be a recording.
    let bytes = fs::read(path_to("model.glb")).unwrap();
    fs::write(path_to("broken.glb"), &bytes[..2000]).unwrap();
    let ran = run(&["check", &path_to("")]);
    assert!(ran.status == Some(1) && ran.out.contains("broken.glb"), "{}", ran.out);
    assert_eq!(run(&["check", &path_to("model.glb")]).status, Some(1));
}

/// Set `MUTOSCOPE_UPDATE_DOCS` to write the tables.
#[test]
fn documentation_lists_every_code() {
    const START: &str = "<!-- codes -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, _) = page.split_once(START).unwrap();
    let expected = format!("{before}{START}\n{}", mutoscope_cli::code_tables());
    if std::env::var_os("MUTOSCOPE_UPDATE_DOCS").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        assert_eq!(page, expected, "the tables of docs/checks.md differ from the codes");
    }
}

#[test]
fn codes_are_unique_and_described() {
    let mut known = HashSet::new();
    for code in mutoscope_cli::registry().codes() {
        let CodeDescription { id, meaning, cause, remedy, .. } = code.description();
        assert!(known.insert(id), "{id} is declared twice");
        let is_word = |word: &str| {
            word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        assert_eq!(id.split('/').filter(|word| is_word(word)).count(), 2, "{id}");
        for text in [meaning, cause, remedy] {
            assert!(text.trim().ends_with('.'), "{id}: {text:?}");
        }
    }
}

/// The required members of SARIF 2.1.0, as section 3 of the standard lists them.
#[test]
fn sarif_log_has_rules_levels_and_regions() {
    let ran = run(&["check", "--all", "--format", "sarif", "ok/proc_v10.bin", "bad/missing.bin"]);
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.status, log["version"].as_str()), (Some(1), Some("2.1.0")));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty(), "{log}");
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let level = result["level"].as_str().unwrap();
        assert!(["note", "warning", "error"].contains(&level), "{level}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with(".bin"), "{place}");
    }
    assert_eq!(results.last().unwrap()["level"], "error");
}
