//! Starts programs with the default signal handlers, as a terminal does.

use std::{os::unix::process::CommandExt as _, process::Command};

/// Resets SIGHUP in the child, because `nohup` makes the tests and their children ignore it.
pub fn reset_hang_up_handler(command: &mut Command) -> &mut Command {
    // SAFETY: setting a signal to its default is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGHUP, libc::SIG_DFL);
            Ok(())
        })
    }
}
