//! Procedural animation, in which a format computes the transforms of nodes.

use std::{any::Any, fmt::Debug};

use super::{Clip, ExportModel, Humanoid, NodeId, NodePose, Pose, Transform};

/// Animates nodes whose transforms depend on many properties of the recording. The swing of a
/// player's limbs, for example, depends on how far the player has walked, on the items in its
/// hands, and on recent hits.
///
/// The implementing type can also hold data of the format other than nodes and tracks.
/// [`Clip::procedural_as`] returns it by its type.
pub trait ProceduralAnimation: Any + Debug + Send + Sync {
    /// Calls `set(node, transform, is_visible)` for each animated node at `time`, in seconds. The
    /// transform is relative to the parent, in source space.
    ///
    /// An implementation must not allocate memory, because the viewer calls this in every frame.
    fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool));

    /// Creates the meshes for exports, because exports cannot use the renderer that the viewer has
    /// for the format. `None` if there is nothing to draw.
    fn export_model(&self) -> Option<ExportModel> {
        None
    }

    /// Returns the views of the recording, such as the view of the camera or of a person in the
    /// recording.
    fn views(&self) -> Vec<View> {
        Vec::new()
    }

    /// Returns the transform of the view with index `view` at `time`, in seconds and in source
    /// space. A view looks along −Z.
    fn view_transform(&self, _view: usize, _time: f64) -> Transform {
        Transform::IDENTITY
    }

    /// Returns the animated humanoid bodies, for [retargeting](mod@crate::retarget).
    fn bodies(&self) -> Vec<Humanoid> {
        Vec::new()
    }

    /// Returns the transform of the whole body whose hips are the node `hips`, at `time`, in
    /// seconds and in source space.
    ///
    /// `None` if the body has the same transform as the node. A body may also rotate without its
    /// node, for example to lie down.
    fn body_transform(&self, _hips: NodeId, _time: f64) -> Option<Transform> {
        None
    }

    /// Returns the node with the root motion, if there is one.
    fn root_motion_node(&self) -> Option<NodeId> {
        None
    }
}

/// A view in a recording, such as through a person's eyes.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The name.
    pub name: String,
    /// The vertical field of view, in degrees.
    pub vertical_fov_degrees: f64,
}

impl Clip {
    /// Returns the views of the recording.
    pub fn views(&self) -> Vec<View> {
        self.procedural.as_ref().map(|animation| animation.views()).unwrap_or_default()
    }

    /// Returns the transform of the view with index `view` at `time`, in seconds and in the
    /// viewer's space. A view looks along −Z.
    pub fn view_transform(&self, view: usize, time: f64) -> Transform {
        let Some(animation) = &self.procedural else { return Transform::IDENTITY };
        self.convention
            .viewer_from_source()
            .convert_transform(&animation.view_transform(view, time))
    }

    /// Returns the procedural animation if it is a `T`.
    pub fn procedural_as<T: ProceduralAnimation>(&self) -> Option<&T> {
        let animation: &dyn Any = &**self.procedural.as_ref()?;
        animation.downcast_ref()
    }

    /// Never inlined, because few formats have a procedural animation. The code that all other
    /// recordings run stays short.
    #[inline(never)]
    pub(super) fn apply_procedural_animation(
        &self,
        animation: &dyn ProceduralAnimation,
        time: f64,
        pose: &mut Pose,
    ) {
        let viewer_from_source = self.convention.viewer_from_source();
        animation.animate(time, &mut |id, in_source, shown| {
            let local = viewer_from_source.convert_transform(&in_source);
            pose[id] = NodePose { is_visible: shown, local, world: local };
        });
        for &id in self.nodes.parents_first() {
            let Some(parent) = self.nodes[id].parent else { continue };
            let parent = pose[parent];
            let node = &mut pose[id];
            node.world = parent.world.compose(&node.local);
            node.is_visible &= parent.is_visible;
        }
        for node in &mut pose.nodes {
            node.is_visible &= node.world.is_finite();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{
        clip::{
            AnyCurve, ComputedCurve, Convention, FormatId, Handedness, KeyTimes, Motion, Node,
            NodeKind, Nodes, Owner, Signal, SignalKind, Span, Stated, Track, TrackId,
            TrackLocation, Unit, UpAxis, Value,
        },
        diagnostics::{Diagnostics, SourceLocation},
    };

    #[derive(Debug)]
    struct MoveAlongX;

    impl ProceduralAnimation for MoveAlongX {
        fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
            let translation = DVec3::X * time;
            let transform = Transform { translation, ..Transform::IDENTITY };
            set(NodeId::new(0), transform, time < 1.0);
        }
    }

    /// A curve whose values are the times.
    #[derive(Debug)]
    pub(in crate::clip) struct TimeCurve(pub(in crate::clip) KeyTimes);

    impl ComputedCurve for TimeCurve {
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
            ..Convention::assumed(Handedness::Right, UpAxis::Y)
        };
        let curve = AnyCurve::Computed(Arc::new(TimeCurve(KeyTimes::default())));
        Clip {
            span: Span { start: 0.0, duration: 2.0 },
            nodes: Nodes::new(nodes, &mut Diagnostics::new()),
            tracks: vec![Track {
                owner: Owner::Node(NodeId::new(0)),
                property: "time".to_owned(),
                curve,
                unit: Unit::None,
                source: TrackLocation::points(SourceLocation::File, []),
            }],
            signals: vec![Signal {
                name: "animated/time".to_owned(),
                track: TrackId::new(0),
                kind: SignalKind::Attribute,
            }],
            procedural: Some(Arc::new(MoveAlongX)),
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
        assert_eq!([0, 1].map(|node| pose.nodes[node].is_visible), [true, true]);
        clip.sample(1.5, &mut pose);
        assert_eq!(pose.nodes[1].world.translation, DVec3::new(0.75, 0.5, 0.0));
        assert_eq!([0, 1].map(|node| pose.nodes[node].is_visible), [false, false]);
        clip.sample(f64::NAN, &mut pose);
        assert!(!pose.nodes[1].is_visible, "a position that is NaN");
    }

    #[test]
    fn retimed_clip_plays_its_procedural_animation_at_the_new_speed() {
        let mut slow = clip();
        slow.scale_time(2.0);
        let mut pose = Pose::default();
        slow.sample(1.0, &mut pose);
        assert_eq!(pose.nodes[0].world.translation, DVec3::new(0.25, 0.0, 0.0));
        assert_eq!(slow.value(TrackId::new(0), 1.0), Value::Number(0.5));
    }

    #[test]
    fn procedural_animation_is_found_by_type() {
        let clip = clip();
        assert!(clip.procedural_as::<MoveAlongX>().is_some());
        let without = Clip { procedural: None, ..clip };
        assert!(without.procedural_as::<MoveAlongX>().is_none());
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
    fn sample_motion_leaves_signals_unchanged() {
        let clip = clip();
        let [mut pose, mut motion] = [(); 2].map(|()| Pose::default());
        clip.sample(0.75, &mut pose);
        clip.sample(0.25, &mut motion);
        clip.sample_motion(0.75, &mut motion);
        assert_eq!((motion.time, &motion.nodes), (pose.time, &pose.nodes));
        assert_eq!(motion.signals, [Value::Number(0.25)]);
    }
}
