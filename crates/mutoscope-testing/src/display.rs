//! A virtual display for programs with a window.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

/// A virtual display, which ends when it is dropped.
pub struct Display {
    server: Child,
    /// The value of the environment variable `DISPLAY`, such as `:99`.
    pub name: String,
}

impl Display {
    /// Starts a display of a size in pixels, such as `1280x720`. The server chooses a free number, so
    /// that tests can start displays at the same time.
    pub fn start(size: &str) -> Self {
        // Without `-noreset`, the server restarts whenever its last client disconnects, and refuses
        // new clients meanwhile. The last client may be xdotool while it looks for the window.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &format!("{size}x24")])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts (scripts/test installs it)");
        let mut number = String::new();
        let stdout = server.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb found no free display");
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
