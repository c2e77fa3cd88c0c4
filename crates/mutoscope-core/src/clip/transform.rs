//! Transforms: translation, rotation and scale in f64.

use glam::{DMat3, DQuat, DVec3};

/// A translation, a rotation and a scale.
///
/// Transforms use f64 because some recordings play a million metres from their origin. The renderer
/// subtracts an origin before it converts to f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The translation.
    pub translation: DVec3,
    /// The rotation, a unit quaternion.
    pub rotation: DQuat,
    /// The scale along the axes of the transform.
    pub scale: DVec3,
}

impl Transform {
    /// No translation, no rotation and no scale.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// Converts `child`, which is relative to `self`, to the space that `self` is relative to.
    ///
    /// Scales are multiplied axis by axis. The shear of a rotated child of a non-uniformly scaled
    /// parent is not represented.
    #[inline]
    pub fn compose(&self, child: &Self) -> Self {
        Self {
            translation: self.transform_point(child.translation),
            rotation: (self.rotation * child.rotation).normalize(),
            scale: self.scale * child.scale,
        }
    }

    /// Converts `point`, which is relative to `self`, to the space that `self` is relative to.
    #[inline]
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.translation + self.rotation * (self.scale * point)
    }

    /// Returns the matrix without the translation: the rotation times the scale.
    pub fn linear_matrix(&self) -> DMat3 {
        DMat3::from_quat(self.rotation) * DMat3::from_diagonal(self.scale)
    }

    /// Returns `true` if all numbers are finite.
    ///
    /// This tests only the sum of all numbers, because the sum is not finite if one of the numbers
    /// is not finite. The sum of finite numbers near 1e308 may overflow, but such numbers are no
    /// useful positions.
    #[inline]
    pub fn is_finite(&self) -> bool {
        let sum = self.translation + self.rotation.xyz() + self.scale;
        (sum.element_sum() + self.rotation.w).is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn one_non_finite_component_makes_a_transform_non_finite() {
        let finite = Transform { translation: DVec3::splat(1e30), ..Transform::IDENTITY };
        assert!(finite.is_finite());
        let infinite = DVec3::new(f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for broken in [
            Transform { translation: infinite, ..finite },
            Transform { rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, f64::NAN), ..finite },
            Transform { scale: DVec3::new(1.0, f64::NEG_INFINITY, 1.0), ..finite },
        ] {
            assert!(!broken.is_finite(), "{broken:?}");
        }
    }

    #[test]
    fn child_transform_is_scaled_rotated_and_translated() {
        let parent = Transform {
            translation: DVec3::new(10.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_y(FRAC_PI_2),
            scale: DVec3::splat(2.0),
        };
        let child = Transform { translation: DVec3::X, ..Transform::IDENTITY };
        let world = parent.compose(&child);
        assert!(world.translation.abs_diff_eq(DVec3::new(10.0, 0.0, -2.0), 1e-12));
        assert_eq!(world.scale, DVec3::splat(2.0));
    }
}
