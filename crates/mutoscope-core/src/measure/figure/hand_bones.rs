//! The bones of a hand, from where its joints are.

use glam::{Mat3, Quat, Vec3};

/// Where the joints of a hand are, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct HandJoints {
    /// The wrist.
    pub wrist: Vec3,
    /// The fingers from the thumb, if there is one, to the little finger.
    pub fingers: Vec<FingerJoints>,
}

/// Where the joints of a finger are, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct FingerJoints {
    /// The joint near the wrist, if there is one; that of a thumb is where it begins.
    pub base: Option<Vec3>,
    /// The joints from the knuckle to the tip; at least one.
    pub joints: Vec<Vec3>,
    /// Whether it is the thumb.
    pub is_thumb: bool,
}

/// A bone between two joints: where it begins, how it is turned, with Z along it, and its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandBone {
    pub(super) from: Vec3,
    pub(super) turn: Quat,
    pub(super) length: f32,
}

impl HandBone {
    /// From one place to another, turned from `before` without a twist.
    fn next(before: Quat, from: Vec3, to: Vec3) -> Self {
        let length = from.distance(to);
        let along = before * Vec3::Z;
        let turn = match (to - from).try_normalize() {
            Some(direction) => Quat::from_rotation_arc(along, direction) * before,
            None => before,
        };
        Self { from, turn: turn.normalize(), length }
    }

    /// Where it ends.
    pub(super) fn to(&self) -> Vec3 {
        self.from + self.turn * Vec3::Z * self.length
    }
}

impl HandJoints {
    /// The fingers that have joints.
    fn jointed(&self) -> impl Iterator<Item = &FingerJoints> {
        self.fingers.iter().filter(|finger| !finger.joints.is_empty())
    }

    /// The fingers other than the thumb, from the index finger on.
    pub(super) fn long_fingers(&self) -> impl Iterator<Item = &FingerJoints> {
        self.jointed().filter(|finger| !finger.is_thumb)
    }

    /// The thumb, if there is one that has joints.
    pub(super) fn thumb(&self) -> Option<&FingerJoints> {
        self.jointed().find(|finger| finger.is_thumb)
    }

    /// The palm as one bone: X is towards the little finger. Nothing if that is nowhere, or it is of
    /// fewer than two fingers.
    pub(super) fn palm(&self) -> Option<HandBone> {
        let knuckles: Vec<Vec3> = self.long_fingers().map(|finger| finger.joints[0]).collect();
        let [first, .., last] = knuckles[..] else { return None };
        let middle = knuckles.iter().sum::<Vec3>() / knuckles.len() as f32;
        let (length, ahead) = (self.wrist.distance(middle), (middle - self.wrist).try_normalize()?);
        let across = (last - first).reject_from(ahead).try_normalize()?;
        let axes = Mat3::from_cols(across, ahead.cross(across), ahead);
        Some(HandBone { from: self.wrist, turn: Quat::from_mat3(&axes), length })
    }

    /// All bones: the palm, and for each finger that which leads to its knuckle and those after it.
    pub(super) fn bones(&self) -> Option<Vec<HandBone>> {
        let palm = self.palm()?;
        let mut bones = vec![palm];
        for finger in self.jointed() {
            let (mut turn, mut from) = (palm.turn, self.begin(finger));
            for &to in &finger.joints {
                let bone = HandBone::next(turn, from, to);
                bones.push(bone);
                (turn, from) = (bone.turn, to);
            }
        }
        Some(bones)
    }

    /// Where the first bone of a finger begins.
    pub(super) fn begin(&self, finger: &FingerJoints) -> Vec3 {
        match finger.is_thumb {
            true => finger.base.unwrap_or_else(|| self.wrist.lerp(finger.joints[0], 0.3)),
            false => self.wrist,
        }
    }

    /// The same hand, flat and with its fingers spread, as seen from its palm: its wrist is in the origin,
    /// Z is ahead, X towards the little finger. Bones keep their lengths, knuckles their places.
    pub(super) fn at_rest(&self) -> Option<Self> {
        /// How far fingers are spread, and where a thumb and its end point.
        const SPREAD: f32 = 0.22;
        const THUMB: [Vec3; 2] = [Vec3::new(-0.72, 0.0, 0.7), Vec3::new(-0.5, 0.0, 0.87)];
        let palm = self.palm()?;
        let local = |place: Vec3| palm.turn.inverse() * (place - palm.from);
        let mut sides = sides(self.long_fingers().count());
        let fingers = self.jointed().map(|finger| {
            let mut joints = vec![local(finger.joints[0])];
            let mut base = None;
            let mut direction = THUMB[1].normalize();
            if finger.is_thumb {
                let begin = self.begin(finger);
                let from = local(begin).with_y(0.0);
                base = Some(from);
                joints[0] = from + THUMB[0].normalize() * begin.distance(finger.joints[0]);
            } else {
                let side = sides.next().unwrap_or_default();
                direction = Vec3::new(SPREAD * side, 0.0, 1.0).normalize();
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

/// Where each of two or more fingers is across the palm: from −1, the index finger, to 1, the little finger.
pub(super) fn sides(fingers: usize) -> impl Iterator<Item = f32> {
    let half = fingers.saturating_sub(1) as f32 / 2.0;
    (0..fingers).map(move |index| index as f32 / half - 1.0)
}
