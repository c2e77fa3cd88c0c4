//! Recognises parts of a body in node names, by whole words, in the conventions of Mixamo, HumanIK,
//! CMU, Unity, Godot, Blender, Unreal, 3ds Max and VRoid.

use crate::clip::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Hips,
    /// A joint of the trunk. The bone depends on the position of the joint in the sequence of trunk
    /// joints.
    Spine,
    Neck,
    Head,
    Jaw,
    Eye,
    /// A node named collar or clavicle. It is the shoulder bone.
    Collar,
    /// A node named shoulder. It is the shoulder bone if there is an `UpperArm` but no `Collar`. If
    /// there is no `UpperArm`, it is the upper arm.
    Shoulder,
    UpperArm,
    LowerArm,
    Wrist,
    Hand,
    /// A node named upper leg or thigh, or a node named hip with a side.
    UpperLeg,
    /// A node named leg. It is the upper leg if there is no `UpperLeg`, or else the lower leg if
    /// there is no `LowerLeg`.
    Leg,
    LowerLeg,
    /// A node named ankle. It is mapped to the foot bone. A `Foot` of the same leg is then mapped
    /// to the toes, if the leg has no `Toes`.
    Ankle,
    Foot,
    Toes,
    Finger(Finger, Phalanx),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phalanx {
    /// The number of the bone, from 1.
    Numbered(u8),
    Metacarpal,
    Proximal,
    Intermediate,
    Distal,
}

/// Returns the part and the side that a node name means, or `None` for nodes that are not bones,
/// such as twist bones, ends and helpers.
pub(super) fn parse_name(name: &str) -> Option<(Part, Option<Side>)> {
    let (name, side) = split_prefix(name);
    if side.is_none()
        && let Some(found) = parse_cmu_name(name)
    {
        return Some(found);
    }
    let (name, side) = match side {
        Some(side) => (name, Some(side)),
        None => split_side(name),
    };
    let words: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '.')
        .flat_map(char::to_lowercase)
        .collect();
    let part = if side.is_some() { side_part(&words) } else { middle_part(&words) };
    part.map(|part| (part, side))
}

/// Prefixes that exporters put before names. Numbered prefixes are listed without their digits.
const NUMBERED_PREFIXES: [&str; 4] = ["mixamorig", "character", "bip", "valvebiped.bip"];
const PREFIXES: [&str; 4] = ["def-", "org-", "cc_base_", "j_bip_c_"];

fn split_prefix(name: &str) -> (&str, Option<Side>) {
    let name = name.rsplit(['|', '/', ':']).next().unwrap_or(name);
    for (prefix, side) in [
        ("j_bip_l_", Side::Left),
        ("j_bip_r_", Side::Right),
        ("j_adj_l_face", Side::Left),
        ("j_adj_r_face", Side::Right),
    ] {
        if let Some(rest) = strip_prefix_ignoring_case(name, prefix) {
            return (rest, Some(side));
        }
    }
    for prefix in NUMBERED_PREFIXES {
        if let Some(rest) = strip_prefix_ignoring_case(name, prefix) {
            let digits = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            // Examples: "Bip01 L Foot", "Character1_Hips", "mixamorigHips".
            let is_prefix = digits.len() < rest.len() || prefix == "mixamorig";
            if is_prefix {
                return (digits.trim_start_matches([' ', '_']), None);
            }
        }
    }
    let rest = PREFIXES.iter().find_map(|prefix| strip_prefix_ignoring_case(name, prefix));
    (rest.unwrap_or(name), None)
}

fn strip_prefix_ignoring_case<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let start = name.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &name[prefix.len()..])
}

fn split_side(name: &str) -> (&str, Option<Side>) {
    const SIGNS: [char; 4] = ['_', ' ', '.', '-'];
    let sides = [("left", 'l', Side::Left), ("right", 'r', Side::Right)];
    for (word, letter, side) in sides {
        if let Some(rest) = strip_prefix_ignoring_case(name, word) {
            return (rest.trim_start_matches(SIGNS), Some(side));
        }
        let mut letters = name.chars();
        let first = letters.next().is_some_and(|first| first.eq_ignore_ascii_case(&letter));
        if first && letters.next().is_some_and(|sign| SIGNS.contains(&sign)) {
            return (letters.as_str(), Some(side));
        }
        let mut letters = name.chars();
        let last = letters.next_back().is_some_and(|last| last.eq_ignore_ascii_case(&letter));
        if last && letters.next_back().is_some_and(|sign| SIGNS.contains(&sign)) {
            return (letters.as_str(), Some(side));
        }
        let start = name.len().checked_sub(word.len());
        let end = start.and_then(|start| Some((name.get(..start)?, name.get(start..)?)));
        if let Some((rest, end)) = end
            && end.eq_ignore_ascii_case(word)
        {
            return (rest.trim_end_matches(SIGNS), Some(side));
        }
    }
    (name, None)
}

/// Recognises the names of CMU's skeletons in ASF files, whose first letter is the side.
fn parse_cmu_name(name: &str) -> Option<(Part, Option<Side>)> {
    let side = match name.chars().next()? {
        'l' => Side::Left,
        'r' => Side::Right,
        _ => return None,
    };
    let part = match &name[1..] {
        "femur" => Part::UpperLeg,
        "tibia" => Part::LowerLeg,
        "foot" => Part::Foot,
        "toes" => Part::Toes,
        "clavicle" => Part::Collar,
        "humerus" => Part::UpperArm,
        "radius" => Part::LowerArm,
        "wrist" => Part::Wrist,
        "hand" => Part::Hand,
        _ => return None,
    };
    Some((part, Some(side)))
}

fn split_number(words: &str) -> (&str, Option<u32>) {
    let word = words.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (word.trim_end_matches('.'), words[word.len()..].parse().ok())
}

fn middle_part(words: &str) -> Option<Part> {
    let (word, number) = split_number(words);
    Some(match (word, number) {
        ("hips" | "hip" | "pelvis", None) => Part::Hips,
        (
            "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "lowerback" | "upperback"
            | "thorax" | "waist" | "belly" | "abdomenlower" | "abdomenupper" | "chestlower"
            | "chestupper",
            _,
        ) => Part::Spine,
        ("neck" | "lowerneck" | "upperneck" | "necklower" | "neckupper", _) => Part::Neck,
        ("head", None) => Part::Head,
        ("jaw", None) => Part::Jaw,
        _ => return None,
    })
}

fn side_part(words: &str) -> Option<Part> {
    if let Some(finger) = finger_part(words) {
        return Some(finger);
    }
    Some(match words {
        "shoulder" => Part::Shoulder,
        "clavicle" | "collar" | "collarbone" => Part::Collar,
        "arm" | "upperarm" | "uparm" | "humerus" => Part::UpperArm,
        "forearm" | "lowerarm" | "elbow" | "radius" => Part::LowerArm,
        "hand" => Part::Hand,
        "wrist" => Part::Wrist,
        "upleg" | "upperleg" | "thigh" | "hip" | "femur" => Part::UpperLeg,
        "leg" => Part::Leg,
        "lowerleg" | "lowleg" | "shin" | "calf" | "knee" | "tibia" => Part::LowerLeg,
        "ankle" => Part::Ankle,
        "foot" => Part::Foot,
        "toe" | "toes" | "toebase" | "ball" | "toe0" => Part::Toes,
        "eye" => Part::Eye,
        _ => return None,
    })
}

fn finger_part(words: &str) -> Option<Part> {
    // In 3ds Max, Finger0, Finger01 and Finger02 are the thumb, and Finger1 and Finger11 belong to
    // the index finger.
    if let Some(digits) = words.strip_prefix("finger").filter(|digits| digits.len() <= 2) {
        let mut digits = digits.bytes();
        let finger = match digits.next()? {
            b'0' => Finger::Thumb,
            b'1' => Finger::Index,
            b'2' => Finger::Middle,
            b'3' => Finger::Ring,
            b'4' => Finger::Little,
            _ => return None,
        };
        let phalanx = match digits.next() {
            None => 1,
            Some(b'1') => 2,
            Some(b'2') => 3,
            Some(_) => return None,
        };
        return Some(Part::Finger(finger, Phalanx::Numbered(phalanx)));
    }
    let words = words.strip_prefix("hand").or_else(|| words.strip_prefix("f")).unwrap_or(words);
    let fingers = [
        ("thumb", Finger::Thumb),
        ("index", Finger::Index),
        ("middle", Finger::Middle),
        ("ring", Finger::Ring),
        ("little", Finger::Little),
        ("pinky", Finger::Little),
    ];
    let (finger, rest) =
        fingers.into_iter().find_map(|(word, finger)| Some((finger, words.strip_prefix(word)?)))?;
    let phalanx = match rest {
        "metacarpal" if finger == Finger::Thumb => Phalanx::Metacarpal,
        "proximal" => Phalanx::Proximal,
        "intermediate" => Phalanx::Intermediate,
        "distal" => Phalanx::Distal,
        _ => match split_number(rest) {
            // A fourth joint is the tip of the finger, which is not a bone.
            ("", Some(number @ 1..=3)) => Phalanx::Numbered(number as u8),
            _ => return None,
        },
    };
    Some(Part::Finger(finger, phalanx))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Option<Side> = Some(Side::Left);
    const RIGHT: Option<Side> = Some(Side::Right);

    #[test]
    fn names_of_every_convention_are_understood() {
        let index = |number| Part::Finger(Finger::Index, Phalanx::Numbered(number));
        let cases = [
            ("mixamorig:Hips", Part::Hips, None),
            ("mixamorigLeftUpLeg", Part::UpperLeg, LEFT),
            ("mixamorig12:RightHandIndex3", index(3), RIGHT),
            ("Character1_LeftForeArm", Part::LowerArm, LEFT),
            ("take:rig:Spine2", Part::Spine, None),
            ("root|Hips|LeftArm", Part::UpperArm, LEFT),
            ("J_Bip_C_UpperChest", Part::Spine, None),
            ("J_Bip_R_ToeBase", Part::Toes, RIGHT),
            ("J_Adj_L_FaceEye", Part::Eye, LEFT),
            ("Bip01 Pelvis", Part::Hips, None),
            ("Bip001 L UpperArm", Part::UpperArm, LEFT),
            ("Bip01 R Toe0", Part::Toes, RIGHT),
            ("Bip01 L Finger1", index(1), LEFT),
            ("Bip01 L Finger11", index(2), LEFT),
            ("Bip01 L Finger02", Part::Finger(Finger::Thumb, Phalanx::Numbered(3)), LEFT),
            ("DEF-spine.004", Part::Spine, None),
            ("DEF-upper_arm.L", Part::UpperArm, LEFT),
            ("DEF-f_index.01.R", index(1), RIGHT),
            ("DEF-thumb.02.L", Part::Finger(Finger::Thumb, Phalanx::Numbered(2)), LEFT),
            ("CC_Base_L_Thigh", Part::UpperLeg, LEFT),
            ("upperarm_l", Part::UpperArm, LEFT),
            ("index_02_r", index(2), RIGHT),
            ("spine_01", Part::Spine, None),
            ("calf_r", Part::LowerLeg, RIGHT),
            ("L_collar", Part::Collar, LEFT),
            ("L_foreArm", Part::LowerArm, LEFT),
            ("LeftLittleDistal", Part::Finger(Finger::Little, Phalanx::Distal), LEFT),
            ("LeftUpperLeg", Part::UpperLeg, LEFT),
            ("ltibia", Part::LowerLeg, LEFT),
            ("rhumerus", Part::UpperArm, RIGHT),
            ("upperneck", Part::Neck, None),
            ("LowerBack", Part::Spine, None),
            ("hand.L", Part::Hand, LEFT),
        ];
        for (name, part, side) in cases {
            assert_eq!(parse_name(name), Some((part, side)), "{name}");
        }
    }

    #[test]
    fn helper_nodes_are_not_bones() {
        for name in [
            "upperarm_twist_01_l",
            "DEF-upper_arm.L.001",
            "mixamorig:HeadTop_End",
            "mixamorig:LeftHandIndex4",
            "LeftToe_End",
            "ik_foot_l",
            "lhipjoint",
            "Bip01",
            "Armature",
            "J_Sec_Hair1",
            "LeftInHandIndex",
            "index_metacarpal_l",
            "Thigh",
            "",
            "l",
            "é",
            "Leftovers",
        ] {
            assert_eq!(parse_name(name), None, "{name}");
        }
    }
}
