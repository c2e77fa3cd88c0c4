//! Writes positions and rotations as integers, each as the difference from a prediction.
//!
//! A position is rounded to a grid point. A rotation is stored as a rotation vector relative to the
//! previous rotation *as it was stored*, so that errors do not accumulate.

use glam::{DQuat, DVec3};

use super::bytes::ByteWriter;

const PREDICT_PREVIOUS: u8 = 0;
const PREDICT_LINEAR: u8 = 1;

/// The largest integer for a position. f64 represents this integer and its second differences
/// exactly.
const MAX_INTEGER: f64 = (1_u64 << 50) as f64;

/// Returns the grid step for which each point is within `error` of the nearest grid point.
///
/// The step is larger if `max` divided by the step would exceed [`MAX_INTEGER`].
pub(super) fn grid_step(error: f64, max: f64) -> f64 {
    (2.0 * error / 3.0_f64.sqrt()).max(max / MAX_INTEGER)
}

pub(super) fn write_points(points: &[DVec3], step: f64, out: &mut ByteWriter) -> Vec<DVec3> {
    let columns = [0, 1, 2].map(|axis| {
        points.iter().map(|point| (point[axis] / step).round() as i64).collect::<Vec<_>>()
    });
    write_columns(&columns, out);
    let [x, y, z] = &columns;
    let point = |index: usize| DVec3::new(x[index] as f64, y[index] as f64, z[index] as f64) * step;
    (0..points.len()).map(point).collect()
}

/// Writes rotations as rotation vectors rounded to multiples of `step` radians. Returns them as
/// they will be read.
pub(super) fn write_rotations(rotations: &[DQuat], step: f64, out: &mut ByteWriter) -> Vec<DQuat> {
    let mut columns = [const { Vec::new() }; 3];
    let mut previous = DQuat::IDENTITY;
    let mut read = Vec::with_capacity(rotations.len());
    for &rotation in rotations {
        let steps = (to_rotation_vector(previous.conjugate() * rotation) / step).round();
        columns
            .iter_mut()
            .zip(steps.to_array())
            .for_each(|(column, part)| column.push(part as i64));
        previous = (previous * from_rotation_vector(steps * step)).normalize();
        read.push(previous);
    }
    write_columns(&columns, out);
    read
}

/// Converts a rotation to a rotation vector, in radians. The angle is at most π.
fn to_rotation_vector(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = DVec3::new(rotation.x, rotation.y, rotation.z);
    let sine = axis.length();
    let factor = if sine < 1e-9 { 2.0 } else { 2.0 * sine.atan2(rotation.w) / sine };
    axis * factor
}

fn from_rotation_vector(vector: DVec3) -> DQuat {
    let angle = vector.length();
    let factor = if angle < 1e-9 { 0.5 } else { (0.5 * angle).sin() / angle };
    DQuat::from_xyzw(vector.x * factor, vector.y * factor, vector.z * factor, (0.5 * angle).cos())
}

/// Writes three columns of integers. Chooses the predictor whose residuals need fewer bits. Writes
/// this predictor, then the residuals of each column.
fn write_columns(columns: &[Vec<i64>; 3], out: &mut ByteWriter) {
    let bits = |predictor: u8| -> u64 {
        let residual = columns.iter().flat_map(|column| residuals(column, predictor));
        residual.map(|residual| u64::from(64 - residual.unsigned_abs().leading_zeros())).sum()
    };
    let predictor = if bits(PREDICT_LINEAR) < bits(PREDICT_PREVIOUS) {
        PREDICT_LINEAR
    } else {
        PREDICT_PREVIOUS
    };
    out.write_u8(predictor);
    columns.iter().for_each(|column| {
        residuals(column, predictor).for_each(|residual| out.write_signed_varint(residual))
    });
}

fn residuals(column: &[i64], predictor: u8) -> impl Iterator<Item = i64> + '_ {
    let mut before = [0_i64; 2];
    column.iter().map(move |&number| {
        let expected =
            if predictor == PREDICT_LINEAR { 2 * before[0] - before[1] } else { before[0] };
        before = [number, before[0]];
        number - expected
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_within_the_error() {
        let mut random = fastrand::Rng::with_seed(1);
        let points: Vec<_> = (0..1000)
            .map(|_| DVec3::from_array([(); 3].map(|()| random.f64() * 20.0 - 10.0)))
            .collect();
        let read = write_points(&points, grid_step(5e-5, 10.0), &mut ByteWriter::default());
        let largest_error =
            points.iter().zip(&read).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(largest_error > 3e-5 && largest_error <= 5e-5, "{largest_error}");
    }

    #[test]
    fn rotation_errors_do_not_accumulate() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut turn = DQuat::IDENTITY;
        let all: Vec<_> = (0..20_000)
            .map(|index| {
                let far = if index % 100 == 0 { 6.0 } else { 0.05 };
                let about = DVec3::from_array([(); 3].map(|()| (random.f64() - 0.5) * far));
                turn = (turn * from_rotation_vector(about)).normalize();
                if index % 7 == 0 { -turn } else { turn }
            })
            .collect();
        let error = 4e-4;
        let read = write_rotations(&all, grid_step(error, 0.0), &mut ByteWriter::default());
        let angle = |a: &DQuat, b: &DQuat| to_rotation_vector(a.conjugate() * *b).length();
        let largest_error = all.iter().zip(&read).map(|(a, b)| angle(a, b)).fold(0.0, f64::max);
        assert!(largest_error > 2e-4 && largest_error <= error, "{largest_error}");
    }

    #[test]
    fn linear_motion_is_predicted_exactly() {
        let even: Vec<_> = (0..100).map(|index| DVec3::splat(f64::from(index))).collect();
        let mut out = ByteWriter::default();
        write_points(&even, 0.5, &mut out);
        assert_eq!(out.0.iter().filter(|byte| **byte != 0).count(), 1 + 3);
    }
}
