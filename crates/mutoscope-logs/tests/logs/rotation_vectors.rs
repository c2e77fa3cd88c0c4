//! Tests of rotation vectors (the axis times the angle). The expected quaternions are those of
//! SciPy's `Rotation.from_rotvec`.

use glam::DQuat;
use mutoscope_core::clip::{Clip, Pose, Value};

/// Rows with the rotations of [`EXPECTED`].
const ROWS: &str = "0,0,0,0,0.1,-0.2,0.3\n1,1,2,3,1.2,0.5,-0.7\n";

const EXPECTED: [[f64; 4]; 2] = [
    [0.049708843324859475, -0.09941768664971895, 0.14912652997457843, 0.9825509821552589],
    [0.546965998887673, 0.22790249953653044, -0.3190634993511426, 0.7396533851390226],
];

/// Half-way between the two rotations, the short way.
const HALF_WAY: [f64; 4] =
    [0.3251551614674622, 0.07001719718131995, -0.09260635576997572, 0.9385072061209468];

/// The second rotation with axes to the right, down and forward, and to the right, up and forward.
const IN_AXES: [([&str; 3], [f64; 4]); 2] = [
    (
        ["right", "down", "forward"],
        [0.546965998887673, -0.22790249953653047, 0.3190634993511426, 0.7396533851390226],
    ),
    (
        ["right", "up", "forward"],
        [-0.546965998887673, -0.22790249953653047, -0.3190634993511426, 0.7396533851390226],
    ),
];

fn decode(text: &str, mapping: Option<&str>) -> Clip {
    crate::decode_table(text, mapping).unwrap()
}

fn assert_rotation(clip: &Clip, time: f64, expected: [f64; 4], context: &str) {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    let (found, expected) = (pose.nodes[0].world.rotation, DQuat::from_array(expected));
    let distance = (found - expected).length().min((found + expected).length());
    assert!(distance < 1e-12, "{context} at {time}: {found} instead of {expected}");
}

fn assumed<'a>(clip: &'a Clip, fact: &str) -> Option<&'a str> {
    let columns = clip.columns().unwrap();
    columns.assumed.iter().find(|one| one.fact == fact).map(|one| one.why.as_str())
}

#[test]
fn columns_named_as_rotation_vectors_are_rotation_vectors() {
    let headers = [
        "t,tvec_x,tvec_y,tvec_z,rvec_x,rvec_y,rvec_z",
        "t,cup_x,cup_y,cup_z,cup_rotvec_x,cup_rotvec_y,cup_rotvec_z",
        "t,cup.p.x,cup.p.y,cup.p.z,cup.axisAngle.x,cup.axisAngle.y,cup.axisAngle.z",
        "t,head_x,head_y,head_z,head_rotation_vector_x,head_rotation_vector_y,head_rotation_vector_z",
    ];
    for header in headers {
        let clip = decode(&format!("{header}\n{ROWS}"), None);
        assert_rotation(&clip, 0.0, EXPECTED[0], header);
        assert_rotation(&clip, 1.0, EXPECTED[1], header);
        assert_rotation(&clip, 0.5, HALF_WAY, header);
        assert_eq!((assumed(&clip, "euler"), assumed(&clip, "angles")), (None, None), "{header}");
        let used = &clip.columns().unwrap().used;
        assert!(used.iter().any(|one| one.property == "rotation_vector.z"), "{header}: {used:?}");
        // The track keeps the value that the file has.
        let track = clip.tracks.iter().find(|one| one.property == "rotation_vector.z").unwrap();
        assert_eq!(track.curve.key_value(1), Value::Number(-0.7));
        // The printed mapping must give the same rotations.
        let mapping = clip.columns().unwrap().mapping.clone();
        let again = decode(&format!("{header}\n{ROWS}"), Some(&mapping));
        assert_rotation(&again, 1.0, EXPECTED[1], &mapping);
        assert_eq!(again.columns().unwrap().assumed, []);
    }
}

#[test]
fn unnamed_rotations_are_angles_and_the_alternative_is_reported() {
    let table = format!("t,x,y,z,rx,ry,rz\n{ROWS}");
    let clip = decode(&table, None);
    assert!(assumed(&clip, "euler").unwrap().contains("rotation vector"));
    assert!(assumed(&clip, "angles").unwrap().contains("radians"));
    let vectors = decode(&table, Some("[space]\neuler = \"vector\"\n"));
    assert_rotation(&vectors, 1.0, EXPECTED[1], "by the mapping");
    assert_eq!(assumed(&vectors, "euler"), None);
    // Values above a full turn in radians are neither rotation vectors nor radians.
    let clip = decode("t,x,y,z,rx,ry,rz\n0,0,0,0,30,-45,60\n", None);
    assert!(!assumed(&clip, "euler").unwrap().contains("vector"));
    assert!(!assumed(&clip, "angles").unwrap().contains("radians"));
}

#[test]
fn rotation_vectors_follow_axes_and_units() {
    let table = format!("t,x,y,z,rvec_x,rvec_y,rvec_z\n{ROWS}");
    for (axes, expected) in IN_AXES {
        let clip = decode(&table, Some(&format!("[space]\naxes = {axes:?}\n")));
        assert_rotation(&clip, 1.0, expected, &axes.join(" "));
    }
    let degrees =
        "t,x,y,z,rvec_x [deg],rvec_y [deg],rvec_z [deg]\n0,0,0,0,30,-45,60\n1,0,0,0,0,0,0\n";
    let clip = decode(degrees, None);
    let expected =
        [0.2406500817268876, -0.36097512259033143, 0.4813001634537752, 0.7616657086249236];
    assert_rotation(&clip, 0.0, expected, "degrees");
    assert_rotation(&clip, 1.0, [0.0, 0.0, 0.0, 1.0], "a zero vector");
}

#[test]
fn pupil_head_poses_are_rotation_vectors() {
    let table = "timestamp,rotation_x,rotation_y,rotation_z,translation_x,translation_y,translation_z,\
                 pitch,yaw,roll\n0,1.2,0.5,-0.7,1,2,3,68,28,-40\n1,1.2,0.5,-0.7,1,2,3,68,28,-40\n";
    let clip = decode(table, None);
    assert_rotation(&clip, 0.0, EXPECTED[1], "Pupil");
    assert_eq!(clip.nodes.len(), 1, "the same rotation as angles must not add a gaze");
    assert_eq!(clip.signals.len(), 3);
}
