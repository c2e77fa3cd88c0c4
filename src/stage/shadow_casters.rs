//! The casters of shadows on the ground: a recording as a few balls.

use std::collections::HashMap;

use bevy::{math::DVec3, prelude::*};

use super::{
    appearance,
    subject::{Subject, Subjects},
};
use crate::recording::Revision;
use mutoscope_core::{
    clip::{NodeId, NodeKind},
    measure::figure::{Palm, palms},
};

/// How much thicker what casts is than joints and bones: light comes from everywhere.
const FULLER: f32 = 1.5;

/// A ball of the world that casts a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Caster {
    /// Where its middle is, or that of what is lowest of it.
    pub(super) at: Vec3,
    pub(super) radius: f32,
}

/// The shadow-casting parts of each recording, kept between frames.
#[derive(Default)]
pub(super) struct Bodies(HashMap<Entity, (Revision, Body)>);

struct Body {
    boxes: Vec<(NodeId, Transform)>,
    palms: Vec<Palm>,
}

impl Bodies {
    /// All that casts a shadow now, of all recordings that are visible.
    pub(super) fn casters(&mut self, subjects: &Subjects) -> Vec<Caster> {
        self.0.retain(|recording, _| subjects.get(*recording).is_some());
        let mut casters = Vec::new();
        for subject in subjects.iter().filter(Subject::is_visible) {
            let revision = subject.recording.revision();
            let known = self.0.get(&subject.entity).is_some_and(|(of, _)| *of == revision);
            if !known {
                self.0.insert(subject.entity, (revision, Body::of(&subject)));
            }
            self.0[&subject.entity].1.cast(&subject, &mut casters);
        }
        casters
    }
}

impl Body {
    fn of(subject: &Subject<'_>) -> Self {
        let clip = subject.clip();
        let boxes = appearance::of(clip).flat_map(|one| (one.boxes)(clip)).collect();
        Self { boxes, palms: palms(clip) }
    }

    fn cast(&self, subject: &Subject<'_>, casters: &mut Vec<Caster>) {
        for (node, inside) in &self.boxes {
            if let Some(node) = subject.drawn(*node) {
                casters.push(of_box(subject.staged.transform(&node.world), inside));
            }
        }
        if !self.boxes.is_empty() {
            return;
        }
        for (id, node) in subject.clip().nodes.with_ids() {
            match node.kind {
                NodeKind::Joint | NodeKind::Tip => of_joint(subject, id, casters),
                NodeKind::Head => casters.extend(of_head(subject, id)),
                _ => {}
            }
        }
        casters.extend(self.palms.iter().filter_map(|palm| of_palm(subject, palm)));
    }
}

/// A box as a ball at its lower end.
fn of_box(place: Transform, inside: &Transform) -> Caster {
    let whole = place.to_matrix() * inside.to_matrix();
    let axes = [whole.x_axis, whole.y_axis, whole.z_axis].map(|axis| axis.truncate() / 2.0);
    let half: Vec3 = axes.iter().map(|axis| axis.abs()).sum();
    let radius = (half.x + half.z) / 2.0;
    let at = whole.w_axis.truncate() - Vec3::Y * (half.y - half.y.min(radius));
    Caster { at, radius }
}

/// A joint, and a few balls along the bone to it.
fn of_joint(subject: &Subject<'_>, id: NodeId, casters: &mut Vec<Caster>) {
    const MOST_ALONG: usize = 4;
    let place = |id: NodeId| Some(subject.staged.point(subject.drawn(id)?.world.translation));
    let proportions = &subject.staged.bounds.proportions;
    let Some(at) = place(id) else { return };
    casters.push(Caster { at, radius: FULLER * proportions.joint(id) });
    let from = subject.clip().nodes[id].bone_from.and_then(place);
    let radius = FULLER * proportions.bone(id);
    if let Some(from) = from.filter(|_| radius > 0.0) {
        let count = ((at.distance(from) / (3.0 * radius)) as usize).min(MOST_ALONG);
        let along = |index: usize| from.lerp(at, index as f32 / (count + 1) as f32);
        casters.extend((1..=count).map(|index| Caster { at: along(index), radius }));
    }
}

fn of_head(subject: &Subject<'_>, id: NodeId) -> Option<Caster> {
    const BEHIND_THE_EYES: DVec3 = DVec3::new(0.0, 0.0, 0.1);
    let head = subject.drawn(id)?.world;
    let middle = head.translation + head.rotation * BEHIND_THE_EYES;
    Some(Caster { at: subject.staged.point(middle), radius: 0.1 })
}

fn of_palm(subject: &Subject<'_>, palm: &Palm) -> Option<Caster> {
    let place = |id: NodeId| Some(subject.staged.point(subject.drawn(id)?.world.translation));
    let (wrist, knuckle) =
        (place(palm.wrist)?, place(palm.fingers[palm.fingers.len() / 2].knuckle)?);
    Some(Caster { at: wrist.midpoint(knuckle), radius: 0.45 * wrist.distance(knuckle) })
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
        let found = of_box(Transform::from_xyz(1.0, 1.0, 0.0), &tall);
        assert!((found.radius - 0.15).abs() < 1e-6);
        assert!(found.at.abs_diff_eq(Vec3::new(1.0, 0.15, 0.0), 1e-5), "{}", found.at);
    }

    #[test]
    fn hands_and_the_head_cast() {
        let casters = on_stage(sample_clip(), View::default(), 1.0, |subject| {
            let mut casters = Vec::new();
            Body::of(subject).cast(subject, &mut casters);
            casters
        });
        let joints = sample_clip().nodes.iter().filter(|node| node.side.is_some()).count();
        assert!(casters.len() >= joints + 3, "joints, two palms, the head: {}", casters.len());
        assert!(casters.iter().all(|caster| caster.radius > 0.0 && caster.radius < 0.11));
    }
}
