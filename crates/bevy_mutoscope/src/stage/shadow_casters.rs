//! Approximates a recording by a few capsules that cast shadows on the ground.

use std::collections::HashMap;

use bevy::{math::DVec3, prelude::*};

use super::{
    appearance, mannequin,
    subject::{Subject, Subjects},
};
use crate::Revision;
use mutoscope_core::clip::{NodeId, NodeKind};
use mutoscope_view::figure::{Palm, find_palms};

/// Shadow casters are thicker than the drawn joints and bones by this factor. Otherwise their
/// shadows would be too faint.
const RADIUS_FACTOR: f32 = 1.5;

/// A capsule that casts a shadow: the points within `radius` of the line between two points. Both
/// points are the same for a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Caster {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) radius: f32,
}

impl Caster {
    fn sphere(position: Vec3, radius: f32) -> Self {
        Self { from: position, to: position, radius }
    }
}

#[derive(Default)]
pub(super) struct CasterCache(HashMap<Entity, (Revision, CasterParts)>);

struct CasterParts {
    boxes: Vec<(NodeId, Transform)>,
    palms: Vec<Palm>,
}

impl CasterCache {
    pub(super) fn casters(&mut self, subjects: &Subjects) -> Vec<Caster> {
        self.0.retain(|recording, _| subjects.get(*recording).is_some());
        let mut casters = Vec::new();
        for subject in subjects.iter().filter(Subject::is_visible) {
            let revision = subject.recording.revision();
            let is_cached = self.0.get(&subject.entity).is_some_and(|(of, _)| *of == revision);
            if !is_cached {
                self.0.insert(subject.entity, (revision, CasterParts::from_subject(&subject)));
            }
            self.0[&subject.entity].1.push_casters(&subject, &mut casters);
        }
        casters
    }
}

impl CasterParts {
    fn from_subject(subject: &Subject<'_>) -> Self {
        let clip = subject.clip();
        let boxes = appearance::appearances_of(clip, subject.staged.bounds.figures)
            .flat_map(|appearance| (appearance.boxes)(clip))
            .collect();
        Self { boxes, palms: find_palms(clip) }
    }

    fn push_casters(&self, subject: &Subject<'_>, casters: &mut Vec<Caster>) {
        for (node, inside) in &self.boxes {
            if let Some(node) = subject.drawn_pose(*node) {
                casters.push(box_caster(subject.staged.to_world_transform(&node.world), inside));
            }
        }
        if !self.boxes.is_empty() {
            return;
        }
        let parts = 0..subject.staged.bounds.mannequins.parts.len();
        casters.extend(parts.filter_map(|index| body_part_caster(subject, index)));
        let nodes = subject.clip().nodes.with_ids();
        for (id, node) in nodes.filter(|(id, _)| !subject.is_replaced_by_mannequin(*id)) {
            match node.kind {
                NodeKind::Joint | NodeKind::Tip => casters.extend(joint_caster(subject, id)),
                NodeKind::Head => casters.extend(head_caster(subject, id)),
                _ => {}
            }
        }
        casters.extend(self.palms.iter().filter_map(|palm| palm_caster(subject, palm)));
    }
}

fn box_caster(transform: Transform, inside: &Transform) -> Caster {
    let whole = transform.to_matrix() * inside.to_matrix();
    let axes = [whole.x_axis, whole.y_axis, whole.z_axis].map(|axis| axis.truncate() / 2.0);
    let half: Vec3 = axes.iter().map(|axis| axis.abs()).sum();
    let radius = (half.x + half.z) / 2.0;
    let position = whole.w_axis.truncate() - Vec3::Y * (half.y - half.y.min(radius));
    Caster::sphere(position, radius)
}

fn body_part_caster(subject: &Subject<'_>, index: usize) -> Option<Caster> {
    let transform = mannequin::part_transform(subject, index)?;
    let [(from, thick), (to, thin)] = subject.staged.bounds.mannequins.parts[index].capsule;
    let [from, to] = [from, to].map(|point| {
        subject.staged.space.transform_point(transform.transform_point(Vec3::from_array(point)))
    });
    Some(Caster { from, to, radius: (thick + thin) / 2.0 })
}

fn joint_caster(subject: &Subject<'_>, id: NodeId) -> Option<Caster> {
    let position_of =
        |id: NodeId| Some(subject.staged.to_world(subject.drawn_pose(id)?.world.translation));
    let proportions = &subject.staged.bounds.proportions;
    let to = position_of(id)?;
    let from = subject.clip().nodes[id].bone_from.and_then(position_of);
    let radius = match from {
        Some(_) => proportions.bone_radius(id),
        None => proportions.joint_radius(id),
    };
    Some(Caster { from: from.unwrap_or(to), to, radius: RADIUS_FACTOR * radius })
}

fn head_caster(subject: &Subject<'_>, id: NodeId) -> Option<Caster> {
    const BEHIND_THE_EYES: DVec3 = DVec3::new(0.0, 0.0, 0.1);
    let head = subject.drawn_pose(id)?.world;
    let middle = head.translation + head.rotation * BEHIND_THE_EYES;
    Some(Caster::sphere(subject.staged.to_world(middle), 0.1))
}

fn palm_caster(subject: &Subject<'_>, palm: &Palm) -> Option<Caster> {
    let position_of =
        |id: NodeId| Some(subject.staged.to_world(subject.drawn_pose(id)?.world.translation));
    let (wrist, knuckle) =
        (position_of(palm.wrist)?, position_of(palm.fingers[palm.fingers.len() / 2].knuckle)?);
    Some(Caster::sphere(wrist.midpoint(knuckle), 0.45 * wrist.distance(knuckle)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{
        View,
        testing::{on_stage, sample_clip},
    };

    #[test]
    fn boxes_cast_from_their_lower_end() {
        let tall = Transform::from_scale(Vec3::new(0.2, 2.0, 0.4));
        let found = box_caster(Transform::from_xyz(1.0, 1.0, 0.0), &tall);
        assert!((found.radius - 0.15).abs() < 1e-6);
        assert!(found.from.abs_diff_eq(Vec3::new(1.0, 0.15, 0.0), 1e-5), "{}", found.from);
        assert_eq!(found.from, found.to);
    }

    #[test]
    fn hands_and_the_head_cast() {
        let casters = on_stage(sample_clip(), View::default(), 1.0, |subject| {
            let mut casters = Vec::new();
            CasterParts::from_subject(subject).push_casters(subject, &mut casters);
            casters
        });
        let joints = sample_clip().nodes.iter().filter(|node| node.side.is_some()).count();
        assert!(casters.len() >= joints + 3, "joints, two palms and the head: {}", casters.len());
        assert!(casters.iter().all(|caster| caster.radius > 0.0 && caster.radius < 0.11));
    }
}
