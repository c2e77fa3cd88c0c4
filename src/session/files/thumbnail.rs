//! Thumbnails: a recording in a few strokes.

use std::sync::Arc;

use glam::{DQuat, DVec2, DVec3};

use crate::capture::{spread, telling_moment};
use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Pose, Side},
    measure::figure::{MovingParts, PartPlaces, Parts},
};

/// A recording in a few strokes, within a square from (0, 0), the top left, to (1, 1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thumbnail {
    /// The most representative moment.
    pub still: Arc<[Stroke]>,
    /// The frames of its motion; empty if its path is drawn instead.
    pub frames: Arc<[Arc<[Stroke]>]>,
}

/// A line, or a dot where both ends are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// From where to where.
    pub ends: [[f32; 2]; 2],
    /// The side of the body that it is on.
    pub side: Option<Side>,
}

/// How many moments are drawn.
const FRAMES: usize = 16;
/// How many moments tell what moves.
const MEASURED: usize = 64;
/// How many places of a way are looked at.
const STEPS: usize = 240;
/// Steps longer than this, in metres, are teleports.
const LONGEST_STEP: f64 = 8.0;
/// Degrees about Y and above the horizon that poses are drawn from: as the stage shows them first.
const FROM: (f64, f64) = (150.0, 20.0);

/// A stroke before it is known how large the square is.
type Line = ([DVec2; 2], Option<Side>);

impl Thumbnail {
    /// Draws `clip`: as a figure, or as its path seen from above, if it travels far.
    pub fn of(clip: &Clip) -> Self {
        match (&clip.procedural, clip.root_motion_node()) {
            (Some(_), Some(root_motion_node)) => Self::of_way(clip, root_motion_node),
            _ => Self::of_figure(clip),
        }
    }

    fn of_figure(clip: &Clip) -> Self {
        let between = clip.span.start..=clip.span.end();
        let root_motion_node = clip.root_motion_node();
        let (parts, moving) = moving(clip, spread(between.clone(), MEASURED));
        let mut pose = Pose::default();
        let mut lines = |time: f64| {
            clip.sample(time, &mut pose);
            let counts = |id: NodeId| {
                moving.counts(parts.part(id), pose.nodes[id.index()].world.translation)
            };
            figure(clip, &pose, root_motion_node, counts)
        };
        let still = lines(telling_moment(clip, between.clone()));
        let frames: Vec<_> = spread(between, FRAMES).map(lines).collect();
        let square = Square::around(frames.iter().flatten());
        Self {
            // It fills its square by itself; what moves needs room to do so.
            still: Square::around(&still).strokes(&still),
            frames: frames.iter().map(|lines| square.strokes(lines)).collect(),
        }
    }

    fn of_way(clip: &Clip, root_motion_node: NodeId) -> Self {
        let mut pose = Pose::default();
        let place = |time: f64| {
            clip.sample(time, &mut pose);
            let node = pose.nodes[root_motion_node.index()];
            node.shown.then_some(node.world.translation)
        };
        let times = spread(clip.span.start..=clip.span.end(), STEPS);
        let places: Vec<Option<DVec3>> = times.map(place).collect();
        let on_map = |place: DVec3| DVec2::new(place.x, place.z);
        let step = |pair: &[Option<DVec3>]| {
            let (from, to) = (pair[0]?, pair[1]?);
            let is_step = from.distance(to) <= LONGEST_STEP;
            is_step.then(|| ([on_map(from), on_map(to)], None))
        };
        let lines: Vec<Line> = places.windows(2).filter_map(step).collect();
        let still = Square::around(&lines).strokes(&lines);
        Self { still, frames: Arc::default() }
    }
}

/// The moving parts of `clip`, by the positions of its nodes at these times.
fn moving(clip: &Clip, times: impl Iterator<Item = f64>) -> (Parts, MovingParts) {
    let parts = Parts::of(clip);
    let mut places = PartPlaces::default();
    let mut pose = Pose::default();
    for time in times {
        clip.sample(time, &mut pose);
        let shown = (0..clip.nodes.len()).map(NodeId::new).filter(|id| is_drawn(clip, &pose, *id));
        places.push(shown.map(|id| (parts.part(id), pose.nodes[id.index()].world.translation)));
    }
    let moving = places.moving();
    (parts, moving)
}

fn is_drawn(clip: &Clip, pose: &Pose, id: NodeId) -> bool {
    let kind = clip.nodes[id].kind;
    kind.is_of_the_skeleton() && kind != NodeKind::Ray && pose.nodes[id.index()].shown
}

/// The bones of a pose, and dots for joints that have none, over the place where its root_motion_node stands.
fn figure(
    clip: &Clip,
    pose: &Pose,
    root_motion_node: Option<NodeId>,
    counts: impl Fn(NodeId) -> bool,
) -> Vec<Line> {
    let (yaw, pitch) = FROM;
    let turned =
        DQuat::from_rotation_x(pitch.to_radians()) * DQuat::from_rotation_y(-yaw.to_radians());
    let gone = root_motion_node.map_or(DVec3::ZERO, |root_motion_node| {
        let place = pose.nodes[root_motion_node.index()].world.translation;
        if place.is_finite() { DVec3::new(place.x, 0.0, place.z) } else { DVec3::ZERO }
    });
    let seen = |id: NodeId| {
        let place = turned * (pose.nodes[id.index()].world.translation - gone);
        (is_drawn(clip, pose, id) && counts(id)).then_some(DVec2::new(place.x, -place.y))
    };
    let line = |(id, node): (NodeId, &mutoscope_core::clip::Node)| {
        let here = seen(id)?;
        let from = node.bone_from.and_then(seen).unwrap_or(here);
        Some(([from, here], node.side))
    };
    clip.nodes.with_ids().filter_map(line).collect()
}

/// The square that everything is drawn in.
struct Square {
    middle: DVec2,
    size: f64,
}

impl Square {
    fn around<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let (mut least, mut most) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for place in lines.into_iter().flat_map(|(ends, _)| ends).filter(|place| place.is_finite())
        {
            least = least.min(*place);
            most = most.max(*place);
        }
        if least.x > most.x {
            return Self { middle: DVec2::ZERO, size: 1.0 };
        }
        let size = (most - least).max_element();
        let middle = least + (most - least) / 2.0;
        Self { middle, size: if size > 0.0 && size.is_finite() { size } else { 1.0 } }
    }

    fn strokes(&self, lines: &[Line]) -> Arc<[Stroke]> {
        let place = |place: DVec2| {
            let place = (place - self.middle) / self.size + 0.5;
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
    use crate::session::SAMPLES;
    use mutoscope_core::{
        formats::{self, DecodeRequest},
        rig::Rig,
    };

    fn thumbnail(bytes: &[u8], rig: Option<&Rig>) -> Thumbnail {
        let clip = match rig {
            None => formats::decode(bytes, &DecodeRequest::default()),
            Some(rig) => formats::decode(bytes, &DecodeRequest::default().rig(rig)),
        };
        Thumbnail::of(&clip.unwrap().with_placeholder_offsets())
    }

    #[test]
    fn thumbnails_stay_within_their_square() {
        for sample in SAMPLES {
            let thumbnail = thumbnail(sample.bytes, sample.rig().as_ref());
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
        let mean = |wanted: Side| {
            let of_side = thumbnail.still.iter().filter(|stroke| stroke.side == Some(wanted));
            let across: Vec<f32> = of_side.map(|stroke| stroke.ends[1][0]).collect();
            across.iter().sum::<f32>() / across.len() as f32
        };
        assert!(mean(Side::Left) > mean(Side::Right) + 0.2);
        assert_eq!(thumbnail.frames.len(), FRAMES);
    }

    #[test]
    fn paths_are_drawn_from_above_without_frames() {
        let thumbnail =
            thumbnail(include_bytes!("../../../assets/mcmocap/a-day.mcmocap_rec"), None);
        assert!(thumbnail.frames.is_empty());
        assert!(thumbnail.still.len() > 100, "{}", thumbnail.still.len());
    }

    #[test]
    fn motionless_and_unplaced_recordings_have_thumbnails() {
        let at = |x: f64, y: f64| ([DVec2::new(x, y); 2], None);
        let drawn = |lines: &[Line]| Square::around(lines).strokes(lines);
        assert_eq!(drawn(&[]).len(), 0);
        assert_eq!(drawn(&[at(7.0, 7.0)])[0].ends, [[0.5, 0.5]; 2]);
        assert_eq!(drawn(&[at(0.0, f64::NAN), at(1.0, 1.0)]).len(), 1);
        let far = drawn(&[at(-f64::MAX, 0.0), at(f64::MAX, 0.0)]);
        assert!(far.iter().flat_map(|s| s.ends).flatten().all(f32::is_finite));
    }
}
