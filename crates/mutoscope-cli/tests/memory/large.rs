//! Writes recordings of every format and of any size: joints that swing, with keys like those of
//! recorders.

use std::{
    f32::consts::TAU,
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
};

use mutoscope_core::{
    ReadOptions, decode,
    export::{ExportOptions, Progress},
    formats::{mrtk::Version, prime::Game},
};

use mutoscope_testing::{
    mcmocap::{Header, Stance, Writer},
    prime,
    recording::{HandKeys, Keys, Recording},
};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// Some hundred kilobytes.
    Small,
    /// Some twenty megabytes, or a quarter of that for formats whose export takes long.
    Large,
}

impl Size {
    /// Small files have a hundredth of the frames.
    fn frame_count(self, frames: usize) -> usize {
        match self {
            Self::Large => frames,
            Self::Small => frames / 100,
        }
    }
}

pub(crate) fn file_extension(format: &str) -> &str {
    match format {
        "mrtk" | "mrtk-apart" => "bin",
        "maya" => "anim",
        "prime" => "ANIM",
        "mcmocap" => "mcmocap_rec",
        "gltf" => "glb",
        "table" => "csv",
        same => same,
    }
}

pub(crate) fn write(format: &str, size: Size, path: &Path) {
    let bytes = match format {
        "mrtk" => mrtk(size.frame_count(6_000), false),
        "mrtk-apart" => mrtk(size.frame_count(6_000), true),
        "maya" => maya(size.frame_count(1_200)),
        "animj" => animj(size.frame_count(8_000)),
        "animx" => animx(size.frame_count(24_000)),
        "prime" => prime_arrays(size.frame_count(36_000)),
        "mcmocap" => mcmocap(size.frame_count(2_000)),
        "bvh" => bvh(size.frame_count(14_000)),
        "gltf" => gltf(size.frame_count(12_000)),
        "fbx" => fbx(size.frame_count(9_000)),
        "table" => table(size.frame_count(20_000)),
        "mcap" => mcap(size.frame_count(6_000)),
        other => panic!("{other}"),
    };
    let mut file = BufWriter::new(File::create(path).unwrap());
    file.write_all(&bytes).unwrap();
    file.flush().unwrap();
}

fn swing(joint: usize, frame: usize) -> f32 {
    0.3 * (TAU * frame as f32 / (40.0 + joint as f32) + joint as f32).sin()
}

/// Returns a head and two hands at 60 frames a second. All curves are keyed in every frame. If
/// `apart`, the positions and the rotations of each joint have key times of their own, which are
/// less regular.
fn mrtk(frames: usize, apart: bool) -> Vec<u8> {
    let time = |list: usize, frame: usize| match apart {
        false => frame as f32 / 60.0,
        // The first half plays at half speed, so that the times are uneven.
        true => (frame + frame.min(frames / 2)) as f32 / 60.0 + 1e-4 * list as f32,
    };
    let curve = |list: usize, value: &dyn Fn(usize) -> f32| {
        let keys = (0..frames).map(|frame| (time(list, frame), value(frame)));
        Keys::simple(&keys.collect::<Vec<_>>())
    };
    let pose = |joint: usize| {
        let half = move |frame| 0.5 * swing(joint, frame);
        let (positions, rotations) = (2 * joint, 2 * joint + 1);
        [
            curve(positions, &|frame| 0.02 * joint as f32 + 0.1 * swing(joint, frame)),
            curve(positions, &|frame| 1.2 + 0.1 * swing(joint + 7, frame)),
            curve(positions, &|frame| 0.4 + 0.1 * swing(joint + 3, frame)),
            curve(rotations, &|frame| half(frame).sin()),
            curve(rotations, &|_| 0.0),
            curve(rotations, &|_| 0.0),
            curve(rotations, &|frame| half(frame).cos()),
        ]
    };
    let hand = |first: usize| HandKeys {
        tracked: Keys::simple(&[(0.0, 1.0)]),
        pinch: Keys::simple(&[(0.0, 0.0)]),
        poses: (first..first + 27).map(pose).collect(),
    };
    let recording = Recording {
        version: Version::V1_1 { parts: [1, 1, 0] },
        camera: Some(pose(0)),
        hands: Some([hand(1), hand(28)]),
        ..Recording::v1_1()
    };
    recording.encode()
}

/// Returns sixty joints in chains of six. Each has six channels that are keyed in every frame.
fn maya(frames: usize) -> Vec<u8> {
    let mut text = String::from(
        "animVersion 1.1;\nmayaVersion 2024;\ntimeUnit film;\nlinearUnit cm;\nangularUnit deg;\n",
    );
    text.push_str(&format!("startTime 0;\nendTime {};\n", frames - 1));
    for joint in 0..60 {
        for (attribute, (name, axis)) in ["translate", "rotate"]
            .iter()
            .flat_map(|name| ["X", "Y", "Z"].map(|axis| (name, axis)))
            .enumerate()
        {
            let output = if *name == "rotate" { "angular" } else { "linear" };
            let (row, child) = (joint % 6, u8::from(joint % 6 < 5));
            text.push_str(&format!(
                "anim {name}.{name}{axis} {name}{axis} joint{joint} {row} {child} {attribute};\n\
                 animData {{\n  input time;\n  output {output};\n  weighted 0;\n\
                 \x20 preInfinity constant;\n  postInfinity constant;\n  keys {{\n"
            ));
            for frame in 0..frames {
                let value = 20.0 * swing(joint + attribute, frame);
                text.push_str(&format!("    {frame} {value} spline spline 1 1 0;\n"));
            }
            text.push_str("  }\n}\n");
        }
    }
    text.into_bytes()
}

fn animj(frames: usize) -> Vec<u8> {
    let tracks = (0..40).map(|slot| {
        let keys = (0..frames).map(|frame| {
            let [x, y, z] = [0, 5, 9].map(|other| swing(slot + other, frame));
            let time = frame as f32 / 60.0;
            format!(r#"{{"time":{time},"value":{{"x":{x},"y":{y},"z":{z}}},"interpolation":"Linear"}}"#)
        });
        format!(
            r#"{{"trackType":"Curve","valueType":"float3","data":{{"node":"slot {slot}","property":"Position","keyframes":[{}]}}}}"#,
            keys.collect::<Vec<_>>().join(",")
        )
    });
    let length = frames as f32 / 60.0;
    let tracks = tracks.collect::<Vec<_>>().join(",");
    format!(r#"{{"name":"large","globalDuration":{length},"tracks":[{tracks}]}}"#).into_bytes()
}

/// Encodes seven bits in each byte, which is how AnimX stores counts and lengths.
fn encode_varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn animx(frames: usize) -> Vec<u8> {
    let string = |text: &str| [encode_varint(text.len()), text.as_bytes().to_vec()].concat();
    let mut bytes = string("AnimX");
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(encode_varint(50));
    bytes.extend((frames as f32 / 60.0).to_le_bytes());
    bytes.extend(string("large"));
    bytes.push(0);
    for slot in 0..50 {
        // The bytes mean a Curve of float3 with linear keys and without tangents.
        bytes.extend([2, 23]);
        bytes.extend(string(&format!("slot {slot}")));
        bytes.extend(string("Position"));
        bytes.extend(encode_varint(frames));
        bytes.extend([0, 1]);
        for frame in 0..frames {
            let point = [0, 5, 9].map(|other| swing(slot + other, frame));
            let numbers = [frame as f32 / 60.0].into_iter().chain(point);
            numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
        }
    }
    bytes
}

fn prime_arrays(frames: usize) -> Vec<u8> {
    let channel = |bone: usize| {
        let half = move |frame: usize| f64::from(0.5 * swing(bone, frame));
        prime::Keys {
            bone: bone as u32,
            rotation: (0..frames).map(|at| [half(at).sin(), 0.0, 0.0, half(at).cos()]).collect(),
            translation: (0..frames).map(|at| [half(at), 0.1, 0.0]).collect(),
            scale: Vec::new(),
        }
    };
    let animation = prime::Animation {
        game: Game::Prime,
        frame_count: frames as u32,
        keyed: (0..frames as u32).collect(),
        channels: (3..23).map(channel).collect(),
        ..prime::Animation::default()
    };
    animation.encode_version_0()
}

/// Returns a player and a hundred entities that move in every tick.
fn mcmocap(ticks: usize) -> Vec<u8> {
    const ENTITIES: i32 = 100;
    let start = [100.5, 70.0, -200.5];
    let mut writer = Writer::new(&Header { start, name: "Crowd", ..Header::default() });
    for entity in 0..ENTITIES {
        writer.add_entity(entity, "{id:\"minecraft:horse\"}", start);
    }
    for tick in 0..ticks {
        let stand = |walker: usize| Stance {
            offset: [4.0 * swing(walker, tick), 0.0, 4.0 * swing(walker + 5, tick)],
            yaw: f64::from(90.0 * swing(walker, tick)),
            pitch: 0.0,
            on_ground: true,
        };
        writer.movement(&stand(0));
        for entity in 0..ENTITIES {
            writer.begin_entity_action(entity);
            writer.movement(&stand(1 + entity as usize));
        }
        writer.tick();
    }
    writer.bytes
}

fn bvh(frames: usize) -> Vec<u8> {
    const JOINTS: usize = 60;
    let mut text = String::from("HIERARCHY\n");
    for joint in 0..JOINTS {
        let kind = if joint == 0 { "ROOT" } else { "JOINT" };
        text.push_str(&format!("{kind} joint{joint}\n{{\nOFFSET 0 4.5 0\n"));
        text.push_str("CHANNELS 3 Zrotation Xrotation Yrotation\n");
    }
    text.push_str("End Site\n{\nOFFSET 0 4.5 0\n}\n");
    text.push_str(&"}\n".repeat(JOINTS));
    text.push_str(&format!("MOTION\nFrames: {frames}\nFrame Time: 0.016667\n"));
    for frame in 0..frames {
        for channel in 0..3 * JOINTS {
            text.push_str(&format!("{:.4} ", 60.0 * swing(channel, frame)));
        }
        text.push('\n');
    }
    text.into_bytes()
}

fn gltf(frames: usize) -> Vec<u8> {
    const NODES: usize = 50;
    let mut numbers: Vec<f32> = (0..frames).map(|frame| frame as f32 / 60.0).collect();
    let length = numbers[frames - 1];
    let mut accessors = vec![format!(
        r#"{{"bufferView":0,"componentType":5126,"count":{frames},"type":"SCALAR","min":[0],"max":[{length}]}}"#
    )];
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for node in 0..NODES {
        for (path, kind) in [("translation", "VEC3"), ("rotation", "VEC4")] {
            let offset = 4 * numbers.len();
            for frame in 0..frames {
                let half = 0.5 * swing(node, frame);
                match path {
                    "translation" => numbers.extend([half, 0.1, swing(node + 5, frame)]),
                    _ => numbers.extend([half.sin(), 0.0, 0.0, half.cos()]),
                }
            }
            let sampler = samplers.len();
            channels.push(format!(
                r#"{{"sampler":{sampler},"target":{{"node":{node},"path":"{path}"}}}}"#
            ));
            samplers.push(format!(r#"{{"input":0,"output":{}}}"#, accessors.len()));
            accessors.push(format!(
                r#"{{"bufferView":0,"byteOffset":{offset},"componentType":5126,"count":{frames},"type":"{kind}"}}"#
            ));
        }
    }
    let nodes: Vec<_> = (0..NODES).map(|node| format!(r#"{{"name":"node {node}"}}"#)).collect();
    let scene: Vec<_> = (0..NODES).map(|node| node.to_string()).collect();
    let size = 4 * numbers.len();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],"nodes":[{}],"animations":[{{"samplers":[{}],"channels":[{}]}}],"accessors":[{}],"bufferViews":[{{"buffer":0,"byteLength":{size}}}],"buffers":[{{"byteLength":{size}}}]}}"#,
        scene.join(","),
        nodes.join(","),
        samplers.join(","),
        channels.join(","),
        accessors.join(",")
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    let word = |bytes: &mut Vec<u8>, word: usize| bytes.extend((word as u32).to_le_bytes());
    word(&mut bytes, 2);
    word(&mut bytes, 12 + 8 + json.len() + 8 + size);
    word(&mut bytes, json.len());
    bytes.extend(b"JSON");
    bytes.extend(json);
    word(&mut bytes, size);
    bytes.extend(b"BIN\0");
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

fn table(rows: usize) -> Vec<u8> {
    const OBJECTS: usize = 30;
    let columns = ["posX", "posY", "posZ", "quatX", "quatY", "quatZ", "quatW"];
    let mut text = String::from("time");
    for object in 0..OBJECTS {
        for column in columns {
            text.push_str(&format!(",object{object}_{column}"));
        }
    }
    for row in 0..rows {
        text.push_str(&format!("\n{:.4}", row as f64 / 60.0));
        for object in 0..OBJECTS {
            let half = 0.5 * swing(object, row);
            let [x, z] = [swing(object + 1, row), swing(object + 2, row)];
            text.push_str(&format!(",{x:.5},1.2,{z:.5},{:.5},0,0,{:.5}", half.sin(), half.cos()));
        }
    }
    text.push('\n');
    text.into_bytes()
}

/// Exports the chain of joints of [`bvh`].
fn mcap(frames: usize) -> Vec<u8> {
    let clip = decode(&bvh(frames), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let target = mutoscope_cli::targets().target("mcap").unwrap();
    let mut bytes = Vec::new();
    target.write(&clip, &ExportOptions::default(), &mut bytes, &mut Progress::default()).unwrap();
    bytes
}

/// Returns a text with chains of six joints, which turn about all three axes in every frame.
fn fbx(frames: usize) -> Vec<u8> {
    const KTIME_PER_SECOND: usize = 46_186_158_000;
    let end = KTIME_PER_SECOND / 30 * (frames - 1);
    let mut text = format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\n\tFBXVersion: 7400\n}}\nObjects: {{\n\
         AnimationStack: 1, \"AnimStack::Take\", \"\" {{\nProperties70: {{\n\
         P: \"LocalStart\", \"KTime\", \"Time\", \"\", 0\nP: \"LocalStop\", \"KTime\", \"Time\", \"\", {end}\n}}\n}}\n\
         AnimationLayer: 2, \"AnimLayer::Base\", \"\" {{\n}}\n"
    );
    let mut connections = String::from("C: \"OO\", 2, 1\n");
    let times: Vec<String> =
        (0..frames).map(|frame| (KTIME_PER_SECOND / 30 * frame).to_string()).collect();
    let times = times.join(",");
    for joint in 0..30 {
        let (model, node) = (1000 + joint, 2000 + joint);
        text += &format!(
            "Model: {model}, \"Model::joint{joint}\", \"LimbNode\" {{\nProperties70: {{\n\
             P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\", 0,10,0\n}}\n}}\n\
             AnimationCurveNode: {node}, \"AnimCurveNode::R\", \"\" {{\n}}\n"
        );
        let parent = if joint % 6 == 0 { 0 } else { model - 1 };
        connections += &format!("C: \"OO\", {model}, {parent}\nC: \"OO\", {node}, 2\n");
        connections += &format!("C: \"OP\", {node}, {model}, \"Lcl Rotation\"\n");
        for (axis, name) in ["X", "Y", "Z"].into_iter().enumerate() {
            let curve = 10_000 + joint * 3 + axis;
            let value = |frame| format!("{:.4}", 20.0 * swing(joint + axis, frame));
            let values: Vec<String> = (0..frames).map(value).collect();
            text += &format!(
                "AnimationCurve: {curve}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\n\
                 KeyTime: *{frames} {{\na: {times}\n}}\nKeyValueFloat: *{frames} {{\na: {}\n}}\n\
                 KeyAttrFlags: *1 {{\na: 4\n}}\nKeyAttrDataFloat: *4 {{\na: 0,0,0,0\n}}\n\
                 KeyAttrRefCount: *1 {{\na: {frames}\n}}\n}}\n",
                values.join(",")
            );
            connections += &format!("C: \"OP\", {curve}, {node}, \"d|{name}\"\n");
        }
    }
    text += &format!("}}\nConnections: {{\n{connections}}}\n");
    text.into_bytes()
}
