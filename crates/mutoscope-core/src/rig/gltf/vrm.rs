//! Humanoid bones declared by VRM 0.x, VRM 1.0 and animations for VRM, as nodes of a glTF.
//!
//! `docs/formats/vrm.md` describes the extensions.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    clip::{HumanBone, HumanBones, Humanoid, NodeId},
    diagnostics::{Notices, SourceLocation},
};

/// The humanoid that a glTF declares.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declared {
    pub(crate) kind: VrmKind,
    pub(crate) humanoid: Humanoid,
    /// Of an animation: the names of expressions and the nodes whose x is their weight.
    pub(crate) expressions: Vec<(String, usize)>,
    /// Of an animation: the node whose rotation is the gaze.
    pub(crate) look_at: Option<usize>,
}

/// The extension by which a glTF declares a humanoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VrmKind {
    /// An avatar of VRM 0.x.
    Zero,
    /// An avatar of VRM 1.0.
    #[default]
    One,
    /// An animation for VRM.
    Animation,
}

/// The extensions of a glTF that are about humanoids.
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
    /// The avatar that there is, by the extension that counts first.
    pub(super) fn avatar(&self) -> Option<(VrmKind, &Value)> {
        let newer = self.one.as_ref().map(|one| (VrmKind::One, one));
        newer.or_else(|| self.zero.as_ref().map(|zero| (VrmKind::Zero, zero)))
    }

    /// The bones among the nodes, of which there are `count`. Of several an avatar counts first.
    pub(super) fn declared(&self, count: usize, notices: &mut Notices) -> Option<Declared> {
        let (kind, extension) = match self {
            Self { one: Some(one), .. } => (VrmKind::One, one),
            Self { zero: Some(zero), .. } => (VrmKind::Zero, zero),
            Self { animation: Some(animation), .. } => (VrmKind::Animation, animation),
            Self { .. } => return None,
        };
        let mut reader = Reader { kind, count, notices };
        let mut bones = reader.bones(extension);
        if bones.iter().next().is_none() {
            reader.warn("it declares no bone");
            return None;
        }
        if kind == VrmKind::Animation {
            for eye in [HumanBone::LeftEye, HumanBone::RightEye] {
                if bones.has(eye) {
                    bones.set(eye, None);
                    reader.warn(&format!("{eye} may not be animated; skipped"));
                }
            }
        }
        let missing = bones.missing();
        if !missing.is_empty() {
            let names: Vec<_> = missing.iter().map(|bone| bone.name()).collect();
            reader.warn(&format!("it lacks required bones: {}", names.join(", ")));
        }
        let is_animation = kind == VrmKind::Animation;
        Some(Declared {
            kind,
            humanoid: Humanoid { bones, is_t_pose: true, ..Humanoid::default() },
            expressions: if is_animation { reader.expressions(extension) } else { Vec::new() },
            look_at: reader.node(&extension["lookAt"]["node"]).filter(|_| is_animation),
        })
    }
}

/// Reads an extension: JSON of any shape, in which anything may be missing.
struct Reader<'a> {
    kind: VrmKind,
    count: usize,
    notices: &'a mut Notices,
}

impl Reader<'_> {
    fn warn(&mut self, what: &str) {
        let extension = match self.kind {
            VrmKind::Zero => "VRM",
            VrmKind::One => "VRMC_vrm",
            VrmKind::Animation => "VRMC_vrm_animation",
        };
        self.notices.warning(SourceLocation::File, format!("{extension}: {what}"));
    }

    fn node(&self, value: &Value) -> Option<usize> {
        let index = usize::try_from(value.as_u64()?).ok()?;
        (index < self.count).then_some(index)
    }

    /// The bones of all versions by their names in 1.0.
    fn bones(&mut self, extension: &Value) -> HumanBones {
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
        // 0.x, and betas of 1.0, call the bones of thumbs as those of other fingers.
        let is_old = [has("leftThumbIntermediate"), has("rightThumbIntermediate")].contains(&true)
            || self.kind == VrmKind::Zero;
        let mut bones = HumanBones::default();
        let mut unknown = Vec::new();
        for (name, node) in &named {
            let known = if is_old { renamed_thumb(name) } else { None };
            let Ok(bone) = known.unwrap_or(name).parse::<HumanBone>() else {
                unknown.push(format!("{name:?}"));
                continue;
            };
            match self.node(node) {
                // The first counts.
                Some(_) if bones.has(bone) => {
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

    fn expressions(&mut self, extension: &Value) -> Vec<(String, usize)> {
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for kind in ["preset", "custom"] {
            let Some(expressions) = extension["expressions"][kind].as_object() else { continue };
            for (name, expression) in expressions {
                match self.node(&expression["node"]) {
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

/// The name in VRM 1.0 of a bone of a thumb of VRM 0.x.
fn renamed_thumb(name: &str) -> Option<&'static str> {
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

    fn declared(text: &str, notices: &mut Notices) -> Option<Declared> {
        let extensions: VrmExtensions = serde_json::from_str(text).unwrap();
        extensions.declared(4, notices)
    }

    #[test]
    fn bones_of_both_versions_have_the_names_of_the_newer() {
        let mut notices = Notices::new();
        let text = r#"{"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 2},
            {"bone": "leftThumbProximal", "node": 1}, {"bone": "leftThumbIntermediate", "node": 0},
            {"bone": "hips", "node": 3}, {"bone": "tail", "node": 3}, {"bone": "head", "node": 9}, 7]}}}"#;
        let found = declared(text, &mut notices).unwrap();
        assert_eq!(found.kind, VrmKind::Zero);
        let node = |bone| found.humanoid.bones.get(bone).map(NodeId::index);
        assert_eq!(node(HumanBone::Hips), Some(2), "the first");
        assert_eq!(node(HumanBone::LeftThumbMetacarpal), Some(1));
        assert_eq!(node(HumanBone::LeftThumbProximal), Some(0));
        let messages: Vec<_> = notices.iter().map(|notice| notice.message.as_str()).collect();
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
        let found = declared(text, &mut Notices::new()).unwrap();
        assert_eq!(found.humanoid.bones.get(HumanBone::LeftThumbProximal), Some(NodeId::new(1)));
    }

    #[test]
    fn extensions_of_any_shape_are_no_humanoid() {
        for text in [
            "{}",
            r#"{"VRM": 1}"#,
            r#"{"VRMC_vrm": {"humanoid": []}}"#,
            r#"{"VRM": {"humanoid": {"humanBones": 3}}}"#,
        ] {
            assert_eq!(declared(text, &mut Notices::new()), None, "{text}");
        }
    }
}
