//! Creates the solids of a mannequin in the reference pose of a body.
//!
//! Joints define where the limbs are, but not their thickness. The radii are those of an adult who
//! is 1.75 m tall, in metres, and are scaled with the body.

use glam::Vec3;

use mutoscope_core::clip::{Clip, HumanBone, NodeId, NodeKind, Side};

use super::{
    mannequin::{Attachment, MannequinPart, PartDirection},
    mannequin_body::ReferenceBody,
    mannequin_hands::add_hand,
    solid::{ConeEnd, Cut, RoundCone, Solid},
};

/// Radii along a limb: the position from 0 (the start) to 1 (the end), and the radius.
type Profile = [(f32, f32)];

const THIGH: &Profile = &[(0.0, 0.082), (0.3, 0.077), (0.75, 0.058), (1.0, 0.052)];
const SHANK: &Profile = &[(0.0, 0.051), (0.28, 0.055), (0.7, 0.04), (1.0, 0.034)];
const UPPER_ARM: &Profile = &[(0.0, 0.054), (0.3, 0.05), (0.8, 0.039), (1.0, 0.038)];
const FOREARM: &Profile = &[(0.0, 0.038), (0.25, 0.041), (0.75, 0.03), (1.0, 0.026)];
const SHOULDER: &Profile = &[(0.0, 0.045), (1.0, 0.054)];
const NECK: &Profile = &[(0.0, 0.056), (0.5, 0.051), (1.0, 0.053)];

/// The trunk consists of two columns of spheres, one for each side. The position is from 0 (the hip
/// joints) to 1 (the neck).
const TRUNK_RADII: &Profile = &[
    (0.0, 0.088),
    (0.12, 0.09),
    (0.28, 0.079),
    (0.42, 0.073),
    (0.58, 0.079),
    (0.74, 0.085),
    (0.87, 0.073),
    (0.98, 0.058),
];
/// The distance of a column from the middle of the trunk, in metres.
const TRUNK_HALF_WIDTHS: &Profile = &[
    (0.0, 0.068),
    (0.12, 0.066),
    (0.28, 0.054),
    (0.42, 0.05),
    (0.58, 0.057),
    (0.74, 0.07),
    (0.87, 0.078),
    (0.98, 0.034),
];
/// The distance of a column in front of the line from the hip joints to the neck, in metres.
const TRUNK_FRONTS: &Profile =
    &[(0.0, -0.006), (0.12, -0.008), (0.42, 0.002), (0.74, 0.004), (0.98, -0.01)];
/// The ranges of the pelvis, the belly and the chest. They overlap, so that the trunk has no gaps
/// when it bends.
const TRUNK_RANGES: [[f32; 2]; 3] = [[0.0, 0.3], [0.26, 0.6], [0.56, 0.98]];
/// The distances between the hip joints and between the shoulder joints for which the trunk is
/// made, in metres.
const HIP_WIDTH_M: f32 = 0.18;
const SHOULDER_WIDTH_M: f32 = 0.36;

/// The lengths of limbs for which the radii are made, in metres.
const LEG_BONE_M: f32 = 0.43;
const ARM_BONE_M: f32 = 0.28;

const ANKLE_HEIGHT_M: f32 = 0.085;
/// The length of a foot from the ankle to the ball, and the length of the toes, in metres.
const INSTEP_M: f32 = 0.13;
const TOES_M: f32 = 0.065;

pub(super) fn create_parts(
    clip: &Clip,
    body: &ReferenceBody,
    coarseness: f32,
) -> Vec<MannequinPart> {
    let mut builder = PartBuilder { clip, body, coarseness, parts: Vec::new() };
    builder.add_trunk();
    builder.add_head();
    for side in [Side::Left, Side::Right] {
        builder.add_leg(side);
        builder.add_arm(side);
        add_hand(&mut builder, side);
    }
    builder.parts
}

pub(super) struct PartBuilder<'a> {
    clip: &'a Clip,
    pub(super) body: &'a ReferenceBody,
    coarseness: f32,
    parts: Vec<MannequinPart>,
}

/// The bones of a limb, from the trunk outwards.
struct LimbBones {
    root: HumanBone,
    upper: HumanBone,
    lower: HumanBone,
    end: HumanBone,
}

impl LimbBones {
    fn leg(side: Side) -> Self {
        use HumanBone as B;
        let [upper, lower, end] = match side {
            Side::Left => [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
            Side::Right => [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
        };
        Self { root: B::Hips, upper, lower, end }
    }

    fn arm(side: Side) -> Self {
        use HumanBone as B;
        let [root, upper, lower, end] = match side {
            Side::Left => [B::LeftShoulder, B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
            Side::Right => [B::RightShoulder, B::RightUpperArm, B::RightLowerArm, B::RightHand],
        };
        Self { root, upper, lower, end }
    }
}

impl PartBuilder<'_> {
    /// Adds a part. In a large window, its surface looks smooth with triangles of the size `step`, in
    /// metres.
    pub(super) fn add(
        &mut self,
        attachment: Attachment,
        side: Option<Side>,
        solid: &Solid,
        step: f32,
        capsule: RoundCone,
    ) {
        /// The maximum number of triangles along an edge of the bounding box.
        const MAX_STEPS: f32 = 64.0;
        let Some(reference) = attachment.transform(|node| self.body.world(node)) else { return };
        let [min, max] = solid.bounds();
        let step = (self.coarseness * step).max((max - min).max_element() / MAX_STEPS);
        if step.is_finite() && step > 0.0 {
            let surface = solid.surface(step);
            self.parts.push(MannequinPart::new(attachment, side, &reference, surface, capsule));
        }
    }

    /// Returns a direction that moves with a joint. If joints do not rotate, the direction between
    /// two other joints is used.
    pub(super) fn direction(
        &self,
        node: NodeId,
        direction: Vec3,
        otherwise: [NodeId; 2],
    ) -> PartDirection {
        match self.body.world(node).filter(|_| self.body.rotates) {
            Some(world) => PartDirection::InNode(world.rotation.inverse() * direction.as_dvec3()),
            None => PartDirection::Between(otherwise),
        }
    }

    fn across(&self, [left, right]: [HumanBone; 2]) -> Option<[NodeId; 2]> {
        Some([self.body.node(left)?, self.body.node(right)?])
    }

    fn across_legs(&self) -> Option<[NodeId; 2]> {
        self.across([HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg])
    }

    pub(super) fn across_arms(&self) -> Option<[NodeId; 2]> {
        self.across([HumanBone::LeftUpperArm, HumanBone::RightUpperArm])
    }

    /// Adds a part between two joints.
    pub(super) fn add_limb(
        &mut self,
        joints: [NodeId; 2],
        side: Option<Side>,
        radii: impl Fn(f32) -> f32,
    ) -> Option<()> {
        let [start, end] = joints;
        let ends = [self.body.position(start)?, self.body.position(end)?];
        self.add_between(joints, ends, side, radii)
    }

    /// Adds a part that follows two joints, with a surface between two points.
    fn add_between(
        &mut self,
        [start, end]: [NodeId; 2],
        [from, to]: [Vec3; 2],
        side: Option<Side>,
        radii: impl Fn(f32) -> f32,
    ) -> Option<()> {
        const CONES: usize = 6;
        let body = self.body;
        let length = body.distance(start, end)?;
        // A joint may be at its parent, for example if a file has one joint for each rotation axis.
        if length < 0.01 * body.unit {
            return None;
        }
        let cone_end = |index: usize| {
            let share = index as f32 / CONES as f32;
            ConeEnd { centre: from.lerp(to, share), radius: radii(share) }
        };
        let cones: Vec<RoundCone> =
            (0..CONES).map(|index| [cone_end(index), cone_end(index + 1)]).collect();
        let thinnest =
            (0..=CONES).map(|index| cone_end(index).radius).fold(f32::INFINITY, f32::min);
        let along = (body.position(end)? - body.position(start)?) / length;
        let hint = if along.dot(body.front).abs() < 0.8 { body.front } else { body.up };
        let attachment = Attachment {
            node: start,
            along: PartDirection::Between([start, end]),
            hint: self.direction(start, hint, self.across_legs()?),
            end: Some((end, f64::from(length))),
        };
        let solid = Solid { groups: vec![cones], blend: 0.5 * thinnest, cut: None };
        self.add(attachment, side, &solid, 0.4 * thinnest, [cone_end(0), cone_end(CONES)]);
        Some(())
    }

    /// Adds a part between two bones. `typical` is the length for which `profile` is made.
    fn add_bone(
        &mut self,
        [start, end]: [HumanBone; 2],
        side: Option<Side>,
        profile: &Profile,
        typical: f32,
    ) -> Option<()> {
        let [start, end] = [self.body.node(start)?, self.body.node(end)?];
        let unit = self.body.unit;
        let ratio = self.body.distance(start, end)? / (typical * unit);
        // A limb that is twice as long is only somewhat thicker.
        let thickness = ratio.sqrt().clamp(0.6, 1.3) * unit;
        self.add_limb([start, end], side, |share| radius_at(profile, share) * thickness)
    }

    fn add_arm(&mut self, side: Side) -> Option<()> {
        let LimbBones { root, upper, lower, end } = LimbBones::arm(side);
        self.add_bone([upper, lower], Some(side), UPPER_ARM, ARM_BONE_M);
        self.add_bone([lower, end], Some(side), FOREARM, ARM_BONE_M);
        self.add_shoulder(side, root, upper)
    }

    /// Adds a shoulder from the chest to the arm. The joint of a shoulder may be anywhere in the
    /// chest, so only the positions of the arms give the shape.
    fn add_shoulder(&mut self, side: Side, shoulder: HumanBone, arm: HumanBone) -> Option<()> {
        /// The length of the shoulder relative to the distance between the arms.
        const LENGTH_RATIO: f32 = 0.24;
        let body = self.body;
        let start = body.node(shoulder).or_else(|| self.top_of_trunk())?;
        let arm = body.node(arm)?;
        let to = body.position(arm)?;
        let other = self.across_arms()?.into_iter().find(|other| *other != arm)?;
        let from = to.lerp(body.position(other)?, LENGTH_RATIO);
        let unit = body.unit;
        self.add_between([start, arm], [from, to], Some(side), |share| {
            radius_at(SHOULDER, share) * unit
        })
    }

    fn add_leg(&mut self, side: Side) -> Option<()> {
        let LimbBones { upper, lower, end, .. } = LimbBones::leg(side);
        self.add_bone([upper, lower], Some(side), THIGH, LEG_BONE_M);
        self.add_bone([lower, end], Some(side), SHANK, LEG_BONE_M);
        self.add_foot(side, lower, end)
    }

    fn top_of_trunk(&self) -> Option<NodeId> {
        use HumanBone as B;
        [B::UpperChest, B::Chest, B::Spine, B::Hips]
            .into_iter()
            .find_map(|bone| self.body.node(bone))
    }

    /// Adds the pelvis, the belly and the chest. If there are fewer joints in the trunk, several of
    /// them follow the same joint.
    fn add_trunk(&mut self) -> Option<()> {
        use HumanBone as B;
        const CONES: usize = 5;
        let (body, unit) = (self.body, self.body.unit);
        let spine: Vec<NodeId> = [B::Spine, B::Chest, B::UpperChest]
            .into_iter()
            .filter_map(|bone| body.node(bone))
            .collect();
        let hips = body.hips()?;
        let belly = if spine.len() > 1 { spine[(spine.len() - 1) / 2] } else { hips };
        let nodes = [hips, belly, self.top_of_trunk()?];
        let (legs, arms) = (self.across_legs()?, self.across_arms()?);
        let [base, top] = body.trunk;
        let height = top - base;
        let ratio = |[a, b]: [NodeId; 2], typical: f32| {
            Some((body.distance(a, b)? / (typical * unit)).clamp(0.7, 1.4))
        };
        let (hip_ratio, shoulder_ratio) =
            (ratio(legs, HIP_WIDTH_M)?, ratio(arms, SHOULDER_WIDTH_M)?);
        let sphere = |[right, share, front, radius]: [f32; 4]| ConeEnd {
            centre: base + height * share + body.offset([right, 0.0, front]),
            radius: radius * unit,
        };
        let in_column = |side: f32, share: f32| {
            let width = hip_ratio + (shoulder_ratio - hip_ratio) * share;
            let right = side * width * radius_at(TRUNK_HALF_WIDTHS, share);
            // The belly covers the ends of the pelvis and of the chest, so that no edge is visible.
            let is_covered = share == TRUNK_RANGES[0][1] || share == TRUNK_RANGES[2][0];
            let thickness = width.sqrt() * if is_covered { 0.97 } else { 1.0 };
            let radius = radius_at(TRUNK_RADII, share) * thickness;
            sphere([right, share, radius_at(TRUNK_FRONTS, share), radius])
        };
        let seat = [[0.062 * hip_ratio, 0.0, -0.024, 0.082], [0.05, 0.16, -0.014, 0.078]];
        let to_neck = [[0.115 * shoulder_ratio, 0.9, -0.012, 0.052], [0.016, 1.04, -0.012, 0.044]];
        let neck = body.node(B::Neck).or(body.node(B::Head))?;
        for (index, [low, high]) in TRUNK_RANGES.into_iter().enumerate() {
            let mut groups = Vec::new();
            for side in [-1.0, 1.0] {
                let share = |cone: usize| low + (high - low) * cone as f32 / CONES as f32;
                let cone = |cone: usize| [cone, cone + 1].map(|end| in_column(side, share(end)));
                groups.push((0..CONES).map(cone).collect());
                let detail = [Some(seat), None, Some(to_neck)][index];
                let mirrored = |[right, share, front, radius]: [f32; 4]| {
                    sphere([side * right, share, front, radius])
                };
                groups.extend(detail.map(|ends| vec![ends.map(mirrored)]));
            }
            let node = nodes[index];
            let attachment = Attachment {
                node,
                along: self.direction(node, body.up, [hips, neck]),
                hint: self.direction(node, body.right, if index == 2 { arms } else { legs }),
                end: None,
            };
            let solid = Solid { groups, blend: 0.05 * unit, cut: None };
            let capsule = [low, high].map(|share| sphere([0.0, share, 0.0, 0.11]));
            self.add(attachment, None, &solid, 0.017 * unit, capsule);
        }
        Some(())
    }

    fn add_head(&mut self) -> Option<()> {
        use HumanBone as B;
        /// The height of the crown above the joint, in metres.
        const CROWN_M: f32 = 0.178;
        let body = self.body;
        let head = body.node(B::Head)?;
        let below = body.node(B::Neck).or_else(|| self.top_of_trunk())?;
        let unit = body.unit;
        self.add_limb([below, head], None, |share| radius_at(NECK, share) * unit);
        let position = body.position(head)?;
        let crown = self.tip_of(head).and_then(|tip| body.distance(head, tip));
        // The end of a head may be anywhere, for example in the middle of the head.
        let size = crown.map(|crown| crown / (CROWN_M * unit));
        let size = size.filter(|size| (0.8..1.25).contains(size)).unwrap_or(1.0);
        let sphere = |[right, up, front, radius]: [f32; 4]| ConeEnd {
            centre: position + body.offset([right, up, front].map(|part| part * size)),
            radius: radius * size * unit,
        };
        let cones = [
            [[0.0, 0.098, -0.022, 0.08], [0.0, 0.1, 0.018, 0.078]],
            [[0.02, 0.08, 0.026, 0.062], [0.013, 0.012, 0.044, 0.044]],
            [[-0.02, 0.08, 0.026, 0.062], [-0.013, 0.012, 0.044, 0.044]],
            [[0.0, 0.082, 0.09, 0.009], [0.0, 0.05, 0.102, 0.013]],
        ];
        let groups = cones.iter().map(|cone| vec![cone.map(sphere)]).collect();
        let attachment = Attachment {
            node: head,
            along: self.direction(head, body.vertical, [below, head]),
            hint: self.direction(head, body.right, self.across_arms()?),
            end: None,
        };
        let solid = Solid { groups, blend: 0.04 * size * unit, cut: None };
        let capsule = [[0.0, 0.1, 0.0, 0.085], [0.0, 0.02, 0.03, 0.06]].map(sphere);
        self.add(attachment, None, &solid, 0.011 * size * unit, capsule);
        Some(())
    }

    fn add_foot(&mut self, side: Side, lower_leg: HumanBone, foot: HumanBone) -> Option<()> {
        let (body, unit) = (self.body, self.body.unit);
        let toes = match side {
            Side::Left => HumanBone::LeftToes,
            Side::Right => HumanBone::RightToes,
        };
        let (foot, shin) = (body.node(foot)?, body.node(lower_leg)?);
        let (toes, ankle) = (body.node(toes), body.position(foot)?);
        let front_end = toes.or_else(|| self.tip_of(foot));
        let to_front = front_end.and_then(|end| body.position(end)).map(|end| end - ankle);
        let forward = to_front.unwrap_or(body.front).reject_from_normalized(body.vertical);
        let forward = forward.try_normalize().unwrap_or(body.front);
        let across = forward.cross(body.vertical);
        let drop = to_front.map(|line| -line.dot(body.vertical) + body.toe_height * unit);
        let height = drop.map_or(ANKLE_HEIGHT_M, |drop| (drop / unit).clamp(0.045, 0.12));
        // Without a toe joint, the end of the foot is the tip of the toes.
        let reach = to_front.map(|line| line.dot(forward) / unit);
        let instep = match (toes, reach) {
            (Some(_), Some(reach)) => reach.clamp(0.06, 0.2),
            (None, Some(reach)) if reach > INSTEP_M + 0.5 * TOES_M => (reach - TOES_M).min(0.2),
            _ => INSTEP_M,
        };
        // Positions are relative to the point of the sole below the ankle.
        let sphere = |[right, up, front, radius]: [f32; 4]| ConeEnd {
            centre: ankle
                + (across * right + body.vertical * (up - height) + forward * front) * unit,
            radius: radius * unit,
        };
        let cone = |ends: [[f32; 4]; 2]| vec![ends.map(sphere)];
        let toe_tip = toes.and_then(|toes| self.tip_of(toes));
        let toe_length = toes.zip(toe_tip).and_then(|(toes, tip)| body.distance(toes, tip));
        let toe_length = toe_length.map_or(TOES_M, |length| (length / unit).clamp(0.04, 0.09));
        let toe_end = |right: f32| [0.7 * right, 0.014, instep + toe_length - 0.02, 0.02];
        let ball = |right: f32| [right, 0.018, instep, 0.028];
        let toe_cones = || [0.02, -0.02].map(|right| cone([ball(right), toe_end(right)]));
        let mut groups = vec![
            cone([[0.0, height, 0.0, 0.035], [0.0, 0.034, 0.75 * instep, 0.03]]),
            cone([[0.0, 0.03, -0.028, 0.034], [0.0, 0.5 * height, -0.012, 0.036]]),
            cone([[0.0, 0.022, -0.025, 0.032], ball(0.018)]),
            cone([[0.0, 0.022, -0.025, 0.032], ball(-0.018)]),
        ];
        if toes.is_none() {
            groups.extend(toe_cones());
        }
        let cut =
            Cut { normal: -body.vertical, offset: -(ankle.dot(body.vertical) - height * unit) };
        let solid = |groups| Solid { groups, blend: 0.03 * unit, cut: Some(cut) };
        let sole = [sphere([0.0, 0.03, -0.02, 0.034]), sphere(ball(0.0))];
        let attachment = Attachment {
            node: foot,
            along: match front_end {
                Some(end) => PartDirection::Between([foot, end]),
                None => self.direction(foot, forward, [shin, foot]),
            },
            hint: match front_end {
                Some(_) => self.direction(foot, body.vertical, [foot, shin]),
                None => self.direction(foot, body.vertical, self.across_legs()?),
            },
            end: None,
        };
        self.add(attachment, Some(side), &solid(groups), 0.011 * unit, sole);
        let (toes, capsule) = (toes?, [ball(0.0), toe_end(0.0)].map(sphere));
        let attachment = Attachment {
            node: toes,
            along: match toe_tip {
                Some(tip) => PartDirection::Between([toes, tip]),
                None => self.direction(toes, forward, [foot, toes]),
            },
            hint: self.direction(toes, body.vertical, [foot, shin]),
            end: None,
        };
        self.add(attachment, Some(side), &solid(toe_cones().into()), 0.011 * unit, capsule);
        Some(())
    }

    /// Returns the farthest child of `node` that is no bone of the body but near enough to be part
    /// of it, or `None` if there is no such child.
    pub(super) fn tip_of(&self, node: NodeId) -> Option<NodeId> {
        const LENGTHS_M: std::ops::Range<f32> = 0.01..0.3;
        let body = self.body;
        let is_child = |id: NodeId| self.clip.nodes[id].parent == Some(node);
        let is_free = |id: NodeId| body.bones.iter().all(|(_, bone)| bone != id);
        let tips = self.clip.nodes.with_ids().filter(|(id, tip)| {
            matches!(tip.kind, NodeKind::Joint | NodeKind::Tip) && is_child(*id) && is_free(*id)
        });
        let lengths = tips.filter_map(|(id, _)| Some((id, body.distance(node, id)? / body.unit)));
        let near = lengths.filter(|(_, length)| LENGTHS_M.contains(length));
        near.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(id, _)| id)
    }
}

/// Returns the radius at `share` of the length of a limb, with a Catmull-Rom curve through the radii
/// of the profile.
pub(super) fn radius_at(profile: &Profile, share: f32) -> f32 {
    let last = profile.len() - 1;
    let index = profile.partition_point(|(at, _)| *at <= share).clamp(1, last) - 1;
    let slope = |index: usize| {
        let [(from, a), (to, b)] =
            [profile[index.saturating_sub(1)], profile[(index + 1).min(last)]];
        (b - a) / (to - from)
    };
    let [(from, a), (to, b)] = [profile[index], profile[index + 1]];
    let (length, t) = (to - from, (share - from) / (to - from));
    let (square, cube) = (t * t, t * t * t);
    (2.0 * cube - 3.0 * square + 1.0) * a
        + (cube - 2.0 * square + t) * length * slope(index)
        + (3.0 * square - 2.0 * cube) * b
        + (cube - square) * length * slope(index + 1)
}
