//! The morph targets of meshes: their names, their weights at rest, and what they displace.

use std::collections::HashSet;

use gltf_json::{
    Accessor, Index,
    accessor::Type,
    mesh::{Mesh, Primitive},
    scene::Node,
};
use serde::Deserialize;

use super::Buffers;
use crate::clip::MorphTarget;

/// The names of the morph targets of a mesh, of which there are `count`: those that exporters leave in
/// the mesh's extras, where these differ, else their numbers.
pub(crate) fn target_names(mesh: &Mesh, count: usize) -> Vec<String> {
    #[derive(Deserialize)]
    struct Extras {
        #[serde(rename = "targetNames")]
        target_names: Vec<String>,
    }
    let extras = mesh.extras.as_ref();
    let named: Option<Extras> = extras.and_then(|extras| serde_json::from_str(extras.get()).ok());
    let names = named.map(|extras| extras.target_names).unwrap_or_default();
    let mut taken = HashSet::new();
    let name = |index: usize| match names.get(index) {
        Some(name) if !name.is_empty() && taken.insert(name) => name.clone(),
        _ => index.to_string(),
    };
    (0..count).map(name).collect()
}

/// How many morph targets a mesh has.
pub(crate) fn target_count(mesh: &Mesh) -> usize {
    let targets = mesh.primitives.iter().filter_map(|primitive| primitive.targets.as_ref());
    targets.map(Vec::len).max().unwrap_or(0)
}

/// Reads the morph targets of a part of a mesh.
pub(super) struct MorphReader<'a> {
    pub(super) buffers: &'a Buffers<'a>,
    pub(super) mesh: &'a Mesh,
    pub(super) node: &'a Node,
    pub(super) primitive: &'a Primitive,
}

impl MorphReader<'_> {
    /// The targets, displacing nothing so far.
    pub(super) fn named(&self) -> Vec<MorphTarget> {
        let count = target_count(self.mesh);
        // A node's own weights stand for all of the mesh's.
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

    /// Reads the displacements of a target, on a part of these positions, whose normals are computed from the
    /// triangles if `triangles` are given.
    ///
    /// # Errors
    /// If its numbers cannot be read, or are of other vertices.
    pub(super) fn read(
        &self,
        index: usize,
        positions: &[[f32; 3]],
        triangles: Option<&[u32]>,
        target: &mut MorphTarget,
    ) -> Result<(), String> {
        let Some(stated) = self.primitive.targets.as_ref().and_then(|all| all.get(index)) else {
            return Ok(());
        };
        let vertices = positions.len();
        target.positions = self.differences(stated.positions, vertices)?;
        match triangles {
            Some(triangles) => target.bend_with_triangles(positions, triangles),
            None => target.normals = self.differences(stated.normals, vertices)?,
        }
        Ok(())
    }

    /// The numbers of an accessor, one vector for each vertex; none if all of them are 0.
    fn differences(
        &self,
        accessor: Option<Index<Accessor>>,
        vertices: usize,
    ) -> Result<Vec<[f32; 3]>, String> {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        let found = self.buffers.count(accessor, Type::Vec3)?;
        if found != vertices {
            return Err(format!("expected {vertices} displacements, found {found}"));
        }
        let vectors = self.buffers.floats::<3>(accessor, Type::Vec3)?;
        let is_finite = vectors.as_flattened().iter().all(|number| number.is_finite());
        if !is_finite {
            return Err("a displacement is not finite".to_owned());
        }
        let moves = vectors.as_flattened().iter().any(|number| *number != 0.0);
        Ok(if moves { vectors } else { Vec::new() })
    }
}
