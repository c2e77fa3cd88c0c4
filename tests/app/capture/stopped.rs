//! Stopped by the system, at the keyboard or with its terminal, `render` clears away what it has begun.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::capture::{SAMPLE, mutoscope, signals::reset_hang_up_handler};

/// Far more pictures than anybody could wait for.
const LONG: [&str; 6] = ["--fps", "25", "--range", "0..100000", "--size", "64x36"];

/// The files and folders in a folder and below it.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // What is removed meanwhile is not there.
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        found.extend(entries(&path));
        found.push(path);
    }
    found
}

/// Sends `signal` as soon as `is_begun`, and says how the program ended.
fn stopped(mut program: Child, signal: &str, is_begun: impl Fn() -> bool) -> (Option<i32>, String) {
    while !is_begun() {
        assert!(program.try_wait().unwrap().is_none(), "it ended before it began");
        sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args([signal, &program.id().to_string()]).status().unwrap();
    assert!(sent.success(), "it is still at work");
    let ended = program.wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
}

/// Starts it as a terminal does.
fn start(command: &mut Command) -> Child {
    reset_hang_up_handler(command);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A video has a file that is not finished, or a folder with pictures in it.
#[test]
fn a_video_that_is_stopped_leaves_nothing_behind() {
    for (signal, output) in [
        ("-TERM", ["-o", "out.gif"]),
        ("-HUP", ["-o", "out.gif"]),
        ("-INT", ["-o", "out.gif"]),
        ("-TERM", ["--frames", "frames"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(output[1]);
        let mut command = mutoscope();
        command.arg(output[0]).arg(&path).args(LONG).arg(SAMPLE);
        let has_pictures = || {
            let sizes = entries(folder.path()).into_iter().filter_map(|path| path.metadata().ok());
            sizes.filter(|about| about.is_file()).map(|about| about.len()).sum::<u64>() > 2_000
        };
        let (status, errors) = stopped(start(&mut command), signal, has_pictures);
        assert_eq!(status, Some(1), "{signal}, {output:?}: {errors}");
        assert!(errors.ends_with(": cancelled\n"), "{signal}, {output:?}: {errors}");
        assert_eq!(entries(folder.path()), Vec::<PathBuf>::new(), "{signal}, {output:?}");
    }
}

/// The same while ffmpeg makes the video: one that takes what it is given and never ends by itself
/// ends with it.
#[test]
fn a_video_of_ffmpeg_that_is_stopped_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let (programs, out) = (folder.path().join("programs"), folder.path().join("out"));
    [&programs, &out].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
    let ffmpeg = programs.join("ffmpeg");
    let script =
        "#!/bin/sh\n[ \"$1\" = -version ] && exit\nfor file; do :; done\n/bin/cat > \"$file\"\n";
    fs::write(&ffmpeg, script).unwrap();
    fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = mutoscope();
    command.arg("-o").arg(out.join("out.mp4")).args(LONG).arg(SAMPLE).env("PATH", &programs);
    let has_pictures = || {
        let sizes = entries(&out).into_iter().filter_map(|path| path.metadata().ok());
        sizes.map(|about| about.len()).sum::<u64>() > 2 * 64 * 36 * 4
    };
    let (status, errors) = stopped(start(&mut command), "-TERM", has_pictures);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    assert_eq!(entries(&out), Vec::<PathBuf>::new());
}

/// Of several recordings, those are done that were done before; a sheet of pictures is none or whole.
#[test]
fn pictures_that_are_stopped_are_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let many = vec![SAMPLE; 2_000];
    let mut command = mutoscope();
    command.arg("-o").arg(&out).args(["--size", "64x36", "--at", "1"]).args(&many);
    let first = folder.path().join("out-1.png");
    let (status, errors) = stopped(start(&mut command), "-TERM", || first.exists());
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    let left = entries(folder.path());
    assert!(!left.is_empty() && left.len() < many.len(), "{} pictures", left.len());
    for path in left {
        assert!(image::open(&path).is_ok(), "{} is not whole", path.display());
    }

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sheet.png");
    let mut command = mutoscope();
    command.arg("-o").arg(&out).args(["--size", "64x36", "--strip", "60000", SAMPLE]);
    let program = start(&mut command);
    // Nothing tells that it has begun: it is stopped when it listens, which it does from when it
    // looks for a driver on.
    let listens = listens_to_term(program.id());
    let (status, errors) = stopped(program, "-TERM", listens);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.ends_with(": cancelled\n"), "{errors}");
    assert_eq!(entries(folder.path()), Vec::<PathBuf>::new());
}

/// Whether a process has something of its own to do when it is told to end.
fn listens_to_term(process: u32) -> impl Fn() -> bool {
    move || {
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else {
            return false;
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        // Signal 15 is the fifteenth bit.
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught >> 14 & 1 == 1)
    }
}
