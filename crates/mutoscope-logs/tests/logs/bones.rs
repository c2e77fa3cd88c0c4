//! Tests of the bones between joints that the catalogue states.

use mutoscope_core::{ReadOptions, SourceFile, clip::Node, decode};

/// Returns each joint that has a bone, with the joint at which the bone begins.
fn bones(text: &str, file: &str) -> Vec<(String, String)> {
    let options = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    let clip = decode(SourceFile::new(file, text.as_bytes()), &options).unwrap();
    let bone = |node: &Node| {
        Some((node.name.clone(), clip.nodes.get(node.bone_from?.index())?.name.clone()))
    };
    clip.nodes.iter().filter_map(bone).collect()
}

fn assert_bones(text: &str, file: &str, expected: &[(&str, &str)]) {
    let found = bones(text, file);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn columns_of_joints_have_bones() {
    let joints = ["NOSE", "LEFT_SHOULDER", "LEFT_ELBOW", "LEFT_WRIST"];
    let columns = |joint| format!("{joint}_x,{joint}_y,{joint}_z,{joint}_visibility");
    let header = joints.map(columns).join(",");
    let row = ["0,0,0,1"; 4].join(",");
    let expected = [("LEFT_ELBOW", "LEFT_SHOULDER"), ("LEFT_WRIST", "LEFT_ELBOW")];
    assert_bones(&format!("t,{header}\n0,{row}\n1,{row}\n"), "a.csv", &expected);

    let segments = ["Pelvis", "L5", "T8", "Head", "Right Shoulder", "Right Upper Arm"];
    let header = segments.map(|segment| format!("{segment} x,{segment} y,{segment} z")).join(",");
    let row = ["0,0,0"; 6].join(",");
    let text = format!("Frame,{header}\n0,{row}\n1,{row}\n");
    let expected =
        [("L5", "Pelvis"), ("Right Shoulder", "T8"), ("Right Upper Arm", "Right Shoulder")];
    assert_bones(&text, "Segment Position.csv", &expected);
}

#[test]
fn each_person_has_bones() {
    let mut text = "timestamp,serial,id,JOINT_WAIST.x,JOINT_WAIST.y,JOINT_WAIST.z,JOINT_HEAD.x,\
                    JOINT_HEAD.y,JOINT_HEAD.z,JOINT_NECK.x,JOINT_NECK.y,JOINT_NECK.z\n"
        .to_owned();
    for time in [0, 33_333] {
        for person in [1, 2] {
            text += &format!("{time},A,{person},0,1,2,0,1.7,2,0,1.5,2\n");
        }
    }
    assert_bones(&text, "a.csv", &[("1/NECK", "1/HEAD"), ("2/NECK", "2/HEAD")]);
}

#[test]
fn numbers_of_joints_have_bones() {
    let text = "# timestamp, jointType, position.X, position.Y, position.Z, orientation.W, \
                joint.tracking.state\n0, 0, 0, 0, 2, 1, 2\n0, 1, 0, 0.3, 2, 1, 2\n33, 0, 0, 0, 2, 1, \
                2\n33, 1, 0, 0.3, 2, 1, 2\n";
    assert_bones(text, "a.csv", &[("SpineMid", "SpineBase")]);
}
