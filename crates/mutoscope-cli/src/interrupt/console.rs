//! Handles the events of a Windows console: Ctrl+C, Ctrl+Break, closing the window, logging off and
//! shutting down.

use std::{
    sync::{
        Arc, Mutex, Once, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use windows_sys::{
    Win32::System::Console::{
        CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT,
        SetConsoleCtrlHandler,
    },
    core::BOOL,
};

/// The flags to set. The pointers are weak, so that a flag disappears with the last `Interrupt`
/// that uses it.
static FLAGS: Mutex<Vec<Weak<AtomicBool>>> = Mutex::new(Vec::new());

pub(super) fn set_on_event(flag: &Arc<AtomicBool>) {
    static HANDLED: Once = Once::new();
    let mut flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    flags.retain(|flag| flag.strong_count() > 0);
    flags.push(Arc::downgrade(flag));
    HANDLED.call_once(|| {
        // SAFETY: The handler is a function, which lives for ever, and it may be called on any
        // thread.
        unsafe { SetConsoleCtrlHandler(Some(handle), 1) };
    });
}

fn set_flags() -> bool {
    let flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    let live: Vec<_> = flags.iter().filter_map(Weak::upgrade).collect();
    live.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    !live.is_empty()
}

/// Handles an event. The system calls this function on a thread of its own. A return value of 0
/// passes the event on to the system, which ends the program.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    /// Longer than the system waits before it ends the program.
    const EXIT_TIMEOUT: Duration = Duration::from_secs(30);
    match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => set_flags().into(),
        CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT if set_flags() => {
            // The system ends the program when this function returns, or after some seconds. Wait
            // here, so that the main thread has time to remove partial files and to end the
            // program.
            thread::sleep(EXIT_TIMEOUT);
            1
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_and_ctrl_break_set_the_flag() {
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            let flag = Arc::default();
            set_on_event(&flag);
            // SAFETY: The test calls the handler as the system does.
            assert_eq!(unsafe { handle(event) }, 1);
            assert!(flag.load(Ordering::Relaxed));
        }
    }
}
