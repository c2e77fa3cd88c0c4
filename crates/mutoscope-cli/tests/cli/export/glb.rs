//! Tests of GLB exports, read back by the `gltf` crate and by our own skeleton reader.

use glam::{DQuat, DVec3};
use gltf::animation::{Interpolation, util::ReadOutputs};
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, Transform},
    decode,
    export::ExportOptions,
    io::bytes::NoSidecars,
};

use crate::export::{
    compare::{PoseErrors, largest_pose_errors},
    exported, exported_as, exported_once, recordings, report_text, times,
};

/// Keys of a channel. Vectors have 0 as their fourth component.
struct ChannelKeys {
    times: Vec<f64>,
    values: Vec<[f64; 4]>,
    is_stepped: bool,
}

impl ChannelKeys {
    /// Interpolates as the glTF specification defines it.
    fn value_at(&self, time: f64, is_rotation: bool) -> [f64; 4] {
        let after = self.times.partition_point(|key| *key <= time);
        let left = after.saturating_sub(1);
        let Some(right) = Some(after).filter(|after| (1..self.times.len()).contains(after)) else {
            return self.values[left];
        };
        if self.is_stepped {
            return self.values[left];
        }
        let part = (time - self.times[left]) / (self.times[right] - self.times[left]);
        let (a, b) = (self.values[left], self.values[right]);
        if is_rotation {
            let (a, b) = (DQuat::from_array(a), DQuat::from_array(b));
            a.normalize().slerp(b.normalize(), part).to_array()
        } else {
            std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
        }
    }
}

pub(crate) fn animation_numbers(bytes: &[u8]) -> Vec<f64> {
    let channels = GlbFile::new(bytes).channels.into_iter().flatten().flatten();
    channels.flat_map(|sampled| [sampled.times, sampled.values.concat()].concat()).collect()
}

pub(crate) struct GlbFile {
    pub(crate) rest: Vec<Transform>,
    pub(crate) parents: Vec<Option<usize>>,
    /// For each node, the channels of translation, rotation and scale.
    channels: Vec<[Option<ChannelKeys>; 3]>,
}

impl GlbFile {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let gltf = gltf::Gltf::from_slice(bytes).unwrap();
        let blob = gltf.blob.as_deref().unwrap_or_default();
        let count = gltf.nodes().len();
        let mut back = Self {
            rest: Vec::new(),
            parents: vec![None; count],
            channels: (0..count).map(|_| [None, None, None]).collect(),
        };
        for node in gltf.nodes() {
            let (translation, rotation, scale) = node.transform().decomposed();
            back.rest.push(Transform {
                translation: DVec3::from_array(translation.map(f64::from)),
                rotation: DQuat::from_array(rotation.map(f64::from)).normalize(),
                scale: DVec3::from_array(scale.map(f64::from)),
            });
            node.children().for_each(|child| back.parents[child.index()] = Some(node.index()));
        }
        for channel in gltf.animations().flat_map(|animation| animation.channels()) {
            let reader = channel.reader(|_| Some(blob));
            let widened = |values: Vec<[f32; 3]>| -> Vec<[f64; 4]> {
                values.iter().map(|v| [v[0], v[1], v[2], 0.0].map(f64::from)).collect()
            };
            let (slot, values) = match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(values) => (0, widened(values.collect())),
                ReadOutputs::Rotations(values) => {
                    (1, values.into_f32().map(|turn| turn.map(f64::from)).collect())
                }
                ReadOutputs::Scales(values) => (2, widened(values.collect())),
                ReadOutputs::MorphTargetWeights(_) => panic!("expected no morph targets"),
            };
            let times: Vec<f64> = reader.read_inputs().unwrap().map(f64::from).collect();
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "key times must ascend");
            assert!(times[0] >= 0.0 && times.len() == values.len());
            let is_stepped = channel.sampler().interpolation() == Interpolation::Step;
            let node = channel.target().node().index();
            back.channels[node][slot] = Some(ChannelKeys { times, values, is_stepped });
        }
        back
    }

    pub(crate) fn local(&self, node: usize, time: f64) -> Transform {
        let [translation, rotation, _] = &self.channels[node];
        let rest = self.rest[node];
        Transform {
            translation: vector(translation, rest.translation, time),
            rotation: rotation.as_ref().map_or(rest.rotation, |sampled| {
                DQuat::from_array(sampled.value_at(time, true)).normalize()
            }),
            scale: self.scale(node, time),
        }
    }

    pub(crate) fn scale(&self, node: usize, time: f64) -> DVec3 {
        vector(&self.channels[node][2], self.rest[node].scale, time)
    }

    /// Returns the local transform of every node of `clip`, at a clip time.
    fn locals(&self, clip: &Clip, time: f64) -> Vec<Transform> {
        let time = f64::from((time - clip.span.start) as f32);
        let root_offset = self.rest[clip.nodes.len()].translation;
        let local = |(index, node): (usize, &mutoscope_core::clip::Node)| {
            let mut local = self.local(index, time);
            // Roots of the clip are children of an added root, whose translation belongs to their
            // position.
            if node.parent.is_none() {
                local.translation += root_offset;
            }
            local
        };
        clip.nodes.iter().enumerate().map(local).collect()
    }
}

fn vector(sampled: &Option<ChannelKeys>, rest: DVec3, time: f64) -> DVec3 {
    sampled.as_ref().map_or(rest, |sampled| {
        let [x, y, z, _] = sampled.value_at(time, false);
        DVec3::new(x, y, z)
    })
}

#[test]
fn glb_poses_match_the_recording() {
    for (name, clip) in recordings() {
        let (bytes, report) = &*exported_once(&name, &clip, "glb");
        let back = GlbFile::new(bytes);
        let PoseErrors { off, turned, compared } =
            largest_pose_errors(&name, &clip, |time| back.locals(&clip, time));
        println!("{name}: {off:.1e} m, {turned:.1e} rad, {compared} poses, {} B", bytes.len());
        let is_reported = report_text(report).contains("too suddenly");
        assert!(off < 2e-5 || is_reported, "{name}: {off}");
        assert!(turned < 1e-4 || is_reported, "{name}: {turned}");
    }
}

#[test]
fn glb_nodes_match_the_recording() {
    for (name, clip) in recordings() {
        let (bytes, _) = &*exported_once(&name, &clip, "glb");
        let rig =
            mutoscope_cli::registry().decode_skeleton(bytes, "back.glb", &NoSidecars).unwrap();
        assert_eq!(rig.diagnostics.len(), 0, "{name}: {:?}", rig.diagnostics);
        let added_root = clip.nodes.len();
        for (node, back) in clip.nodes.iter().zip(&rig.nodes) {
            assert_eq!(node.name, back.name, "{name}");
            let parent = node.parent.map_or(added_root, |parent| parent.index());
            assert_eq!(back.parent, Some(parent), "{name}: {}", node.name);
        }
        if clip.has_rest_pose() {
            let mut rest = Pose::default();
            clip.sample_rest_pose(&mut rest);
            for (node, (stands, back)) in clip
                .nodes
                .iter()
                .zip(rest.nodes.iter().zip(&rig.nodes))
                .filter(|it| it.0.motion.is_animated())
            {
                let off = stands.local.rotation.angle_between(back.rest.rotation);
                assert!(off < 1e-3, "{name}: {} rests turned by {off}", node.name);
            }
        }
    }
}

#[test]
fn models_are_exported() {
    let (name, clip) =
        recordings().into_iter().find(|(name, _)| name == "animj on a skeleton").unwrap();
    let (bytes, report) = exported(&clip, "glb");
    assert!(
        report_text(&report).contains("of the model, in plain colours"),
        "{}",
        report_text(&report)
    );
    let back = mutoscope_cli::registry().decode_skeleton(&bytes, "back.glb", &NoSidecars).unwrap();
    let own = &clip.skeleton.attached().unwrap().model;
    assert_eq!(back.model.pieces.len(), own.pieces.len(), "{name}");
    for (own, back) in own.pieces.iter().zip(&back.model.pieces) {
        assert_eq!((&own.positions, &own.triangles), (&back.positions, &back.triangles));
        assert_eq!(own.color, back.color);
        let skins = (own.skin.as_ref(), back.skin.as_ref());
        assert_eq!(skins.0.map(|skin| &skin.joints), skins.1.map(|skin| &skin.joints));
        assert_eq!(skins.0.map(|skin| &skin.inverse_bind), skins.1.map(|skin| &skin.inverse_bind));
        assert_eq!(skins.0.map(|skin| &skin.weights), skins.1.map(|skin| &skin.weights));
    }
}

#[test]
fn hidden_nodes_have_zero_scale() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let back = GlbFile::new(&exported(&clip, "glb").0);
    let mut pose = Pose::default();
    let mut hidden = 0;
    for time in times(&clip, 200) {
        clip.sample(time, &mut pose);
        for (index, stands) in pose.nodes.iter().enumerate() {
            if clip.nodes[mutoscope_core::clip::NodeId::new(index)].motion.visibility
                == mutoscope_core::clip::NodeVisibility::Never
            {
                continue;
            }
            // Look a moment later, because single precision may round the time of a key up.
            let scale = back.local(index, time + 1e-6).scale;
            assert_eq!(scale == DVec3::ZERO, !stands.is_visible, "node {index} at {time}");
            hidden += usize::from(!stands.is_visible);
        }
    }
    assert!(hidden > 0, "expected hidden nodes at some times");
}

fn glb_json(bytes: &[u8]) -> serde_json::Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn data_without_a_gltf_equivalent_is_in_extras() {
    let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let options = ExportOptions { range: Some(1.6..=1.9), ..ExportOptions::default() };
    let (bytes, report) = exported_as(&clip, "glb", &options);
    let json = glb_json(&bytes);
    let facts = &json["nodes"][clip.nodes.len()]["extras"];
    assert_eq!((&facts["format"], &facts["start"]), (&"mrtk".into(), &1.6.into()));
    assert!((facts["duration"].as_f64().unwrap() - 0.3).abs() < 1e-12, "{facts}");
    let convention = &facts["source_convention"];
    assert_eq!((&convention["handedness"], &convention["up"]), (&"left".into(), &"Y".into()));
    for (node, back) in clip.nodes.iter().zip(json["nodes"].as_array().unwrap()) {
        // The left hand is untracked from before the range until after it.
        let is_hidden = node.name.starts_with("left/");
        let is_marked = back["extras"]["shown"] == false;
        assert_eq!(is_hidden, is_marked, "{}", node.name);
    }
    assert!(
        report_text(&report).contains("time 0 of the file is 1.6 s"),
        "{}",
        report_text(&report)
    );
    let all = exported_as(&clip, "glb", &ExportOptions::default()).0;
    let events = glb_json(&all)["animations"][0]["extras"]["events"].clone();
    let times = events.as_array().unwrap().iter().map(|event| event["time"].as_f64().unwrap());
    let expected = clip.events.iter().map(|event| event.time - clip.span.start);
    assert!(clip.events.len() > 1 && times.eq(expected), "{events}");
}

#[test]
fn motionless_recordings_have_no_animation_and_report_it() {
    let (name, clip) = recordings().into_iter().find(|(_, clip)| clip.key_count() > 100).unwrap();
    let instant = clip.span.start..=clip.span.start;
    let options = ExportOptions { range: Some(instant), ..ExportOptions::default() };
    let (bytes, report) = exported_as(&clip, "glb", &options);
    assert!(glb_json(&bytes)["animations"].is_null(), "{name}");
    assert!(
        report_text(&report).contains("nothing moves; the file has no animation"),
        "{}",
        report_text(&report)
    );
}
