//! Motion as linear or held keys, for targets of other crates.
//!
//! [`Motions`] traces the nodes of a clip, [`Figures`] the parts of its figures, and
//! [`SignalTracer`] its signals.

pub use super::{
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
    motions::Motions,
    node_motion::NodeMotion,
    origin::choose_origin,
    signals::{SignalCurve, SignalTracer},
};

use super::{
    ExportError, Job, Progress, Report, budget::EvaluationBudget, figures, tracer,
    tracer::TraceStats,
};
use crate::clip::ExportFigure;

/// The tolerance of the keys of nodes: metres, radians, or a factor.
pub const NODE_TOLERANCE: f64 = tracer::TOLERANCE;

/// The tolerance of the parts of figures, in metres and radians.
pub const FIGURE_TOLERANCE: f64 = figures::PART_TOLERANCE;

/// Traces the parts of figures, within [`FIGURE_TOLERANCE`].
#[derive(Debug)]
pub struct Figures {
    budget: EvaluationBudget,
    stats: TraceStats,
}

impl Default for Figures {
    fn default() -> Self {
        Self { budget: EvaluationBudget::for_single_values(), stats: TraceStats::default() }
    }
}

impl Figures {
    /// Traces each part of `figure`, relative to its parent and in the viewer's space.
    ///
    /// # Errors
    /// Fails if there are too many keys, or if the export is cancelled.
    pub fn trace_parts(
        &mut self,
        job: &Job<'_>,
        figure: &ExportFigure,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<NodeMotion>, ExportError> {
        let (motions, stats) = figures::trace_parts(job, figure, &self.budget, progress)?;
        self.stats.add(stats);
        Ok(motions)
    }

    /// Warns about the largest error of the parts between keys, if it exceeds the tolerance.
    pub fn report(&self, report: &mut Report) {
        if self.stats.max_error > 0.0 {
            report.warning(format!(
                "figures are up to {:.2e} (metres or radians) off between keys",
                self.stats.max_error
            ));
        }
    }
}
