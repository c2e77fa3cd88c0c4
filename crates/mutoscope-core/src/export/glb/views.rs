//! Cameras where a recording knows of views.

use glam::DVec3;

use super::{
    json::{Camera, Node, Perspective},
    parts::Parts,
};
use crate::export::{Job, Report, motions::Motions, report::counted};

/// How near to a camera something is seen, in metres.
const NEAR: f32 = 0.05;

/// Adds a camera for each view of the recording, below the node that holds all others, which stands
/// at `origin`.
pub(super) fn add(
    motions: &Motions<'_>,
    job: &Job<'_>,
    origin: DVec3,
    parts: &mut Parts,
    report: &mut Report,
) {
    let views = job.clip.views();
    let holder = job.clip.nodes.len();
    for (view, motion) in views.iter().zip(motions.views()) {
        let mut motion = motion.clone();
        motion.translation = motion.translation.map(|point| point - origin);
        motion.translation.keys().iter().for_each(|key| parts.precision.note(key.value));
        let perspective =
            Perspective { yfov: view.vertical_angle.to_radians() as f32, znear: NEAR };
        let name = view.name.clone();
        parts.root.cameras.push(Camera { name: name.clone(), r#type: "perspective", perspective });
        let mut node = Node { name, camera: Some(parts.root.cameras.len() - 1), ..Node::default() };
        node.stand(&motion.first());
        let index = parts.add_node(node, Some(holder));
        parts.animation.translate(index, &motion.translation, job.from, &mut parts.chunk);
        parts.animation.rotate(index, &motion.rotation, job.from, &mut parts.chunk);
    }
    if !views.is_empty() {
        report.info(format!("with {}", counted(views.len(), "camera")));
    }
}
