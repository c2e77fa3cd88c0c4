//! Prints the progress of work on many files, with the remaining time, on standard error.

use std::{
    io::{self, IsTerminal as _, Write as _},
    time::{Duration, Instant},
};

pub(super) struct Progress {
    verb: &'static str,
    total: Amount,
    done: Amount,
    started: Instant,
    last_printed: Instant,
    is_terminal: bool,
    /// The width of the line on the terminal, in characters. The next line is padded to this width,
    /// so that it overwrites the whole line.
    line_width: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) files: u64,
    pub(super) bytes: u64,
}

impl Amount {
    pub(super) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl Progress {
    /// The intervals between updates: the first on a terminal, the second elsewhere.
    const UPDATE_INTERVALS: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(30)];

    pub(super) fn begin(verb: &'static str, total: Amount) -> Self {
        let now = Instant::now();
        let is_terminal = io::stderr().is_terminal();
        Self {
            verb,
            total,
            done: Amount::default(),
            started: now,
            last_printed: now,
            is_terminal,
            line_width: 0,
        }
    }

    pub(super) fn add_file(&mut self, bytes: u64) {
        self.done.add(bytes);
        let [on_terminal, elsewhere] = Self::UPDATE_INTERVALS;
        let interval = if self.is_terminal { on_terminal } else { elsewhere };
        if self.last_printed.elapsed() < interval {
            return;
        }
        self.last_printed = Instant::now();
        let text = format_progress(self.verb, self.total, self.done, self.started.elapsed());
        let mut err = io::stderr().lock();
        // Ignore errors, because a closed standard error is no reason to stop the work.
        let _ = match self.is_terminal {
            true => {
                write!(err, "\r{text:<width$}", width = self.line_width).and_then(|()| err.flush())
            }
            false => writeln!(err, "info: {text}"),
        };
        self.line_width = text.chars().count();
    }

    pub(super) fn clear(&mut self) {
        if self.line_width > 0 && self.is_terminal {
            let _ = write!(io::stderr().lock(), "\r{:width$}\r", "", width = self.line_width);
        }
        self.line_width = 0;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn format_progress(verb: &str, total: Amount, done: Amount, elapsed: Duration) -> String {
    // Files may have appeared after the total was counted, so raise the total if needed.
    let (files, bytes) = (total.files.max(done.files), total.bytes.max(done.bytes));
    let part = if bytes == 0 { 1.0 } else { done.bytes as f64 / bytes as f64 };
    let left = match part > 0.0 {
        true => format!(", {} left", format_duration(elapsed.as_secs_f64() * (1.0 - part) / part)),
        false => String::new(),
    };
    let percent = (part * 100.0).floor();
    format!("{} of {files} files {verb}, {percent} %{left}", done.files)
}

fn format_duration(seconds: f64) -> String {
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
    fn remaining_time_is_proportional_to_remaining_bytes() {
        let total = Amount { files: 10, bytes: 1000 };
        let text = |files, bytes, seconds| {
            format_progress("indexed", total, Amount { files, bytes }, Duration::from_secs(seconds))
        };
        assert_eq!(text(0, 0, 5), "0 of 10 files indexed, 0 %");
        assert_eq!(text(3, 250, 20), "3 of 10 files indexed, 25 %, 1:00 left");
        assert_eq!(text(1, 10, 100), "1 of 10 files indexed, 1 %, 2:45:00 left");
        assert_eq!(text(11, 1100, 20), "11 of 11 files indexed, 100 %, 0:00 left");
    }
}
