//! Converts an animation to a clip.

use gltf_json::{
    Node as FileNode,
    animation::{Animation, Channel, Property},
    mesh::Mesh,
    validation::Checked,
};

use super::{
    animations::AnimationChoice,
    channels::{OutputType, SamplerCurves, Samplers},
};
use crate::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, FormatId, MORPH_WEIGHT_PREFIX, Motion,
        Node, NodeId, NodeKind, NodeVisibility, Nodes, Owner, ScalarCurve, Signal, SignalKind,
        Span, Track, TrackId, TypedCurve, Unit, ValueType,
    },
    diagnostics::{Diagnostic, Diagnostics, SourceLocation, Topic, format_count},
    skeleton_file::{
        SkeletonNode,
        gltf::{Buffers, Document, PartError, codes, convert_nodes, target_count, target_names},
    },
};

/// The type of rotations. The glTF standard requires interpolation along the shorter arc.
const ROTATION: ValueType = ValueType {
    name: "quaternion",
    element: Element::Number,
    form: Form::Quaternion { authored_blend: Blend::ShortSlerp },
};

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

pub(super) fn convert(
    document: &Document<'_>,
    choice: AnimationChoice<'_>,
    buffers: &Buffers<'_>,
    diagnostics: &mut Diagnostics,
) -> Clip {
    let root = &document.root;
    let skeleton_nodes = convert_nodes(root, diagnostics);
    let mut builder = Builder {
        document,
        skeleton_nodes: &skeleton_nodes,
        node_tracks: vec![NodeTracks::default(); skeleton_nodes.len()],
        tracks: Vec::new(),
        signals: Vec::new(),
        diagnostics,
    };
    if let Some((index, animation)) = choice.animation {
        builder.add_animation(index, animation, &mut Samplers::new(buffers));
    }
    let Builder { node_tracks, tracks, signals, diagnostics, .. } = builder;
    let nodes = node_tracks
        .iter()
        .enumerate()
        .map(|(index, node_tracks)| node_tracks.to_node(&skeleton_nodes, index))
        .collect();
    let moving = node_tracks.iter().filter(|node_tracks| node_tracks.is_moved()).count();
    Clip {
        name: choice.animation.and_then(|(_, one)| one.name.clone()).unwrap_or_default(),
        version: root.asset.version.clone(),
        variants: choice.variants,
        subject: format_subject(&skeleton_nodes, moving, signals.len()),
        span: tracks_span(&tracks),
        nodes: Nodes::new(nodes, diagnostics),
        tracks,
        signals,
        ..Clip::new(FormatId::GLTF, Convention::gltf())
    }
}

/// Returns the duration of each animation in seconds. All animations together share the limit that
/// a single animation would have, so that listing them is fast. Once an animation exceeds the
/// limit, its duration and those of all later animations are `None`. Only small files that use the
/// same data many times exceed the limit.
pub(super) fn durations(document: &Document<'_>, buffers: &Buffers<'_>) -> Vec<Option<f64>> {
    let root = &document.root;
    let (mut diagnostics, mut samplers) = (Diagnostics::new(), Samplers::new(buffers));
    let skeleton_nodes = convert_nodes(root, &mut diagnostics);
    let mut duration = |(index, animation): (usize, &Animation)| {
        let mut builder = Builder {
            document,
            skeleton_nodes: &skeleton_nodes,
            node_tracks: vec![NodeTracks::default(); skeleton_nodes.len()],
            tracks: Vec::new(),
            signals: Vec::new(),
            diagnostics: &mut diagnostics,
        };
        builder.add_animation(index, animation, &mut samplers);
        (!samplers.exceeded_limit).then(|| tracks_span(&builder.tracks).duration)
    };
    root.animations.iter().enumerate().map(&mut duration).collect()
}

fn tracks_span(tracks: &[Track]) -> Span {
    let ends = tracks.iter().filter_map(|track| track.curve.times().first_and_last());
    let (start, end) =
        ends.fold((0.0, 0.0), |(start, end), (first, last)| (first.min(start), last.max(end)));
    Span { start, duration: end - start }
}

fn format_subject(skeleton_nodes: &[SkeletonNode], moving: usize, weights: usize) -> String {
    let joints = skeleton_nodes.iter().filter(|node| node.kind == NodeKind::Joint).count();
    let mut text = format_count(joints, "joint");
    if moving != joints {
        text += &format!(", {moving} moving");
    }
    if weights > 0 {
        text += &format!("; {}", format_count(weights, "morph weight"));
    }
    text
}

#[derive(Clone, Copy, Debug, Default)]
struct NodeTracks {
    translation: Option<TrackId>,
    rotation: Option<TrackId>,
    scale: Option<TrackId>,
    has_weights: bool,
}

impl NodeTracks {
    fn is_moved(&self) -> bool {
        self.translation.or(self.rotation).or(self.scale).is_some()
    }

    fn to_node(self, skeleton_nodes: &[SkeletonNode], index: usize) -> Node {
        let motion = Motion::from_tracks(
            self.translation,
            self.rotation,
            self.scale,
            NodeVisibility::Always,
        );
        let node = skeleton_nodes[index].to_node(motion);
        // Animated nodes become joints so that they are visible, whatever kind of node they were.
        Node { kind: if self.is_moved() { NodeKind::Joint } else { node.kind }, ..node }
    }
}

struct Builder<'a> {
    document: &'a Document<'a>,
    skeleton_nodes: &'a [SkeletonNode],
    node_tracks: Vec<NodeTracks>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    diagnostics: &'a mut Diagnostics,
}

impl Builder<'_> {
    fn add_animation(&mut self, index: usize, animation: &Animation, samplers: &mut Samplers<'_>) {
        for (number, channel) in animation.channels.iter().enumerate() {
            if self.document.skipped_channels.contains(&(index, number)) {
                continue;
            }
            let path = format!("animations[{index}].channels[{number}]");
            if let Err(error) = self.add_channel(&path, channel, animation, samplers) {
                let message = format!("{path}: {error}; skipped");
                self.diagnostics.error(error.code, SourceLocation::File, message);
            }
        }
    }

    fn add_channel(
        &mut self,
        path: &str,
        channel: &Channel,
        animation: &Animation,
        samplers: &mut Samplers<'_>,
    ) -> Result<(), PartError> {
        let missing = |what: &str, index: usize| {
            PartError::new(codes::MISSING_REFERENCE, format!("there is no {what} {index}"))
        };
        let node = channel.target.node.value();
        let file_node = self.document.root.nodes.get(node).ok_or_else(|| missing("node", node))?;
        let sampler = channel.sampler.value();
        let sampler = animation.samplers.get(sampler).ok_or_else(|| missing("sampler", sampler))?;
        let Checked::Valid(property) = channel.target.path else {
            return Err(PartError::new(codes::INVALID_CHANNEL, "unknown target path"));
        };
        let output = match property {
            Property::Translation | Property::Scale => OutputType::Vec3,
            Property::Rotation => OutputType::Vec4,
            Property::MorphTargetWeights => {
                OutputType::Scalars(self.morph_target_count(file_node)?)
            }
        };
        let curves = samplers.sampler_curves(sampler, output);
        let problems = samplers.problems.drain(..).map(|problem| Diagnostic {
            message: format!("{path}: {}", problem.message),
            ..problem
        });
        self.diagnostics.extend(problems);
        let curves = curves?;
        self.report_problems(path, &curves);
        if file_node.matrix.is_some() && property != Property::MorphTargetWeights {
            let message = format!(
                "{path}: nodes[{node}] has a matrix, which glTF does not allow to be animated; using its translation, rotation and scale"
            );
            self.diagnostics.warning(codes::ANIMATED_MATRIX, SourceLocation::File, message);
        }
        match property {
            Property::MorphTargetWeights => self.add_weights(path, node, file_node, curves),
            _ => self.add_transform(path, node, property, curves),
        }
        Ok(())
    }

    fn report_problems(&mut self, path: &str, curves: &SamplerCurves) {
        for lost in &curves.losses {
            let message = format!("{path}: {lost}");
            self.diagnostics.error(lost.code, SourceLocation::File, message);
        }
        let location = &curves.source.location;
        if curves.was_unsorted {
            let message = format!("{path}: keys are not in the order of time; sorted");
            self.diagnostics.warning(Topic::Unsorted.code(), location.clone(), message);
        }
        if let Some(time) = curves.non_finite {
            let message = format!("{path}: a non-finite value");
            self.diagnostics
                .warning(Topic::NonFinite.code(), location.clone(), message)
                .at_time(time);
        }
    }

    fn add_transform(
        &mut self,
        path: &str,
        node: usize,
        property: Property,
        curves: SamplerCurves,
    ) {
        let track = TrackId::new(self.tracks.len());
        let node_tracks = &mut self.node_tracks[node];
        let (slot, name, value_type, unit) = match property {
            Property::Rotation => (&mut node_tracks.rotation, "rotation", ROTATION, Unit::None),
            Property::Scale => (&mut node_tracks.scale, "scale", VECTOR, Unit::None),
            _ => (&mut node_tracks.translation, "translation", VECTOR, Unit::Metres),
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
            self.report_repeated_channel(path, node, name);
        }
    }

    fn report_repeated_channel(&mut self, path: &str, node: usize, what: &str) {
        let name = &self.skeleton_nodes[node].name;
        let message = format!(
            "{path}: another channel already animates the {what} of {name:?}; using the first channel"
        );
        self.diagnostics.warning(codes::REPEATED_CHANNEL, SourceLocation::File, message);
    }

    fn add_weights(
        &mut self,
        path: &str,
        node: usize,
        file_node: &FileNode,
        curves: SamplerCurves,
    ) {
        if std::mem::replace(&mut self.node_tracks[node].has_weights, true) {
            return self.report_repeated_channel(path, node, "morph weights");
        }
        let Ok(mesh) = self.weighted_mesh(file_node) else { return };
        let names = target_names(mesh, curves.components.len());
        for (curve, name) in curves.components.into_iter().zip(names) {
            self.add_weight(node, name, curve, &curves.source);
        }
    }

    fn add_weight(
        &mut self,
        node: usize,
        name: String,
        curve: ScalarCurve,
        source: &crate::clip::TrackLocation,
    ) {
        let track = TrackId::new(self.tracks.len());
        let property = format!("{MORPH_WEIGHT_PREFIX}{name}");
        let signal = format!("{}.{property}", self.skeleton_nodes[node].name);
        self.signals.push(Signal { name: signal, track, kind: SignalKind::Attribute });
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(node)),
            property,
            curve: AnyCurve::Number(curve),
            unit: Unit::None,
            source: source.clone(),
        });
    }

    fn weighted_mesh(&self, node: &FileNode) -> Result<&Mesh, PartError> {
        let mesh = node.mesh.and_then(|mesh| self.document.root.get(mesh));
        mesh.ok_or_else(|| {
            PartError::new(codes::INVALID_CHANNEL, "morph weights of a node without a mesh")
        })
    }

    fn morph_target_count(&self, node: &FileNode) -> Result<usize, PartError> {
        match target_count(self.weighted_mesh(node)?) {
            0 => {
                let message = "morph weights of a mesh without targets";
                Err(PartError::new(codes::INVALID_CHANNEL, message))
            }
            count => Ok(count),
        }
    }
}
