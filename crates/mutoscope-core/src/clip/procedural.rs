//! Nodes that are animated by a procedure of their format.

use std::{any::Any, fmt::Debug};

use super::{Clip, Humanoid, Likeness, NodeId, NodePose, Pose, Transform};

/// Animates nodes together, where each depends on many properties of the recording: how a player's
/// limbs swing follows from how far it walks, what it holds and when it was hurt.
///
/// It also holds a format's data beyond nodes and tracks: [`Clip::procedural_as`] gives it back by
/// its type.
pub trait ProceduralAnimation: Any + Debug + Send + Sync {
    /// Passes `place` the transform of each node that it moves at `time`, in seconds, relative to
    /// its parent and in source space, and whether it is visible.
    ///
    /// Nothing may be allocated: this is called for every frame.
    fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool));

    /// Its meshes for exports, which have no renderer for the format. Created on demand.
    fn likeness(&self) -> Option<Likeness> {
        None
    }

    /// The views that it was recorded through or that a person in it has.
    fn views(&self) -> Vec<View> {
        Vec::new()
    }

    /// Where the view with this index is at `time`, in seconds and in source space: it looks along −Z.
    fn view_at(&self, _view: usize, _time: f64) -> Transform {
        Transform::IDENTITY
    }

    /// The humanoid bodies that it moves, for [retargeting](mod@crate::retarget).
    fn bodies(&self) -> Vec<Humanoid> {
        Vec::new()
    }

    /// Where the body whose hips are this node is as a whole at `time`, in seconds and in source space. Nothing if that is
    /// where the node is: a body that lies down may turn without it.
    fn body_at(&self, _hips: NodeId, _time: f64) -> Option<Transform> {
        None
    }

    /// The node with the root motion, if there is one.
    fn root_motion_node(&self) -> Option<NodeId> {
        None
    }
}

/// A view that a recording has: a person's eyes.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its name.
    pub name: String,
    /// The vertical field of view, in degrees.
    pub vertical_angle: f64,
}

impl Clip {
    /// The views that it knows of.
    pub fn views(&self) -> Vec<View> {
        self.procedural.as_ref().map(|animation| animation.views()).unwrap_or_default()
    }

    /// Where the view with this index is at `time`, in seconds and in the viewer's space: it looks
    /// along −Z.
    pub fn view_at(&self, view: usize, time: f64) -> Transform {
        let Some(animation) = &self.procedural else { return Transform::IDENTITY };
        self.convention.viewer_from_source().transform(&animation.view_at(view, time))
    }

    /// Its procedural animation, if it is of this type.
    pub fn procedural_as<T: ProceduralAnimation>(&self) -> Option<&T> {
        let animation: &dyn Any = &**self.procedural.as_ref()?;
        animation.downcast_ref()
    }

    /// Applies `animation` to the nodes that it moves, and updates their children.
    ///
    /// Not inlined: few formats have one.
    #[inline(never)]
    pub(super) fn animate(&self, animation: &dyn ProceduralAnimation, time: f64, pose: &mut Pose) {
        let viewer_from_source = self.convention.viewer_from_source();
        animation.animate(time, &mut |id, in_source, shown| {
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
            AnyCurve, ComputedCurve, Convention, FormatId, Handedness, KeyTimes, Motion, Node,
            NodeKind, Nodes, Owner, Provenance, Signal, SignalKind, Span, Stated, Track, TrackId,
            Unit, Up, Value,
        },
        diagnostics::{Notices, SourceLocation},
    };

    /// Moves the first node along x with the time, and hides it after a second.
    #[derive(Debug)]
    struct Along;

    impl ProceduralAnimation for Along {
        fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
            let translation = DVec3::X * time;
            let transform = Transform { translation, ..Transform::IDENTITY };
            place(NodeId::new(0), transform, time < 1.0);
        }
    }

    /// Says the time itself, and once more in its only key.
    #[derive(Debug)]
    struct Clockwork(KeyTimes);

    impl ComputedCurve for Clockwork {
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
        let nodes = vec![node("animated", None), node("child", Some(NodeId::new(0)))];
        let convention = Convention {
            metres_per_unit: Stated::assumed(0.5),
            ..Convention::assumed(Handedness::Right, Up::Y)
        };
        let curve = AnyCurve::Computed(Arc::new(Clockwork(KeyTimes::default())));
        Clip {
            span: Span { start: 0.0, duration: 2.0 },
            nodes: Nodes::new(nodes, &mut Notices::new()),
            tracks: vec![Track {
                owner: Owner::Node(NodeId::new(0)),
                property: "time".to_owned(),
                curve,
                unit: Unit::None,
                source: Provenance::points(SourceLocation::File, []),
            }],
            signals: vec![Signal {
                name: "animated/time".to_owned(),
                track: TrackId::new(0),
                kind: SignalKind::Attribute,
            }],
            procedural: Some(Arc::new(Along)),
            ..Clip::new(FormatId::new("test"), convention)
        }
    }

    #[test]
    fn children_follow_an_animated_node() {
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
    fn procedural_animation_is_found_by_type() {
        let clip = clip();
        assert!(clip.procedural_as::<Along>().is_some());
        let without = Clip { procedural: None, ..clip };
        assert!(without.procedural_as::<Along>().is_none());
    }

    #[test]
    fn a_computed_curve_has_values_without_keys() {
        let clip = clip();
        assert_eq!(clip.value(TrackId::new(0), 1.25), Value::Number(1.25));
        assert_eq!(clip.tracks[0].curve.value(1.25), Value::Number(1.25));
        let mut pose = Pose::default();
        clip.sample(0.75, &mut pose);
        assert_eq!(pose.signals, [Value::Number(0.75)]);
    }

    #[test]
    fn motion_alone_leaves_the_signals_as_they_were() {
        let clip = clip();
        let [mut pose, mut motion] = [(); 2].map(|()| Pose::default());
        clip.sample(0.75, &mut pose);
        clip.sample(0.25, &mut motion);
        clip.sample_motion(0.75, &mut motion);
        assert_eq!((motion.time, &motion.nodes), (pose.time, &pose.nodes));
        assert_eq!(motion.signals, [Value::Number(0.25)]);
    }
}
