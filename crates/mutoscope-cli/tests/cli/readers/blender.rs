//! Tests exports in Blender: `bpy` from PyPI imports GLB files of Minecraft recordings, and FBX
//! files of the samples. Every node must be where the program puts it.
//!
//! `MUTOSCOPE_BPY_PYTHON` names a Python with `bpy` (4.2 or later). Without one, the test is ignored.

use std::{
    env,
    io::Write as _,
    process::{Command, Stdio},
};

use mutoscope_testing::needs;
use serde_json::{Value, json};

use crate::readers::program::{self, Recording, TESTS_FOLDER};

/// The tick rate of the game, and another rate.
const FRAME_RATES_HZ: [f64; 2] = [20.0, 60.0];

/// The tolerance in metres, in addition to the reported step of single precision. Beyond 1 km, it
/// grows with the distance.
const TOLERANCE_M: f64 = 1e-4;

/// The recordings contain wide and slim arms, riders, entities, items, jumps, a death, sleep and
/// several players.
const RECORDINGS: [&str; 12] = [
    "data/mcmocap/full_v5.mcmocap_rec",
    "data/mcmocap/full_v3.mcmocap_rec",
    "data/mcmocap/walk_v5.mcmocap_rec",
    "data/mcmocap/sink_v5.mcmocap_rec",
    "data/mcmocap-more/dying.mcmocap_rec",
    "data/mcmocap-more/ride_boat.mcmocap_rec",
    "data/mcmocap-more/ride_living.mcmocap_rec",
    "data/mcmocap-more/ride_minecart.mcmocap_rec",
    "data/mcmocap-more/trio.mcmocap_scene",
    "readers/data/bed.mcmocap_rec",
    "readers/data/doing.mcmocap_rec",
    "readers/data/hands.mcmocap_rec",
];

/// Returns Blender's answers to each request, one for each time.
fn answers(python: &str, requests: &[Value]) -> Vec<Vec<Value>> {
    let mut reader = Command::new(python)
        .args(["-B", "readers/blender.py"])
        .current_dir(TESTS_FOLDER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines: String = requests.iter().map(|request| request.to_string() + "\n").collect();
    let mut input = reader.stdin.take().unwrap();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()).is_ok());
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success() && writing.join().unwrap(), "tests/readers/blender.py failed");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let count = |request: &Value| request["times"].as_array().unwrap().len();
    requests.iter().map(|request| lines.by_ref().take(count(request)).collect()).collect()
}

fn position(node: &Value) -> Option<[f64; 3]> {
    let numbers = node["world"]["translation"].as_array()?.iter().map(Value::as_f64);
    numbers.collect::<Option<Vec<f64>>>()?.try_into().ok()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Returns the step of single precision that the report states, in metres, or 0.
fn reported_step(report: &[String]) -> f64 {
    let words = report.iter().find_map(|line| line.split_once("to steps of "));
    words.and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).unwrap_or(0.0)
}

/// Returns `true` if the node and all its ancestors are visible.
fn is_visible(nodes: &[Value], index: usize) -> bool {
    let mut next = Some(index);
    while let Some(at) = next {
        if nodes[at]["shown"] != true {
            return false;
        }
        next = nodes[at]["parent"].as_u64().map(|parent| parent as usize);
    }
    true
}

/// Checks that each player has one camera, two hands and a texture.
fn assert_player_parts(path: &str, answer: &Value) {
    let names = |list: &str| answer[list].as_array().unwrap().clone();
    let nodes = names("nodes");
    let count = |end: &str| {
        nodes.iter().filter(|node| node["name"].as_str().unwrap().ends_with(end)).count()
    };
    let players = count("player");
    let cameras = names("cameras");
    assert_eq!(cameras.len(), players, "{path}: {cameras:?}");
    assert!(cameras.iter().all(|name| name.as_str().unwrap().ends_with("player/eyes")));
    assert_eq!([count("player/right_hand"), count("player/left_hand")], [players; 2], "{path}");
    let skinned = names("meshes").into_iter().filter(|mesh| mesh["uvs"] == true);
    let images = skinned.map(|mesh| mesh["images"].as_array().unwrap().len());
    let images: Vec<usize> = images.collect();
    assert_eq!(
        images,
        vec![1; 12 * players],
        "{path}: expected two layers of six boxes, each with one skin"
    );
}

#[needs(bpy)]
#[test]
fn blender_shows_nodes_at_their_positions_and_jumps_as_steps() {
    let python = env::var("MUTOSCOPE_BPY_PYTHON").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let all = program::recordings("mcmocap", &["mcmocap_rec", "mcmocap_scene"]);
    let selected: Vec<&Recording> =
        all.iter().filter(|one| RECORDINGS.contains(&one.path.as_str())).collect();
    assert_eq!(selected.len(), RECORDINGS.len());
    let (mut requests, mut steps) = (Vec::new(), Vec::new());
    for (index, recording) in selected.iter().enumerate() {
        let path = folder.path().join(format!("{index}.glb"));
        steps.push(reported_step(&recording.convert(&path, None)));
        for rate in FRAME_RATES_HZ {
            // The times of all frames include those right before and after a jump.
            let frames = (recording.span[1] * rate + 1e-6).floor() as u32;
            let times: Vec<f64> = (0..=frames).map(|frame| f64::from(frame) / rate).collect();
            requests.push(json!({"path": path.to_str().unwrap(), "times": times, "rate": rate}));
        }
    }
    let answers = answers(&python, &requests);
    let (mut worst, mut compared) = ((0.0, String::new()), 0);
    for (index, (request, answers)) in requests.iter().zip(&answers).enumerate() {
        let recording = selected[index / FRAME_RATES_HZ.len()];
        let times: Vec<f64> = request["times"]
            .as_array()
            .unwrap()
            .iter()
            .map(|time| time.as_f64().unwrap())
            .collect();
        assert_eq!(answers.len(), times.len(), "{}", recording.path);
        assert_player_parts(&recording.path, &answers[0]);
        // At a jump, the position right after the time is correct, too.
        let behind: Vec<f64> = times.iter().map(|time| time + 1e-6).collect();
        let samples = recording.samples_at(&times).into_iter().zip(recording.samples_at(&behind));
        for (answer, (expected, behind)) in answers.iter().zip(samples) {
            let nodes = expected["nodes"].as_array().unwrap();
            let found = answer["nodes"].as_array().unwrap();
            for (at, node) in nodes.iter().enumerate().filter(|(at, _)| is_visible(nodes, *at)) {
                let has_same_name = |found: &&Value| found["name"] == node["name"];
                let same = found
                    .iter()
                    .find(has_same_name)
                    .expect("every node must be an object in Blender");
                let (from, to) = (position(same).unwrap(), position(node).unwrap());
                let behind = position(&behind["nodes"][at]).unwrap();
                // Nodes that are kilometres away may move so fast that rounding of times matters.
                let far = to.iter().fold(1.0_f64, |far, number| far.max(number.abs() / 1000.0));
                let off = distance(from, to).min(distance(from, behind));
                let off = (off - steps[index / FRAME_RATES_HZ.len()]) / far;
                compared += 1;
                if off > worst.0 {
                    let description =
                        format!("{} {} at {}", recording.path, node["name"], expected["time"]);
                    worst = (off, description);
                }
            }
        }
    }
    println!("{compared} positions, at most {:.1e} m off: {}", worst.0, worst.1);
    assert!(worst.0 < TOLERANCE_M, "{worst:?}");
    assert!(compared > 10_000, "{compared}");
}

/// The samples of each format, relative to `tests`.
const SAMPLES: [&str; 7] = [
    "../assets/animj/arm-swing.animj",
    "../assets/animj/lantern-show.animj",
    "../assets/bvh/walk.bvh",
    "../assets/gltf/walker.glb",
    "../assets/maya/walk-with-hat.anim",
    "../assets/mcmocap/a-day.mcmocap_rec",
    "../assets/mrtk/two-hands.bin",
];

/// The tolerance of rotations, in degrees.
const TOLERANCE_DEGREES: f64 = 0.01;

fn angle_degrees(one: &Value, other: &Value) -> f64 {
    let numbers = |node: &Value| -> Vec<f64> {
        let rotation = node["world"]["rotation"].as_array().unwrap();
        rotation.iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let [one, other] = [one, other].map(numbers);
    // The chord is more accurate than the product for small angles.
    let chord =
        |sign: f64| one.iter().zip(&other).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>();
    let chord = chord(1.0).min(chord(-1.0)).sqrt();
    (4.0 * (0.5 * chord).min(1.0).asin()).to_degrees()
}

/// The times are those of whole frames, and between frames. Blender shifts jumps by a millisecond.
#[needs(bpy)]
#[test]
fn blender_shows_the_nodes_of_fbx_files_at_their_positions() {
    const JUMP_SHIFTS_S: [f64; 3] = [-1.1e-3, 0.0, 1e-6];
    const STEPS: u32 = 40;
    let python = env::var("MUTOSCOPE_BPY_PYTHON").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let rig = "../assets/prime/walk.CINF";
    let mut recordings = program::recordings_at(&SAMPLES.map(str::to_owned));
    let on_rig = program::recordings_at_on_rig(&["../assets/prime/walk.ANIM".to_owned()], rig);
    recordings.extend(on_rig);
    let (mut requests, mut times) = (Vec::new(), Vec::new());
    for (index, recording) in recordings.iter().enumerate() {
        let path = folder.path().join(format!("{index}.fbx"));
        recording.convert(&path, None);
        let [start, end] = recording.span;
        let since_start: Vec<f64> =
            (0..=STEPS).map(|step| (end - start) * f64::from(step) / f64::from(STEPS)).collect();
        times.push(since_start.iter().map(|time| start + time).collect::<Vec<_>>());
        requests.push(json!({"path": path.to_str().unwrap(), "times": since_start}));
    }
    for ((recording, answers), times) in
        recordings.iter().zip(answers(&python, &requests)).zip(&times)
    {
        let samples = JUMP_SHIFTS_S.map(|shift| {
            recording.samples_at(&times.iter().map(|time| time + shift).collect::<Vec<_>>())
        });
        let (mut compared, mut worst) = (0, (0.0_f64, 0.0_f64));
        for (index, answer) in answers.iter().enumerate() {
            let nodes = samples[1][index]["nodes"].as_array().unwrap();
            let found = answer["nodes"].as_array().unwrap();
            for (at, node) in nodes.iter().enumerate() {
                let was_visible = |sample: &Vec<Value>| {
                    is_visible(sample[index]["nodes"].as_array().unwrap(), at)
                };
                if !samples.iter().all(was_visible) {
                    continue;
                }
                let same = found.iter().rfind(|found| found["name"] == node["name"]);
                let same = same.expect("every node must be a bone or an object in Blender");
                let differences = samples.each_ref().map(|sample| {
                    let expected = &sample[index]["nodes"][at];
                    let off = distance(position(same).unwrap(), position(expected).unwrap());
                    (off, angle_degrees(same, expected))
                });
                let error =
                    |(off, angle): (f64, f64)| off / TOLERANCE_M + angle / TOLERANCE_DEGREES;
                let best = differences.into_iter().min_by(|a, b| error(*a).total_cmp(&error(*b)));
                let best = best.unwrap();
                worst = (worst.0.max(best.0), worst.1.max(best.1));
                compared += 1;
            }
        }
        let path = &recording.path;
        println!("{path}: {compared} nodes, at most {:.1e} m, {:.1e} degrees", worst.0, worst.1);
        assert!(worst.0 < TOLERANCE_M && compared > 200, "{path}: {worst:?}, {compared}");
        // Keys of a game between ticks have an error that the export reports.
        assert!(worst.1 < TOLERANCE_DEGREES || path.ends_with("mcmocap_rec"), "{path}: {worst:?}");
    }
}
