//! Progress of an export, and cancelling it.

use std::{io, ops::ControlFlow};

/// Called with the progress, from 0 to 1 and never less than before; returns whether to continue.
pub type Progress<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// It would exceed a limit; the text names it.
    #[error("{0}")]
    TooMuch(String),
    /// Writing failed.
    #[error("cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

/// Reports progress to the caller, and notices a request to stop.
pub struct Watch<'a> {
    tell: &'a mut Progress<'a>,
    /// The part of the whole that is under way.
    from: f64,
    to: f64,
    /// The progress that was reported last.
    told: f64,
}

impl<'a> Watch<'a> {
    /// Progress that `tell` hears of.
    pub fn new(tell: &'a mut Progress<'a>) -> Self {
        Self { tell, from: 0.0, to: 0.0, told: 0.0 }
    }

    /// Begins the next part of the work, which ends at the fraction `to` of the whole.
    pub fn now_up_to(&mut self, to: f64) {
        (self.from, self.to) = (self.to, to);
    }

    /// `done` of `all` is done of that part.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`] if the export was cancelled.
    pub fn at(&mut self, done: usize, all: usize) -> Result<(), ExportError> {
        let part = if all == 0 { 1.0 } else { done as f64 / all as f64 };
        self.told = self.from + (self.to - self.from) * part;
        self.ask()
    }

    /// No more is done than was: only whether the export is still wanted. For work that takes long
    /// and is one step.
    ///
    /// # Errors
    /// As [`Self::at`].
    pub fn ask(&mut self) -> Result<(), ExportError> {
        match (self.tell)(self.told) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ExportError::Cancelled),
        }
    }
}
