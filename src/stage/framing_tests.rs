//! How much of the viewport what moves fills, by numbers: places are projected with the camera that the
//! stage frames them with.

use bevy::{math::DVec3, prelude::*};

use super::{
    CameraRequest, StageCamera,
    tests::{app_with, seek},
};
use crate::recording::Recording;
use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Nodes},
    diagnostics::Notices,
    formats::{self, DecodeRequest},
};

/// Recordings of each kind, with names that tell their format.
const RECORDINGS: [(&str, &[u8]); 6] = [
    ("two-hands.bin", include_bytes!("../../assets/mrtk/two-hands.bin")),
    ("two-hands-damaged.bin", include_bytes!("../../assets/mrtk/two-hands-damaged.bin")),
    ("walk-with-hat.anim", include_bytes!("../../assets/maya/walk-with-hat.anim")),
    ("walk.bvh", include_bytes!("../../assets/bvh/walk.bvh")),
    ("walker.glb", include_bytes!("../../assets/gltf/walker.glb")),
    ("lantern-show.animj", include_bytes!("../../assets/animj/lantern-show.animj")),
];

/// The tangent of half of the camera's vertical field of view, and the viewport's aspect ratio.
const HALF_HEIGHT: f32 = 0.364;
const ASPECT: f32 = 16.0 / 9.0;

/// The part of the viewport that places fill on its limiting side, and how far from its middle they
/// are, from 0 to 1.
#[derive(Debug)]
struct Filled {
    part: f32,
    aside: f32,
}

/// Projects the nodes that `counts` says at `times`, as they are drawn then.
fn filled(app: &mut App, times: &[f64], counts: impl Fn(&Clip, NodeId) -> bool) -> Filled {
    let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for &time in times {
        seek(app, time);
        app.update();
        let world = app.world_mut();
        let mut cameras = world.query_filtered::<&Transform, With<StageCamera>>();
        let camera = *cameras.single(world).unwrap();
        let mut recordings = world.query::<(&Recording, &super::subject::Staged)>();
        let (recording, staged) = recordings.single(world).unwrap();
        for (id, _) in
            recording.clip().nodes.with_ids().filter(|(id, _)| counts(recording.clip(), *id))
        {
            let node = &recording.pose().nodes[id.index()];
            if node.shown && node.world.is_finite() {
                let place = staged.point(node.world.translation);
                let seen = camera.rotation.inverse() * (place - camera.translation);
                let place = Vec2::new(seen.x / ASPECT, seen.y) / (-seen.z * HALF_HEIGHT);
                (least, most) = (least.min(place), most.max(place));
            }
        }
    }
    Filled {
        part: ((most - least) / 2.0).max_element(),
        aside: ((most + least) / 2.0).abs().max_element(),
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
fn what_moves_fills_two_thirds_of_the_first_view_and_is_in_its_middle() {
    for (name, bytes) in RECORDINGS {
        let clip = formats::decode(bytes, &DecodeRequest::default().named(name)).unwrap();
        let times = times(&clip);
        let mut app = app_with(clip, times[0]);
        let Filled { part, aside } = filled(&mut app, &times, is_joint_or_head);
        assert!((0.55..0.8).contains(&part), "{}: {part}", name);
        // A head reaches farther up from its eyes than down.
        assert!(aside < 0.2, "{}: {aside}", name);
    }
}

#[test]
fn one_moment_fills_two_thirds_of_its_image() {
    let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
    let clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
    let mut app = app_with(clip, 1.0);
    for time in [0.8, 2.5] {
        seek(&mut app, time);
        app.world_mut().write_message(CameraRequest::FrameTimes { from: time, to: time });
        app.update();
        let Filled { part, aside } = filled(&mut app, &[time], is_joint);
        assert!((0.55..0.8).contains(&part) && aside < 0.15, "{time}: {part} {aside}");
    }
}

/// A figure in BVH that waves, and stands 12 m away for a fifth of the time, as if parked there.
fn parked() -> Clip {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    let turns = "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let mut text = format!("HIERARCHY\nROOT hips\n{{ OFFSET 0 0 0\n{channels}");
    text +=
        &format!("JOINT arm\n{{ OFFSET 0 40 0\n{turns}End Site\n{{ OFFSET 40 0 0\n}}\n}}\n}}\n");
    text += "MOTION\nFrames: 100\nFrame Time: 0.02\n";
    for frame in 0..100 {
        let turn = 60.0 * (f64::from(frame) * 0.3).sin();
        let place = if (40..60).contains(&frame) {
            "1200 0 0 0 0 0 0 0 0".to_owned()
        } else {
            format!("0 90 0 0 0 0 {turn} 0 0")
        };
        text += &format!("{place}\n");
    }
    formats::decode(text.as_bytes(), &DecodeRequest::default().named("parked.bvh")).unwrap()
}

#[test]
fn parked_places_do_not_count() {
    let clip = parked();
    let times: Vec<f64> = (0..30).map(|frame| f64::from(frame) * 0.02).collect();
    let mut app = app_with(clip, 0.0);
    let Filled { part, aside } = filled(&mut app, &times, is_joint);
    assert!((0.5..0.8).contains(&part) && aside < 0.15, "{part} {aside}");
}

/// A recording of these nodes, each called as it is, that hardly move from where they are.
fn still_nodes(nodes: &[(&str, NodeKind, DVec3)], sway: f64) -> Clip {
    let header: Vec<_> =
        nodes.iter().map(|(name, ..)| format!("{name}_x,{name}_y,{name}_z")).collect();
    let mut table = format!("time,{}\n", header.join(","));
    for frame in 0..60 {
        let way = sway * (f64::from(frame) * 0.4).sin();
        table += &format!("{}", f64::from(frame) / 30.0);
        for (_, _, at) in nodes {
            table += &format!(",{},{},{}", at.x + way, at.y, at.z - way);
        }
        table += "\n";
    }
    let mut clip =
        formats::decode(table.as_bytes(), &DecodeRequest::default().named("still.csv")).unwrap();
    let mut all = clip.nodes.to_vec();
    assert_eq!(all.len(), nodes.len());
    for (node, (_, kind, _)) in all.iter_mut().zip(nodes) {
        node.kind = *kind;
    }
    clip.nodes = Nodes::new(all, &mut Notices::new());
    clip
}

/// How far a node is drawn from its place, in metres: a head with its neck, the axes of a node without bones, a joint.
fn drawn_radius(staged: &super::subject::Staged, clip: &Clip, id: NodeId) -> f32 {
    match clip.nodes[id].kind {
        NodeKind::Head => 0.27,
        _ if clip.is_loose() => 0.04 * staged.bounds.scale as f32,
        _ => staged.bounds.proportions.joint(id),
    }
}

#[test]
fn first_view_is_from_outside_of_what_hardly_moves() {
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
            let place = staged.point(recording.pose().nodes[id.index()].world.translation);
            let (distance, radius) =
                (camera.translation.distance(place), drawn_radius(staged, recording.clip(), id));
            assert!(distance > radius, "{} of {nodes:?}, {sway}: {distance} {radius}", node.name);
            let seen = camera.rotation.inverse() * (place - camera.translation);
            let place = Vec2::new(seen.x / ASPECT, seen.y) / (-seen.z * HALF_HEIGHT);
            assert!(seen.z < 0.0 && place.abs().max_element() < 1.0, "{}: {place}", node.name);
        }
    }
}
