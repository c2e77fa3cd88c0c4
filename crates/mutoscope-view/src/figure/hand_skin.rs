//! Creates a smooth skin around the joints of a hand. The skin is created once around the hand at
//! rest, and then bent with its bones by linear blend skinning.

use glam::{Mat3, Vec3};

use super::{
    hand_bones::{FingerJoints, HandBone, HandJoints},
    hand_volume::hand_solid,
    solid::{SolidSurface, share_along},
};

/// The cell size of the grid for surface extraction, relative to the palm length.
const CELL_SIZE: f32 = 0.045;

/// The distance from a joint within which the skin moves with the bones on both sides of the joint,
/// relative to the palm length.
const BLEND_DISTANCE: f32 = 0.075;

const MAX_BONES_PER_POINT: usize = 4;

/// The skin of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HandSkin {
    /// The current positions of the points.
    pub positions: Vec<[f32; 3]>,
    /// The current normals of the points.
    pub normals: Vec<[f32; 3]>,
    triangles: Vec<u32>,
    rest: Vec<HandBone>,
    points: Vec<SkinPoint>,
}

#[derive(Clone, Debug, PartialEq)]
struct SkinPoint {
    position: Vec3,
    normal: Vec3,
    bones: Vec<(usize, f32)>,
}

impl HandSkin {
    /// Creates the skin of a hand whose bones have the lengths of those in `hand`. The pose of
    /// `hand` does not matter. Returns `None` if the hand is not [supported](Self::supports).
    pub fn new(hand: &HandJoints) -> Option<Self> {
        let rest = rest_pose_of(hand)?;
        let (bones, length) = (rest.bones()?, rest.palm()?.length);
        let SolidSurface { points, normals, triangles } =
            hand_solid(&rest, length).surface(CELL_SIZE * length);
        let points = points.into_iter().zip(normals).map(|(position, normal)| SkinPoint {
            position,
            normal,
            bones: bone_weights(&bones, position, BLEND_DISTANCE * length),
        });
        let points: Vec<SkinPoint> = points.collect();
        let (positions, normals) =
            points.iter().map(|point| (point.position.to_array(), point.normal.to_array())).unzip();
        Some(Self { positions, normals, triangles, rest: bones, points })
    }

    /// Returns `true` if `hand` can have a skin. It needs at least two fingers besides the thumb. Its
    /// knuckles must not be at the wrist, or on one line with it. At rest, no joint may be more than
    /// four palm lengths from the wrist.
    pub fn supports(hand: &HandJoints) -> bool {
        rest_pose_of(hand).is_some()
    }

    /// Returns the triangles as indices of points, anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Bends the skin into the pose of `hand`, which must have the same fingers and joints as the
    /// hand that the skin was created for. The skin does not change if the number of bones differs,
    /// or if the palm of `hand` has no direction.
    pub fn bend(&mut self, hand: &HandJoints) {
        let Some(bones) = hand.bones().filter(|bones| bones.len() == self.rest.len()) else {
            return;
        };
        let size = bones[0].length / self.rest[0].length;
        let transforms: Vec<BoneTransform> = self
            .rest
            .iter()
            .zip(&bones)
            .map(|(rest, current)| BoneTransform::new(rest, current, size))
            .collect();
        for (index, point) in self.points.iter().enumerate() {
            let transforms_and_weights =
                || point.bones.iter().map(|(bone, weight)| (&transforms[*bone], *weight));
            let position: Vec3 = transforms_and_weights()
                .map(|(bone, weight)| bone.transform_point(point.position) * weight)
                .sum();
            let normal: Vec3 = transforms_and_weights()
                .map(|(bone, weight)| bone.rotation * point.normal * weight)
                .sum();
            self.positions[index] = position.to_array();
            self.normals[index] = normal.normalize_or(point.normal).to_array();
        }
    }
}

fn rest_pose_of(hand: &HandJoints) -> Option<HandJoints> {
    const MAX_REACH: f32 = 4.0;
    let rest = hand.to_rest_pose()?;
    let reach = MAX_REACH * rest.palm()?.length;
    // Reject joints that are farther away, because the size of the grid would be unlimited.
    let is_near = |joint: &Vec3| joint.length() <= reach;
    let has_near_joints =
        |finger: &FingerJoints| finger.base.iter().chain(&finger.joints).all(is_near);
    rest.fingers.iter().all(has_near_joints).then_some(rest)
}

struct BoneTransform {
    rest: Vec3,
    current: Vec3,
    rotation: Mat3,
    scaled: Mat3,
}

impl BoneTransform {
    fn new(rest: &HandBone, current: &HandBone, size: f32) -> Self {
        let stretch = current.length / rest.length;
        let stretch = if stretch.is_finite() { stretch } else { size };
        let [to_bone, from_bone] = [rest.rotation.inverse(), current.rotation].map(Mat3::from_quat);
        let scale = Mat3::from_diagonal(Vec3::new(size, size, stretch));
        Self {
            rest: rest.start,
            current: current.start,
            rotation: from_bone * to_bone,
            scaled: from_bone * scale * to_bone,
        }
    }

    fn transform_point(&self, point: Vec3) -> Vec3 {
        self.current + self.scaled * (point - self.rest)
    }
}

fn bone_weights(bones: &[HandBone], point: Vec3, blend_distance: f32) -> Vec<(usize, f32)> {
    let squared_distances = bones.iter().map(|bone| {
        let ends = [bone.start, bone.end()];
        point.distance_squared(ends[0].lerp(ends[1], share_along(ends, point)))
    });
    let mut nearest: Vec<(usize, f32)> = squared_distances.enumerate().collect();
    nearest.sort_by(|a, b| a.1.total_cmp(&b.1));
    nearest.truncate(MAX_BONES_PER_POINT);
    let min_squared = nearest.first().map_or(0.0, |first| first.1);
    for (_, value) in &mut nearest {
        *value = ((min_squared - *value) / blend_distance.powi(2)).exp();
    }
    let sum: f32 = nearest.iter().map(|(_, weight)| weight).sum();
    nearest.into_iter().map(|(bone, weight)| (bone, weight / sum)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::testing::is_closed;

    fn hand(curl: f32, mirror: f32) -> HandJoints {
        let finger = |x: f32, length: f32| {
            let (mut position, mut angle) = (Vec3::new(mirror * x, 0.0, -0.09), 0.0);
            let mut joints = vec![position];
            for share in [0.5, 0.3, 0.2] {
                angle += curl;
                position += Vec3::new(0.0, -f32::sin(angle), -f32::cos(angle)) * share * length;
                joints.push(position);
            }
            FingerJoints { base: None, joints, is_thumb: false }
        };
        let thumb = [(-0.05, -0.055), (-0.065, -0.08), (-0.075, -0.1)];
        let thumb = FingerJoints {
            base: Some(Vec3::new(mirror * -0.02, -0.005, -0.02)),
            joints: thumb.map(|(x, z)| Vec3::new(mirror * x, -0.01, z)).to_vec(),
            is_thumb: true,
        };
        let long = [(-0.03, 0.075), (-0.01, 0.085), (0.01, 0.08), (0.03, 0.06)];
        let fingers = std::iter::once(thumb).chain(long.map(|(x, length)| finger(x, length)));
        HandJoints { wrist: Vec3::ZERO, fingers: fingers.collect() }
    }

    fn bent(hand: &HandJoints) -> HandSkin {
        let mut skin = HandSkin::new(hand).unwrap();
        skin.bend(hand);
        skin
    }

    fn points(skin: &HandSkin) -> impl Iterator<Item = Vec3> {
        skin.positions.iter().map(|point| Vec3::from_array(*point))
    }

    fn litres(skin: &HandSkin) -> f32 {
        let position = |point: u32| Vec3::from_array(skin.positions[point as usize]);
        let corners = skin
            .triangles
            .chunks_exact(3)
            .map(|corners| [0, 1, 2].map(|index| position(corners[index])));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0 * 1000.0).sum()
    }

    /// A hand of 19 cm displaces about 0.4 l of water, so a hand of 17.5 cm displaces about 0.3 l.
    #[test]
    fn hand_skins_face_outwards_and_have_the_volume_of_a_hand() {
        for (curl, mirror) in [(0.0, 1.0), (0.0, -1.0), (0.5, 1.0), (1.0, -1.0)] {
            let litres = litres(&bent(&hand(curl, mirror)));
            assert!((0.25..0.38).contains(&litres), "{curl} {mirror}: {litres}");
        }
    }

    #[test]
    fn skin_is_in_one_piece() {
        let skin = bent(&hand(0.3, 1.0));
        let mut group: Vec<usize> = (0..skin.positions.len()).collect();
        fn root(group: &mut [usize], mut of: usize) -> usize {
            while group[of] != of {
                group[of] = group[group[of]];
                of = group[of];
            }
            of
        }
        for corners in skin.triangles.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|at| root(&mut group, corners[at] as usize));
            group[a] = c;
            let b = root(&mut group, b);
            group[b] = c;
        }
        let roots = (0..group.len()).filter(|of| group[*of] == *of).count();
        assert_eq!(roots, 1);
    }

    #[test]
    fn skin_is_around_every_joint_and_ends_at_the_tips() {
        for curl in [0.0, 0.4, 0.9] {
            let hand = hand(curl, 1.0);
            let skin = bent(&hand);
            for finger in &hand.fingers {
                for joint in &finger.joints {
                    let nearest = points(&skin).map(|point| point.distance(*joint));
                    let nearest = nearest.fold(f32::INFINITY, f32::min);
                    let end = joint == finger.joints.last().unwrap();
                    let expected = if end { 0.0..0.006 } else { 0.004..0.014 };
                    assert!(expected.contains(&nearest), "{curl}: {nearest} m");
                }
            }
        }
    }

    #[test]
    fn skin_does_not_depend_on_the_pose_it_was_created_from() {
        let [mut one, mut other] = [0.1, 1.1].map(|curl| HandSkin::new(&hand(curl, 1.0)).unwrap());
        one.bend(&hand(0.1, 1.0));
        other.bend(&hand(0.1, 1.0));
        assert_eq!(one.positions.len(), other.positions.len());
        for (one, other) in points(&one).zip(points(&other)) {
            assert!(one.distance(other) < 1e-4, "{one} {other}");
        }
    }

    #[test]
    fn weights_are_shares_of_the_nearest_bones() {
        let hand = hand(0.0, 1.0);
        let bones = hand.bones().unwrap();
        let tip = *hand.fingers[1].joints.last().unwrap();
        let found = bone_weights(&bones, tip, 0.006);
        // The bones before this tip are the palm, three bones of the thumb, and the first three
        // bones of the index finger.
        assert_eq!(found[0].0, 7);
        assert!(found[0].1 > 0.9);
        assert!((found.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn triangles_share_their_sides() {
        let skin = bent(&hand(0.0, 1.0));
        assert!(is_closed(&skin.triangles), "each edge is used in both directions");
    }

    #[test]
    fn hands_without_size_or_with_endless_fingers_have_no_skin() {
        let mut point = hand(0.0, 1.0);
        point.fingers.iter_mut().for_each(|finger| finger.joints.fill(Vec3::ZERO));
        assert_eq!(HandSkin::new(&point), None);
        let mut endless = hand(0.0, 1.0);
        endless.fingers[1].joints[3].z = -1.1;
        assert_eq!(HandSkin::new(&endless), None);
        // This thumb starts a kilometre away. Its bones lead back, so only the start is too far.
        let mut astray = hand(0.0, 1.0);
        astray.fingers[0].base = Some(Vec3::new(720.0, 0.0, 700.0));
        assert_eq!(HandSkin::new(&astray), None);
        let mut skin = bent(&hand(0.0, 1.0));
        let before = skin.clone();
        skin.bend(&point);
        assert_eq!(skin, before);
        let mut nan = hand(0.0, 1.0);
        nan.fingers[2].joints[1] = Vec3::NAN;
        assert_eq!(HandSkin::new(&nan), None);
    }
}
