//! Lines: where the player looks, where he went, what he clicked at, cracks and his bed.

use bevy::{math::DVec3, prelude::*};

use super::{blocks::middle, playing};
use crate::{
    formats::mcmocap::{PoseName, Recording},
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

/// Where the player went, on the ground.
pub(super) fn trail(
    recording: &Recording,
    staged: &Staged,
    assets: &mut Assets<GizmoAsset>,
) -> impl Bundle + use<> {
    let mut lines = GizmoAsset::default();
    for run in runs(recording) {
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
fn runs(recording: &Recording) -> Vec<Vec<DVec3>> {
    let path = &recording.player.path;
    let above = |point: DVec3| point + DVec3::Y * ABOVE_GROUND;
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

/// Draws the player's look, and the bed he sleeps in.
pub(super) fn draw_player(
    mut lines: Gizmos<StageLines>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let Some((recording, frame)) = playing(&player) else { return };
    let place = |point: DVec3| (point - staged.survey.origin - staged.gone).as_vec3();
    if *recording.player.pose.at(frame) == PoseName::Sleeping
        && let Some(bed) = *recording.player.bed.at(frame)
    {
        let middle = middle(bed) - DVec3::Y * 0.22;
        let size = Vec3::new(1.0, 0.56, 1.0);
        lines.primitive_3d(&Cuboid::from_size(size), place(middle), BED);
    }
    if view.camera == CameraMode::Head || !recording.is_player_shown(frame) {
        return;
    }
    if let Some(eyes) = eyes(&player) {
        let from = place(eyes.translation);
        let ahead = eyes.rotation.as_quat() * Vec3::NEG_Z;
        lines.line_gradient(from, from + ahead * REACH, LOOK, LOOK.with_alpha(0.0));
    }
}

/// The player's eyes: where they are and, along −Z, where they look; in the viewer's space.
pub(in crate::stage) fn eyes(player: &Player) -> Option<crate::clip::Transform> {
    let (recording, frame) = playing(player)?;
    let moment = recording.moment(player.pose().time);
    let height = recording.player.pose.at(frame).eye_height();
    let translation = recording.player.path.value(moment).position + DVec3::Y * height;
    let head = super::node(player.clip()?, "player/head")?;
    let head = player.pose().nodes.get(head.index())?;
    head.world.is_finite().then_some(crate::clip::Transform { translation, ..head.world })
}

/// Draws cracks and clicks.
pub(super) fn draw_blocks(mut lines: Gizmos<StageLines>, player: Res<Player>, staged: Res<Staged>) {
    let Some((recording, frame)) = playing(&player) else { return };
    let place = |point: DVec3| (point - staged.survey.origin - staged.gone).as_vec3();
    for crack in recording.blocks.open_cracks(frame) {
        let progress = f32::from(crack.progress.unwrap_or(0) + 1) / 10.0;
        let size = Vec3::splat(1.01);
        lines.primitive_3d(
            &Cuboid::from_size(size),
            place(middle(crack.place)),
            CRACK.with_alpha(0.3 + 0.7 * progress),
        );
        let shrunk = Cuboid::from_size(size * (1.0 - 0.6 * progress));
        lines.primitive_3d(&shrunk, place(middle(crack.place)), CRACK.with_alpha(0.5));
    }
    let begun = recording.uses.partition_point(|&(at, _)| at + CLICK_TICKS < frame);
    for (at, click) in recording.uses[begun..].iter().take_while(|(at, _)| *at <= frame) {
        let age = (frame - at) as f32 / CLICK_TICKS as f32;
        let sphere = Sphere::new(0.05 + 0.12 * age);
        lines
            .primitive_3d(&sphere, place(click.position), CLICK.with_alpha(1.0 - age))
            .resolution(12);
    }
}
