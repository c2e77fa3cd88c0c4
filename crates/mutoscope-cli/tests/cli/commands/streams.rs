//! Tests of closed pipes, full disks, endless input and unusual names.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::commands::program;

#[test]
fn closed_pipe_ends_the_program_quietly() {
    let commands: [&[&str]; 4] = [
        &["sample", "--fps", "2000", "ok/proc_v11_good.bin"],
        &["sample", "--tracks", "--fps", "2000", "--format", "csv", "ok/proc_v11_good.bin"],
        &["info", "--json", "ok/proc_v10.bin", "ok/proc_v11_good.bin", "ok/proc_v10.bin"],
        &["info", "ok/proc_v10.bin"],
    ];
    for arguments in commands {
        let mut command = program(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first_line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first_line).unwrap();
        assert!(!first_line.is_empty(), "{arguments:?}");
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn closed_output_streams_never_panic() {
    for arguments in [&["info", "ok/proc_v10.bin", "missing.bin"][..], &["check", "bad"]] {
        let mut command = program(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        let status = child.wait().unwrap();
        assert!(status.code().is_some_and(|code| code <= 1), "{arguments:?}: {status}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        program(&["info", "ok/proc_v10.bin"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err.starts_with("error: standard output: "), "{err}");
}

/// Bytes of a name that are not UTF-8 are printed as `\xNN`.
#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_utf8() {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _};

    use crate::commands::{fixtures, run};

    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &[u8]| folder.path().join(OsStr::from_bytes(name)).into_os_string();
    let (take, out) = (path_to(b"take-\xff.bin"), path_to(b"out-\xfe.csv"));
    fs::write(&take, fixtures::mrtk_file("synth_v11_gaze_only.bin")).unwrap();
    let info = run(&["info".into(), "--json".into(), take.clone()]);
    assert_eq!(info.status, Some(0), "{}", info.err);
    let path = info.json_lines()[0]["path"].as_str().unwrap().to_owned();
    assert!(path.ends_with(r"take-\xff.bin"), "{path}");
    let convert = run(&["convert".into(), take, "-o".into(), out.clone()]);
    assert_eq!(convert.status, Some(0), "{}", convert.err);
    assert!(convert.err.contains(r"out-\xfe.csv: "), "{}", convert.err);
    assert!(fs::read_to_string(&out).unwrap().starts_with("time,"));
    fs::write(path_to(b"cut-\xfd.animj"), "{").unwrap();
    let check = run(&["check".into(), folder.path().as_os_str().to_owned()]);
    assert_eq!(check.status, Some(1));
    assert!(check.out.contains(r"cut-\xfd.animj: "), "{}", check.out);
}

/// A line end in a file name must not split the message.
#[cfg(unix)]
#[test]
fn line_ends_in_names_are_escaped_in_messages() {
    let ran = crate::commands::run(&["info", "no\nsuch\u{1b}[31mfile.bin"]);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(
        ran.err.starts_with(r"error: no\nsuch\u{1b}[31mfile.bin: cannot be read"),
        "{}",
        ran.err
    );
}

/// An endless device is not recognised as a recording, and reading it must end.
#[cfg(target_os = "linux")]
#[test]
fn endless_input_is_rejected() {
    for arguments in [["info", "/dev/zero"], ["check", "/dev/zero"]] {
        let ran = crate::commands::run(&arguments);
        assert_eq!(ran.status, Some(1));
        let all = ran.out + &ran.err;
        assert!(all.contains("a file that starts with 00 00"), "{all}");
    }
    let ran = crate::commands::run(&["convert", "/dev/zero", "-o", "-", "--to", "mcmocap_rec"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains("not recognised as a Minecraft recording"), "{}", ran.err);
    let take = "../animj/rig/arm_swing.animj";
    let ran = crate::commands::run(&["info", "--rig", "/dev/zero", take]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("/dev/zero: as a skeleton: "), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn help_on_a_full_disk_is_reported() {
    for arguments in [&["--help"][..], &["sample", "--help"], &["--version"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {err}");
        assert!(err.starts_with("error: standard output: "), "{arguments:?}: {err}");
    }
}

/// A terminal executes control characters, so names of files and names in files must be escaped.
#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped() {
    use std::fs;

    use crate::commands::run;

    // The bytes set the title of a terminal in two ways, and erase the screen.
    const HOSTILE: &str = "a\u{1b}]0;b\u{7}c\u{9b}2Jd\u{7f}";
    let name = serde_json::to_string(HOSTILE).unwrap();
    let animation = |name: &str| {
        format!(
            r#"{{"name": {name}, "globalDuration": 1, "tracks": [{{"trackType": "Curve", "valueType":
            "float3", "data": {{"node": {name}, "property": "Position", "keyframes": [{{"time": 0, "value":
            {{"x": 0, "y": 0, "z": 0}}, "interpolation": "Linear"}}]}}}}, {{"trackType": "Discrete",
            "valueType": "string", "data": {{"node": {name}, "property": {name}, "keyframes": [{{"time": 0,
            "value": {name}}}]}}}}]}}"#
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path_to(&format!("{HOSTILE}.animj"));
    fs::write(&file, animation(&name)).unwrap();
    let (anim, out) = (path_to(&format!("{HOSTILE}.anim")), path_to(&format!("{HOSTILE}.out.csv")));
    fs::write(
        &anim,
        format!("anim {HOSTILE} {HOSTILE} {HOSTILE} 0 0 0;\nanimData {{\n{HOSTILE}\n"),
    )
    .unwrap();
    let (times, all) = (["--times", "0"], folder.path().to_str().unwrap());
    let runs: Vec<Vec<&str>> = vec![
        vec!["info", &file],
        vec!["info", "--json", &file],
        vec!["info", &anim],
        vec!["check", "--all", &file, &anim],
        vec!["check", "--all", "--json", all],
        [&["sample", &file][..], &times].concat(),
        [&["sample", "--format", "csv", &file][..], &times].concat(),
        [&["sample", "--tracks", &file][..], &times].concat(),
        [&["sample", "--tracks", "--format", "csv", &file][..], &times].concat(),
        vec!["compare", &file, &file],
        vec!["compare", "--json", &file, &file],
        vec!["compare", "--joint", HOSTILE, &anim, &file],
        vec!["convert", "-o", &out, &file],
        vec!["convert", "--to", "csv", "-o", "-", &file],
        vec!["convert", "--to", "bvh", "-o", "/dev/null", &file],
        vec!["info", "--animation", HOSTILE, &file],
        vec!["info", "--rig", &anim, &file],
        vec!["index", "-o", &out, &file],
        vec!["info", "--as", HOSTILE, &file],
        vec![HOSTILE, "--nonsense", HOSTILE],
    ];
    let is_hostile = |c: char| c.is_control() && c != '\n' && c != '\t';
    let mut escaped = 0;
    for arguments in runs {
        let ran = run(&arguments);
        let printed = ran.out + &ran.err;
        assert!(!printed.contains(is_hostile), "{arguments:?}: {printed:?}");
        assert!(!printed.is_empty(), "{arguments:?}");
        escaped += usize::from(printed.contains(r"\u{1b}]0;b") || printed.contains(r"\u001b]0;b"));
    }
    assert!(escaped >= 16, "{escaped}");
    let info = &run(&["info", "--json", &file]).json_lines()[0];
    assert_eq!((info["path"].as_str(), info["name"].as_str()), (Some(&*file), Some(HOSTILE)));
}

/// Progress appears only on a terminal, and its line is removed before the result is printed.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_terminals_only() {
    use std::{
        fs::File,
        io::Read as _,
        os::fd::{FromRawFd as _, RawFd},
        ptr,
    };

    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("index.csv");
    let index_with_stderr = |stderr: Stdio| {
        let mut command = program(&["index", "ok", "--fresh", "-o"]);
        command.arg(&index).env("TERM", "xterm").stderr(stderr).spawn().unwrap()
    };
    let output = index_with_stderr(Stdio::piped()).wait_with_output().unwrap();
    let plain = String::from_utf8(output.stderr).unwrap();
    assert_eq!(plain.lines().count(), 1, "{plain}");

    let (mut terminal, mut program_side): (RawFd, RawFd) = (-1, -1);
    // SAFETY: Both pointers are to integers, and the optional arguments are null.
    let opened = unsafe {
        libc::openpty(
            &raw mut terminal,
            &raw mut program_side,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    assert_eq!(opened, 0);
    // SAFETY: The descriptors are open, and nothing else owns them.
    let (mut terminal, program_side) =
        unsafe { (File::from_raw_fd(terminal), File::from_raw_fd(program_side)) };
    let mut child = index_with_stderr(program_side.into());
    let mut shown = Vec::new();
    // The read ends with an error when the program closes its side.
    let _ = terminal.read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains(" %, 1 of ") && shown.contains(" files indexed"), "{shown:?}");
    let last = format!("\r\x1b[2K{}\r\n", plain.trim_end());
    assert!(shown.ends_with(&last), "{shown:?} does not end with {last:?}");
}
