//! Shows the progress of work on many files, with the remaining time, if standard error is a
//! terminal.

use std::fmt::{self, Display};

use indicatif::{FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::print_message;

pub(super) struct Progress {
    bar: ProgressBar,
    verb: &'static str,
    total: Amount,
    done: Amount,
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
    const UPDATES_PER_SECOND: u8 = 5;

    pub(super) fn begin(verb: &'static str, total: Amount) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(Self::UPDATES_PER_SECOND);
        let style = ProgressStyle::with_template("{bar:30} {percent} %, {msg}{left}")
            .expect("the template is valid")
            .with_key("left", write_remaining_time);
        let bar = ProgressBar::with_draw_target(Some(total.bytes), target).with_style(style);
        Self { bar, verb, total, done: Amount::default() }
    }

    pub(super) fn add_file(&mut self, bytes: u64) {
        self.done.add(bytes);
        // Files may have appeared after the total was counted, so raise the total if needed.
        let (files, all_bytes) =
            (self.total.files.max(self.done.files), self.total.bytes.max(self.done.bytes));
        self.bar.set_message(format!("{} of {files} files {}", self.done.files, self.verb));
        self.bar.update(|state| {
            state.set_len(all_bytes);
            state.set_pos(self.done.bytes);
        });
    }

    /// Prints `messages` above the progress line.
    pub(super) fn print_messages(&self, messages: impl IntoIterator<Item = impl Display>) {
        let mut messages = messages.into_iter().peekable();
        // Without messages, leave the line alone, because `suspend` draws it at once.
        if messages.peek().is_some() {
            self.bar.suspend(|| messages.for_each(print_message));
        }
    }

    /// Removes the line for good. Dropping a `Progress` does the same.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes the remaining time at the average speed so far. The estimate of `indicatif` follows the
/// recent speed, which jumps if the sizes of files differ much.
fn write_remaining_time(state: &ProgressState, out: &mut dyn fmt::Write) {
    let part = f64::from(state.fraction());
    if part > 0.0 {
        let left = state.elapsed().mul_f64((1.0 - part) / part);
        let _ = write!(out, ", {} left", FormattedDuration(left));
    }
}
