//! Morph targets, and the signals that animate their weights.

use std::{borrow::Cow, collections::HashMap};

use glam::Vec3;

use super::{Clip, NodeId, Owner, Piece, Pose, Value, compute_vertex_normals};

/// A shape that is blended into a mesh by a weight. glTF calls it a morph target, FBX a blend
/// shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// The name, by which tracks refer to the weight. The index of the target if the file has no
    /// name.
    pub name: String,
    /// The weight if no track animates it. At 0, the mesh is unchanged; at 1, the displacements are
    /// added in full.
    pub weight: f32,
    /// The displacement of each vertex in metres, before skinning. Empty if no vertex moves.
    pub positions: Vec<[f32; 3]>,
    /// The difference of each vertex normal. Empty if no normal changes.
    pub normals: Vec<[f32; 3]>,
}

/// An expression of an avatar, which moves several morph weights together.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The name in VRM 1.0, such as `happy` or `blinkLeft`, or a name that the file defines.
    pub name: String,
    /// The weights that the expression moves.
    pub binds: Vec<ExpressionBind>,
}

/// A morph weight that an expression moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionBind {
    /// The index of the skeleton's node that carries the mesh.
    pub node: usize,
    /// The index of the morph target in that mesh.
    pub target: usize,
    /// The weight that the expression adds at its full value of 1.
    pub weight: f32,
}

/// The prefix of the property of tracks that animate a morph weight. The name of the morph target
/// follows.
pub const MORPH_WEIGHT_PREFIX: &str = "weights.";

/// The prefix of the property of tracks that animate an expression. The name of the expression
/// follows.
pub const EXPRESSION_PREFIX: &str = "expression/";

/// The weights of the morph targets of a mesh, and the signals that animate them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphWeights(Vec<WeightSource>);

#[derive(Clone, Debug, Default, PartialEq)]
struct WeightSource {
    rest: f32,
    signal: Option<usize>,
    /// The indices of expression signals, each with the factor by which its value is added.
    expressions: Vec<(usize, f32)>,
}

impl MorphWeights {
    /// Finds the signals that animate the morph targets of `piece`, a mesh of the
    /// [model](Clip::model) of `clip`.
    ///
    /// A signal animates a target if its track has the name of the target and belongs to the node
    /// of the mesh. On a skeleton from another file, a track of any node with the name of the
    /// target animates the target, because the recording may lack the node of the mesh.
    pub fn new(clip: &Clip, piece: &Piece) -> Self {
        let is_attached = clip.skeleton.attached().is_some();
        let own = Owner::Node(NodeId::new(piece.node));
        // If several signals have the same name, the first one is used.
        let (mut of_node, mut of_any) = (HashMap::new(), HashMap::new());
        for (index, signal) in clip.signals.iter().enumerate() {
            let track = clip.track(signal.track);
            let Some(name) = track.property.strip_prefix(MORPH_WEIGHT_PREFIX) else { continue };
            of_any.entry(name).or_insert(index);
            if track.owner == own {
                of_node.entry(name).or_insert(index);
            }
        }
        let mut expressions = expression_signals(clip, piece.node);
        let source = |(index, target): (usize, &MorphTarget)| {
            let name = target.name.as_str();
            let by_name = of_any.get(name).filter(|_| is_attached && target.has_own_name());
            WeightSource {
                rest: target.finite_weight(),
                signal: of_node.get(name).or(by_name).copied(),
                expressions: expressions.remove(&index).unwrap_or_default(),
            }
        };
        Self(piece.morph_targets.iter().enumerate().map(source).collect())
    }

    /// Returns `true` if a signal animates at least one of the weights.
    pub fn is_animated(&self) -> bool {
        self.0.iter().any(|source| source.signal.is_some() || !source.expressions.is_empty())
    }

    /// Returns `true` if the mesh has no morph targets.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of morph targets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the part of a weight that no signal changes: the rest weight, or 0 if a signal
    /// replaces the rest weight.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn rest_weight(&self, target: usize) -> f32 {
        if self.0[target].signal.is_some() { 0.0 } else { self.0[target].rest }
    }

    /// Returns the indices of the signals that animate a weight. The value of each signal is
    /// multiplied by the factor that is returned with its index, and then added to the weight.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn signals(&self, target: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let WeightSource { signal, expressions, .. } = &self.0[target];
        signal.iter().map(|&signal| (signal, 1.0)).chain(expressions.iter().copied())
    }

    /// Fills `weights` with the weights at `pose`, one for each target. Allocates only if `weights`
    /// is too small.
    pub fn fill_from_pose(&self, pose: &Pose, weights: &mut Vec<f32>) {
        let number = |signal: usize| match pose.signals.get(signal) {
            Some(Value::Number(number)) => Some(*number as f32).filter(|number| number.is_finite()),
            _ => None,
        };
        weights.clear();
        weights.extend(self.0.iter().map(|source| {
            let own = source.signal.and_then(number).unwrap_or(source.rest);
            let added = |&(signal, weight): &(usize, f32)| number(signal).unwrap_or(0.0) * weight;
            own + source.expressions.iter().map(added).sum::<f32>()
        }));
    }
}

fn expression_signals(clip: &Clip, node: usize) -> HashMap<usize, Vec<(usize, f32)>> {
    let mut signals_by_target: HashMap<usize, Vec<(usize, f32)>> = HashMap::new();
    let Some(model) = clip.model().filter(|model| !model.expressions.is_empty()) else {
        return signals_by_target;
    };
    let mut signals = HashMap::new();
    for (index, signal) in clip.signals.iter().enumerate() {
        if let Some(name) = clip.track(signal.track).property.strip_prefix(EXPRESSION_PREFIX) {
            signals.entry(name).or_insert(index);
        }
    }
    for expression in &model.expressions {
        let Some(&signal) = signals.get(expression.name.as_str()) else { continue };
        for bind in expression.binds.iter().filter(|bind| bind.node == node) {
            signals_by_target.entry(bind.target).or_default().push((signal, bind.weight));
        }
    }
    signals_by_target
}

impl MorphTarget {
    /// Returns [`Self::weight`], or 0 if the weight is not finite.
    pub fn finite_weight(&self) -> f32 {
        if self.weight.is_finite() { self.weight } else { 0.0 }
    }

    /// Computes the displacements of the normals from those of the positions, for a mesh with these
    /// `positions` and `triangles`.
    pub fn compute_normals(&mut self, positions: &[[f32; 3]], triangles: &[u32]) {
        if self.positions.is_empty() {
            return;
        }
        let mut moved = positions.to_vec();
        add_weighted(&mut moved, &self.positions, 1.0);
        self.normals = compute_vertex_normals(&moved, triangles);
        add_weighted(&mut self.normals, &compute_vertex_normals(positions, triangles), -1.0);
    }

    fn has_own_name(&self) -> bool {
        self.name.parse::<usize>().is_err()
    }
}

impl Piece {
    /// Fills `positions` and `normals` with the morphed vertices before skinning. `weights` has one
    /// weight for each morph target. Allocates only if the buffers are too small.
    pub fn morph_into(
        &self,
        weights: &[f32],
        positions: &mut Vec<[f32; 3]>,
        normals: &mut Vec<[f32; 3]>,
    ) {
        positions.clone_from(&self.positions);
        normals.clone_from(&self.normals);
        let mut normals_change = false;
        for (target, &weight) in self.morph_targets.iter().zip(weights) {
            if weight != 0.0 {
                add_weighted(positions, &target.positions, weight);
                add_weighted(normals, &target.normals, weight);
                normals_change |= !target.normals.is_empty();
            }
        }
        if normals_change {
            for (normal, own) in normals.iter_mut().zip(&self.normals) {
                *normal = Vec3::from_array(*normal).normalize_or(Vec3::from_array(*own)).to_array();
            }
        }
    }

    /// Returns the mesh at its rest weights and in one colour, for export targets that support
    /// neither morph targets nor vertex colours. The colour is the mean of the vertex colours.
    pub fn simplified(&self) -> Cow<'_, Self> {
        if self.morph_targets.is_empty() && self.colors.is_empty() {
            return Cow::Borrowed(self);
        }
        let weights: Vec<f32> = self.morph_targets.iter().map(MorphTarget::finite_weight).collect();
        let mut plain = self.with_baked_morphs(&weights);
        let colors = std::mem::take(&mut plain.colors);
        if !colors.is_empty() {
            for (part, own) in plain.color.iter_mut().enumerate() {
                let sum: f64 = colors.iter().map(|color| f64::from(color[part])).sum();
                *own *= (sum / colors.len() as f64) as f32;
            }
        }
        Cow::Owned(plain)
    }

    /// Returns the mesh with its morph targets applied at these weights, and removed.
    pub fn with_baked_morphs(&self, weights: &[f32]) -> Self {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        self.morph_into(weights, &mut positions, &mut normals);
        Self { positions, normals, morph_targets: Vec::new(), ..self.clone() }
    }
}

fn add_weighted(vectors: &mut [[f32; 3]], differences: &[[f32; 3]], weight: f32) {
    for (vector, difference) in vectors.iter_mut().zip(differences) {
        *vector = (Vec3::from_array(*vector) + Vec3::from_array(*difference) * weight).to_array();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(positions: &[[f32; 3]], normals: &[[f32; 3]]) -> MorphTarget {
        let (positions, normals) = (positions.to_vec(), normals.to_vec());
        MorphTarget { positions, normals, ..MorphTarget::default() }
    }

    #[test]
    fn displacements_are_added_by_their_weights() {
        let piece = Piece {
            positions: vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
            morph_targets: vec![
                target(&[[0.0, 4.0, 0.0], [0.0; 3]], &[[1.0, 0.0, 0.0], [0.0; 3]]),
                target(&[[0.0, 0.0, 2.0], [-1.0, 0.0, 0.0]], &[]),
                target(&[], &[]),
            ],
            ..Piece::for_node(0)
        };
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        piece.morph_into(&[0.0; 3], &mut positions, &mut normals);
        assert_eq!((&positions, &normals), (&piece.positions, &piece.normals));
        piece.morph_into(&[1.0, -0.5, 3.0], &mut positions, &mut normals);
        assert_eq!(positions, [[1.0, 4.0, -1.0], [0.5, 2.0, 0.0]]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let bent = Vec3::from_array(normals[0]);
        assert!(bent.distance(Vec3::new(half, 0.0, half)) < 1e-6, "{bent}");
        assert_eq!(normals[1], [0.0, 1.0, 0.0]);
        let baked = piece.with_baked_morphs(&[1.0, -0.5, 3.0]);
        assert!(baked.positions == positions && baked.morph_targets.is_empty());
        assert!(matches!(baked.simplified(), Cow::Borrowed(_)));
        let mut colored = piece;
        colored.color = [1.0, 0.5, 1.0, 1.0];
        colored.colors = vec![[1.0, 0.0, 0.5, 1.0], [0.0, 1.0, 0.5, 1.0]];
        colored.morph_targets[1].weight = -0.5;
        let plain = colored.simplified();
        assert_eq!(plain.color, [0.5, 0.25, 0.5, 1.0]);
        assert_eq!(plain.positions, [[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]]);
        assert!(plain.colors.is_empty());
    }
}
