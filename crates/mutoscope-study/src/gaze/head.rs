//! The measures of a head over a range.

use crate::{measures::Measures, range::MeasuredRange, sampling::HeadSamples, signal::angle};

/// Adds the measures of a head.
pub(crate) fn measure(head: &HeadSamples, range: &MeasuredRange, measures: &mut Measures) {
    let sum = |length: &dyn Fn(usize) -> f64| {
        let lengths: Vec<f64> = range.steps().map(length).filter(|it| it.is_finite()).collect();
        // The sum of nothing is −0.
        (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() + 0.0)
    };
    let path = sum(&|step| head.places[step].distance(head.places[step + 1]));
    measures.add("head_path_length_m", path);
    let turn = sum(&|step| angle::turn(head.rotations[step], head.rotations[step + 1]).length());
    measures.add("head_rotation_deg", turn);
}
