//! How far each node may be off, so that none is off by more than the bounds in the world.

use mutoscope_core::clip::{Clip, Pose};

/// The bounds of a page, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// How far positions may be off, in metres.
    pub position: f64,
    /// How far rotations may be off, in radians.
    pub rotation: f64,
}

impl Bounds {
    /// A tenth of a millimetre, and a twentieth of a degree.
    pub const DEFAULT: Self =
        Self { position: 1e-4, rotation: 0.05 * std::f64::consts::PI / 180.0 };

    /// The same, `factor` times as wide.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { position: self.position * factor, rotation: self.rotation * factor }
    }
}

/// How many poses the size of a skeleton is measured in.
const SAMPLES: u32 = 33;

/// The least that any value may be off, in metres, radians or as a factor: keys are traced more coarsely.
const FINEST: f64 = 1e-7;

/// How far each node may be off relative to its parent.
///
/// Errors of a chain add up, and a turn moves what is far from it. Errors of different nodes are
/// independent, so each gets the bound over the root of their number, and the result is measured.
#[derive(Debug)]
pub(super) struct Budget {
    nodes: Vec<NodeBudget>,
}

/// How far a node may be off relative to its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeBudget {
    /// Metres.
    pub(super) position: f64,
    /// Radians.
    pub(super) rotation: f64,
    /// A factor.
    pub(super) scale: f64,
}

impl NodeBudget {
    /// Of what has no children.
    pub(super) fn alone(bounds: Bounds) -> Self {
        let [position, rotation] = [bounds.position, bounds.rotation].map(|it| it.max(FINEST));
        Self { position, rotation, scale: 1e-4 }
    }
}

impl Budget {
    /// The budget of `clip` between two times, in seconds.
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
        let (reach, scale) = sizes(clip, from, to);
        let node = |index: usize| {
            let chain = 1 + above[index] + below[index];
            if chain == 1 {
                return NodeBudget::alone(bounds);
            }
            let share = 1.0 / (chain as f64).sqrt();
            let position = 0.5 * share * bounds.position / scale[index].max(1e-6);
            let far = 0.5 * share * bounds.position / reach[index].max(1e-9);
            NodeBudget {
                position: position.max(FINEST),
                rotation: far.min(share * bounds.rotation).max(FINEST),
                scale: far.clamp(FINEST, 1e-4),
            }
        };
        Self { nodes: (0..count).map(node).collect() }
    }

    pub(super) fn of(&self, node: usize) -> NodeBudget {
        self.nodes[node]
    }
}

/// For each node the distance to its farthest descendant, by way of those between, and the scale of
/// its parent: the largest of several poses.
fn sizes(clip: &Clip, from: f64, to: f64) -> (Vec<f64>, Vec<f64>) {
    let count = clip.nodes.len();
    let (mut reach, mut scale) = (vec![0.0_f64; count], vec![0.0_f64; count]);
    let (mut pose, mut now) = (Pose::default(), vec![0.0_f64; count]);
    for sample in 0..SAMPLES {
        clip.sample_motion(
            from + (to - from) * f64::from(sample) / f64::from(SAMPLES - 1),
            &mut pose,
        );
        now.fill(0.0);
        for &id in clip.nodes.parents_first().iter().rev() {
            let Some(parent) = clip.nodes[id].parent else {
                scale[id.index()] = 1.0;
                continue;
            };
            let [own, of_parent] = [id, parent].map(|id| pose.nodes[id.index()].world);
            let far = own.translation.distance(of_parent.translation) + now[id.index()];
            if far.is_finite() {
                now[parent.index()] = now[parent.index()].max(far);
            }
            let size = of_parent.scale.abs().max_element();
            if size.is_finite() {
                scale[id.index()] = scale[id.index()].max(size);
            }
        }
        reach.iter_mut().zip(&now).for_each(|(most, now)| *most = most.max(*now));
    }
    (reach, scale)
}
