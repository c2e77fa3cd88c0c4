//! Trails: where joints have been and will be, coloured by how fast they are; in front of
//! everything, as a hand would cover most of its own. In place they follow the drawn body, coloured
//! by the recorded speeds.

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
    trail_width::TrailLines,
};
use crate::recording::Revision;
use mutoscope_core::{
    clip::{Clip, Node, NodeId, NodeKind},
    measure::trails::{TrailPiece, TrailPoint, Trails},
};

/// From standing still to the fastest, at even distances.
const SPEEDS: [Color; 5] =
    [rgb(0x3f4fa8), rgb(0x2f8fc4), rgb(0x3fc08a), rgb(0xc9d94f), rgb(0xfff3c4)];

/// At most this many joints have trails.
const MOST_JOINTS: usize = 64;

/// At most this many chunks are sampled for one frame: a trail grows rather than delaying it.
const CHUNKS_A_PICTURE: usize = 8;

/// How visible a trail is at the ends of its window.
const LEAST_ALPHA: f32 = 0.12;

/// The most keys in a trail's window that are drawn as dots: more would hide the trail.
const MOST_DOTS: usize = 80;

/// The radius of a key's dot, over its distance from the camera.
const DOT: f32 = 0.0022;

/// The trails of recordings, as far as they have been sampled.
#[derive(Default)]
pub(super) struct Sampled(HashMap<Entity, (Revision, Trails)>);

impl Sampled {
    /// The trails of these joints of a recording, made again if they or its clip are others.
    fn of(&mut self, subject: &Subject<'_>, joints: Vec<NodeId>) -> &mut Trails {
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

/// Draws the trails that are on, and publishes the speed of their brightest colour.
pub(super) fn draw_trails(
    mut marks: Gizmos<StageMarks>,
    mut lines: TrailLines,
    mut sampled: Local<Sampled>,
    mut screen: ResMut<StageScreen>,
    camera: Single<&Transform, With<StageCamera>>,
    subjects: Subjects,
) {
    if !subjects.view.motion_trail.trails || subjects.iter().next().is_none() {
        if screen.fastest.is_some() {
            screen.fastest = None;
        }
        sampled.0.clear();
        return;
    }
    sampled.0.retain(|recording, _| subjects.get(*recording).is_some());
    let shown: Vec<_> = subjects.iter().filter(Subject::is_visible).collect();
    for subject in &shown {
        let trails = sampled.of(subject, joints(subject));
        trails.prepare(subject.clip(), &subject.travel_window(), CHUNKS_A_PICTURE);
    }
    // One scale for all, so that recordings can be compared.
    let all =
        shown.iter().filter_map(|subject| Some((subject, &sampled.0.get(&subject.entity)?.1)));
    let speeds = all.clone().map(|(subject, trails)| fastest(trails, &subject.travel_window()));
    let fastest = round_up(speeds.fold(0.0, f32::max));
    screen.fastest = Some(fastest);
    for (subject, trails) in all {
        let window = subject.travel_window();
        let in_place = subject.view.in_place;
        let (staged, now) = (subject.staged, subject.pose().time);
        let pen = Pen { trails, staged, in_place, window: &window, now, fastest };
        pen.draw(&mut lines, &mut marks, *camera);
    }
}

/// The joints with trails: the pinned ones, else the selected one, else the ends of limbs, else the
/// root.
fn joints(subject: &Subject<'_>) -> Vec<NodeId> {
    let clip = subject.clip();
    let pinned = subject.view.motion_trail.pinned.iter().filter_map(|node| node.of(subject.entity));
    let mut joints: Vec<NodeId> = pinned.filter(|id| id.index() < clip.nodes.len()).collect();
    if joints.is_empty() {
        joints.extend(subject.selected().filter(|id| id.index() < clip.nodes.len()));
    }
    if joints.is_empty() {
        joints = ends(clip);
    }
    if joints.is_empty() {
        joints.extend(clip.root_motion_node());
    }
    joints.truncate(MOST_JOINTS);
    joints
}

/// The ends of limbs: those that the recording calls so, else where bones lead to and none goes on;
/// without bones, all that moves.
fn ends(clip: &Clip) -> Vec<NodeId> {
    let all = |is_one: &dyn Fn(NodeId, &Node) -> bool| -> Vec<NodeId> {
        let found = clip.nodes.with_ids().filter(|(id, node)| is_one(*id, node));
        found.map(|(id, _)| id).collect()
    };
    let tips = all(&|_, node| node.kind == NodeKind::Tip);
    if !tips.is_empty() {
        return tips;
    }
    if clip.is_loose() {
        return all(&|_, node| node.kind == NodeKind::Joint && node.motion.moves());
    }
    let begins: HashSet<NodeId> = clip.nodes.iter().filter_map(|node| node.bone_from).collect();
    all(&|id, node| {
        let is_end = node.bone_from.is_some() && !begins.contains(&id);
        is_end && node.kind == NodeKind::Joint
    })
}

/// The greatest speed of any joint within `window`, in metres a second.
fn fastest(trails: &Trails, window: &RangeInclusive<f64>) -> f32 {
    let joints = 0..trails.joints().len();
    let pieces = joints.flat_map(|joint| trails.pieces(joint, window));
    pieces.flat_map(|piece| piece.points).map(|point| point.speed).fold(0.0, f32::max)
}

/// The next of 1, 2, 5, 10, … from `speed` on: colours keep their meaning while the window moves.
fn round_up(speed: f32) -> f32 {
    const LEAST: f32 = 0.01;
    let speed = if speed.is_finite() { speed.max(LEAST) } else { LEAST };
    let power = 10_f32.powf(speed.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= speed * 0.999).unwrap_or(speed)
}

/// The settings that trails are drawn with.
struct Pen<'a> {
    trails: &'a Trails,
    staged: &'a Staged,
    /// Whether all that carries the joints over the ground is taken off.
    in_place: bool,
    window: &'a RangeInclusive<f64>,
    now: f64,
    fastest: f32,
}

impl Pen<'_> {
    /// Draws the trail of every joint, and its keys.
    fn draw(&self, lines: &mut TrailLines, marks: &mut Gizmos<StageMarks>, camera: &Transform) {
        for joint in 0..self.trails.joints().len() {
            self.runs(joint).iter().for_each(|run| lines.draw(run));
            let keys = self.trails.keys(joint, self.window);
            for &key in keys.iter().filter(|_| keys.len() <= MOST_DOTS) {
                let Some(point) = self.trails.at(joint, key).filter(TrailPoint::is_shown) else {
                    continue;
                };
                let place = self.place(point, self.trails.carried_at(key));
                let radius = DOT * camera.translation.distance(place);
                let around = Isometry3d::new(place, camera.rotation);
                marks.circle(around, radius, self.color(key, point.speed)).resolution(8);
            }
        }
    }

    /// The runs of a joint's trail between which it is hidden: places, colours, and how far from now
    /// they are.
    fn runs(&self, joint: usize) -> Vec<Vec<(Vec3, Color, f32)>> {
        let mut runs: Vec<Vec<(Vec3, Color, f32)>> = vec![Vec::new()];
        let mut end = None;
        for TrailPiece { start, points, carried } in self.trails.pieces(joint, self.window) {
            // Between pieces that were sampled, one may be missing.
            let follows = end.is_some_and(|end: f64| (start - end).abs() < 1.5 * Trails::INTERVAL);
            if !follows {
                runs.push(Vec::new());
            }
            for (index, point) in points.iter().enumerate() {
                let time = start + index as f64 * Trails::INTERVAL;
                end = Some(time);
                match runs.last_mut() {
                    Some(run) if point.is_shown() => {
                        let place = self.place(*point, carried.get(index).copied());
                        run.push((
                            place,
                            self.color(time, point.speed),
                            self.distance_from_now(time),
                        ));
                    }
                    Some(run) if run.is_empty() => {}
                    _ => runs.push(Vec::new()),
                }
            }
        }
        runs.retain(|run| run.len() > 1);
        runs
    }

    /// Where on the stage a joint is drawn while the root_motion_node is at `carried`.
    fn place(&self, point: TrailPoint, carried: Option<[f32; 3]>) -> Vec3 {
        let in_world = |place: [f32; 3]| Vec3::from_array(place).as_dvec3() + self.trails.origin();
        let place = in_world(point.place);
        let staged = self.staged;
        // The stage takes off how far it has gone now; it had gone another way then.
        match carried.filter(|_| self.in_place) {
            Some(carried) => staged.point(place + staged.gone - staged.gone_to(in_world(carried))),
            None => staged.point(place),
        }
    }

    /// The colour of a speed, fainter the farther from now.
    fn color(&self, time: f64, speed: f32) -> Color {
        let part = self.distance_from_now(time);
        color_of(speed / self.fastest).with_alpha(1.0 - part * (1.0 - LEAST_ALPHA))
    }

    /// How far from now a time is: from 0 to 1, the end of the window.
    fn distance_from_now(&self, time: f64) -> f32 {
        let reach = if time < self.now {
            self.now - self.window.start()
        } else {
            self.window.end() - self.now
        };
        ((time - self.now).abs() / reach.max(1e-6)).min(1.0) as f32
    }
}

/// The colour of a speed, as a part of the greatest.
pub fn color_of(part: f32) -> Color {
    let steps = (part.clamp(0.0, 1.0)) * (SPEEDS.len() - 1) as f32;
    let left = (steps as usize).min(SPEEDS.len() - 2);
    SPEEDS[left].mix(&SPEEDS[left + 1], steps - left as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        recording::RecordingNode,
        stage::{
            View,
            measure::measure,
            testing::{on_stage, sample_clip},
        },
    };

    #[test]
    fn speed_scale_is_a_round_number() {
        let cases =
            [(0.0, 0.01), (0.3, 0.5), (1.0, 1.0), (1.2, 2.0), (7.0, 10.0), (f32::NAN, 0.01)];
        for (speed, round) in cases {
            assert!((round_up(speed) - round).abs() < 1e-4 * round, "{speed}: {}", round_up(speed));
        }
    }

    #[test]
    fn pinned_joints_come_before_the_selected_one_and_that_before_tips() {
        let names = |selected: Option<usize>, pinned: &[usize]| -> Vec<String> {
            on_stage(sample_clip(), View::default(), 0.0, |subject| {
                let node = |&index| RecordingNode::new(subject.entity, NodeId::new(index));
                let mut view = View { selected: selected.as_ref().map(node), ..View::default() };
                view.motion_trail.pinned = pinned.iter().map(node).collect();
                let joints = joints(&Subject { view: &view, ..*subject });
                joints.iter().map(|&id| subject.clip().nodes[id].name.clone()).collect()
            })
        };
        assert_eq!(names(None, &[]).len(), 10, "{:?}", names(None, &[]));
        assert_eq!(names(Some(3), &[]), [sample_clip().nodes[NodeId::new(3)].name.clone()]);
        assert_eq!(names(Some(3), &[5, 7, 99_999]).len(), 2);
    }

    #[test]
    fn limb_ends_are_leaf_bones_or_all_nodes() {
        let names = |bytes: &[u8], extension| -> Vec<String> {
            let clip = mutoscope_core::formats::decode(
                bytes,
                &mutoscope_core::formats::DecodeRequest {
                    extension: Some(extension),
                    ..mutoscope_core::formats::DecodeRequest::default()
                },
            )
            .unwrap();
            ends(&clip).into_iter().map(|id| clip.nodes[id].name.clone()).collect()
        };
        let walk = names(include_bytes!("../../assets/maya/walk-with-hat.anim"), "anim");
        assert_eq!(walk, ["brim", "L_fingers", "R_fingers", "L_toe", "R_toe"]);
        let lanterns = names(include_bytes!("../../assets/animj/lantern-show.animj"), "animj");
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
        let pen = Pen { trails, staged, in_place: false, window, now: 1.0, fastest: 1.0 };
        // It is lost between 1.5 and 2 seconds.
        let runs = pen.runs(0);
        assert_eq!(runs.len(), 2, "{:?}", runs.iter().map(Vec::len).collect::<Vec<_>>());
        let alphas: Vec<f32> = runs[0].iter().map(|(_, color, _)| color.alpha()).collect();
        let nearest = alphas.iter().copied().fold(0.0, f32::max);
        assert!(nearest > 0.98 && alphas[0] < 0.2, "{alphas:?}");
    }

    #[test]
    fn in_place_trails_match_the_drawn_body() {
        let bytes = include_bytes!("../../assets/maya/walk-with-hat.anim");
        let clip = mutoscope_core::formats::decode(
            bytes,
            &mutoscope_core::formats::DecodeRequest::default().named("x.anim"),
        )
        .unwrap();
        let root_motion_node = clip.root_motion_node().unwrap();
        let foot = clip.nodes.with_ids().find(|(_, node)| node.name.contains("Foot"));
        let foot = foot.or_else(|| clip.nodes.with_ids().last()).unwrap().0;
        let mut trails = Trails::new(&clip, vec![root_motion_node, foot]);
        let all = clip.span.start..=clip.span.end();
        assert!(trails.prepare(&clip, &all, 100));
        let mut pose = mutoscope_core::clip::Pose::default();
        let mut staged = Staged { bounds: measure(&clip), ..Staged::default() };
        clip.sample(clip.span.end(), &mut pose);
        staged.gone = staged.gone_in(&clip, &pose);
        assert!(staged.gone.length() > 1.0, "the sample walks: {}", staged.gone);
        let now = clip.span.end();
        let in_place = |in_place| Pen {
            trails: &trails,
            staged: &staged,
            in_place,
            window: &all,
            now,
            fastest: 1.0,
        };
        let runs = |pen: &Pen<'_>| [0, 1].map(|joint| pen.runs(joint).concat());
        let [carried, of_foot] = runs(&in_place(true));
        let start = carried[0].0;
        let spread = |places: &[(Vec3, Color, f32)]| {
            let from = places[0].0.with_y(0.0);
            places.iter().map(|(place, ..)| place.with_y(0.0).distance(from)).fold(0.0, f32::max)
        };
        assert!(carried.iter().all(|(place, ..)| place.with_y(start.y).distance(start) < 1e-4));
        assert!(carried.iter().any(|(place, ..)| (place.y - start.y).abs() > 1e-3), "it bobs");
        for (index, (place, ..)) in of_foot.iter().enumerate() {
            clip.sample(clip.span.start + index as f64 * Trails::INTERVAL, &mut pose);
            let there = pose.nodes[foot.index()].world.translation;
            let drawn = there - staged.bounds.origin - staged.gone_in(&clip, &pose);
            assert!(place.distance(drawn.as_vec3()) < 1e-4, "{index}: {place} {drawn}");
        }
        let [_, in_world] = runs(&in_place(false));
        assert!(spread(&of_foot) < 0.6 * spread(&in_world), "a loop, and not a way");
    }
}
