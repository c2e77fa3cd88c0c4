//! Progress of long work, and its cancellation.

use std::{fmt, ops::ControlFlow};

/// The work was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

type Watcher<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// The progress of work that can be cancelled.
///
/// The work reports its progress through consecutive phases. The watcher of the work receives the
/// progress and decides whether the work goes on. The default has no watcher.
#[derive(Default)]
pub struct Progress<'a> {
    watcher: Option<Box<Watcher<'a>>>,
    phase_start: f64,
    phase_end: f64,
    reported: f64,
}

impl<'a> Progress<'a> {
    /// Creates the progress of work that `watcher` watches. The watcher receives the progress, from
    /// 0 to 1 and never decreasing. [`ControlFlow::Break`] cancels the work.
    pub fn new(watcher: impl FnMut(f64) -> ControlFlow<()> + 'a) -> Self {
        Self { watcher: Some(Box::new(watcher)), ..Self::default() }
    }

    /// Begins the next phase, which ends at the fraction `until` of the whole work. Call this before
    /// the first report.
    pub fn begin_phase(&mut self, until: f64) {
        (self.phase_start, self.phase_end) = (self.phase_end, until);
    }

    /// Begins the next phase like [`Self::begin_phase`], and returns a progress with phases of its
    /// own, which together make up this phase.
    pub fn begin_nested(&mut self, until: f64) -> Progress<'_> {
        self.begin_phase(until);
        Progress::new(|fraction| match self.report_fraction(fraction) {
            Ok(()) => ControlFlow::Continue(()),
            Err(Cancelled) => ControlFlow::Break(()),
        })
    }

    /// Reports that `done` of the `total` steps of the current phase are done.
    ///
    /// # Errors
    /// Fails if the work was cancelled.
    pub fn report_progress(&mut self, done: usize, total: usize) -> Result<(), Cancelled> {
        self.report_fraction(if total == 0 { 1.0 } else { done as f64 / total as f64 })
    }

    /// Checks for cancellation during a long step. For this, the last progress is reported again.
    ///
    /// # Errors
    /// Fails if the work was cancelled.
    pub fn check_cancelled(&mut self) -> Result<(), Cancelled> {
        match self.watcher.as_mut().map(|watcher| watcher(self.reported)) {
            Some(ControlFlow::Break(())) => Err(Cancelled),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    fn report_fraction(&mut self, fraction: f64) -> Result<(), Cancelled> {
        self.reported = self.phase_start + (self.phase_end - self.phase_start) * fraction;
        self.check_cancelled()
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("reported", &self.reported).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_nested_work_fill_its_phase() {
        let mut reported = Vec::new();
        let mut progress = Progress::new(|fraction| {
            reported.push(fraction);
            if fraction > 0.8 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.begin_phase(0.5);
        progress.report_progress(1, 2).unwrap();
        let mut nested = progress.begin_nested(0.75);
        nested.begin_phase(0.5);
        nested.report_progress(0, 4).unwrap();
        nested.begin_phase(1.0);
        nested.report_progress(1, 2).unwrap();
        nested.check_cancelled().unwrap();
        drop(nested);
        progress.begin_phase(1.0);
        assert_eq!(progress.report_progress(1, 2), Err(Cancelled));
        drop(progress);
        assert_eq!(reported, [0.25, 0.5, 0.6875, 0.6875, 0.875]);
    }
}
