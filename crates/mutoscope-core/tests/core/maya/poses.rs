//! Poses: attributes become translations, rotations and scales, in metres and in Maya's order.

use std::f64::consts::FRAC_PI_2;

use glam::{DAffine3, DMat3, DQuat, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, Value},
    decode,
    formats::FormatId,
};

use mutoscope_testing::property::check_property;

/// Builds a file from lines of `full leaf node row attr value`, in inches and degrees. Each value
/// is held from time 0 on.
fn clip(curves: &str) -> Clip {
    let mut text = "animVersion 1.1;\ntimeUnit sec;\nlinearUnit in;\nangularUnit deg;\n".to_owned();
    for curve in curves.lines() {
        let words: Vec<_> = curve.split_whitespace().collect();
        let [full, leaf, node, row, attr, value] = words[..] else { panic!("{curve}") };
        let output = match full.split('.').next().unwrap() {
            "translate" => "linear",
            "rotate" => "angular",
            _ => "unitless",
        };
        text += &format!(
            "anim {full} {leaf} {node} {row} 0 {attr};\nanimData {{ output {output};\nkeys {{ 0 {value} \
             auto step 1 1 0; }} }}\n"
        );
    }
    decode(text.as_bytes(), &ReadOptions::default().with_format(FormatId::MAYA)).unwrap()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

#[test]
fn positions_are_metres_and_unkeyed_channels_rest() {
    let clip = clip("translate.translateY translateY a 0 0 100");
    let node = pose(&clip, 0.0).nodes[0];
    assert!(node.local.translation.abs_diff_eq(DVec3::new(0.0, 2.54, 0.0), 1e-12));
    assert_eq!((node.local.rotation, node.local.scale), (DQuat::IDENTITY, DVec3::ONE));
    assert!(node.is_visible);
    assert_eq!(clip.convention.metres_per_unit.value, 0.0254);
}

#[test]
fn child_positions_use_the_parents_axes() {
    let clip = clip(
        "rotate.rotateZ rotateZ a 0 0 90\ntranslate.translateX translateX b 1 0 100\n\
         translate.translateX translateX c 2 0 100",
    );
    let pose = pose(&clip, 0.0);
    assert!(pose.nodes[2].world.translation.abs_diff_eq(DVec3::new(0.0, 5.08, 0.0), 1e-12));
}

#[test]
fn rotation_order_is_xyz_unless_keyed() {
    let turns = "rotate.rotateX rotateX a 0 0 90\nrotate.rotateY rotateY a 0 1 90\n";
    let (x, y) = (DQuat::from_rotation_x(FRAC_PI_2), DQuat::from_rotation_y(FRAC_PI_2));
    let rotation = |clip: &Clip| pose(clip, 0.0).nodes[0].local.rotation;
    assert!(rotation(&clip(turns)).angle_between(y * x) < 1e-7);
    let keyed = clip(&format!("{turns}rotateOrder rotateOrder a 0 2 5"));
    assert!(rotation(&keyed).angle_between(x * y) < 1e-7);
    assert_eq!(
        keyed.signals.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
        ["a.rotateOrder"]
    );
}

#[test]
fn invisible_nodes_hide_their_children() {
    let clip = clip(
        "visibility visibility a 0 0 0\ntranslate.translateX translateX b 1 0 1\nvisibility visibility c 0 0 1",
    );
    let shown: Vec<_> = pose(&clip, 0.0).nodes.iter().map(|node| node.is_visible).collect();
    assert_eq!(shown, [false, false, true]);
    assert!(clip.signals.is_empty());
}

#[test]
fn other_attributes_are_signals_by_node_and_name() {
    let clip = clip(
        "translate.translateX translateX a 0 0 1\nfoo.translateX translateX a 0 1 2\nmood mood a 0 2 0.25",
    );
    let names: Vec<_> = clip.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(names, ["a.translateX", "a.mood"]);
    let pose = pose(&clip, 0.0);
    assert_eq!(pose.signals, [Value::Number(2.0), Value::Number(0.25)]);
    assert!((pose.nodes[0].local.translation.x - 0.0254).abs() < 1e-15);
}

#[test]
fn units_of_a_curve_override_the_header() {
    let text = "animVersion 1.1;\ntimeUnit sec;\nlinearUnit m;\nangularUnit deg;\n\
                anim translate.translateX translateX a 0 0 0;\n\
                animData { output linear; outputUnit ft; keys { 0 10 auto auto 1 1 0; } }\n\
                anim rotate.rotateX rotateX a 0 0 1;\n\
                animData { output angular; outputUnit rad; keys { 0 1.5 auto auto 1 1 0; } }\n\
                anim rotate.rotateY rotateY a 0 0 2;\n\
                animData { output unitless; keys { 0 0 auto auto 1 1 0; } }\n";
    let clip = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(
        clip.tracks[0].curve.value(0.0),
        Value::Number(10.0),
        "tracks keep the value of the file"
    );
    let node = pose(&clip, 0.0).nodes[0];
    assert!((node.local.translation.x - 3.048).abs() < 1e-12);
    assert!(node.local.rotation.angle_between(DQuat::from_rotation_x(1.5)) < 1e-7);
}

/// Chains of three nodes with uneven scales, so that shear would show.
#[test]
fn positions_match_matrix_products() {
    check_property(|random| {
        let numbers: Vec<_> = (0..27).map(|_| random.in_range(-3.0, 3.0)).collect();
        let mut lines = Vec::new();
        for (index, number) in numbers.iter().enumerate() {
            let (row, attr) = (index / 9, index % 9);
            let kind = ["translate", "rotate", "scale"][attr / 3];
            let leaf = format!("{kind}{}", ["X", "Y", "Z"][attr % 3]);
            let value = if kind == "rotate" { 60.0 * number } else { *number };
            lines.push(format!("{kind}.{leaf} {leaf} node{row} {row} {attr} {value}"));
        }
        let pose = pose(&clip(&lines.join("\n")), 0.0);
        let mut expected = DAffine3::IDENTITY;
        for (row, node) in pose.nodes.iter().enumerate() {
            let vector = |group: usize| DVec3::from_slice(&numbers[9 * row + 3 * group..]);
            let turn = vector(1) * 60_f64.to_radians();
            let matrix = DMat3::from_rotation_z(turn.z)
                * DMat3::from_rotation_y(turn.y)
                * DMat3::from_rotation_x(turn.x)
                * DMat3::from_diagonal(vector(2));
            expected *= DAffine3::from_mat3_translation(matrix, vector(0) * 0.0254);
            let (found, expected) = (node.world.translation, expected.translation);
            assert!(found.abs_diff_eq(expected, 1e-9), "{numbers:?}: {found} {expected}");
        }
    });
}
