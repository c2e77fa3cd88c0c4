//! Positions and rotations as whole numbers, each as the difference from what came before.
//!
//! A position is a point of a grid. A rotation is a turn from the one before it *as it was stored*, so that
//! errors do not add up: a vector along the axis, as long as the angle.

use glam::{DQuat, DVec3};

use super::bytes::Bytes;

/// How differences are predicted: from the value before, or from the two before.
const FROM_ONE: u8 = 0;
const FROM_TWO: u8 = 1;

/// The largest whole number that positions become: doubles and differences of differences hold it.
const LARGEST: f64 = (1_u64 << 50) as f64;

/// The step of a grid whose points are within `error` of any place, no finer than numbers up to `most` allow.
pub(super) fn grid_step(error: f64, most: f64) -> f64 {
    (2.0 * error / 3.0_f64.sqrt()).max(most / LARGEST)
}

/// Writes `points` to the grid with this `step`, and returns them as they will be read.
pub(super) fn points(points: &[DVec3], step: f64, out: &mut Bytes) -> Vec<DVec3> {
    let columns = [0, 1, 2].map(|axis| {
        points.iter().map(|point| (point[axis] / step).round() as i64).collect::<Vec<_>>()
    });
    columns_of(&columns, out);
    let [x, y, z] = &columns;
    let point = |index: usize| DVec3::new(x[index] as f64, y[index] as f64, z[index] as f64) * step;
    (0..points.len()).map(point).collect()
}

/// Writes `turns`, each to a multiple of `step` radians about each axis, and returns them as they will be
/// read.
pub(super) fn turns(turns: &[DQuat], step: f64, out: &mut Bytes) -> Vec<DQuat> {
    let mut columns = [const { Vec::new() }; 3];
    let mut before = DQuat::IDENTITY;
    let mut read = Vec::with_capacity(turns.len());
    for &turn in turns {
        let whole = (axis_angle(before.conjugate() * turn) / step).round();
        columns
            .iter_mut()
            .zip(whole.to_array())
            .for_each(|(column, part)| column.push(part as i64));
        before = (before * turned(whole * step)).normalize();
        read.push(before);
    }
    columns_of(&columns, out);
    read
}

/// The vector along the axis of a rotation, as long as its angle the short way, in radians.
fn axis_angle(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = DVec3::new(turn.x, turn.y, turn.z);
    let sine = axis.length();
    let over = if sine < 1e-9 { 2.0 } else { 2.0 * sine.atan2(turn.w) / sine };
    axis * over
}

/// The rotation about a vector by its length in radians.
fn turned(about: DVec3) -> DQuat {
    let angle = about.length();
    let over = if angle < 1e-9 { 0.5 } else { (0.5 * angle).sin() / angle };
    DQuat::from_xyzw(about.x * over, about.y * over, about.z * over, (0.5 * angle).cos())
}

/// Columns of whole numbers: how they are predicted, then their differences from that, axis by axis.
fn columns_of(columns: &[Vec<i64>; 3], out: &mut Bytes) {
    let bits = |way: u8| -> u64 {
        let rest = columns.iter().flat_map(|column| residuals(column, way));
        rest.map(|rest| u64::from(64 - rest.unsigned_abs().leading_zeros())).sum()
    };
    let way = if bits(FROM_TWO) < bits(FROM_ONE) { FROM_TWO } else { FROM_ONE };
    out.byte(way);
    columns.iter().for_each(|column| residuals(column, way).for_each(|rest| out.signed(rest)));
}

fn residuals(column: &[i64], way: u8) -> impl Iterator<Item = i64> + '_ {
    let mut before = [0_i64; 2];
    column.iter().map(move |&number| {
        let expected = if way == FROM_TWO { 2 * before[0] - before[1] } else { before[0] };
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
        let places: Vec<_> = (0..1000)
            .map(|_| DVec3::from_array([(); 3].map(|()| random.f64() * 20.0 - 10.0)))
            .collect();
        let read = points(&places, grid_step(5e-5, 10.0), &mut Bytes::default());
        let off = places.iter().zip(&read).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(off > 3e-5 && off <= 5e-5, "{off}");
    }

    #[test]
    fn rotations_are_within_the_error_however_many_there_are() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut turn = DQuat::IDENTITY;
        let all: Vec<_> = (0..20_000)
            .map(|index| {
                let far = if index % 100 == 0 { 6.0 } else { 0.05 };
                let about = DVec3::from_array([(); 3].map(|()| (random.f64() - 0.5) * far));
                turn = (turn * turned(about)).normalize();
                if index % 7 == 0 { -turn } else { turn }
            })
            .collect();
        let error = 4e-4;
        let read = turns(&all, grid_step(error, 0.0), &mut Bytes::default());
        let angle = |a: &DQuat, b: &DQuat| axis_angle(a.conjugate() * *b).length();
        let off = all.iter().zip(&read).map(|(a, b)| angle(a, b)).fold(0.0, f64::max);
        assert!(off > 2e-4 && off <= error, "{off}");
    }

    #[test]
    fn even_motion_is_all_zeros() {
        let even: Vec<_> = (0..100).map(|index| DVec3::splat(f64::from(index))).collect();
        let mut out = Bytes::default();
        points(&even, 0.5, &mut out);
        assert_eq!(out.0.iter().filter(|byte| **byte != 0).count(), 1 + 3);
    }
}
