//! Motion as keys that are linear or held, for targets of other crates.
//!
//! [`Motions`] traces the nodes of a clip, [`Figures`] the parts of its figures, [`Signals`] its signals.

pub use super::{
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
    motions::Motions,
    node_motion::NodeMotion,
    origin::of as origin,
    signals::{SignalCurve, Signals},
};

use super::{
    ExportError, Job, Report, effort::Effort, figures, tracer, tracer::Tally, watch::Watch,
};
use crate::clip::LikenessFigure;

/// The tolerance of the keys of nodes: metres, radians, or a factor.
pub const TOLERANCE: f64 = tracer::TOLERANCE;

/// The tolerance of the parts of figures, in metres and radians.
pub const FIGURE_TOLERANCE: f64 = figures::TOLERANCE;

/// Traces the parts of figures, within [`FIGURE_TOLERANCE`].
#[derive(Debug)]
pub struct Figures {
    effort: Effort,
    tally: Tally,
}

impl Default for Figures {
    fn default() -> Self {
        Self { effort: Effort::single(), tally: Tally::default() }
    }
}

impl Figures {
    /// The motion of each part of `figure`, relative to its parent and in the viewer's space.
    ///
    /// # Errors
    /// If there are too many keys, or the export is cancelled.
    pub fn parts(
        &mut self,
        job: &Job<'_>,
        figure: &LikenessFigure,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<NodeMotion>, ExportError> {
        let (motions, tally) = figures::trace(job, figure, &self.effort, watch)?;
        self.tally.add(tally);
        Ok(motions)
    }

    /// Reports how far their parts are off between keys, where that exceeds the tolerance.
    pub fn report(&self, report: &mut Report) {
        if self.tally.farthest > 0.0 {
            report.warning(format!(
                "figures are up to {:.2e} (metres or radians) off between keys",
                self.tally.farthest
            ));
        }
    }
}
