//! The expressions of VRM avatars, and a report of the features that are not supported.
//!
//! `docs/formats/vrm.md` describes the extensions.

use gltf_json::Root;
use serde_json::Value;

use super::{
    codes,
    vrm::{VrmExtensions, VrmKind},
};
use crate::{
    clip::{Expression, ExpressionBind},
    diagnostics::{Diagnostics, SourceLocation},
};

/// The divisor for the weights of VRM 0.x, which are in percent.
const PERCENT: f32 = 100.0;

pub(super) fn read_expressions(
    extensions: &VrmExtensions,
    root: &Root,
    diagnostics: &mut Diagnostics,
) -> Vec<Expression> {
    let Some((kind, extension)) = extensions.avatar() else { return Vec::new() };
    let found = match kind {
        VrmKind::Vrm0 => read_vrm0(extension, root),
        _ => read_vrm1(extension),
    };
    let is_known = |bind: &ExpressionBind| {
        let node = root.nodes.get(bind.node);
        let mesh = node.and_then(|node| root.get(node.mesh?));
        mesh.is_some_and(|mesh| bind.target < super::target_count(mesh)) && bind.weight.is_finite()
    };
    let mut lost = 0;
    let mut kept: Vec<Expression> = Vec::new();
    for Expression { name, mut binds } in found {
        let all = binds.len();
        binds.retain(is_known);
        lost += all - binds.len();
        // If several expressions have the same name, the first is used.
        if kept.iter().all(|known| known.name != name) {
            kept.push(Expression { name, binds });
        }
    }
    if lost > 0 {
        let message = format!("{lost} expression weights refer to missing morph targets; skipped");
        diagnostics.warning(codes::INVALID_VRM, SourceLocation::File, message).with("count", lost);
    }
    kept
}

fn read_vrm1(extension: &Value) -> Vec<Expression> {
    let mut found = Vec::new();
    for kind in ["preset", "custom"] {
        let Some(named) = extension["expressions"][kind].as_object() else { continue };
        found.extend(named.iter().map(|(name, expression)| {
            let binds = array(&expression["morphTargetBinds"]);
            let binds = binds.iter().filter_map(|bind| {
                Some(ExpressionBind {
                    node: index(&bind["node"])?,
                    target: index(&bind["index"])?,
                    weight: bind["weight"].as_f64()? as f32,
                })
            });
            Expression { name: name.clone(), binds: binds.collect() }
        }));
    }
    found
}

/// Returns the expressions of VRM 0.x, which refer to meshes instead of nodes.
fn read_vrm0(extension: &Value, root: &Root) -> Vec<Expression> {
    let groups = array(&extension["blendShapeMaster"]["blendShapeGroups"]).iter();
    let expression = |group: &Value| {
        let own = group["name"].as_str().unwrap_or_default();
        let preset = group["presetName"].as_str().and_then(vrm1_preset_name);
        let name = preset.unwrap_or(own).to_owned();
        let mut binds = Vec::new();
        for bind in array(&group["binds"]) {
            let weight = bind["weight"].as_f64().unwrap_or_default() as f32 / PERCENT;
            let (Some(mesh), Some(target)) = (index(&bind["mesh"]), index(&bind["index"])) else {
                continue;
            };
            let carriers = root.nodes.iter().enumerate();
            let carriers =
                carriers.filter(|(_, node)| node.mesh.is_some_and(|it| it.value() == mesh));
            binds.extend(carriers.map(|(node, _)| ExpressionBind { node, target, weight }));
        }
        (!name.is_empty()).then_some(Expression { name, binds })
    };
    groups.filter_map(expression).collect()
}

/// Returns the name in VRM 1.0 of a preset expression of VRM 0.x, ignoring case.
pub(crate) fn vrm1_preset_name(preset: &str) -> Option<&'static str> {
    Some(match preset.to_ascii_lowercase().as_str() {
        "neutral" => "neutral",
        "a" => "aa",
        "i" => "ih",
        "u" => "ou",
        "e" => "ee",
        "o" => "oh",
        "blink" => "blink",
        "blink_l" => "blinkLeft",
        "blink_r" => "blinkRight",
        "joy" => "happy",
        "angry" => "angry",
        "sorrow" => "sad",
        "fun" => "relaxed",
        "lookup" => "lookUp",
        "lookdown" => "lookDown",
        "lookleft" => "lookLeft",
        "lookright" => "lookRight",
        _ => return None,
    })
}

pub(super) fn report_unsupported(
    extensions: &VrmExtensions,
    root: &Root,
    diagnostics: &mut Diagnostics,
) {
    let Some((_, extension)) = extensions.avatar() else { return };
    let is_used = |name: &str| root.extensions_used.iter().any(|used| used == name);
    let has = |list: &Value| !array(list).is_empty();
    let is_mtoon = |material: &Value| material["shader"].as_str() == Some("VRM/MToon");
    let expressions = ["preset", "custom"].into_iter().flat_map(|kind| {
        extension["expressions"][kind].as_object().into_iter().flat_map(|named| named.values())
    });
    let paints = |expression: &Value| {
        has(&expression["materialColorBinds"]) || has(&expression["textureTransformBinds"])
    };
    let groups = array(&extension["blendShapeMaster"]["blendShapeGroups"]).iter();
    let parts = [
        (
            "springs",
            is_used("VRMC_springBone") || has(&extension["secondaryAnimation"]["boneGroups"]),
        ),
        (
            "MToon materials",
            is_used("VRMC_materials_mtoon")
                || array(&extension["materialProperties"]).iter().any(is_mtoon),
        ),
        ("node constraints", is_used("VRMC_node_constraint")),
        (
            "expressions of materials",
            expressions.into_iter().any(paints)
                || groups.into_iter().any(|group| has(&group["materialValues"])),
        ),
    ];
    let named: Vec<_> =
        parts.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
    if !named.is_empty() {
        let message = format!("VRM: not evaluated: {}; skipped", named.join(", "));
        diagnostics.info(codes::UNSUPPORTED_VRM_FEATURE, SourceLocation::File, message);
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> Root {
        let json = r#"{"asset": {"version": "2.0"}, "extensionsUsed": ["VRMC_node_constraint"],
            "nodes": [{}, {"mesh": 0}, {"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {}, "targets": [{}, {}]}]}]}"#;
        serde_json::from_str(json).unwrap()
    }

    fn read(text: &str) -> (Vec<Expression>, Vec<String>) {
        let extensions: VrmExtensions = serde_json::from_str(text).unwrap();
        let mut diagnostics = Diagnostics::new();
        let found = read_expressions(&extensions, &root(), &mut diagnostics);
        report_unsupported(&extensions, &root(), &mut diagnostics);
        (found, diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect())
    }

    fn bind(node: usize, target: usize, weight: f32) -> ExpressionBind {
        ExpressionBind { node, target, weight }
    }

    #[test]
    fn vrm0_expressions_get_vrm1_names() {
        let (found, messages) = read(
            r#"{"VRM": {"blendShapeMaster": {"blendShapeGroups": [
            {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
            {"name": "Wink", "presetName": "unknown", "binds": [{"mesh": 9, "index": 0, "weight": 1}, 7]},
            {"name": "Again", "presetName": "Joy", "binds": []}, {}, 3]},
            "secondaryAnimation": {"boneGroups": [{}]}, "materialProperties": [{"shader": "VRM/MToon"}]}}"#,
        );
        let named: Vec<_> =
            found.iter().map(|one| (one.name.as_str(), one.binds.as_slice())).collect();
        let happy = [bind(1, 1, 0.5), bind(2, 1, 0.5)];
        assert_eq!(named, [("happy", &happy[..]), ("Wink", &[])]);
        assert_eq!(
            messages,
            ["VRM: not evaluated: springs, MToon materials, node constraints; skipped"]
        );
        let (found, messages) = read(
            r#"{"VRMC_vrm": {"expressions": {"preset": {"blink": {"morphTargetBinds": [
            {"node": 2, "index": 0, "weight": 1}, {"node": 0, "index": 0, "weight": 1},
            {"node": 1, "index": 2, "weight": 1}, {"node": 99, "index": 0, "weight": 1}, {}]}},
            "custom": {"wink": {"materialColorBinds": [{}]}}}}}"#,
        );
        let named: Vec<_> =
            found.iter().map(|one| (one.name.as_str(), one.binds.as_slice())).collect();
        assert_eq!(named, [("blink", &[bind(2, 0, 1.0)][..]), ("wink", &[])]);
        assert_eq!(messages.len(), 2);
        assert!(messages[0].starts_with("3 expression weights"), "{messages:?}");
        assert!(messages[1].ends_with("node constraints, expressions of materials; skipped"));
    }

    #[test]
    fn malformed_extensions_have_no_expressions() {
        for text in [
            "{}",
            r#"{"VRM": 1}"#,
            r#"{"VRMC_vrm": {"expressions": []}}"#,
            r#"{"VRM": {"blendShapeMaster": {"blendShapeGroups": {}}}}"#,
            r#"{"VRMC_vrm_animation": {"expressions": {"preset": {"happy": {"node": 1}}}}}"#,
        ] {
            assert_eq!(read(text).0, [], "{text}");
        }
    }
}
