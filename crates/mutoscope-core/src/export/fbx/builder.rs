//! Builds a file: models, their motion, and their bind pose.

use std::collections::HashSet;

use glam::{DAffine3, DVec3};

use super::{
    CENTIMETRES_PER_METRE,
    animation::{AnimatedProperty, Animation},
    clean_name, curve_thinning,
    document::{Array, Element, Properties, element},
    header::Take,
    materials::Materials,
    scene::{ObjectClass, ObjectId, SCENE_ROOT, Scene},
};
use crate::{
    clip::{Clip, EulerOrder, NodeId, NodeKind, NodeVisibility, Transform},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report, codes,
        euler::{self, LinearAngles, nearest_angles, to_linear_angles},
        keyed_curve::{KeyedCurve, MAX_TURN_RAD},
        motions::Motions,
        names,
        node_motion::NodeMotion,
        origin::PositionPrecision,
        tracer::MIN_INSERTED_GAP_S,
    },
};

const LAYER: ObjectClass = ObjectClass::new("AnimationLayer", "AnimLayer", "");
const POSE: ObjectClass = ObjectClass::new("Pose", "Pose", "BindPose");

/// The number of the rule that a node inherits the scale of its ancestors in full.
const INHERIT_FULL_SCALE: i32 = 1;

/// The smallest scale in a bind pose. Programs invert the bind pose, so a scale of 0 would be an
/// error.
const MIN_BIND_SCALE: f64 = 1e-6;

/// The distance in the bind pose of a moving node from the Y axis of its parent, in metres. Blender
/// draws bones along Y. If the end of a bone is exactly at a child, Blender connects the child to
/// the bone, and then ignores the translation of the child.
const AXIS_GAP_M: f64 = 2e-5;

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelKind {
    Bone,
    Null,
    Mesh,
    Camera,
}

impl ModelKind {
    fn subtype(self) -> &'static str {
        match self {
            Self::Bone => "LimbNode",
            Self::Null => "Null",
            Self::Mesh => "Mesh",
            Self::Camera => "Camera",
        }
    }
}

/// A model that was added, and its pose when meshes are bound to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) id: ObjectId,
    /// The world transform in the bind pose, in metres.
    pub(super) bind: DAffine3,
}

/// The arguments of [`Builder::add_model`].
pub(super) struct NewModel<'a> {
    pub(super) id: ObjectId,
    pub(super) name: &'a str,
    pub(super) kind: ModelKind,
    pub(super) parent: ObjectId,
    pub(super) local: Transform,
    /// The content of a camera.
    pub(super) attribute: Vec<Element>,
}

pub(super) struct Builder<'a> {
    job: &'a Job<'a>,
    pub(super) scene: Scene,
    pub(super) animation: Animation,
    pub(super) materials: Materials,
    /// The models of the nodes of the clip, in its order.
    pub(super) nodes: Vec<Model>,
    /// The transforms of the nodes without curves, which a take may replace.
    locals: Vec<Transform>,
    pub(super) root: Model,
    hidden: Vec<bool>,
    bind_pose: Vec<Model>,
    /// The nodes whose bind pose comes from a skin.
    skinned: HashSet<usize>,
    pub(super) precision: PositionPrecision,
    /// The allowed error of linear angles between two keys, in radians.
    angle_tolerance: f64,
    max_angle_error: f64,
}

impl<'a> Builder<'a> {
    pub(super) fn new(job: &'a Job<'a>, origin: DVec3) -> Self {
        let mut scene = Scene::new(job.path);
        let (root, layer) = (scene.reserve_id(), scene.reserve_id());
        let mut builder = Self {
            job,
            scene,
            animation: Animation::new(layer, job.from),
            materials: Materials::default(),
            nodes: Vec::new(),
            locals: Vec::new(),
            root: Model { id: root, bind: DAffine3::from_translation(origin) },
            hidden: Vec::new(),
            bind_pose: Vec::new(),
            skinned: HashSet::new(),
            precision: PositionPrecision::default(),
            angle_tolerance: curve_thinning(job)
                .map_or(euler::TOLERANCE, |bounds| bounds.angle().max(euler::TOLERANCE)),
            max_angle_error: 0.0,
        };
        builder.bind_pose.push(builder.root);
        builder.add_model(&NewModel {
            id: root,
            name: &clean_name(job.title, "recording"),
            kind: ModelKind::Null,
            parent: SCENE_ROOT,
            local: Transform { translation: origin, ..Transform::IDENTITY },
            attribute: Vec::new(),
        });
        builder
    }

    pub(super) fn is_hidden(&self, node: NodeId) -> bool {
        self.hidden[node.index()]
    }

    /// Adds the nodes of the clip with their motion.
    pub(super) fn add_nodes(
        &mut self,
        motions: &mut Motions<'_>,
        origin: DVec3,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let clip = self.job.clip;
        let names = self.node_names(report);
        let has_rest_pose = clip.has_rest_pose();
        let viewer_from_source = clip.convention.viewer_from_source();
        let ids: Vec<ObjectId> = clip.nodes.iter().map(|_| self.scene.reserve_id()).collect();
        let mut rests = Vec::with_capacity(ids.len());
        let tolerance = self.angle_tolerance;
        trace_nodes(clip, motions, origin, tolerance, progress, |id, (mut motion, angles)| {
            let node = &clip.nodes[id];
            self.record_positions(&motion);
            let first = motion.first_transform();
            let mut rest = match has_rest_pose {
                true => {
                    let rest = viewer_from_source.convert_transform(&node.rest);
                    let local_origin = if node.parent.is_none() { origin } else { DVec3::ZERO };
                    Transform { translation: rest.translation - local_origin, ..rest }
                }
                false => first,
            };
            let local = if has_rest_pose { motion.rest_unless_constant(rest) } else { first };
            if !motion.translation.is_constant() && is_on_y_axis(rest.translation) {
                rest.translation.x += AXIS_GAP_M;
            }
            rests.push(rest);
            let never_drawn = node.motion.visibility == NodeVisibility::Never;
            let is_hidden = !never_drawn && motion.is_never_shown();
            self.hidden.push(is_hidden);
            self.locals.push(local);
            let parent = node.parent.map_or(self.root.id, |parent| ids[parent.index()]);
            self.add_model(&NewModel {
                id: ids[id.index()],
                name: &names[id.index()],
                kind: model_kind(node.kind),
                parent,
                local,
                attribute: Vec::new(),
            });
            if never_drawn {
                motion.shown = KeyedCurve::constant(true);
            }
            self.animate_with_angles(ids[id.index()], &motion, angles, None);
            Ok(self.scene.spool_arrays()?)
        })?;
        self.nodes = ids.iter().map(|&id| Model { id, bind: DAffine3::IDENTITY }).collect();
        for &id in clip.nodes.parents_first() {
            let parent = clip.nodes[id].parent;
            let parent = parent.map_or(self.root.bind, |parent| self.nodes[parent.index()].bind);
            self.nodes[id.index()].bind = parent * to_bind_transform(&rests[id.index()]);
        }
        Ok(())
    }

    /// Begins another take, and adds the motion of the nodes of its recording. The models are those of
    /// [`Self::add_nodes`], with the same `origin`.
    pub(super) fn add_take_of_nodes(
        &mut self,
        job: &Job<'_>,
        motions: &mut Motions<'_>,
        origin: DVec3,
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let layer = self.scene.reserve_id();
        self.animation.begin_take(layer, job.from);
        let clip = job.clip;
        let tolerance = self.angle_tolerance;
        trace_nodes(clip, motions, origin, tolerance, progress, |id, (mut motion, angles)| {
            self.record_positions(&motion);
            if clip.nodes[id].motion.visibility == NodeVisibility::Never {
                motion.shown = KeyedCurve::constant(true);
            }
            let local = self.locals[id.index()];
            self.animate_with_angles(self.nodes[id.index()].id, &motion, angles, Some(local));
            Ok(self.scene.spool_arrays()?)
        })
    }

    fn record_positions(&mut self, motion: &NodeMotion) {
        let keys = motion.translation.keys().iter();
        keys.for_each(|key| self.precision.record_position(key.value));
    }

    fn node_names(&self, report: &mut Report) -> Vec<String> {
        let own = || self.job.clip.nodes.iter().map(|node| node.name.as_str());
        let invalid: Vec<&str> = own().filter(|name| name.contains(char::is_control)).collect();
        if let Some(first) = invalid.first() {
            let names = format_count(invalid.len(), "name");
            report.warning_with_code(
                codes::NAMES_CHANGED,
                format!(
                    "{names} of nodes changed, because FBX cannot hold control characters: {first:?} \
                     is {:?}",
                    clean_name(first, "node")
                ),
            );
        }
        names::clean_and_deduplicate(own(), '.', |name| clean_name(name, "node"), report)
    }

    /// Adds a model and its attribute, without motion.
    pub(super) fn add_model(&mut self, model: &NewModel<'_>) {
        let NewModel { id, name, kind, parent, local, ref attribute } = *model;
        let Transform { translation, rotation, scale } = match local.is_finite() {
            true => local,
            false => Transform::IDENTITY,
        };
        let angles = to_degrees(nearest_angles(EulerOrder::Xyz, rotation, DVec3::ZERO));
        let mut properties = Properties::default();
        properties.add_enum("InheritType", INHERIT_FULL_SCALE);
        properties.add_integer("DefaultAttributeIndex", 0);
        let vectors = [
            ("Lcl Translation", translation * CENTIMETRES_PER_METRE),
            ("Lcl Rotation", angles),
            ("Lcl Scaling", scale),
        ];
        for (name, vector) in vectors {
            properties.add(name, [name, "", "A"], vector.to_array());
        }
        properties.add("Visibility", ["Visibility", "", "A"], [1.0]);
        let class = ObjectClass::new("Model", "Model", kind.subtype());
        let elements = vec![
            element("Version", 232),
            properties.into_element(),
            element("Shading", true),
            element("Culling", "CullingOff"),
        ];
        self.scene.add_with_id(id, class, name, elements);
        self.scene.connect(id, parent);
        let class = ObjectClass::new("NodeAttribute", "NodeAttribute", kind.subtype());
        let elements = match kind {
            ModelKind::Mesh => return,
            ModelKind::Null => vec![element("TypeFlags", "Null")],
            ModelKind::Bone => vec![element("TypeFlags", "Skeleton")],
            ModelKind::Camera => Vec::new(),
        };
        let elements = elements.into_iter().chain(attribute.iter().cloned()).collect();
        let attribute = self.scene.add(class, name, elements);
        self.scene.connect(attribute, id);
    }

    /// Adds the curves of a model. The model has a scale of 0 while it is hidden, because some
    /// programs ignore visibility.
    pub(super) fn animate(&mut self, id: ObjectId, motion: &NodeMotion) {
        self.animate_with_angles(id, motion, linear_angles(motion, self.angle_tolerance), None);
    }

    /// Adds the curves of a model. A channel that does not move gets a curve only if its value is not
    /// that of `local`, the transform of the model. `None` if the model has the constant values.
    fn animate_with_angles(
        &mut self,
        id: ObjectId,
        motion: &NodeMotion,
        angles: Option<LinearAngles>,
        local: Option<Transform>,
    ) {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        let local = local.unwrap_or(motion.first_transform());
        let (animation, scene) = (&mut self.animation, &mut self.scene);
        if !translation.is_constant() || translation.first_value() != local.translation {
            let centimetres = |point: DVec3| (point * CENTIMETRES_PER_METRE).to_array();
            animation.add(&AnimatedProperty::translation(id), translation, centimetres, scene);
        }
        let other_rotation = || {
            (rotation.first_value() != local.rotation)
                .then(|| to_linear_angles(rotation, EulerOrder::Xyz, self.angle_tolerance))
        };
        if let Some(angles) = angles.or_else(other_rotation) {
            self.max_angle_error = self.max_angle_error.max(angles.max_error);
            let degrees = |angles: DVec3| to_degrees(angles).to_array();
            animation.add(&AnimatedProperty::rotation(id), &angles.curve, degrees, scene);
        }
        let scale = scale.zero_while_hidden(shown, self.job.time_steps);
        let is_always_shown = shown.is_constant() && shown.first_value();
        if !scale.is_constant() || !is_always_shown || scale.first_value() != local.scale {
            animation.add(&AnimatedProperty::scale(id), &scale, |it| it.to_array(), scene);
        }
        if !is_always_shown {
            let number = |is_shown: bool| [f64::from(u8::from(is_shown))];
            animation.add(&AnimatedProperty::visibility(id), shown, number, scene);
        }
    }

    /// Records a model for the bind pose.
    pub(super) fn add_to_bind_pose(&mut self, model: Model) {
        self.bind_pose.push(model);
    }

    /// Sets the bind pose of a node that a skin is bound to, unless an earlier skin did.
    pub(super) fn set_bind_pose(&mut self, node: usize, carrier: ObjectId, bind: DAffine3) {
        let bound = self.bind_pose.iter_mut().find(|model| model.id == carrier);
        match bound {
            Some(model) => model.bind = bind,
            None if self.skinned.insert(node) => self.nodes[node].bind = bind,
            None => {}
        }
    }

    /// Adds the bind pose.
    pub(super) fn finish_bind_pose(&mut self) {
        let models: Vec<Model> = self.bind_pose.iter().chain(&self.nodes).copied().collect();
        let mut elements = vec![
            element("Type", "BindPose"),
            element("Version", 100),
            element("NbPoseNodes", i32::try_from(models.len()).unwrap_or(i32::MAX)),
        ];
        elements.extend(models.iter().map(|model| {
            let matrix = element("Matrix", matrix_array(&model.bind));
            Element::block("PoseNode", vec![element("Node", model.id), matrix])
        }));
        self.scene.add(POSE, "bind pose", elements);
    }

    /// Ends the current take.
    pub(super) fn finish_take(&mut self, Take { name, stop }: &Take) {
        let class = ObjectClass::new("AnimationStack", "AnimStack", "");
        let stack = self.scene.add(class, name, vec![super::header::take_properties(*stop)]);
        let layer = self.animation.layer;
        self.scene.add_with_id(layer, LAYER, "BaseLayer", Vec::new());
        self.scene.connect(layer, stack);
    }

    pub(super) fn report(&self, report: &mut Report) {
        self.precision.report("FBX", report);
        if self.max_angle_error > 0.0 {
            report.warning(format!(
                "angles are up to {:.2e} rad off between keys, where they turn too suddenly to follow",
                self.max_angle_error
            ));
        }
        if self.animation.clamped_count > 0 {
            report.warning_with_code(
                codes::VALUE_OUT_OF_RANGE,
                format!(
                    "{} of curves too large for f32, which FBX stores; clamped",
                    format_count(self.animation.clamped_count, "value")
                ),
            );
        }
    }
}

/// Passes the motion of each node to `take`, with its angles within `tolerance`. Nodes without a
/// parent are relative to `origin`.
fn trace_nodes(
    clip: &Clip,
    motions: &mut Motions<'_>,
    origin: DVec3,
    tolerance: f64,
    progress: &mut Progress<'_>,
    take: impl FnMut(NodeId, (NodeMotion, Option<LinearAngles>)) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let nodes: Vec<NodeId> = clip.nodes.with_ids().map(|(id, _)| id).collect();
    let convert = |id: NodeId, mut motion: NodeMotion| {
        if clip.nodes[id].parent.is_none() && origin != DVec3::ZERO {
            motion.translation = motion.translation.map(|point| point - origin);
        }
        let angles = linear_angles(&motion, tolerance);
        Ok((motion, angles))
    };
    motions.convert_nodes(&nodes, progress, convert, take)
}

/// Returns the angles of a rotation within `tolerance`, or `None` if the rotation never changes.
fn linear_angles(motion: &NodeMotion, tolerance: f64) -> Option<LinearAngles> {
    (!motion.rotation.is_constant()).then(|| {
        let turned = motion.rotation.with_max_turn(MAX_TURN_RAD, MIN_INSERTED_GAP_S);
        to_linear_angles(&turned, EulerOrder::Xyz, tolerance)
    })
}

fn is_on_y_axis(offset: DVec3) -> bool {
    offset.y > 0.0 && offset.x.abs() < AXIS_GAP_M && offset.z.abs() < AXIS_GAP_M
}

fn model_kind(kind: NodeKind) -> ModelKind {
    if kind.is_skeleton_part() { ModelKind::Bone } else { ModelKind::Null }
}

pub(super) fn to_degrees(angles: DVec3) -> DVec3 {
    angles.map(f64::to_degrees)
}

/// Converts a rest transform to an invertible matrix.
pub(super) fn to_bind_transform(rest: &Transform) -> DAffine3 {
    let rest = if rest.is_finite() { rest } else { &Transform::IDENTITY };
    let scale = rest.scale.map(|part| if part.abs() < MIN_BIND_SCALE { 1.0 } else { part });
    DAffine3::from_scale_rotation_translation(scale, rest.rotation.normalize(), rest.translation)
}

/// Returns a transform in metres as the 16 numbers of a matrix in centimetres, column by column.
pub(super) fn matrix_array(transform: &DAffine3) -> Array {
    let matrix =
        DAffine3 { translation: transform.translation * CENTIMETRES_PER_METRE, ..*transform };
    Array::of_f64(&glam::DMat4::from(matrix).to_cols_array())
}
