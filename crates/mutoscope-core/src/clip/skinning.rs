//! Skinning: the vertices of a model at a pose.

use glam::{DAffine3, DVec3};

use super::{NodeId, Nodes, Piece, Pose, ScaleInheritance};

impl Nodes {
    /// Fills `matrices` with the world matrix of each node at `pose`, in the viewer's space,
    /// including scale and shear. Allocates only if `matrices` is too small.
    pub fn fill_world_matrices(&self, pose: &Pose, matrices: &mut Vec<DAffine3>) {
        matrices.clear();
        matrices.resize(self.len(), DAffine3::IDENTITY);
        let inherits = self.scale_inheritance() == ScaleInheritance::Full;
        for &id in self.parents_first() {
            let node_pose = &pose[id];
            let parent = self[id].parent.filter(|_| inherits).map(NodeId::index);
            let transform = if inherits { &node_pose.local } else { &node_pose.world };
            let own = DAffine3::from_scale_rotation_translation(
                // If scales are not inherited, apply only the node's own scale.
                node_pose.local.scale,
                transform.rotation,
                transform.translation,
            );
            matrices[id.index()] = parent.map_or(own, |parent| matrices[parent] * own);
        }
    }
}

impl Piece {
    /// Fills `positions` with the skinned vertices in the viewer's space. `matrices` comes from
    /// [`Nodes::fill_world_matrices`]. Allocates only if `positions` is too small.
    pub fn fill_posed_positions(&self, matrices: &[DAffine3], positions: &mut Vec<DVec3>) {
        positions.clear();
        let points = self.positions.iter().map(|&position| to_dvec3(position));
        let Some(skin) = &self.skin else {
            positions.extend(points.map(|point| matrices[self.node].transform_point3(point)));
            return;
        };
        let pairs = skin.joints.iter().zip(&skin.inverse_bind);
        let joints: Vec<DAffine3> = pairs
            .map(|(&node, bind)| matrices[node] * DAffine3::from_mat4(bind.as_dmat4()))
            .collect();
        let influences = skin.influences.iter().zip(&skin.weights);
        positions.extend(points.zip(influences).map(|(point, (joint_indices, weights))| {
            let moved = |(&joint, &weight): (&u16, &f32)| {
                joints[usize::from(joint)].transform_point3(point) * f64::from(weight)
            };
            let pairs = joint_indices.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
            pairs.map(moved).sum::<DVec3>()
        }));
    }
}

fn to_dvec3(point: [f32; 3]) -> DVec3 {
    DVec3::from_array(point.map(f64::from))
}
