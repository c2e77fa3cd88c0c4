//! Being interrupted while something is written: by Ctrl+C, by the system, or because the terminal
//! is gone. Partial files are removed before the program ends.

#[cfg(windows)]
mod console;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether an interruption was requested.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches signals from now on. Where that fails, the program ends at once, as any other does.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        #[cfg(unix)]
        for signal in signals() {
            let _ = signal_hook::flag::register(signal, Arc::clone(&interrupt.0));
        }
        #[cfg(windows)]
        console::set_on_event(&interrupt.0);
        interrupt
    }

    /// Requests an interruption, as a signal does.
    pub fn come(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a signal came.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Signals that end a program by default.
#[cfg(unix)]
fn signals() -> impl Iterator<Item = i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    // Under `nohup` the program is meant to outlive the terminal.
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    [SIGINT, SIGTERM, SIGQUIT].into_iter().chain(hang_up)
}

/// Whether the program was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: no action is given, so nothing changes; the present one is written to where there is
    // room for it, and only read if that went well.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Ends the program although threads are at work, once nothing unfinished is left behind: decoding one
/// file may take long, and need not be waited for.
pub(super) fn end() -> ! {
    std::process::exit(super::Status::Failed as i32)
}
