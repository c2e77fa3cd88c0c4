//! Lines: looks and paths of players, clicks, cracks and beds.

use bevy::{math::DVec3, prelude::*};

use super::{playing, scene};
use crate::stage::{
    CameraMode,
    look::rgb,
    overlay::{LINES_LAYER, StageLines},
    subject::{Staged, Subject, Subjects},
};
use bevy::camera::visibility::RenderLayers;
use mutoscope_core::clip::{self, Clip, Pose};
use mutoscope_minecraft::{PoseName, Take};

const LOOK: Color = rgb(0x7fe3c4);
const TRAIL: Color = rgb(0x8b93a1);
const CLICK: Color = rgb(0xffb454);
const CRACK: Color = rgb(0xf2c14e);
const BED: Color = rgb(0xff7a90);

/// How far the look is drawn, in metres: as far as a player reaches.
const REACH: f32 = 4.5;

/// For how many ticks a click is seen.
const CLICK_TICKS: u32 = 10;

/// The trail has this many corners at most.
const CORNERS: usize = 20_000;

/// So high above the ground the trail runs, in metres.
const ABOVE_GROUND: f64 = 0.03;

/// Where a player went, on the ground.
pub(super) fn trail(
    take: &Take,
    staged: &Staged,
    assets: &mut Assets<GizmoAsset>,
) -> impl Bundle + use<> {
    let mut lines = GizmoAsset::default();
    for run in runs(take) {
        let points = run.iter().map(|point| (*point - staged.bounds.origin).as_vec3());
        lines.linestrip(points, TRAIL);
    }
    let gizmo = Gizmo {
        handle: assets.add(lines),
        line_config: GizmoLineConfig { width: 1.5, ..default() },
        ..default()
    };
    (Name::new("Trail"), gizmo, RenderLayers::layer(LINES_LAYER), Transform::default())
}

/// The ways between jumps, thinned.
fn runs(take: &Take) -> Vec<Vec<DVec3>> {
    let Take { recording, placement, .. } = take;
    let path = &recording.player.path;
    let above = |point: DVec3| placement.point(point) + DVec3::Y * ABOVE_GROUND;
    let mut runs = vec![vec![above(recording.start.position)]];
    let every = path.positions().len().div_ceil(CORNERS).max(1);
    for (index, &position) in path.positions().iter().enumerate() {
        if recording.is_parked(path.frames()[index]) {
            continue;
        }
        if path.is_jump(index) {
            runs.push(vec![above(position)]);
        } else if index % every == 0
            && let Some(run) = runs.last_mut()
        {
            run.push(above(position));
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// Draws where players look, and the beds they sleep in.
pub(super) fn draw_players(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    for subject in subjects.iter().filter(Subject::is_visible) {
        for (take, frame) in playing(subject.recording) {
            draw_bed(&subject, take, frame, &mut lines);
            draw_look(&subject, take, frame, &mut lines);
        }
    }
}

fn draw_bed(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    // A bed is as high as nine sixteenths of a block.
    const HEIGHT: f64 = 0.5625;
    let player = &take.recording.player;
    if *player.pose.at(frame) == PoseName::Sleeping
        && let Some(bed) = *player.bed.at(frame)
        && let Some(cells) = take.placement.block(bed)
    {
        let size = cells.size() * DVec3::new(1.0, HEIGHT, 1.0);
        let middle = subject.staged.point(cells.min + size / 2.0);
        lines.primitive_3d(&Cuboid::from_size(size.as_vec3()), middle, BED);
    }
}

fn draw_look(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    if subject.view.camera == CameraMode::Head || !take.recording.is_player_shown(frame) {
        return;
    }
    let time = take.cue.local(subject.pose().time).unwrap_or_default();
    let (eyes, turn) = take.eyes(take.recording.moment(time));
    let from = subject.staged.point(eyes);
    let ahead = subject.staged.vector(turn * DVec3::NEG_Z);
    lines.line_gradient(from, from + ahead * REACH, LOOK, LOOK.with_alpha(0.0));
}

/// The eyes of the first player who is there: where they are and, along −Z, where they look; in the
/// viewer's space.
pub(super) fn eyes(clip: &Clip, pose: &Pose) -> Option<clip::Transform> {
    let moments =
        scene(clip)?.takes.iter().filter_map(|take| Some((take, take.moment(pose.time)?)));
    let mut there = moments.filter(|(take, at)| take.recording.is_player_shown(at.frame));
    let (take, moment) = there.next()?;
    let (translation, rotation) = take.eyes(moment);
    Some(clip::Transform { translation, rotation, ..clip::Transform::IDENTITY })
}

/// Draws cracks and clicks.
pub(super) fn draw_blocks(mut lines: Gizmos<StageLines>, subjects: Subjects) {
    for subject in subjects.iter().filter(Subject::is_visible) {
        for (take, frame) in playing(subject.recording) {
            draw_cracks(&subject, take, frame, &mut lines);
            draw_clicks(&subject, take, frame, &mut lines);
        }
    }
}

fn draw_cracks(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    for crack in take.recording.blocks.open_cracks(frame) {
        let progress = f32::from(crack.progress.unwrap_or(0) + 1) / 10.0;
        let Some(cells) = take.placement.block(crack.place) else { continue };
        let (size, at) = (cells.size().as_vec3() * 1.01, subject.staged.point(cells.middle()));
        let color = CRACK.with_alpha(0.3 + 0.7 * progress);
        lines.primitive_3d(&Cuboid::from_size(size), at, color);
        let shrunk = Cuboid::from_size(size * (1.0 - 0.6 * progress));
        lines.primitive_3d(&shrunk, at, CRACK.with_alpha(0.5));
    }
}

fn draw_clicks(subject: &Subject<'_>, take: &Take, frame: u32, lines: &mut Gizmos<StageLines>) {
    let Take { recording, placement, .. } = take;
    let begun = recording.uses.partition_point(|&(at, _)| at + CLICK_TICKS < frame);
    for (at, click) in recording.uses[begun..].iter().take_while(|(at, _)| *at <= frame) {
        let age = (frame - at) as f32 / CLICK_TICKS as f32;
        let sphere = Sphere::new((0.05 + 0.12 * age) * placement.scale() as f32);
        let at = subject.staged.point(placement.point(click.position));
        lines.primitive_3d(&sphere, at, CLICK.with_alpha(1.0 - age)).resolution(12);
    }
}
