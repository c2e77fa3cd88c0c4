//! Loads files within memory limits.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Convention, Stated, Transform, UpAxis},
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
};
use ufbx::{
    AllocatorOpts, CoordinateAxes, CoordinateAxis, FileFormat, GeometryTransformHandling,
    InheritModeHandling, LoadOpts, Matrix, Scene, SceneRoot, SkinningMethod, SpaceConversion,
    WarningType,
};

use crate::{codes, text};

/// Reading a file may use this many bytes of memory for each byte of the file, plus a constant.
const MAX_MEMORY_PER_FILE_BYTE: usize = 64;
const MEMORY_ALLOWANCE: usize = 16 << 20;

/// The maximum depth of the node hierarchy. The depth is limited because ufbx evaluates the
/// hierarchy recursively.
const MAX_NODE_DEPTH: u32 = 1000;

/// The unit of files that declare none, because centimetres are the unit of FBX.
const ASSUMED_METRES_PER_UNIT: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nodes, meshes and takes.
    All,
    /// Nodes and takes, without meshes.
    Motion,
}

/// Loads a file and converts it to metres, right-handed with Y up. Axes and a unit that the file
/// does not declare are not converted, so that the user can choose them: see [`convention`].
///
/// # Errors
/// If `bytes` are not readable FBX, or reading exceeds the memory limit.
pub(crate) fn load(bytes: &[u8], content: Content) -> Result<SceneRoot, Error> {
    let scene = load_in_unit(bytes, content, 1.0)?;
    match declares_unit(&scene) {
        true => Ok(scene),
        // ufbx converts from centimetres if the file declares no unit. With centimetres as the
        // target, the numbers stay as they are.
        false => load_in_unit(bytes, content, ASSUMED_METRES_PER_UNIT),
    }
}

fn declares_unit(scene: &Scene) -> bool {
    ufbx::find_prop(&scene.settings.props, "UnitScaleFactor").is_some()
}

/// Returns the axes and the unit of a loaded scene. ufbx leaves axes as they are if the file does
/// not declare all of them.
pub(crate) fn convention(scene: &Scene) -> Convention {
    let mut convention = Convention::gltf();
    if !declares_unit(scene) {
        convention.metres_per_unit = Stated::assumed(ASSUMED_METRES_PER_UNIT);
    }
    let axes = &scene.settings.axes;
    if [axes.right, axes.up, axes.front].contains(&CoordinateAxis::Unknown) {
        convention.handedness = Stated::assumed(convention.handedness.value);
        convention.up = match axes.up {
            CoordinateAxis::PositiveZ => Stated::declared(UpAxis::Z),
            CoordinateAxis::PositiveY => Stated::declared(UpAxis::Y),
            _ => Stated::assumed(UpAxis::Y),
        };
    }
    convention
}

fn load_in_unit(bytes: &[u8], content: Content, unit_meters: f64) -> Result<SceneRoot, Error> {
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
        target_unit_meters: unit_meters,
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
pub(crate) fn report_problems(scene: &Scene, bytes: &[u8], diagnostics: &mut Diagnostics) {
    let metadata = &scene.metadata;
    for warning in metadata.warnings.iter() {
        // ufbx warns about each string without its location, even about binary data.
        if warning.type_ == WarningType::BadUnicode {
            continue;
        }
        let times =
            if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        diagnostics
            .warning(
                codes::UFBX_WARNING,
                SourceLocation::File,
                format!("{}{times}", &*warning.description),
            )
            .with("count", warning.count);
    }
    text::report_invalid_utf8(bytes, diagnostics);
    if metadata.ascii {
        let message = "FBX text; Blender before 4.5 refuses it";
        diagnostics.info(codes::TEXT_FORM, SourceLocation::File, message);
    }
    if metadata.version < 7000 {
        let message = format!(
            "FBX {}: files before 7.0 are ambiguous; using the interpretation of ufbx",
            version(scene)
        );
        diagnostics
            .warning(codes::OLD_VERSION, SourceLocation::File, message)
            .with("version", metadata.version);
    }
    report_dual_quaternions(scene, diagnostics);
    let unread: Vec<_> = [
        ("constraints", scene.constraints.len()),
        ("geometry caches", scene.cache_deformers.len()),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(what, count)| format!("{what} ({count})"))
    .collect();
    if !unread.is_empty() {
        diagnostics.info(
            codes::NOT_EVALUATED,
            SourceLocation::File,
            format!("not evaluated: {}; skipped", unread.join(", ")),
        );
    }
}

fn report_dual_quaternions(scene: &Scene, diagnostics: &mut Diagnostics) {
    let is_nonlinear =
        |method| matches!(method, SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear);
    let count =
        scene.skin_deformers.iter().filter(|skin| is_nonlinear(skin.skinning_method)).count();
    if count > 0 {
        let (skins, verb) = (format_count(count, "skin"), if count == 1 { "uses" } else { "use" });
        let message = format!("{skins} {verb} dual quaternions; shown with linear weights");
        diagnostics
            .warning(codes::DUAL_QUATERNIONS, SourceLocation::File, message)
            .with("count", count);
    }
}

/// Returns the version as `7.4`, the form that users know.
pub(crate) fn version(scene: &ufbx::Scene) -> String {
    let version = scene.metadata.version;
    format!("{}.{}", version / 1000, version % 1000 / 100)
}

fn vector(vector: ufbx::Vec3) -> DVec3 {
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
