//! Converts an FBX take to a clip.

use std::sync::Arc;

use mutoscope_core::{
    clip::{
        AnyCurve, Blend, Clip, Element, Form, KeyTimes, MORPH_WEIGHT_PREFIX, Motion, Node, NodeId,
        NodeKind, NodeVisibility, Nodes, Owner, ScalarCurve, Shapes, Signal, SignalKind, Skeleton,
        Span, Track, TrackId, TrackLocation, Transform, TypedCurve, Unit, ValueType,
    },
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    formats::{NamedAnimation, ReadOptions, SourceFile},
    io::{
        bytes::Sidecars,
        parallel::map_continued,
        progress::{Cancelled, Progress},
    },
    skeleton_file::{self, Matching, SkeletonNode},
};
use ufbx::{Scene, SceneRoot};

use crate::{
    FORMAT_ID, blends, codes,
    keys::{KeySampler, KeyedTimes, Limits, Usage},
    meshes,
    nodes::{finite_or_default, node_at, non_root_nodes, owner, rest_nodes},
    scene::{Content, convention, load, report_problems, transform, version},
    takes::{self, take_span},
};

const ROTATION: ValueType = ValueType {
    name: "quaternion",
    element: Element::Number,
    form: Form::Quaternion { authored_blend: Blend::ShortSlerp },
};

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

pub(crate) fn decode(
    bytes: &[u8],
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let content = if options.given_skeleton().is_some() { Content::Motion } else { Content::All };
    let scene = load(bytes, content)?;
    report_problems(&scene, bytes, diagnostics);
    let rests = rest_nodes(&scene, diagnostics);
    if rests.is_empty() {
        return Err(Error::unsupported(
            SourceLocation::File,
            "expected nodes, found none in this FBX",
        ));
    }
    let (take, variants) = takes::choose_take(
        &scene,
        options.variant(mutoscope_core::clip::Variants::ANIMATION),
        diagnostics,
    )?;
    if let Some(take) = take {
        takes::report_range(&scene.anim_stacks[take], diagnostics);
    }
    let mut clip = convert_take(&scene, take, &rests, diagnostics);
    clip.variants = variants;
    Ok(match options.given_skeleton() {
        Some(skeleton) => skeleton_file::attach(clip, skeleton, Matching::ByName, diagnostics),
        None => {
            let mut convention = clip.convention.clone();
            options.assumptions_for(FORMAT_ID).apply(&mut convention);
            let model = meshes::read_model(
                &scene,
                bytes.len(),
                &convention.viewer_from_source(),
                file.sidecars,
                diagnostics,
            );
            clip.skeleton = Skeleton::WithModel(Arc::new(model));
            clip
        }
    })
}

pub(crate) fn list_animations(
    bytes: &[u8],
    _: &dyn Sidecars,
) -> Result<Vec<NamedAnimation>, Error> {
    let scene = load(bytes, Content::Motion)?;
    let names = takes::take_names(&scene).into_iter().zip(scene.anim_stacks.iter());
    Ok(names
        .map(|(name, stack)| NamedAnimation { name, duration: Some(take_span(stack).duration) })
        .collect())
}

fn convert_take(
    scene: &SceneRoot,
    take: Option<usize>,
    rests: &[SkeletonNode],
    diagnostics: &mut Diagnostics,
) -> Clip {
    let stack = take.map(|take| &scene.anim_stacks[take]);
    let span = stack.map(take_span).unwrap_or_default();
    let mut tracks = Vec::new();
    let mut nodes: Vec<Node> = Vec::with_capacity(rests.len());
    let mut moving = 0;
    let mut add_node = |sampled: SampledNode| {
        let index = nodes.len();
        let rest = &rests[index];
        let mut builder = MotionBuilder { owner: NodeId::new(index), tracks: &mut tracks };
        let visibility = builder.add_visibility(&sampled.visibility);
        // If nothing animates the node, but its pose differs from the bind pose, give the node one
        // key with this pose.
        let keys = sampled.keys.unwrap_or_else(|| {
            let local = finite_or_default(transform(&node_at(scene, index).local_transform));
            (!is_close(&local, &rest.rest)).then_some((span.start, local)).into_iter().collect()
        });
        let motion = Motion { visibility, ..builder.build_motion(&keys, &rest.rest) };
        moving += usize::from(motion.is_animated());
        nodes.push(rest.to_node(motion));
    };
    let mut signals = Vec::new();
    match take {
        Some(take) => {
            let keyed = KeyedTimes::from_take(&scene.anim_stacks[take], span);
            let nodes_usage = sample_nodes(scene, take, span, &keyed, rests.len(), add_node);
            let mut sampler = KeySampler {
                keyed: &keyed,
                anim: &scene.anim_stacks[take].anim,
                span,
                limits: keyed.limits.without(&nodes_usage),
                usage: Usage::default(),
            };
            signals = add_weights(scene, &mut sampler, &mut tracks);
            let mut usage = keyed.usage;
            usage.add(&nodes_usage);
            usage.add(&sampler.usage);
            usage.report_problems(diagnostics);
        }
        None => rests.iter().for_each(|_| add_node(SampledNode::default())),
    }
    report_separate_visibility(scene, &nodes, diagnostics);
    let joints = nodes.iter().filter(|node| node.kind == NodeKind::Joint).count();
    let rate = scene.settings.frames_per_second;
    let mut clip = Clip::new(FORMAT_ID, convention(scene));
    clip.name = stack.map(|stack| stack.element.name.to_string()).unwrap_or_default();
    clip.version = version(scene);
    clip.subject = format!("{joints} joints, {moving} moving");
    clip.span = span;
    clip.rate_hz = Some(rate).filter(|rate| rate.is_finite() && *rate > 0.0);
    clip.nodes = Nodes::new(nodes, diagnostics);
    clip.tracks = tracks;
    clip.signals = signals;
    clip
}

#[derive(Default)]
struct SampledNode {
    /// `None` if nothing animates the node.
    keys: Option<Vec<(f64, Transform)>>,
    visibility: Vec<(f64, bool)>,
    usage: Usage,
}

/// Samples the nodes on all threads, and passes each to `add_node` in order. Returns what this has
/// used.
///
/// A thread does not know what the nodes before its own will use, so it samples with the limits
/// that are known to be left. If they allow more than the actual limits, and the node used that, it
/// is sampled again.
fn sample_nodes(
    scene: &SceneRoot,
    take: usize,
    span: Span,
    keyed: &KeyedTimes,
    count: usize,
    mut add_node: impl FnMut(SampledNode),
) -> Usage {
    let sample = |index: usize, limits: Limits| {
        let anim = &scene.anim_stacks[take].anim;
        let node = node_at(scene, index);
        let mut sampler = KeySampler { keyed, anim, span, limits, usage: Usage::default() };
        let (keys, visibility) = (sampler.node_keys(node), sampler.visibility_keys(node));
        SampledNode { keys, visibility, usage: sampler.usage }
    };
    let work = |index: usize, limits: &Limits, _: &mut Progress<'_>| -> Result<_, Cancelled> {
        Ok(sample(index, *limits))
    };
    let mut usage = Usage::default();
    let add = |index: usize, node: SampledNode, guessed: &Limits, actual: &Limits| {
        let is_valid = guessed == actual || actual.allow(&node.usage);
        let node = if is_valid { node } else { sample(index, *actual) };
        usage.add(&node.usage);
        let left = actual.without(&node.usage);
        add_node(node);
        Ok(left)
    };
    map_continued(count, &mut Progress::default(), keyed.limits, work, add)
        .expect("nothing cancels this work");
    usage
}

/// Reports nodes that a hidden parent should not hide, because a hidden node of a clip always hides
/// its children.
fn report_separate_visibility(scene: &Scene, nodes: &[Node], diagnostics: &mut Diagnostics) {
    let mut hides = vec![false; nodes.len()];
    let mut separate = 0;
    for (index, (node, file_node)) in nodes.iter().zip(non_root_nodes(scene)).enumerate() {
        let with_parent = node.parent.is_some_and(|parent| hides[parent.index()]);
        hides[index] = with_parent || node.motion.visibility != NodeVisibility::Always;
        let inherits = ufbx::find_prop(&file_node.element.props, "Visibility Inheritance");
        separate += usize::from(with_parent && inherits.is_some_and(|prop| prop.value_int == 0));
    }
    if separate > 0 {
        let message = format!(
            "{} would stay visible while the parent is hidden; hidden with the parent",
            format_count(separate, "node")
        );
        diagnostics
            .warning(codes::VISIBILITY_NOT_INHERITED, SourceLocation::File, message)
            .with("count", separate);
    }
}

fn add_weights(
    scene: &Scene,
    sampler: &mut KeySampler<'_>,
    tracks: &mut Vec<Track>,
) -> Vec<Signal> {
    let mut signals = Vec::new();
    for (index, node) in non_root_nodes(scene).enumerate() {
        let Some(mesh) = &node.mesh else { continue };
        for shape in blends::shapes(mesh) {
            let weight_of_shape = |weight| shape.weight_at(weight);
            let keys = sampler.weight_keys(shape.channel, &weight_of_shape);
            let (times, weights): (Vec<f64>, Vec<f64>) = keys.into_iter().unzip();
            let Some(times) =
                KeyTimes::new(times).ok().filter(|times| !times.as_slice().is_empty())
            else {
                continue;
            };
            let property = format!("{MORPH_WEIGHT_PREFIX}{}", shape.name);
            let name = format!("{}.{property}", &*owner(node).element.name);
            let track = TrackId::new(tracks.len());
            signals.push(Signal { name, track, kind: SignalKind::Attribute });
            tracks.push(Track {
                owner: Owner::Node(NodeId::new(index)),
                property,
                curve: AnyCurve::Number(ScalarCurve::new(times, weights, Shapes::Linear)),
                unit: Unit::None,
                source: TrackLocation::for_track(SourceLocation::File),
            });
        }
    }
    signals
}

fn is_close(one: &Transform, other: &Transform) -> bool {
    const TOLERANCE: f64 = 1e-6;
    one.translation.abs_diff_eq(other.translation, TOLERANCE)
        && one.rotation.dot(other.rotation).abs() > 1.0 - TOLERANCE * TOLERANCE
        && one.scale.abs_diff_eq(other.scale, TOLERANCE)
}

struct MotionBuilder<'a> {
    owner: NodeId,
    tracks: &'a mut Vec<Track>,
}

impl MotionBuilder<'_> {
    fn build_motion(&mut self, keys: &[(f64, Transform)], rest: &Transform) -> Motion {
        let any_key = |test: &dyn Fn(&Transform) -> bool| keys.iter().any(|(_, key)| test(key));
        let is_moved = any_key(&|key| !key.translation.abs_diff_eq(rest.translation, 1e-9));
        let is_turned = any_key(&|key| key.rotation.dot(rest.rotation).abs() < 1.0 - 1e-15);
        let is_scaled = any_key(&|key| !key.scale.abs_diff_eq(rest.scale, 1e-9));
        let times = KeyTimes::new(keys.iter().map(|(time, _)| *time).collect::<Vec<_>>());
        let Ok(times) = times else { return Motion::default() };
        let column = |value: &dyn Fn(&Transform) -> f64| -> Vec<f64> {
            keys.iter().map(|(_, key)| value(key)).collect()
        };
        let translation = is_moved.then(|| {
            let columns = [0, 1, 2].map(|axis| column(&|key| key.translation[axis]));
            self.add_track("translation", VECTOR, Unit::Metres, &times, columns)
        });
        let rotation = is_turned.then(|| {
            let columns = [0, 1, 2, 3].map(|axis| column(&|key| key.rotation.to_array()[axis]));
            self.add_track("rotation", ROTATION, Unit::None, &times, columns)
        });
        let scale = is_scaled.then(|| {
            let columns = [0, 1, 2].map(|axis| column(&|key| key.scale[axis]));
            self.add_track("scale", VECTOR, Unit::None, &times, columns)
        });
        Motion::from_tracks(translation, rotation, scale, NodeVisibility::Always)
    }

    fn add_visibility(&mut self, steps: &[(f64, bool)]) -> NodeVisibility {
        let (times, values): (Vec<f64>, Vec<f64>) =
            steps.iter().map(|&(time, on)| (time, f64::from(u8::from(on)))).unzip();
        let Some(times) = KeyTimes::new(times).ok().filter(|times| !times.as_slice().is_empty())
        else {
            return NodeVisibility::Always;
        };
        let id = TrackId::new(self.tracks.len());
        self.tracks.push(Track {
            owner: Owner::Node(self.owner),
            property: "visibility".to_owned(),
            curve: AnyCurve::Switch(ScalarCurve::new(times, values, Shapes::Step)),
            unit: Unit::None,
            source: TrackLocation::for_track(SourceLocation::File),
        });
        NodeVisibility::While(id)
    }

    fn add_track<const N: usize>(
        &mut self,
        property: &str,
        value_type: ValueType,
        unit: Unit,
        times: &KeyTimes,
        columns: [Vec<f64>; N],
    ) -> TrackId {
        let id = TrackId::new(self.tracks.len());
        let curve = |values: Vec<f64>| ScalarCurve::new(times.clone(), values, Shapes::Linear);
        let curve = TypedCurve::new(value_type, columns.into_iter().map(curve).collect::<Vec<_>>());
        self.tracks.push(Track {
            owner: Owner::Node(self.owner),
            property: property.to_owned(),
            curve: AnyCurve::Typed(Box::new(curve)),
            unit,
            source: TrackLocation::for_track(SourceLocation::File),
        });
        id
    }
}
