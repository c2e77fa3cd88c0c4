//! Describes the volume of a hand around its joints: round cones that are blended into each other.
//!
//! Joints define the position of a hand but not its thickness. The radii are proportions of a human
//! hand, relative to the length of the palm.

use glam::Vec3;

use super::{
    hand_bones::{HandJoints, finger_offsets},
    solid::{ConeEnd, RoundCone, Solid},
};

const FINGER_RADII: [f32; 2] = [0.108, 0.08];

/// The radii of a thumb: at its ball near the wrist, at its knuckle, and at its tip.
const THUMB_RADII: [f32; 3] = [0.155, 0.125, 0.095];

const LITTLE_FINGER_SCALE: f32 = 0.87;

/// Half the thickness of the palm at the wrist, and at the knuckles.
const PALM_RADII: [f32; 2] = [0.15, 0.112];

const WRIST_HALF_WIDTH: f32 = 0.14;

const FOREARM_LENGTH: f32 = 0.32;

const WEB_RADIUS: f32 = 0.065;

const BLEND_DISTANCE: f32 = 0.1;

/// The round cones of a hand, in the groups of a [`Solid`].
struct HandVolume {
    groups: Vec<Vec<RoundCone>>,
}

/// Returns the volume of a hand at rest, with a palm of length `length`. The wrist is in the origin,
/// the fingers point along Z, and the little finger is towards X.
pub(super) fn hand_solid(hand: &HandJoints, length: f32) -> Solid {
    let HandVolume { groups } = HandVolume::new(hand, length);
    Solid { groups, blend: BLEND_DISTANCE * length, cut: None }
}

impl HandVolume {
    fn new(hand: &HandJoints, length: f32) -> Self {
        let mut volume = Self { groups: Vec::new() };
        let cone_end = |centre, radius: f32| ConeEnd { centre, radius: radius * length };
        let long: Vec<&[Vec3]> = hand.long_fingers().map(|finger| &finger.joints[..]).collect();
        for ((index, joints), offset) in long.iter().enumerate().zip(finger_offsets(long.len())) {
            let size = if index + 1 == long.len() { LITTLE_FINGER_SCALE } else { 1.0 };
            let wrist = Vec3::X * WRIST_HALF_WIDTH * length * offset;
            let metacarpal = [cone_end(wrist, PALM_RADII[0]), cone_end(joints[0], PALM_RADII[1])];
            let arm = cone_end(wrist * 0.9 - Vec3::Z * FOREARM_LENGTH * length, PALM_RADII[0]);
            let palm = [metacarpal, [arm, metacarpal[0]]];
            volume.add_finger(&palm, joints, FINGER_RADII.map(|radius| radius * size * length));
        }
        if let Some(thumb) = hand.thumb() {
            let [root, knuckle, tip] = THUMB_RADII;
            let (base, first) = (hand.finger_start(thumb), thumb.joints[0]);
            let metacarpal = [cone_end(base, root), cone_end(first, knuckle)];
            let radii = [knuckle, tip].map(|radius| radius * length);
            volume.add_finger(&[metacarpal], &thumb.joints, radii);
            let web = [[0.45, 0.45], [0.7, 0.6], [0.9, 0.72]].map(|[thumb, palm]| {
                [
                    cone_end(base.lerp(first, thumb), WEB_RADIUS),
                    cone_end(long[0][0] * palm, WEB_RADIUS),
                ]
            });
            volume.groups.push(web.to_vec());
        }
        volume
    }

    /// Adds a finger whose radius decreases towards the tip. The last cone ends before the tip, so
    /// that its rounded end reaches the tip exactly.
    fn add_finger(&mut self, palm: &[RoundCone], joints: &[Vec3], [first, last]: [f32; 2]) {
        let count = joints.len().saturating_sub(1);
        let mut group = palm.to_vec();
        for index in 0..count {
            let radius = |at: usize| first + (last - first) * at as f32 / count as f32;
            let [from, mut to] = [joints[index], joints[index + 1]];
            if index + 1 == count {
                let back = (from - to).clamp_length_max(0.6 * last);
                to += back.clamp_length_max(0.5 * from.distance(to));
            }
            let ends = [(from, index), (to, index + 1)];
            group.push(ends.map(|(centre, at)| ConeEnd { centre, radius: radius(at) }));
        }
        self.groups.push(group);
    }
}
