//! Tests of Minecraft entities in GLB as jointed figures, and of items in hands.

use std::collections::{HashMap, HashSet};

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, Pose, Transform};
use mutoscope_core::{ReadOptions, decode};

use crate::export::{exported, fixtures, glb::GlbFile, report_text};

/// In metres and radians: the tolerance of the exporter, and rounding.
const TOLERANCE: f64 = 1.1e-3;

fn recording(name: &str) -> Clip {
    let bytes = std::fs::read(fixtures::path("mcmocap").join(name)).unwrap();
    decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}

fn node_indices_by_name(gltf: &gltf::Gltf) -> HashMap<String, usize> {
    gltf.nodes().map(|node| (node.name().unwrap().to_owned(), node.index())).collect()
}

/// Times next to a jump are not compared.
#[test]
fn parts_follow_the_formulas_of_the_format() {
    let mut compared = 0;
    for name in ["full_v5.mcmocap_rec", "sink_v5.mcmocap_rec", "full_v3.mcmocap_rec"] {
        let clip = recording(name);
        let (bytes, report) = exported(&clip, "glb");
        assert!(
            report_text(&report).contains("their joints are within"),
            "{}",
            report_text(&report)
        );
        let (back, gltf) = (GlbFile::new(&bytes), gltf::Gltf::from_slice(&bytes).unwrap());
        let nodes = node_indices_by_name(&gltf);
        let model = clip.export_model().unwrap();
        let mut pose = Pose::default();
        for figure in &model.figures {
            let pose_parts = |time: f64| {
                let rest = figure.parts.iter().map(|part| (part.rest, true));
                let mut parts: Vec<(Transform, bool)> = rest.collect();
                figure.motion.pose_parts(time, &mut |part, transform, shown| {
                    parts[part] = (transform, shown);
                });
                parts
            };
            for step in 0..400 {
                let time = clip.span.start + clip.span.duration * (f64::from(step) + 0.37) / 400.0;
                clip.sample(time, &mut pose);
                if !pose[figure.node].is_visible {
                    continue;
                }
                let (before, after) = (pose_parts(time - 1.2e-3), pose_parts(time + 1.2e-3));
                let around = before.iter().zip(&after);
                for ((part, (expected, shown)), ((a, _), (b, _))) in
                    figure.parts.iter().zip(pose_parts(time)).zip(around)
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
                    assert!(
                        off < TOLERANCE && turned < TOLERANCE,
                        "{name}: {} at {time}",
                        part.name
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// Unlike the arc cosine of the dot product, this formula is accurate for small angles.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let distance = (a - b).length().min((a + b).length());
    4.0 * (0.5 * distance).min(1.0).asin()
}

#[test]
fn figures_are_children_of_their_entity_and_share_meshes() {
    let clip = recording("full_v5.mcmocap_rec");
    let (bytes, _) = exported(&clip, "glb");
    let (back, gltf) = (GlbFile::new(&bytes), gltf::Gltf::from_slice(&bytes).unwrap());
    let nodes = node_indices_by_name(&gltf);
    let cow = clip.nodes.iter().position(|node| {
        let head = format!("{}/head", node.name);
        nodes.contains_key(&head) && node.name.starts_with("entity/")
    });
    let cow = cow.expect("the recording must have an entity with a head");
    let name = &clip.nodes[mutoscope_core::clip::NodeId::new(cow)].name;
    for part in ["head", "body", "right_leg", "left_leg", "right_leg_2", "left_leg_2"] {
        let index = nodes[&format!("{name}/{part}")];
        assert_eq!(back.parents[index], Some(cow), "{part}");
        let mesh = gltf.nodes().nth(index).unwrap().mesh().expect("the part must have a mesh");
        let colors: HashSet<_> = mesh.primitives().map(|one| one.material().index()).collect();
        assert_eq!(colors.len(), mesh.primitives().len(), "each colour must have one surface");
    }
    // Legs of the same shape share a mesh, and parts that never move have no channel.
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
