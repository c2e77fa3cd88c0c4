//! A take as a clip.

use std::sync::Arc;

use mutoscope_core::{
    clip::{
        AnyCurve, Blend, Clip, Convention, Element, Form, KeyTimes, MORPH_WEIGHTS, Motion, Node,
        NodeId, NodeKind, Nodes, Owner, Provenance, ScalarCurve, Shapes, Shown, Signal, SignalKind,
        Skeleton, Span, Track, TrackId, Transform, TypedCurve, Unit, ValueType,
    },
    diagnostics::{Error, Notices, SourceLocation},
    formats::{DecodeContext, NamedAnimation},
    io::bytes::Sidecars,
    rig::{self, Matching, RigNode},
};
use ufbx::{AnimStack, Scene};

use crate::{
    FORMAT_ID, blends,
    keys::KeyedTimes,
    meshes,
    nodes::{all, nodes},
    scene::{Content, load, report, transform, version},
    takes,
};

const ROTATION: ValueType = ValueType {
    name: "quaternion",
    element: Element::Number,
    form: Form::Quaternion { faithful: Blend::ShortSlerp },
};

const VECTOR: ValueType = ValueType { name: "vector", element: Element::Number, form: Form::Plain };

/// Reads a take.
///
/// # Errors
/// If it is no FBX, has no nodes, or not the take that was chosen.
pub(crate) fn decode(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let content = if context.rig.is_some() { Content::Motion } else { Content::All };
    let scene = load(bytes, content)?;
    report(&scene, notices);
    let rests = nodes(&scene, notices);
    if rests.is_empty() {
        return Err(Error::unsupported(
            SourceLocation::File,
            "expected nodes, found none in this FBX",
        ));
    }
    let (stack, variants) =
        takes::choose(&scene, context.variant(mutoscope_core::clip::Variants::ANIMATION), notices)?;
    let mut clip = take(&scene, stack, &rests, notices);
    clip.variants = variants;
    Ok(match context.rig {
        Some(rig) => rig::attach(clip, rig, Matching::ByName, notices),
        None => {
            clip.skeleton =
                Skeleton::WithModel(Arc::new(meshes::model(&scene, context.sidecars, notices)));
            clip
        }
    })
}

/// The name and duration of each take.
pub(crate) fn list_animations(
    bytes: &[u8],
    _: &dyn Sidecars,
) -> Result<Vec<NamedAnimation>, Error> {
    let scene = load(bytes, Content::Motion)?;
    let names = takes::names(&scene).into_iter().zip(scene.anim_stacks.iter());
    Ok(names
        .map(|(name, stack)| NamedAnimation { name, duration: Some(span(stack).duration) })
        .collect())
}

/// From the begin of the take to its end, as the file says.
fn span(stack: &AnimStack) -> Span {
    let (begin, end) = (stack.time_begin, stack.time_end);
    match begin.is_finite() && end.is_finite() && end >= begin {
        true => Span { start: begin, duration: end - begin },
        false => Span::default(),
    }
}

fn take(
    scene: &Scene,
    stack: Option<&AnimStack>,
    rests: &[RigNode],
    notices: &mut Notices,
) -> Clip {
    let span = stack.map(span).unwrap_or_default();
    let mut keyed = stack.map(|stack| KeyedTimes::of(stack, span));
    let mut tracks = Vec::new();
    let mut moving = 0;
    let nodes: Vec<Node> = all(scene)
        .zip(rests)
        .enumerate()
        .map(|(index, (node, rest))| {
            let stands = transform(&node.local_transform);
            let keys = match (&mut keyed, stack) {
                (Some(keyed), Some(stack)) if !keyed.is_still(node) => {
                    keyed.keys(&stack.anim, node, span)
                }
                // It stands otherwise than it was bound, and nothing moves it from there.
                _ if !is_close(&stands, &rest.rest) => vec![(span.start, stands)],
                _ => Vec::new(),
            };
            let motion = Builder { owner: NodeId::new(index), tracks: &mut tracks }
                .motion(&keys, &rest.rest);
            moving += usize::from(motion.moves());
            rest.node(motion)
        })
        .collect();
    let mut signals = Vec::new();
    if let (Some(keyed), Some(stack)) = (&mut keyed, stack) {
        signals = add_weights(scene, stack, span, keyed, &mut tracks);
        if keyed.has_refused {
            let message = "the keys of blend shapes are used too often; some weights skipped";
            notices.warning(SourceLocation::File, message);
        }
    }
    let joints = nodes.iter().filter(|node| node.kind == NodeKind::Joint).count();
    let rate = scene.settings.frames_per_second;
    Clip {
        name: stack.map(|stack| stack.element.name.to_string()).unwrap_or_default(),
        version: version(scene),
        subject: format!("{joints} joints, {moving} moving"),
        span,
        rate_hz: Some(rate).filter(|rate| rate.is_finite() && *rate > 0.0),
        nodes: Nodes::new(nodes, notices),
        tracks,
        signals,
        // What ufbx converts to.
        ..Clip::new(FORMAT_ID, Convention::gltf())
    }
}

/// Adds a track for each weight that moves, of each node that carries a mesh with blend shapes.
fn add_weights(
    scene: &Scene,
    stack: &AnimStack,
    span: Span,
    keyed: &mut KeyedTimes,
    tracks: &mut Vec<Track>,
) -> Vec<Signal> {
    let mut signals = Vec::new();
    for (index, node) in all(scene).enumerate() {
        let Some(mesh) = &node.mesh else { continue };
        for shape in blends::shapes(mesh) {
            let of = |weight| shape.weight(weight);
            let keys = keyed.weights(&stack.anim, shape.channel, span, &of);
            let (times, weights): (Vec<f64>, Vec<f64>) = keys.into_iter().unzip();
            let Some(times) =
                KeyTimes::new(times).ok().filter(|times| !times.as_slice().is_empty())
            else {
                continue;
            };
            let property = format!("{MORPH_WEIGHTS}{}", shape.name);
            let name = format!("{}.{property}", &*node.element.name);
            let track = TrackId::new(tracks.len());
            signals.push(Signal { name, track, kind: SignalKind::Attribute });
            tracks.push(Track {
                owner: Owner::Node(NodeId::new(index)),
                property,
                curve: AnyCurve::Number(ScalarCurve::new(times, weights, Shapes::Linear)),
                unit: Unit::None,
                source: Provenance::of_track(SourceLocation::File),
            });
        }
    }
    signals
}

fn is_close(one: &Transform, other: &Transform) -> bool {
    /// Metres, fractions of a unit quaternion, and of 1.
    const CLOSE: f64 = 1e-6;
    one.translation.abs_diff_eq(other.translation, CLOSE)
        && one.rotation.dot(other.rotation).abs() > 1.0 - CLOSE * CLOSE
        && one.scale.abs_diff_eq(other.scale, CLOSE)
}

/// Makes the tracks of a node.
struct Builder<'a> {
    owner: NodeId,
    tracks: &'a mut Vec<Track>,
}

impl Builder<'_> {
    /// The motion by these keys; what they leave as it rests has no track.
    fn motion(&mut self, keys: &[(f64, Transform)], rest: &Transform) -> Motion {
        let differs =
            |differs: &dyn Fn(&Transform) -> bool| keys.iter().any(|(_, key)| differs(key));
        let is_moved = differs(&|key| !key.translation.abs_diff_eq(rest.translation, 1e-9));
        let is_turned = differs(&|key| key.rotation.dot(rest.rotation).abs() < 1.0 - 1e-15);
        let is_scaled = differs(&|key| !key.scale.abs_diff_eq(rest.scale, 1e-9));
        let times = KeyTimes::new(keys.iter().map(|(time, _)| *time).collect::<Vec<_>>());
        let Ok(times) = times else { return Motion::default() };
        let column = |value: &dyn Fn(&Transform) -> f64| -> Vec<f64> {
            keys.iter().map(|(_, key)| value(key)).collect()
        };
        let translation = is_moved.then(|| {
            let columns = [0, 1, 2].map(|axis| column(&|key| key.translation[axis]));
            self.track("translation", VECTOR, Unit::Metres, &times, columns)
        });
        let rotation = is_turned.then(|| {
            let columns = [0, 1, 2, 3].map(|axis| column(&|key| key.rotation.to_array()[axis]));
            self.track("rotation", ROTATION, Unit::None, &times, columns)
        });
        let scale = is_scaled.then(|| {
            let columns = [0, 1, 2].map(|axis| column(&|key| key.scale[axis]));
            self.track("scale", VECTOR, Unit::None, &times, columns)
        });
        Motion::of_tracks(translation, rotation, scale, Shown::Always)
    }

    fn track<const N: usize>(
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
            source: Provenance::of_track(SourceLocation::File),
        });
        id
    }
}
