//! Entities of Minecraft as jointed figures in GLB, and what hands hold.

use std::collections::{HashMap, HashSet};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, Pose, Transform},
    formats::{self, DecodeRequest},
};

use crate::export::{exported, fixtures, glb::Back, said};

/// How far a joint may be off, in metres and radians: what is promised, and rounding.
const NEAR: f64 = 1.1e-3;

fn recording(name: &str) -> Clip {
    let bytes = std::fs::read(fixtures::path("mcmocap").join(name)).unwrap();
    formats::decode(&bytes, &DecodeRequest::default()).unwrap()
}

/// The nodes of a file by their names.
fn by_name(gltf: &gltf::Gltf) -> HashMap<String, usize> {
    gltf.nodes().map(|node| (node.name().unwrap().to_owned(), node.index())).collect()
}

/// Every part, at times on and between ticks, but for the moments around a jump: where the recording's
/// own formulas have it, and hidden where these hide it.
#[test]
fn parts_move_as_the_formulas_of_the_format_say() {
    let mut compared = 0;
    for name in ["full_v5.mcmocap_rec", "sink_v5.mcmocap_rec", "full_v3.mcmocap_rec"] {
        let clip = recording(name);
        let (bytes, report) = exported(&clip, "glb");
        assert!(said(&report).contains("their joints are within"), "{}", said(&report));
        let (back, gltf) = (Back::new(&bytes), gltf::Gltf::from_slice(&bytes).unwrap());
        let nodes = by_name(&gltf);
        let likeness = clip.export_model().unwrap();
        let mut pose = Pose::default();
        for figure in &likeness.figures {
            let place = |time: f64| {
                let rest = figure.parts.iter().map(|part| (part.rest, true));
                let mut places: Vec<(Transform, bool)> = rest.collect();
                figure.motion.pose_parts(time, &mut |part, transform, shown| {
                    places[part] = (transform, shown);
                });
                places
            };
            for step in 0..400 {
                let time = clip.span.start + clip.span.duration * (f64::from(step) + 0.37) / 400.0;
                clip.sample(time, &mut pose);
                if !pose.nodes[figure.node.index()].is_visible {
                    continue;
                }
                let (before, after) = (place(time - 1.2e-3), place(time + 1.2e-3));
                let around = before.iter().zip(&after);
                for ((part, (expected, shown)), ((a, _), (b, _))) in
                    figure.parts.iter().zip(place(time)).zip(around)
                {
                    let Some(&index) = nodes.get(&part.name) else {
                        assert!(!shown, "{name}: {} is not in the file", part.name);
                        continue;
                    };
                    let found = back.local(index, time);
                    assert_eq!(found.scale == DVec3::ZERO, !shown, "{} at {time}", part.name);
                    let is_jump = a.rotation.angle_between(b.rotation) > 0.1
                        || a.translation.distance(b.translation) > 0.05;
                    if !shown || is_jump {
                        continue;
                    }
                    let off = found.translation.distance(expected.translation);
                    let turned = angle(found.rotation, expected.rotation);
                    assert!(off < NEAR && turned < NEAR, "{name}: {} at {time}", part.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// Exact for small angles.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let apart = (a - b).length().min((a + b).length());
    4.0 * (0.5 * apart).min(1.0).asin()
}

#[test]
fn figures_hang_below_their_entity_and_share_meshes_and_colours() {
    let clip = recording("full_v5.mcmocap_rec");
    let (bytes, _) = exported(&clip, "glb");
    let (back, gltf) = (Back::new(&bytes), gltf::Gltf::from_slice(&bytes).unwrap());
    let nodes = by_name(&gltf);
    let cow = clip.nodes.iter().position(|node| {
        let head = format!("{}/head", node.name);
        nodes.contains_key(&head) && node.name.starts_with("entity/")
    });
    let cow = cow.expect("a cow has a head");
    let name = &clip.nodes[mutoscope_core::clip::NodeId::new(cow)].name;
    for part in ["head", "body", "right_leg", "left_leg", "right_leg_2", "left_leg_2"] {
        let index = nodes[&format!("{name}/{part}")];
        assert_eq!(back.parents[index], Some(cow), "{part}");
        let mesh = gltf.nodes().nth(index).unwrap().mesh().expect("it has a mesh");
        let colors: HashSet<_> = mesh.primitives().map(|one| one.material().index()).collect();
        assert_eq!(colors.len(), mesh.primitives().len(), "a surface for each colour");
    }
    // Legs that are alike have one mesh; nothing that stands still is animated.
    let mesh = |part: &str| {
        gltf.nodes().nth(nodes[&format!("{name}/{part}")]).unwrap().mesh().unwrap().index()
    };
    assert_eq!(mesh("right_leg"), mesh("left_leg"));
    let animated: HashSet<usize> = gltf
        .animations()
        .flat_map(|animation| animation.channels())
        .map(|channel| channel.target().node().index())
        .collect();
    assert!(!animated.contains(&nodes["player/right_hand"]));
    assert_eq!(gltf.cameras().count(), 1);
}
