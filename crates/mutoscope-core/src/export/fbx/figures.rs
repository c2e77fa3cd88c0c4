//! Figures whose parts move on their own, and cameras.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::{
    CENTIMETRES_PER_METRE,
    builder::{Builder, ModelKind, NewModel},
    clean_name,
    document::{Properties, element},
    meshes::{Vertices, add_mesh_model, geometry_elements},
    scene::{ObjectClass, ObjectId},
};
use crate::{
    clip::{ExportModel, PartMesh, PartParent, Surface},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report,
        motions::Motions,
        traced::{FIGURE_TOLERANCE, Figures},
    },
};

/// A mesh of parts: its geometry and its materials.
type PartGeometry = (ObjectId, Vec<ObjectId>);

/// Adds the figures of an export model.
pub(super) fn add_figures(
    model: &ExportModel,
    job: &Job<'_>,
    builder: &mut Builder<'_>,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<(), ExportError> {
    let mut figures = Figures::default();
    let mut geometries: Vec<Option<Option<PartGeometry>>> = vec![None; model.meshes.len()];
    let (mut count, mut part_count) = (0, 0);
    for (index, figure) in model.figures.iter().enumerate() {
        progress.report_progress(index, model.figures.len())?;
        if builder.is_hidden(figure.node) {
            continue;
        }
        let motions = figures.trace_parts(job, figure, progress)?;
        let mut parts: Vec<Option<ObjectId>> = Vec::with_capacity(figure.parts.len());
        for (part, motion) in figure.parts.iter().zip(&motions) {
            let parent = match part.parent {
                PartParent::Node(node) => Some(builder.nodes[node.index()].id),
                PartParent::Part(part) => parts[part],
            };
            let Some(parent) = parent.filter(|_| !motion.is_never_shown()) else {
                parts.push(None);
                continue;
            };
            let geometry = part.mesh.and_then(|mesh| {
                let add = || add_part_mesh(&model.meshes[mesh], builder);
                geometries[mesh].get_or_insert_with(add).clone()
            });
            let id = builder.scene.reserve_id();
            let (name, local) = (clean_name(&part.name, "part"), motion.first_transform());
            match geometry {
                Some((geometry, materials)) => {
                    add_mesh_model(id, &name, parent, local, geometry, &materials, builder);
                }
                None => builder.add_model(&NewModel {
                    id,
                    name: &name,
                    kind: ModelKind::Null,
                    parent,
                    local,
                    attribute: Vec::new(),
                }),
            }
            builder.animate(id, motion);
            parts.push(Some(id));
        }
        count += 1;
        part_count += parts.iter().flatten().count();
    }
    if count > 0 {
        report.info(format!(
            "with {} of {}; their joints are within {FIGURE_TOLERANCE} m or rad",
            format_count(count, "figure"),
            format_count(part_count, "part"),
        ));
    }
    figures.report(report);
    if model.skipped_meshes > 0 {
        let skipped = format_count(model.skipped_meshes, "mesh");
        report.warning(format!("{skipped} of figures skipped: too many"));
    }
    Ok(())
}

/// Adds the geometry of a mesh with one material for each surface. Returns `None` if the mesh has
/// nothing to draw.
fn add_part_mesh(mesh: &PartMesh, builder: &mut Builder<'_>) -> Option<PartGeometry> {
    let is_drawable = |surface: &&Surface| {
        !surface.triangles.is_empty()
            && surface.positions.as_flattened().iter().all(|number| number.is_finite())
    };
    let (mut positions, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let (mut triangle_materials, mut materials) = (Vec::new(), Vec::new());
    for surface in mesh.surfaces.iter().filter(is_drawable) {
        let first = positions.len() as u32;
        positions.extend_from_slice(&surface.positions);
        normals.extend_from_slice(&surface.normals);
        triangles.extend(surface.triangles.iter().map(|vertex| first + vertex));
        let material = builder.materials.of_color(surface.color, None, &mut builder.scene);
        let known = materials.iter().position(|known| *known == material);
        let index = known.unwrap_or_else(|| {
            materials.push(material);
            materials.len() - 1
        });
        triangle_materials.extend(vec![index as i32; surface.triangles.len() / 3]);
    }
    if positions.is_empty() {
        return None;
    }
    let vertices = Vertices {
        positions: &positions,
        normals: &normals,
        triangles: &triangles,
        uvs: &[],
        colors: &[],
        materials: &triangle_materials,
    };
    let class = ObjectClass::new("Geometry", "Geometry", "Mesh");
    let name = clean_name(&mesh.name, "mesh");
    let geometry = builder.scene.add(class, &name, geometry_elements(&vertices));
    Some((geometry, materials))
}

/// Adds a camera for each view of the recording.
pub(super) fn add_cameras(
    motions: &Motions<'_>,
    job: &Job<'_>,
    origin: DVec3,
    builder: &mut Builder<'_>,
    report: &mut Report,
) {
    /// The height of the film, in millimetres. Only its ratio to the focal length matters.
    const FILM_HEIGHT_MM: f64 = 24.0;
    const FILM_WIDTH_MM: f64 = 36.0;
    const MM_PER_INCH: f64 = 25.4;
    const NEAR_PLANE_M: f64 = 0.05;
    let views = job.clip.views();
    for (view, motion) in views.iter().zip(motions.views()) {
        let mut motion = motion.clone();
        motion.translation = motion.translation.map(|point| point - origin);
        let keys = motion.translation.keys().iter();
        keys.for_each(|key| builder.precision.record_position(key.value));
        // A view looks along −Z, and a camera of FBX along +X.
        let turn = DQuat::from_rotation_y(FRAC_PI_2);
        motion.rotation = motion.rotation.map(|rotation| rotation * turn);
        let half_angle = 0.5 * view.vertical_fov_degrees.to_radians();
        let mut properties = Properties::default();
        properties.add_number("FilmWidth", FILM_WIDTH_MM / MM_PER_INCH);
        properties.add_number("FilmHeight", FILM_HEIGHT_MM / MM_PER_INCH);
        properties.add_number("FilmAspectRatio", FILM_WIDTH_MM / FILM_HEIGHT_MM);
        // The aperture mode 3 computes the field of view from the focal length.
        properties.add_enum("ApertureMode", 3);
        let focal_length = 0.5 * FILM_HEIGHT_MM / half_angle.tan();
        properties.add("FocalLength", ["Number", "", "A"], [focal_length]);
        properties.add_number("NearPlane", NEAR_PLANE_M * CENTIMETRES_PER_METRE);
        let attribute = vec![
            properties.into_element(),
            element("TypeFlags", "Camera"),
            element("GeometryVersion", 124),
        ];
        let id = builder.scene.reserve_id();
        builder.add_model(&NewModel {
            id,
            name: &clean_name(&view.name, "camera"),
            kind: ModelKind::Camera,
            parent: builder.root.id,
            local: motion.first_transform(),
            attribute,
        });
        builder.animate(id, &motion);
    }
    if !views.is_empty() {
        report.info(format!("with {}", format_count(views.len(), "camera")));
    }
}
