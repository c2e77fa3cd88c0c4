//! Guesses the part of a body that a joint belongs to by its name, for placeholder offsets only.

use glam::DVec3;

use crate::clip::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limb {
    /// The node name does not tell which limb the node belongs to.
    None,
    Trunk,
    Arm,
    Finger,
    Leg,
    Toe,
}

/// The words in joint names by limb. More specific words come first.
const LIMB_WORDS: [(Limb, &[&str]); 5] = [
    (Limb::Finger, &["finger", "thumb", "index", "middle", "ring", "pinky", "digit"]),
    (Limb::Toe, &["toe", "ball"]),
    (Limb::Leg, &["leg", "thigh", "knee", "calf", "shin", "ankle", "foot"]),
    (Limb::Arm, &["clavicle", "collar", "shoulder", "elbow", "wrist", "hand", "palm", "arm"]),
    (Limb::Trunk, &["spine", "chest", "torso", "neck", "head", "body"]),
];

const MISLEADING_WORDS: [&str; 3] = ["armature", "handle", "string"];

pub(super) fn limb_from_name(name: &str) -> Limb {
    let mut name = bare_name(name);
    for word in MISLEADING_WORDS {
        name = name.replace(word, "");
    }
    let has = |(_, words): &&(Limb, &[&str])| words.iter().any(|word| name.contains(word));
    LIMB_WORDS.iter().find(has).map_or(Limb::None, |(limb, _)| *limb)
}

/// Returns the side in a name such as `LeftArm`, `arm_l`, `L_arm` or `lf_arm`. `None` if the name
/// has no side, or both.
pub fn side_from_name(name: &str) -> Option<Side> {
    let name = bare_name(name);
    let is = |long: &str, short: [&str; 2]| {
        let mut words = name.split(|c: char| !c.is_alphabetic());
        name.contains(long) || words.any(|word| short.contains(&word))
    };
    match (is("left", ["l", "lf"]), is("right", ["r", "rt"])) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    }
}

/// Returns the direction from a joint of a limb to the next joint, for a body that faces +Z with Y
/// up. `begins` is set for the first joint of the limb. `None` if the bone continues in the
/// direction of the previous bone.
pub(super) fn limb_direction(limb: Limb, side: Option<Side>, begins: bool) -> Option<DVec3> {
    let outwards = match side {
        Some(Side::Left) => DVec3::X,
        Some(Side::Right) => DVec3::NEG_X,
        None => DVec3::ZERO,
    };
    match (limb, begins) {
        (Limb::Trunk, true) => Some(DVec3::Y),
        (Limb::Arm, true) if side.is_none() => Some(DVec3::X),
        (Limb::Arm, true) => Some(outwards),
        (Limb::Leg, true) => Some((outwards * 0.8 - DVec3::Y).normalize()),
        (Limb::Leg, false) => Some(DVec3::NEG_Y),
        (Limb::Toe, true) => Some(DVec3::new(0.0, -0.3, 1.0).normalize()),
        _ => None,
    }
}

fn bare_name(name: &str) -> String {
    name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limbs_follow_from_names() {
        let cases = [
            ("mixamorig:LeftForeArm", Limb::Arm, Some(Side::Left)),
            ("upper_arm.R", Limb::Arm, Some(Side::Right)),
            ("RightHandThumb1", Limb::Finger, Some(Side::Right)),
            ("lf_knee", Limb::Leg, Some(Side::Left)),
            ("L_ToeBase", Limb::Toe, Some(Side::Left)),
            ("Spine2", Limb::Trunk, None),
            ("Armature", Limb::None, None),
            ("joint3", Limb::None, None),
            ("controlRig", Limb::None, None),
        ];
        for (name, limb, side) in cases {
            assert_eq!((limb_from_name(name), side_from_name(name)), (limb, side), "{name}");
        }
    }
}
