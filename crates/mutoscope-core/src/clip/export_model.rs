//! Meshes for exports, for formats that the viewer draws with a renderer of their own.

use std::{fmt::Debug, sync::Arc};

use super::{Clip, Model, NodeId, Transform};

/// The meshes of a recording for exports. They form a model that is bound to nodes of the clip, and
/// figures whose parts move independently of the clip's nodes.
#[derive(Clone, Debug, Default)]
pub struct ExportModel {
    /// The meshes that are bound to nodes of the clip.
    pub model: Model,
    /// The meshes of figure parts. Several parts may share a mesh.
    pub meshes: Vec<PartMesh>,
    /// The figures whose parts move independently.
    pub figures: Vec<ExportFigure>,
    /// The number of meshes that were left out because there are too many.
    pub skipped_meshes: usize,
}

/// A mesh in the space of a figure part: right-handed, Y up, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct PartMesh {
    /// The name.
    pub name: String,
    /// The surfaces, each of one colour.
    pub surfaces: Vec<Surface>,
}

/// A surface of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The colour: linear red, green and blue, and opacity.
    pub color: [f32; 4],
    /// The positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// The unit normals of the vertices.
    pub normals: Vec<[f32; 3]>,
    /// The vertex indices of the triangles, three each, counter-clockwise as seen from outside.
    pub triangles: Vec<u32>,
}

/// The parts of one figure, such as the joints of a creature or the items in a player's hands.
#[derive(Clone, Debug)]
pub struct ExportFigure {
    /// The node of the figure. Its tracks have a key at each time at which the motion of the figure
    /// may change.
    pub node: NodeId,
    /// The parts. Parents come before their children.
    pub parts: Vec<FigurePart>,
    /// The motion of the parts.
    pub motion: Arc<dyn FigureMotion>,
}

/// A part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePart {
    /// The name.
    pub name: String,
    /// The parent: a node of the clip, or another part.
    pub parent: PartParent,
    /// The rest transform relative to the parent, in source space.
    pub rest: Transform,
    /// The index of the mesh in [`ExportModel::meshes`]. `None` if the part only carries other
    /// parts.
    pub mesh: Option<usize>,
}

/// The parent of a figure part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartParent {
    /// A node of the clip.
    Node(NodeId),
    /// The index of another part of the same figure, which comes before this part.
    Part(usize),
}

/// The motion of the parts of a figure.
pub trait FigureMotion: Debug + Send + Sync {
    /// Returns `true` if the figure is visible at `time`, in seconds.
    fn is_visible(&self, time: f64) -> bool;

    /// Calls `set(part, transform, is_visible)` for each part that is animated or sometimes hidden.
    ///
    /// The transform is the one at `time` (in seconds), relative to the parent, in source space.
    /// All other parts are visible and at rest.
    fn pose_parts(&self, time: f64, set: &mut dyn FnMut(usize, Transform, bool));
}

impl Clip {
    /// Returns the meshes that the procedural animation provides for exports. `None` if the clip
    /// has a [model](Self::model), or if there is nothing to draw.
    pub fn export_model(&self) -> Option<ExportModel> {
        if self.model().is_some() {
            return None;
        }
        let export_model = self.procedural.as_ref()?.export_model()?;
        (!export_model.model.is_empty() || !export_model.figures.is_empty()).then_some(export_model)
    }
}
