//! Creates the parts of a mannequin, which replaces the joints and bones of a human body.

use glam::{DMat3, DQuat, DVec3};

use mutoscope_core::{
    clip::{Clip, HumanBone, HumanBones, NodeId, NodeKind, Pose, Side, Transform},
    retarget::{find_bodies, find_body_without_parents},
};

use super::{
    mannequin_body::ReferenceBody,
    mannequin_parts::create_parts,
    solid::{RoundCone, SolidSurface},
};

/// The mannequins of all human bodies in a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mannequins {
    /// The parts of all mannequins.
    pub parts: Vec<MannequinPart>,
    covered: Box<[bool]>,
}

/// A rigid part of a mannequin.
#[derive(Clone, Debug, PartialEq)]
pub struct MannequinPart {
    /// The side of the body. `None` for the trunk and the head.
    pub side: Option<Side>,
    /// The positions of the surface, in metres in the space of the part: the joint is the origin,
    /// and Y points along the bone.
    pub positions: Vec<[f32; 3]>,
    /// The normals of the surface, in the space of the part.
    pub normals: Vec<[f32; 3]>,
    /// The triangles as indices of points, anticlockwise as seen from outside.
    pub triangles: Vec<u32>,
    /// The two spheres whose hull approximates the part, in the space of the part: centre and
    /// radius in metres.
    pub capsule: [([f32; 3], f32); 2],
    /// The way in which the part follows the joints.
    pub attachment: Attachment,
}

/// The way in which a part follows the joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// The joint at which the part begins.
    pub node: NodeId,
    /// The direction of the part's Y axis.
    pub along: PartDirection,
    /// The direction that the part's X axis has as far as its Y axis allows.
    pub hint: PartDirection,
    /// The joint at the end of the part, and its distance from the start in the reference pose, in
    /// metres. The part is stretched to reach the joint.
    pub end: Option<(NodeId, f64)>,
}

/// A direction that moves with the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartDirection {
    /// From one joint to another.
    Between([NodeId; 2]),
    /// A direction in the space of the part's joint.
    InNode(DVec3),
}

impl Mannequins {
    /// The number of times at which a clip is searched for a pose in which its bodies are upright.
    const SAMPLES: u32 = 9;

    /// Creates the mannequins of `clip`. The edges of their triangles are `coarseness` times as long
    /// as those that look smooth in a large window. The result is empty if the clip has its own meshes or
    /// figures, or if it has no human body.
    ///
    /// A body is human if it has hips, legs, arms and a head, and if in the rest pose, or at one of
    /// a few sampled times, the head and the feet are on opposite sides of the hips.
    pub fn from_clip(clip: &Clip, coarseness: f32) -> Self {
        let has_figures = clip.procedural.as_ref().is_some_and(|one| !one.bodies().is_empty());
        if has_figures || clip.model().is_some() {
            return Self::default();
        }
        let mut mannequins =
            Self { parts: Vec::new(), covered: vec![false; clip.nodes.len()].into() };
        for bones in find_bodies(clip).into_iter().chain(find_body_without_parents(&clip.nodes)) {
            if let Some(body) = reference_body(clip, &bones) {
                mannequins.parts.append(&mut create_parts(clip, &body, coarseness));
                cover_nodes(clip, &body, &mut mannequins.covered);
            }
        }
        mannequins
    }

    /// Returns `true` if a mannequin replaces the joint of `node` and the bone that ends there.
    pub fn covers(&self, node: NodeId) -> bool {
        self.covered.get(node.index()).copied().unwrap_or_default()
    }
}

impl MannequinPart {
    pub(super) fn new(
        attachment: Attachment,
        side: Option<Side>,
        reference: &Transform,
        surface: SolidSurface,
        capsule: RoundCone,
    ) -> Self {
        let to_part = reference.rotation.inverse().as_quat();
        let start = reference.translation.as_vec3();
        Self {
            side,
            positions: surface
                .points
                .iter()
                .map(|point| (to_part * (*point - start)).to_array())
                .collect(),
            normals: surface.normals.iter().map(|normal| (to_part * *normal).to_array()).collect(),
            triangles: surface.triangles,
            capsule: capsule.map(|end| ((to_part * (end.centre - start)).to_array(), end.radius)),
            attachment,
        }
    }

    /// Returns the transform from the space of the part to the viewer's space, or `None` if a joint
    /// has no finite position, or if the part has no direction.
    pub fn transform(&self, pose: &Pose) -> Option<Transform> {
        self.attachment.transform(|node| pose.nodes.get(node.index()).map(|node| node.world))
    }
}

impl Attachment {
    pub(super) fn transform(
        &self,
        world: impl Fn(NodeId) -> Option<Transform>,
    ) -> Option<Transform> {
        let world = |node: NodeId| world(node).filter(Transform::is_finite);
        let start = world(self.node)?;
        let resolve = |direction: PartDirection| match direction {
            PartDirection::Between([from, to]) => {
                Some(world(to)?.translation - world(from)?.translation)
            }
            PartDirection::InNode(direction) => Some(start.rotation * direction),
        };
        let along = resolve(self.along)?.try_normalize()?;
        let stretch = match self.end {
            Some((end, length)) => world(end)?.translation.distance(start.translation) / length,
            None => 1.0,
        };
        Some(Transform {
            translation: start.translation,
            rotation: rotation_along(along, resolve(self.hint)?),
            scale: DVec3::new(1.0, stretch, 1.0),
        })
    }
}

/// Returns the rotation that turns Y into the unit vector `along`, and X as far as possible into
/// `hint`.
fn rotation_along(along: DVec3, hint: DVec3) -> DQuat {
    let across = hint.reject_from_normalized(along).try_normalize();
    let across = across.unwrap_or_else(|| along.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(across, along, across.cross(along)))
}

pub(super) fn reference_body(clip: &Clip, bones: &HumanBones) -> Option<ReferenceBody> {
    let mut pose = Pose::default();
    clip.sample_rest_pose(&mut pose);
    let mut body = ReferenceBody::from_pose(bones, &pose);
    let mut rotates = false;
    let mut first: Option<Vec<DQuat>> = None;
    let mut lowest_toes = f64::INFINITY;
    for index in 0..Mannequins::SAMPLES {
        let share = f64::from(index) / f64::from(Mannequins::SAMPLES - 1);
        clip.sample(clip.span.start + clip.span.duration * share, &mut pose);
        body = body.or_else(|| ReferenceBody::from_pose(bones, &pose));
        let toes = [HumanBone::LeftToes, HumanBone::RightToes].map(|bone| bones.get(bone));
        for height in toes.into_iter().flatten().map(|toes| pose[toes].world.translation.y) {
            lowest_toes = lowest_toes.min(height);
        }
        let rotations: Vec<DQuat> =
            bones.iter().map(|(_, node)| pose[node].world.rotation).collect();
        let first = first.get_or_insert_with(|| rotations.clone());
        rotates |= first.iter().zip(&rotations).any(|(a, b)| a.dot(*b).abs() < 1.0 - 1e-9);
    }
    let mut body = body?;
    body.rotates = rotates;
    body.fit_soles(lowest_toes);
    Some(body)
}

/// Marks the joints of a body as covered: its bones, the joints between them, and short branches,
/// such as the ends of feet. Longer branches, such as a tail or a sword, are not part of the body.
fn cover_nodes(clip: &Clip, body: &ReferenceBody, covered: &mut [bool]) {
    /// The maximum length of a covered branch, in metres for a person of average height.
    const MAX_BRANCH_M: f32 = 0.24;
    let Some(hips) = body.hips() else { return };
    let mut is_bone = vec![false; clip.nodes.len()];
    for (_, node) in body.bones.iter() {
        let mut ancestors = std::iter::successors(Some(node), |id| clip.nodes[*id].parent);
        let path = ancestors.by_ref().take_while(|id| *id != hips);
        path.for_each(|id| is_bone[id.index()] = true);
    }
    is_bone[hips.index()] = true;
    // The joint of the body from which each branch leaves.
    let mut branch: Vec<Option<NodeId>> = vec![None; clip.nodes.len()];
    let mut is_long = vec![false; clip.nodes.len()];
    let parents_first = clip.nodes.parents_first();
    for &id in parents_first {
        let Some(parent) = clip.nodes[id].parent.filter(|_| !is_bone[id.index()]) else { continue };
        let start = if is_bone[parent.index()] { Some(parent) } else { branch[parent.index()] };
        branch[id.index()] = start;
        is_long[id.index()] = start.is_some_and(|start| {
            body.distance(start, id).is_none_or(|length| length > MAX_BRANCH_M * body.unit)
        });
    }
    for &id in parents_first.iter().rev() {
        if let Some(parent) = clip.nodes[id].parent.filter(|_| is_long[id.index()]) {
            is_long[parent.index()] |= branch[parent.index()].is_some();
        }
    }
    for (id, node) in clip.nodes.with_ids() {
        let index = id.index();
        let is_short_branch = branch[index].is_some()
            && !is_long[index]
            && matches!(node.kind, NodeKind::Joint | NodeKind::Tip);
        covered[index] |= is_bone[index] || is_short_branch;
    }
}
