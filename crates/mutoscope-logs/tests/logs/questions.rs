//! Tests of the questions about columns whose meaning is not certain. The expected poses follow from
//! the stated reading by hand.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, ColumnQuestion, ColumnUses, Pose, ReadingPreview},
    formats::MappingFile,
};
use mutoscope_logs::{MappingChange, ReadingNumber, change_mapping, choose_readings};

fn decode(text: &str, columns: Option<&MappingFile>) -> Clip {
    let request = ReadOptions {
        columns: columns.cloned(),
        ..ReadOptions::default().with_formats(mutoscope_logs::formats())
    };
    mutoscope_core::decode(SourceFile::new("take.csv", text.as_bytes()), &request).unwrap()
}

fn columns(clip: &Clip) -> &ColumnUses {
    clip.columns().unwrap()
}

fn questions(clip: &Clip) -> &[ColumnQuestion] {
    &columns(clip).questions
}

fn world(clip: &Clip, node: &str, time: f64) -> (DVec3, DQuat) {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    let index = clip.nodes.iter().position(|own| own.name == node).expect(node);
    (pose.nodes[index].world.translation, pose.nodes[index].world.rotation)
}

fn read_as(text: &str, question: usize, reading: usize) -> Clip {
    let asked = decode(text, None);
    let number = ReadingNumber { question, reading };
    let mapping = choose_readings(columns(&asked), &[number]).unwrap().unwrap();
    decode(text, Some(&mapping))
}

fn forward(clip: &Clip, node: &str, time: f64) -> DVec3 {
    world(clip, node, time).1 * DVec3::NEG_Z
}

fn assert_near(found: DVec3, expected: [f64; 3], context: &str) {
    let expected = DVec3::from_array(expected);
    assert!((found - expected).length() < 1e-6, "{context}: expected {expected}, found {found}");
}

const YAW_PITCH_ROLL: &str = "time,head_x,head_y,head_z,head_yaw,head_pitch,head_roll\n\
                              0,0,1.6,0,0,0,0\n0.5,0,1.6,0,45,0,0\n1,0,1.6,0,90,0,30\n";
const THREE_ANGLES: &str = "time,head_x,head_y,head_z,head_rx,head_ry,head_rz\n\
                            0,0,1.6,0,0,0,0\n1,0,1.6,0,0,1.5707963267948966,0\n";
const FAR: &str = "time,head_x,head_y,head_z\n0,0,1600,0\n1,0,1700,250\n";
const VECTORS: &str = "time,head_x,head_y,head_z,left_vec_x,left_vec_y,left_vec_z,aim_dir_x,aim_dir_y,aim_dir_z\n\
                       0,0,1.6,0,0,0,-4,3,4,0\n1,0,1.6,0,0,-4,0,3,4,12\n";
const TWO_TIMES: &str =
    "unix_time,ovr_time,head_x,head_y,head_z\n0,7.5,0,1.6,0\n1,7.51,0.5,1.6,0\n2,7.52,1,1.6,0\n";
const UNKNOWN_UNIT: &str = "time,head_x,head_y,head_z,cup_x [u],cup_y [u],cup_z [u]\n\
                            0,0,1.6,0,1,2,3\n1,0,1.6,0,4,5,6\n";
const ANGLES_AS_POSITION: &str = "time,head_x,head_y,head_z,cup_x [deg],cup_y [deg],cup_z [deg]\n\
                                  0,0,1.6,0,0,90,0\n1,0,1.6,0,90,0,0\n";
const QUATERNION_LIST: &str = "{\"time\":0,\"head\":{\"position\":[0,1.6,0],\"rotation\":[0.6,0,0,0.8]}}\n\
                               {\"time\":1,\"head\":{\"position\":[0,1.7,0],\"rotation\":[0.8,0,0,0.6]}}\n";
const QUATERNION_NUMBERS: &str = "time,head_x,head_y,head_z,head_q0,head_q1,head_q2,head_q3\n\
                                  0,0,1.6,0,0.6,0,0,0.8\n1,0,1.6,0,0.8,0,0,0.6\n";
const LYING: &str =
    "time,head_x,head_y,head_z,hips_x,hips_y,hips_z\n0,1.7,0,0,0.9,0,0\n1,1.7,0,0,0.9,0,0\n";

const ALL: [&str; 10] = [
    YAW_PITCH_ROLL,
    THREE_ANGLES,
    FAR,
    VECTORS,
    TWO_TIMES,
    UNKNOWN_UNIT,
    ANGLES_AS_POSITION,
    QUATERNION_LIST,
    QUATERNION_NUMBERS,
    LYING,
];

#[test]
fn reading_shows_its_preview_and_answers_its_question() {
    for text in ALL {
        let asked = decode(text, None);
        assert!(!questions(&asked).is_empty(), "{text}");
        for (index, question) in questions(&asked).iter().enumerate() {
            assert!((2..=3).contains(&question.readings.len()), "{text}");
            let current = question.readings.iter().filter(|reading| reading.is_current).count();
            assert_eq!(current, 1, "{text}");
            for (number, reading) in question.readings.iter().enumerate() {
                let context = format!("{} of {text}", reading.label);
                let chosen = read_as(text, index + 1, number + 1);
                let is_same = |other: &&ColumnQuestion| other.why == question.why;
                let again = questions(&chosen).iter().find(is_same);
                assert!(again.is_none_or(|it| it.columns != question.columns), "{context}");
                assert_eq!(questions(&chosen).len() + 1, questions(&asked).len(), "{context}");
                if let Some(ReadingPreview::Poses { node, poses, .. }) = &reading.preview {
                    for pose in poses {
                        let (position, rotation) = world(&chosen, node, pose.time);
                        assert_near(position, pose.position, &context);
                        assert_near(rotation * DVec3::NEG_Z, pose.forward, &context);
                        assert_near(rotation * DVec3::Y, pose.up, &context);
                    }
                } else {
                    assert!(reading.preview.is_some(), "{context}");
                }
                let text_of_mapping = columns(&chosen).mapping.clone();
                let printed = MappingFile {
                    format: mutoscope_logs::FORMAT_ID,
                    name: "printed".to_owned(),
                    text: text_of_mapping.clone(),
                };
                let printed = decode(text, Some(&printed));
                assert_eq!(questions(&printed), [], "{context}: {text_of_mapping}");
                assert_eq!(printed.nodes.len(), chosen.nodes.len(), "{context}");
                assert_eq!(printed.signals.len(), chosen.signals.len(), "{context}");
            }
        }
    }
}

#[test]
fn yaw_pitch_and_roll_turn_about_the_stated_axes() {
    let game = read_as(YAW_PITCH_ROLL, 1, 1);
    // A rotation of 90 degrees about Y turns forward (−Z) to the left (−X).
    assert_near(forward(&game, "head", 1.0), [-1.0, 0.0, 0.0], "yaw about y");
    let aircraft = read_as(YAW_PITCH_ROLL, 1, 2);
    // The yaw about Z is applied last, so forward stays in the plane that the roll about X tilts.
    let (sine, cosine) = 30f64.to_radians().sin_cos();
    assert_near(forward(&aircraft, "head", 1.0), [-sine, 0.0, -cosine], "yaw about z");
    let signals = read_as(YAW_PITCH_ROLL, 1, 3);
    assert_near(forward(&signals, "head", 1.0), [0.0, 0.0, -1.0], "signals");
    assert_eq!(signals.signals.len(), 3);
}

#[test]
fn three_angles_are_radians_rotation_vectors_or_degrees() {
    let turned = [-1.0, 0.0, 0.0];
    assert_near(forward(&read_as(THREE_ANGLES, 1, 1), "head", 1.0), turned, "radians");
    assert_near(forward(&read_as(THREE_ANGLES, 1, 2), "head", 1.0), turned, "vector");
    let (sine, cosine) = std::f64::consts::FRAC_PI_2.to_radians().sin_cos();
    let hardly = [-sine, 0.0, -cosine];
    assert_near(forward(&read_as(THREE_ANGLES, 1, 3), "head", 1.0), hardly, "degrees");
    let degrees = THREE_ANGLES.replace("1.5707963267948966", "90");
    assert_eq!(questions(&decode(&degrees, None)), [], "90 is not in radians");
}

#[test]
fn other_readings_lead_to_the_stated_poses() {
    let position = |clip: &Clip, node: &str| world(clip, node, 1.0).0;
    assert_near(position(&read_as(FAR, 1, 1), "head"), [0.0, 1.7, 0.25], "mm");
    assert_near(position(&read_as(FAR, 1, 2), "head"), [0.0, 17.0, 2.5], "cm");
    assert_near(position(&read_as(VECTORS, 1, 1), "left/pose"), [0.0, -4.0, 0.0], "position");
    assert_near(forward(&read_as(VECTORS, 1, 2), "left/pose", 1.0), [0.0, -1.0, 0.0], "direction");
    assert_near(position(&read_as(UNKNOWN_UNIT, 1, 1), "cup"), [4.0, 5.0, 6.0], "unit");
    let cup = read_as(ANGLES_AS_POSITION, 1, 1);
    assert_near(forward(&cup, "cup", 1.0), [0.0, 1.0, 0.0], "90 degrees about x");
    for (text, what) in [(QUATERNION_LIST, "list"), (QUATERNION_NUMBERS, "q0")] {
        // 0.8, 0, 0, 0.6 with w last is a rotation about X. With w first, it is one about Z.
        let last = forward(&read_as(text, 1, 1), "head", 1.0);
        assert_near(last, [0.0, 0.96, 0.28], what);
        assert_near(forward(&read_as(text, 1, 2), "head", 1.0), [0.0, 0.0, -1.0], what);
    }
    let standing = position(&read_as(LYING, 1, 1), "head");
    assert_near(standing, [0.0, 1.7, 0.0], "x is up");
    assert_near(position(&read_as(LYING, 1, 2), "head"), [1.7, 0.0, 0.0], "the body lies");
    let asked = decode(TWO_TIMES, None);
    for (name, start, duration) in [("unix_time", 0.0, 2.0), ("ovr_time", 7.5, 0.02)] {
        let mut readings = questions(&asked)[0].readings.iter();
        let index = readings.position(|reading| reading.label.contains(name)).unwrap();
        let span = read_as(TWO_TIMES, 1, index + 1).span;
        let is_near = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(is_near(span.start, start) && is_near(span.duration, duration), "{name}: {span:?}");
    }
}

#[test]
fn questions_are_answered_one_by_one_or_together() {
    let asked = decode(VECTORS, None);
    let names =
        |clip: &Clip| -> Vec<String> { clip.nodes.iter().map(|node| node.name.clone()).collect() };
    let read = |clip: &Clip, question: usize, reading: usize| {
        let toml = questions(clip)[question].readings[reading].toml.clone();
        let mapping = change_mapping(columns(clip), &MappingChange::Read { toml }).unwrap();
        decode(VECTORS, Some(&mapping))
    };
    let first = read(&asked, 0, 0);
    assert_eq!(questions(&first).len(), 1, "the other question stays open");
    let both = read(&first, 0, 1);
    assert_eq!(names(&both), ["head", "left/pose", "aim"]);
    let signals = read(&asked, 0, 2);
    assert_eq!((questions(&signals).len(), names(&signals)), (1, vec!["head".to_owned()]));
    let numbers = [(1, 1), (2, 2)].map(|(question, reading)| ReadingNumber { question, reading });
    let together = choose_readings(columns(&asked), &numbers).unwrap().unwrap();
    let together = decode(VECTORS, Some(&together));
    assert_eq!((questions(&together), names(&together)), (&[][..], names(&both)));
    let error = |question, reading| {
        choose_readings(columns(&asked), &[ReadingNumber { question, reading }]).unwrap_err()
    };
    assert_eq!(error(3, 1), "expected a question from 1 to 2, found 3");
    assert_eq!(error(1, 0), "expected a reading of question 1 from 1 to 3, found 0");
}

#[test]
fn order_of_a_list_can_be_chosen_after_the_nodes() {
    let text =
        QUATERNION_LIST.replace("\"time\"", "\"v_vec_x\":3,\"v_vec_y\":0,\"v_vec_z\":0,\"time\"");
    let asked = decode(&text, None);
    assert_eq!(questions(&asked).len(), 2);
    let numbers = [(1, 1), (2, 2)].map(|(question, reading)| ReadingNumber { question, reading });
    let chosen = choose_readings(columns(&asked), &numbers).unwrap().unwrap();
    let chosen = decode(&text, Some(&chosen));
    assert_near(forward(&chosen, "head", 1.0), [0.0, 0.0, -1.0], "w is first");
    assert_eq!((questions(&chosen), chosen.nodes.len()), (&[][..], 2));
}

#[test]
fn certain_tables_have_no_questions() {
    let certain = [
        "time,head_x,head_y,head_z,imu_x [g],imu_y [g],imu_z [g]\n0,0,1,0,0,1,0\n1,0,2,0,0,1,0\n",
        "time,head_x,head_y,head_z,gaze_x (normalized),gaze_y (normalized),gaze_z (normalized)\n\
         0,0,1,0,2,2,3\n1,0,2,0,2,2,3\n",
        "time,head_x,head_y,head_z,head_rx [deg],head_ry [deg],head_rz [deg]\n0,0,1,0,1,2,3\n1,0,2,0,1,2,3\n",
        "time,head_x [mm],head_y [mm],head_z [mm]\n0,0,1600,0\n1,0,1700,0\n",
    ];
    for text in certain {
        assert_eq!(questions(&decode(text, None)), [], "{text}");
    }
    let nodes = "[nodes.head]\nposition = [\"head_x\", \"head_y\", \"head_z\"]\n".to_owned();
    let nodes =
        MappingFile { format: mutoscope_logs::FORMAT_ID, name: "m".to_owned(), text: nodes };
    assert_eq!(questions(&decode(VECTORS, Some(&nodes))), [], "the user listed all nodes");
}
