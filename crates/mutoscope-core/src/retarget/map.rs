//! Bone maps, which users write and edit as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RetargetError;
use crate::clip::{HumanBone, HumanBones, NodeId, Nodes};

/// The user's choice of nodes for bones that cannot be found by node names, or that are found at
/// the wrong nodes.
///
/// As JSON: `{"motion": {"hips": "Bip01 Pelvis", "jaw": null}, "character": {}, "hip_scale": 0.9}`.
/// Each member is optional. Bones have the names of VRM 1.0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoneMap {
    /// The node names for bones of the motion; `None` removes a bone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub motion: BTreeMap<String, Option<String>>,
    /// The node names for bones of the character; `None` removes a bone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub character: BTreeMap<String, Option<String>>,
    /// The factor for the positions of the hips. `None` derives the factor from the heights of both
    /// bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hip_scale: Option<f64>,
}

impl BoneMap {
    /// Parses a bone map.
    ///
    /// # Errors
    /// Fails if `text` is not JSON, has unknown members, names bones that do not exist, or has a
    /// scale that is not a positive number.
    pub fn parse(text: &str) -> Result<Self, RetargetError> {
        let invalid = |error: serde_json::Error| RetargetError::InvalidMap(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(invalid)?;
        if !value.is_object() {
            return Err(RetargetError::MapIsNoObject);
        }
        let map: Self = serde_json::from_value(value).map_err(invalid)?;
        for (member, bones) in [("motion", &map.motion), ("character", &map.character)] {
            if let Some(name) = bones.keys().find(|name| name.parse::<HumanBone>().is_err()) {
                return Err(RetargetError::UnknownBone { member, name: name.clone() });
            }
        }
        match map.hip_scale {
            Some(scale) if !(scale.is_finite() && scale > 0.0) => {
                Err(RetargetError::InvalidHipScale(scale))
            }
            _ => Ok(map),
        }
    }

    /// Formats the map as JSON, which [`Self::parse`] reads.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON")
    }
}

pub(super) struct Overrides<'a> {
    /// The member of the map: `motion` or `character`.
    pub(super) member: &'static str,
    pub(super) bones: &'a BTreeMap<String, Option<String>>,
}

impl Overrides<'_> {
    pub(super) fn hips_node(&self, nodes: &Nodes) -> Result<Option<NodeId>, RetargetError> {
        match self.bones.get(HumanBone::Hips.name()) {
            Some(Some(name)) => self.find_node(nodes, HumanBone::Hips, name).map(Some),
            Some(None) | None => Ok(None),
        }
    }

    pub(super) fn apply(&self, nodes: &Nodes, bones: &mut HumanBones) -> Result<(), RetargetError> {
        for (bone, name) in self.bones {
            let Ok(bone) = bone.parse::<HumanBone>() else { continue };
            let node = name.as_ref().map(|name| self.find_node(nodes, bone, name)).transpose()?;
            bones.set(bone, node);
        }
        Ok(())
    }

    fn find_node(
        &self,
        nodes: &Nodes,
        bone: HumanBone,
        name: &str,
    ) -> Result<NodeId, RetargetError> {
        let found = nodes.with_ids().find(|(_, node)| node.name == name);
        found.map(|(id, _)| id).ok_or_else(|| RetargetError::UnknownNode {
            member: self.member,
            bone,
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_and_written() {
        let text = r#"{"motion": {"hips": "Bip01 Pelvis", "jaw": null}, "hip_scale": 0.9}"#;
        let map = BoneMap::parse(text).unwrap();
        assert_eq!(map.motion["hips"].as_deref(), Some("Bip01 Pelvis"));
        assert_eq!((&map.motion["jaw"], map.hip_scale), (&None, Some(0.9)));
        assert_eq!(BoneMap::parse(&map.to_json()), Ok(map));
        assert_eq!(BoneMap::parse("{}"), Ok(BoneMap::default()));
    }

    #[test]
    fn invalid_maps_are_rejected() {
        for (text, problem) in [
            ("", "expected a bone map as JSON"),
            ("[]", "expected a bone map as JSON"),
            (r#"{"motions": {}}"#, "unknown field `motions`"),
            (
                r#"{"motion": {"pelvis": "a"}}"#,
                "motion: expected a bone of VRM 1.0, found \"pelvis\"",
            ),
            (r#"{"character": {"hips": 1}}"#, "invalid type"),
            (r#"{"hip_scale": -1}"#, "hip_scale: expected a positive number, found -1"),
        ] {
            let error = BoneMap::parse(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
