//! The weights of morph targets, as channels.

use std::collections::BTreeSet;

use super::{
    animation::{Points, points},
    json::{ChannelTarget, Sampler},
    parts::Parts,
    wear::Worn,
};
use crate::{
    clip::{Model, MorphWeights, TrackId},
    export::{
        ExportError, Job, Report,
        report::counted,
        signals::{SignalCurve, Signals},
    },
};

/// Lets the weights of worn meshes move; the indices of the signals that are kept so.
///
/// # Errors
/// If there are too many keys.
pub(super) fn add(
    model: &Model,
    worn: &[Worn],
    job: &Job<'_>,
    parts: &mut Parts,
    report: &mut Report,
) -> Result<BTreeSet<usize>, ExportError> {
    let mut signals = Signals::new(job);
    let mut kept = BTreeSet::new();
    let mut moving = 0;
    for worn in worn {
        let weights = MorphWeights::of(job.clip, &model.pieces[worn.piece]);
        if !weights.is_moved() {
            continue;
        }
        let mut curves = Vec::new();
        for target in 0..weights.len() {
            let mut sum = Sum { base: weights.rest(target), parts: Vec::new() };
            for (signal, factor) in weights.signals(target) {
                let track = job.clip.signals[signal].track;
                if let Some(points) = curve(&mut signals, track, job.from)? {
                    sum.parts.push((points, factor));
                    kept.insert(signal);
                }
            }
            curves.push(sum);
        }
        moving += write(worn.node, &curves, parts);
    }
    signals.report(report);
    if moving > 0 {
        let meshes = counted(moving, "mesh").replace("meshs", "meshes");
        report.info(format!("{meshes} with moving morph targets"));
    }
    Ok(kept)
}

/// The numbers of a signal; nothing if it has others.
fn curve(
    signals: &mut Signals<'_>,
    track: TrackId,
    from: f64,
) -> Result<Option<Points<f64>>, ExportError> {
    Ok(match signals.curve(track)? {
        SignalCurve::Numbers(curve) => Some(points(&curve, from)),
        SignalCurve::States(_) => None,
    })
}

/// A weight: a number, and curves that are added to it by factors.
struct Sum {
    base: f32,
    parts: Vec<(Points<f64>, f32)>,
}

impl Sum {
    fn at(&self, time: f32) -> f32 {
        let added = |(points, factor): &(Points<f64>, f32)| points.at(time) as f32 * factor;
        self.base + self.parts.iter().map(added).sum::<f32>()
    }
}

/// Writes the channel of a mesh, whose weights go straight from each of their keys to the next; how
/// many channels that are.
fn write(node: usize, weights: &[Sum], parts: &mut Parts) -> usize {
    let curves = || weights.iter().flat_map(|sum| &sum.parts).map(|(points, _)| points);
    let mut times: Vec<f32> = curves().flat_map(|points| points.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    if times.is_empty() {
        return 0;
    }
    let is_stepped = curves().all(|points| points.is_stepped);
    let numbers: Vec<f32> =
        times.iter().flat_map(|&time| weights.iter().map(move |sum| sum.at(time))).collect();
    let input = parts.chunk.times(&times);
    let output = parts.chunk.scalars(&numbers);
    let animation = &mut parts.animation;
    let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
    animation.samplers.push(Sampler { input, output, interpolation });
    let (sampler, target) = (animation.samplers.len() - 1, ChannelTarget { node, path: "weights" });
    animation.channels.push(super::json::Channel { sampler, target });
    1
}
