//! A smooth skin around the joints of a hand: made once around the hand at rest, then bent with its bones
//! (linear blend skinning).

use glam::{Mat3, Vec3};

use super::{
    hand_bones::{FingerJoints, HandBone, HandJoints},
    hand_volume::{HandVolume, share_along},
    surface_nets::{Surface, surface},
};

/// The size of triangles, over the length of the palm.
const STEP: f32 = 0.045;

/// How far from a joint the bones on either side of it both move the skin, over the length of the palm.
const SOFTNESS: f32 = 0.075;

/// How many bones move one point.
const MOST_BONES: usize = 4;

/// The skin of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HandSkin {
    /// Where its points are now.
    pub positions: Vec<[f32; 3]>,
    /// The normals of its points now.
    pub normals: Vec<[f32; 3]>,
    triangles: Vec<u32>,
    rest: Vec<HandBone>,
    points: Vec<SkinPoint>,
}

/// A point of the skin of a hand at rest.
#[derive(Clone, Debug, PartialEq)]
struct SkinPoint {
    place: Vec3,
    normal: Vec3,
    /// The indices of the bones that move it, and how much of it each moves: 1 in sum.
    bones: Vec<(usize, f32)>,
}

impl HandSkin {
    /// The skin of a hand whose bones are as long as those of `hand`, in any pose. It
    /// [must have one](Self::is_around), or there is nothing.
    pub fn new(hand: &HandJoints) -> Option<Self> {
        let rest = rest_of(hand)?;
        let (bones, length) = (rest.bones()?, rest.palm()?.length);
        let volume = HandVolume::new(&rest, length);
        let distance = |place| volume.distance(place);
        let Surface { mut points, triangles } = surface(volume.bounds(), STEP * length, distance);
        for point in &mut points {
            *point -= volume.outwards(*point) * volume.distance(*point);
        }
        let points = points.into_iter().map(|place| SkinPoint {
            place,
            normal: volume.outwards(place),
            bones: weights(&bones, place, SOFTNESS * length),
        });
        let points: Vec<SkinPoint> = points.collect();
        let (positions, normals) =
            points.iter().map(|one| (one.place.to_array(), one.normal.to_array())).unzip();
        Some(Self { positions, normals, triangles, rest: bones, points })
    }

    /// Whether `hand` can have a skin: it has two fingers besides the thumb, its knuckles are not at its
    /// wrist or on one line with it, and its fingers are less than three times as long as its palm.
    pub fn is_around(hand: &HandJoints) -> bool {
        rest_of(hand).is_some()
    }

    /// Indices of its points, anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Bends it with `hand`, which has as many fingers and joints as that which it was made for; else, or
    /// if that is in one point, it is left as it is.
    pub fn bend(&mut self, hand: &HandJoints) {
        let Some(bones) = hand.bones().filter(|bones| bones.len() == self.rest.len()) else {
            return;
        };
        let size = bones[0].length / self.rest[0].length;
        let moves: Vec<Move> =
            self.rest.iter().zip(&bones).map(|(rest, now)| Move::new(rest, now, size)).collect();
        for (index, point) in self.points.iter().enumerate() {
            let each = || point.bones.iter().map(|(bone, share)| (&moves[*bone], *share));
            let place: Vec3 = each().map(|(bone, share)| bone.place(point.place) * share).sum();
            let normal: Vec3 = each().map(|(bone, share)| bone.turn * point.normal * share).sum();
            self.positions[index] = place.to_array();
            self.normals[index] = normal.normalize_or(point.normal).to_array();
        }
    }
}

/// The hand at rest, if it has the form of a hand.
fn rest_of(hand: &HandJoints) -> Option<HandJoints> {
    const MOST: f32 = 4.0;
    let rest = hand.at_rest()?;
    let reach = MOST * rest.palm()?.length;
    // Farther joints would take a surface of any size.
    let is_near = |joint: &Vec3| joint.length() <= reach;
    let joints = |finger: &FingerJoints| finger.base.iter().chain(&finger.joints).all(is_near);
    rest.fingers.iter().all(joints).then_some(rest)
}

/// The transform of a bone's points from the rest pose to the current one.
struct Move {
    rest: Vec3,
    now: Vec3,
    turn: Mat3,
    /// The same with its size.
    scaled: Mat3,
}

impl Move {
    /// From one place of a bone to another; it is `size` times as thick.
    fn new(rest: &HandBone, now: &HandBone, size: f32) -> Self {
        let stretch = now.length / rest.length;
        let stretch = if stretch.is_finite() { stretch } else { size };
        let [to_bone, from_bone] = [rest.turn.inverse(), now.turn].map(Mat3::from_quat);
        let scale = Mat3::from_diagonal(Vec3::new(size, size, stretch));
        Self {
            rest: rest.from,
            now: now.from,
            turn: from_bone * to_bone,
            scaled: from_bone * scale * to_bone,
        }
    }

    fn place(&self, place: Vec3) -> Vec3 {
        self.now + self.scaled * (place - self.rest)
    }
}

/// How much each of the nearest bones moves a place.
fn weights(bones: &[HandBone], place: Vec3, softness: f32) -> Vec<(usize, f32)> {
    let squares = bones.iter().map(|bone| {
        let ends = [bone.from, bone.to()];
        place.distance_squared(ends[0].lerp(ends[1], share_along(ends, place)))
    });
    let mut nearest: Vec<(usize, f32)> = squares.enumerate().collect();
    nearest.sort_by(|one, other| one.1.total_cmp(&other.1));
    nearest.truncate(MOST_BONES);
    let least = nearest.first().map_or(0.0, |first| first.1);
    for (_, square) in &mut nearest {
        *square = ((least - *square) / softness.powi(2)).exp();
    }
    let sum: f32 = nearest.iter().map(|(_, weight)| weight).sum();
    nearest.into_iter().map(|(bone, weight)| (bone, weight / sum)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::figure::testing::is_closed;

    /// A hand of 18 cm with its fingers ahead, bent by `curl` at each joint; mirrored if `mirror` is −1.
    fn hand(curl: f32, mirror: f32) -> HandJoints {
        let finger = |x: f32, length: f32| {
            let (mut place, mut turn) = (Vec3::new(mirror * x, 0.0, -0.09), 0.0);
            let mut joints = vec![place];
            for part in [0.5, 0.3, 0.2] {
                turn += curl;
                place += Vec3::new(0.0, -f32::sin(turn), -f32::cos(turn)) * part * length;
                joints.push(place);
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

    /// The volume that the skin encloses, in litres; positive if it faces outwards.
    fn litres(skin: &HandSkin) -> f32 {
        let at = |point: u32| Vec3::from_array(skin.positions[point as usize]);
        let corners =
            skin.triangles.chunks_exact(3).map(|one| [0, 1, 2].map(|index| at(one[index])));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0 * 1000.0).sum()
    }

    /// A hand of 19 cm displaces about 0.4 litres of water, so one of 17.5 cm about 0.3.
    #[test]
    fn either_hand_faces_outwards_and_has_the_volume_of_a_hand() {
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

    /// The bones of a hand give the rest of it, in whatever pose it was measured.
    #[test]
    fn skin_does_not_depend_on_the_pose_that_it_is_made_in() {
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
        let found = weights(&bones, tip, 0.006);
        // The palm, three of the thumb, and the first three of the index finger come before.
        assert_eq!(found[0].0, 7);
        assert!(found[0].1 > 0.9);
        assert!((found.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn triangles_share_their_sides() {
        let skin = bent(&hand(0.0, 1.0));
        assert!(is_closed(&skin.triangles), "each side is gone both ways");
    }

    #[test]
    fn hands_without_size_or_of_endless_fingers_have_no_skin() {
        let mut point = hand(0.0, 1.0);
        point.fingers.iter_mut().for_each(|finger| finger.joints.fill(Vec3::ZERO));
        assert_eq!(HandSkin::new(&point), None);
        let mut endless = hand(0.0, 1.0);
        endless.fingers[1].joints[3].z = -1.1;
        assert_eq!(HandSkin::new(&endless), None);
        // The thumb goes back as far as it begins away.
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
