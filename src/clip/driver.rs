//! Nodes that no rule of their own can move.

use std::{any::Any, borrow::Cow, fmt::Debug};

use super::{Clip, Condition, Event, EventWords, NodeId, NodePose, Pose, Track, Transform, Value};

/// Moves nodes together, where each of them depends on much that a recording says: how a player's
/// limbs swing follows from how far it walks, what it holds and when it was hurt.
///
/// A driver is also where a format keeps what it knows beyond nodes and tracks:
/// [`Clip::driver_as`] gives it back by its type.
pub trait Driver: Any + Debug + Send + Sync {
    /// Tells `place` where each node that it moves stands at `time`, in seconds, relative to its
    /// parent and in source space, and whether there is something to see of it.
    ///
    /// Nothing may be allocated: this is asked for every picture.
    fn drive(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool));

    /// The node whose motion carries the others from place to place, if there is one.
    fn carrier(&self) -> Option<NodeId> {
        None
    }

    /// What a node is, where its name does not tell: `cow`.
    fn kind_of(&self, _node: NodeId) -> Option<Cow<'_, str>> {
        None
    }

    /// What people call a property that has a word of its own: `main hand`.
    fn property_words(&self, _property: &str) -> Option<String> {
        None
    }

    /// What people call a value that has a word of its own: `standing`.
    fn value_words(&self, _track: &Track, _value: &Value) -> Option<String> {
        None
    }

    /// What happens, as people say it.
    fn event_words(&self, _event: &Event) -> Option<EventWords> {
        None
    }

    /// What there is to say of a node at `time`, in seconds, that no track has: the data of what it
    /// holds. A text may have many lines.
    fn details(&self, _node: NodeId, _time: f64) -> Vec<Detail> {
        Vec::new()
    }

    /// What holds of its nodes at times. It is worked out anew each time it is asked for.
    fn conditions(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// What people ask of such a recording: labels, and what they say.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }
}

/// Something worth knowing about a node at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What it is about: `main hand: iron axe`.
    pub label: String,
    /// What there is to say, as the file's users write it.
    pub text: String,
}

/// Something worth knowing about a recording, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about: `dimension`.
    pub label: &'static str,
    /// What there is to say.
    pub text: String,
}

impl Clip {
    /// Its driver, if it is of this type.
    pub fn driver_as<T: Driver>(&self) -> Option<&T> {
        let driver: &dyn Any = &**self.driver.as_ref()?;
        driver.downcast_ref()
    }

    /// What a node is, where its name does not tell: `cow`.
    pub fn kind_of(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.driver.as_ref()?.kind_of(node)
    }

    /// What people call a property: its own name, if its format knows no other.
    pub fn property_words<'a>(&self, property: &'a str) -> Cow<'a, str> {
        let words = self.driver.as_ref().and_then(|driver| driver.property_words(property));
        words.map_or(property.into(), Cow::Owned)
    }

    /// What people call a value of `track`, if its format has words of its own for it.
    pub fn value_words(&self, track: &Track, value: &Value) -> Option<String> {
        self.driver.as_ref()?.value_words(track, value)
    }

    /// What happens, as people say it, if its format has words of its own for it.
    pub fn event_words(&self, event: &Event) -> Option<EventWords> {
        self.driver.as_ref()?.event_words(event)
    }

    /// What there is to say of a node at `time`, in seconds, that no track has.
    pub fn details(&self, node: NodeId, time: f64) -> Vec<Detail> {
        self.driver.as_ref().map(|driver| driver.details(node, time)).unwrap_or_default()
    }

    /// What holds of its nodes at times. It is worked out anew each time it is asked for.
    pub fn conditions(&self) -> Vec<Condition> {
        self.driver.as_ref().map(|driver| driver.conditions()).unwrap_or_default()
    }

    /// Puts the nodes that `driver` moves where it has them, and with them what hangs on them.
    ///
    /// Out of line: few formats have a driver.
    #[inline(never)]
    pub(super) fn drive(&self, driver: &dyn Driver, time: f64, pose: &mut Pose) {
        let viewer_from_source = self.convention.viewer_from_source();
        driver.drive(time, &mut |id, in_source, shown| {
            let local = viewer_from_source.transform(&in_source);
            pose.nodes[id.index()] = NodePose { shown, local, world: local };
        });
        for &id in self.nodes.parents_first() {
            let Some(parent) = self.nodes[id].parent else { continue };
            let parent = pose.nodes[parent.index()];
            let node = &mut pose.nodes[id.index()];
            node.world = parent.world.compose(&node.local);
            node.shown &= parent.shown;
        }
        for node in &mut pose.nodes {
            node.shown &= node.world.is_finite();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{
        clip::{
            AnyCurve, Convention, FoldedCurve, Handedness, KeyTimes, Motion, Node, NodeKind, Nodes,
            Owner, Provenance, RotationRule, Signal, SignalKind, Skeleton, Span, Stated, Track,
            TrackId, Unit, Up, Value, ViewerMirror,
        },
        diagnostics::{Notices, Place},
        formats::FormatId,
    };

    /// Moves the first node along x with the time, and hides it after a second.
    #[derive(Debug)]
    struct Along;

    impl Driver for Along {
        fn drive(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
            let translation = DVec3::X * time;
            let transform = Transform { translation, ..Transform::IDENTITY };
            place(NodeId::new(0), transform, time < 1.0);
        }
    }

    /// Says the time itself, and once more in its only key.
    #[derive(Debug)]
    struct Clockwork(KeyTimes);

    impl FoldedCurve for Clockwork {
        fn type_name(&self) -> &'static str {
            "time"
        }

        fn times(&self) -> &KeyTimes {
            &self.0
        }

        fn key_value(&self, index: usize) -> Value {
            Value::Number(self.0.as_slice()[index])
        }

        fn value(&self, time: f64) -> Value {
            Value::Number(time)
        }
    }

    fn clip() -> Clip {
        let node = |name: &str, parent| Node {
            name: name.to_owned(),
            group: None,
            parent,
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform { translation: DVec3::Y, ..Transform::IDENTITY },
            motion: Motion::default(),
        };
        let nodes = vec![node("driven", None), node("hangs on it", Some(NodeId::new(0)))];
        let curve = AnyCurve::Folded(Arc::new(Clockwork(KeyTimes::default())));
        Clip {
            name: String::new(),
            format: FormatId::Mrtk,
            version: String::new(),
            layout: None,
            is_looping: None,
            subject: String::new(),
            span: Span { start: 0.0, duration: 2.0 },
            rate_hz: None,
            convention: Convention {
                handedness: Stated::assumed(Handedness::Right),
                up: Stated::assumed(Up::Y),
                metres_per_unit: Stated::assumed(0.5),
                rotation: Stated::assumed(RotationRule::Continuous),
                seconds_per_unit: None,
                mirror: ViewerMirror::Z,
            },
            groups: Vec::new(),
            nodes: Nodes::new(nodes, &mut Notices::new()),
            skeleton: Skeleton::Own,
            tracks: vec![Track {
                owner: Owner::Node(NodeId::new(0)),
                property: "time".to_owned(),
                curve,
                unit: Unit::None,
                source: Provenance::points(Place::File, []),
            }],
            signals: vec![Signal {
                name: "driven/time".to_owned(),
                track: TrackId::new(0),
                kind: SignalKind::Attribute,
            }],
            events: Vec::new(),
            driver: Some(Arc::new(Along)),
            notices: Notices::new(),
        }
    }

    #[test]
    fn what_is_driven_takes_along_what_hangs_on_it() {
        let clip = clip();
        let mut pose = Pose::default();
        clip.sample(0.5, &mut pose);
        assert_eq!(pose.nodes[0].world.translation, DVec3::new(0.25, 0.0, 0.0));
        assert_eq!(pose.nodes[1].world.translation, DVec3::new(0.25, 0.5, 0.0));
        assert_eq!([0, 1].map(|node| pose.nodes[node].shown), [true, true]);
        clip.sample(1.5, &mut pose);
        assert_eq!(pose.nodes[1].world.translation, DVec3::new(0.75, 0.5, 0.0));
        assert_eq!([0, 1].map(|node| pose.nodes[node].shown), [false, false]);
        clip.sample(f64::NAN, &mut pose);
        assert!(!pose.nodes[1].shown, "a place that is none");
    }

    #[test]
    fn a_driver_is_known_by_its_type() {
        let clip = clip();
        assert!(clip.driver_as::<Along>().is_some());
        let undriven = Clip { driver: None, ..clip };
        assert!(undriven.driver_as::<Along>().is_none());
    }

    #[test]
    fn a_folded_curve_speaks_without_keys() {
        let clip = clip();
        assert_eq!(clip.value(TrackId::new(0), 1.25), Value::Number(1.25));
        assert_eq!(clip.tracks[0].curve.value(1.25), Value::Number(1.25));
        let mut pose = Pose::default();
        clip.sample(0.75, &mut pose);
        assert_eq!(pose.signals, [Value::Number(0.75)]);
    }
}
