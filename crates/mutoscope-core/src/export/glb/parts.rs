//! The parts of a file, from its nodes to its bytes.

use std::io::Write;

use glam::{DMat4, DVec3};

use super::{
    animation::single,
    bones,
    buffer::Chunk,
    facts,
    json::{Animation, Asset, Buffer, Node, Root, Scene},
};
use crate::{
    clip::{NodeId, Piece, Shown, Transform},
    export::{
        ExportError, Job, Report, motions::Motions, node_motion::NodeMotion, origin::Precision,
        report::counted, watch::Watch,
    },
};

/// The colour of bones.
const BONE: [f32; 4] = [0.55, 0.6, 0.7, 1.0];

/// The parts of the file.
pub(super) struct Parts {
    pub(super) root: Root,
    pub(super) chunk: Chunk,
    /// The skins that are there already.
    pub(super) skins: Vec<crate::clip::Skin>,
    /// For each node of the recording whether it is hidden from the start of the range to its end.
    hidden: Vec<bool>,
    /// How nodes move.
    pub(super) animation: Animation,
    /// How coarse positions are.
    pub(super) precision: Precision,
}

impl Parts {
    pub(super) fn new(job: &Job<'_>, origin: DVec3) -> Self {
        let clip = job.clip;
        let mut nodes: Vec<_> = clip
            .nodes
            .iter()
            .map(|node| Node {
                name: node.name.clone(),
                extras: (node.motion.shown == Shown::Never).then(facts::never_shown),
                ..Node::default()
            })
            .collect();
        let all = nodes.len();
        let mut holder = Node {
            name: if job.title.is_empty() { "recording" } else { job.title }.to_owned(),
            translation: (origin != DVec3::ZERO).then(|| origin.as_vec3().to_array()),
            extras: Some(facts::of(job)),
            ..Node::default()
        };
        for (id, node) in clip.nodes.with_ids() {
            match node.parent {
                Some(parent) => nodes[parent.index()].children.push(id.index()),
                None => holder.children.push(id.index()),
            }
        }
        nodes.push(holder);
        let root = Root {
            asset: Asset {
                version: "2.0",
                generator: format!("Mutoscope {}", env!("CARGO_PKG_VERSION")),
            },
            scenes: vec![Scene { name: job.title.to_owned(), nodes: vec![all] }],
            nodes,
            ..Root::default()
        };
        Self {
            root,
            chunk: Chunk::default(),
            skins: Vec::new(),
            hidden: Vec::new(),
            animation: Animation {
                name: job.title.to_owned(),
                channels: Vec::new(),
                samplers: Vec::new(),
                extras: facts::of_animation(job),
            },
            precision: Precision::default(),
        }
    }

    /// Puts every node where it rests, and makes it move.
    pub(super) fn animate(
        &mut self,
        job: &Job<'_>,
        motions: &mut Motions<'_>,
        origin: DVec3,
        watch: &mut Watch<'_>,
    ) -> Result<(), ExportError> {
        let clip = job.clip;
        let has_rest_pose = clip.has_rest_pose();
        let viewer_from_source = clip.convention.viewer_from_source();
        for (id, node) in clip.nodes.with_ids() {
            watch.at(id.index(), clip.nodes.len())?;
            let mut motion = motions.of(id, watch)?;
            let off = if node.parent.is_none() { origin } else { DVec3::ZERO };
            if off != DVec3::ZERO {
                motion.translation = motion.translation.map(|point| point - off);
            }
            motion.translation.keys().iter().for_each(|key| self.precision.note(key.value));
            let mut rests = motion.first();
            if has_rest_pose {
                let rest = viewer_from_source.transform(&node.rest);
                rests = motion.at_rest_unless_still(rest, rests, off);
            }
            self.root.nodes[id.index()].stand(&rests);
            self.hidden.push(node.motion.shown != Shown::Never && motion.is_never_shown());
            self.move_node(id, &motion, job.from);
        }
        Ok(())
    }

    fn move_node(&mut self, id: NodeId, motion: &NodeMotion, from: f64) {
        let (node, chunk, animation) = (id.index(), &mut self.chunk, &mut self.animation);
        animation.translate(node, &motion.translation, from, chunk);
        animation.rotate(node, &motion.rotation, from, chunk);
        match motion.is_never_shown() {
            false => animation.scale(node, &motion.scale.hidden_unless(&motion.shown), from, chunk),
            // Its size is 0 throughout.
            true if self.hidden[node] => {}
            true => animation.scale(node, &motion.scale, from, chunk),
        }
    }

    /// Sets the scale of nodes that are hidden throughout to 0; to be called after all that needs
    /// their transforms.
    pub(super) fn hide(&mut self) {
        for (node, _) in self.root.nodes.iter_mut().zip(&self.hidden).filter(|(_, hidden)| **hidden)
        {
            node.scale = Some([0.0; 3]);
            node.extras = Some(facts::never_shown());
        }
    }

    /// Whether a node of the recording is hidden from the start of the range to its end.
    pub(super) fn is_hidden(&self, node: NodeId) -> bool {
        self.hidden[node.index()]
    }

    pub(super) fn show_bones(&mut self, job: &Job<'_>, report: &mut Report) {
        let worlds = self.worlds(job);
        let bone = Piece { color: BONE, ..Piece::of_node(0) };
        let material = self.material_of(&bone, None);
        match bones::bones(job.clip, &worlds, &self.hidden, material, &mut self.chunk) {
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

    /// The rest transforms of the nodes, below the one that holds them all.
    fn worlds(&self, job: &Job<'_>) -> Vec<DMat4> {
        let mut worlds = vec![DMat4::IDENTITY; job.clip.nodes.len()];
        for &id in job.clip.nodes.parents_first() {
            let local = self.root.nodes[id.index()].matrix();
            let parent = job.clip.nodes[id].parent.map(|parent| worlds[parent.index()]);
            worlds[id.index()] = parent.map_or(local, |parent| parent * local);
        }
        worlds
    }

    /// A node of its own that the recording does not have, which is a child of another, or of none but
    /// the scene.
    pub(super) fn add_node(&mut self, node: Node, parent: Option<usize>) -> usize {
        let index = self.root.nodes.len();
        self.root.nodes.push(node);
        match parent {
            Some(parent) => self.root.nodes[parent].children.push(index),
            None => self.root.scenes[0].nodes.push(index),
        }
        index
    }

    /// Puts what moves into the file.
    pub(super) fn end_animation(&mut self, report: &mut Report) {
        let none = Animation {
            name: String::new(),
            channels: Vec::new(),
            samplers: Vec::new(),
            extras: None,
        };
        let animation = std::mem::replace(&mut self.animation, none);
        if animation.channels.is_empty() {
            report.info("nothing moves; the file has no animation");
        } else {
            self.root.animations.push(animation);
        }
    }

    pub(super) fn write(self, out: &mut dyn Write) -> Result<(), ExportError> {
        let Self { mut root, chunk: Chunk { mut bytes, views, accessors, .. }, .. } = self;
        (root.buffer_views, root.accessors) = (views, accessors);
        if !bytes.is_empty() {
            root.buffers.push(Buffer { byte_length: bytes.len() });
        }
        let mut json = serde_json::to_vec(&root).map_err(std::io::Error::from)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let chunks = [(b"JSON", &json), (b"BIN\0", &bytes)];
        let there = || chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
        let length = 12 + there().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
        let length = u32::try_from(length).map_err(|_| {
            let size = counted(length, "byte");
            ExportError::TooMuch(format!("{size}: a GLB has less than 4 GiB"))
        })?;
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        for (kind, bytes) in there() {
            // Each is a part of what fits.
            out.write_all(&(bytes.len() as u32).to_le_bytes())?;
            out.write_all(*kind)?;
            out.write_all(bytes)?;
        }
        Ok(())
    }
}

impl NodeMotion {
    /// The rest transform of an animated node: its skeleton's, moved by −`off`. Channels that never
    /// change keep their constant value instead.
    fn at_rest_unless_still(&self, rest: Transform, first: Transform, off: DVec3) -> Transform {
        Transform {
            translation: if self.translation.is_still() {
                first.translation
            } else {
                rest.translation - off
            },
            rotation: if self.rotation.is_still() { first.rotation } else { rest.rotation },
            scale: if self.scale.is_still() { first.scale } else { rest.scale },
        }
    }
}

impl Node {
    pub(super) fn stand(&mut self, at: &Transform) {
        let Transform { translation, rotation, scale } = at;
        let translation = single(*translation);
        // In single precision it is not normalised alike with SIMD and without, as in a browser.
        let rotation = rotation.normalize().as_quat().to_array();
        let scale = single(*scale);
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
