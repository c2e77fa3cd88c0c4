//! Characters and motions that cannot be retargeted are rejected with a message that names the
//! problem.

use mutoscope_core::{
    ReadOptions, clip::Clip, decode, formats::Fit, io::bytes::NoSidecars,
    skeleton_file::LoadedSkeleton,
};

use mutoscope_testing::fixtures::path;

use super::{codes, messages, retarget, rig, try_retarget};

fn rig_from_nodes(nodes: &str) -> LoadedSkeleton {
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}}}"#);
    mutoscope_core::Registry::default()
        .decode_skeleton(text.as_bytes(), "some.gltf", &NoSidecars)
        .unwrap()
}

fn retarget_error(rig: &LoadedSkeleton) -> String {
    try_retarget("cmu_names.bvh", rig, None).unwrap_err()
}

/// Builds a body with only the required bones of hips and legs. `hips` and `thigh` are further
/// members of these nodes.
fn minimal_body(hips: &str, thigh: &str) -> String {
    format!(
        r#"[{{"name": "Hips", "translation": [0, 1, 0], "children": [1, 4] {hips}}},
            {{"name": "LeftUpLeg", "translation": [0.1, 0, 0], "children": [2] {thigh}}},
            {{"name": "LeftLeg", "translation": [0, -0.45, 0], "children": [3]}},
            {{"name": "LeftFoot", "translation": [0, -0.45, 0]}},
            {{"name": "RightUpLeg", "translation": [-0.1, 0, 0], "children": [5]}},
            {{"name": "RightLeg", "translation": [0, -0.45, 0], "children": [6]}},
            {{"name": "RightFoot", "translation": [0, -0.45, 0]}}]"#
    )
}

#[test]
fn minimal_body_is_retargeted_and_missing_bones_are_reported() {
    let clip = retarget("cmu_names.bvh", &rig_from_nodes(&minimal_body("", "")));
    let text = messages(&clip);
    assert!(codes(&clip).contains(&"retarget/bones-missing"), "{text}");
    let message = "warning: some.gltf: 7 bones mapped; required bones not mapped: spine, head,";
    assert!(text.contains(message), "{text}");
}

#[test]
fn missing_bones_are_rejected_with_the_expected_names() {
    let none = retarget_error(&rig_from_nodes(r#"[{"name": "box"}]"#));
    assert!(none.contains("hips, leftUpperLeg, leftLowerLeg, leftFoot"), "{none}");
    assert!(none.contains("some.gltf has none of them; not retargeted"), "{none}");
    let dog = r#"[{"name": "Pelvis", "children": [1, 2, 3]}, {"name": "Tail1"}, {"name": "HindLeg_L"}, {"name": "HindLeg_R"}]"#;
    let dog = retarget_error(&rig_from_nodes(dog));
    assert!(dog.contains("some.gltf has none of them"), "{dog}");
    let no_feet = minimal_body("", "").replace("RightFoot", "Paw");
    let no_feet = retarget_error(&rig_from_nodes(&no_feet));
    assert!(no_feet.contains("some.gltf lacks rightFoot; not retargeted"), "{no_feet}");
}

#[test]
fn several_bodies_are_rejected_by_name() {
    let one = minimal_body("", "");
    let other = one
        .replace("\"Hips\"", "\"rig2:Hips\"")
        .replace("[1, 4]", "[8, 11]")
        .replace("[2]", "[9]")
        .replace("[3]", "[10]")
        .replace("[5]", "[12]")
        .replace("[6]", "[13]");
    let both = format!("{},{}", one.strip_suffix(']').unwrap(), other.strip_prefix('[').unwrap());
    let error = retarget_error(&rig_from_nodes(&both));
    assert!(error.contains("found several hips with legs: \"Hips\" and \"rig2:Hips\""), "{error}");
}

#[test]
fn mirrored_and_flattened_bones_are_rejected_by_name() {
    let error = retarget_error(&rig_from_nodes(&minimal_body("", r#", "scale": [-1, 1, 1]"#)));
    assert!(
        error.contains("mirrored or flattened by scales that are not positive: \"LeftUpLeg\", \"LeftLeg\", \"LeftFoot\""),
        "{error}"
    );
    let error = retarget_error(&rig_from_nodes(&minimal_body(r#", "scale": [1, 0, 1]"#, "")));
    assert!(error.contains("\"Hips\""), "{error}");
}

#[test]
fn uneven_scales_are_reported_and_even_scales_are_accepted() {
    let uneven =
        retarget("cmu_names.bvh", &rig_from_nodes(&minimal_body("", r#", "scale": [1, 2, 1]"#)));
    assert!(codes(&uneven).contains(&"retarget/uneven-scale"), "{}", messages(&uneven));
    let even =
        retarget("cmu_names.bvh", &rig_from_nodes(&minimal_body(r#", "scale": [2, 2, 2]"#, "")));
    assert!(!codes(&even).contains(&"retarget/uneven-scale"), "{}", messages(&even));
}

#[test]
fn cycles_are_cut_or_rejected() {
    let cycle = minimal_body("", "")
        .replace(r#"{"name": "RightFoot""#, r#"{"name": "RightFoot", "children": [0]"#);
    let result = try_retarget("cmu_names.bvh", &rig_from_nodes(&cycle), None);
    let text = match result {
        Ok(clip) => messages(&clip),
        Err(error) => error,
    };
    assert!(text.contains("lead back to it") || text.contains("lacks"), "{text}");
}

#[test]
fn hips_at_the_height_of_the_feet_are_scaled_by_the_legs() {
    let flat = minimal_body("", "").replace("-0.45", "0").replace("[0, 1, 0]", "[0, 0, 0]");
    let clip = retarget("cmu_names.bvh", &rig_from_nodes(&flat));
    let hip_scale = |clip: &Clip| {
        let found =
            clip.diagnostics.iter().find(|one| one.code.as_str() == "retarget/hips-not-raised");
        found.and_then(|one| one.value("hip_scale")?.as_f64())
    };
    assert_eq!(hip_scale(&clip), Some(1.0), "the legs have no length either");
    let low = minimal_body("", "").replace("[0.1, 0, 0]", "[0.1, 0.9, 0]");
    let low = low.replace("[-0.1, 0, 0]", "[-0.1, 0.9, 0]");
    let clip = retarget("cmu_names.bvh", &rig_from_nodes(&low));
    assert!(hip_scale(&clip).is_some_and(|scale| scale != 1.0), "{}", messages(&clip));
    assert!(clip.procedural.is_some());
}

#[test]
fn motion_without_a_body_is_rejected() {
    let (bytes, rig) = (std::fs::read(path("gltf/samplers.glb")).unwrap(), rig("boxes.vrm"));
    let fit = Fit::ByBones;
    let options = ReadOptions { fit, ..ReadOptions::default().with_skeleton(rig) };
    let error = decode(&bytes, &options).unwrap_err().error.to_string();
    assert!(error.contains("the motion has none of them"), "{error}");
}
