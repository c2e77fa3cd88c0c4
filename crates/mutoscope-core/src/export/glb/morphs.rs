//! Morph target weights, as animation channels.

use std::collections::BTreeSet;

use super::{
    animation::channel_keys,
    builder::GlbBuilder,
    json::{ChannelTarget, Sampler},
    model::AddedMesh,
};
use crate::{
    clip::{Model, MorphWeights},
    diagnostics::format_count,
    export::{
        ExportError, Job, Report,
        keyed_curve::KeyedCurve,
        linear_keys::ChannelKeys,
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
        let mut sums = Vec::new();
        for target in 0..weights.len() {
            let mut sum = WeightSum { base: weights.rest_weight(target), terms: Vec::new() };
            for (signal, factor) in weights.signals(target) {
                let track = job.clip.signals[signal].track;
                let curve = signals.trace_curve(track)?;
                if let SignalCurve::Numbers(curve) = signals.fill_nulls(track, curve) {
                    sum.terms.push((curve, factor));
                    used_signals.insert(signal);
                }
            }
            sums.push(sum);
        }
        channel_count += write_weights(mesh.node, &sums, job.from, builder);
    }
    signals.report(report);
    if channel_count > 0 {
        let meshes = format_count(channel_count, "mesh");
        report.info(format!("{meshes} with moving morph targets"));
    }
    Ok(used_signals)
}

/// A weight: a constant and the curves of signals, each with its factor. `C` is the type of the
/// curves.
struct WeightSum<C> {
    base: f32,
    terms: Vec<(C, f32)>,
}

impl WeightSum<ChannelKeys<f64>> {
    fn value_at(&self, time: f32) -> f32 {
        let term = |(keys, factor): &(ChannelKeys<f64>, f32)| keys.value_at(time) as f32 * factor;
        self.base + self.terms.iter().map(term).sum::<f32>()
    }
}

fn write_weights(
    node: usize,
    sums: &[WeightSum<KeyedCurve<f64>>],
    from: f64,
    builder: &mut GlbBuilder,
) -> usize {
    let is_stepped = sums.iter().flat_map(|sum| &sum.terms).all(|(curve, _)| curve.is_stepped());
    let to_keys = |sum: &WeightSum<KeyedCurve<f64>>| WeightSum {
        base: sum.base,
        terms: sum
            .terms
            .iter()
            .map(|(curve, factor)| (channel_keys(curve, is_stepped, from), *factor))
            .collect(),
    };
    let sums: Vec<WeightSum<ChannelKeys<f64>>> = sums.iter().map(to_keys).collect();
    let all_keys = sums.iter().flat_map(|sum| &sum.terms).map(|(keys, _)| keys);
    let mut times: Vec<f32> = all_keys.flat_map(|keys| keys.times.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    if times.is_empty() {
        return 0;
    }
    let numbers: Vec<f32> =
        times.iter().flat_map(|&time| sums.iter().map(move |sum| sum.value_at(time))).collect();
    let input = builder.chunk.add_times(&times);
    let output = builder.chunk.add_scalars(&numbers);
    let animation = &mut builder.animation;
    let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
    animation.samplers.push(Sampler { input, output, interpolation });
    let (sampler, target) = (animation.samplers.len() - 1, ChannelTarget { node, path: "weights" });
    animation.channels.push(super::json::Channel { sampler, target });
    1
}
