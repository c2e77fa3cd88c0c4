//! Figures whose parts move on their own: the joints of entities, and items in hands.

use super::{
    buffer::BufferUsage,
    builder::GlbBuilder,
    json::{Attributes, Mesh, Node, Primitive},
};
use crate::{
    clip::{ExportModel, PartMesh, PartParent, Piece, Surface},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report, TimeSteps,
        budget::EvaluationBudget,
        figures::{PART_TOLERANCE, trace_parts},
        node_motion::NodeMotion,
        tracer::TraceStats,
    },
};

pub(super) fn add_figures(
    model: &ExportModel,
    job: &Job<'_>,
    builder: &mut GlbBuilder,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<(), ExportError> {
    let budget = EvaluationBudget::for_single_values();
    let mut meshes = Meshes { model, mesh_indices: vec![None; model.meshes.len()] };
    let (mut count, mut part_count, mut stats) = (0, 0, TraceStats::default());
    for (index, figure) in model.figures.iter().enumerate() {
        progress.report_progress(index, model.figures.len())?;
        if builder.is_hidden(figure.node) {
            continue;
        }
        let (motions, figure_stats) = trace_parts(job, figure, &budget, progress)?;
        stats.add(figure_stats);
        let mut nodes: Vec<Option<usize>> = Vec::with_capacity(figure.parts.len());
        for (part, motion) in figure.parts.iter().zip(&motions) {
            let parent = match part.parent {
                PartParent::Node(node) => Some(node.index()),
                PartParent::Part(part) => nodes[part],
            };
            let Some(parent) = parent.filter(|_| !motion.is_never_shown()) else {
                nodes.push(None);
                continue;
            };
            let mesh = part.mesh.and_then(|mesh| meshes.mesh_index(mesh, builder));
            let node = Node { name: part.name.clone(), mesh, ..Node::default() };
            nodes.push(Some(add_part(node, parent, motion, job.from, builder)));
        }
        count += 1;
        part_count += nodes.iter().flatten().count();
    }
    if count > 0 {
        report.info(format!(
            "with {} of {}; their joints are within {PART_TOLERANCE} m or rad",
            format_count(count, "figure"),
            format_count(part_count, "part"),
        ));
    }
    if stats.max_error > 0.0 {
        report.warning(format!(
            "figures are up to {:.2e} (metres or radians) off between keys",
            stats.max_error
        ));
    }
    if model.skipped_meshes > 0 {
        let skipped = format_count(model.skipped_meshes, "mesh");
        report.warning(format!("{skipped} of figures skipped: too many"));
    }
    Ok(())
}

fn add_part(
    mut node: Node,
    parent: usize,
    motion: &NodeMotion,
    from: f64,
    builder: &mut GlbBuilder,
) -> usize {
    node.set_transform(&motion.first_transform());
    let index = builder.add_node(node, Some(parent));
    let (chunk, animation) = (&mut builder.chunk, &mut builder.animation);
    animation.add_translation(index, &motion.translation, from, chunk);
    animation.add_rotation(index, &motion.rotation, from, chunk);
    let scale = motion.scale.zero_while_hidden(&motion.shown, TimeSteps::single_precision(from));
    animation.add_scale(index, &scale, from, chunk);
    index
}

struct Meshes<'a> {
    model: &'a ExportModel,
    mesh_indices: Vec<Option<usize>>,
}

impl Meshes<'_> {
    fn mesh_index(&mut self, mesh: usize, builder: &mut GlbBuilder) -> Option<usize> {
        if self.mesh_indices[mesh].is_none() {
            self.mesh_indices[mesh] = write_mesh(&self.model.meshes[mesh], builder);
        }
        self.mesh_indices[mesh]
    }
}

fn write_mesh(mesh: &PartMesh, builder: &mut GlbBuilder) -> Option<usize> {
    let drawable = mesh.surfaces.iter().filter(|surface| is_drawable(surface));
    let primitives: Vec<_> = drawable.map(|surface| write_primitive(surface, builder)).collect();
    if primitives.is_empty() {
        return None;
    }
    builder.root.meshes.push(Mesh { name: mesh.name.clone(), primitives, ..Mesh::default() });
    Some(builder.root.meshes.len() - 1)
}

fn is_drawable(surface: &Surface) -> bool {
    !surface.triangles.is_empty()
        && surface.positions.as_flattened().iter().all(|number| number.is_finite())
}

fn write_primitive(surface: &Surface, builder: &mut GlbBuilder) -> Primitive {
    let piece = Piece { color: surface.color, ..Piece::for_node(0) };
    let material = builder.add_material(&piece, None);
    let unit =
        |normal: &[f32; 3]| glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
    let normals: Vec<_> = surface.normals.iter().map(unit).collect();
    let attributes = Attributes {
        position: builder.chunk.add_points(&surface.positions),
        normal: builder.chunk.add_vectors(&normals, BufferUsage::Vertices),
        ..Attributes::default()
    };
    let indices = builder.chunk.add_indices(&surface.triangles);
    Primitive { attributes, indices, material, ..Primitive::default() }
}
