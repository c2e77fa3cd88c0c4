//! Matrices that are not a translation, a rotation and a scale, because they have shear.

use glam::{DMat3, DQuat, DVec3};

use crate::clip::Transform;

/// The largest cosine of the angle between two axes of a matrix without shear. Matrices that were
/// rounded to four digits stay below.
const MAX_RIGHT_ANGLE_COSINE: f64 = 5e-4;

/// Returns `true` if two axes of `matrix` are not at right angles. A flattened axis has no
/// direction, so it is at right angles to all others.
pub(super) fn has_shear(matrix: DMat3) -> bool {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::normalize_or_zero);
    let cosines = [axes[0].dot(axes[1]), axes[1].dot(axes[2]), axes[2].dot(axes[0])];
    cosines.iter().any(|cosine| cosine.abs() > MAX_RIGHT_ANGLE_COSINE)
}

/// Returns the transforms of two nodes below a node with the transform `rest`, which together with
/// `rest` have exactly the matrix `matrix`. The translation of `rest` has to be that of the matrix.
///
/// A single transform cannot express shear, but any matrix is the product of a rotation, a scale
/// and another rotation: its singular value decomposition. `None` if the matrix is flattened, or
/// not finite.
pub(super) fn transforms_below(rest: &Transform, matrix: DMat3) -> Option<[Transform; 2]> {
    let remainder = rest.linear_matrix().inverse() * matrix;
    let [right, squares] = eigen_decomposition(remainder.transpose() * remainder);
    let scale = squares_to_scale(squares)?;
    let left = remainder * right * DMat3::from_diagonal(scale.recip());
    // Both factors are orthogonal. A factor that mirrors is no rotation, so mirror its first axis,
    // and the scale along this axis.
    let (left, left_sign) = without_mirror(left);
    let (right, right_sign) = without_mirror(right);
    let scale = scale * DVec3::new(left_sign * right_sign, 1.0, 1.0);
    let outer =
        Transform { rotation: DQuat::from_mat3(&left).normalize(), scale, ..Transform::IDENTITY };
    let rotation = DQuat::from_mat3(&right.transpose()).normalize();
    let inner = Transform { rotation, ..Transform::IDENTITY };
    (outer.is_finite() && inner.is_finite()).then_some([outer, inner])
}

fn squares_to_scale(squares: DMat3) -> Option<DVec3> {
    const MIN_SCALE_RATIO: f64 = 1e-6;
    let diagonal = DVec3::new(squares.x_axis.x, squares.y_axis.y, squares.z_axis.z);
    let scale = diagonal.max(DVec3::ZERO).map(f64::sqrt);
    let is_flat = scale.min_element() <= MIN_SCALE_RATIO * scale.max_element();
    (scale.is_finite() && !is_flat).then_some(scale)
}

fn without_mirror(orthogonal: DMat3) -> (DMat3, f64) {
    let sign = orthogonal.determinant().signum();
    (orthogonal * DMat3::from_diagonal(DVec3::new(sign, 1.0, 1.0)), sign)
}

/// Returns the eigenvectors of a symmetric matrix, and a diagonal matrix of its eigenvalues, by
/// Jacobi's method: each rotation sets one number beside the diagonal to 0.
fn eigen_decomposition(symmetric: DMat3) -> [DMat3; 2] {
    /// Each sweep squares the numbers beside the diagonal, so few sweeps reach the precision of
    /// f64.
    const SWEEPS: usize = 12;
    let (mut vectors, mut values) = (DMat3::IDENTITY, symmetric);
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let beside = values.col(q)[p];
            if beside == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * beside).atan2(values.col(q)[q] - values.col(p)[p]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            values = turn.transpose() * values * turn;
            vectors *= turn;
        }
    }
    [vectors, values]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(rest: &Transform, below: [Transform; 2]) -> DMat3 {
        below.iter().fold(rest.linear_matrix(), |product, one| product * one.linear_matrix())
    }

    fn decomposed(matrix: DMat3) -> Transform {
        let (scale, rotation, _) = glam::DMat4::from_mat3(matrix).to_scale_rotation_translation();
        Transform { scale, rotation: rotation.normalize(), ..Transform::IDENTITY }
    }

    #[test]
    fn two_nodes_restore_the_sheared_matrix() {
        let turned = DMat3::from_quat(DQuat::from_xyzw(0.1, 0.7, -0.3, 0.6).normalize());
        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z);
        let uneven = DMat3::from_diagonal(DVec3::new(2.0, 0.5, -3.0));
        for matrix in [
            sheared,
            turned * sheared,
            sheared * turned * uneven * sheared,
            uneven * turned * uneven,
            sheared.transpose() * DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)),
        ] {
            assert!(has_shear(matrix), "{matrix}");
            let rest = decomposed(matrix);
            let restored = product(&rest, transforms_below(&rest, matrix).unwrap());
            assert!(restored.abs_diff_eq(matrix, 1e-9), "{restored} instead of {matrix}");
        }
        assert!(!has_shear(turned * uneven), "a rotation and a scale");
    }

    #[test]
    fn flattened_matrices_have_no_transforms_below() {
        let flat = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::ZERO);
        assert_eq!(transforms_below(&decomposed(flat), flat), None);
        let flat = DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0));
        assert_eq!(transforms_below(&decomposed(flat), flat), None);
    }
}
