//! The volume of a hand around its joints: round cones, blended into each other.
//!
//! Joints tell where a hand is, not how thick; radii are those of a human hand over the length of its
//! palm.

use glam::Vec3;

use super::hand_bones::{HandJoints, sides};

/// The radius of a finger at its knuckle and at its tip.
const FINGER: [f32; 2] = [0.108, 0.08];

/// The same of a thumb, before them that of its ball at the wrist.
const THUMB: [f32; 3] = [0.155, 0.125, 0.095];

/// How much thinner the little finger is.
const LITTLE: f32 = 0.87;

/// Half the thickness of the palm at the wrist, and at the knuckles.
const PALM: [f32; 2] = [0.15, 0.112];

/// Half the distance of neighbouring bones in a wrist.
const WRIST: f32 = 0.14;

/// How far the hand goes on behind the wrist.
const BEHIND: f32 = 0.32;

/// Half the thickness of the skin between the thumb and the index finger.
const WEB: f32 = 0.065;

/// How far the surface of one part goes over into that of another.
const BLEND: f32 = 0.1;

/// The volume of a hand.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HandVolume {
    /// Round cones. Those of one group are joined as they are, groups are blended into each other.
    groups: Vec<Vec<[Ball; 2]>>,
    blend: f32,
}

/// The end of a round cone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ball {
    middle: Vec3,
    radius: f32,
}

impl HandVolume {
    /// The volume of a hand whose palm is so long; it lies with its wrist in the origin, its
    /// fingers ahead along Z, the little finger towards X.
    pub(super) fn new(hand: &HandJoints, length: f32) -> Self {
        let mut volume = Self { groups: Vec::new(), blend: BLEND * length };
        let ball = |middle, radius: f32| Ball { middle, radius: radius * length };
        let long: Vec<&[Vec3]> = hand.long_fingers().map(|finger| &finger.joints[..]).collect();
        for ((index, joints), side) in long.iter().enumerate().zip(sides(long.len())) {
            let size = if index + 1 == long.len() { LITTLE } else { 1.0 };
            let wrist = Vec3::X * WRIST * length * side;
            let metacarpal = [ball(wrist, PALM[0]), ball(joints[0], PALM[1])];
            let arm = ball(wrist * 0.9 - Vec3::Z * BEHIND * length, PALM[0]);
            let palm = [metacarpal, [arm, metacarpal[0]]];
            volume.add_finger(&palm, joints, FINGER.map(|radius| radius * size * length));
        }
        if let Some(thumb) = hand.thumb() {
            let [root, knuckle, tip] = THUMB;
            let (base, first) = (hand.begin(thumb), thumb.joints[0]);
            let metacarpal = [ball(base, root), ball(first, knuckle)];
            let radii = [knuckle, tip].map(|radius| radius * length);
            volume.add_finger(&[metacarpal], &thumb.joints, radii);
            let web = [[0.45, 0.45], [0.7, 0.6], [0.9, 0.72]].map(|[thumb, palm]| {
                [ball(base.lerp(first, thumb), WEB), ball(long[0][0] * palm, WEB)]
            });
            volume.groups.push(web.to_vec());
        }
        volume
    }

    /// From joint to joint, thinner towards the tip, at which it ends.
    fn add_finger(&mut self, palm: &[[Ball; 2]], joints: &[Vec3], [first, last]: [f32; 2]) {
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
            group.push(ends.map(|(middle, at)| Ball { middle, radius: radius(at) }));
        }
        self.groups.push(group);
    }

    /// The box around it, with room for blends.
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let balls = || self.groups.iter().flatten().flatten();
        let room = |ball: &Ball| Vec3::splat(ball.radius + 2.0 * self.blend);
        let least = balls().map(|ball| ball.middle - room(ball)).reduce(Vec3::min);
        let most = balls().map(|ball| ball.middle + room(ball)).reduce(Vec3::max);
        [least, most].map(Option::unwrap_or_default)
    }

    /// About how far `place` is from the surface; negative inside.
    pub(super) fn distance(&self, place: Vec3) -> f32 {
        let to_cone = |[from, to]: &[Ball; 2]| {
            let at = share_along([from.middle, to.middle], place);
            let radius = from.radius + (to.radius - from.radius) * at;
            place.distance(from.middle.lerp(to.middle, at)) - radius
        };
        let distances =
            self.groups.iter().map(|cones| cones.iter().map(to_cone).fold(f32::INFINITY, f32::min));
        distances.fold(f32::INFINITY, |one, other| blended(one, other, self.blend))
    }

    /// The direction in which the distance from `place` grows most.
    pub(super) fn outwards(&self, place: Vec3) -> Vec3 {
        let step = 0.2 * self.blend;
        let slope = Vec3::AXES
            .map(|axis| self.distance(place + axis * step) - self.distance(place - axis * step));
        Vec3::from_array(slope).normalize_or(Vec3::Y)
    }
}

/// How far along a line the nearest of it to `place` is, from 0 to 1.
pub(super) fn share_along([from, to]: [Vec3; 2], place: Vec3) -> f32 {
    let way = to - from;
    let share = (place - from).dot(way) / way.length_squared();
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// The lesser of two distances, less where both are about the same (I. Quilez, smooth minimum).
fn blended(one: f32, other: f32, blend: f32) -> f32 {
    let share = 1.0 - (one - other).abs() / blend;
    let least = one.min(other);
    if share > 0.0 { least - share * share * blend / 4.0 } else { least }
}
