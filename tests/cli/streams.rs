//! Pipes that close, and what goes where.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::program;

#[test]
fn a_closed_pipe_ends_it_quietly() {
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
fn nobody_listening_at_all_is_no_reason_to_panic() {
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
fn a_full_disk_is_said() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        program(&["info", "ok/proc_v10.bin"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err.starts_with("error: standard output: "), "{err}");
}
