//! The meshes of recordings whose format is drawn by a renderer of its own, for exports.

use std::{fmt::Debug, sync::Arc};

use super::{Clip, Model, NodeId, Transform};

/// A model on the nodes of a clip, and figures with parts that move on their own.
#[derive(Clone, Debug, Default)]
pub struct Likeness {
    /// Meshes bound to the clip's nodes.
    pub model: Model,
    /// The meshes of parts; several parts may have the same.
    pub meshes: Vec<PartMesh>,
    /// Everything that moves on its own.
    pub figures: Vec<LikenessFigure>,
    /// How many meshes were skipped because there are too many.
    pub skipped_meshes: usize,
}

/// A mesh in the space of a part, in metres and as the viewer has it.
#[derive(Clone, Debug, PartialEq)]
pub struct PartMesh {
    /// Its name.
    pub name: String,
    /// Its surfaces.
    pub surfaces: Vec<Surface>,
}

/// A surface of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Linear red, green and blue, and opacity.
    pub color: [f32; 4],
    /// Where its vertices are.
    pub positions: Vec<[f32; 3]>,
    /// The unit normals of its vertices.
    pub normals: Vec<[f32; 3]>,
    /// The vertices of its triangles, three each, counter-clockwise as seen from outside.
    pub triangles: Vec<u32>,
}

/// The parts of one figure: the joints of a creature, the items in somebody's hands.
#[derive(Clone, Debug)]
pub struct LikenessFigure {
    /// The node whose figure it is: its tracks have a key wherever the figure may change.
    pub node: NodeId,
    /// Its parts, parents before children.
    pub parts: Vec<FigurePart>,
    /// How they move.
    pub motion: Arc<dyn FigureMotion>,
}

/// A part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePart {
    /// Its name.
    pub name: String,
    /// Its parent: a node of the clip, or another part.
    pub parent: PartParent,
    /// Where it is relative to that while nothing moves it, in source space.
    pub rest: Transform,
    /// Its mesh by its index in [`Likeness::meshes`]; nothing if it only carries others.
    pub mesh: Option<usize>,
}

/// The parent of a figure's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartParent {
    /// A node of the clip.
    Node(NodeId),
    /// A part of the figure that comes before it.
    Part(usize),
}

/// How the parts of a figure move.
pub trait FigureMotion: Debug + Send + Sync {
    /// Whether there is anything to see of it at `time`, in seconds.
    fn is_there(&self, time: f64) -> bool;

    /// Passes `place` the index of each part that moves or is hidden at times, where it is at `time`
    /// (in seconds, relative to its parent and in source space), and whether it is visible. Other
    /// parts are visible and at rest.
    fn place(&self, time: f64, place: &mut dyn FnMut(usize, Transform, bool));
}

impl Clip {
    /// The likeness of its procedural animation; nothing where it has a [model](Self::model) or
    /// looks like nothing.
    pub fn likeness(&self) -> Option<Likeness> {
        if self.model().is_some() {
            return None;
        }
        let likeness = self.procedural.as_ref()?.likeness()?;
        (!likeness.model.is_empty() || !likeness.figures.is_empty()).then_some(likeness)
    }
}
