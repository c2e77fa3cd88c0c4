//! Traces the parts of a figure, relative to their parents.

use std::{collections::HashMap, rc::Rc};

use super::{
    ExportError, Job, Progress,
    budget::EvaluationBudget,
    key_times,
    node_motion::{NodeMotion, NodeTracer},
    tracer::TraceStats,
};
use crate::clip::{ExportFigure, Owner, StraightParts, Transform, ViewerFromSource};

/// The tolerance of figure parts, in metres and radians. It is larger than the tolerance of nodes,
/// because parts that swing by formulas would otherwise need about a hundred keys per tick.
pub(super) const PART_TOLERANCE: f64 = 1e-3;

type Placements = Rc<[(Transform, bool)]>;

pub(super) fn trace_parts(
    job: &Job<'_>,
    figure: &ExportFigure,
    budget: &EvaluationBudget,
    progress: &mut Progress<'_>,
) -> Result<(Vec<NodeMotion>, TraceStats), ExportError> {
    const GAPS_PER_CANCEL_CHECK: usize = 256;
    let times = figure_times(job, figure)?;
    let mut cache = PlacementCache::new(job, figure);
    let tracer =
        |&(rest, _): &(Transform, bool)| NodeTracer::for_part(job, rest, 0.5 * PART_TOLERANCE);
    let mut tracers: Vec<_> = cache.rest.iter().map(tracer).collect();
    for (index, gap) in times.windows(2).enumerate() {
        if index % GAPS_PER_CANCEL_CHECK == GAPS_PER_CANCEL_CHECK - 1 {
            progress.check_cancelled()?;
        }
        cache.placements.retain(|bits, _| *bits == gap[0].to_bits());
        budget.enter_gap();
        for (part, tracer) in tracers.iter_mut().enumerate() {
            tracer.trace_gap(gap[0], gap[1], StraightParts::default(), budget, &mut |time| {
                cache.placements_at(time, budget)[part]
            });
        }
    }
    if job.rate.is_some() {
        let times = key_times::or_sample_times(own_times(job, figure), &times);
        for gap in without_absences(times, figure).windows(2) {
            progress.check_cancelled()?;
            cache.placements.retain(|bits, _| *bits == gap[0].to_bits());
            budget.enter_gap();
            for (part, tracer) in tracers.iter_mut().enumerate() {
                let shown = &mut |time| cache.placements_at(time, budget)[part].1;
                tracer.trace_visibility(gap[0], gap[1], budget, shown);
            }
        }
    }
    let last = times[times.len() - 1];
    let ends = cache.placements_at(last, budget);
    let mut stats = TraceStats::default();
    let ended = tracers.into_iter().zip(ends.iter()).map(|(tracer, &end)| {
        let (motion, part_stats) = tracer.finish(last, end);
        stats.add(part_stats);
        NodeMotion {
            translation: motion.translation.simplified(0.5 * PART_TOLERANCE),
            rotation: motion.rotation.simplified(0.5 * PART_TOLERANCE),
            scale: motion.scale.simplified(0.5 * PART_TOLERANCE),
            ..motion
        }
    });
    let motions = ended.collect();
    Ok((motions, stats))
}

fn figure_times(job: &Job<'_>, figure: &ExportFigure) -> Result<Vec<f64>, ExportError> {
    let times = match job.rate {
        Some(rate) => key_times::times_at_rate(job, rate)?,
        None => own_times(job, figure)?,
    };
    Ok(without_absences(times, figure))
}

fn own_times(job: &Job<'_>, figure: &ExportFigure) -> Result<Vec<f64>, ExportError> {
    let tracks = job.clip.tracks_of(Owner::Node(figure.node)).map(|(id, _)| id);
    key_times::times_of_tracks_and_samples(job, tracks)
}

/// Removes the times at which a figure is hidden. The first and the last time of each hidden period
/// stay, because the visibility changes there.
fn without_absences(times: Vec<f64>, figure: &ExportFigure) -> Vec<f64> {
    let is_visible: Vec<bool> = times.iter().map(|&time| figure.motion.is_visible(time)).collect();
    let last = times.len() - 1;
    let is_needed = |index: usize| {
        index == 0 || index == last || is_visible[index - 1..=index + 1].contains(&true)
    };
    let kept = times.iter().enumerate().filter(|(index, _)| is_needed(*index));
    kept.map(|(_, &time)| time).collect()
}

struct PlacementCache<'a> {
    figure: &'a ExportFigure,
    viewer_from_source: ViewerFromSource,
    rest: Placements,
    /// The sampled placements. The key is the `f64::to_bits` of the time.
    placements: HashMap<u64, Placements>,
}

impl<'a> PlacementCache<'a> {
    fn new(job: &Job<'_>, figure: &'a ExportFigure) -> Self {
        let viewer_from_source = job.clip.convention.viewer_from_source();
        let rest = |part: &crate::clip::FigurePart| {
            (viewer_from_source.convert_transform(&part.rest), true)
        };
        let rest = figure.parts.iter().map(rest).collect();
        Self { figure, viewer_from_source, rest, placements: HashMap::new() }
    }

    fn placements_at(&mut self, time: f64, budget: &EvaluationBudget) -> Placements {
        if let Some(placements) = self.placements.get(&time.to_bits()) {
            return Rc::clone(placements);
        }
        budget.spend();
        let mut placements = self.rest.to_vec();
        self.figure.motion.pose_parts(time, &mut |part, in_source, shown| {
            placements[part] = (self.viewer_from_source.convert_transform(&in_source), shown);
        });
        let placements: Placements = placements.into();
        self.placements.insert(time.to_bits(), Rc::clone(&placements));
        placements
    }
}
