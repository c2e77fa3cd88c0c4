//! The console of the program on Windows, and errors where there is none.
//!
//! The program belongs to the console subsystem: from a terminal it prints, a shell waits for it, and its exit
//! status arrives. A program of the windows subsystem would have neither there, whatever console it attaches to. In
//! return, a double click opens a console that is nobody's, which is left before the window opens. From Windows 11
//! 24H2 on, the manifest asks for none in the first place (`consoleAllocationPolicy`).

/// Leaves a console that was opened for this program alone, which closes it. One of a terminal stays.
pub(crate) fn leave_own_console() {
    #[cfg(windows)]
    windows::leave_own_console();
}

/// Whether anybody reads standard error: a terminal, or a program that started this one. A desktop connects its
/// programs to nothing, to a file or to its log.
#[cfg(unix)]
pub(crate) fn has_reader() -> bool {
    use std::{fs, io, io::IsTerminal as _, os::unix::fs::FileTypeExt as _};
    let is_pipe = || fs::metadata("/dev/fd/2").is_ok_and(|about| about.file_type().is_fifo());
    io::stderr().is_terminal() || is_pipe()
}

/// The same.
#[cfg(windows)]
pub(crate) fn has_reader() -> bool {
    windows::has_reader()
}

/// Tells why there is no window to a user who has no terminal to read it in: in a message box.
pub(crate) fn show_failure(message: &str) {
    #[cfg(windows)]
    if !windows::has_reader() {
        rfd::MessageDialog::new()
            .set_level(rfd::MessageLevel::Error)
            .set_title("Mutoscope")
            .set_description(message)
            .show();
    }
    #[cfg(not(windows))]
    let _ = message;
}

#[cfg(windows)]
mod windows {
    use std::{
        io,
        os::windows::io::AsRawHandle as _,
        sync::atomic::{AtomicBool, Ordering},
    };

    use windows_sys::Win32::{
        Foundation::INVALID_HANDLE_VALUE,
        System::Console::{FreeConsole, GetConsoleProcessList},
    };

    /// Whether the program has left a console, whose handles mean nothing since.
    static HAS_LEFT: AtomicBool = AtomicBool::new(false);

    pub(super) fn leave_own_console() {
        // One more than is asked about: the count is that of all programs, however many fit.
        let mut programs = [0; 2];
        // SAFETY: the list has as many places as is said.
        let count = unsafe { GetConsoleProcessList(programs.as_mut_ptr(), programs.len() as u32) };
        if count == 1 {
            HAS_LEFT.store(true, Ordering::Relaxed);
            // SAFETY: nothing is passed. What is printed from now on goes nowhere.
            unsafe { FreeConsole() };
        }
    }

    /// Whether standard error leads anywhere: to a console, a pipe or a file. A desktop starts programs without.
    pub(super) fn has_reader() -> bool {
        let handle = io::stderr().as_raw_handle();
        let is_open = !handle.is_null() && handle != INVALID_HANDLE_VALUE;
        is_open && !HAS_LEFT.load(Ordering::Relaxed)
    }
}
