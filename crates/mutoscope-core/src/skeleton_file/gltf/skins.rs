//! Checks of skins, whether or not a mesh uses them.

use std::collections::{HashMap, HashSet};

use glam::{Mat4, Vec4};
use gltf_json::{
    Accessor, Index, Root, Skin,
    accessor::{ComponentType, Type},
    validation::Checked,
};

use super::{Buffers, PartError, codes, nodes::node_parents};
use crate::diagnostics::{Diagnostics, SourceLocation, format_count};

/// Reports everything in the skins, and in the nodes that use them, that breaks a rule of glTF.
pub(super) fn check_skins(root: &Root, buffers: &Buffers<'_>, diagnostics: &mut Diagnostics) {
    let parents = node_parents(root, &mut Diagnostics::new());
    let mut joints = JointChecks { roots: node_roots(&parents), parents, steps_left: MAX_STEPS };
    let mut matrix_problems = HashMap::new();
    let mut matrices_left = MAX_MATRICES_PER_BYTE.saturating_mul(buffers.len() as u64);
    matrices_left = matrices_left.saturating_add(ALWAYS_ALLOWED_MATRICES);
    for (index, skin) in root.skins.iter().enumerate() {
        let invalid = |message: String| PartError::new(codes::INVALID_SKIN, message);
        let mut problems: Vec<_> = joints.check(skin).into_iter().map(invalid).collect();
        if let Some(accessor) = skin.inverse_bind_matrices {
            let found = matrix_problems.entry(accessor.value()).or_insert_with(|| {
                let count = match buffers.element_count(accessor, Type::Mat4) {
                    Ok(count) => count as u64,
                    Err(error) => return vec![error.within("inverse bind matrices")],
                };
                let Some(left) = matrices_left.checked_sub(count) else { return Vec::new() };
                matrices_left = left;
                inverse_bind_problems(accessor, root, buffers)
            });
            problems.extend(found.iter().cloned());
            let count = root.get(accessor).map(|accessor| accessor.count.0);
            if count.is_some_and(|count| count < skin.joints.len() as u64) {
                problems.push(invalid(format!(
                    "expected an inverse bind matrix for each of {}, found {}",
                    format_count(skin.joints.len(), "joint"),
                    count.unwrap_or(0)
                )));
            }
        }
        for problem in problems {
            let message = format!("skins[{index}]: {problem}");
            diagnostics.warning(problem.code, SourceLocation::File, message);
        }
    }
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(skin) = node.skin else { continue };
        let (code, problem) = match node.mesh {
            None => (
                codes::INVALID_SKIN,
                "expected a mesh for its skin, found none; the skin is not used".to_owned(),
            ),
            Some(_) if root.get(skin).is_none() => {
                (codes::MISSING_REFERENCE, format!("there is no skin {skin}"))
            }
            Some(_) => continue,
        };
        diagnostics.warning(code, SourceLocation::File, format!("nodes[{index}]: {problem}"));
    }
}

/// The number of inverse bind matrices that are checked, because many accessors may share bytes. A
/// matrix has 64 bytes, so this includes all matrices of a file whose accessors do not.
const MAX_MATRICES_PER_BYTE: u64 = 1;
const ALWAYS_ALLOWED_MATRICES: u64 = 1 << 16;

/// The number of steps from joints towards their roots. Files with more joints than this allows are
/// not checked in full, because the work would grow with the square of the file.
const MAX_STEPS: usize = 1 << 22;

struct JointChecks {
    parents: Vec<Option<usize>>,
    /// The node above each node that has no parent. `None` if the parents of the node form a cycle.
    roots: Vec<Option<usize>>,
    steps_left: usize,
}

impl JointChecks {
    fn check(&mut self, skin: &Skin) -> Vec<String> {
        let mut problems = Vec::new();
        if skin.joints.is_empty() {
            problems.push("expected joints, found none".to_owned());
        }
        // A diagnostic has already reported the joints that are not nodes.
        let joints: Vec<_> = skin.joints.iter().map(|joint| joint.value()).collect();
        let mut known = HashSet::new();
        if let Some(repeated) = joints.iter().find(|joint| !known.insert(**joint)) {
            problems.push(format!("nodes[{repeated}] is a joint more than once"));
        }
        let mut roots = joints.iter().filter_map(|joint| *self.roots.get(*joint)?);
        if let Some(first) = roots.next()
            && let Some(other) = roots.find(|root| *root != first)
        {
            problems.push(format!(
                "expected one root above all joints, found nodes[{first}] and nodes[{other}]; \
                 using both"
            ));
        }
        let Some(skeleton) = skin.skeleton.map(|node| node.value()) else { return problems };
        if skeleton >= self.parents.len() {
            problems.push(format!("skeleton: there is no node {skeleton}; ignored"));
        } else if let Some(joint) = joints.into_iter().find(|&one| !self.is_below(one, skeleton)) {
            problems.push(format!(
                "skeleton: expected a node above all joints, found nodes[{skeleton}], which is \
                 not above nodes[{joint}]; ignored"
            ));
        }
        problems
    }

    /// Returns `true` if `node` is `above` or below it, or if all steps have been used.
    fn is_below(&mut self, node: usize, above: usize) -> bool {
        let mut next = Some(node).filter(|&node| node < self.parents.len());
        if next.is_none() {
            return true;
        }
        while let Some(node) = next {
            let Some(left) = self.steps_left.checked_sub(1) else { return true };
            self.steps_left = left;
            if node == above {
                return true;
            }
            next = self.parents[node];
        }
        false
    }
}

fn node_roots(parents: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut roots = vec![None; parents.len()];
    let mut is_visited = vec![false; parents.len()];
    for start in 0..parents.len() {
        let (mut chain, mut node) = (Vec::new(), start);
        let root = loop {
            if is_visited[node] {
                break roots[node];
            }
            is_visited[node] = true;
            chain.push(node);
            match parents[node] {
                Some(parent) => node = parent,
                None => break Some(node),
            }
        };
        chain.into_iter().for_each(|node| roots[node] = root);
    }
    roots
}

fn inverse_bind_problems(
    accessor: Index<Accessor>,
    root: &Root,
    buffers: &Buffers<'_>,
) -> Vec<PartError> {
    let invalid = |message: String| PartError::new(codes::INVALID_SKIN, message);
    let matrices = match buffers.read_floats::<16>(accessor, Type::Mat4) {
        Ok(matrices) => matrices,
        Err(error) => return vec![error.within("inverse bind matrices")],
    };
    let mut problems = Vec::new();
    if let Some(Checked::Valid(component)) = root.get(accessor).map(|one| one.component_type)
        && component.0 != ComponentType::F32
    {
        let message = format!("expected inverse bind matrices of F32, found {:?}", component.0);
        problems.push(invalid(message));
    }
    let find = |is_wrong: fn(&Mat4) -> bool| {
        matrices.iter().map(Mat4::from_cols_array).position(|matrix| is_wrong(&matrix))
    };
    let is_not_affine = |matrix: &Mat4| !matrix.row(3).abs_diff_eq(Vec4::W, 1e-6);
    for (is_wrong, expected, found) in [
        (
            (|matrix| !matrix.is_finite()) as fn(&Mat4) -> bool,
            "numbers",
            "a number that is not finite",
        ),
        (
            |matrix| matrix.is_finite() && matrix.determinant() == 0.0,
            "a matrix that can be inverted",
            "a flattened one",
        ),
        (is_not_affine, "0, 0, 0, 1 as the last row", "another row"),
    ] {
        if let Some(index) = find(is_wrong) {
            problems.push(invalid(format!(
                "inverse bind matrix {index}: expected {expected}, found {found}; vertices may be \
                 misplaced"
            )));
        }
    }
    problems
}
