//! Computes the measures of a head over a range.

use crate::{measures::Measures, range::MeasuredRange, sampling::HeadSamples, signal::angle};

pub(crate) fn measure_head(head: &HeadSamples, range: &MeasuredRange, measures: &mut Measures) {
    let sum = |length: &dyn Fn(usize) -> f64| {
        let lengths: Vec<f64> = range.steps().map(length).filter(|it| it.is_finite()).collect();
        // The sum of an empty iterator of floats is −0. Adding 0 makes it 0.
        (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() + 0.0)
    };
    let path = sum(&|step| head.positions[step].distance(head.positions[step + 1]));
    measures.add("head_path_length_m", path);
    let turn = sum(&|step| {
        angle::rotation_vector(head.rotations[step], head.rotations[step + 1]).length()
    });
    measures.add("head_rotation_deg", turn);
}
