//! The progress of work on many files, with the time left, on standard error.

use std::{
    io::{self, IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

/// Prints the progress of work on many files.
pub(super) struct Progress {
    verb: &'static str,
    /// How many files and bytes there are, and how many of them are done.
    all: Amount,
    done: Amount,
    begun: Instant,
    told: Instant,
    is_terminal: bool,
    /// The length of the line on the terminal.
    line: usize,
}

/// A number of files, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) files: u64,
    pub(super) bytes: u64,
}

impl Amount {
    /// Adds a file.
    pub(super) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl Progress {
    /// How often the line on a terminal changes, and how often a line is printed elsewhere.
    const EVERY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(30)];

    /// Begins; `verb` says what is done: `indexed`.
    pub(super) fn begin(verb: &'static str, all: Amount) -> Self {
        let now = Instant::now();
        let is_terminal = io::stderr().is_terminal();
        Self { verb, all, done: Amount::default(), begun: now, told: now, is_terminal, line: 0 }
    }

    /// One more file is done.
    pub(super) fn done(&mut self, bytes: u64) {
        self.done.add(bytes);
        let [on_terminal, elsewhere] = Self::EVERY;
        let every = if self.is_terminal { on_terminal } else { elsewhere };
        if self.told.elapsed() < every {
            return;
        }
        self.told = Instant::now();
        let text = text(self.verb, self.all, self.done, self.begun.elapsed());
        let mut err = io::stderr().lock();
        // A closed standard error is no reason to stop.
        let _ = match self.is_terminal {
            true => write!(err, "\r{text:<width$}", width = self.line).and_then(|()| err.flush()),
            false => writeln!(err, "info: {text}"),
        };
        self.line = text.chars().count();
    }

    /// Clears the line, before another is printed.
    pub(super) fn clear(&mut self) {
        if self.line > 0 && self.is_terminal {
            let _ = write!(io::stderr().lock(), "\r{:width$}\r", "", width = self.line);
        }
        self.line = 0;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn text(verb: &str, all: Amount, done: Amount, elapsed: Duration) -> String {
    // Files that appeared meanwhile must not exceed the total.
    let (files, bytes) = (all.files.max(done.files), all.bytes.max(done.bytes));
    let part = if bytes == 0 { 1.0 } else { done.bytes as f64 / bytes as f64 };
    let left = match part > 0.0 {
        true => format!(", {} left", clock(elapsed.as_secs_f64() * (1.0 - part) / part)),
        false => String::new(),
    };
    let percent = (part * 100.0).floor();
    format!("{} of {files} files {verb}, {percent} %{left}", done.files)
}

/// `4:05`, `1:00:10`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_as_long_as_the_rest_is_large() {
        let all = Amount { files: 10, bytes: 1000 };
        let text = |files, bytes, seconds| {
            text("indexed", all, Amount { files, bytes }, Duration::from_secs(seconds))
        };
        assert_eq!(text(0, 0, 5), "0 of 10 files indexed, 0 %");
        assert_eq!(text(3, 250, 20), "3 of 10 files indexed, 25 %, 1:00 left");
        assert_eq!(text(1, 10, 100), "1 of 10 files indexed, 1 %, 2:45:00 left");
        assert_eq!(text(11, 1100, 20), "11 of 11 files indexed, 100 %, 0:00 left");
    }
}
