//! Tests that nodes are read as the glTF file stores them.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::NodeKind,
    diagnostics::{ErrorKind, SourceLocation},
    io::bytes::NoSidecars,
};

use crate::rig::{arm, rig_from_nodes};

#[test]
fn skin_joints_have_kinds_parents_and_rest_poses() {
    let arm = arm();
    let listed: Vec<_> =
        arm.nodes.iter().map(|node| (node.name.as_str(), node.parent, node.kind)).collect();
    let expected = [
        ("Hand", Some(1), NodeKind::Joint),
        ("Lower", Some(2), NodeKind::Joint),
        ("Upper", Some(4), NodeKind::Joint),
        ("Body", Some(4), NodeKind::Shape),
        ("Arm", None, NodeKind::Helper),
        ("Box", None, NodeKind::Shape),
    ];
    assert_eq!(listed, expected);
    // The numbers are those that Blender wrote.
    let lower = &arm.nodes[1].rest;
    let position = DVec3::new(0.0, 0.509_901_940_822_601_3, 7.450_580_596_923_828e-9);
    assert!(lower.translation.abs_diff_eq(position, 1e-12));
    let rotation = DQuat::from_xyzw(0.0, 0.149_438_127_875_328_06, 0.0, 0.988_771_080_970_764_2);
    assert!(lower.rotation.abs_diff_eq(rotation, 1e-7));
    assert!(arm.diagnostics.is_empty());
}

#[test]
fn matrix_equals_its_components() {
    // The matrix scales by 2, 3, 4, rotates by 90° about Z, and translates by 5, 6, 7. It is stored
    // column by column.
    let rig = rig_from_nodes(r#"[{"name": "a", "matrix": [0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}]"#);
    let rest = &rig.nodes[0].rest;
    assert!(rest.translation.abs_diff_eq(DVec3::new(5.0, 6.0, 7.0), 1e-12));
    assert!(rest.scale.abs_diff_eq(DVec3::new(2.0, 3.0, 4.0), 1e-12));
    assert!((rest.rotation * DVec3::X).abs_diff_eq(DVec3::Y, 1e-12));
}

#[test]
fn without_skins_all_nodes_except_cameras_are_joints() {
    let rig = rig_from_nodes(r#"[{"name": "a", "mesh": 0}, {"camera": 0}]"#);
    assert_eq!(rig.nodes[0].kind, NodeKind::Joint);
    assert_eq!((rig.nodes[1].kind, rig.nodes[1].name.as_str()), (NodeKind::Helper, "node 1"));
}

#[test]
fn contradictions_are_repaired_and_reported() {
    let cases = [
        (r#"[{"children": [1]}, {"children": [5]}]"#, "gltf/missing-reference"),
        (r#"[{"children": [2]}, {"children": [2]}, {}]"#, "gltf/invalid-tree"),
        (r#"[{"rotation": [0, 0, 0, 0]}]"#, "gltf/invalid-transform"),
        (r#"[{}], "skins": [{"joints": [0, 7]}]"#, "gltf/missing-reference"),
    ];
    for (nodes, code) in cases {
        let rig = rig_from_nodes(nodes);
        let found: Vec<_> = rig.diagnostics.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(found, [code], "{nodes}: {:?}", rig.diagnostics);
        assert!(rig.nodes.iter().all(|node| node.rest.is_finite()), "{nodes}");
    }
}

#[test]
fn non_gltf_files_are_rejected_with_a_location() {
    let cases: [(&[u8], ErrorKind, SourceLocation, &str); 8] = [
        (b"", ErrorKind::Malformed, SourceLocation::column(1, 0), "EOF"),
        (b"glTF\x02\0\0", ErrorKind::Truncated, SourceLocation::byte(4), "version"),
        (b"glTF\x01\0\0\0", ErrorKind::Unsupported, SourceLocation::byte(4), "found 1"),
        (
            b"glTF\x02\0\0\0\0\0\0\0\x04\0\0\0BIN\0abcd",
            ErrorKind::Malformed,
            SourceLocation::byte(16),
            "BIN",
        ),
        (
            b"glTF\x02\0\0\0\0\0\0\0\x08\0\0\0JSON{}",
            ErrorKind::Truncated,
            SourceLocation::byte(20),
            "JSON",
        ),
        (b"{\n\"asset\": 3}", ErrorKind::Malformed, SourceLocation::column(2, 10), "invalid type"),
        (
            br#"{"asset": {"version": "1.0"}, "nodes": {}}"#,
            ErrorKind::Unsupported,
            SourceLocation::File,
            "1.0",
        ),
        (
            br#"{"asset": {"version": "2.0"}}"#,
            ErrorKind::Unsupported,
            SourceLocation::File,
            "found none",
        ),
    ];
    for (bytes, kind, location, text) in cases {
        let error = mutoscope_core::Registry::default()
            .decode_skeleton(bytes, "x", &NoSidecars)
            .unwrap_err();
        let case = bytes.escape_ascii();
        assert_eq!((error.kind(), error.location()), (kind, &location), "{case}: {error}");
        assert!(error.message().contains(text), "{case}: {error}");
    }
}
