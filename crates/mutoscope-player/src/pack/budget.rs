//! Distributes the error bounds of a page over the nodes, so that no node exceeds the bounds in
//! world space.

use mutoscope_core::clip::{Clip, Pose};

/// The error bounds of the motion in a page, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The largest error of a position, in metres.
    pub position: f64,
    /// The largest error of a rotation, in radians.
    pub rotation: f64,
}

impl Bounds {
    /// A tenth of a millimetre and a twentieth of a degree.
    pub const DEFAULT: Self =
        Self { position: 1e-4, rotation: 0.05 * std::f64::consts::PI / 180.0 };

    pub(super) fn scaled_by(self, factor: f64) -> Self {
        Self { position: self.position * factor, rotation: self.rotation * factor }
    }
}

const SIZE_SAMPLES: u32 = 33;

/// The smallest error budget of a node, in metres for positions, in radians for rotations, and as a
/// factor for scales. A smaller budget would be finer than the traced keys.
const MIN_ERROR: f64 = 1e-7;

/// The error that each node may have relative to its parent.
///
/// Errors along a chain add up, and the distance of the descendants multiplies a rotation error.
/// The errors of different nodes are independent, so each node gets the bound divided by the square
/// root of the chain's length. This budget is an estimate, so `measure_errors` measures the errors
/// after packing.
#[derive(Debug)]
pub(super) struct Budget {
    nodes: Vec<NodeBudget>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NodeBudget {
    pub(super) position: f64,
    pub(super) rotation: f64,
    pub(super) scale: f64,
}

impl NodeBudget {
    pub(super) fn for_single_node(bounds: Bounds) -> Self {
        let [position, rotation] = [bounds.position, bounds.rotation].map(|it| it.max(MIN_ERROR));
        Self { position, rotation, scale: 1e-4 }
    }
}

impl Budget {
    /// Computes the budget of `clip` between two clip times, in seconds.
    pub(super) fn new(clip: &Clip, from: f64, to: f64, bounds: Bounds) -> Self {
        let count = clip.nodes.len();
        let (mut above, mut below) = (vec![0_usize; count], vec![0_usize; count]);
        for &id in clip.nodes.parents_first() {
            if let Some(parent) = clip.nodes[id].parent {
                above[id.index()] = above[parent.index()] + 1;
            }
        }
        for &id in clip.nodes.parents_first().iter().rev() {
            if let Some(parent) = clip.nodes[id].parent {
                below[parent.index()] = below[parent.index()].max(below[id.index()] + 1);
            }
        }
        let (reach, scale) = measure_reach_and_scale(clip, from, to);
        let node = |index: usize| {
            let chain = 1 + above[index] + below[index];
            if chain == 1 {
                return NodeBudget::for_single_node(bounds);
            }
            let share = 1.0 / (chain as f64).sqrt();
            let position = 0.5 * share * bounds.position / scale[index].max(1e-6);
            let angle = 0.5 * share * bounds.position / reach[index].max(1e-9);
            NodeBudget {
                position: position.max(MIN_ERROR),
                rotation: angle.min(share * bounds.rotation).max(MIN_ERROR),
                scale: angle.clamp(MIN_ERROR, 1e-4),
            }
        };
        Self { nodes: (0..count).map(node).collect() }
    }

    pub(super) fn node_budget(&self, node: usize) -> NodeBudget {
        self.nodes[node]
    }
}

/// Returns two values for each node: the length of the chain to its farthest descendant, and the
/// scale of its parent. Each value is the maximum over several poses.
fn measure_reach_and_scale(clip: &Clip, from: f64, to: f64) -> (Vec<f64>, Vec<f64>) {
    let count = clip.nodes.len();
    let (mut reach, mut scale) = (vec![0.0_f64; count], vec![0.0_f64; count]);
    let (mut pose, mut chain) = (Pose::default(), vec![0.0_f64; count]);
    for sample in 0..SIZE_SAMPLES {
        clip.sample_motion(
            from + (to - from) * f64::from(sample) / f64::from(SIZE_SAMPLES - 1),
            &mut pose,
        );
        chain.fill(0.0);
        for &id in clip.nodes.parents_first().iter().rev() {
            let Some(parent) = clip.nodes[id].parent else {
                scale[id.index()] = 1.0;
                continue;
            };
            let [world, parent_world] = [id, parent].map(|id| pose[id].world);
            let length = world.translation.distance(parent_world.translation) + chain[id.index()];
            if length.is_finite() {
                chain[parent.index()] = chain[parent.index()].max(length);
            }
            let size = parent_world.scale.abs().max_element();
            if size.is_finite() {
                scale[id.index()] = scale[id.index()].max(size);
            }
        }
        reach.iter_mut().zip(&chain).for_each(|(max, chain)| *max = max.max(*chain));
    }
    (reach, scale)
}
