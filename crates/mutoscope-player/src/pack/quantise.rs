//! Writes positions and rotations as integers, each as the difference from a prediction.
//!
//! A prediction continues the numbers before it by a line or a parabola.

use glam::{DQuat, DVec3};

use super::bytes::ByteWriter;

/// The highest degree of the polynomial that predicts a number from the numbers before it.
const MAX_DEGREE: u8 = 2;

/// The largest ratio of two gaps between keys over which a number is predicted from its slope.
const MAX_GAP_RATIO: f64 = 4.0;

/// The largest integer for a position. f64 represents this integer and its residuals exactly.
const MAX_INTEGER: f64 = (1_u64 << 50) as f64;

/// The largest predicted integer. Differences from it are still exact in f64.
const MAX_PREDICTION: f64 = (1_u64 << 51) as f64;

/// The integers of the values of a curve, by component.
pub(super) type Columns = [Vec<i64>; 3];

/// A value of a curve after rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored<T> {
    /// The integers that the page stores.
    pub(super) integers: [i64; 3],
    /// The value that the player computes from the integers.
    pub(super) read: T,
}

/// A value of a curve, which a page stores as three integers.
pub(super) trait Quantise: Copy {
    /// Rounds a value to multiples of `step`. `last` is the stored value before it in the curve.
    fn quantise(self, last: Option<&Stored<Self>>, step: f64) -> Stored<Self>;

    /// Returns the grid step for which each value is within `error` of its stored value.
    fn grid_step(values: impl Iterator<Item = Self>, error: f64) -> f64;
}

impl Quantise for DVec3 {
    fn quantise(self, _: Option<&Stored<Self>>, step: f64) -> Stored<Self> {
        let integers = (self / step).round().to_array().map(|number| number as i64);
        Stored { integers, read: Self::from_array(integers.map(|integer| integer as f64)) * step }
    }

    /// The step is larger if the largest coordinate divided by the step would exceed
    /// [`MAX_INTEGER`].
    fn grid_step(points: impl Iterator<Item = Self>, error: f64) -> f64 {
        let max = points.map(|point| point.abs().max_element()).fold(0.0, f64::max);
        (2.0 * error / 3.0_f64.sqrt()).max(max / MAX_INTEGER)
    }
}

impl Quantise for DQuat {
    /// Rounds the rotation vector from the previous rotation as it will be read, so that errors do
    /// not accumulate. The integers are the sums of these vectors, because they change evenly if the
    /// angular velocity is constant.
    fn quantise(self, last: Option<&Stored<Self>>, step: f64) -> Stored<Self> {
        let start = Stored { integers: [0; 3], read: Self::IDENTITY };
        let Stored { integers, read } = last.unwrap_or(&start);
        let steps = (to_rotation_vector(read.conjugate() * self) / step).round();
        Stored {
            integers: std::array::from_fn(|axis| integers[axis] + steps[axis] as i64),
            read: (*read * from_rotation_vector(steps * step)).normalize(),
        }
    }

    fn grid_step(_: impl Iterator<Item = Self>, error: f64) -> f64 {
        2.0 * error / 3.0_f64.sqrt()
    }
}

/// Rounds the successive values of a curve to multiples of `step`.
pub(super) fn quantise_all<T: Quantise>(
    values: impl IntoIterator<Item = T>,
    step: f64,
) -> Vec<Stored<T>> {
    let mut all: Vec<Stored<T>> = Vec::new();
    for value in values {
        all.push(value.quantise(all.last(), step));
    }
    all
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

/// Writes three columns of integers as differences from a prediction. Chooses the degree of the
/// prediction whose differences need fewest bits, writes it, then the differences of each column.
pub(super) fn write_columns(columns: &Columns, times: &[f64], out: &mut ByteWriter) {
    /// The number of keys that decide. More would take longer and hardly save bytes.
    const MAX_DECIDING_KEYS: usize = 128;
    let bits = |degree: &u8| {
        let mut bits = 0;
        for column in columns {
            for index in 0..column.len().min(MAX_DECIDING_KEYS) {
                let residual = column[index] - predict(column, times, index, *degree);
                bits += 64 - residual.unsigned_abs().leading_zeros();
            }
        }
        bits
    };
    let degree = (0..=MAX_DEGREE).min_by_key(bits).unwrap_or_default();
    out.write_u8(degree);
    for column in columns {
        for (index, number) in column.iter().enumerate() {
            out.write_signed_varint(number - predict(column, times, index, degree));
        }
    }
}

/// Predicts the number at `index` from the numbers before it, by a polynomial of at most `degree`
/// through the last of them. The player computes the same floating-point operations in the same
/// order.
fn predict(column: &[i64], times: &[f64], index: usize, degree: u8) -> i64 {
    let Some(last) = index.checked_sub(1) else { return 0 };
    if degree == 0 || index < 2 {
        return column[last];
    }
    let (gap, gap_before) = (times[index] - times[last], times[last] - times[last - 1]);
    if gap_before <= 0.0 || gap > MAX_GAP_RATIO * gap_before {
        return column[last];
    }
    let difference = |later: usize| (column[later] - column[later - 1]) as f64;
    let mut slope = difference(last) / gap_before;
    if degree == 2 && index > 2 {
        let gap_earlier = times[last - 1] - times[last - 2];
        if gap_earlier > 0.0 && gap_before <= MAX_GAP_RATIO * gap_earlier {
            let bend = (slope - difference(last - 1) / gap_earlier) / (gap_before + gap_earlier);
            slope += bend * (gap + gap_before);
        }
    }
    let predicted = column[last] as f64 + gap * slope + 0.5;
    if predicted.abs() > MAX_PREDICTION {
        return column[last];
    }
    // The floor, without a call of a function.
    let truncated = predicted as i64;
    truncated - i64::from(truncated as f64 > predicted)
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
        let step = DVec3::grid_step(points.iter().copied(), 5e-5);
        let stored = quantise_all(points.iter().copied(), step);
        let largest_error =
            points.iter().zip(&stored).map(|(a, b)| a.distance(b.read)).fold(0.0, f64::max);
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
        let step = DQuat::grid_step(all.iter().copied(), error);
        let stored = quantise_all(all.iter().copied(), step);
        let angle = |a: &DQuat, b: &DQuat| to_rotation_vector(a.conjugate() * *b).length();
        let largest_error =
            all.iter().zip(&stored).map(|(a, b)| angle(a, &b.read)).fold(0.0, f64::max);
        assert!(largest_error > 2e-4 && largest_error <= error, "{largest_error}");
    }

    #[test]
    fn parabolas_with_uneven_keys_are_predicted_exactly() {
        let times: Vec<f64> = (0..100).map(|index| f64::from(2 * index + index % 2)).collect();
        let column =
            |bend: i64| times.iter().map(|&at| (at as i64) * (5 + bend * at as i64)).collect();
        let mut out = ByteWriter::default();
        write_columns(&[column(0), column(3), column(-7)], &times, &mut out);
        // The degree, and for each column the second and third number.
        assert!(out.0.iter().filter(|byte| **byte != 0).count() <= 1 + 3 * 3, "{:?}", out.0);
    }
}
