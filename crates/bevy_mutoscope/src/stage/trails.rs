//! Draws the trails of joints before and after the current time, coloured by speed.
//!
//! Trails are drawn in front of everything, because a hand would otherwise cover most of its own
//! trail. While root motion is removed, trails follow the drawn body, but keep the colours of the
//! recorded speeds.

use std::{
    collections::{HashMap, HashSet},
    ops::RangeInclusive,
};

use bevy::prelude::*;

use super::{
    StageCamera, StageScreen,
    look::rgb,
    overlay::StageMarks,
    subject::{Staged, Subject, Subjects},
    trail_width::{TrailLines, TrailVertex},
};
use crate::Revision;
use mutoscope_core::clip::{Clip, Node, NodeId, NodeKind};
use mutoscope_view::trails::{TrailPiece, TrailPoint, Trails};

const SPEED_COLORS: [Color; 5] =
    [rgb(0x3f4fa8), rgb(0x2f8fc4), rgb(0x3fc08a), rgb(0xc9d94f), rgb(0xfff3c4)];

const MAX_JOINTS: usize = 64;

/// The maximum number of chunks that are sampled per frame. A long trail is sampled over several
/// frames, so that no frame is delayed.
const MAX_CHUNKS_PER_FRAME: usize = 8;

const MIN_ALPHA: f32 = 0.12;

/// If a joint has more keys than this in the window, its keys are not drawn as dots, because the
/// dots would hide the trail.
const MAX_DOTS: usize = 80;

/// The radius of a key's dot divided by its distance from the camera.
const DOT_RADIUS: f32 = 0.0022;

#[derive(Default)]
pub(super) struct TrailCache(HashMap<Entity, (Revision, Trails)>);

impl TrailCache {
    fn trails_of(&mut self, subject: &Subject<'_>, joints: Vec<NodeId>) -> &mut Trails {
        let revision = subject.recording.revision();
        let trails = self
            .0
            .entry(subject.entity)
            .or_insert_with(|| (revision, Trails::new(subject.clip(), joints.clone())));
        if trails.0 != revision || trails.1.joints() != joints {
            *trails = (revision, Trails::new(subject.clip(), joints));
        }
        &mut trails.1
    }
}

pub(super) fn draw_trails(
    mut marks: Gizmos<StageMarks>,
    mut lines: TrailLines,
    mut cache: Local<TrailCache>,
    mut screen: ResMut<StageScreen>,
    camera: Single<&Transform, With<StageCamera>>,
    subjects: Subjects,
) {
    if !subjects.view.motion_trail.trails || subjects.iter().next().is_none() {
        if screen.max_speed.is_some() {
            screen.max_speed = None;
        }
        cache.0.clear();
        return;
    }
    cache.0.retain(|recording, _| subjects.get(*recording).is_some());
    let visible_subjects: Vec<_> = subjects.iter().filter(Subject::is_visible).collect();
    for subject in &visible_subjects {
        let trails = cache.trails_of(subject, trail_joints(subject));
        trails.prepare(subject.clip(), &subject.trail_window(), MAX_CHUNKS_PER_FRAME);
    }
    // Use the same speed scale for all recordings, so that equal colours mean equal speeds.
    let all = visible_subjects
        .iter()
        .filter_map(|subject| Some((subject, &cache.0.get(&subject.entity)?.1)));
    let speeds = all.clone().map(|(subject, trails)| max_speed(trails, &subject.trail_window()));
    let fastest = round_up_speed(speeds.fold(0.0, f32::max));
    screen.max_speed = Some(fastest);
    for (subject, trails) in all {
        let window = subject.trail_window();
        let in_place = subject.view.in_place;
        let (staged, now) = (subject.staged, subject.pose().time);
        let painter = TrailPainter { trails, staged, in_place, window: &window, now, fastest };
        painter.draw(&mut lines, &mut marks, *camera);
    }
}

fn trail_joints(subject: &Subject<'_>) -> Vec<NodeId> {
    let clip = subject.clip();
    let pinned =
        subject.view.motion_trail.pinned.iter().filter_map(|node| node.node_in(subject.entity));
    let mut joints: Vec<NodeId> = pinned.filter(|id| id.index() < clip.nodes.len()).collect();
    if joints.is_empty() {
        joints.extend(subject.selected().filter(|id| id.index() < clip.nodes.len()));
    }
    if joints.is_empty() {
        joints = limb_ends(clip);
    }
    if joints.is_empty() {
        joints.extend(clip.root_motion_node());
    }
    joints.truncate(MAX_JOINTS);
    joints
}

/// Returns the ends of limbs. These are the nodes that the recording marks as tips. If there are
/// none, they are the joints where a bone ends and no other bone starts. If the clip has no bones,
/// they are all animated joints.
fn limb_ends(clip: &Clip) -> Vec<NodeId> {
    let nodes_where = |is_end: &dyn Fn(NodeId, &Node) -> bool| -> Vec<NodeId> {
        let found = clip.nodes.with_ids().filter(|(id, node)| is_end(*id, node));
        found.map(|(id, _)| id).collect()
    };
    let tips = nodes_where(&|_, node| node.kind == NodeKind::Tip);
    if !tips.is_empty() {
        return tips;
    }
    if clip.has_only_loose_nodes() {
        return nodes_where(&|_, node| node.kind == NodeKind::Joint && node.motion.is_animated());
    }
    let bone_starts: HashSet<NodeId> =
        clip.nodes.iter().filter_map(|node| node.bone_from).collect();
    nodes_where(&|id, node| {
        let is_end = node.bone_from.is_some() && !bone_starts.contains(&id);
        is_end && node.kind == NodeKind::Joint
    })
}

/// Returns the maximum speed of all joints within `window`, in m/s.
fn max_speed(trails: &Trails, window: &RangeInclusive<f64>) -> f32 {
    let joints = 0..trails.joints().len();
    let pieces = joints.flat_map(|joint| trails.pieces(joint, window));
    pieces.flat_map(|piece| piece.points).map(|point| point.speed).fold(0.0, f32::max)
}

/// Rounds `speed` up to the next number in 1, 2, 5, 10, … times a power of ten. While the window
/// moves, the colours then keep their meaning until the next step is reached.
fn round_up_speed(speed: f32) -> f32 {
    const MIN_SPEED: f32 = 0.01;
    let speed = if speed.is_finite() { speed.max(MIN_SPEED) } else { MIN_SPEED };
    let power = 10_f32.powf(speed.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= speed * 0.999).unwrap_or(speed)
}

struct TrailPainter<'a> {
    trails: &'a Trails,
    staged: &'a Staged,
    in_place: bool,
    window: &'a RangeInclusive<f64>,
    now: f64,
    fastest: f32,
}

impl TrailPainter<'_> {
    fn draw(&self, lines: &mut TrailLines, marks: &mut Gizmos<StageMarks>, camera: &Transform) {
        for joint in 0..self.trails.joints().len() {
            self.visible_runs(joint).iter().for_each(|run| lines.draw(run));
            let keys = self.trails.keys(joint, self.window);
            for &key in keys.iter().filter(|_| keys.len() <= MAX_DOTS) {
                let Some(point) = self.trails.point_at(joint, key).filter(TrailPoint::is_visible)
                else {
                    continue;
                };
                let position = self.stage_position(point, self.trails.root_position_at(key));
                let radius = DOT_RADIUS * camera.translation.distance(position);
                let around = Isometry3d::new(position, camera.rotation);
                marks.circle(around, radius, self.point_color(key, point.speed)).resolution(8);
            }
        }
    }

    fn visible_runs(&self, joint: usize) -> Vec<Vec<TrailVertex>> {
        let mut runs: Vec<Vec<TrailVertex>> = vec![Vec::new()];
        let mut end = None;
        for TrailPiece { start, points, root_positions } in self.trails.pieces(joint, self.window) {
            // Start a new run after a gap, because the piece between two sampled pieces may not be
            // sampled yet.
            let is_continuous =
                end.is_some_and(|end: f64| (start - end).abs() < 1.5 * Trails::INTERVAL);
            if !is_continuous {
                runs.push(Vec::new());
            }
            for (index, point) in points.iter().enumerate() {
                let time = start + index as f64 * Trails::INTERVAL;
                end = Some(time);
                match runs.last_mut() {
                    Some(run) if point.is_visible() => {
                        run.push(TrailVertex {
                            position: self
                                .stage_position(*point, root_positions.get(index).copied()),
                            color: self.point_color(time, point.speed),
                            distance_from_now: self.distance_from_now(time),
                        });
                    }
                    Some(run) if run.is_empty() => {}
                    _ => runs.push(Vec::new()),
                }
            }
        }
        runs.retain(|run| run.len() > 1);
        runs
    }

    fn stage_position(&self, point: TrailPoint, root_position: Option<[f32; 3]>) -> Vec3 {
        let to_absolute =
            |position: [f32; 3]| Vec3::from_array(position).as_dvec3() + self.trails.origin();
        let position = to_absolute(point.position);
        let staged = self.staged;
        // The stage removes the current root motion. Replace the removed motion by the root motion
        // at the time of the point.
        match root_position.filter(|_| self.in_place) {
            Some(root) => staged.to_world(
                position + staged.removed_root_motion - staged.root_motion_to(to_absolute(root)),
            ),
            None => staged.to_world(position),
        }
    }

    fn point_color(&self, time: f64, speed: f32) -> Color {
        let distance = self.distance_from_now(time);
        speed_color(speed / self.fastest).with_alpha(1.0 - distance * (1.0 - MIN_ALPHA))
    }

    /// Returns how far `time` is from the current time, from 0 (the current time) to 1 (the start
    /// or the end of the window).
    fn distance_from_now(&self, time: f64) -> f32 {
        let reach = if time < self.now {
            self.now - self.window.start()
        } else {
            self.window.end() - self.now
        };
        ((time - self.now).abs() / reach.max(1e-6)).min(1.0) as f32
    }
}

/// Returns the colour for a speed, given as a fraction of the maximum speed.
pub fn speed_color(part: f32) -> Color {
    let steps = (part.clamp(0.0, 1.0)) * (SPEED_COLORS.len() - 1) as f32;
    let left = (steps as usize).min(SPEED_COLORS.len() - 2);
    SPEED_COLORS[left].mix(&SPEED_COLORS[left + 1], steps - left as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RecordingNode,
        stage::{
            View,
            measure::measure,
            testing::{on_stage, sample_clip},
        },
    };
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    #[test]
    fn speed_scale_is_a_round_number() {
        let cases =
            [(0.0, 0.01), (0.3, 0.5), (1.0, 1.0), (1.2, 2.0), (7.0, 10.0), (f32::NAN, 0.01)];
        for (speed, round) in cases {
            assert!(
                (round_up_speed(speed) - round).abs() < 1e-4 * round,
                "{speed}: {}",
                round_up_speed(speed)
            );
        }
    }

    #[test]
    fn trails_prefer_pinned_joints_then_the_selection_then_tips() {
        let names = |selected: Option<usize>, pinned: &[usize]| -> Vec<String> {
            on_stage(sample_clip(), View::default(), 0.0, |subject| {
                let node = |&index| RecordingNode::new(subject.entity, NodeId::new(index));
                let mut view = View { selected: selected.as_ref().map(node), ..View::default() };
                view.motion_trail.pinned = pinned.iter().map(node).collect();
                let joints = trail_joints(&Subject { view: &view, ..*subject });
                joints.iter().map(|&id| subject.clip().nodes[id].name.clone()).collect()
            })
        };
        assert_eq!(names(None, &[]).len(), 10, "{:?}", names(None, &[]));
        assert_eq!(names(Some(3), &[]), [sample_clip().nodes[NodeId::new(3)].name.clone()]);
        assert_eq!(names(Some(3), &[5, 7, 99_999]).len(), 2);
    }

    #[test]
    fn limb_ends_are_leaf_bones_or_all_nodes() {
        let names = |bytes: &[u8], name| -> Vec<String> {
            let clip = decode(SourceFile::new(name, bytes), &ReadOptions::default()).unwrap();
            limb_ends(&clip).into_iter().map(|id| clip.nodes[id].name.clone()).collect()
        };
        let walk = names(include_bytes!("../../../../assets/maya/walk-with-hat.anim"), "walk.anim");
        assert_eq!(walk, ["brim", "L_fingers", "R_fingers", "L_toe", "R_toe"]);
        let lanterns =
            names(include_bytes!("../../../../assets/animj/lantern-show.animj"), "show.animj");
        assert!(lanterns.len() > 3, "{lanterns:?}");
    }

    #[test]
    fn trails_end_at_lost_tracking_and_fade() {
        let clip = sample_clip();
        let wrist = clip.nodes.with_ids().find(|(_, node)| node.name == "left/Wrist").unwrap().0;
        let mut trails = Trails::new(&clip, vec![wrist]);
        let window = 0.0..=4.0;
        assert!(trails.prepare(&clip, &window, 100));
        let staged = Staged::default();
        let (trails, staged, window) = (&trails, &staged, &window);
        let painter =
            TrailPainter { trails, staged, in_place: false, window, now: 1.0, fastest: 1.0 };
        // Tracking is lost between 1.5 and 2 seconds.
        let runs = painter.visible_runs(0);
        assert_eq!(runs.len(), 2, "{:?}", runs.iter().map(Vec::len).collect::<Vec<_>>());
        let alphas: Vec<f32> = runs[0].iter().map(|vertex| vertex.color.alpha()).collect();
        let nearest = alphas.iter().copied().fold(0.0, f32::max);
        assert!(nearest > 0.98 && alphas[0] < 0.2, "{alphas:?}");
    }

    #[test]
    fn in_place_trails_match_the_drawn_body() {
        let bytes = include_bytes!("../../../../assets/maya/walk-with-hat.anim");
        let clip = decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap();
        let root_motion_node = clip.root_motion_node().unwrap();
        let foot = clip.nodes.with_ids().find(|(_, node)| node.name.contains("Foot"));
        let foot = foot.or_else(|| clip.nodes.with_ids().last()).unwrap().0;
        let mut trails = Trails::new(&clip, vec![root_motion_node, foot]);
        let all = clip.span.start..=clip.span.end();
        assert!(trails.prepare(&clip, &all, 100));
        let mut pose = mutoscope_core::clip::Pose::default();
        let mut staged = Staged { bounds: measure(&clip, true), ..Staged::default() };
        clip.sample(clip.span.end(), &mut pose);
        staged.removed_root_motion = staged.root_motion_in(&clip, &pose);
        assert!(
            staged.removed_root_motion.length() > 1.0,
            "the sample walks: {}",
            staged.removed_root_motion
        );
        let now = clip.span.end();
        let in_place = |in_place| TrailPainter {
            trails: &trails,
            staged: &staged,
            in_place,
            window: &all,
            now,
            fastest: 1.0,
        };
        let trail_vertices =
            |painter: &TrailPainter<'_>| [0, 1].map(|joint| painter.visible_runs(joint).concat());
        let [root_trail, foot_trail] = trail_vertices(&in_place(true));
        let start = root_trail[0].position;
        let max_distance_from_start = |vertices: &[TrailVertex]| {
            let from = vertices[0].position.with_y(0.0);
            let distances =
                vertices.iter().map(|vertex| vertex.position.with_y(0.0).distance(from));
            distances.fold(0.0, f32::max)
        };
        let mut root_positions = root_trail.iter().map(|vertex| vertex.position);
        assert!(
            root_positions.clone().all(|position| position.with_y(start.y).distance(start) < 1e-4)
        );
        assert!(
            root_positions.any(|position| (position.y - start.y).abs() > 1e-3),
            "the root moves up and down"
        );
        for (index, vertex) in foot_trail.iter().enumerate() {
            let position = vertex.position;
            clip.sample(clip.span.start + index as f64 * Trails::INTERVAL, &mut pose);
            let there = pose[foot].world.translation;
            let drawn = there - staged.bounds.origin - staged.root_motion_in(&clip, &pose);
            assert!(position.distance(drawn.as_vec3()) < 1e-4, "{index}: {position} {drawn}");
        }
        let [_, world_trail] = trail_vertices(&in_place(false));
        assert!(
            max_distance_from_start(&foot_trail) < 0.6 * max_distance_from_start(&world_trail),
            "the foot moves in a loop, and does not travel"
        );
    }
}
