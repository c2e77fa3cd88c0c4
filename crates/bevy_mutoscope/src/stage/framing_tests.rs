//! Checks how much of the viewport the motion fills. The tests project positions with the camera
//! that frames them.

use bevy::{math::DVec3, prelude::*};

use super::{
    CameraRequest, StageCamera,
    tests::{app_with, seek},
};
use crate::Recording;
use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Nodes},
    diagnostics::Diagnostics,
    formats::{ReadOptions, SourceFile, decode},
};

/// A recording of each kind. The file names determine the formats.
const RECORDINGS: [(&str, &[u8]); 6] = [
    ("two-hands.bin", include_bytes!("../../../../assets/mrtk/two-hands.bin")),
    ("two-hands-damaged.bin", include_bytes!("../../../../assets/mrtk/two-hands-damaged.bin")),
    ("walk-with-hat.anim", include_bytes!("../../../../assets/maya/walk-with-hat.anim")),
    ("walk.bvh", include_bytes!("../../../../assets/bvh/walk.bvh")),
    ("walker.glb", include_bytes!("../../../../assets/gltf/walker.glb")),
    ("lantern-show.animj", include_bytes!("../../../../assets/animj/lantern-show.animj")),
];

/// The tangent of half of the camera's vertical field of view.
const HALF_HEIGHT: f32 = 0.364;
const ASPECT: f32 = 16.0 / 9.0;

/// The fraction of the viewport that the positions fill on the limiting axis, and the distance of
/// their centre from the centre of the viewport, from 0 to 1.
#[derive(Debug)]
struct ViewFill {
    fraction: f32,
    off_centre: f32,
}

/// Projects the drawn positions of the nodes that `includes` selects, at `times`.
fn measure_view_fill(
    app: &mut App,
    times: &[f64],
    includes: impl Fn(&Clip, NodeId) -> bool,
) -> ViewFill {
    let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for &time in times {
        seek(app, time);
        app.update();
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<&Transform, With<StageCamera>>();
        let camera = *cameras.single(world).unwrap();
        let mut recordings = world.query::<(&Recording, &super::subject::Staged)>();
        let (recording, staged) = recordings.single(world).unwrap();
        for (id, _) in
            recording.clip().nodes.with_ids().filter(|(id, _)| includes(recording.clip(), *id))
        {
            let node = &recording.pose()[id];
            if node.is_visible && node.world.is_finite() {
                let position = staged.to_world(node.world.translation);
                let in_camera_space = camera.rotation.inverse() * (position - camera.translation);
                let position = Vec2::new(in_camera_space.x / ASPECT, in_camera_space.y)
                    / (-in_camera_space.z * HALF_HEIGHT);
                (min, max) = (min.min(position), max.max(position));
            }
        }
    }
    ViewFill {
        fraction: ((max - min) / 2.0).max_element(),
        off_centre: ((max + min) / 2.0).abs().max_element(),
    }
}

fn is_joint(clip: &Clip, id: NodeId) -> bool {
    matches!(clip.nodes[id].kind, NodeKind::Joint | NodeKind::Tip)
}

fn is_joint_or_head(clip: &Clip, id: NodeId) -> bool {
    is_joint(clip, id) || clip.nodes[id].kind == NodeKind::Head
}

fn times(clip: &Clip) -> Vec<f64> {
    (0..24).map(|index| clip.span.start + clip.span.duration * f64::from(index) / 23.0).collect()
}

#[test]
fn first_view_is_two_thirds_full_and_centred() {
    for (name, bytes) in RECORDINGS {
        let clip = decode(
            SourceFile::new(name, bytes),
            &ReadOptions::from(&crate::loader::default_registry()),
        )
        .unwrap();
        let times = times(&clip);
        let mut app = app_with(clip, times[0]);
        let ViewFill { fraction, off_centre } =
            measure_view_fill(&mut app, &times, is_joint_or_head);
        assert!((0.55..0.8).contains(&fraction), "{}: {fraction}", name);
        // The offset is not zero, because a head extends farther above its eyes than below.
        assert!(off_centre < 0.2, "{}: {off_centre}", name);
    }
}

#[test]
fn single_moment_fills_two_thirds_of_the_view() {
    let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
    let clip = decode(bytes, &ReadOptions::from(&crate::loader::default_registry())).unwrap();
    let mut app = app_with(clip, 1.0);
    for time in [0.8, 2.5] {
        seek(&mut app, time);
        app.world_mut().write_message(CameraRequest::FrameTimes { from: time, to: time });
        app.update();
        let ViewFill { fraction, off_centre } = measure_view_fill(&mut app, &[time], is_joint);
        assert!(
            (0.55..0.8).contains(&fraction) && off_centre < 0.15,
            "{time}: {fraction} {off_centre}"
        );
    }
}

/// Creates a BVH figure that waves, and stands 12 m away for a fifth of the time, as if parked
/// there.
fn parked_figure() -> Clip {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    let turns = "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let mut text = format!("HIERARCHY\nROOT hips\n{{ OFFSET 0 0 0\n{channels}");
    text +=
        &format!("JOINT arm\n{{ OFFSET 0 40 0\n{turns}End Site\n{{ OFFSET 40 0 0\n}}\n}}\n}}\n");
    text += "MOTION\nFrames: 100\nFrame Time: 0.02\n";
    for frame in 0..100 {
        let turn = 60.0 * (f64::from(frame) * 0.3).sin();
        let position = if (40..60).contains(&frame) {
            "1200 0 0 0 0 0 0 0 0".to_owned()
        } else {
            format!("0 90 0 0 0 0 {turn} 0 0")
        };
        text += &format!("{position}\n");
    }
    decode(
        SourceFile::new("parked_figure.bvh", text.as_bytes()),
        &ReadOptions::from(&crate::loader::default_registry()),
    )
    .unwrap()
}

#[test]
fn parked_positions_are_not_framed() {
    let clip = parked_figure();
    let times: Vec<f64> = (0..30).map(|frame| f64::from(frame) * 0.02).collect();
    let mut app = app_with(clip, 0.0);
    let ViewFill { fraction, off_centre } = measure_view_fill(&mut app, &times, is_joint);
    assert!((0.5..0.8).contains(&fraction) && off_centre < 0.15, "{fraction} {off_centre}");
}

/// Creates a recording of nodes with these names, kinds and positions. They hardly move: `sway` is
/// the amplitude in metres.
fn still_nodes(nodes: &[(&str, NodeKind, DVec3)], sway: f64) -> Clip {
    let header: Vec<_> =
        nodes.iter().map(|(name, ..)| format!("{name}_x,{name}_y,{name}_z")).collect();
    let mut table = format!("time,{}\n", header.join(","));
    for frame in 0..60 {
        let shift = sway * (f64::from(frame) * 0.4).sin();
        table += &format!("{}", f64::from(frame) / 30.0);
        for (_, _, position) in nodes {
            table += &format!(",{},{},{}", position.x + shift, position.y, position.z - shift);
        }
        table += "\n";
    }
    let mut clip = decode(
        SourceFile::new("still.csv", table.as_bytes()),
        &ReadOptions::default().with_formats(mutoscope_logs::formats()),
    )
    .unwrap();
    let mut all = clip.nodes.to_vec();
    assert_eq!(all.len(), nodes.len());
    for (node, (_, kind, _)) in all.iter_mut().zip(nodes) {
        node.kind = *kind;
    }
    clip.nodes = Nodes::new(all, &mut Diagnostics::new());
    clip
}

/// Returns the distance from a node's position to its drawn surface, in metres. This is a head with
/// its neck, the axes of a node without bones, or a joint.
fn drawn_radius(staged: &super::subject::Staged, clip: &Clip, id: NodeId) -> f32 {
    match clip.nodes[id].kind {
        NodeKind::Head => 0.27,
        _ if clip.has_only_rigid_bodies() => 0.04 * staged.bounds.scale as f32,
        _ => staged.bounds.proportions.joint_radius(id),
    }
}

#[test]
fn first_view_is_outside_of_nodes_that_hardly_move() {
    use NodeKind::{Head, Joint};
    let (eyes, hand) = (DVec3::new(0.1, 1.6, -0.3), DVec3::new(0.3, 1.1, -0.6));
    let cases: [&[(&str, NodeKind, DVec3)]; 4] = [
        &[("head", Head, eyes)],
        &[("probe", Joint, eyes)],
        &[("head", Head, eyes), ("hand", Joint, hand)],
        &[("a", Joint, eyes), ("b", Joint, eyes + DVec3::splat(1e-4))],
    ];
    for (nodes, sway) in
        cases.iter().flat_map(|nodes| [0.0, 1e-6, 1e-3, 0.02].map(|sway| (nodes, sway)))
    {
        let clip = still_nodes(nodes, sway);
        let mut app = app_with(clip, 0.5);
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<&Transform, With<StageCamera>>();
        let camera = *cameras.single(world).unwrap();
        let mut recordings = world.query::<(&Recording, &super::subject::Staged)>();
        let (recording, staged) = recordings.single(world).unwrap();
        for (id, node) in recording.clip().nodes.with_ids() {
            let position = staged.to_world(recording.pose()[id].world.translation);
            let (distance, radius) =
                (camera.translation.distance(position), drawn_radius(staged, recording.clip(), id));
            assert!(distance > radius, "{} of {nodes:?}, {sway}: {distance} {radius}", node.name);
            let in_camera_space = camera.rotation.inverse() * (position - camera.translation);
            let position = Vec2::new(in_camera_space.x / ASPECT, in_camera_space.y)
                / (-in_camera_space.z * HALF_HEIGHT);
            assert!(
                in_camera_space.z < 0.0 && position.abs().max_element() < 1.0,
                "{}: {position}",
                node.name
            );
        }
    }
}
