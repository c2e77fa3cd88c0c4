//! Characters and motions that do not fit: what is wrong is named.

use mutoscope_core::{
    formats,
    io::bytes::NoSidecars,
    read::{LoadRequest, SkeletonChoice, load},
    skeleton_file::LoadedSkeleton,
};

use mutoscope_testing::fixtures::path;

use super::{messages, on, rig, try_on};

fn rig_of_text(nodes: &str) -> LoadedSkeleton {
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}}}"#);
    formats::decode_skeleton(text.as_bytes(), "some.gltf", &NoSidecars).unwrap()
}

fn refusal(rig: &LoadedSkeleton) -> String {
    try_on("cmu_names.bvh", rig, None).unwrap_err()
}

/// A body of the least bones; `hips` and `thigh` are more members of these nodes.
fn least(hips: &str, thigh: &str) -> String {
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
fn the_least_body_will_do_and_what_it_lacks_is_named() {
    let clip = on("cmu_names.bvh", &rig_of_text(&least("", "")));
    let text = messages(&clip);
    assert!(
        text.contains(
            "warning: some.gltf: 7 bones mapped; required bones not mapped: spine, head,"
        ),
        "{text}"
    );
}

#[test]
fn no_bones_and_another_topology_are_refused_with_what_was_looked_for() {
    let none = refusal(&rig_of_text(r#"[{"name": "box"}]"#));
    assert!(none.contains("hips, leftUpperLeg, leftLowerLeg, leftFoot"), "{none}");
    assert!(none.contains("some.gltf has none of them; not retargeted"), "{none}");
    let dog = r#"[{"name": "Pelvis", "children": [1, 2, 3]}, {"name": "Tail1"}, {"name": "HindLeg_L"}, {"name": "HindLeg_R"}]"#;
    let dog = refusal(&rig_of_text(dog));
    assert!(dog.contains("some.gltf has none of them"), "{dog}");
    let no_feet = least("", "").replace("RightFoot", "Paw");
    let no_feet = refusal(&rig_of_text(&no_feet));
    assert!(no_feet.contains("some.gltf lacks rightFoot; not retargeted"), "{no_feet}");
}

#[test]
fn two_bodies_are_named() {
    let one = least("", "");
    let other = one
        .replace("\"Hips\"", "\"rig2:Hips\"")
        .replace("[1, 4]", "[8, 11]")
        .replace("[2]", "[9]")
        .replace("[3]", "[10]")
        .replace("[5]", "[12]")
        .replace("[6]", "[13]");
    let both = format!("{},{}", one.strip_suffix(']').unwrap(), other.strip_prefix('[').unwrap());
    let error = refusal(&rig_of_text(&both));
    assert!(error.contains("found several hips with legs: \"Hips\" and \"rig2:Hips\""), "{error}");
}

#[test]
fn mirrored_and_flat_bones_are_refused_by_name() {
    let error = refusal(&rig_of_text(&least("", r#", "scale": [-1, 1, 1]"#)));
    assert!(
        error.contains("mirrored or flattened by scales that are not positive: \"LeftUpLeg\", \"LeftLeg\", \"LeftFoot\""),
        "{error}"
    );
    let error = refusal(&rig_of_text(&least(r#", "scale": [1, 0, 1]"#, "")));
    assert!(error.contains("\"Hips\""), "{error}");
}

#[test]
fn uneven_scales_are_told_and_even_ones_are_followed() {
    let uneven = on("cmu_names.bvh", &rig_of_text(&least("", r#", "scale": [1, 2, 1]"#)));
    assert!(
        messages(&uneven).contains("warning: character: bones whose scale differs between axes")
    );
    let even = on("cmu_names.bvh", &rig_of_text(&least(r#", "scale": [2, 2, 2]"#, "")));
    assert!(!messages(&even).contains("other scales"));
}

#[test]
fn cycles_are_cut_and_told() {
    let cycle = least("", "")
        .replace(r#"{"name": "RightFoot""#, r#"{"name": "RightFoot", "children": [0]"#);
    let result = try_on("cmu_names.bvh", &rig_of_text(&cycle), None);
    let text = match result {
        Ok(clip) => messages(&clip),
        Err(error) => error,
    };
    assert!(text.contains("lead back to it") || text.contains("lacks"), "{text}");
}

#[test]
fn a_flat_body_has_no_height() {
    let flat = least("", "").replace("-0.45", "0").replace("[0, 1, 0]", "[0, 0, 0]");
    let error = refusal(&rig_of_text(&flat));
    assert!(error.contains("heights cannot be compared; not retargeted"), "{error}");
}

#[test]
fn a_motion_without_a_body_is_refused() {
    let (bytes, rig) = (std::fs::read(path("gltf/samplers.glb")).unwrap(), rig("boxes.vrm"));
    let skeleton = SkeletonChoice::Retargeted(&rig, None);
    let request = LoadRequest { skeleton, ..LoadRequest::new("samplers.glb", &bytes) };
    let error = load(&request).unwrap_err().error.to_string();
    assert!(error.contains("the motion has none of them"), "{error}");
}
