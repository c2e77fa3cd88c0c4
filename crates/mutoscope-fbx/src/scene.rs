//! Loads files within memory limits.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::Transform,
    diagnostics::{Diagnostics, Error, SourceLocation},
};
use ufbx::{
    AllocatorOpts, CoordinateAxes, FileFormat, GeometryTransformHandling, InheritModeHandling,
    LoadOpts, Matrix, SceneRoot, SpaceConversion,
};

/// Reading a file may use this many bytes of memory for each byte of the file, plus a constant.
const MAX_MEMORY_PER_FILE_BYTE: usize = 64;
const MEMORY_ALLOWANCE: usize = 16 << 20;

/// The maximum depth of the node hierarchy. The depth is limited because ufbx evaluates the
/// hierarchy recursively.
const MAX_NODE_DEPTH: u32 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nodes, meshes and takes.
    All,
    /// Nodes and takes, without meshes.
    Motion,
}

/// Loads a file and converts it to metres, right-handed with Y up.
///
/// # Errors
/// If `bytes` are not readable FBX, or reading exceeds the memory limit.
pub(crate) fn load(bytes: &[u8], content: Content) -> Result<SceneRoot, Error> {
    let limit =
        bytes.len().saturating_mul(MAX_MEMORY_PER_FILE_BYTE).saturating_add(MEMORY_ALLOWANCE);
    let allocator = || AllocatorOpts { memory_limit: limit, ..AllocatorOpts::default() };
    let options = LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        ignore_geometry: content == Content::Motion,
        ignore_embedded: content == Content::Motion,
        load_external_files: false,
        file_format: FileFormat::Fbx,
        node_depth_limit: MAX_NODE_DEPTH,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::AdjustTransforms,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        // Let every node inherit the full scale of its parent. A clip has one rule of scale
        // inheritance for all nodes, but FBX has a rule for each node.
        inherit_mode_handling: InheritModeHandling::Compensate,
        generate_missing_normals: true,
        clean_skin_weights: true,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| {
        let found = error.description.to_string();
        let info = error.info();
        let found = if info.is_empty() { found } else { format!("{found}: {info}") };
        Error::malformed(SourceLocation::File, "FBX", found)
    })
}

/// Reports ufbx's warnings, ambiguous versions, and features that are not evaluated.
pub(crate) fn report_problems(scene: &ufbx::Scene, diagnostics: &mut Diagnostics) {
    let metadata = &scene.metadata;
    for warning in metadata.warnings.iter() {
        let times =
            if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        diagnostics.warning(SourceLocation::File, format!("{}{times}", &*warning.description));
    }
    if metadata.version < 7000 {
        let message = format!(
            "FBX {}: files before 7.0 are ambiguous; using the interpretation of ufbx",
            version(scene)
        );
        diagnostics.warning(SourceLocation::File, message);
    }
    let unread: Vec<_> = [
        ("constraints", scene.constraints.len()),
        ("geometry caches", scene.cache_deformers.len()),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(what, count)| format!("{what} ({count})"))
    .collect();
    if !unread.is_empty() {
        diagnostics
            .info(SourceLocation::File, format!("not evaluated: {}; skipped", unread.join(", ")));
    }
}

/// Returns the version as `7.4`, the form that users know.
pub(crate) fn version(scene: &ufbx::Scene) -> String {
    let version = scene.metadata.version;
    format!("{}.{}", version / 1000, version % 1000 / 100)
}

pub(crate) fn vector(vector: ufbx::Vec3) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

pub(crate) fn transform(transform: &ufbx::Transform) -> Transform {
    let ufbx::Quat { x, y, z, w } = transform.rotation;
    let rotation = DQuat::from_xyzw(x, y, z, w);
    Transform {
        translation: vector(transform.translation),
        rotation: if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY },
        scale: vector(transform.scale),
    }
}

pub(crate) fn affine(matrix: &Matrix) -> glam::DAffine3 {
    let Matrix { m00, m10, m20, m01, m11, m21, m02, m12, m22, m03, m13, m23 } = *matrix;
    glam::DAffine3::from_cols_array(&[m00, m10, m20, m01, m11, m21, m02, m12, m22, m03, m13, m23])
}
