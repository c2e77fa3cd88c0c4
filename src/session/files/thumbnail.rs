//! Draws a recording as a small line drawing.

use std::sync::Arc;

use glam::{DQuat, DVec2, DVec3};

use crate::capture::{evenly_spaced_times, representative_time};
use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Pose, Side},
    retarget::Retargeting,
};
use mutoscope_view::figure::{MovingParts, PartPositions, Parts};

/// A line drawing of a recording, in a square from (0, 0) at the top left to (1, 1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thumbnail {
    /// The pose at the most representative time.
    pub still: Arc<[Stroke]>,
    /// The frames of the motion. The list is empty if the path of the recording is drawn instead.
    pub frames: Arc<[Arc<[Stroke]>]>,
}

/// A line, or a dot if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The start and the end of the line.
    pub ends: [[f32; 2]; 2],
    /// The side of the body.
    pub side: Option<Side>,
}

const FRAME_COUNT: usize = 16;
const MOTION_SAMPLES: usize = 64;
const PATH_SAMPLES: usize = 240;
/// If a step between two samples is longer than this, in metres, it is a teleport and is not drawn.
const MAX_STEP_M: f64 = 8.0;
/// The yaw about Y and the pitch above the horizon, in degrees, from which poses are drawn. The
/// stage starts with the same angles.
const VIEW_ANGLES_DEG: (f64, f64) = (150.0, 20.0);

/// A line in metres and the side of the body, before it is scaled to the square.
type Line = ([DVec2; 2], Option<Side>);

impl Thumbnail {
    /// Draws `clip` as a figure. Procedural clips with root motion, such as Minecraft recordings,
    /// are drawn as their path seen from above. Retargeted clips are procedural too, but they show
    /// a body.
    pub fn from_clip(clip: &Clip) -> Self {
        let is_path = clip.procedural.is_some() && clip.procedural_as::<Retargeting>().is_none();
        match clip.root_motion_node().filter(|_| is_path) {
            Some(root_motion_node) => Self::draw_path(clip, root_motion_node),
            None => Self::draw_figure(clip),
        }
    }

    fn draw_figure(clip: &Clip) -> Self {
        let between = clip.span.start..=clip.span.end();
        let root_motion_node = clip.root_motion_node();
        let (parts, moving) =
            find_moving_parts(clip, evenly_spaced_times(between.clone(), MOTION_SAMPLES));
        let mut pose = Pose::default();
        let mut lines = |time: f64| {
            clip.sample(time, &mut pose);
            let is_shown = |id: NodeId| moving.includes(parts.part(id), pose[id].world.translation);
            project_pose(clip, &pose, root_motion_node, is_shown)
        };
        let still = lines(representative_time(clip, between.clone()));
        let frames: Vec<_> = evenly_spaced_times(between, FRAME_COUNT).map(lines).collect();
        let square = Square::enclosing(frames.iter().flatten());
        Self {
            // The still image is scaled to fill the square. All frames have the same scale and
            // origin, so that the motion stays visible.
            still: Square::enclosing(&still).strokes(&still),
            frames: frames.iter().map(|lines| square.strokes(lines)).collect(),
        }
    }

    fn draw_path(clip: &Clip, root_motion_node: NodeId) -> Self {
        let mut pose = Pose::default();
        let position = |time: f64| {
            clip.sample(time, &mut pose);
            let node = pose[root_motion_node];
            node.is_visible.then_some(node.world.translation)
        };
        let times = evenly_spaced_times(clip.span.start..=clip.span.end(), PATH_SAMPLES);
        let positions: Vec<Option<DVec3>> = times.map(position).collect();
        let on_map = |position: DVec3| DVec2::new(position.x, position.z);
        let step = |pair: &[Option<DVec3>]| {
            let (from, to) = (pair[0]?, pair[1]?);
            let is_step = from.distance(to) <= MAX_STEP_M;
            is_step.then(|| ([on_map(from), on_map(to)], None))
        };
        let lines: Vec<Line> = positions.windows(2).filter_map(step).collect();
        let still = Square::enclosing(&lines).strokes(&lines);
        Self { still, frames: Arc::default() }
    }
}

fn find_moving_parts(clip: &Clip, times: impl Iterator<Item = f64>) -> (Parts, MovingParts) {
    let parts = Parts::from_clip(clip);
    let mut positions = PartPositions::default();
    let mut pose = Pose::default();
    for time in times {
        clip.sample(time, &mut pose);
        let drawn = (0..clip.nodes.len()).map(NodeId::new).filter(|id| is_drawn(clip, &pose, *id));
        positions.push(drawn.map(|id| (parts.part(id), pose[id].world.translation)));
    }
    let moving = positions.find_moving_parts();
    (parts, moving)
}

fn is_drawn(clip: &Clip, pose: &Pose, id: NodeId) -> bool {
    let kind = clip.nodes[id].kind;
    kind.is_skeleton_part() && kind != NodeKind::Ray && pose[id].is_visible
}

fn project_pose(
    clip: &Clip,
    pose: &Pose,
    root_motion_node: Option<NodeId>,
    is_shown: impl Fn(NodeId) -> bool,
) -> Vec<Line> {
    let (yaw, pitch) = VIEW_ANGLES_DEG;
    let turned =
        DQuat::from_rotation_x(pitch.to_radians()) * DQuat::from_rotation_y(-yaw.to_radians());
    let offset = root_motion_node.map_or(DVec3::ZERO, |root_motion_node| {
        let position = pose[root_motion_node].world.translation;
        if position.is_finite() { DVec3::new(position.x, 0.0, position.z) } else { DVec3::ZERO }
    });
    let project = |id: NodeId| {
        let position = turned * (pose[id].world.translation - offset);
        (is_drawn(clip, pose, id) && is_shown(id)).then_some(DVec2::new(position.x, -position.y))
    };
    let line = |(id, node): (NodeId, &mutoscope_core::clip::Node)| {
        let end = project(id)?;
        let from = node.bone_from.and_then(project).unwrap_or(end);
        Some(([from, end], node.side))
    };
    clip.nodes.with_ids().filter_map(line).collect()
}

struct Square {
    centre: DVec2,
    size: f64,
}

impl Square {
    fn enclosing<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for position in
            lines.into_iter().flat_map(|(ends, _)| ends).filter(|position| position.is_finite())
        {
            min = min.min(*position);
            max = max.max(*position);
        }
        if min.x > max.x {
            return Self { centre: DVec2::ZERO, size: 1.0 };
        }
        let size = (max - min).max_element();
        let middle = min + (max - min) / 2.0;
        Self { centre: middle, size: if size > 0.0 && size.is_finite() { size } else { 1.0 } }
    }

    fn strokes(&self, lines: &[Line]) -> Arc<[Stroke]> {
        let place = |place: DVec2| {
            let place = (place - self.centre) / self.size + 0.5;
            place.is_finite().then(|| place.as_vec2().to_array())
        };
        let stroke =
            |&([from, to], side): &Line| Some(Stroke { ends: [place(from)?, place(to)?], side });
        lines.iter().filter_map(stroke).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::samples::SAMPLES;
    use mutoscope_core::{
        formats::{Fit, ReadOptions, decode},
        io::bytes::NoSidecars,
        skeleton_file::LoadedSkeleton,
    };

    fn thumbnail(bytes: &[u8], rig: Option<&LoadedSkeleton>) -> Thumbnail {
        let clip = match rig {
            None => decode(bytes, &ReadOptions::from(crate::registry())),
            Some(rig) => {
                decode(bytes, &ReadOptions::from(crate::registry()).with_skeleton(rig.clone()))
            }
        };
        Thumbnail::from_clip(&clip.unwrap().with_placeholder_offsets())
    }

    #[test]
    fn thumbnails_stay_within_their_square() {
        for sample in SAMPLES {
            let thumbnail = thumbnail(sample.bytes, sample.load_skeleton().as_ref());
            assert!(!thumbnail.still.is_empty(), "{}", sample.name);
            for stroke in
                thumbnail.still.iter().chain(thumbnail.frames.iter().flat_map(|f| f.iter()))
            {
                let inside = |part: &f32| (-1e-6..=1.000_001).contains(part);
                assert!(stroke.ends.iter().flatten().all(inside), "{}: {stroke:?}", sample.name);
            }
        }
    }

    #[test]
    fn left_hand_is_on_the_right_when_facing_the_viewer() {
        let thumbnail = thumbnail(include_bytes!("../../../assets/mrtk/two-hands.bin"), None);
        let mean = |side: Side| {
            let strokes_of_side = thumbnail.still.iter().filter(|stroke| stroke.side == Some(side));
            let across: Vec<f32> = strokes_of_side.map(|stroke| stroke.ends[1][0]).collect();
            across.iter().sum::<f32>() / across.len() as f32
        };
        assert!(mean(Side::Left) > mean(Side::Right) + 0.2);
        assert_eq!(thumbnail.frames.len(), FRAME_COUNT);
    }

    #[test]
    fn paths_are_drawn_from_above_without_frames() {
        let thumbnail =
            thumbnail(include_bytes!("../../../assets/mcmocap/a-day.mcmocap_rec"), None);
        assert!(thumbnail.frames.is_empty());
        assert!(thumbnail.still.len() > 100, "{}", thumbnail.still.len());
    }

    #[test]
    fn retargeted_bodies_are_drawn_upright() {
        let avatar = include_bytes!("../../../tests/data/characters/boxes.vrm");
        let registry = crate::registry();
        let skeleton = registry.decode_skeleton(avatar, "boxes.vrm", &NoSidecars).unwrap();
        let options = ReadOptions { fit: Fit::ByBones, ..ReadOptions::from(registry) };
        let walk = include_bytes!("../../../tests/data/characters/cmu_names.bvh");
        let clip = decode(&walk[..], &options.with_skeleton(skeleton)).unwrap();
        let thumbnail = Thumbnail::from_clip(&clip);
        assert_eq!(thumbnail.frames.len(), FRAME_COUNT);
        let heights = thumbnail.still.iter().flat_map(|stroke| stroke.ends).map(|[_, y]| y);
        assert!(heights.clone().fold(1.0, f32::min) < 0.2, "the head is near the top");
        assert!(heights.fold(0.0, f32::max) > 0.8, "the feet are near the bottom");
    }

    #[test]
    fn motionless_and_unplaced_recordings_have_thumbnails() {
        let dot = |x: f64, y: f64| ([DVec2::new(x, y); 2], None);
        let strokes = |lines: &[Line]| Square::enclosing(lines).strokes(lines);
        assert_eq!(strokes(&[]).len(), 0);
        assert_eq!(strokes(&[dot(7.0, 7.0)])[0].ends, [[0.5, 0.5]; 2]);
        assert_eq!(strokes(&[dot(0.0, f64::NAN), dot(1.0, 1.0)]).len(), 1);
        let distant = strokes(&[dot(-f64::MAX, 0.0), dot(f64::MAX, 0.0)]);
        assert!(distant.iter().flat_map(|stroke| stroke.ends).flatten().all(f32::is_finite));
    }
}
