//! Tests of mannequins with poses that a person can picture.

use glam::DVec3;

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, NodeId, Nodes, Pose, Side},
    decode,
    diagnostics::Diagnostics,
    retarget::find_bodies,
};

use super::{BodySides, MannequinPart, Mannequins, mannequin::reference_body};

/// Coarse surfaces are created faster.
const COARSENESS: f32 = 1.5;

type Joint = (&'static str, usize, [f64; 3]);

/// A person in a T-pose: the name of each joint, the index of its parent, and its offset from the
/// parent in metres. The person faces +Z, so that the left side is at +X.
const STANDING: [Joint; 21] = [
    ("Hips", 0, [0.0, 0.95, 0.0]),
    ("Spine", 0, [0.0, 0.12, 0.0]),
    ("Chest", 1, [0.0, 0.15, 0.0]),
    ("Neck", 2, [0.0, 0.22, 0.0]),
    ("Head", 3, [0.0, 0.1, 0.0]),
    ("LeftShoulder", 2, [0.03, 0.16, 0.0]),
    ("LeftArm", 5, [0.15, 0.0, 0.0]),
    ("LeftForeArm", 6, [0.28, 0.0, 0.0]),
    ("LeftHand", 7, [0.25, 0.0, 0.0]),
    ("RightShoulder", 2, [-0.03, 0.16, 0.0]),
    ("RightArm", 9, [-0.15, 0.0, 0.0]),
    ("RightForeArm", 10, [-0.28, 0.0, 0.0]),
    ("RightHand", 11, [-0.25, 0.0, 0.0]),
    ("LeftUpLeg", 0, [0.09, -0.05, 0.0]),
    ("LeftLeg", 13, [0.0, -0.41, 0.0]),
    ("LeftFoot", 14, [0.0, -0.41, 0.0]),
    ("LeftToeBase", 15, [0.0, -0.06, 0.13]),
    ("RightUpLeg", 0, [-0.09, -0.05, 0.0]),
    ("RightLeg", 17, [0.0, -0.41, 0.0]),
    ("RightFoot", 18, [0.0, -0.41, 0.0]),
    ("RightToeBase", 19, [0.0, -0.06, 0.13]),
];

fn clip_of(joints: &[Joint]) -> Clip {
    let mut text = String::from("HIERARCHY\n");
    write_joint(joints, 0, &mut text);
    let zeros = "0 ".repeat(3 * joints.len());
    text += &format!("MOTION\nFrames: 2\nFrame Time: 0.1\n{zeros}\n{zeros}\n");
    decode(SourceFile::new("body.bvh", text.as_bytes()), &ReadOptions::default()).unwrap()
}

fn write_joint(joints: &[Joint], index: usize, text: &mut String) {
    let (name, _, [x, y, z]) = joints[index];
    let kind = if index == 0 { "ROOT" } else { "JOINT" };
    *text += &format!("{kind} {name}\n{{\nOFFSET {x} {y} {z}\n");
    *text += "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let children: Vec<usize> =
        (1..joints.len()).filter(|&child| joints[child].1 == index).collect();
    children.iter().for_each(|&child| write_joint(joints, child, text));
    if children.is_empty() {
        *text += "End Site\n{\nOFFSET 0 0 0.04\n}\n";
    }
    *text += "}\n";
}

/// Returns the standing person with other offsets for some joints.
fn posed(changes: &[(&str, [f64; 3])]) -> Clip {
    let joints = STANDING.map(|(name, parent, offset)| {
        let change = changes.iter().find(|(changed, _)| *changed == name);
        (name, parent, change.map_or(offset, |(_, offset)| *offset))
    });
    clip_of(&joints)
}

fn without(name: &str) -> Clip {
    let renamed = STANDING.map(|(joint, parent, offset)| {
        (if joint == name { "Other" } else { joint }, parent, offset)
    });
    clip_of(&renamed)
}

fn node(clip: &Clip, name: &str) -> NodeId {
    clip.nodes.with_ids().find(|(_, node)| node.name == name).unwrap().0
}

/// Returns the points of the parts that begin at the joint `name`, in the viewer's space.
fn points_of(clip: &Clip, mannequins: &Mannequins, pose: &Pose, name: &str) -> Vec<DVec3> {
    let begins_here = |part: &&MannequinPart| clip.nodes[part.attachment.node].name == name;
    let parts = mannequins.parts.iter().filter(begins_here);
    parts.flat_map(|part| points_in(part, pose)).collect()
}

fn points_in(part: &MannequinPart, pose: &Pose) -> Vec<DVec3> {
    let transform = part.transform(pose).unwrap();
    let point = |point: &[f32; 3]| DVec3::from_array(point.map(f64::from));
    part.positions.iter().map(|at| transform.transform_point(point(at))).collect()
}

/// Returns the smallest and the largest of the points' positions along `axis`.
fn extent(points: &[DVec3], axis: DVec3) -> [f64; 2] {
    let along = || points.iter().map(|point| point.dot(axis));
    [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
}

fn rest_pose(clip: &Clip) -> Pose {
    let mut pose = Pose::default();
    clip.sample(clip.span.start, &mut pose);
    pose
}

#[test]
fn head_is_on_top_and_the_soles_are_below_the_ankles() {
    let clip = posed(&[]);
    let (mannequins, pose) = (Mannequins::from_clip(&clip, COARSENESS), rest_pose(&clip));
    let heights = |name: &str| extent(&points_of(&clip, &mannequins, &pose, name), DVec3::Y);
    let [chin, crown] = heights("Head");
    assert!((1.70..1.76).contains(&crown) && (1.47..1.54).contains(&chin), "{chin} {crown}");
    for name in ["LeftFoot", "RightFoot"] {
        let [sole, instep] = heights(name);
        // The ankle is 0.08 m high, and the toe joint 0.02 m.
        assert!((-0.01..0.01).contains(&sole) && (0.08..0.13).contains(&instep), "{sole}");
    }
    let all: Vec<DVec3> = mannequins.parts.iter().flat_map(|part| points_in(part, &pose)).collect();
    assert_eq!(extent(&all, DVec3::Y)[1], crown, "nothing is higher than the head");
}

#[test]
fn feet_and_nose_point_to_the_front() {
    for clip in [posed(&[]), clip_of(&mirrored_names())] {
        let (mannequins, pose) = (Mannequins::from_clip(&clip, COARSENESS), rest_pose(&clip));
        let ankle = pose[node(&clip, "LeftFoot")].world.translation;
        let toes = pose[node(&clip, "LeftToeBase")].world.translation;
        let front = (toes - ankle).with_y(0.0).normalize();
        let [heel, ball] = extent(&points_of(&clip, &mannequins, &pose, "LeftFoot"), front);
        let foot = ankle.dot(front);
        assert!((0.04..0.08).contains(&(foot - heel)), "the heel is behind the ankle: {heel}");
        assert!((0.12..0.2).contains(&(ball - foot)), "the ball is in front of it: {ball}");
        let head = points_of(&clip, &mannequins, &pose, "Head");
        let [back, nose] = extent(&head, front);
        let tip = head.iter().max_by(|a, b| a.dot(front).total_cmp(&b.dot(front))).unwrap();
        let [chin, crown] = extent(&head, DVec3::Y);
        assert!((0.19..0.24).contains(&(nose - back)), "{back} {nose}");
        let height = (tip.y - chin) / (crown - chin);
        assert!((0.3..0.5).contains(&height), "the nose is below the middle of the head: {height}");
    }
}

/// Returns the standing person with the names of the left side on the right.
fn mirrored_names() -> [Joint; 21] {
    STANDING.map(|(name, parent, [x, y, z])| (name, parent, [-x, y, z]))
}

#[test]
fn left_hand_is_at_the_left_and_its_thumb_in_front() {
    let clip = posed(&[]);
    let (mannequins, pose) = (Mannequins::from_clip(&clip, COARSENESS), rest_pose(&clip));
    let facing = BodySides::from_clip(&clip).facing(&pose);
    let right = facing.cross(DVec3::Y);
    for (name, side, sign) in [("LeftHand", Side::Left, -1.0), ("RightHand", Side::Right, 1.0)] {
        let parts =
            || mannequins.parts.iter().filter(|part| part.attachment.node == node(&clip, name));
        assert!(parts().all(|part| part.side == Some(side)) && parts().count() == 1);
        let hand = points_of(&clip, &mannequins, &pose, name);
        let [near, far] = extent(&hand, right * sign);
        assert!(near > 0.65 && (0.85..0.92).contains(&far), "{name}: {near} {far}");
        let [behind, thumb] = extent(&hand, facing);
        assert!(thumb > 1.3 * -behind, "{name}: {behind} {thumb}");
    }
}

#[test]
fn people_sit_and_lie_but_animals_stand_on_four_legs() {
    let is_human =
        |clip: &Clip| find_bodies(clip).iter().any(|bones| reference_body(clip, bones).is_some());
    assert!(is_human(&posed(&[])));
    let sits = [("LeftLeg", [0.0, 0.0, 0.41]), ("RightLeg", [0.0, 0.0, 0.41])];
    assert!(is_human(&posed(&sits)), "the thighs are horizontal");
    let lies = STANDING.map(|(name, parent, [x, y, z])| (name, parent, [x, z, y]));
    assert!(is_human(&clip_of(&lies)));
    let stands_on_four = [
        ("Spine", [0.0, 0.0, 0.25]),
        ("Chest", [0.0, 0.0, 0.25]),
        ("Neck", [0.0, 0.1, 0.15]),
        ("Head", [0.0, 0.1, 0.1]),
        ("LeftForeArm", [0.0, -0.4, 0.0]),
        ("RightForeArm", [0.0, -0.4, 0.0]),
    ];
    assert!(!is_human(&posed(&stands_on_four)), "the trunk is horizontal");
    let has_stumps = [
        ("LeftLeg", [0.0, -0.08, 0.0]),
        ("RightLeg", [0.0, -0.08, 0.0]),
        ("LeftFoot", [0.0, -0.05, 0.0]),
        ("RightFoot", [0.0, -0.05, 0.0]),
    ];
    assert!(!is_human(&posed(&has_stumps)), "the legs are far too short");
    for name in ["Head", "LeftUpLeg", "RightLeg", "LeftForeArm", "RightFoot"] {
        assert!(!is_human(&without(name)), "{name} is missing");
    }
    for name in ["LeftHand", "LeftToeBase", "RightShoulder", "Neck", "Spine", "Chest"] {
        assert!(is_human(&without(name)), "{name} may be missing");
    }
}

#[test]
fn parts_reach_their_joints_while_walking() {
    let bytes = include_bytes!("../../../../assets/bvh/walk.bvh");
    let clip = decode(SourceFile::new("walk.bvh", bytes), &ReadOptions::default()).unwrap();
    let mannequins = Mannequins::from_clip(&clip, COARSENESS);
    let mut pose = Pose::default();
    for share in [0.0, 0.3, 0.6, 0.9] {
        clip.sample(clip.span.start + share * clip.span.duration, &mut pose);
        for part in &mannequins.parts {
            let Some((end, length)) = part.attachment.end else { continue };
            let transform = part.transform(&pose).unwrap();
            let reached = transform.transform_point(DVec3::Y * length);
            let name = &clip.nodes[part.attachment.node].name;
            assert!(reached.distance(pose[end].world.translation) < 1e-9, "{name}");
            assert!((transform.scale.y - 1.0).abs() < 1e-6, "{name} is rigid");
        }
        let normals = mannequins.parts.iter().flat_map(|part| &part.normals);
        assert!(
            normals.map(|one| DVec3::from_array(one.map(f64::from))).all(|n| n.is_normalized())
        );
    }
}

#[test]
fn joints_without_parents_are_found_by_their_names() {
    /// A person of Kinect v2 who faces +Z, with the left side at +X.
    const JOINTS: [(&str, [f64; 3]); 20] = [
        ("SpineBase", [0.0, 0.95, 0.0]),
        ("SpineMid", [0.0, 1.2, 0.0]),
        ("Neck", [0.0, 1.45, 0.0]),
        ("Head", [0.0, 1.6, 0.0]),
        ("ShoulderLeft", [0.18, 1.4, 0.0]),
        ("ElbowLeft", [0.2, 1.12, 0.0]),
        ("WristLeft", [0.2, 0.88, 0.05]),
        ("HandLeft", [0.2, 0.8, 0.06]),
        ("ShoulderRight", [-0.18, 1.4, 0.0]),
        ("ElbowRight", [-0.2, 1.12, 0.0]),
        ("WristRight", [-0.2, 0.88, 0.05]),
        ("HandRight", [-0.2, 0.8, 0.06]),
        ("HipLeft", [0.09, 0.9, 0.0]),
        ("KneeLeft", [0.09, 0.5, 0.02]),
        ("AnkleLeft", [0.09, 0.1, 0.0]),
        ("FootLeft", [0.09, 0.04, 0.12]),
        ("HipRight", [-0.09, 0.9, 0.0]),
        ("KneeRight", [-0.09, 0.5, 0.02]),
        ("AnkleRight", [-0.09, 0.1, 0.0]),
        ("FootRight", [-0.09, 0.04, 0.12]),
    ];
    let person = |prefix: &str, x: f64| {
        let root = |(name, [dx, y, z]): &(&str, [f64; 3])| {
            let channels = "CHANNELS 3 Zrotation Xrotation Yrotation";
            format!("ROOT {prefix}{name}\n{{\nOFFSET {} {y} {z}\n{channels}\n}}\n", x + dx)
        };
        JOINTS.iter().map(root).collect::<String>()
    };
    let clip = |people: &str| {
        let zeros = "0 ".repeat(3 * people.matches("ROOT").count());
        let text = format!(
            "HIERARCHY\n# unit: m\n{people}MOTION\nFrames: 2\nFrame Time: 0.1\n{zeros}\n{zeros}\n"
        );
        decode(SourceFile::new("joints.bvh", text.as_bytes()), &ReadOptions::default()).unwrap()
    };
    let alone = clip(&person("", 0.0));
    let mannequins = Mannequins::from_clip(&alone, COARSENESS);
    assert!(JOINTS.iter().filter(|(name, _)| *name != "SpineMid").all(|(name, _)| {
        mannequins.covers(node(&alone, name)) || ["WristLeft", "WristRight"].contains(name)
    }));
    let pose = rest_pose(&alone);
    let [low, high] = extent(&points_of(&alone, &mannequins, &pose, "KneeLeft"), DVec3::Y);
    assert!((0.0..0.12).contains(&low) && (0.48..0.6).contains(&high), "{low} {high}");

    // Tables name the hands `left/hand` and `right/hand`.
    let nodes = alone.nodes.iter().cloned().map(|mut node| {
        let side = match node.name.as_str() {
            "HandLeft" => Side::Left,
            "HandRight" => Side::Right,
            _ => return node,
        };
        let name = if side == Side::Left { "left/hand" } else { "right/hand" };
        (node.name, node.side) = (name.to_owned(), Some(side));
        node
    });
    let mut with_sides = alone.clone();
    with_sides.nodes = Nodes::new(nodes.collect(), &mut Diagnostics::new());
    assert_eq!(Mannequins::from_clip(&with_sides, COARSENESS), mannequins);

    let two = clip(&(person("Ann:", 0.0) + &person("Ben:", 1.0)));
    assert!(Mannequins::from_clip(&two, COARSENESS).parts.is_empty(), "whose joint is whose?");
}

#[test]
fn surfaces_surround_their_joints() {
    let clip = posed(&[]);
    for part in Mannequins::from_clip(&clip, COARSENESS).parts {
        let corners = part.triangles.chunks_exact(3).map(|corners| {
            [0, 1, 2].map(|at| glam::Vec3::from_array(part.positions[corners[at] as usize]))
        });
        let volume: f32 = corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        let litres = 1000.0 * volume;
        let name = &clip.nodes[part.attachment.node].name;
        assert!((0.05..25.0).contains(&litres), "{name}: {litres} litres");
    }
}

#[test]
fn long_branches_are_not_covered() {
    let mut joints = STANDING.to_vec();
    joints.push(("Tail", 0, [0.0, 0.0, -0.1]));
    joints.push(("TailTip", 21, [0.0, 0.0, -0.5]));
    joints.push(("LeftEyeHelper", 4, [0.03, 0.06, 0.08]));
    let clip = clip_of(&joints);
    let mannequins = Mannequins::from_clip(&clip, COARSENESS);
    let covers = |name: &str| mannequins.covers(node(&clip, name));
    assert!(!covers("Tail") && !covers("TailTip"));
    assert!(STANDING.iter().all(|(name, ..)| covers(name)) && covers("LeftEyeHelper"));
}
