//! Reads files that declare no axes and no unit, and files whose keys move many nodes.

use std::{fmt::Write, num::NonZero};

use mutoscope_core::clip::{
    Assumption, Assumptions, Clip, FactOrigin, FormatAssumptions, MorphWeights, Pose, UpAxis,
};
use mutoscope_core::{ReadOptions, decode, io::parallel::set_thread_count};

/// FBX 5.8: a triangle that moves by 1 m in 2 s, with a shape that gets a weight of 0.5.
const FBX_5: &[u8] =
    include_bytes!("../../../mutoscope-cli/tests/cases/fbx-5-shape/fbx-5-shape.fbx");

fn options() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_fbx::formats())
}

/// Returns the highest vertex at the end of the clip.
fn posed_tip(clip: &Clip) -> [f64; 3] {
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("expected one piece") };
    let (mut pose, mut weights) = (Pose::default(), Vec::new());
    clip.sample(clip.span.end(), &mut pose);
    MorphWeights::new(clip, piece).fill_from_pose(&pose, &mut weights);
    let (mut matrices, mut positions) = (Vec::new(), Vec::new());
    clip.nodes.fill_world_matrices(&pose, &mut matrices);
    piece.with_baked_morphs(&weights).fill_posed_positions(&matrices, &mut positions);
    positions[2].to_array()
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    let is_near = found.iter().zip(expected).all(|(found, part)| (found - part).abs() < 1e-6);
    assert!(is_near, "{found:?}, expected {expected:?}");
}

#[test]
fn undeclared_axes_and_unit_are_assumed() {
    let clip = decode(FBX_5, &options()).unwrap();
    let assumed = clip.convention.fact_names(FactOrigin::Assumed);
    assert_eq!(assumed, ["handedness", "up", "metres_per_unit"]);
    // The tip is at 100, 2 + 4/2, 0 cm.
    assert_near(posed_tip(&clip), [1.0, 0.04, 0.0]);
}

#[test]
fn motion_and_mesh_follow_the_assumptions() {
    let mut chosen = Assumptions::default();
    chosen.assume(Assumption::MetresPerUnit(0.1));
    chosen.assume(Assumption::Up(UpAxis::Z));
    let assumptions = FormatAssumptions::for_all_formats(chosen);
    let clip = decode(FBX_5, &ReadOptions { assumptions, ..options() }).unwrap();
    assert_near(posed_tip(&clip), [10.0, 0.0, -0.4]);
}

/// The keys of the parent's scale move each child. The work must stay within a multiple of the
/// keys in the file, and must not depend on the number of threads.
#[test]
fn keys_that_move_many_nodes_are_limited() {
    const KEYS: u64 = 500;
    const CHILDREN: u64 = 3000;
    let list = |value: &dyn Fn(u64) -> u64| {
        (0..KEYS).map(|key| value(key).to_string()).collect::<Vec<_>>().join(",")
    };
    let mut text =
        String::from("; FBX 7.4.0 project file\nFBXHeaderExtension: {\n\tFBXVersion: 7400\n}\n");
    text.push_str("Objects: {\nModel: 1, \"Model::Root\", \"LimbNode\" {\n}\n");
    let mut connections = String::from("C: \"OO\",1,0\n");
    for child in 2..2 + CHILDREN {
        write!(
            text,
            "Model: {child}, \"Model::C{child}\", \"LimbNode\" {{\nProperties70: {{\n\
             P: \"InheritType\", \"enum\", \"\", \"\",2\n}}\n}}\n"
        )
        .unwrap();
        writeln!(connections, "C: \"OO\",{child},1").unwrap();
    }
    write!(
        text,
        "AnimationStack: 9000, \"AnimStack::Take\", \"\" {{\n}}\n\
         AnimationLayer: 9001, \"AnimLayer::Base\", \"\" {{\n}}\n\
         AnimationCurveNode: 9002, \"AnimCurveNode::S\", \"\" {{\n}}\n\
         AnimationCurve: 9003, \"AnimCurve::\", \"\" {{\nKeyTime: *{KEYS} {{\na: {}\n}}\n\
         KeyValueFloat: *{KEYS} {{\na: {}\n}}\nKeyAttrFlags: *1 {{\na: 4\n}}\n\
         KeyAttrDataFloat: *4 {{\na: 0,0,0,0\n}}\nKeyAttrRefCount: *1 {{\na: {KEYS}\n}}\n}}\n",
        list(&|key| key * 46_186_158_000 / 10),
        list(&|key| 1 + key % 2),
    )
    .unwrap();
    connections.push_str(
        "C: \"OO\",9001,9000\nC: \"OO\",9002,9001\nC: \"OP\",9002,1, \"Lcl Scaling\"\n\
         C: \"OP\",9003,9002, \"d|X\"\n",
    );
    write!(text, "}}\nConnections: {{\n{connections}}}\n").unwrap();
    let clips = [1, 2, 7].map(|threads| {
        set_thread_count(NonZero::new(threads).unwrap());
        decode(text.as_bytes(), &options()).unwrap()
    });
    let key_times = |clip: &Clip| -> Vec<Vec<f64>> {
        clip.tracks.iter().map(|track| track.curve.key_times().to_vec()).collect()
    };
    for clip in &clips {
        let mut codes = clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str());
        assert!(codes.any(|code| code == "fbx/motion-skipped"), "{:?}", clip.diagnostics);
        assert!(key_times(clip) == key_times(&clips[0]), "the key times differ");
    }
}
