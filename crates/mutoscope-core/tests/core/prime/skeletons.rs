//! Tests valid and broken CINF skeletons, and animations that do not fit their skeleton.

use glam::DVec3;
use mutoscope_core::{
    clip::{NodeKind, Side},
    diagnostics::{Diagnostics, Severity},
    formats::prime::{Game, Tree, decode_skeleton},
};

use crate::prime::{clip, decode_on_rig, find_diagnostic, node};
use mutoscope_testing::{fixtures, prime::encode_skeleton};

#[test]
fn bones_have_names_parents_and_offsets() {
    for (file, game, root, root_parent) in
        [("rig_mp1.CINF", Game::Prime, 3, 2), ("rig_mp2.CINF", Game::Echoes, 0, 97)]
    {
        let mut diagnostics = Diagnostics::new();
        let skeleton = decode_skeleton(&fixtures::prime_file(file), &mut diagnostics).unwrap();
        assert_eq!(
            (skeleton.game, diagnostics.worst_severity()),
            (game, Some(Severity::Info)),
            "{file}"
        );
        assert_eq!(skeleton.bones.len(), 20);
        let bone = &skeleton.bones[skeleton.index_of(root).unwrap()];
        assert_eq!((bone.parent, bone.name.as_deref()), (root_parent, Some("Root")));
        let tree = Tree::new(&skeleton, &mut diagnostics);
        let knee = skeleton.index_of(root + 3).unwrap();
        let hip = skeleton.index_of(root + 2).unwrap();
        assert_eq!(tree.parents[knee], Some(hip));
        let expected = DVec3::new(0.0, 0.02, -0.43);
        assert!(tree.offsets[knee].abs_diff_eq(expected, 1e-6), "{}", tree.offsets[knee]);
    }
}

#[test]
fn locators_and_sides_follow_from_names() {
    let clip = crate::prime::decode_fixture_on_rig("walk_mp2_v2.ANIM");
    let kind = |name| clip.nodes[node(&clip, name)].kind;
    assert_eq!((kind("GunBarrel_LCTR"), kind("R_elbow")), (NodeKind::Locator, NodeKind::Joint));
    let side = |name| clip.nodes[node(&clip, name)].side;
    assert_eq!(["L_toe", "R_toe", "Neck"].map(side), [Some(Side::Left), Some(Side::Right), None]);
}

/// The root lies on the ground, so no bone leads from it to the body, unless the root has several
/// children.
#[test]
fn bones_connect_parent_and_child_except_at_the_ground_root() {
    let clip = crate::prime::decode_fixture_on_rig("walk_mp1_v2.ANIM");
    let body = node(&clip, "Skeleton_Root");
    for (id, node) in clip.nodes.with_ids() {
        let expected = if id == body { None } else { node.parent };
        assert_eq!(node.bone_from, expected, "{}", node.name);
    }
    let bones = [(3, 2, [0.0; 3], "Root"), (4, 3, [1.0, 0.0, 0.0], "A"), (5, 3, [0.0; 3], "B")];
    let rig = encode_skeleton(Game::Prime, &bones);
    let clip = decode_on_rig(&fixtures::prime_file("walk_mp1_v2.ANIM"), &rig);
    assert_eq!(clip.nodes[node(&clip, "A")].bone_from, Some(node(&clip, "Root")));
}

#[test]
fn unnamed_bones_use_their_id_and_bones_without_a_skeleton_are_hidden() {
    let bones = [(3, 2, [0.0; 3], "Root"), (4, 3, [0.0, 0.0, 1.0], "")];
    let rig = encode_skeleton(Game::Prime, &bones);
    let bytes = fixtures::prime_file("walk_mp1_v2.ANIM");
    let clip = decode_on_rig(&bytes, &rig);
    assert_eq!(clip.nodes.len(), 20);
    assert_eq!(clip.nodes[mutoscope_core::clip::NodeId::new(1)].name, "bone_4");
    let pose = crate::prime::pose(&clip, 0.5);
    let shown: Vec<_> = pose.nodes.iter().map(|node| node.is_visible).collect();
    assert_eq!(shown, [vec![true; 2], vec![false; 18]].concat());
    let mismatch = find_diagnostic(&clip.diagnostics, "prime/bones-missing").unwrap();
    assert!(mismatch.message.starts_with("2 of 20 bones of this clip exist in the skeleton"));
    assert_eq!(mismatch.severity, Severity::Warning);
    assert_eq!(mismatch.data, [("found", 2.into()), ("expected", 20.into())]);
}

#[test]
fn all_bones_are_hidden_without_a_skeleton() {
    let clip = clip(&fixtures::prime_file("walk_mp1_v2.ANIM"));
    assert_eq!(clip.nodes.len(), 20);
    assert!(clip.nodes.iter().all(|node| node.name.starts_with("bone_") && node.parent.is_none()));
    assert!(crate::prime::pose(&clip, 0.5).nodes.iter().all(|node| !node.is_visible));
    assert!(
        clip.needs_skeleton()
            && !crate::prime::decode_fixture_on_rig("walk_mp1_v2.ANIM").needs_skeleton()
    );
}

#[test]
fn parent_cycles_are_cut_and_orphans_become_roots() {
    // Bones 1 and 2 are parents of each other, 4 is a child of 1, 5 is its own parent, and the
    // parent of 6 is missing.
    let origin = |x: f32| [x, 0.0, 0.0];
    let bones = [
        (1, 2, origin(1.0), "a"),
        (2, 1, origin(2.0), "b"),
        (4, 1, origin(4.0), "c"),
        (5, 5, origin(5.0), "d"),
        (6, 77, origin(6.0), "e"),
    ];
    let mut diagnostics = Diagnostics::new();
    let skeleton =
        decode_skeleton(&encode_skeleton(Game::Prime, &bones), &mut diagnostics).unwrap();
    let tree = Tree::new(&skeleton, &mut diagnostics);
    assert_eq!(tree.parents, [None, Some(0), Some(0), None, None]);
    let x: Vec<_> = tree.offsets.iter().map(|offset| offset.x).collect();
    assert_eq!(x, [1.0, 1.0, 3.0, 5.0, 6.0]);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|one| (one.code.as_str(), one.value("bone"))).collect();
    let cycle = "prime/bone-cycle";
    assert_eq!(errors, [(cycle, Some(&1.into())), (cycle, Some(&5.into()))]);
    let roots = find_diagnostic(&diagnostics, "prime/several-roots").unwrap();
    assert!(roots.message.ends_with("1, 5, 6"), "{}", roots.message);
}

#[test]
fn truncated_skeletons_are_rejected() {
    for file in ["rig_mp1.CINF", "rig_mp2.CINF"] {
        let bytes = fixtures::prime_file(file);
        let end = bytes.iter().rposition(|&byte| byte != 0xff).unwrap() + 1;
        for length in 0..end {
            let error = decode_skeleton(&bytes[..length], &mut Diagnostics::new()).unwrap_err();
            let first_byte = error.location().first_byte().unwrap();
            assert!(first_byte <= length as u64, "{file} cut at {length}: {error}");
        }
    }
}

#[test]
fn skeleton_of_the_other_game_is_reported() {
    let (bytes, rig) = ("walk_mp2_v2.ANIM", "rig_mp1.CINF");
    let clip = decode_on_rig(&fixtures::prime_file(bytes), &fixtures::prime_file(rig));
    let mismatch = find_diagnostic(&clip.diagnostics, "prime/skeleton-of-other-game").unwrap();
    assert_eq!(mismatch.severity, Severity::Warning);
}

#[test]
fn skeleton_is_limited_to_256_bones() {
    let chain = |count: u32| -> Vec<_> {
        (0..count).map(|id| (id, id.wrapping_sub(1), [0.0, 1.0, 0.0], "bone")).collect()
    };
    for game in [Game::Prime, Game::Echoes] {
        let read =
            |count| decode_skeleton(&encode_skeleton(game, &chain(count)), &mut Diagnostics::new());
        assert_eq!(read(256).unwrap().bones.len(), 256);
        let error = read(257).unwrap_err();
        assert!(error.message().contains("from 1 to 256 bones, found 257"), "{error}");
    }
}
