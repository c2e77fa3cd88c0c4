//! Converts an `.anim` document into a clip.

use std::sync::Arc;

use glam::DQuat;

use super::{
    Curve, Document, Input, Item, Target,
    annotations::{MayaAnnotations, TangentTypes},
    codes,
    curves::{ConvertedCurve, CurveBuilder},
    hierarchy::{FileNode, Hierarchy, Method},
    settings::{CurveUnits, Settings},
    span,
};
use crate::{
    clip::{
        AnyCurve, Channel, Channels, Clip, EulerOrder, EulerRotation, FormatId, Motion, Node,
        NodeId, NodeKind, NodeVisibility, Nodes, Owner, Rotation, Signal, SignalKind, Skeleton,
        Track, TrackId, Transform, Translation,
    },
    diagnostics::{Diagnostics, SourceLocation, format_count},
};

pub(super) fn to_clip(document: &Document, diagnostics: &mut Diagnostics) -> Clip {
    let settings = Settings::new(document, diagnostics);
    let hierarchy = Hierarchy::new(&document.items);
    report_parent_method(&hierarchy, document, diagnostics);
    let mut builder = ClipBuilder {
        document,
        settings,
        curves: CurveBuilder::default(),
        tracks: Vec::new(),
        tangents: Vec::new(),
        signals: Vec::new(),
        channels: vec![NodeChannels::default(); hierarchy.nodes.len()],
        diagnostics,
    };
    for (item, &node) in document.items.iter().zip(&hierarchy.node_of_item) {
        item.curves.iter().for_each(|curve| builder.add_curve(item, curve, node));
    }
    let nodes = builder.build_nodes(&hierarchy);
    let ClipBuilder { settings, tracks, tangents, signals, channels, diagnostics, .. } = builder;
    let moving = channels.iter().filter(|node| node.is_animated()).count();
    let convention = settings.convention();
    Clip {
        version: document
            .header
            .anim_version
            .as_ref()
            .map_or(String::new(), |version| version.text.to_string()),
        subject: describe_subject(nodes.len(), moving),
        span: span::clip_span(document, &settings, &tracks, diagnostics),
        rate_hz: settings.rate_hz(),
        nodes: Nodes::new(nodes, diagnostics),
        skeleton: Skeleton::Own,
        tracks,
        signals,
        annotations: Some(Arc::new(MayaAnnotations { tangents })),
        ..Clip::new(FormatId::MAYA, convention)
    }
}

fn describe_subject(nodes: usize, moving: usize) -> String {
    let count = format_count(nodes, "node");
    if moving == nodes { count } else { format!("{count}, {moving} moving") }
}

fn report_parent_method(hierarchy: &Hierarchy, document: &Document, diagnostics: &mut Diagnostics) {
    let items = &document.items;
    if let (Method::ChildCounts, Some(item)) = (hierarchy.method, items.first()) {
        let message = "every row is 0; using the child counts to find parents";
        diagnostics.warning(codes::PARENTS_GUESSED, SourceLocation::line(item.line), message);
    }
    let row = |node: &FileNode| items[node.first_item].row;
    let skips_a_row = |node: &&FileNode| match node.parent {
        None => row(node) > 0,
        Some(parent) => row(&hierarchy.nodes[parent]) + 1 < row(node),
    };
    let mut skipping = hierarchy.nodes.iter().filter(skips_a_row);
    if let (Method::Rows, Some(node)) = (hierarchy.method, skipping.next()) {
        let (item, others) = (&items[node.first_item], skipping.count());
        let name = item.target.node().unwrap_or_default();
        let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        let message = format!(
            "no node is one row above {name:?}{more}; using the closest earlier node with a smaller \
             row as the parent"
        );
        diagnostics.warning(codes::PARENTS_GUESSED, SourceLocation::line(item.line), message);
    }
}

struct ClipBuilder<'a> {
    document: &'a Document<'a>,
    settings: Settings,
    curves: CurveBuilder,
    tracks: Vec<Track>,
    tangents: Vec<TangentTypes>,
    signals: Vec<Signal>,
    channels: Vec<NodeChannels>,
    diagnostics: &'a mut Diagnostics,
}

#[derive(Clone, Debug)]
struct NodeChannels {
    translate: Channels,
    /// The rotation in radians.
    rotate: Channels,
    scale: Channels,
    rotate_order: Option<TrackId>,
    visibility: Option<TrackId>,
}

impl Default for NodeChannels {
    fn default() -> Self {
        Self {
            translate: Channels::resting(0.0),
            rotate: Channels::resting(0.0),
            scale: Channels::resting(1.0),
            rotate_order: None,
            visibility: None,
        }
    }
}

impl NodeChannels {
    fn set_track(&mut self, component: Component, track: TrackId, units: &CurveUnits) -> bool {
        let replace = |channel: &mut Channel, unit: f64| {
            let previous = std::mem::replace(channel, Channel::Track { track, unit });
            matches!(previous, Channel::Track { .. })
        };
        match component {
            Component::Translate(axis) => replace(&mut self.translate.0[axis], units.length_factor),
            Component::Rotate(axis) => replace(&mut self.rotate.0[axis], units.radians_factor),
            Component::Scale(axis) => replace(&mut self.scale.0[axis], 1.0),
            Component::Visibility => self.visibility.replace(track).is_some(),
            Component::RotateOrder => self.rotate_order.replace(track).is_some(),
            Component::Other => false,
        }
    }

    fn is_animated(&self) -> bool {
        [self.translate, self.rotate, self.scale].iter().any(Channels::is_animated)
    }

    fn motion(&self) -> Motion {
        let &Self { translate, rotate: angles, scale, rotate_order: order_track, .. } = self;
        let euler = EulerRotation {
            angles,
            order: EulerOrder::Xyz,
            order_track,
            orientation: DQuat::IDENTITY,
            is_sampled: false,
        };
        Motion {
            translation: if translate.is_animated() {
                Translation::Channels(Box::new(translate))
            } else {
                Translation::Rest
            },
            rotation: if angles.is_animated() {
                Rotation::Euler(Box::new(euler))
            } else {
                Rotation::Rest
            },
            scale: scale.is_animated().then(|| Box::new(scale)),
            visibility: self.visibility.map_or(NodeVisibility::Always, NodeVisibility::While),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    Translate(usize),
    Rotate(usize),
    Scale(usize),
    Visibility,
    RotateOrder,
    /// Any attribute that is not part of a transform.
    Other,
}

impl Component {
    fn from_attribute(full: &str, leaf: &str) -> Self {
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

impl ClipBuilder<'_> {
    fn add_curve(&mut self, item: &Item, curve: &Curve, node: usize) {
        let units = self.settings.curve_units(curve, self.diagnostics);
        let name = || attribute_path(&item.target);
        let converted = self.curves.build(curve, &units.tangents, name, self.diagnostics);
        let ConvertedCurve { curve: scalar, source, tangents } = converted;
        let is_driven = curve.input == Input::Unitless;
        if is_driven {
            let message = format!("{}: driven by an attribute other than time; not played", name());
            self.diagnostics.info(codes::DRIVEN_CURVE, SourceLocation::line(curve.line), message);
        }
        if scalar.is_empty() {
            self.diagnostics.info(
                codes::EMPTY_CURVE,
                SourceLocation::line(curve.line),
                format!("{}: no keys", name()),
            );
        }
        let is_keyed = !scalar.is_empty();
        let track = TrackId::new(self.tracks.len());
        self.tangents.push(tangents);
        self.tracks.push(Track {
            owner: Owner::Node(NodeId::new(node)),
            property: item.target.leaf().to_owned(),
            curve: if is_driven { AnyCurve::Driven(scalar) } else { AnyCurve::Number(scalar) },
            unit: units.output,
            source,
        });
        let Target::Attribute { full, leaf, .. } = &item.target else { return };
        let component = Component::from_attribute(full, leaf);
        if is_keyed && matches!(component, Component::RotateOrder | Component::Other) {
            self.signals.push(Signal { name: name(), track, kind: SignalKind::Attribute });
        }
        if is_keyed && !is_driven && self.channels[node].set_track(component, track, &units) {
            let message =
                format!("{}: a second curve for the same attribute; using the last", name());
            self.diagnostics.warning(
                codes::REPEATED_CURVE,
                SourceLocation::line(curve.line),
                message,
            );
        }
    }

    fn build_nodes(&self, hierarchy: &Hierarchy) -> Vec<Node> {
        let kinds: Vec<_> = hierarchy.nodes.iter().map(|node| self.node_kind(node)).collect();
        let build = |(index, node): (usize, &FileNode)| {
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
                motion: self.channels[index].motion(),
            }
        };
        hierarchy.nodes.iter().enumerate().map(build).collect()
    }

    /// Guesses the kind of a node from its name and its place in the tree. A shape or an effector
    /// has a parent but neither children nor curves.
    fn node_kind(&self, node: &FileNode) -> NodeKind {
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

fn attribute_path(target: &Target) -> String {
    format!("{}.{}", target.node().unwrap_or_default(), target.leaf())
}
