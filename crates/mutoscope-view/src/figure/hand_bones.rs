//! Derives the bones of a hand from the positions of its joints.

use glam::{Mat3, Quat, Vec3};

/// The positions of the joints of a hand, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct HandJoints {
    /// The wrist.
    pub wrist: Vec3,
    /// The fingers, from the thumb (if there is one) to the little finger.
    pub fingers: Vec<FingerJoints>,
}

/// The positions of the joints of a finger, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct FingerJoints {
    /// The joint near the wrist, or `None` without one. For a thumb, this is the start of the
    /// thumb.
    pub base: Option<Vec3>,
    /// The joints from the knuckle to the tip; at least one.
    pub joints: Vec<Vec3>,
    /// `true` for the thumb.
    pub is_thumb: bool,
}

/// A bone between two joints. The rotation turns Z into the direction of the bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandBone {
    pub(super) start: Vec3,
    pub(super) rotation: Quat,
    pub(super) length: f32,
}

impl HandBone {
    fn following(previous: Quat, start: Vec3, end: Vec3) -> Self {
        let length = start.distance(end);
        let along = previous * Vec3::Z;
        let rotation = match (end - start).try_normalize() {
            Some(direction) => Quat::from_rotation_arc(along, direction) * previous,
            None => previous,
        };
        Self { start, rotation: rotation.normalize(), length }
    }

    pub(super) fn end(&self) -> Vec3 {
        self.start + self.rotation * Vec3::Z * self.length
    }
}

impl HandJoints {
    fn fingers_with_joints(&self) -> impl Iterator<Item = &FingerJoints> {
        self.fingers.iter().filter(|finger| !finger.joints.is_empty())
    }

    pub(super) fn long_fingers(&self) -> impl Iterator<Item = &FingerJoints> {
        self.fingers_with_joints().filter(|finger| !finger.is_thumb)
    }

    pub(super) fn thumb(&self) -> Option<&FingerJoints> {
        self.fingers_with_joints().find(|finger| finger.is_thumb)
    }

    /// Returns the palm as a single bone, whose X axis points to the little finger. Returns `None`
    /// if there are fewer than two fingers besides the thumb, or if these do not define a
    /// direction.
    pub(super) fn palm(&self) -> Option<HandBone> {
        let knuckles: Vec<Vec3> = self.long_fingers().map(|finger| finger.joints[0]).collect();
        let [first, .., last] = knuckles[..] else { return None };
        let middle = knuckles.iter().sum::<Vec3>() / knuckles.len() as f32;
        let (length, ahead) = (self.wrist.distance(middle), (middle - self.wrist).try_normalize()?);
        let across = (last - first).reject_from(ahead).try_normalize()?;
        let axes = Mat3::from_cols(across, ahead.cross(across), ahead);
        Some(HandBone { start: self.wrist, rotation: Quat::from_mat3(&axes), length })
    }

    pub(super) fn bones(&self) -> Option<Vec<HandBone>> {
        let palm = self.palm()?;
        let mut bones = vec![palm];
        for finger in self.fingers_with_joints() {
            let (mut rotation, mut start) = (palm.rotation, self.finger_start(finger));
            for &end in &finger.joints {
                let bone = HandBone::following(rotation, start, end);
                bones.push(bone);
                (rotation, start) = (bone.rotation, end);
            }
        }
        Some(bones)
    }

    pub(super) fn finger_start(&self, finger: &FingerJoints) -> Vec3 {
        match finger.is_thumb {
            true => finger.base.unwrap_or_else(|| self.wrist.lerp(finger.joints[0], 0.3)),
            false => self.wrist,
        }
    }

    /// Returns the same hand in the rest pose, with a flat palm and spread fingers. The wrist is at
    /// the origin, Z points ahead, and X points to the little finger. The bones keep their lengths,
    /// and the knuckles keep their positions relative to the palm.
    pub(super) fn to_rest_pose(&self) -> Option<Self> {
        /// The tangent of the angle by which the outer fingers are spread.
        const FINGER_SPREAD: f32 = 0.22;
        const THUMB_DIRECTIONS: [Vec3; 2] =
            [Vec3::new(-0.72, 0.0, 0.7), Vec3::new(-0.5, 0.0, 0.87)];
        let palm = self.palm()?;
        let local = |position: Vec3| palm.rotation.inverse() * (position - palm.start);
        let mut finger_offsets = finger_offsets(self.long_fingers().count());
        let fingers = self.fingers_with_joints().map(|finger| {
            let mut joints = vec![local(finger.joints[0])];
            let mut base = None;
            let mut direction = THUMB_DIRECTIONS[1].normalize();
            if finger.is_thumb {
                let finger_start = self.finger_start(finger);
                let start = local(finger_start).with_y(0.0);
                base = Some(start);
                joints[0] = start
                    + THUMB_DIRECTIONS[0].normalize() * finger_start.distance(finger.joints[0]);
            } else {
                let side = finger_offsets.next().unwrap_or_default();
                direction = Vec3::new(FINGER_SPREAD * side, 0.0, 1.0).normalize();
            }
            for pair in finger.joints.windows(2) {
                let last = joints[joints.len() - 1];
                joints.push(last + direction * pair[0].distance(pair[1]));
            }
            FingerJoints { base, joints, is_thumb: finger.is_thumb }
        });
        Some(Self { wrist: Vec3::ZERO, fingers: fingers.collect() })
    }
}

/// Returns the position of each finger across the palm, from −1 for the index finger to 1 for the
/// little finger. `fingers` must be at least 2.
pub(super) fn finger_offsets(fingers: usize) -> impl Iterator<Item = f32> {
    let half = fingers.saturating_sub(1) as f32 / 2.0;
    (0..fingers).map(move |index| index as f32 / half - 1.0)
}
