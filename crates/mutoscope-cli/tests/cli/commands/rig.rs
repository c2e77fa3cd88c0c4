//! Tests of `--rig`.

use crate::commands::run;

const EXAMPLE: &str = "../maya/spec_example_4joints.anim";

#[test]
fn every_command_attaches_the_skeleton() {
    let allow_unmatched = "--allow-unmatched-rig";
    let ran = run(&["info", "--json", "--rig", "../rig/arm.glb", allow_unmatched, EXAMPLE]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let info = &ran.json_lines()[0];
    assert_eq!(info["node_list"][0]["name"], "Hand");
    assert_eq!(info["nodes"], 10);
    let info = run(&["info", EXAMPLE, "--rig", "../rig/arm.glb", allow_unmatched]);
    let line = "skeleton    arm.glb: 0 matched, 4 only in the recording, 6 only in the skeleton";
    assert!(info.out.contains(line), "{}", info.out);
    let ran = run(&["sample", "--times", "0", "--rig", "../rig/arm.glb", allow_unmatched, EXAMPLE]);
    assert_eq!(ran.json_lines()[0]["nodes"][0]["name"], "Hand");
    let ran = run(&["check", "--rig", "../rig/arm.glb", allow_unmatched, EXAMPLE]);
    assert!(
        ran.out.contains("The recording has \"joint1\", \"joint2\", \"joint3\""),
        "{}",
        ran.out
    );
}

/// With a skeleton that has none of the animated nodes, another motion than the recorded one would
/// play.
#[test]
fn unmatched_skeleton_is_an_error_unless_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    let output = output.to_str().unwrap();
    let rig = ["--rig", "../rig/arm.glb"];
    let commands: [&[&str]; 5] = [
        &["info", EXAMPLE],
        &["check", EXAMPLE],
        &["sample", "--times", "0", EXAMPLE],
        &["convert", "-o", output, EXAMPLE],
        &["compare", EXAMPLE, EXAMPLE],
    ];
    let message = "maya at the whole file: the skeleton arm.glb has none of its 3 animated nodes; not loaded. \
                   --allow-unmatched-rig attaches it anyway";
    for command in commands {
        let ran = run(&[&rig[..], command].concat());
        assert_eq!(ran.status, Some(1), "{command:?}: {}", ran.err);
        assert!(ran.err.contains(message) || ran.out.contains(message), "{command:?}: {}", ran.err);
        assert!(!std::path::Path::new(output).exists(), "{command:?}");
        let ran = run(&[&rig[..], &["--allow-unmatched-rig"], command].concat());
        assert_eq!(ran.status, Some(0), "{command:?}: {}", ran.err);
        drop(std::fs::remove_file(output));
    }
    let ran = run(&["info", "--allow-unmatched-rig", EXAMPLE]);
    assert_eq!(ran.status, Some(2), "--allow-unmatched-rig needs --rig: {}", ran.err);
}

#[test]
fn unreadable_or_unsupported_skeleton_is_an_error() {
    let cases = [
        (
            "../rig/missing.glb",
            EXAMPLE,
            "error: ../rig/missing.glb: as a skeleton: cannot be read:",
        ),
        (
            EXAMPLE,
            EXAMPLE,
            "spec_example_4joints.anim: as a skeleton: at line 1, column 1: expected",
        ),
        (
            "../rig/arm.glb",
            "ok/proc_v11_good.bin",
            "error: ok/proc_v11_good.bin: mrtk at the whole file: expected a recording that takes a \
             skeleton of glTF, GLB or VRM, found MRTK input animation, which takes none",
        ),
    ];
    for (rig, file, message) in cases {
        let ran = run(&["info", "--rig", rig, file]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{rig}");
        assert!(ran.err.contains(message), "{rig}: {}", ran.err);
    }
}
