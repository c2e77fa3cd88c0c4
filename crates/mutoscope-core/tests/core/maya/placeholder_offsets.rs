//! Joints that a file only rotates get placeholder offsets for drawing. Every other use sees the
//! positions of the file.

use glam::DVec3;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    diagnostics::Severity,
};

use mutoscope_testing::fixtures;

fn clip(lines: &str) -> Clip {
    let mut text = "animVersion 1.1;\ntimeUnit sec;\nlinearUnit cm;\nangularUnit deg;\n".to_owned();
    for line in lines.lines() {
        text += &format!("anim {line};\n");
        if line.split_whitespace().count() > 4 {
            text += "animData { keys { 0 1 linear linear 1 1 0;\n 1 2 linear linear 1 1 0; } }\n";
        }
    }
    decode(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn nodes_with_placeholder(clip: &Clip) -> Vec<&str> {
    let offsets = clip.skeleton.placeholder_offsets().iter();
    offsets.map(|offset| clip.nodes[offset.node].name.as_str()).collect()
}

fn positions_at_start(clip: &Clip) -> Vec<DVec3> {
    let mut pose = Pose::default();
    clip.sample(0.0, &mut pose);
    pose.nodes.iter().map(|node| node.world.translation).collect()
}

#[test]
fn placeholder_offsets_are_used_for_drawing_only() {
    let clip =
        decode(&fixtures::maya_file("spec_example_4joints.anim"), &ReadOptions::default()).unwrap();
    assert_eq!(nodes_with_placeholder(&clip), ["joint2", "joint3", "joint4"]);
    assert!(positions_at_start(&clip).iter().all(|position| *position == DVec3::ZERO));
    let diagnostic = clip
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.code.as_str() == "skeleton/placeholder-offsets")
        .unwrap();
    assert_eq!(diagnostic.severity, Severity::Info);
    let drawn = positions_at_start(&clip.with_placeholder_offsets());
    for pair in drawn.windows(2) {
        let length = pair[0].distance(pair[1]);
        assert!((length - 0.1).abs() < 1e-9, "{length}");
    }
}

#[test]
fn joints_with_and_without_positions_are_distinguished() {
    let cases: [(&str, &[&str]); 6] = [
        ("rotate.rotateX rotateX alone 0 0 0", &[]),
        ("rotate.rotateX rotateX a 0 0 0\nrotate.rotateX rotateX b 0 0 0", &["a", "b"]),
        ("translate.translateX translateX hip 0 1 0\nrotate.rotateX rotateX leg 1 0 0", &["leg"]),
        // Group `b` has no offset of its own, but its child has one, so the group stays at its
        // parent's position.
        ("a 0 1 0\nb 1 1 0\ntranslate.translateX translateX c 2 0 0", &[]),
        (
            "a 0 1 0\nrotate.rotateX rotateX b 1 1 0\ntranslate.translateX translateX c 2 0 0",
            &["b"],
        ),
        ("rotate.rotateX rotateX a 0 2 0\naShape 1 0 0\neffector1 1 0 0\nend 1 0 0", &["end"]),
    ];
    for (lines, expected) in cases {
        assert_eq!(nodes_with_placeholder(&clip(lines)), expected, "{lines}");
    }
}

#[test]
fn placeholder_offsets_form_a_body() {
    let lines = "translate.translateY translateY Hips 0 3 0\nSpine 1 2 0\nHead 2 0 0\n\
                 LeftArm 2 1 0\nLeftHand 3 0 0\nRightArm 2 1 0\nRightHand 3 0 0\n\
                 LeftUpLeg 1 1 0\nLeftFoot 2 0 0\nRightUpLeg 1 1 0\nRightFoot 2 0 0";
    let body = clip(lines).with_placeholder_offsets();
    let positions = positions_at_start(&body);
    let position =
        |name: &str| positions[body.nodes.iter().position(|node| node.name == name).unwrap()];
    assert!(position("Head").y > position("Spine").y && position("Spine").y > position("Hips").y);
    assert!(position("LeftFoot").y < position("Hips").y - 0.2);
    assert!(position("LeftHand").x > 0.2 && position("RightHand").x < -0.2);
    assert!(position("LeftFoot").x > 0.0 && position("RightFoot").x < 0.0);
}

#[test]
fn limbs_without_side_names_are_separated() {
    let limbs = clip("hip 0 2 0\nleg1 1 2 0\nknee 2 0 0\nankle 2 0 0\nleg2 1 0 0");
    let positions = positions_at_start(&limbs.with_placeholder_offsets());
    assert!(
        positions[2].distance(positions[3]) > 0.005 && positions[1].distance(positions[4]) > 0.005
    );
}

#[test]
fn siblings_never_share_a_placeholder_position() {
    for (name, bytes) in fixtures::maya_files() {
        let Ok(clip) = decode(&bytes, &ReadOptions::default()) else { continue };
        let offsets = clip.skeleton.placeholder_offsets();
        for (index, one) in offsets.iter().enumerate() {
            let is_sibling = |id| clip.nodes[id].parent == clip.nodes[one.node].parent;
            let others = offsets[index + 1..].iter().filter(|other| is_sibling(other.node));
            for other in others {
                let distance = one.translation.distance(other.translation);
                assert!(distance > 0.01 * one.translation.length().max(1.0), "{name}: {one:?}");
            }
        }
    }
}
