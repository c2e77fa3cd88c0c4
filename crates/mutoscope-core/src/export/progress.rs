//! Progress of an export, and its cancellation.

use std::{io, ops::ControlFlow};

/// A callback that receives the progress, from 0 to 1 and never decreasing, and returns whether to
/// continue.
pub type Progress<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The export was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The export would exceed a limit, which the message names.
    #[error("{0}")]
    LimitExceeded(String),
    /// The output could not be written.
    #[error("cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

/// Reports the progress of consecutive phases to a callback. If the callback asks to stop, the
/// report fails with [`ExportError::Cancelled`].
pub struct ProgressScope<'a> {
    callback: &'a mut Progress<'a>,
    phase_start: f64,
    phase_end: f64,
    reported: f64,
}

impl<'a> ProgressScope<'a> {
    /// Creates a scope that reports to `callback`. Call [`Self::begin_phase`] before the first
    /// report.
    pub fn new(callback: &'a mut Progress<'a>) -> Self {
        Self { callback, phase_start: 0.0, phase_end: 0.0, reported: 0.0 }
    }

    /// Begins the next phase, which ends at the fraction `until` of the whole work.
    pub fn begin_phase(&mut self, until: f64) {
        (self.phase_start, self.phase_end) = (self.phase_end, until);
    }

    /// Reports that `done` of the `total` steps of the current phase are done.
    ///
    /// # Errors
    /// Returns [`ExportError::Cancelled`] if the export was cancelled.
    pub fn report_progress(&mut self, done: usize, total: usize) -> Result<(), ExportError> {
        let fraction = if total == 0 { 1.0 } else { done as f64 / total as f64 };
        self.reported = self.phase_start + (self.phase_end - self.phase_start) * fraction;
        self.check_cancelled()
    }

    /// Checks for cancellation during a long step. For this, the last progress is reported again.
    ///
    /// # Errors
    /// Returns [`ExportError::Cancelled`] if the export was cancelled.
    pub fn check_cancelled(&mut self) -> Result<(), ExportError> {
        match (self.callback)(self.reported) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ExportError::Cancelled),
        }
    }
}
