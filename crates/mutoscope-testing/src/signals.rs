//! Programs that hear signals as those do that a terminal starts.

use std::{os::unix::process::CommandExt as _, process::Command};

/// Lets the program end with its terminal, even if the tests were started by `nohup`, which ignores
/// hang-ups.
pub fn hear_hang_ups(command: &mut Command) -> &mut Command {
    // SAFETY: setting a signal to its default is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGHUP, libc::SIG_DFL);
            Ok(())
        })
    }
}
