//! Positions with rotations, relative to a parent.

use glam::{DQuat, DVec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

impl Pose {
    pub(super) const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    pub(super) fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation }
    }

    pub(super) fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }

    /// Returns a pose in the axes right, up, back (OpenXR) in the axes forward, left, up (ROS).
    pub(super) fn with_ros_axes(self) -> Self {
        let convert = |vector: DVec3| DVec3::new(-vector.z, -vector.x, vector.y);
        Self {
            position: convert(self.position),
            rotation: DQuat::from_vec4(convert(self.rotation.xyz()).extend(self.rotation.w)),
        }
    }

    /// Returns `child`, which is relative to this pose, relative to the parent of this pose.
    pub(super) fn transform(self, child: Self) -> Self {
        let rotation = self.rotation.normalize();
        Self {
            position: self.position + rotation * child.position,
            rotation: rotation * child.rotation.normalize(),
        }
    }

    pub(super) fn interpolate(self, other: Self, fraction: f64) -> Self {
        Self {
            position: self.position.lerp(other.position, fraction),
            rotation: self.rotation.normalize().slerp(other.rotation.normalize(), fraction),
        }
    }
}
