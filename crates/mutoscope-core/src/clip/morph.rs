//! Morph targets: how weights move the vertices of a mesh, and what moves the weights.

use std::{borrow::Cow, collections::HashMap};

use glam::Vec3;

use super::{Clip, NodeId, Owner, Piece, Pose, Value, triangle_normals};

/// A shape that a mesh takes on by a weight: glTF's morph target, FBX's blend shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Its name, by which tracks move its weight; its index among the targets where it has none.
    pub name: String,
    /// Its weight while nothing moves it: 0 leaves the mesh as it is, 1 adds the displacements in full.
    pub weight: f32,
    /// For each vertex the displacement of its position, in metres before any skin; none if no
    /// vertex is displaced.
    pub positions: Vec<[f32; 3]>,
    /// For each vertex the difference of its normal; none if no normal differs.
    pub normals: Vec<[f32; 3]>,
}

/// An expression of an avatar: several weights that go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its name in VRM 1.0: `happy`, `blinkLeft`, or one of the file's own.
    pub name: String,
    /// The weights that it moves.
    pub binds: Vec<ExpressionBind>,
}

/// A weight that an expression moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpressionBind {
    /// The index of the skeleton's node that carries the mesh.
    pub node: usize,
    /// The index of the morph target of that mesh.
    pub target: usize,
    /// The weight that is added to that of the target where the expression is at 1.
    pub weight: f32,
}

/// The start of the property of tracks that are the weight of a morph target; the target's name follows.
pub const MORPH_WEIGHTS: &str = "weights.";

/// The start of the property of tracks that are the weight of an expression; its name follows.
pub const EXPRESSION: &str = "expression/";

/// The weights of the morph targets of a mesh, and the signals that move them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphWeights(Vec<WeightSource>);

/// Where the weight of a morph target comes from.
#[derive(Clone, Debug, Default, PartialEq)]
struct WeightSource {
    /// Its weight while no signal moves it.
    rest: f32,
    /// The index of the signal that is the weight.
    signal: Option<usize>,
    /// The indices of the signals of expressions, and how much of each is added.
    expressions: Vec<(usize, f32)>,
}

impl MorphWeights {
    /// The weights of a mesh of the [model](Clip::model) of `clip`.
    ///
    /// A signal is a weight if its track is of the node that carries the mesh and is named as the target.
    /// On a skeleton from another file, where no node is of that name, the name of the target is enough.
    pub fn of(clip: &Clip, piece: &Piece) -> Self {
        let is_attached = clip.skeleton.attached().is_some();
        let own = Owner::Node(NodeId::new(piece.node));
        // The first signal of each name counts.
        let (mut of_node, mut of_any) = (HashMap::new(), HashMap::new());
        for (index, signal) in clip.signals.iter().enumerate() {
            let track = clip.track(signal.track);
            let Some(name) = track.property.strip_prefix(MORPH_WEIGHTS) else { continue };
            of_any.entry(name).or_insert(index);
            if track.owner == own {
                of_node.entry(name).or_insert(index);
            }
        }
        let mut expressions = expressions(clip, piece.node);
        let source = |(index, target): (usize, &MorphTarget)| {
            let name = target.name.as_str();
            let by_name = of_any.get(name).filter(|_| is_attached && target.is_named());
            WeightSource {
                rest: target.weight,
                signal: of_node.get(name).or(by_name).copied(),
                expressions: expressions.remove(&index).unwrap_or_default(),
            }
        };
        Self(piece.morph_targets.iter().enumerate().map(source).collect())
    }

    /// Whether there are signals that move any of them.
    pub fn is_moved(&self) -> bool {
        self.0.iter().any(|source| source.signal.is_some() || !source.expressions.is_empty())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The part of a weight that no signal moves.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn rest(&self, target: usize) -> f32 {
        if self.0[target].signal.is_some() { 0.0 } else { self.0[target].rest }
    }

    /// The indices of the signals that move a weight, and how much of each is added.
    ///
    /// # Panics
    /// If there is no such target.
    pub fn signals(&self, target: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let WeightSource { signal, expressions, .. } = &self.0[target];
        signal.iter().map(|&signal| (signal, 1.0)).chain(expressions.iter().copied())
    }

    /// Fills `weights` with those at `pose`, one for each target. Nothing is allocated once it has this
    /// length.
    pub fn fill(&self, pose: &Pose, weights: &mut Vec<f32>) {
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

/// For the morph targets of the mesh of a node the signals of expressions that move them, and how much
/// of each is added.
fn expressions(clip: &Clip, node: usize) -> HashMap<usize, Vec<(usize, f32)>> {
    let mut found: HashMap<usize, Vec<(usize, f32)>> = HashMap::new();
    let Some(model) = clip.model().filter(|model| !model.expressions.is_empty()) else {
        return found;
    };
    let mut signals = HashMap::new();
    for (index, signal) in clip.signals.iter().enumerate() {
        if let Some(name) = clip.track(signal.track).property.strip_prefix(EXPRESSION) {
            signals.entry(name).or_insert(index);
        }
    }
    for expression in &model.expressions {
        let Some(&signal) = signals.get(expression.name.as_str()) else { continue };
        for bind in expression.binds.iter().filter(|bind| bind.node == node) {
            found.entry(bind.target).or_default().push((signal, bind.weight));
        }
    }
    found
}

impl MorphTarget {
    /// Lets its normals follow from its positions, for a mesh of these positions and triangles.
    pub fn bend_with_triangles(&mut self, positions: &[[f32; 3]], triangles: &[u32]) {
        if self.positions.is_empty() {
            return;
        }
        let mut moved = positions.to_vec();
        add(&mut moved, &self.positions, 1.0);
        self.normals = triangle_normals(&moved, triangles);
        add(&mut self.normals, &triangle_normals(positions, triangles), -1.0);
    }

    /// Whether it has a name of its own, rather than its index.
    fn is_named(&self) -> bool {
        self.name.parse::<usize>().is_err()
    }
}

impl Piece {
    /// Fills `positions` and `normals` with those of its vertices under `weights`, one for each morph
    /// target; before any skin. Nothing is allocated once these have this length.
    pub fn morphed(
        &self,
        weights: &[f32],
        positions: &mut Vec<[f32; 3]>,
        normals: &mut Vec<[f32; 3]>,
    ) {
        positions.clone_from(&self.positions);
        normals.clone_from(&self.normals);
        let mut is_bent = false;
        for (target, &weight) in self.morph_targets.iter().zip(weights) {
            if weight != 0.0 {
                add(positions, &target.positions, weight);
                add(normals, &target.normals, weight);
                is_bent |= !target.normals.is_empty();
            }
        }
        if is_bent {
            for (normal, own) in normals.iter_mut().zip(&self.normals) {
                *normal = Vec3::from_array(*normal).normalize_or(Vec3::from_array(*own)).to_array();
            }
        }
    }

    /// The mesh at the weights at which it is while nothing moves them, in one colour: the mean of those of
    /// its vertices, if they have some. For targets that have no more than that.
    pub fn plain(&self) -> Cow<'_, Self> {
        if self.morph_targets.is_empty() && self.colors.is_empty() {
            return Cow::Borrowed(self);
        }
        let weights: Vec<f32> = self.morph_targets.iter().map(|target| target.weight).collect();
        let mut plain = self.at_weights(&weights);
        let colors = std::mem::take(&mut plain.colors);
        if !colors.is_empty() {
            for (part, own) in plain.color.iter_mut().enumerate() {
                let sum: f64 = colors.iter().map(|color| f64::from(color[part])).sum();
                *own *= (sum / colors.len() as f64) as f32;
            }
        }
        Cow::Owned(plain)
    }

    /// The same mesh with its morph targets at these weights, and without them.
    pub fn at_weights(&self, weights: &[f32]) -> Self {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        self.morphed(weights, &mut positions, &mut normals);
        Self { positions, normals, morph_targets: Vec::new(), ..self.clone() }
    }
}

fn add(vectors: &mut [[f32; 3]], differences: &[[f32; 3]], weight: f32) {
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
            ..Piece::of_node(0)
        };
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        piece.morphed(&[0.0; 3], &mut positions, &mut normals);
        assert_eq!((&positions, &normals), (&piece.positions, &piece.normals));
        piece.morphed(&[1.0, -0.5, 3.0], &mut positions, &mut normals);
        assert_eq!(positions, [[1.0, 4.0, -1.0], [0.5, 2.0, 0.0]]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let bent = Vec3::from_array(normals[0]);
        assert!(bent.distance(Vec3::new(half, 0.0, half)) < 1e-6, "{bent}");
        assert_eq!(normals[1], [0.0, 1.0, 0.0]);
        let still = piece.at_weights(&[1.0, -0.5, 3.0]);
        assert!(still.positions == positions && still.morph_targets.is_empty());
        assert!(matches!(still.plain(), Cow::Borrowed(_)));
        let mut colored = piece;
        colored.color = [1.0, 0.5, 1.0, 1.0];
        colored.colors = vec![[1.0, 0.0, 0.5, 1.0], [0.0, 1.0, 0.5, 1.0]];
        colored.morph_targets[1].weight = -0.5;
        let plain = colored.plain();
        assert_eq!(plain.color, [0.5, 0.25, 0.5, 1.0]);
        assert_eq!(plain.positions, [[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]]);
        assert!(plain.colors.is_empty());
    }
}
