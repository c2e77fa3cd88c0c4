//! Lines: the looks and trails of players, clicks, cracks and beds.

use bevy::{math::DVec3, prelude::*};

use super::{playing_takes, scene};
use crate::stage::{
    CameraMode,
    look::rgb,
    overlay::{LINES_LAYER, StageLines},
    subject::{Staged, Subject, Subjects},
};
use bevy::camera::visibility::RenderLayers;
use mutoscope_core::clip::{self, Clip, Pose};
use mutoscope_minecraft::{PoseName, Take};

const LOOK_COLOR: Color = rgb(0x7fe3c4);
const TRAIL_COLOR: Color = rgb(0x8b93a1);
const CLICK_COLOR: Color = rgb(0xffb454);
const CRACK_COLOR: Color = rgb(0xf2c14e);
const BED_COLOR: Color = rgb(0xff7a90);

/// The length of the line that shows where a player looks, in metres. A player can reach a block at
/// this distance.
const LOOK_LENGTH: f32 = 4.5;

const CLICK_TICKS: u32 = 10;

const MAX_TRAIL_POINTS: usize = 20_000;

/// The height of a trail above the ground, in metres, so that the ground does not hide it.
const TRAIL_HEIGHT: f64 = 0.03;

pub(super) fn trail_bundle(
    take: &Take,
    staged: &Staged,
    assets: &mut Assets<GizmoAsset>,
) -> impl Bundle + use<> {
    let mut lines = GizmoAsset::default();
    for run in continuous_paths(take) {
        let points = run.iter().map(|point| (*point - staged.bounds.origin).as_vec3());
        lines.linestrip(points, TRAIL_COLOR);
    }
    let gizmo = Gizmo {
        handle: assets.add(lines),
        line_config: GizmoLineConfig { width: 1.5, ..default() },
        ..default()
    };
    (Name::new("Trail"), gizmo, RenderLayers::layer(LINES_LAYER), Transform::default())
}

fn continuous_paths(take: &Take) -> Vec<Vec<DVec3>> {
    let Take { recording, placement, .. } = take;
    let path = &recording.player.path;
    let above_ground = |point: DVec3| placement.transform_point(point) + DVec3::Y * TRAIL_HEIGHT;
    let mut continuous_paths = vec![vec![above_ground(recording.start.position)]];
    let step = path.positions().len().div_ceil(MAX_TRAIL_POINTS).max(1);
    for (index, &position) in path.positions().iter().enumerate() {
        if recording.is_parked(path.frames()[index]) {
            continue;
        }
        if path.is_jump(index) {
            continuous_paths.push(vec![above_ground(position)]);
        } else if index % step == 0
            && let Some(run) = continuous_paths.last_mut()
        {
            run.push(above_ground(position));
        }
    }
    continuous_paths.retain(|run| run.len() > 1);
    continuous_paths
}

pub(super) fn draw_looks_and_beds(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    for subject in subjects.iter().filter(Subject::is_visible) {
        for (take, frame) in playing_takes(subject.recording) {
            draw_bed(&subject, take, frame, &mut lines);
            draw_look(&subject, take, frame, &mut lines);
        }
    }
}

fn draw_bed(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    // A bed is nine sixteenths of a block high.
    const HEIGHT: f64 = 0.5625;
    let player = &take.recording.player;
    if *player.pose.at_frame(frame) == PoseName::Sleeping
        && let Some(bed) = *player.bed.at_frame(frame)
        && let Some(cells) = take.placement.block_bounds(bed)
    {
        let size = cells.size() * DVec3::new(1.0, HEIGHT, 1.0);
        let middle = subject.staged.to_world(cells.min + size / 2.0);
        lines.primitive_3d(&Cuboid::from_size(size.as_vec3()), middle, BED_COLOR);
    }
}

fn draw_look(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    if subject.view.camera == CameraMode::Head || !take.recording.is_player_shown(frame) {
        return;
    }
    let time = take.cue.local_time(subject.pose().time).unwrap_or_default();
    let (eyes, turn) = take.eye_transform(take.recording.sample_time(time));
    let from = subject.staged.to_world(eyes);
    let ahead = subject.staged.to_world_vector(turn * DVec3::NEG_Z);
    lines.line_gradient(from, from + ahead * LOOK_LENGTH, LOOK_COLOR, LOOK_COLOR.with_alpha(0.0));
}

/// Returns the position and rotation of the eyes of the first player who is present, in the
/// viewer's space. The player looks along −Z.
pub(super) fn eye_transform(clip: &Clip, pose: &Pose) -> Option<clip::Transform> {
    let moments =
        scene(clip)?.takes.iter().filter_map(|take| Some((take, take.sample_time(pose.time)?)));
    let mut present = moments.filter(|(take, moment)| take.recording.is_player_shown(moment.frame));
    let (take, moment) = present.next()?;
    let (translation, rotation) = take.eye_transform(moment);
    Some(clip::Transform { translation, rotation, ..clip::Transform::IDENTITY })
}

pub(super) fn draw_cracks_and_clicks(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    for subject in subjects.iter().filter(Subject::is_visible) {
        for (take, frame) in playing_takes(subject.recording) {
            draw_cracks(&subject, take, frame, &mut lines);
            draw_clicks(&subject, take, frame, &mut lines);
        }
    }
}

fn draw_cracks(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    for crack in take.recording.blocks.open_cracks(frame) {
        let progress = f32::from(crack.progress.unwrap_or(0) + 1) / 10.0;
        let Some(cells) = take.placement.block_bounds(crack.position) else { continue };
        let (size, centre) =
            (cells.size().as_vec3() * 1.01, subject.staged.to_world(cells.centre()));
        let color = CRACK_COLOR.with_alpha(0.3 + 0.7 * progress);
        lines.primitive_3d(&Cuboid::from_size(size), centre, color);
        let shrunk = Cuboid::from_size(size * (1.0 - 0.6 * progress));
        lines.primitive_3d(&shrunk, centre, CRACK_COLOR.with_alpha(0.5));
    }
}

fn draw_clicks(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    let Take { recording, placement, .. } = take;
    let first =
        recording.uses.partition_point(|&(frame_of_use, _)| frame_of_use + CLICK_TICKS < frame);
    for (click_frame, click) in
        recording.uses[first..].iter().take_while(|(click_frame, _)| *click_frame <= frame)
    {
        let age = (frame - click_frame) as f32 / CLICK_TICKS as f32;
        let sphere = Sphere::new((0.05 + 0.12 * age) * placement.scale() as f32);
        let centre = subject.staged.to_world(placement.transform_point(click.hit_position));
        lines.primitive_3d(&sphere, centre, CLICK_COLOR.with_alpha(1.0 - age)).resolution(12);
    }
}
