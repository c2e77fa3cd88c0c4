//! Measures the peak memory of a run of the program.

use std::{
    env,
    fs::File,
    io::{Read as _, Seek as _},
    mem::MaybeUninit,
    process::{Command, Stdio},
};

use crate::limits::MEASURE_RUN;

/// Runs the program with these arguments, and prints its largest resident set in kilobytes.
///
/// This must run in a small process of its own, because the kernel starts the peak of a child at
/// the size of its parent.
pub(crate) fn measure(arguments: &[String]) {
    use_two_cores();
    let mut errors = tempfile::tempfile().unwrap();
    #[allow(clippy::zombie_processes, reason = "`wait` waits for the child and returns its peak")]
    let child = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.try_clone().unwrap())
        // Use one heap for all threads, because it varies how many of them would get a heap of
        // their own.
        .env("MALLOC_ARENA_MAX", "1")
        .spawn()
        .unwrap();
    let (status, kilobytes) = wait(child.id());
    assert_eq!(status, 0, "{}", text(&mut errors));
    println!("{kilobytes}");
}

/// Limits this process and its children to two cores, because exports on more cores keep more
/// results in memory.
fn use_two_cores() {
    let size = size_of::<libc::cpu_set_t>();
    // SAFETY: the set is plain data, for which zeros are valid. The pointers are valid for `size`
    // bytes, and the indices are below the size of the set.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        assert_eq!(libc::sched_getaffinity(0, size, &raw mut allowed), 0);
        let mut two: libc::cpu_set_t = std::mem::zeroed();
        let cores = (0..libc::CPU_SETSIZE as usize).filter(|core| libc::CPU_ISSET(*core, &allowed));
        cores.take(2).for_each(|core| libc::CPU_SET(core, &mut two));
        assert_eq!(libc::sched_setaffinity(0, size, &raw const two), 0);
    }
}

/// Returns the largest resident set of a run of the program, in bytes.
///
/// # Errors
/// Returns the output of the run if its exit status was not 0.
pub(crate) fn peak_bytes(arguments: &[String]) -> Result<f64, String> {
    let run = Command::new(env::current_exe().unwrap())
        .arg(MEASURE_RUN)
        .args(arguments)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&run.stdout);
    let kilobytes = output.trim().parse::<f64>();
    kilobytes
        .map(|kilobytes| kilobytes * 1024.0)
        .map_err(|_| format!("{output}{}", String::from_utf8_lossy(&run.stderr)))
}

/// Waits for a child process. Returns its status, and its largest resident set in kilobytes.
fn wait(process: u32) -> (i32, i64) {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the process is a child that nothing else waits for. Both pointers are valid for
    // writes, and the usage is read only if `wait4` succeeded.
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
