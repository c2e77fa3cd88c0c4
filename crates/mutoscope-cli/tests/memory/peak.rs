//! The peak of memory of a run of the program, as the kernel measures it.

use std::{
    env,
    fs::File,
    io::{Read as _, Seek as _},
    mem::MaybeUninit,
    process::{Command, Stdio},
};

/// Runs the program, and prints the largest resident set of it in kilobytes.
///
/// In a process of its own: the kernel counts the size of the parent for a process that it starts.
pub(crate) fn measure(arguments: &str) {
    let mut errors = tempfile::tempfile().unwrap();
    let arguments: Vec<String> = serde_json::from_str(arguments).unwrap();
    #[allow(clippy::zombie_processes, reason = "`wait` waits for it, and tells how large it was")]
    let child = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.try_clone().unwrap())
        // One heap for all threads: how many of them have one of their own is chance.
        .env("MALLOC_ARENA_MAX", "1")
        .spawn()
        .unwrap();
    let (status, kilobytes) = wait(child.id());
    assert_eq!(status, 0, "{}", text(&mut errors));
    println!("{MARK}{kilobytes}");
}

/// The text before the number.
const MARK: &str = "peak in kilobytes: ";

/// The largest resident set of a run of the program, in bytes.
///
/// # Errors
/// The run's output, if its exit status was not 0.
pub(crate) fn of(arguments: &[String]) -> Result<f64, String> {
    let run = Command::new(env::current_exe().unwrap())
        .args(["--exact", "measure_a_run", "--ignored", "--nocapture"])
        .env("MUTOSCOPE_RUN", serde_json::to_string(arguments).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let kilobytes = said.lines().find_map(|line| line.split_once(MARK)?.1.parse::<f64>().ok());
    kilobytes
        .map(|kilobytes| kilobytes * 1024.0)
        .ok_or_else(|| format!("{said}{}", String::from_utf8_lossy(&run.stderr)))
}

/// Waits for a process that this one started: its status, and its largest resident set in kilobytes.
fn wait(process: u32) -> (i32, i64) {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the process is a child that nobody else waits for; both results are written to where
    // there is room for them, and the usage is only read if that went well.
    let usage = unsafe {
        let waited = libc::wait4(process as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr());
        assert_eq!(waited, process as libc::pid_t);
        usage.assume_init()
    };
    (status, usage.ru_maxrss)
}

fn text(errors: &mut File) -> String {
    let mut text = String::new();
    errors.rewind().unwrap();
    errors.read_to_string(&mut text).unwrap();
    text
}
