//! The console window on Windows, and error messages for users without a terminal.
//!
//! The program belongs to the console subsystem. So it can print to a terminal, and a shell waits
//! for it and receives its exit status. A program of the windows subsystem can do neither, even if
//! it attaches to a console. The drawback is that a double click opens a console, which we leave
//! before the window opens. From Windows 11 24H2 on, the manifest prevents that console
//! (`consoleAllocationPolicy`).

/// Leaves the console if this program is its only process, so that Windows closes the console. If
/// the program was started in a terminal, the shell also uses the console, so the program keeps it.
pub(crate) fn leave_own_console() {
    #[cfg(windows)]
    windows::leave_own_console();
}

/// Returns `true` if standard error goes to a terminal or to a pipe. A pipe belongs to a program
/// that has started this one and may read it. If a desktop starts a program, standard error is
/// closed, a file or the log of the desktop.
#[cfg(unix)]
pub(crate) fn stderr_has_reader() -> bool {
    use std::{fs, io, io::IsTerminal as _, os::unix::fs::FileTypeExt as _};
    let is_pipe = || fs::metadata("/dev/fd/2").is_ok_and(|about| about.file_type().is_fifo());
    io::stderr().is_terminal() || is_pipe()
}

#[cfg(windows)]
pub(crate) fn stderr_has_reader() -> bool {
    windows::stderr_has_reader()
}

pub(crate) fn show_error_dialog(message: &str) {
    #[cfg(windows)]
    if !windows::stderr_has_reader() {
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

    /// `true` after this program has left its console. The standard handles are invalid from then
    /// on.
    static HAS_LEFT_CONSOLE: AtomicBool = AtomicBool::new(false);

    pub(super) fn leave_own_console() {
        // Two entries are enough, because the function returns the number of processes even if the
        // list is too short for them. We only need to know if there is more than one.
        let mut programs = [0; 2];
        // SAFETY: the second argument is the length of the list.
        let count = unsafe { GetConsoleProcessList(programs.as_mut_ptr(), programs.len() as u32) };
        if count == 1 {
            HAS_LEFT_CONSOLE.store(true, Ordering::Relaxed);
            // SAFETY: the function has no arguments. Later output is discarded.
            unsafe { FreeConsole() };
        }
    }

    pub(super) fn stderr_has_reader() -> bool {
        let handle = io::stderr().as_raw_handle();
        let is_open = !handle.is_null() && handle != INVALID_HANDLE_VALUE;
        is_open && !HAS_LEFT_CONSOLE.load(Ordering::Relaxed)
    }
}
