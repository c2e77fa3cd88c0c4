//! The distance and angle between two joints of a recording.

use crate::clip::{NodeId, Pose};

/// The distance and angle between two joints at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDistance {
    /// Their distance, in metres.
    pub distance: f64,
    /// The angle between their rotations, in radians: 0 to π.
    pub angle: f64,
}

/// The distance and angle between two joints in `pose`; `None` where one is hidden.
pub fn joint_distance(pose: &Pose, joints: [NodeId; 2]) -> Option<JointDistance> {
    between(joints.map(|joint| (pose, joint)))
}

/// The same of joints in two poses.
pub(super) fn between(joints: [(&Pose, NodeId); 2]) -> Option<JointDistance> {
    let [one, other] = joints.map(|(pose, joint)| &pose.nodes[joint.index()]);
    if !one.shown || !other.shown {
        return None;
    }
    let distance = one.world.translation.distance(other.world.translation);
    let (one, other) = (one.world.rotation, other.world.rotation);
    // Exact for small angles, other than the arc cosine of the product.
    let chord = (one - other).length().min((one + other).length());
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
        let stands = |shown, translation, rotation| NodePose {
            shown,
            world: Transform { translation, rotation, ..Transform::IDENTITY },
            ..NodePose::default()
        };
        let mut pose = Pose::default();
        pose.nodes = vec![
            stands(true, DVec3::ZERO, DQuat::from_rotation_x(0.5)),
            stands(true, DVec3::new(3.0, 4.0, 0.0), -DQuat::from_rotation_x(-0.7)),
            stands(false, DVec3::ZERO, DQuat::IDENTITY),
        ];
        let [a, b, hidden] = [0, 1, 2].map(NodeId::new);
        let found = joint_distance(&pose, [a, b]).unwrap();
        assert_eq!(found.distance, 5.0);
        assert!((found.angle - 1.2).abs() < 1e-12);
        assert_eq!(joint_distance(&pose, [a, hidden]), None);
    }
}
