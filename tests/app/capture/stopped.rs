//! Tests that `render` removes its unfinished output if a signal stops it: the system, Ctrl+C, or
//! the end of its terminal.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::capture::{SAMPLE, render_command, signals::reset_hang_up_handler};

/// More images than can be rendered during the test, so that the signal arrives in time.
const LONG_VIDEO: [&str; 6] = ["--fps", "25", "--range", "0..100000", "--size", "64x36"];

/// Returns the files and folders in a folder and below it.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Ignore errors, because entries may be removed meanwhile.
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        found.extend(entries(&path));
        found.push(path);
    }
    found
}

/// Sends `signal` once `has_started` returns `true`. Returns the exit code and standard error.
fn stop_with_signal(
    mut program: Child,
    signal: &str,
    has_started: impl Fn() -> bool,
) -> (Option<i32>, String) {
    while !has_started() {
        assert!(program.try_wait().unwrap().is_none(), "the program ended too early");
        sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args([signal, &program.id().to_string()]).status().unwrap();
    assert!(sent.success(), "the program was still running");
    let ended = program.wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
}

/// Starts the program with the default handler for SIGHUP, as a terminal does.
fn start(command: &mut Command) -> Child {
    reset_hang_up_handler(command);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The unfinished output is a temporary file, or a folder with images.
#[test]
fn stopped_video_leaves_no_files() {
    for (signal, output) in [
        ("-TERM", ["-o", "out.gif"]),
        ("-HUP", ["-o", "out.gif"]),
        ("-INT", ["-o", "out.gif"]),
        ("-TERM", ["--frames", "frames"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(output[1]);
        let mut command = render_command();
        command.arg(output[0]).arg(&path).args(LONG_VIDEO).arg(SAMPLE);
        let has_pictures = || {
            let sizes = entries(folder.path()).into_iter().filter_map(|path| path.metadata().ok());
            sizes.filter(|metadata| metadata.is_file()).map(|metadata| metadata.len()).sum::<u64>()
                > 2_000
        };
        let (status, errors) = stop_with_signal(start(&mut command), signal, has_pictures);
        assert_eq!(status, Some(1), "{signal}, {output:?}: {errors}");
        assert!(errors.ends_with(": cancelled\n"), "{signal}, {output:?}: {errors}");
        assert_eq!(entries(folder.path()), Vec::<PathBuf>::new(), "{signal}, {output:?}");
    }
}

/// The fake ffmpeg copies its input and never ends by itself, so the viewer must end it.
#[test]
fn stopped_ffmpeg_video_leaves_no_files() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let (programs, out) = (folder.path().join("programs"), folder.path().join("out"));
    [&programs, &out].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
    let ffmpeg = programs.join("ffmpeg");
    let script =
        "#!/bin/sh\n[ \"$1\" = -version ] && exit\nfor file; do :; done\n/bin/cat > \"$file\"\n";
    fs::write(&ffmpeg, script).unwrap();
    fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = render_command();
    command.arg("-o").arg(out.join("out.mp4")).args(LONG_VIDEO).arg(SAMPLE).env("PATH", &programs);
    let has_pictures = || {
        let sizes = entries(&out).into_iter().filter_map(|path| path.metadata().ok());
        sizes.map(|metadata| metadata.len()).sum::<u64>() > 2 * 64 * 36 * 4
    };
    let (status, errors) = stop_with_signal(start(&mut command), "-TERM", has_pictures);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    assert_eq!(entries(&out), Vec::<PathBuf>::new());
}

/// Images that were finished before the signal stay. A contact sheet is complete or absent.
#[test]
fn stopped_images_are_complete_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let many = vec![SAMPLE; 2_000];
    let mut command = render_command();
    command.arg("-o").arg(&out).args(["--size", "64x36", "--at", "1"]).args(&many);
    let first = folder.path().join("out-1.png");
    let (status, errors) = stop_with_signal(start(&mut command), "-TERM", || first.exists());
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    let left = entries(folder.path());
    assert!(!left.is_empty() && left.len() < many.len(), "{} pictures", left.len());
    for path in left {
        assert!(image::open(&path).is_ok(), "{} is complete", path.display());
    }

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sheet.png");
    let mut command = render_command();
    command.arg("-o").arg(&out).args(["--size", "64x36", "--strip", "60000", SAMPLE]);
    let program = start(&mut command);
    // Wait until the program handles SIGTERM, which it does before it looks for a driver. A contact
    // sheet has no other visible sign of progress.
    let handles_sigterm = handles_sigterm(program.id());
    let (status, errors) = stop_with_signal(program, "-TERM", handles_sigterm);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    assert_eq!(entries(folder.path()), Vec::<PathBuf>::new());
}

/// Returns a function that returns `true` once the process has a handler for SIGTERM.
fn handles_sigterm(process: u32) -> impl Fn() -> bool {
    move || {
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else {
            return false;
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        // SIGTERM is signal 15, and bit 0 stands for signal 1.
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught >> 14 & 1 == 1)
    }
}
