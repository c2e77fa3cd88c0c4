//! Applies the options that change the motion of a clip.

use std::{borrow::Cow, cell::RefCell, sync::Arc};

use glam::{DQuat, DVec3};

use super::{ExportError, ExportOptions, InPlace, MotionOptions, RestPose, codes};
use crate::{
    clip::{
        Clip, ExportModel, FigureMotion, Humanoid, Model, Motion, Node, NodeId, NodeKind, Nodes,
        Pose, ProceduralAnimation, Skeleton, Transform, View, ViewerFromSource,
    },
    diagnostics::Diagnostics,
    retarget,
};

/// Returns the clip with the motion that `options` ask for: the clip itself if they change nothing.
///
/// The nodes, tracks and signals are those of `clip`. With [`InPlace::Root`], a root node follows
/// them.
///
/// # Errors
/// Fails if the options contradict each other, or if the clip has no root or no humanoid body for
/// them.
pub(super) fn adjust_clip<'a>(
    clip: &'a Clip,
    options: &ExportOptions,
) -> Result<Cow<'a, Clip>, ExportError> {
    let motion_options = &options.motion;
    let speed = motion_options.speed;
    if speed != 1.0 {
        let retimed = change_speed(clip, speed);
        return match adjust_space(&retimed, options)? {
            Cow::Borrowed(_) => Ok(Cow::Owned(retimed)),
            Cow::Owned(adjusted) => Ok(Cow::Owned(adjusted)),
        };
    }
    adjust_space(clip, options)
}

fn change_speed(clip: &Clip, speed: f64) -> Clip {
    let mut retimed = clip.clone();
    retimed.scale_time(1.0 / speed);
    retimed.rate_hz = clip.rate_hz.map(|rate_hz| rate_hz * speed);
    retimed
}

/// Returns the clip, whose speed is changed already, with other root motion, axes, rest pose and
/// lengths.
fn adjust_space<'a>(clip: &'a Clip, options: &ExportOptions) -> Result<Cow<'a, Clip>, ExportError> {
    let motion_options = &options.motion;
    if *motion_options
        == (MotionOptions { speed: motion_options.speed, ..MotionOptions::default() })
    {
        return Ok(Cow::Borrowed(clip));
    }
    let start = options.written_range().map_or(clip.span.start, |range| *range.start());
    let motion = AdjustedMotion::new(clip, motion_options, start)?;
    let mut nodes = clip.nodes.to_vec();
    if let Some(root) = motion.added_root {
        nodes.iter_mut().filter(|node| node.parent.is_none()).for_each(|node| {
            node.parent = Some(root);
        });
        nodes.push(new_root(clip));
    }
    let rest = match motion_options.rest {
        RestPose::Time(time) => RestPose::Time(time / motion_options.speed),
        other => other,
    };
    motion.set_rest_pose(&mut nodes, rest)?;
    let scale = motion.scale;
    let skeleton = match &clip.skeleton {
        Skeleton::WithModel(model) => Skeleton::WithModel(scale_model(model, scale)),
        Skeleton::Attached(attached) => {
            let mut attached = attached.clone();
            attached.model = scale_model(&attached.model, scale);
            Skeleton::Attached(attached)
        }
        other => other.clone(),
    };
    Ok(Cow::Owned(Clip {
        nodes: Nodes::new(nodes, &mut Diagnostics::new())
            .with_scale_inheritance(clip.nodes.scale_inheritance()),
        skeleton,
        procedural: Some(Arc::new(motion)),
        source_details: None,
        ..clip.clone()
    }))
}

fn new_root(clip: &Clip) -> Node {
    let is_used = clip.nodes.iter().any(|node| node.name.eq_ignore_ascii_case("root"));
    Node {
        name: if is_used { "root motion" } else { "root" }.to_owned(),
        group: None,
        parent: None,
        bone_from: None,
        kind: NodeKind::Helper,
        side: None,
        rest: Transform::IDENTITY,
        motion: Motion::default(),
    }
}

/// The motion of a clip with other root motion, axes and lengths.
#[derive(Debug)]
struct AdjustedMotion {
    source: Clip,
    viewer_from_source: ViewerFromSource,
    source_from_viewer: ViewerFromSource,
    /// The node whose root motion is removed, and its rotation at the start of the range.
    root: Option<(NodeId, DQuat)>,
    /// The node that gets the root motion.
    added_root: Option<NodeId>,
    /// The rotation from the viewer's axes to those of the file.
    axes: DQuat,
    scale: f64,
}

thread_local! {
    static POSE: RefCell<Pose> = RefCell::default();
}

impl AdjustedMotion {
    fn new(clip: &Clip, options: &MotionOptions, start: f64) -> Result<Self, ExportError> {
        let root = match options.in_place {
            InPlace::Keep => None,
            InPlace::Remove | InPlace::Root if clip.needs_skeleton() => {
                // Each node moves relative to a bone of its own skeleton, so none of them is a root.
                let message = "the recording has no hierarchy without its skeleton, so there is no \
                               root motion; nothing written. Attach the skeleton with --rig";
                return Err(ExportError::refused(codes::NO_ROOT_MOTION, message));
            }
            InPlace::Remove | InPlace::Root => {
                let node = clip.root_motion_node().ok_or_else(|| {
                    let message = "no node moves, so there is no root motion; nothing written";
                    ExportError::refused(codes::NO_ROOT_MOTION, message)
                })?;
                let mut pose = Pose::default();
                clip.sample_motion(start, &mut pose);
                Some((node, pose[node].world.rotation))
            }
        };
        let has_added_root = options.in_place == InPlace::Root;
        let viewer_from_source = clip.convention.viewer_from_source();
        Ok(Self {
            source: clip.clone(),
            viewer_from_source,
            source_from_viewer: viewer_from_source.inverse(),
            root,
            added_root: has_added_root.then(|| NodeId::new(clip.nodes.len())),
            axes: options.axes_rotation()?,
            scale: options.scale,
        })
    }

    /// Returns the root motion: the horizontal movement and the heading of the root node.
    fn root_motion(&self, pose: &Pose) -> Transform {
        let Some((node, start_rotation)) = self.root else { return Transform::IDENTITY };
        let world = pose[node].world;
        let translation = DVec3::new(world.translation.x, 0.0, world.translation.z);
        let rotation = twist_about_y(world.rotation * start_rotation.conjugate());
        let motion = Transform { translation, rotation, scale: DVec3::ONE };
        if motion.is_finite() { motion } else { Transform::IDENTITY }
    }

    /// Returns the transform in the file of a node without a parent in the source.
    fn place_root(&self, root_motion: &Transform, local: &Transform) -> Transform {
        let back = root_motion.rotation.conjugate();
        let without_root_motion = Transform {
            translation: back * (local.translation - root_motion.translation),
            rotation: back * local.rotation,
            scale: local.scale,
        };
        match self.added_root {
            Some(_) => self.scale_lengths(&without_root_motion),
            None => self.to_file_axes(&without_root_motion),
        }
    }

    fn to_file_axes(&self, world: &Transform) -> Transform {
        self.scale_lengths(&Transform {
            translation: self.axes * world.translation,
            rotation: (self.axes * world.rotation).normalize(),
            scale: world.scale,
        })
    }

    fn scale_lengths(&self, local: &Transform) -> Transform {
        Transform { translation: local.translation * self.scale, ..*local }
    }

    /// Calls `set` with the transform of each node in the viewer's space.
    fn pose_nodes(&self, pose: &Pose, set: &mut dyn FnMut(NodeId, Transform, bool)) {
        let root_motion = self.root_motion(pose);
        for (id, node) in self.source.nodes.with_ids() {
            let local = match node.parent {
                Some(_) => self.scale_lengths(&pose[id].local),
                None => self.place_root(&root_motion, &pose[id].local),
            };
            set(id, local, pose[id].is_visible);
        }
        if let Some(root) = self.added_root {
            set(root, self.to_file_axes(&root_motion), true);
        }
    }

    /// Sets the rest transforms of `nodes`, which are those of the source and the added root.
    fn set_rest_pose(&self, nodes: &mut [Node], rest: RestPose) -> Result<(), ExportError> {
        let mut set = |id: NodeId, local: Transform| {
            nodes[id.index()].rest = self.source_from_viewer.convert_transform(&local);
        };
        let mut pose = Pose::default();
        match rest {
            RestPose::Time(time) => {
                self.source.sample_motion(time, &mut pose);
                self.pose_nodes(&pose, &mut |id, local, _| set(id, local));
                return Ok(());
            }
            RestPose::File => self.source.sample_rest_pose(&mut pose),
            RestPose::TPose => {
                let locals = retarget::t_pose(&self.source).map_err(|error| {
                    let message = format!("{error}; nothing written");
                    ExportError::refused(codes::NO_HUMANOID, message)
                })?;
                self.source.sample_rest_pose(&mut pose);
                pose.nodes.iter_mut().zip(locals).for_each(|(node, local)| node.local = local);
            }
        }
        for (id, node) in self.source.nodes.with_ids() {
            let local = pose[id].local;
            let is_root = node.parent.is_none() && self.added_root.is_none();
            set(id, if is_root { self.to_file_axes(&local) } else { self.scale_lengths(&local) });
        }
        if let Some(root) = self.added_root {
            set(root, self.to_file_axes(&Transform::IDENTITY));
        }
        Ok(())
    }
}

impl ProceduralAnimation for AdjustedMotion {
    fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
        let mut pose = POSE.take();
        self.source.sample_motion(time, &mut pose);
        self.pose_nodes(&pose, &mut |id, local, is_visible| {
            set(id, self.source_from_viewer.convert_transform(&local), is_visible);
        });
        POSE.replace(pose);
    }

    fn export_model(&self) -> Option<ExportModel> {
        let mut export = self.source.procedural.as_ref()?.export_model()?;
        if self.scale == 1.0 {
            return Some(export);
        }
        export.model = scaled_model(&export.model, self.scale);
        let surfaces = export.meshes.iter_mut().flat_map(|mesh| &mut mesh.surfaces);
        surfaces.for_each(|surface| scale_points(&mut surface.positions, self.scale));
        for figure in &mut export.figures {
            figure.parts.iter_mut().for_each(|part| part.rest.translation *= self.scale);
            let (motion, scale) = (figure.motion.clone(), self.scale);
            figure.motion = Arc::new(ScaledFigure { motion, scale });
        }
        Some(export)
    }

    fn views(&self) -> Vec<View> {
        self.source.views()
    }

    fn view_transform(&self, view: usize, time: f64) -> Transform {
        let mut pose = POSE.take();
        let world = self.source.view_transform(view, time);
        let world = self.adjust_world(&world, time, &mut pose);
        POSE.replace(pose);
        self.source_from_viewer.convert_transform(&world)
    }

    fn bodies(&self) -> Vec<Humanoid> {
        self.source.procedural.as_ref().map(|motion| motion.bodies()).unwrap_or_default()
    }

    fn body_transform(&self, hips: NodeId, time: f64) -> Option<Transform> {
        let world = self.source.procedural.as_ref()?.body_transform(hips, time)?;
        let mut pose = POSE.take();
        let world = self.viewer_from_source.convert_transform(&world);
        let world = self.adjust_world(&world, time, &mut pose);
        POSE.replace(pose);
        Some(self.source_from_viewer.convert_transform(&world))
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        self.added_root.or_else(|| self.source.root_motion_node())
    }
}

impl AdjustedMotion {
    /// Returns a world transform as it is after the root motion is removed, in the file's axes.
    fn adjust_world(&self, world: &Transform, time: f64, pose: &mut Pose) -> Transform {
        if self.root.is_none() || self.added_root.is_some() {
            return self.to_file_axes(world);
        }
        self.source.sample_motion(time, pose);
        self.place_root(&self.root_motion(pose), world)
    }
}

/// Returns the part of `rotation` about Y, or the identity if the rotation turns Y upside down, so
/// that it has no such part.
fn twist_about_y(rotation: DQuat) -> DQuat {
    const MIN_TWIST_LENGTH: f64 = 1e-6;
    let length = rotation.y.hypot(rotation.w);
    if length < MIN_TWIST_LENGTH {
        return DQuat::IDENTITY;
    }
    DQuat::from_xyzw(0.0, rotation.y / length, 0.0, rotation.w / length)
}

/// The parts of a figure, with scaled lengths.
#[derive(Debug)]
struct ScaledFigure {
    motion: Arc<dyn FigureMotion>,
    scale: f64,
}

impl FigureMotion for ScaledFigure {
    fn is_visible(&self, time: f64) -> bool {
        self.motion.is_visible(time)
    }

    fn pose_parts(&self, time: f64, set: &mut dyn FnMut(usize, Transform, bool)) {
        self.motion.pose_parts(time, &mut |part, local, is_visible| {
            let translation = local.translation * self.scale;
            set(part, Transform { translation, ..local }, is_visible);
        });
    }
}

fn scale_model(model: &Arc<Model>, scale: f64) -> Arc<Model> {
    if scale == 1.0 { model.clone() } else { Arc::new(scaled_model(model, scale)) }
}

fn scaled_model(model: &Model, scale: f64) -> Model {
    let mut model = model.clone();
    for piece in &mut model.pieces {
        scale_points(&mut piece.positions, scale);
        let targets = &mut piece.morph_targets;
        targets.iter_mut().for_each(|target| scale_points(&mut target.positions, scale));
        let matrices = piece.skin.iter_mut().flat_map(|skin| &mut skin.inverse_bind);
        matrices.for_each(|matrix| {
            let translation = matrix.w_axis.truncate() * scale as f32;
            matrix.w_axis = translation.extend(matrix.w_axis.w);
        });
    }
    model
}

fn scale_points(points: &mut [[f32; 3]], scale: f64) {
    points.as_flattened_mut().iter_mut().for_each(|number| *number *= scale as f32);
}
