//! Morph target weights, as animation channels.

use std::collections::BTreeSet;

use super::{
    animation::{ChannelKeys, channel_keys},
    builder::GlbBuilder,
    json::{ChannelTarget, Sampler},
    model::AddedMesh,
};
use crate::{
    clip::{Model, MorphWeights, TrackId},
    diagnostics::format_count,
    export::{
        ExportError, Job, Report,
        signals::{SignalCurve, SignalTracer},
    },
};

pub(super) fn animate_morph_weights(
    model: &Model,
    added: &[AddedMesh],
    job: &Job<'_>,
    builder: &mut GlbBuilder,
    report: &mut Report,
) -> Result<BTreeSet<usize>, ExportError> {
    let mut signals = SignalTracer::new(job);
    let mut used_signals = BTreeSet::new();
    let mut channel_count = 0;
    for mesh in added {
        let weights = MorphWeights::new(job.clip, &model.pieces[mesh.piece]);
        if !weights.is_animated() {
            continue;
        }
        let mut curves = Vec::new();
        for target in 0..weights.len() {
            let mut sum = WeightSum { base: weights.rest_weight(target), terms: Vec::new() };
            for (signal, factor) in weights.signals(target) {
                let track = job.clip.signals[signal].track;
                if let Some(keys) = signal_keys(&mut signals, track, job.from)? {
                    sum.terms.push((keys, factor));
                    used_signals.insert(signal);
                }
            }
            curves.push(sum);
        }
        channel_count += write_weights(mesh.node, &curves, builder);
    }
    signals.report(report);
    if channel_count > 0 {
        let meshes = format_count(channel_count, "mesh");
        report.info(format!("{meshes} with moving morph targets"));
    }
    Ok(used_signals)
}

fn signal_keys(
    signals: &mut SignalTracer<'_>,
    track: TrackId,
    from: f64,
) -> Result<Option<ChannelKeys<f64>>, ExportError> {
    Ok(match signals.trace_curve(track)? {
        SignalCurve::Numbers(curve) => Some(channel_keys(&curve, from)),
        SignalCurve::States(_) => None,
    })
}

struct WeightSum {
    base: f32,
    terms: Vec<(ChannelKeys<f64>, f32)>,
}

impl WeightSum {
    fn value_at(&self, time: f32) -> f32 {
        let term = |(keys, factor): &(ChannelKeys<f64>, f32)| keys.value_at(time) as f32 * factor;
        self.base + self.terms.iter().map(term).sum::<f32>()
    }
}

fn write_weights(node: usize, weights: &[WeightSum], builder: &mut GlbBuilder) -> usize {
    let curves = || weights.iter().flat_map(|sum| &sum.terms).map(|(keys, _)| keys);
    let mut times: Vec<f32> = curves().flat_map(|keys| keys.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    if times.is_empty() {
        return 0;
    }
    let is_stepped = curves().all(|keys| keys.is_stepped);
    let numbers: Vec<f32> =
        times.iter().flat_map(|&time| weights.iter().map(move |sum| sum.value_at(time))).collect();
    let input = builder.chunk.add_times(&times);
    let output = builder.chunk.add_scalars(&numbers);
    let animation = &mut builder.animation;
    let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
    animation.samplers.push(Sampler { input, output, interpolation });
    let (sampler, target) = (animation.samplers.len() - 1, ChannelTarget { node, path: "weights" });
    animation.channels.push(super::json::Channel { sampler, target });
    1
}
