//! The console of the program on Windows, and errors where there is none.
//!
//! The program belongs to the console subsystem: from a terminal it prints, a shell waits for it, and its exit
//! status arrives. A program of the windows subsystem would have neither there, whatever console it attaches to. In
//! return, a double click opens a console that is nobody's, which is left before the window opens. From Windows 11
//! 24H2 on, the manifest asks for none in the first place (`consoleAllocationPolicy`).

/// Leaves a console that was opened for this program alone, which closes it. One of a terminal stays.
pub(crate) fn leave_own_console() {
    #[cfg(windows)]
    if windows::programs_of_console() == 1 {
        windows::leave_console();
    }
}

/// Tells why there is no window to a user who has no terminal to read it in: in a message box.
pub(crate) fn show_failure(message: &str) {
    #[cfg(windows)]
    if windows::programs_of_console() == 0 {
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
    use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};

    /// How many programs share the console of this one, itself among them; 0 if it has none.
    pub(super) fn programs_of_console() -> u32 {
        // One more than is asked about: the count is that of all programs, however many fit.
        let mut programs = [0; 2];
        // SAFETY: the list has as many places as is said.
        unsafe { GetConsoleProcessList(programs.as_mut_ptr(), programs.len() as u32) }
    }

    pub(super) fn leave_console() {
        // SAFETY: nothing is passed. What is printed from now on goes nowhere.
        unsafe { FreeConsole() };
    }
}
