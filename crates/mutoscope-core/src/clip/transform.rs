//! Translation, rotation and scale, in double precision.

use glam::{DMat3, DQuat, DVec3};

/// Translation, rotation and scale.
///
/// Double precision, because some recordings play a million metres from their origin; drawing
/// subtracts an origin first and only then rounds to `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The translation.
    pub translation: DVec3,
    /// The rotation; unit length.
    pub rotation: DQuat,
    /// The scale along its own axes.
    pub scale: DVec3,
}

impl Transform {
    /// No translation, rotation or scale.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// `child`, which is relative to `self`, in the space that `self` is in.
    ///
    /// Scales multiply axis by axis: the shear that a turned child of an unevenly scaled parent
    /// would have is not represented.
    #[inline]
    pub fn compose(&self, child: &Self) -> Self {
        Self {
            translation: self.transform_point(child.translation),
            rotation: (self.rotation * child.rotation).normalize(),
            scale: self.scale * child.scale,
        }
    }

    /// `point`, which is relative to `self`, in the space that `self` is in.
    #[inline]
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.translation + self.rotation * (self.scale * point)
    }

    /// Its matrix without the translation: scaled first, then rotated.
    pub fn turned_and_scaled(&self) -> DMat3 {
        DMat3::from_quat(self.rotation) * DMat3::from_diagonal(self.scale)
    }

    /// Whether every number in it is finite.
    ///
    /// (Tests their sum, as non-finite values stay so. Numbers near 1e308 are no positions.)
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
