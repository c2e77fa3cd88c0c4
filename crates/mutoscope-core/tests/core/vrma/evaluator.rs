//! Evaluates VRM animations without the code of Mutoscope, and checks the rules of the standard.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use serde_json::Value;

/// A VRM animation: the JSON and the binary chunk.
pub(super) struct VrmAnimation {
    json: Value,
    binary: Vec<u8>,
}

/// A rigid transform in the space of the avatar.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

impl VrmAnimation {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..4], b"glTF");
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let json_end = 20 + length(12);
        let json = serde_json::from_slice(&bytes[20..json_end]).unwrap();
        Self { json, binary: bytes[json_end + 8..].to_vec() }
    }

    pub(super) fn extension(&self) -> &Value {
        &self.json["extensions"]["VRMC_vrm_animation"]
    }

    /// Returns the nodes of the bones, by the names of the bones.
    pub(super) fn bones(&self) -> BTreeMap<String, usize> {
        let bones = self.extension()["humanoid"]["humanBones"].as_object().unwrap();
        bones.iter().map(|(name, bone)| (name.clone(), index(&bone["node"]))).collect()
    }

    pub(super) fn expression_node(&self, kind: &str, name: &str) -> Option<usize> {
        let node = &self.extension()["expressions"][kind][name]["node"];
        node.as_u64().map(|node| node as usize)
    }

    pub(super) fn gaze_node(&self) -> Option<usize> {
        self.extension()["lookAt"]["node"].as_u64().map(|node| node as usize)
    }

    fn nodes(&self) -> &[Value] {
        self.json["nodes"].as_array().unwrap()
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        let is_child = |parent: &Value| {
            let mut children = parent["children"].as_array().into_iter().flatten();
            children.any(|child| index(child) == node)
        };
        self.nodes().iter().position(is_child)
    }

    fn numbers(&self, accessor: usize) -> Vec<f64> {
        let accessor = &self.json["accessors"][accessor];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let bytes = &self.binary[start..start + index(&view["byteLength"])];
        let number = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
        bytes.chunks(4).map(number).collect()
    }

    fn channels(&self) -> &[Value] {
        self.json["animations"][0]["channels"].as_array().unwrap()
    }

    /// Returns the paths that the animation moves, such as `rotation`, of each node.
    fn animated_paths(&self) -> BTreeMap<usize, Vec<String>> {
        let mut paths: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for channel in self.channels() {
            let path = channel["target"]["path"].as_str().unwrap().to_owned();
            paths.entry(index(&channel["target"]["node"])).or_default().push(path);
        }
        paths
    }

    fn animated(&self, node: usize, path: &str, time: f64) -> Option<Vec<f64>> {
        let is_it =
            |one: &&Value| index(&one["target"]["node"]) == node && one["target"]["path"] == path;
        let channel = self.channels().iter().find(is_it)?;
        let sampler = &self.json["animations"][0]["samplers"][index(&channel["sampler"])];
        let times = self.numbers(index(&sampler["input"]));
        let values = self.numbers(index(&sampler["output"]));
        let width = values.len() / times.len();
        let value = |key: usize| values[key * width..(key + 1) * width].to_vec();
        let after = times.partition_point(|key| *key <= time);
        if after == 0 || after == times.len() || sampler["interpolation"] == "STEP" {
            return Some(value(after.saturating_sub(1)));
        }
        let part = (time - times[after - 1]) / (times[after] - times[after - 1]);
        let (from, to) = (value(after - 1), value(after));
        Some(match path {
            "rotation" => {
                let [from, to] = [from, to].map(|value| DQuat::from_slice(&value));
                from.slerp(to, part).to_array().to_vec()
            }
            _ => from.iter().zip(&to).map(|(from, to)| from + (to - from) * part).collect(),
        })
    }

    fn property(&self, node: usize, path: &str, time: Option<f64>) -> Option<Vec<f64>> {
        let animated = time.and_then(|time| self.animated(node, path, time));
        let rest = self.nodes()[node][path].as_array();
        let rest = rest.map(|rest| rest.iter().map(|number| number.as_f64().unwrap()).collect());
        animated.or(rest)
    }

    /// Returns the local transform of a node at `time`, or at rest if `time` is `None`.
    pub(super) fn local(&self, node: usize, time: Option<f64>) -> Placement {
        let position = self.property(node, "translation", time);
        let rotation = self.property(node, "rotation", time);
        Placement {
            position: position.map_or(DVec3::ZERO, |position| DVec3::from_slice(&position)),
            rotation: rotation
                .map_or(DQuat::IDENTITY, |rotation| DQuat::from_slice(&rotation).normalize()),
        }
    }

    pub(super) fn world(&self, node: usize, time: Option<f64>) -> Placement {
        let local = self.local(node, time);
        match self.parent(node).map(|parent| self.world(parent, time)) {
            None => local,
            Some(parent) => Placement {
                position: parent.position + parent.rotation * local.position,
                rotation: parent.rotation * local.rotation,
            },
        }
    }

    /// Panics if the file breaks a rule of VRMC_vrm_animation 1.0.
    pub(super) fn check_rules(&self) {
        const REQUIRED: [&str; 15] = [
            "hips",
            "spine",
            "head",
            "leftUpperLeg",
            "leftLowerLeg",
            "leftFoot",
            "rightUpperLeg",
            "rightLowerLeg",
            "rightFoot",
            "leftUpperArm",
            "leftLowerArm",
            "leftHand",
            "rightUpperArm",
            "rightLowerArm",
            "rightHand",
        ];
        const NO_EXPRESSIONS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];
        assert_eq!(self.json["extensionsUsed"][0], "VRMC_vrm_animation");
        assert_eq!(self.extension()["specVersion"], "1.0");
        let bones = self.bones();
        REQUIRED.iter().for_each(|bone| assert!(bones.contains_key(*bone), "{bone} is missing"));
        assert!(!bones.contains_key("leftEye") && !bones.contains_key("rightEye"));
        let paths = self.animated_paths();
        for (bone, node) in &bones {
            let allowed =
                |path: &String| path == "rotation" || path == "translation" && bone == "hips";
            assert!(paths[node].iter().all(allowed), "{bone}: {:?}", paths[node]);
            assert!(self.nodes()[*node]["scale"].is_null());
            assert!(self.nodes()[*node]["rotation"].is_null(), "the rest pose is normalised");
            let parent = self.parent(*node);
            let parent_bone =
                bones.iter().find(|(_, node)| Some(**node) == parent).map(|(name, _)| name);
            assert_eq!(parent_bone.map(String::as_str), nearest_ancestor(bone, &bones), "{bone}");
        }
        for kind in ["preset", "custom"] {
            let expressions = self.extension()["expressions"][kind].as_object();
            for (name, expression) in expressions.into_iter().flatten() {
                assert!(!NO_EXPRESSIONS.contains(&name.as_str()));
                assert_eq!(PRESETS.contains(&name.as_str()), kind == "preset", "{name}");
                assert_eq!(paths[&index(&expression["node"])], ["translation"]);
            }
        }
        if let Some(node) = self.gaze_node() {
            assert_eq!(paths[&node], ["rotation"]);
        }
    }
}

const PRESETS: [&str; 14] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "neutral",
];

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Returns the nearest ancestor that the file has, by the table of the standard.
fn nearest_ancestor<'a>(bone: &str, bones: &'a BTreeMap<String, usize>) -> Option<&'a str> {
    const TRUNK: [&str; 6] = ["hips", "spine", "chest", "upperChest", "neck", "head"];
    let (side, part) = match bone {
        _ if bone.starts_with("left") => ("left", &bone[4..]),
        _ if bone.starts_with("right") => ("right", &bone[5..]),
        _ => ("", bone),
    };
    let chest = || TRUNK[..4].iter().rev().map(|bone| (*bone).to_owned()).collect::<Vec<_>>();
    let limb = |names: &[&str]| names.iter().map(|name| format!("{side}{name}")).collect();
    let ancestors: Vec<String> = match part {
        "jaw" => vec!["head".to_owned()],
        "Shoulder" => chest(),
        "UpperArm" => [limb(&["Shoulder"]), chest()].concat(),
        "LowerArm" => limb(&["UpperArm"]),
        "Hand" => limb(&["LowerArm"]),
        "UpperLeg" => vec!["hips".to_owned()],
        "LowerLeg" => limb(&["UpperLeg"]),
        "Foot" => limb(&["LowerLeg"]),
        "Toes" => limb(&["Foot"]),
        _ if side.is_empty() => {
            let at = TRUNK.iter().position(|known| *known == part).unwrap();
            TRUNK[..at].iter().rev().map(|bone| (*bone).to_owned()).collect()
        }
        "ThumbMetacarpal" => limb(&["Hand"]),
        "ThumbProximal" => limb(&["ThumbMetacarpal"]),
        "ThumbDistal" => limb(&["ThumbProximal"]),
        _ => {
            let finger = ["Proximal", "Intermediate", "Distal"];
            let at = finger.iter().position(|end| part.ends_with(end)).unwrap();
            match at.checked_sub(1) {
                None => limb(&["Hand"]),
                Some(before) => limb(&[&part.replace(finger[at], finger[before])]),
            }
        }
    };
    let found = ancestors.iter().find_map(|name| bones.get_key_value(name));
    found.map(|(name, _)| name.as_str())
}
