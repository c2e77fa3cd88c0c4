//! Figures whose parts move on their own: the joints of entities, and what hands hold.

use super::{
    buffer::Use,
    json::{Attributes, Mesh, Node, Primitive},
    parts::Parts,
};
use crate::{
    clip::{Likeness, PartMesh, PartParent, Piece, Surface},
    export::{
        ExportError, Job, Report,
        effort::Effort,
        figures::{TOLERANCE, trace},
        node_motion::NodeMotion,
        report::counted,
        tracer::Tally,
        watch::Watch,
    },
};

/// Adds the parts of all figures below the recording's nodes. Figures and parts that are hidden from
/// the start of the range to its end are not written.
///
/// # Errors
/// If there are too many keys, or the export is cancelled.
pub(super) fn add(
    likeness: &Likeness,
    job: &Job<'_>,
    parts: &mut Parts,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let effort = Effort::single();
    let mut meshes = Meshes { of: likeness, written: vec![None; likeness.meshes.len()] };
    let (mut count, mut part_count, mut tally) = (0, 0, Tally::default());
    for (index, figure) in likeness.figures.iter().enumerate() {
        watch.at(index, likeness.figures.len())?;
        if parts.is_hidden(figure.node) {
            continue;
        }
        let (motions, of_figure) = trace(job, figure, &effort, watch)?;
        tally.add(of_figure);
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
            let mesh = part.mesh.and_then(|mesh| meshes.written(mesh, parts));
            let node = Node { name: part.name.clone(), mesh, ..Node::default() };
            nodes.push(Some(add_part(node, parent, motion, job.from, parts)));
        }
        count += 1;
        part_count += nodes.iter().flatten().count();
    }
    if count > 0 {
        report.info(format!(
            "with {} of {}; their joints are within {TOLERANCE} m or rad",
            counted(count, "figure"),
            counted(part_count, "part"),
        ));
    }
    if tally.farthest > 0.0 {
        report.warning(format!(
            "figures are up to {:.2e} (metres or radians) off between keys",
            tally.farthest
        ));
    }
    if likeness.skipped_meshes > 0 {
        let skipped = counted(likeness.skipped_meshes, "mesh").replace("meshs", "meshes");
        report.warning(format!("{skipped} of figures skipped: too many"));
    }
    Ok(())
}

/// Its index among the nodes.
fn add_part(
    mut node: Node,
    parent: usize,
    motion: &NodeMotion,
    from: f64,
    parts: &mut Parts,
) -> usize {
    node.stand(&motion.first());
    let index = parts.add_node(node, Some(parent));
    let (chunk, animation) = (&mut parts.chunk, &mut parts.animation);
    animation.translate(index, &motion.translation, from, chunk);
    animation.rotate(index, &motion.rotation, from, chunk);
    animation.scale(index, &motion.scale.hidden_unless(&motion.shown), from, chunk);
    index
}

/// The meshes of parts, each written when the first part has it.
struct Meshes<'a> {
    of: &'a Likeness,
    written: Vec<Option<usize>>,
}

impl Meshes<'_> {
    /// The index of a mesh in the file; nothing of one that is not finite.
    fn written(&mut self, mesh: usize, parts: &mut Parts) -> Option<usize> {
        if self.written[mesh].is_none() {
            self.written[mesh] = write(&self.of.meshes[mesh], parts);
        }
        self.written[mesh]
    }
}

fn write(mesh: &PartMesh, parts: &mut Parts) -> Option<usize> {
    let sound = mesh.surfaces.iter().filter(|surface| is_sound(surface));
    let primitives: Vec<_> = sound.map(|surface| primitive(surface, parts)).collect();
    if primitives.is_empty() {
        return None;
    }
    parts.root.meshes.push(Mesh { name: mesh.name.clone(), primitives, ..Mesh::default() });
    Some(parts.root.meshes.len() - 1)
}

fn is_sound(surface: &Surface) -> bool {
    !surface.triangles.is_empty()
        && surface.positions.as_flattened().iter().all(|number| number.is_finite())
}

fn primitive(surface: &Surface, parts: &mut Parts) -> Primitive {
    let like = Piece { color: surface.color, ..Piece::of_node(0) };
    let material = parts.material_of(&like, None);
    let unit =
        |normal: &[f32; 3]| glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
    let normals: Vec<_> = surface.normals.iter().map(unit).collect();
    let attributes = Attributes {
        position: parts.chunk.points(&surface.positions),
        normal: parts.chunk.vectors(&normals, Use::Vertices),
        ..Attributes::default()
    };
    let indices = parts.chunk.indices(&surface.triangles);
    Primitive { attributes, indices, material, ..Primitive::default() }
}
