//! Cameras for the views of a recording.

use glam::DVec3;

use super::{
    builder::GlbBuilder,
    json::{Camera, Node, Perspective},
};
use crate::diagnostics::format_count;
use crate::export::{Job, Report, motions::Motions};

const NEAR_PLANE_M: f32 = 0.05;

pub(super) fn add_cameras(
    motions: &Motions<'_>,
    job: &Job<'_>,
    origin: DVec3,
    builder: &mut GlbBuilder,
    report: &mut Report,
) {
    let views = job.clip.views();
    let root_node = job.clip.nodes.len();
    for (view, motion) in views.iter().zip(motions.views()) {
        let mut motion = motion.clone();
        motion.translation = motion.translation.map(|point| point - origin);
        motion
            .translation
            .keys()
            .iter()
            .for_each(|key| builder.precision.record_position(key.value));
        let perspective = Perspective {
            yfov: view.vertical_fov_degrees.to_radians() as f32,
            znear: NEAR_PLANE_M,
        };
        let name = view.name.clone();
        builder.root.cameras.push(Camera {
            name: name.clone(),
            r#type: "perspective",
            perspective,
        });
        let mut node =
            Node { name, camera: Some(builder.root.cameras.len() - 1), ..Node::default() };
        node.set_transform(&motion.first_transform());
        let index = builder.add_node(node, Some(root_node));
        builder.animation.add_translation(index, &motion.translation, job.from, &mut builder.chunk);
        builder.animation.add_rotation(index, &motion.rotation, job.from, &mut builder.chunk);
    }
    if !views.is_empty() {
        report.info(format!("with {}", format_count(views.len(), "camera")));
    }
}
