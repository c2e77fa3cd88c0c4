//! Lines: where players look, where they went, what they clicked at, cracks and beds.

use bevy::{math::DVec3, prelude::*};

use super::playing;
use crate::{
    clip,
    formats::mcmocap::{PoseName, Take},
    player::Player,
    stage::{
        CameraMode, Staged, View,
        look::rgb,
        overlay::{LINES_LAYER, StageLines},
    },
};
use bevy::camera::visibility::RenderLayers;

const LOOK: Color = rgb(0x7fe3c4);
const TRAIL: Color = rgb(0x8b93a1);
const CLICK: Color = rgb(0xffb454);
const CRACK: Color = rgb(0xf2c14e);
const BED: Color = rgb(0xff7a90);

/// How far the look is drawn, in metres: as far as a player reaches.
const REACH: f32 = 4.5;

/// For how many ticks a click is seen.
const CLICK_TICKS: u32 = 10;

/// The trail has so many corners at most.
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
        let points = run.iter().map(|point| (*point - staged.survey.origin).as_vec3());
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
pub(super) fn draw_players(
    mut lines: Gizmos<StageLines>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let place = |point: DVec3| (point - staged.survey.origin - staged.gone).as_vec3();
    for (take, frame) in playing(&player) {
        let Take { recording, placement, .. } = take;
        if *recording.player.pose.at(frame) == PoseName::Sleeping
            && let Some(bed) = *recording.player.bed.at(frame)
            && let Some(cells) = placement.block(bed)
        {
            // A bed is as high as nine sixteenths of a block.
            const HEIGHT: f64 = 0.5625;
            let size = cells.size() * DVec3::new(1.0, HEIGHT, 1.0);
            let middle = place(cells.min + size / 2.0);
            lines.primitive_3d(&Cuboid::from_size(size.as_vec3()), middle, BED);
        }
        if view.camera == CameraMode::Head || !recording.is_player_shown(frame) {
            continue;
        }
        let moment = recording.moment(take.cue.local(player.pose().time).unwrap_or_default());
        let (eyes, turn) = take.eyes(moment);
        let from = place(eyes);
        let ahead = turn.as_quat() * Vec3::NEG_Z;
        lines.line_gradient(from, from + ahead * REACH, LOOK, LOOK.with_alpha(0.0));
    }
}

/// The eyes of the first player who is there: where they are and, along −Z, where they look; in the
/// viewer's space.
pub(in crate::stage) fn eyes(player: &Player) -> Option<clip::Transform> {
    let time = player.pose().time;
    let there = |(take, frame): &(&Take, u32)| take.recording.is_player_shown(*frame);
    let (take, _) = playing(player).find(there)?;
    let (translation, rotation) = take.eyes(take.moment(time)?);
    Some(clip::Transform { translation, rotation, ..clip::Transform::IDENTITY })
}

/// Draws cracks and clicks.
pub(super) fn draw_blocks(mut lines: Gizmos<StageLines>, player: Res<Player>, staged: Res<Staged>) {
    let place = |point: DVec3| (point - staged.survey.origin - staged.gone).as_vec3();
    for (take, frame) in playing(&player) {
        let Take { recording, placement, .. } = take;
        let scale = placement.scale() as f32;
        for crack in recording.blocks.open_cracks(frame) {
            let progress = f32::from(crack.progress.unwrap_or(0) + 1) / 10.0;
            let Some(cells) = placement.block(crack.place) else { continue };
            let (size, at) = (cells.size().as_vec3() * 1.01, place(cells.middle()));
            let color = CRACK.with_alpha(0.3 + 0.7 * progress);
            lines.primitive_3d(&Cuboid::from_size(size), at, color);
            let shrunk = Cuboid::from_size(size * (1.0 - 0.6 * progress));
            lines.primitive_3d(&shrunk, at, CRACK.with_alpha(0.5));
        }
        let begun = recording.uses.partition_point(|&(at, _)| at + CLICK_TICKS < frame);
        for (at, click) in recording.uses[begun..].iter().take_while(|(at, _)| *at <= frame) {
            let age = (frame - at) as f32 / CLICK_TICKS as f32;
            let sphere = Sphere::new((0.05 + 0.12 * age) * scale);
            let at = place(placement.point(click.position));
            lines.primitive_3d(&sphere, at, CLICK.with_alpha(1.0 - age)).resolution(12);
        }
    }
}
