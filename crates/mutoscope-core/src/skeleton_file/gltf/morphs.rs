//! The morph targets of meshes: their names, rest weights and displacements.

use std::collections::HashSet;

use gltf_json::{
    Accessor, Index, Root,
    accessor::Type,
    mesh::{Mesh, Primitive},
    scene::Node,
};
use serde::Deserialize;

use super::{Buffers, PartError, codes};
use crate::{
    clip::MorphTarget,
    diagnostics::{Diagnostics, SourceLocation, format_count},
};

/// Returns the names of the `count` morph targets of a mesh. Exporters store names in the mesh's
/// extras. Targets with a missing or repeated name get their index as the name.
pub(crate) fn target_names(mesh: &Mesh, count: usize) -> Vec<String> {
    #[derive(Deserialize)]
    struct Extras {
        #[serde(rename = "targetNames")]
        target_names: Vec<String>,
    }
    let extras = mesh.extras.as_ref();
    let named: Option<Extras> = extras.and_then(|extras| serde_json::from_str(extras.get()).ok());
    let names = named.map(|extras| extras.target_names).unwrap_or_default();
    let mut used = HashSet::new();
    let name = |index: usize| match names.get(index) {
        Some(name) if !name.is_empty() && used.insert(name) => name.clone(),
        _ => index.to_string(),
    };
    (0..count).map(name).collect()
}

pub(crate) fn target_count(mesh: &Mesh) -> usize {
    let targets = mesh.primitives.iter().filter_map(|primitive| primitive.targets.as_ref());
    targets.map(Vec::len).max().unwrap_or(0)
}

/// Reports meshes whose primitives differ in the number of their targets, and lists of weights with
/// another number of weights than there are targets.
pub(super) fn report_weight_counts(root: &Root, diagnostics: &mut Diagnostics) {
    let mut warn = |message: String| {
        diagnostics.warning(codes::INVALID_MORPH_TARGET, SourceLocation::File, message);
    };
    let mut check_count = |weights: Option<&Vec<f32>>, targets: usize, path: String| {
        if let Some(weights) = weights.filter(|weights| weights.len() != targets) {
            warn(format!(
                "{path}: expected {}, found {}",
                format_count(targets, "morph weight"),
                weights.len()
            ));
        }
    };
    for (index, node) in root.nodes.iter().enumerate() {
        let mesh = node.mesh.and_then(|mesh| root.get(mesh));
        let targets = mesh.map_or(0, target_count);
        check_count(node.weights.as_ref(), targets, format!("nodes[{index}].weights"));
    }
    for (index, mesh) in root.meshes.iter().enumerate() {
        check_count(mesh.weights.as_ref(), target_count(mesh), format!("meshes[{index}].weights"));
    }
    for (index, mesh) in root.meshes.iter().enumerate() {
        let counts = || mesh.primitives.iter().map(|one| one.targets.as_ref().map_or(0, Vec::len));
        if let (Some(fewest), Some(most)) = (counts().min(), counts().max())
            && fewest != most
        {
            warn(format!(
                "meshes[{index}]: expected primitives with the same number of morph targets, \
                 found {fewest} and {most}"
            ));
        }
    }
}

pub(super) struct MorphReader<'a> {
    pub(super) buffers: &'a Buffers<'a>,
    pub(super) mesh: &'a Mesh,
    pub(super) node: &'a Node,
    pub(super) primitive: &'a Primitive,
}

impl MorphReader<'_> {
    pub(super) fn named_targets(&self) -> Vec<MorphTarget> {
        let count = target_count(self.mesh);
        // The weights of a node replace all weights of its mesh.
        let weights = self.node.weights.as_ref().or(self.mesh.weights.as_ref());
        let weight = |index: usize| {
            let weight = weights.and_then(|weights| weights.get(index)).copied();
            weight.filter(|weight| weight.is_finite()).unwrap_or(0.0)
        };
        let target = |(index, name): (usize, String)| MorphTarget {
            name,
            weight: weight(index),
            ..MorphTarget::default()
        };
        target_names(self.mesh, count).into_iter().enumerate().map(target).collect()
    }

    pub(super) fn read_displacements(
        &self,
        index: usize,
        positions: &[[f32; 3]],
        triangles: Option<&[u32]>,
        target: &mut MorphTarget,
    ) -> Result<(), PartError> {
        let Some(stated) = self.primitive.targets.as_ref().and_then(|all| all.get(index)) else {
            return Ok(());
        };
        let vertices = positions.len();
        target.positions = self.read_vectors(stated.positions, vertices)?;
        match triangles {
            Some(triangles) => target.compute_normals(positions, triangles),
            None => target.normals = self.read_vectors(stated.normals, vertices)?,
        }
        Ok(())
    }

    fn read_vectors(
        &self,
        accessor: Option<Index<Accessor>>,
        vertices: usize,
    ) -> Result<Vec<[f32; 3]>, PartError> {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        let found = self.buffers.element_count(accessor, Type::Vec3)?;
        if found != vertices {
            let message = format!("expected {vertices} displacements, found {found}");
            return Err(PartError::new(codes::INVALID_MORPH_TARGET, message));
        }
        let vectors = self.buffers.read_floats::<3>(accessor, Type::Vec3)?;
        let is_finite = vectors.as_flattened().iter().all(|number| number.is_finite());
        if !is_finite {
            let message = "a displacement is not finite";
            return Err(PartError::new(codes::INVALID_MORPH_TARGET, message));
        }
        let moves = vectors.as_flattened().iter().any(|number| *number != 0.0);
        Ok(if moves { vectors } else { Vec::new() })
    }
}
