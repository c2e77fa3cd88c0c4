//! The values that a check measures at single samples.

use mutoscope_core::clip::NodeId;

use super::{check::MotionCheck, moment::Moment};

/// The values of a check at successive samples, before they are joined to problems.
#[derive(Clone, Debug)]
pub(super) struct SampleValues {
    pub(super) check: &'static MotionCheck,
    /// `None` for problems without a measured value.
    threshold: Option<f64>,
    keeps_all: bool,
    pub(super) kept: Vec<SampleValue>,
    /// The worst value, even if it does not cross the threshold.
    pub(super) worst: Option<f64>,
}

/// The value of one subject at one sample.
#[derive(Clone, Debug)]
pub(super) struct SampleValue {
    pub(super) subject: usize,
    pub(super) index: usize,
    pub(super) time: f64,
    /// The time since the previous sample, in seconds.
    pub(super) elapsed_s: f64,
    pub(super) value: f64,
    pub(super) nodes: Vec<NodeId>,
}

impl SampleValues {
    /// Creates an empty list of problems. Values that do not cross `threshold` are not kept.
    pub(super) fn new(check: &'static MotionCheck, threshold: Option<f64>) -> Self {
        Self { check, threshold, keeps_all: false, kept: Vec::new(), worst: None }
    }

    /// Creates an empty list that keeps every value.
    pub(super) fn keeping_all(check: &'static MotionCheck) -> Self {
        Self { keeps_all: true, ..Self::new(check, None) }
    }

    /// Adds the value of a subject at one sample. `subject` keeps problems of different hands, feet
    /// or markers apart.
    pub(super) fn add(
        &mut self,
        subject: usize,
        moment: &Moment<'_>,
        value: f64,
        nodes: &[NodeId],
    ) {
        self.check.update_worst(&mut self.worst, value);
        if self.keeps_all || self.check.is_problem(value, self.threshold) {
            let Moment { index, time, elapsed_s, .. } = *moment;
            let nodes = nodes.to_vec();
            self.kept.push(SampleValue { subject, index, time, elapsed_s, value, nodes });
        }
    }
}
