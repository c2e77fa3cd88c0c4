//! Measures the distance and angle between two joints at one time.

use crate::clip::{NodeId, Pose};

/// The distance and angle between two joints at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDistance {
    /// The distance in metres.
    pub distance: f64,
    /// The angle between the rotations in radians, from 0 to π.
    pub angle: f64,
}

/// Returns the distance and angle between two joints in `pose`, or `None` if one of them is hidden.
pub fn joint_distance(pose: &Pose, joints: [NodeId; 2]) -> Option<JointDistance> {
    distance_between_poses(joints.map(|joint| (pose, joint)))
}

pub(super) fn distance_between_poses(joints: [(&Pose, NodeId); 2]) -> Option<JointDistance> {
    let [first, second] = joints.map(|(pose, joint)| &pose[joint]);
    if !first.is_visible || !second.is_visible {
        return None;
    }
    let distance = first.world.translation.distance(second.world.translation);
    let (first, second) = (first.world.rotation, second.world.rotation);
    // Unlike acos of the dot product, this is accurate for small angles.
    let chord = (first - second).length().min((first + second).length());
    let angle = 4.0 * (0.5 * chord).min(1.0).asin();
    Some(JointDistance { distance, angle })
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::clip::{NodePose, Transform};

    #[test]
    fn joint_distance_and_angle_match_the_poses() {
        let node = |shown, translation, rotation| NodePose {
            is_visible: shown,
            world: Transform { translation, rotation, ..Transform::IDENTITY },
            ..NodePose::default()
        };
        let mut pose = Pose::default();
        pose.nodes = vec![
            node(true, DVec3::ZERO, DQuat::from_rotation_x(0.5)),
            node(true, DVec3::new(3.0, 4.0, 0.0), -DQuat::from_rotation_x(-0.7)),
            node(false, DVec3::ZERO, DQuat::IDENTITY),
        ];
        let [a, b, hidden] = [0, 1, 2].map(NodeId::new);
        let found = joint_distance(&pose, [a, b]).unwrap();
        assert_eq!(found.distance, 5.0);
        assert!((found.angle - 1.2).abs() < 1e-12);
        assert_eq!(joint_distance(&pose, [a, hidden]), None);
    }
}
