//! The values that a check measures at successive samples.

use mutoscope_core::clip::NodeId;

use super::{
    check::{Limit, MotionCheck},
    moment::Moment,
};

/// Problems of one subject with a shorter pause between them are joined, in seconds.
const MAX_PAUSE_S: f64 = 0.5;

/// The values of a check at successive samples. Threads measure blocks of samples, and
/// [`Findings`](super::findings::Findings) joins the problems of the blocks.
#[derive(Clone, Debug)]
pub(super) struct SampleValues {
    pub(super) check: &'static MotionCheck,
    /// `None` for problems without a measured value.
    threshold: Option<f64>,
    /// The problems, in the order of their starts.
    pub(super) episodes: Vec<Episode>,
    /// The index in `episodes` of the latest problem of each subject.
    latest: Vec<usize>,
    /// The worst value, even if it does not cross the threshold.
    pub(super) worst: Option<f64>,
    /// All values. `None` if only the problems are kept.
    pub(super) all: Option<Vec<SampleValue>>,
}

/// The value of one subject at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleValue {
    pub(super) subject: usize,
    pub(super) time: f64,
    pub(super) value: f64,
}

/// A problem of one subject, at one sample or at several samples.
#[derive(Clone, Debug)]
pub(super) struct Episode {
    /// The hand, foot or marker that has the problem. Only problems of the same subject are joined.
    pub(super) subject: usize,
    pub(super) start: f64,
    pub(super) end: f64,
    first_index: usize,
    last_index: usize,
    pub(super) samples: usize,
    /// The total time of the samples with the problem, in seconds.
    pub(super) duration_s: f64,
    pub(super) worst: f64,
    pub(super) nodes: Vec<NodeId>,
}

impl SampleValues {
    /// Creates an empty list of problems. Values that do not cross `threshold` are not kept.
    pub(super) fn new(check: &'static MotionCheck, threshold: Option<f64>) -> Self {
        let (episodes, latest) = (Vec::new(), Vec::new());
        Self { check, threshold, episodes, latest, worst: None, all: None }
    }

    /// Creates an empty list of all values, which finds no problems.
    pub(super) fn keeping_all(check: &'static MotionCheck) -> Self {
        Self { all: Some(Vec::new()), ..Self::new(check, None) }
    }

    /// Adds the value of a subject at one sample.
    pub(super) fn add(
        &mut self,
        subject: usize,
        moment: &Moment<'_>,
        value: f64,
        nodes: &[NodeId],
    ) {
        let Moment { index, time, elapsed_s, .. } = *moment;
        if let Some(all) = &mut self.all {
            all.push(SampleValue { subject, time, value });
            return;
        }
        self.check.update_worst(&mut self.worst, value);
        if !self.check.is_problem(value, self.threshold) {
            return;
        }
        let next = Episode {
            subject,
            start: time,
            end: time,
            first_index: index,
            last_index: index,
            samples: 1,
            duration_s: elapsed_s,
            worst: value,
            nodes: nodes.to_vec(),
        };
        let Self { check, episodes, latest, .. } = self;
        let of_subject = latest.iter_mut().find(|index| episodes[**index].subject == subject);
        let Some(index) = of_subject else {
            latest.push(episodes.len());
            episodes.push(next);
            return;
        };
        if let Some(separate) = episodes[*index].join(next, check) {
            *index = episodes.len();
            episodes.push(separate);
        }
    }
}

impl Episode {
    /// Creates an episode with a known start and end, in seconds.
    pub(super) fn span(start: f64, end: f64, worst: f64, nodes: &[NodeId]) -> Self {
        let (subject, first_index, last_index) = (0, 0, 0);
        let (samples, duration_s) = (usize::from(end > start) + 1, end - start);
        let nodes = nodes.to_vec();
        Self { subject, start, end, first_index, last_index, samples, duration_s, worst, nodes }
    }

    /// Joins `next`, the following episode of the same subject, to this episode. Returns `next` if the
    /// pause between them is too long.
    pub(super) fn join(&mut self, next: Self, check: &MotionCheck) -> Option<Self> {
        let is_next_sample = next.first_index == self.last_index + 1;
        let is_short_pause = next.start - self.end <= MAX_PAUSE_S;
        if !is_next_sample && (check.limit() == Some(Limit::Duration) || !is_short_pause) {
            return Some(next);
        }
        (self.end, self.last_index) = (next.end, next.last_index);
        self.duration_s += next.duration_s;
        self.add_samples(next, check);
        None
    }

    /// Counts the samples of `other`, and takes its worst value if that is worse.
    pub(super) fn add_samples(&mut self, other: Self, check: &MotionCheck) {
        self.samples += other.samples;
        if check.is_worse(other.worst, self.worst) {
            (self.worst, self.nodes) = (other.worst, other.nodes);
        }
    }
}
