//! Draws the skeleton in outline: the rest pose, the pose at the hovered time, and ghosts around
//! the current time.

use bevy::prelude::*;

use super::{
    Ghosts, HoveredTime, appearance,
    look::{GHOST_AFTER, GHOST_BEFORE, HOVERED_POSE, REST_POSE},
    overlay::StageLines,
    subject::{Subject, Subjects},
};
use mutoscope_core::clip::{Clip, NodeId, NodePose, Pose};

/// The length of the arms of the cross that represents a node without bones. In metres, if the
/// recording has the size of a hand.
const CROSS_ARM_LENGTH: f32 = 0.02;

pub(super) fn draw_rest_pose(
    mut lines: Gizmos<StageLines>,
    mut rest: Local<Pose>,
    subjects: Subjects,
) {
    if !subjects.view.rest_pose {
        return;
    }
    let has_rest = |subject: &Subject<'_>| subject.is_visible() && subject.clip().has_rest_pose();
    for subject in subjects.iter().filter(has_rest) {
        subject.clip().sample_rest_pose(&mut rest);
        for (id, from) in visible_bones(&subject) {
            let [from, to] =
                [from, id].map(|id| subject.staged.to_world(rest[id].world.translation));
            lines.line(from, to, REST_POSE);
        }
    }
}

pub(super) fn draw_hovered_pose(
    mut lines: Gizmos<StageLines>,
    mut pose: Local<Pose>,
    hovered: Res<HoveredTime>,
    subjects: Subjects,
) {
    let Some(time) = hovered.0 else { return };
    for subject in subjects.iter().filter(Subject::is_visible) {
        let time = subject.recording.timing().to_clip_time(time);
        subject.clip().sample_motion(subject.clip().span.clamp(time), &mut pose);
        Outline { subject: &subject }.draw(&mut lines, &pose, HOVERED_POSE);
    }
}

const MAX_GHOSTS: usize = 40;
/// The opacities of a ghost: next to the current time, and at the ends of the trail.
const GHOST_ALPHAS: [f32; 2] = [0.75, 0.12];

pub(super) fn draw_ghosts(
    mut lines: Gizmos<StageLines>,
    mut pose: Local<Pose>,
    subjects: Subjects,
) {
    if subjects.view.motion_trail.ghosts == Ghosts::Off {
        return;
    }
    for subject in subjects.iter().filter(Subject::is_visible) {
        let now = subject.pose().time;
        let window = subject.trail_window();
        for time in ghost_times(&subject) {
            subject.clip().sample_motion(time, &mut pose);
            let reach = if time < now { now - window.start() } else { window.end() - now };
            let part = ((time - now).abs() / reach.max(1e-6)).min(1.0) as f32;
            let [near, far] = GHOST_ALPHAS;
            let color = if time < now { GHOST_BEFORE } else { GHOST_AFTER };
            let color = color.with_alpha(near + (far - near) * part);
            Outline { subject: &subject }.draw(&mut lines, &pose, color);
        }
    }
}

fn ghost_times(subject: &Subject<'_>) -> Vec<f64> {
    let (window, now) = (subject.trail_window(), subject.pose().time);
    let (clip, samples) = (subject.clip(), subject.recording.sample_times());
    let within = |times: &[f64]| {
        let from = times.partition_point(|time| time < window.start());
        from..times.partition_point(|time| time <= window.end()).max(from)
    };
    let mut times: Vec<f64> = match subject.view.motion_trail.ghosts {
        Ghosts::Off => return Vec::new(),
        // Choose multiples of `step` from the start of the recording, so that the ghosts do not
        // move when the current time changes.
        Ghosts::EverySamples(count) => {
            let indices = within(samples);
            let step = count.max(1) as usize;
            let first = indices.start.next_multiple_of(step);
            (first..indices.end).step_by(step).map(|index| samples[index]).collect()
        }
        Ghosts::AtKeys => {
            let node = subject.selected().or_else(|| clip.root_motion_node());
            node_key_times(clip, node, within)
        }
    };
    times.retain(|time| *time != now);
    let step = times.len().div_ceil(MAX_GHOSTS).max(1);
    times.into_iter().step_by(step).collect()
}

fn node_key_times(
    clip: &Clip,
    node: Option<NodeId>,
    within: impl Fn(&[f64]) -> std::ops::Range<usize>,
) -> Vec<f64> {
    let Some(node) = node.and_then(|node| clip.nodes.get(node.index())) else { return Vec::new() };
    let keys = node.motion.tracks().into_iter().flat_map(|track| {
        let times = clip.track(track).curve.key_times();
        times[within(times)].iter().copied()
    });
    let mut keys: Vec<f64> = keys.collect();
    keys.sort_unstable_by(f64::total_cmp);
    keys.dedup();
    keys
}

struct Outline<'a> {
    subject: &'a Subject<'a>,
}

impl Outline<'_> {
    fn draw(&self, lines: &mut Gizmos<StageLines>, pose: &Pose, color: Color) {
        let subject = self.subject;
        let (clip, staged) = (subject.clip(), subject.staged);
        // Remove the root motion of this ghost's pose. The stage removes the root motion of the
        // current pose.
        let shift = match subject.view.in_place {
            true => staged
                .to_world_vector(staged.removed_root_motion - staged.root_motion_in(clip, pose)),
            false => Vec3::ZERO,
        };
        let transform_of = |id: NodeId| {
            let node = pose.nodes.get(id.index()).filter(|node| is_present(node))?;
            let transform = staged.to_world_transform(&node.world);
            Some(transform.with_translation(transform.translation + shift))
        };
        for (id, from) in visible_bones(subject) {
            if let (Some(from), Some(to)) = (transform_of(from), transform_of(id)) {
                lines.line(from.translation, to.translation, color);
            }
        }
        let boxes = appearance::appearances_of(clip, staged.bounds.figures)
            .flat_map(|appearance| (appearance.boxes)(clip));
        let mut has_boxes = false;
        for (id, inside) in boxes {
            has_boxes = true;
            if let Some(transform) = transform_of(id).filter(|_| !subject.hidden.contains(&id)) {
                draw_wire_cube(lines, transform.to_matrix() * inside.to_matrix(), color);
            }
        }
        if !has_boxes {
            self.draw_crosses(lines, transform_of, color);
        }
    }

    fn draw_crosses(
        &self,
        lines: &mut Gizmos<StageLines>,
        transform_of: impl Fn(NodeId) -> Option<Transform>,
        color: Color,
    ) {
        let subject = self.subject;
        let clip = subject.clip();
        let arm = CROSS_ARM_LENGTH * subject.staged.bounds.scale as f32;
        let mut has_bones = vec![false; clip.nodes.len()];
        for (to, from) in visible_bones(subject) {
            has_bones[to.index()] = true;
            has_bones[from.index()] = true;
        }
        let alone = clip.nodes.with_ids().filter(|(id, _)| !has_bones[id.index()]);
        for (id, _) in alone.filter(|(id, _)| !subject.hidden.contains(id)) {
            let Some(transform) = transform_of(id) else { continue };
            for axis in [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| arm * (transform.rotation * axis)) {
                lines.line(transform.translation - axis, transform.translation + axis, color);
            }
        }
    }
}

fn visible_bones<'a>(subject: &Subject<'a>) -> impl Iterator<Item = (NodeId, NodeId)> + use<'a> {
    let hidden = subject.hidden;
    let visible_nodes = subject.clip().nodes.with_ids().filter(|(id, _)| !hidden.contains(id));
    visible_nodes.filter_map(|(id, node)| Some((id, node.bone_from?)))
}

fn is_present(node: &NodePose) -> bool {
    node.is_visible && node.world.is_finite()
}

fn draw_wire_cube(lines: &mut Gizmos<StageLines>, matrix: Mat4, color: Color) {
    let corner = |bits: u32| {
        let side = |bit: u32| if bits & bit == 0 { -0.5 } else { 0.5 };
        matrix.transform_point3(Vec3::new(side(1), side(2), side(4)))
    };
    for from in 0..8 {
        for bit in [1, 2, 4].into_iter().filter(|bit| from & bit == 0) {
            lines.line(corner(from), corner(from | bit), color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{
        MotionTrailSettings, View,
        testing::{on_stage, sample_clip},
    };

    fn times(ghosts: Ghosts, now: f64) -> Vec<f64> {
        let travel = MotionTrailSettings {
            ghosts,
            before: 0.5,
            after: 0.25,
            ..MotionTrailSettings::default()
        };
        let view = View { motion_trail: travel, ..View::default() };
        on_stage(sample_clip(), view, now, ghost_times)
    }

    #[test]
    fn ghost_times_are_fixed_while_playing() {
        let step = Ghosts::EverySamples(6);
        let (now, later) = (times(step, 1.0), times(step, 1.02));
        assert!(now.len() >= 6, "{now:?}");
        assert!(now.iter().all(|time| (0.5..=1.25).contains(time) && *time != 1.0));
        let common = now.iter().filter(|time| later.contains(time)).count();
        assert!(common + 1 >= now.len(), "{now:?} {later:?}");
        assert!(times(Ghosts::Off, 1.0).is_empty());
    }

    #[test]
    fn key_ghosts_are_at_keys_and_limited() {
        let clip = sample_clip();
        let head = clip.root_motion_node().unwrap();
        let tracks = clip.nodes[head].motion.tracks();
        let is_key = |time: &f64| {
            let has_it = |track| clip.track(track).curve.key_times().contains(time);
            tracks.iter().copied().any(has_it)
        };
        let ghosts = times(Ghosts::AtKeys, 2.0);
        assert!((10..=MAX_GHOSTS).contains(&ghosts.len()), "{}", ghosts.len());
        assert!(ghosts.iter().all(is_key));
    }
}
