//! A body in the pose in which its mannequin is created.

use glam::{DVec3, Vec3};

use mutoscope_core::clip::{HumanBone, HumanBones, NodeId, Pose, Transform};

/// The leg length plus the trunk length of a person who is 1.75 m tall, in metres.
const TYPICAL_LENGTH_M: f64 = 1.38;

/// The height of the toe joint above the sole, in metres.
const TOE_HEIGHT_M: f32 = 0.022;

pub(super) struct ReferenceBody {
    pub(super) bones: HumanBones,
    worlds: Vec<Transform>,
    /// The position of the hips. All other positions are relative to it.
    origin: DVec3,
    /// The size relative to a person who is 1.75 m tall.
    pub(super) unit: f32,
    /// The middle between the hip joints, and the lower end of the neck.
    pub(super) trunk: [Vec3; 2],
    /// The direction from the hip joints to the shoulders.
    pub(super) up: Vec3,
    /// The vertical, if the body stands or sits. Otherwise the same as `up`.
    pub(super) vertical: Vec3,
    /// The direction from the left to the right side.
    pub(super) right: Vec3,
    /// The direction that the body faces.
    pub(super) front: Vec3,
    /// The height of the toe joints above the soles, in metres for a person who is 1.75 m tall.
    pub(super) toe_height: f32,
    /// `true` if joints rotate. Otherwise only the positions of joints are known.
    pub(super) rotates: bool,
}

impl ReferenceBody {
    /// Returns the body in `pose`. `None` if bones are missing, or if the pose is not the pose of a
    /// person who stands, sits or lies: the head and the feet must be on opposite sides of the
    /// hips.
    pub(super) fn from_pose(bones: &HumanBones, pose: &Pose) -> Option<Self> {
        use HumanBone as B;
        /// The largest cosine of the angle between the directions to the head and to the feet.
        const MAX_BEND_COSINE: f64 = -0.5;
        const MIN_UPRIGHT_COSINE: f64 = 0.85;
        /// The minimum height of the neck's lower end, from 0 (the hip joints) to 1 (the head).
        const MIN_TRUNK_SHARE: f64 = 0.74;
        /// The limits for the length of the legs relative to the trunk.
        const LEG_RATIOS: std::ops::RangeInclusive<f64> = 0.4..=4.0;
        let position = |bone: HumanBone| {
            let world = pose.nodes.get(bones.get(bone)?.index())?.world;
            world.is_finite().then_some(world.translation)
        };
        let [hips, head] = [position(B::Hips)?, position(B::Head)?];
        let [left_leg, right_leg] = [position(B::LeftUpperLeg)?, position(B::RightUpperLeg)?];
        let [left_arm, right_arm] = [position(B::LeftUpperArm)?, position(B::RightUpperArm)?];
        let [left_foot, right_foot] = [position(B::LeftFoot)?, position(B::RightFoot)?];
        let [left_knee, right_knee] = [position(B::LeftLowerLeg)?, position(B::RightLowerLeg)?];
        [B::LeftLowerArm, B::RightLowerArm]
            .map(position)
            .iter()
            .all(Option::is_some)
            .then_some(())?;
        let (legs, arms, feet) = (
            left_leg.midpoint(right_leg),
            left_arm.midpoint(right_arm),
            left_foot.midpoint(right_foot),
        );
        let [to_head, to_feet] = [head - legs, feet - legs].map(DVec3::try_normalize);
        if to_head?.dot(to_feet?) > MAX_BEND_COSINE {
            return None;
        }
        let leg = (left_leg.distance(left_knee)
            + left_knee.distance(left_foot)
            + right_leg.distance(right_knee)
            + right_knee.distance(right_foot))
            / 2.0;
        let up = (arms - legs).try_normalize()?;
        // Some skeletons begin the neck in the middle of the chest, and attach the shoulders there.
        let tops = [position(B::Neck).unwrap_or(arms), arms, legs.lerp(head, MIN_TRUNK_SHARE)];
        let top = tops.into_iter().max_by(|a, b| a.dot(up).total_cmp(&b.dot(up)))?;
        let trunk = legs.distance(top);
        if !LEG_RATIOS.contains(&(leg / trunk)) {
            return None;
        }
        let across =
            (right_leg - left_leg).normalize_or_zero() + (right_arm - left_arm).normalize_or_zero();
        let right = across.reject_from_normalized(up).try_normalize()?;
        let mut front = up.cross(right);
        let toes = [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)]
            .map(|(foot, toes)| Some((position(toes)? - position(foot)?).normalize_or_zero()));
        let toes: DVec3 = toes.into_iter().flatten().sum();
        // Some files name the left side right. The feet still show where the front is.
        if toes.dot(front) < 0.0 {
            front = -front;
        }
        Some(Self {
            bones: bones.clone(),
            worlds: pose.nodes.iter().map(|node| node.world).collect(),
            origin: hips,
            unit: ((leg + trunk) / TYPICAL_LENGTH_M) as f32,
            trunk: [legs, top].map(|end| (end - hips).as_vec3()),
            up: up.as_vec3(),
            vertical: if up.y > MIN_UPRIGHT_COSINE { Vec3::Y } else { up.as_vec3() },
            right: front.cross(up).as_vec3(),
            front: front.as_vec3(),
            toe_height: TOE_HEIGHT_M,
            rotates: false,
        })
    }

    /// Sets the height of the soles, so that they touch the ground at height 0 when the toe joints
    /// are at their lowest height, in metres. If that is too high or too low for a foot on the
    /// ground, nothing changes.
    pub(super) fn fit_soles(&mut self, lowest: f64) {
        const GROUND_HEIGHTS_M: std::ops::Range<f32> = -0.01..0.04;
        const MIN_TOE_HEIGHT_M: f32 = 0.008;
        let height = lowest as f32 / self.unit;
        if GROUND_HEIGHTS_M.contains(&height) {
            self.toe_height = height.max(MIN_TOE_HEIGHT_M);
        }
    }

    pub(super) fn hips(&self) -> Option<NodeId> {
        self.bones.get(HumanBone::Hips)
    }

    pub(super) fn node(&self, bone: HumanBone) -> Option<NodeId> {
        self.bones.get(bone)
    }

    /// Returns the transform of a node relative to the hips.
    pub(super) fn world(&self, node: NodeId) -> Option<Transform> {
        let world = self.worlds.get(node.index()).filter(|world| world.is_finite())?;
        Some(Transform { translation: world.translation - self.origin, ..*world })
    }

    pub(super) fn position(&self, node: NodeId) -> Option<Vec3> {
        Some(self.world(node)?.translation.as_vec3())
    }

    pub(super) fn distance(&self, a: NodeId, b: NodeId) -> Option<f32> {
        Some(self.position(a)?.distance(self.position(b)?))
    }

    /// Returns the offset in metres for a person who is 1.75 m tall: to the right, up and to the
    /// front.
    pub(super) fn offset(&self, [right, up, front]: [f32; 3]) -> Vec3 {
        (self.right * right + self.up * up + self.front * front) * self.unit
    }
}
