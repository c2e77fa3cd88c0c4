//! Events of a Windows console: Ctrl+C, Ctrl+Break, that its window is closed, that the user logs
//! off, that the system shuts down.

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

/// The flags that are set, for as long as somebody looks at them.
static FLAGS: Mutex<Vec<Weak<AtomicBool>>> = Mutex::new(Vec::new());

/// Sets `flag` when one of the events comes. Without a console none ever does.
pub(super) fn set_on_event(flag: &Arc<AtomicBool>) {
    static HANDLED: Once = Once::new();
    let mut flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    flags.retain(|flag| flag.strong_count() > 0);
    flags.push(Arc::downgrade(flag));
    HANDLED.call_once(|| {
        // SAFETY: the handler is a function, which stays, and may be called on any thread.
        unsafe { SetConsoleCtrlHandler(Some(handle), 1) };
    });
}

/// Whether somebody was told.
fn tell() -> bool {
    let flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    let live: Vec<_> = flags.iter().filter_map(Weak::upgrade).collect();
    live.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    !live.is_empty()
}

/// Called by the system on a thread of its own. False leaves the event to the system, which ends the program.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    /// Longer than the system waits.
    const PATIENCE: Duration = Duration::from_secs(30);
    match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => tell().into(),
        CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT if tell() => {
            // The system ends the program when this returns, or after some seconds. Meanwhile the program removes what
            // it has begun, and ends by itself.
            thread::sleep(PATIENCE);
            1
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_and_ctrl_break_set_the_flag_while_somebody_looks() {
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            let flag = Arc::default();
            set_on_event(&flag);
            // SAFETY: it is called as the system does.
            assert_eq!(unsafe { handle(event) }, 1);
            assert!(flag.load(Ordering::Relaxed));
        }
    }
}
