//! Detects interruptions by Ctrl+C, by the system or by a closed terminal, so that partial files
//! are removed before the program ends.

#[cfg(windows)]
mod console;

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use mutoscope_core::io::progress::Progress;

/// A flag that is set when the program is asked to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches signals from now on. A signal that cannot be caught ends the program at once, as
    /// usual.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        #[cfg(unix)]
        for signal in terminating_signals() {
            let _ = signal_hook::flag::register(signal, Arc::clone(&interrupt.0));
        }
        #[cfg(windows)]
        console::set_on_event(&interrupt.0);
        interrupt
    }

    /// Requests an interruption, as a signal does.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if an interruption was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Creates the progress of work that an interruption cancels.
    pub fn progress(&self) -> Progress<'static> {
        let interrupt = self.clone();
        Progress::new(move |_| match interrupt.is_requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}

#[cfg(unix)]
fn terminating_signals() -> impl Iterator<Item = i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    // Do not catch SIGHUP if it is ignored, because the user then wants the program to outlive the
    // terminal, for example with `nohup`.
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    [SIGINT, SIGTERM, SIGQUIT].into_iter().chain(hang_up)
}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: The new action is null, so nothing changes. The call writes the current action to
    // `action`, which is read only if the call succeeds.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Ends the program without waiting for the worker threads, because decoding a file may take long.
/// The caller ensures that no partial file is left.
pub(super) fn exit_with_failure() -> ! {
    std::process::exit(super::Status::Failed as i32)
}
