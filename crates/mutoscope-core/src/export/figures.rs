//! The motion of the parts of a figure, relative to what they are children of.

use std::{collections::HashMap, rc::Rc};

use super::{
    ExportError, Job, breaks,
    effort::Effort,
    node_motion::{NodeMotion, Tracers},
    tracer::Tally,
    watch::Watch,
};
use crate::clip::{LikenessFigure, Owner, Transform, ViewerFromSource};

/// The tolerance of figures in metres and radians: joints that swing by formulas would need a hundred
/// keys a tick for that of nodes.
pub(super) const TOLERANCE: f64 = 1e-3;

/// Where each part is, and whether it is visible.
type Places = Rc<[(Transform, bool)]>;

/// The motion of each part of a figure, and how many keys that took.
///
/// # Errors
/// If there are too many keys, or the export is cancelled.
pub(super) fn trace(
    job: &Job<'_>,
    figure: &LikenessFigure,
    effort: &Effort,
    watch: &mut Watch<'_>,
) -> Result<(Vec<NodeMotion>, Tally), ExportError> {
    /// After how many gaps to ask whether the export is still wanted.
    const OFTEN: usize = 256;
    let times = times(job, figure)?;
    let mut album = Album::new(job, figure);
    let part = |&(rest, _): &(Transform, bool)| Tracers::of_part(job, rest, 0.5 * TOLERANCE);
    let mut tracers: Vec<_> = album.rest.iter().map(part).collect();
    for (index, gap) in times.windows(2).enumerate() {
        if index % OFTEN == OFTEN - 1 {
            watch.ask()?;
        }
        album.taken.retain(|taken, _| *taken == gap[0].to_bits());
        effort.enter_gap();
        for (part, tracers) in tracers.iter_mut().enumerate() {
            tracers.gap(gap[0], gap[1], effort, &mut |time| album.at(time, effort)[part]);
        }
    }
    if job.rate.is_some() {
        let own = breaks::of_states(of_own(job, figure), &times);
        for gap in while_there(own, figure).windows(2) {
            watch.ask()?;
            album.taken.retain(|taken, _| *taken == gap[0].to_bits());
            effort.enter_gap();
            for (part, tracers) in tracers.iter_mut().enumerate() {
                let shown = &mut |time| album.at(time, effort)[part].1;
                tracers.states(gap[0], gap[1], effort, shown);
            }
        }
    }
    let last = times[times.len() - 1];
    let ends = album.at(last, effort);
    let mut tally = Tally::default();
    let ended = tracers.into_iter().zip(ends.iter()).map(|(tracers, &end)| {
        let (motion, own) = tracers.end(last, end);
        tally.add(own);
        NodeMotion {
            translation: motion.translation.simplified(0.5 * TOLERANCE),
            rotation: motion.rotation.simplified(0.5 * TOLERANCE),
            scale: motion.scale.simplified(0.5 * TOLERANCE),
            ..motion
        }
    });
    let motions = ended.collect();
    Ok((motions, tally))
}

/// The times at which a figure may bend: samples and keys, but for those amid its absence.
fn times(job: &Job<'_>, figure: &LikenessFigure) -> Result<Vec<f64>, ExportError> {
    let times = match job.rate {
        Some(rate) => breaks::regular(job, rate)?,
        None => of_own(job, figure)?,
    };
    Ok(while_there(times, figure))
}

/// The recording's own samples, and the keys of the node that the figure is of.
fn of_own(job: &Job<'_>, figure: &LikenessFigure) -> Result<Vec<f64>, ExportError> {
    let tracks = job.clip.tracks_of(Owner::Node(figure.node)).map(|(id, _)| id);
    breaks::of_samples(job, tracks)
}

/// These times, but for those amid the absence of a figure.
fn while_there(times: Vec<f64>, figure: &LikenessFigure) -> Vec<f64> {
    let there: Vec<bool> = times.iter().map(|&time| figure.motion.is_there(time)).collect();
    let last = times.len() - 1;
    let is_needed = |index: usize| {
        index == 0 || index == last || there[index - 1..=index + 1].iter().any(|is_there| *is_there)
    };
    let kept = times.iter().enumerate().filter(|(index, _)| is_needed(*index));
    kept.map(|(_, &time)| time).collect()
}

/// Places that were taken lately.
struct Album<'a> {
    figure: &'a LikenessFigure,
    viewer_from_source: ViewerFromSource,
    rest: Places,
    /// By the bits of their times.
    taken: HashMap<u64, Places>,
}

impl<'a> Album<'a> {
    fn new(job: &Job<'_>, figure: &'a LikenessFigure) -> Self {
        let viewer_from_source = job.clip.convention.viewer_from_source();
        let rest =
            |part: &crate::clip::FigurePart| (viewer_from_source.transform(&part.rest), true);
        let rest = figure.parts.iter().map(rest).collect();
        Self { figure, viewer_from_source, rest, taken: HashMap::new() }
    }

    fn at(&mut self, time: f64, effort: &Effort) -> Places {
        if let Some(taken) = self.taken.get(&time.to_bits()) {
            return Rc::clone(taken);
        }
        effort.spend();
        let mut places = self.rest.to_vec();
        self.figure.motion.place(time, &mut |part, in_source, shown| {
            places[part] = (self.viewer_from_source.transform(&in_source), shown);
        });
        let places: Places = places.into();
        self.taken.insert(time.to_bits(), Rc::clone(&places));
        places
    }
}
