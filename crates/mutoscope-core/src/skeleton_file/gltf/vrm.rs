//! Humanoid bones that VRM 0.x, VRM 1.0 and VRM animations declare as nodes of a glTF.
//!
//! `docs/formats/vrm.md` describes the extensions.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::codes;
use crate::{
    clip::{HumanBone, HumanBones, Humanoid, NodeId},
    diagnostics::{Diagnostics, SourceLocation},
};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DeclaredHumanoid {
    pub(crate) kind: VrmKind,
    pub(crate) humanoid: Humanoid,
    /// The expressions of a VRM animation, each with its name and the index of its node. The x
    /// coordinate of the node is the weight.
    pub(crate) expressions: Vec<(String, usize)>,
    pub(crate) look_at: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VrmKind {
    /// A VRM 0.x avatar.
    Vrm0,
    /// A VRM 1.0 avatar.
    #[default]
    Vrm1,
    /// A VRM animation.
    Animation,
}

#[derive(Default, Deserialize)]
pub(super) struct VrmExtensions {
    #[serde(rename = "VRM")]
    zero: Option<Value>,
    #[serde(rename = "VRMC_vrm")]
    one: Option<Value>,
    #[serde(rename = "VRMC_vrm_animation")]
    animation: Option<Value>,
}

impl VrmExtensions {
    /// Returns the avatar. VRM 1.0 takes precedence over 0.x.
    pub(super) fn avatar(&self) -> Option<(VrmKind, &Value)> {
        let newer = self.one.as_ref().map(|one| (VrmKind::Vrm1, one));
        newer.or_else(|| self.zero.as_ref().map(|zero| (VrmKind::Vrm0, zero)))
    }

    pub(super) fn declared_humanoid(
        &self,
        node_count: usize,
        diagnostics: &mut Diagnostics,
    ) -> Option<DeclaredHumanoid> {
        let (kind, extension) = match self {
            Self { one: Some(one), .. } => (VrmKind::Vrm1, one),
            Self { zero: Some(zero), .. } => (VrmKind::Vrm0, zero),
            Self { animation: Some(animation), .. } => (VrmKind::Animation, animation),
            Self { .. } => return None,
        };
        let mut reader = VrmReader { kind, node_count, diagnostics };
        let mut bones = reader.read_bones(extension);
        if bones.iter().next().is_none() {
            reader.warn("it declares no bones");
            return None;
        }
        if kind == VrmKind::Animation {
            for eye in [HumanBone::LeftEye, HumanBone::RightEye] {
                if bones.contains(eye) {
                    bones.set(eye, None);
                    reader.warn(&format!("{eye} may not be animated; skipped"));
                }
            }
        }
        let missing = bones.missing_required();
        if !missing.is_empty() {
            let names: Vec<_> = missing.iter().map(|bone| bone.name()).collect();
            reader.warn(&format!("it lacks required bones: {}", names.join(", ")));
        }
        let is_animation = kind == VrmKind::Animation;
        Some(DeclaredHumanoid {
            kind,
            humanoid: Humanoid { bones, is_t_pose: true, ..Humanoid::default() },
            expressions: if is_animation { reader.read_expressions(extension) } else { Vec::new() },
            look_at: reader.node_index(&extension["lookAt"]["node"]).filter(|_| is_animation),
        })
    }
}

struct VrmReader<'a> {
    kind: VrmKind,
    node_count: usize,
    diagnostics: &'a mut Diagnostics,
}

impl VrmReader<'_> {
    fn warn(&mut self, what: &str) {
        let extension = match self.kind {
            VrmKind::Vrm0 => "VRM",
            VrmKind::Vrm1 => "VRMC_vrm",
            VrmKind::Animation => "VRMC_vrm_animation",
        };
        self.diagnostics.warning(
            codes::INVALID_VRM,
            SourceLocation::File,
            format!("{extension}: {what}"),
        );
    }

    fn node_index(&self, value: &Value) -> Option<usize> {
        let index = usize::try_from(value.as_u64()?).ok()?;
        (index < self.node_count).then_some(index)
    }

    fn read_bones(&mut self, extension: &Value) -> HumanBones {
        let named: Vec<(String, &Value)> = match &extension["humanoid"]["humanBones"] {
            Value::Array(list) => {
                let name = |one: &Value| one["bone"].as_str().map(ToOwned::to_owned);
                list.iter().filter_map(|one| Some((name(one)?, &one["node"]))).collect()
            }
            Value::Object(bones) => {
                bones.iter().map(|(name, bone)| (name.clone(), &bone["node"])).collect()
            }
            _ => Vec::new(),
        };
        let has = |wanted: &str| named.iter().any(|(name, _)| name == wanted);
        // VRM 0.x and early versions of 1.0 name the thumb bones like the bones of the other
        // fingers.
        let is_old = [has("leftThumbIntermediate"), has("rightThumbIntermediate")].contains(&true)
            || self.kind == VrmKind::Vrm0;
        let mut bones = HumanBones::default();
        let mut unknown = Vec::new();
        for (name, node) in &named {
            let known = if is_old { vrm1_thumb_name(name) } else { None };
            let Ok(bone) = known.unwrap_or(name).parse::<HumanBone>() else {
                unknown.push(format!("{name:?}"));
                continue;
            };
            match self.node_index(node) {
                // If a bone is declared several times, the first declaration is used.
                Some(_) if bones.contains(bone) => {
                    self.warn(&format!("{bone} is declared again; using the first"));
                }
                Some(node) => bones.set(bone, Some(NodeId::new(node))),
                None => self.warn(&format!("{bone} refers to a node that does not exist; skipped")),
            }
        }
        if !unknown.is_empty() {
            self.warn(&format!("unknown bones skipped: {}", unknown.join(", ")));
        }
        bones
    }

    fn read_expressions(&mut self, extension: &Value) -> Vec<(String, usize)> {
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for kind in ["preset", "custom"] {
            let Some(expressions) = extension["expressions"][kind].as_object() else { continue };
            for (name, expression) in expressions {
                match self.node_index(&expression["node"]) {
                    Some(node) => drop(found.entry(name.clone()).or_insert(node)),
                    None => self.warn(&format!(
                        "the expression {name:?} refers to a node that does not exist; skipped"
                    )),
                }
            }
        }
        found.into_iter().collect()
    }
}

fn vrm1_thumb_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "leftThumbProximal" => "leftThumbMetacarpal",
        "leftThumbIntermediate" => "leftThumbProximal",
        "rightThumbProximal" => "rightThumbMetacarpal",
        "rightThumbIntermediate" => "rightThumbProximal",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str, diagnostics: &mut Diagnostics) -> Option<DeclaredHumanoid> {
        let extensions: VrmExtensions = serde_json::from_str(text).unwrap();
        extensions.declared_humanoid(4, diagnostics)
    }

    #[test]
    fn vrm0_bones_get_vrm1_names() {
        let mut diagnostics = Diagnostics::new();
        let text = r#"{"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 2},
            {"bone": "leftThumbProximal", "node": 1}, {"bone": "leftThumbIntermediate", "node": 0},
            {"bone": "hips", "node": 3}, {"bone": "tail", "node": 3}, {"bone": "head", "node": 9}, 7]}}}"#;
        let found = declared(text, &mut diagnostics).unwrap();
        assert_eq!(found.kind, VrmKind::Vrm0);
        let node = |bone| found.humanoid.bones.get(bone).map(NodeId::index);
        assert_eq!(node(HumanBone::Hips), Some(2), "the first");
        assert_eq!(node(HumanBone::LeftThumbMetacarpal), Some(1));
        assert_eq!(node(HumanBone::LeftThumbProximal), Some(0));
        let messages: Vec<_> =
            diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        let expected = [
            "hips is declared again",
            "head refers to a node that does not exist",
            "skipped: \"tail\"",
            "it lacks required bones: spine",
        ];
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, part) in messages.iter().zip(expected) {
            assert!(message.starts_with("VRM: ") && message.contains(part), "{message}");
        }
        let text =
            r#"{"VRMC_vrm": {"humanoid": {"humanBones": {"leftThumbProximal": {"node": 1}}}}}"#;
        let found = declared(text, &mut Diagnostics::new()).unwrap();
        assert_eq!(found.humanoid.bones.get(HumanBone::LeftThumbProximal), Some(NodeId::new(1)));
    }

    #[test]
    fn malformed_extensions_declare_no_humanoid() {
        for text in [
            "{}",
            r#"{"VRM": 1}"#,
            r#"{"VRMC_vrm": {"humanoid": []}}"#,
            r#"{"VRM": {"humanoid": {"humanBones": 3}}}"#,
        ] {
            assert_eq!(declared(text, &mut Diagnostics::new()), None, "{text}");
        }
    }
}
