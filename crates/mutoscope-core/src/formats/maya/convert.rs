//! From document to clip.

use glam::DQuat;

use super::{
    Curve, Document, Input, Item, Target,
    curves::CurveMaker,
    hierarchy::{FileNode, Hierarchy, Method},
    settings::{CurveUnits, Settings},
    span,
};
use crate::{
    clip::{
        AnyCurve, Channel, Channels, Clip, EulerOrder, EulerRotation, FormatId, Motion, Node,
        NodeId, NodeKind, Nodes, Owner, Rotation, Shown, Signal, SignalKind, Skeleton, Track,
        TrackId, Transform, Translation,
    },
    diagnostics::{Notices, SourceLocation},
};

/// Makes the clip. Issues in the file go to `notices`.
pub(super) fn convert(document: &Document, notices: &mut Notices) -> Clip {
    let settings = Settings::new(document, notices);
    let hierarchy = Hierarchy::new(&document.items);
    report_method(&hierarchy, document, notices);
    let mut builder = Builder {
        document,
        settings,
        curves: CurveMaker::default(),
        tracks: Vec::new(),
        signals: Vec::new(),
        bodies: vec![Body::default(); hierarchy.nodes.len()],
        notices,
    };
    for (item, &node) in document.items.iter().zip(&hierarchy.node_of_item) {
        item.curves.iter().for_each(|curve| builder.curve(item, curve, node));
    }
    let nodes = builder.nodes(&hierarchy);
    let Builder { settings, tracks, signals, bodies, notices, .. } = builder;
    let moving = bodies.iter().filter(|body| body.is_moved()).count();
    let convention = settings.convention();
    Clip {
        version: document
            .header
            .anim_version
            .as_ref()
            .map_or(String::new(), |it| it.text.to_string()),
        subject: subject(nodes.len(), moving),
        span: span::of(document, &settings, &tracks, notices),
        rate_hz: settings.rate_hz(),
        nodes: Nodes::new(nodes, notices),
        skeleton: Skeleton::Own,
        tracks,
        signals,
        ..Clip::new(FormatId::MAYA, convention)
    }
}

/// The subject in a few words: `4 nodes, 3 moving`.
fn subject(nodes: usize, moving: usize) -> String {
    let plural = if nodes == 1 { "" } else { "s" };
    if moving == nodes {
        return format!("{nodes} node{plural}");
    }
    format!("{nodes} node{plural}, {moving} moving")
}

fn report_method(hierarchy: &Hierarchy, document: &Document, notices: &mut Notices) {
    let items = &document.items;
    if let (Method::ChildCounts, Some(item)) = (hierarchy.method, items.first()) {
        let message = "every row is 0, so there is no depth: parents found by the child counts";
        notices.warning(SourceLocation::line(item.line), message);
    }
    let row = |node: &FileNode| items[node.first_item].row;
    let is_adrift = |node: &&FileNode| match node.parent {
        None => row(node) > 0,
        Some(parent) => row(&hierarchy.nodes[parent]) + 1 < row(node),
    };
    let mut adrift = hierarchy.nodes.iter().filter(is_adrift);
    if let (Method::Rows, Some(node)) = (hierarchy.method, adrift.next()) {
        let (item, others) = (&items[node.first_item], adrift.count());
        let name = item.target.node().unwrap_or_default();
        let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        let message = format!(
            "no node is one row above {name:?}{more}; using the nearest node before it that is \
             less deep as its parent"
        );
        notices.warning(SourceLocation::line(item.line), message);
    }
}

struct Builder<'a> {
    document: &'a Document<'a>,
    settings: Settings,
    curves: CurveMaker,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    bodies: Vec<Body>,
    notices: &'a mut Notices,
}

/// The channels of a node.
#[derive(Clone, Debug)]
struct Body {
    translate: Channels,
    /// In radians.
    rotate: Channels,
    scale: Channels,
    rotate_order: Option<TrackId>,
    visibility: Option<TrackId>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            translate: Channels::at_rest(0.0),
            rotate: Channels::at_rest(0.0),
            scale: Channels::at_rest(1.0),
            rotate_order: None,
            visibility: None,
        }
    }
}

impl Body {
    /// Lets `track` move a part of it; returns whether it takes the place of another.
    fn attach(&mut self, part: Part, track: TrackId, units: &CurveUnits) -> bool {
        let moves = |channel: &mut Channel, unit: f64| {
            let before = std::mem::replace(channel, Channel::Track { track, unit });
            matches!(before, Channel::Track { .. })
        };
        match part {
            Part::Translate(axis) => moves(&mut self.translate.0[axis], units.lengths),
            Part::Rotate(axis) => moves(&mut self.rotate.0[axis], units.radians),
            Part::Scale(axis) => moves(&mut self.scale.0[axis], 1.0),
            Part::Visibility => self.visibility.replace(track).is_some(),
            Part::RotateOrder => self.rotate_order.replace(track).is_some(),
            Part::Other => false,
        }
    }

    fn is_moved(&self) -> bool {
        [self.translate, self.rotate, self.scale].iter().any(Channels::is_moved)
    }

    fn motion(&self) -> Motion {
        let &Self { translate, rotate: angles, scale, rotate_order: keyed_order, .. } = self;
        let euler = EulerRotation {
            angles,
            order: EulerOrder::Xyz,
            keyed_order,
            orientation: DQuat::IDENTITY,
            is_keyed_whole: false,
        };
        Motion {
            translation: if translate.is_moved() {
                Translation::Channels(Box::new(translate))
            } else {
                Translation::Rest
            },
            rotation: if angles.is_moved() {
                Rotation::Euler(Box::new(euler))
            } else {
                Rotation::Rest
            },
            scale: scale.is_moved().then(|| Box::new(scale)),
            shown: self.visibility.map_or(Shown::Always, Shown::While),
        }
    }
}

/// The animated component of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Translate(usize),
    Rotate(usize),
    Scale(usize),
    Visibility,
    RotateOrder,
    /// An attribute other than a transform.
    Other,
}

impl Part {
    /// The part with this leaf attribute, unless it belongs to some other compound.
    fn of(full: &str, leaf: &str) -> Self {
        let compound = full.strip_suffix(leaf).unwrap_or("").trim_end_matches('.');
        let belongs_to = |name: &str| compound.is_empty() || compound == name;
        let axis = || ["X", "Y", "Z"].iter().position(|&axis| leaf.ends_with(axis));
        let stem = leaf.get(..leaf.len().saturating_sub(1)).unwrap_or("");
        match (stem, axis()) {
            ("translate", Some(axis)) if belongs_to(stem) => Self::Translate(axis),
            ("rotate", Some(axis)) if belongs_to(stem) => Self::Rotate(axis),
            ("scale", Some(axis)) if belongs_to(stem) => Self::Scale(axis),
            _ if leaf == "visibility" && belongs_to("") => Self::Visibility,
            _ if leaf == "rotateOrder" && belongs_to("") => Self::RotateOrder,
            _ => Self::Other,
        }
    }
}

impl Builder<'_> {
    /// Makes the track of a curve, and attaches it to its node.
    fn curve(&mut self, item: &Item, curve: &Curve, node: usize) {
        let units = self.settings.of_curve(curve, self.notices);
        let name = || full_name(&item.target);
        let (scalar, source) = self.curves.make(curve, &units.tangents, name, self.notices);
        let is_driven = curve.input == Input::Unitless;
        if is_driven {
            let message = format!("{}: driven by an attribute other than time; not played", name());
            self.notices.info(SourceLocation::line(curve.line), message);
        }
        if scalar.is_empty() {
            self.notices.info(SourceLocation::line(curve.line), format!("{}: no keys", name()));
        }
        let is_keyed = !scalar.is_empty();
        let track = TrackId::new(self.tracks.len());
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(node)),
            property: item.target.leaf().to_owned(),
            curve: if is_driven { AnyCurve::Driven(scalar) } else { AnyCurve::Number(scalar) },
            unit: units.output,
            source,
        });
        let Target::Attribute { full, leaf, .. } = &item.target else { return };
        let part = Part::of(full, leaf);
        if is_keyed && matches!(part, Part::RotateOrder | Part::Other) {
            self.signals.push(Signal { name: name(), track, kind: SignalKind::Attribute });
        }
        if is_keyed && !is_driven && self.bodies[node].attach(part, track, &units) {
            let message = format!("{}: a second curve for it; using the last", name());
            self.notices.warning(SourceLocation::line(curve.line), message);
        }
    }

    fn nodes(&self, hierarchy: &Hierarchy) -> Vec<Node> {
        let kinds: Vec<_> = hierarchy.nodes.iter().map(|node| self.kind(node)).collect();
        let make = |(index, node): (usize, &FileNode)| {
            let parent = node.parent.map(NodeId::new);
            let is_bone = kinds[index] == NodeKind::Joint;
            Node {
                name: self.item(node).target.node().unwrap_or_default().to_owned(),
                group: None,
                parent,
                bone_from: parent.filter(|_| is_bone),
                kind: kinds[index],
                side: None,
                rest: Transform::IDENTITY,
                motion: self.bodies[index].motion(),
            }
        };
        hierarchy.nodes.iter().enumerate().map(make).collect()
    }

    /// The kind of a node, as far as its name tells: shapes and effectors have a parent, and
    /// neither curves nor children.
    fn kind(&self, node: &FileNode) -> NodeKind {
        let item = self.item(node);
        let name = item.target.node().unwrap_or_default();
        let short = name.rsplit(['|', ':']).next().unwrap_or(name);
        let stem = short.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_leaf = node.parent.is_some() && item.child == 0 && !node.is_animated;
        match stem {
            "effector" if is_leaf => NodeKind::Effector,
            _ if is_leaf && stem.ends_with("Shape") => NodeKind::Shape,
            _ => NodeKind::Joint,
        }
    }

    fn item(&self, node: &FileNode) -> &Item<'_> {
        &self.document.items[node.first_item]
    }
}

/// The name of a target in messages and among signals: `node.attribute`.
fn full_name(target: &Target) -> String {
    format!("{}.{}", target.node().unwrap_or_default(), target.leaf())
}
