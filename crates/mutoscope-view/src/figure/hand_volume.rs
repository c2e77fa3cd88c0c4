//! Describes the volume of a hand around its joints: round cones that are blended into each other.
//!
//! Joints define the position of a hand but not its thickness. The radii are proportions of a human
//! hand, relative to the length of the palm.

use glam::Vec3;

use super::hand_bones::{HandJoints, finger_offsets};

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

#[derive(Clone, Debug, PartialEq)]
pub(super) struct HandVolume {
    /// The round cones, in groups. Groups are blended with each other, but the cones within a group
    /// are not.
    groups: Vec<Vec<[ConeEnd; 2]>>,
    blend: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct ConeEnd {
    centre: Vec3,
    radius: f32,
}

impl HandVolume {
    /// Creates the volume of a hand at rest, with a palm of length `length`. The wrist is in the
    /// origin, the fingers point along Z, and the little finger is towards X.
    pub(super) fn new(hand: &HandJoints, length: f32) -> Self {
        let mut volume = Self { groups: Vec::new(), blend: BLEND_DISTANCE * length };
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
    fn add_finger(&mut self, palm: &[[ConeEnd; 2]], joints: &[Vec3], [first, last]: [f32; 2]) {
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

    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let cone_ends = || self.groups.iter().flatten().flatten();
        let room = |cone_end: &ConeEnd| Vec3::splat(cone_end.radius + 2.0 * self.blend);
        let min = cone_ends().map(|cone_end| cone_end.centre - room(cone_end)).reduce(Vec3::min);
        let max = cone_ends().map(|cone_end| cone_end.centre + room(cone_end)).reduce(Vec3::max);
        [min, max].map(Option::unwrap_or_default)
    }

    /// Returns the approximate distance of `point` from the surface, which is negative inside.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let to_cone = |[from, to]: &[ConeEnd; 2]| {
            let share = share_along([from.centre, to.centre], point);
            let radius = from.radius + (to.radius - from.radius) * share;
            point.distance(from.centre.lerp(to.centre, share)) - radius
        };
        let distances =
            self.groups.iter().map(|cones| cones.iter().map(to_cone).fold(f32::INFINITY, f32::min));
        distances.fold(f32::INFINITY, |a, b| smooth_min(a, b, self.blend))
    }

    pub(super) fn outward_normal(&self, point: Vec3) -> Vec3 {
        let step = 0.2 * self.blend;
        let slope = Vec3::AXES
            .map(|axis| self.distance(point + axis * step) - self.distance(point - axis * step));
        Vec3::from_array(slope).normalize_or(Vec3::Y)
    }
}

pub(super) fn share_along([from, to]: [Vec3; 2], point: Vec3) -> f32 {
    let line = to - from;
    let share = (point - from).dot(line) / line.length_squared();
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the polynomial smooth minimum of two distances (Inigo Quilez). If the distances differ
/// by less than `blend`, the result is less than both, so that the shapes merge smoothly.
fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let share = 1.0 - (a - b).abs() / blend;
    let min = a.min(b);
    if share > 0.0 { min - share * share * blend / 4.0 } else { min }
}
