//! From an animation to a clip.

use gltf_json::{
    Node as FileNode, Root,
    animation::{Animation, Channel, Property},
    mesh::Mesh,
    validation::Checked,
};

use super::{
    animations::Choice,
    channels::{Curves, Output, Samplers},
};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, MORPH_WEIGHTS, Motion, Node,
        NodeId, NodeKind, Nodes, Owner, ScalarCurve, Shown, Signal, SignalKind, Span, Track,
        TrackId, TypedCurve, Unit, ValueType,
    },
    diagnostics::{Notices, SourceLocation, Topic},
    rig::{
        RigNode,
        gltf::{Buffers, nodes, target_count, target_names},
    },
};

/// The standard interpolates the short way.
const ROTATION: ValueType = ValueType {
    name: "quaternion",
    element: Element::Number,
    form: Form::Quaternion { faithful: Blend::ShortSlerp },
};

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

/// Makes the clip, without its meshes. Issues in the file go to `notices`.
pub(super) fn convert(
    root: &Root,
    choice: Choice<'_>,
    buffers: &Buffers<'_>,
    notices: &mut Notices,
) -> Clip {
    let rig = nodes(root, notices);
    let mut builder = Builder {
        root,
        rig: &rig,
        moved: vec![Moved::default(); rig.len()],
        tracks: Vec::new(),
        signals: Vec::new(),
        notices,
    };
    if let Some((index, animation)) = choice.animation {
        builder.animation(index, animation, &mut Samplers::new(buffers));
    }
    let Builder { moved, tracks, signals, notices, .. } = builder;
    let nodes = moved.iter().enumerate().map(|(index, moved)| moved.node(&rig, index)).collect();
    let moving = moved.iter().filter(|moved| moved.is_moved()).count();
    Clip {
        name: choice.animation.and_then(|(_, one)| one.name.clone()).unwrap_or_default(),
        version: root.asset.version.clone(),
        variants: choice.variants,
        subject: subject(&rig, moving, signals.len()),
        span: span(&tracks),
        nodes: Nodes::new(nodes, notices),
        tracks,
        signals,
        ..Clip::new(FormatId::GLTF, Convention::gltf())
    }
}

/// The duration of each animation, in seconds. All together read no more than one may: nothing for those
/// of a small file that claims more.
pub(super) fn durations(root: &Root, buffers: &Buffers<'_>) -> Vec<Option<f64>> {
    let (mut notices, mut samplers) = (Notices::new(), Samplers::new(buffers));
    let rig = nodes(root, &mut notices);
    let mut duration = |(index, animation): (usize, &Animation)| {
        let mut builder = Builder {
            root,
            rig: &rig,
            moved: vec![Moved::default(); rig.len()],
            tracks: Vec::new(),
            signals: Vec::new(),
            notices: &mut notices,
        };
        builder.animation(index, animation, &mut samplers);
        (!samplers.has_refused).then(|| span(&builder.tracks).duration)
    };
    root.animations.iter().enumerate().map(&mut duration).collect()
}

/// From 0 to the last key.
fn span(tracks: &[Track]) -> Span {
    let ends = tracks.iter().filter_map(|track| track.curve.times().ends());
    let (start, end) =
        ends.fold((0.0, 0.0), |(start, end), (first, last)| (first.min(start), last.max(end)));
    Span { start, duration: end - start }
}

/// The subject in a few words: `17 joints, 12 moving; 2 morph weights`.
fn subject(rig: &[RigNode], moving: usize, weights: usize) -> String {
    let counted =
        |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let joints = rig.iter().filter(|node| node.kind == NodeKind::Joint).count();
    let mut text = counted(joints, "joint");
    if moving != joints {
        text += &format!(", {moving} moving");
    }
    if weights > 0 {
        text += &format!("; {}", counted(weights, "morph weight"));
    }
    text
}

/// The channels of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    translation: Option<TrackId>,
    rotation: Option<TrackId>,
    scale: Option<TrackId>,
    has_weights: bool,
}

impl Moved {
    fn is_moved(&self) -> bool {
        self.translation.or(self.rotation).or(self.scale).is_some()
    }

    fn node(&self, rig: &[RigNode], index: usize) -> Node {
        let motion = Motion::of_tracks(self.translation, self.rotation, self.scale, Shown::Always);
        let node = rig[index].node(motion);
        // Animated nodes are visible, whatever their kind.
        Node { kind: if self.is_moved() { NodeKind::Joint } else { node.kind }, ..node }
    }
}

struct Builder<'a> {
    root: &'a Root,
    rig: &'a [RigNode],
    moved: Vec<Moved>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    notices: &'a mut Notices,
}

impl Builder<'_> {
    fn animation(&mut self, index: usize, animation: &Animation, samplers: &mut Samplers<'_>) {
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("animations[{index}].channels[{number}]");
            if let Err(why) = self.channel(&path, channel, animation, samplers) {
                self.notices.error(SourceLocation::File, format!("{path}: {why}; skipped"));
            }
        }
    }

    fn channel(
        &mut self,
        path: &str,
        channel: &Channel,
        animation: &Animation,
        samplers: &mut Samplers<'_>,
    ) -> Result<(), String> {
        let node = channel.target.node.value();
        let file_node =
            self.root.nodes.get(node).ok_or_else(|| format!("there is no node {node}"))?;
        let sampler = animation.samplers.get(channel.sampler.value());
        let sampler =
            sampler.ok_or_else(|| format!("there is no sampler {}", channel.sampler.value()))?;
        let Checked::Valid(property) = channel.target.path else {
            return Err("its path is not one of glTF 2.0".to_owned());
        };
        let output = match property {
            Property::Translation | Property::Scale => Output::Vec3,
            Property::Rotation => Output::Vec4,
            Property::MorphTargetWeights => Output::Scalars(self.target_count(file_node)?),
        };
        let curves = samplers.curves(sampler, output)?;
        self.report(path, &curves);
        if file_node.matrix.is_some() && property != Property::MorphTargetWeights {
            let message = format!(
                "{path}: nodes[{node}] has a matrix, which may not be animated; using its parts"
            );
            self.notices.warning(SourceLocation::File, message);
        }
        match property {
            Property::MorphTargetWeights => self.weights(path, node, file_node, curves),
            _ => self.transform(path, node, property, curves),
        }
        Ok(())
    }

    fn report(&mut self, path: &str, curves: &Curves) {
        for lost in &curves.lost {
            self.notices.error(SourceLocation::File, format!("{path}: {lost}"));
        }
        let place = &curves.source.place;
        if curves.is_sorted {
            let message = format!("{path}: keys are not in the order of time; sorted");
            self.notices.warning_about(Topic::Unsorted, place.clone(), None, message);
        }
        if let Some(time) = curves.non_finite {
            let message = format!("{path}: a non-finite value");
            self.notices.warning_about(Topic::NonFinite, place.clone(), Some(time), message);
        }
    }

    /// Adds a track that moves a node.
    fn transform(&mut self, path: &str, node: usize, property: Property, curves: Curves) {
        let track = TrackId::new(self.tracks.len());
        let moved = &mut self.moved[node];
        let (slot, name, value_type, unit) = match property {
            Property::Rotation => (&mut moved.rotation, "rotation", ROTATION, Unit::None),
            Property::Scale => (&mut moved.scale, "scale", VECTOR, Unit::None),
            _ => (&mut moved.translation, "translation", VECTOR, Unit::Metres),
        };
        let is_first = slot.is_none();
        slot.get_or_insert(track);
        let curve = TypedCurve::new(value_type, curves.components);
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(node)),
            property: name.to_owned(),
            curve: AnyCurve::Typed(Box::new(curve)),
            unit,
            source: curves.source,
        });
        if !is_first {
            self.repeated(path, node, name);
        }
    }

    fn repeated(&mut self, path: &str, node: usize, what: &str) {
        let name = &self.rig[node].name;
        let message =
            format!("{path}: the {what} of {name:?} is animated already; using the first channel");
        self.notices.warning(SourceLocation::File, message);
    }

    /// Adds a track for each weight, which are signals.
    fn weights(&mut self, path: &str, node: usize, file_node: &FileNode, curves: Curves) {
        if std::mem::replace(&mut self.moved[node].has_weights, true) {
            return self.repeated(path, node, "morph weights");
        }
        let Ok(mesh) = self.mesh(file_node) else { return };
        let names = target_names(mesh, curves.components.len());
        for (curve, name) in curves.components.into_iter().zip(names) {
            self.weight(node, name, curve, &curves.source);
        }
    }

    fn weight(
        &mut self,
        node: usize,
        name: String,
        curve: ScalarCurve,
        source: &crate::clip::Provenance,
    ) {
        let track = TrackId::new(self.tracks.len());
        let property = format!("{MORPH_WEIGHTS}{name}");
        let signal = format!("{}.{property}", self.rig[node].name);
        self.signals.push(Signal { name: signal, track, kind: SignalKind::Attribute });
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(node)),
            property,
            curve: AnyCurve::Number(curve),
            unit: Unit::None,
            source: source.clone(),
        });
    }

    /// The mesh of a node whose weights are animated.
    fn mesh(&self, node: &FileNode) -> Result<&Mesh, String> {
        let mesh = node.mesh.and_then(|mesh| self.root.get(mesh));
        mesh.ok_or_else(|| "morph weights of a node without a mesh".to_owned())
    }

    /// How many morph targets the mesh of a node has.
    fn target_count(&self, node: &FileNode) -> Result<usize, String> {
        match target_count(self.mesh(node)?) {
            0 => Err("morph weights of a mesh without targets".to_owned()),
            count => Ok(count),
        }
    }
}
