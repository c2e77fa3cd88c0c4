//! Builds a GLB file from the nodes to the bytes.

use std::{io::Write, mem::take};

use glam::{DMat4, DVec3};

use super::{
    animation::to_f32_clamped,
    bones,
    buffer::Chunk,
    extras,
    json::{Animation, Asset, Buffer, Node, Root, Scene},
};
use crate::{
    clip::{NodeId, NodeVisibility, Piece, Transform},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report, RestPose, TimeSteps, keyed_curve::Interpolate,
        motions::Motions, node_motion::NodeMotion, origin::PositionPrecision,
    },
};

const BONE_COLOR: [f32; 4] = [0.55, 0.6, 0.7, 1.0];

pub(super) struct GlbBuilder {
    pub(super) root: Root,
    pub(super) chunk: Chunk,
    pub(super) skins: Vec<crate::clip::Skin>,
    hidden: Vec<bool>,
    pub(super) animation: Animation,
    pub(super) precision: PositionPrecision,
}

impl GlbBuilder {
    pub(super) fn new(job: &Job<'_>, origin: DVec3) -> Self {
        let clip = job.clip;
        let mut nodes: Vec<_> = clip
            .nodes
            .iter()
            .map(|node| Node {
                name: node.name.clone(),
                extras: (node.motion.visibility == NodeVisibility::Never)
                    .then(extras::hidden_extras),
                ..Node::default()
            })
            .collect();
        let root_index = nodes.len();
        let mut root_node = Node {
            name: if job.title.is_empty() { "recording" } else { job.title }.to_owned(),
            translation: (origin != DVec3::ZERO).then(|| origin.as_vec3().to_array()),
            extras: Some(extras::root_extras(job)),
            ..Node::default()
        };
        for (id, node) in clip.nodes.with_ids() {
            match node.parent {
                Some(parent) => nodes[parent.index()].children.push(id.index()),
                None => root_node.children.push(id.index()),
            }
        }
        nodes.push(root_node);
        let root = Root {
            asset: Asset {
                version: "2.0",
                generator: format!("Mutoscope {}", env!("CARGO_PKG_VERSION")),
            },
            scenes: vec![Scene { name: job.title.to_owned(), nodes: vec![root_index] }],
            nodes,
            ..Root::default()
        };
        Self {
            root,
            chunk: Chunk::new(job.path),
            skins: Vec::new(),
            hidden: Vec::new(),
            animation: Animation {
                name: job.title.to_owned(),
                channels: Vec::new(),
                samplers: Vec::new(),
                extras: extras::animation_extras(job),
            },
            precision: PositionPrecision::default(),
        }
    }

    pub(super) fn animate_nodes(
        &mut self,
        job: &Job<'_>,
        motions: &mut Motions<'_>,
        origin: DVec3,
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let nodes: Vec<NodeId> = job.clip.nodes.with_ids().map(|(id, _)| id).collect();
        let convert =
            |id: NodeId, motion: NodeMotion| Ok(NodeAnimation::new(job, id, motion, origin));
        motions.convert_nodes(&nodes, progress, convert, |id, node| {
            self.root.nodes[id.index()].set_transform(&node.transform);
            self.hidden.push(node.is_hidden);
            self.precision.merge(&node.precision);
            self.animation.append(node.animation, node.chunk, &mut self.chunk);
            Ok(self.chunk.spool()?)
        })
    }

    /// Sets the scale of hidden nodes to 0. Call this last, because other steps need the original
    /// transforms.
    pub(super) fn hide_nodes(&mut self) {
        for (node, _) in self.root.nodes.iter_mut().zip(&self.hidden).filter(|(_, hidden)| **hidden)
        {
            node.scale = Some([0.0; 3]);
            node.extras = Some(extras::hidden_extras());
        }
    }

    pub(super) fn is_hidden(&self, node: NodeId) -> bool {
        self.hidden[node.index()]
    }

    pub(super) fn add_bones(&mut self, job: &Job<'_>, report: &mut Report) {
        let world_matrices = self.rest_world_matrices(job);
        let bone = Piece { color: BONE_COLOR, ..Piece::for_node(0) };
        let material = self.add_material(&bone, None);
        match bones::build_bones(job.clip, &world_matrices, &self.hidden, material, &mut self.chunk)
        {
            Some((mesh, skin)) => {
                self.root.meshes.push(mesh);
                self.root.skins.push(skin);
                let node = Node {
                    name: "bones".to_owned(),
                    mesh: Some(0),
                    skin: Some(0),
                    ..Node::default()
                };
                self.add_node(node, None);
                report
                    .info("bones are shown by a mesh of octahedra, which is not in the recording");
            }
            None => self.root.materials.clear(),
        }
        if job.clip.nodes.is_empty() {
            report.warning("nothing moves; the file has an empty scene");
        }
    }

    fn rest_world_matrices(&self, job: &Job<'_>) -> Vec<DMat4> {
        let mut world_matrices = vec![DMat4::IDENTITY; job.clip.nodes.len()];
        for &id in job.clip.nodes.parents_first() {
            let local = self.root.nodes[id.index()].matrix();
            let parent = job.clip.nodes[id].parent.map(|parent| world_matrices[parent.index()]);
            world_matrices[id.index()] = parent.map_or(local, |parent| parent * local);
        }
        world_matrices
    }

    pub(super) fn add_node(&mut self, node: Node, parent: Option<usize>) -> usize {
        let index = self.root.nodes.len();
        self.root.nodes.push(node);
        match parent {
            Some(parent) => self.root.nodes[parent].children.push(index),
            None => self.root.scenes[0].nodes.push(index),
        }
        index
    }

    pub(super) fn finish_animation(&mut self, report: &mut Report) {
        let animation = take(&mut self.animation);
        if animation.channels.is_empty() {
            report.info("nothing moves; the file has no animation");
        } else {
            self.root.animations.push(animation);
        }
    }

    /// Replaces the numbers of the JSON that are not finite, because JSON cannot represent them.
    /// Reports them and those of the binary chunk. Call this after everything is added.
    pub(super) fn replace_non_finite_numbers(&mut self, report: &mut Report) {
        fn replace<const N: usize>(vector: &mut Option<[f32; N]>) -> usize {
            let count = vector.iter().flatten().filter(|number| !number.is_finite()).count();
            if count > 0 {
                *vector = None;
            }
            count
        }
        let mut count = self.chunk.non_finite_count;
        for node in &mut self.root.nodes {
            count += replace(&mut node.translation);
            count += replace(&mut node.rotation);
            count += replace(&mut node.scale);
        }
        let weights = self.root.meshes.iter_mut().flat_map(|mesh| &mut mesh.weights);
        for weight in weights.filter(|weight| !weight.is_finite()) {
            *weight = 0.0;
            count += 1;
        }
        if count > 0 {
            report.warning(format!(
                "{} not finite, which glTF does not allow; written as 0, or as no transform",
                format_count(count, "number")
            ));
        }
    }

    pub(super) fn write(self, out: &mut dyn Write) -> Result<(), ExportError> {
        let Self { mut root, mut chunk, .. } = self;
        (root.buffer_views, root.accessors) = (take(&mut chunk.views), take(&mut chunk.accessors));
        if chunk.len() > 0 {
            root.buffers.push(Buffer { byte_length: chunk.len() });
        }
        let mut json = serde_json::to_vec(&root).map_err(std::io::Error::from)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        chunk.align();
        let binary_size = if chunk.len() > 0 { 8 + chunk.len() } else { 0 };
        let length = 12 + 8 + json.len() + binary_size;
        let length = u32::try_from(length).map_err(|_| {
            let size = format_count(length, "byte");
            ExportError::LimitExceeded(format!(
                "{size} do not fit a GLB, which is smaller than 4 GiB; not exported"
            ))
        })?;
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        // The casts lose nothing, because the length of the whole file fits u32.
        out.write_all(&(json.len() as u32).to_le_bytes())?;
        out.write_all(b"JSON")?;
        out.write_all(&json)?;
        if chunk.len() > 0 {
            out.write_all(&(chunk.len() as u32).to_le_bytes())?;
            out.write_all(b"BIN\0")?;
            chunk.write_to(out)?;
        }
        Ok(())
    }
}

/// What one node adds to the file: its transform, its channels and their keys. Threads build these
/// parts independently.
struct NodeAnimation {
    transform: Transform,
    is_hidden: bool,
    animation: Animation,
    chunk: Chunk,
    precision: PositionPrecision,
}

impl NodeAnimation {
    fn new(job: &Job<'_>, id: NodeId, mut motion: NodeMotion, origin: DVec3) -> Self {
        let node = &job.clip.nodes[id];
        let local_origin = if node.parent.is_none() { origin } else { DVec3::ZERO };
        if local_origin != DVec3::ZERO {
            motion.translation = motion.translation.map(|point| point - local_origin);
        }
        let mut precision = PositionPrecision::default();
        motion.translation.keys().iter().for_each(|key| precision.record_position(key.value));
        let mut rest = job.clip.convention.viewer_from_source().convert_transform(&node.rest);
        rest.translation -= local_origin;
        let has_chosen_rest = job.motion.rest != RestPose::File;
        let transform = match (has_chosen_rest, job.clip.has_rest_pose()) {
            (true, _) => rest,
            (false, true) => motion.rest_unless_constant(rest),
            (false, false) => motion.first_transform(),
        };
        let is_hidden = node.motion.visibility != NodeVisibility::Never && motion.is_never_shown();
        let (animation, chunk) = Default::default();
        let mut built = Self { transform, is_hidden, animation, chunk, precision };
        built.add_channels(id.index(), &motion, job.from);
        if has_chosen_rest {
            built.hold_constants(id.index(), &motion, &rest, job.to - job.from);
        }
        built
    }

    /// Adds channels for the constant parts of a motion that differ from the rest pose. Without a
    /// chosen rest pose, the node has these values instead.
    fn hold_constants(
        &mut self,
        node: usize,
        motion: &NodeMotion,
        rest: &Transform,
        duration: f64,
    ) {
        const EPSILON: f64 = 1e-9;
        let (chunk, animation) = (&mut self.chunk, &mut self.animation);
        let first = motion.first_transform();
        if motion.translation.is_constant()
            && first.translation.distance(rest.translation) > EPSILON
        {
            let value = to_f32_clamped(first.translation);
            animation.hold_value(node, "translation", value, duration, chunk);
        }
        if motion.rotation.is_constant()
            && Interpolate::distance(first.rotation, rest.rotation) > EPSILON
        {
            let value = first.rotation.as_quat().to_array();
            animation.hold_value(node, "rotation", value, duration, chunk);
        }
        let has_constant_scale = motion.scale.is_constant() && motion.shown.is_constant();
        if has_constant_scale && !self.is_hidden && first.scale.distance(rest.scale) > EPSILON {
            animation.hold_value(node, "scale", to_f32_clamped(first.scale), duration, chunk);
        }
    }

    fn add_channels(&mut self, node: usize, motion: &NodeMotion, from: f64) {
        let (chunk, animation) = (&mut self.chunk, &mut self.animation);
        animation.add_translation(node, &motion.translation, from, chunk);
        animation.add_rotation(node, &motion.rotation, from, chunk);
        match motion.is_never_shown() {
            false => {
                let steps = TimeSteps::single_precision(from);
                let scale = motion.scale.zero_while_hidden(&motion.shown, steps);
                animation.add_scale(node, &scale, from, chunk);
            }
            // Add no track, because the scale of a hidden node is always 0.
            true if self.is_hidden => {}
            true => animation.add_scale(node, &motion.scale, from, chunk),
        }
    }
}

impl Node {
    pub(super) fn set_transform(&mut self, transform: &Transform) {
        let Transform { translation, rotation, scale } = transform;
        let translation = to_f32_clamped(*translation);
        // Normalise as f64, because the SIMD code and the scalar code (in browsers) for f32 give
        // different results.
        let rotation = rotation.normalize().as_quat().to_array();
        let scale = to_f32_clamped(*scale);
        self.translation = (translation != [0.0; 3]).then_some(translation);
        self.rotation = (rotation != [0.0, 0.0, 0.0, 1.0]).then_some(rotation);
        self.scale = (scale != [1.0; 3]).then_some(scale);
    }

    fn matrix(&self) -> DMat4 {
        let vector = |numbers: [f32; 3]| DVec3::from_array(numbers.map(f64::from));
        let rotation = self.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]).map(f64::from);
        DMat4::from_scale_rotation_translation(
            vector(self.scale.unwrap_or([1.0; 3])),
            glam::DQuat::from_array(rotation).normalize(),
            vector(self.translation.unwrap_or_default()),
        )
    }
}
