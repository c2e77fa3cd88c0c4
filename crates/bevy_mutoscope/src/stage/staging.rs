//! Spawns the parts of every recording, and moves them with its pose.

use bevy::{math::DVec3, prelude::*};

use super::Tint;
use super::{
    Look, StagePlugin, StageScreen, View,
    appearance::{self, PartAssets},
    grid,
    hand_skin::SkinCoveredJoints,
    mannequin::BodyPart,
    material::Paint,
    measure::measure,
    subject::{FollowsNode, Painted, PartContext, Presence, Staged, Subjects, visibility_if},
};
use crate::{FollowsClock, Recording, clock::clock_of};

/// The thickness of a tinted recording, relative to a recording in its own colours. If both are at
/// the same position, the thinner recording is hidden inside the other.
const TINTED_THICKNESS: f32 = 0.82;

pub(super) fn something_changed(subjects: Subjects) -> bool {
    subjects.is_changed()
}

/// Gives joints without a recorded position a placeholder offset.
pub(super) fn add_placeholder_offsets(mut recordings: Query<&mut Recording, Changed<Recording>>) {
    for mut recording in &mut recordings {
        // Do not change a recording again. Otherwise it would change in every frame.
        if !recording.has_placeholder_offsets() {
            recording.add_placeholder_offsets();
        }
    }
}

pub(super) fn measure_recordings(
    mut recordings: Query<(&Recording, &mut Staged)>,
    plugin: Res<StagePlugin>,
) {
    for (recording, mut staged) in &mut recordings {
        if staged.measured_revision != Some(recording.revision()) {
            staged.measured_revision = Some(recording.revision());
            staged.bounds = measure(recording.clip(), plugin.figures);
            if !plugin.recenters {
                staged.bounds.move_origin(DVec3::ZERO);
            }
        }
    }
}

pub(super) fn stage_recordings(
    mut commands: Commands,
    mut recordings: Query<(Entity, &Recording, &Tint, &mut Staged)>,
    mut assets: PartAssets,
    look: Res<Look>,
) {
    for (entity, recording, tint, mut staged) in &mut recordings {
        let made_for = Some((recording.revision(), *tint, staged.bounds.origin));
        if staged.made_for == made_for {
            continue;
        }
        let clip = recording.clip();
        staged.made_for = made_for;
        if let Some(parts) = staged.parts.take() {
            commands.entity(parts).despawn();
        }
        let material_set = look.material_set_for(*tint, &mut assets.paints);
        let thickness = if tint.0.is_some() { TINTED_THICKNESS } else { 1.0 };
        let parts = PartContext {
            recording: entity,
            clip,
            staged: &staged,
            material_set: &material_set,
            tint: *tint,
            size: staged.bounds.scale as f32 * thickness,
            thickness,
            look: &look,
        };
        let root = (Name::new("Parts"), Transform::default(), Visibility::default());
        let mut root = commands.spawn((root, ChildOf(entity)));
        root.with_children(|root| {
            for appearance in appearance::appearances_of(clip, staged.bounds.figures) {
                (appearance.spawn)(root, &parts, &mut assets);
            }
        });
        let root = root.id();
        staged.parts = Some(root);
    }
}

/// Gives all recordings on one clock the origin of the first recording, so that their recorded
/// relative positions are kept. Also stores the size of the grid's squares in [`StageScreen`].
pub(super) fn share_origins(
    mut recordings: Query<(Entity, &Recording, Option<&FollowsClock>, &mut Staged)>,
    mut screen: ResMut<StageScreen>,
) {
    let mut all: Vec<_> = recordings
        .iter()
        .map(|(entity, recording, on, staged)| {
            (recording.order(), clock_of(entity, on), staged.bounds.origin)
        })
        .collect();
    all.sort_by_key(|(order, ..)| *order);
    for (entity, _, on, mut staged) in &mut recordings {
        let clock = clock_of(entity, on);
        let shared = all.iter().find(|(_, of, _)| *of == clock).map(|(.., origin)| *origin);
        if let Some(origin) = shared.filter(|origin| *origin != staged.bounds.origin) {
            staged.bounds.move_origin(origin);
        }
    }
    let reference = recordings.iter().min_by_key(|(_, recording, ..)| recording.order());
    if let Some((.., staged)) = reference {
        let square = grid::metres_per_square(&staged.bounds);
        if screen.metres_per_square != square {
            screen.metres_per_square = square;
        }
    }
}

pub(super) fn despawn_parts(
    removed: On<Remove, Recording>,
    mut commands: Commands,
    mut staged: Query<&mut Staged>,
) {
    if let Ok(mut staged) = staged.get_mut(removed.entity)
        && let Some(parts) = std::mem::take(&mut *staged).parts
    {
        commands.entity(parts).try_despawn();
    }
}

pub(super) fn update_spaces(
    mut recordings: Query<(&Recording, &GlobalTransform, &mut Staged)>,
    view: Res<View>,
) {
    for (recording, space, mut staged) in &mut recordings {
        let gone = match view.in_place {
            true => staged.root_motion_in(recording.clip(), recording.pose()),
            false => DVec3::ZERO,
        };
        if staged.removed_root_motion != gone && gone.is_finite() {
            staged.removed_root_motion = gone;
        }
        if staged.space != *space {
            staged.space = *space;
        }
    }
}

pub(super) fn move_parts(
    mut parts: Query<(&FollowsNode, &mut Transform, &mut Visibility), Without<Recording>>,
    covered: Res<SkinCoveredJoints>,
    subjects: Subjects,
) {
    for (FollowsNode { node, size }, mut transform, mut visibility) in &mut parts {
        let Some(subject) = subjects.get(node.recording) else { continue };
        let is_covered = subject.is_replaced(node.node) || covered.contains(*node);
        let pose = subject.drawn_pose(node.node).filter(|_| !is_covered);
        visibility.set_if_neq(visibility_if(pose.is_some()));
        if let Some(pose) = pose {
            let local = subject.staged.to_local_transform(&pose.world);
            *transform = local.with_scale(Vec3::splat(*size));
        }
    }
}

pub(super) fn update_materials(
    mut parts: Query<(&Painted, Has<BodyPart>, &mut MeshMaterial3d<Paint>)>,
    subjects: Subjects,
    look: Res<Look>,
) {
    for (painted, is_body_part, mut material) in &mut parts {
        let Some(subject) = subjects.get(painted.node.recording) else { continue };
        let is_glowing = painted.glow_signal.is_some_and(|signal| subject.is_signal_on(signal));
        let is_selected = is_body_part && subject.selected() == Some(painted.node.node);
        let new_material = match subject.presence(painted.node.node) {
            Presence::Faded => &painted.materials.faded,
            _ if is_glowing => &look.pinch,
            _ if is_selected => &look.selected,
            _ => &painted.materials.solid,
        };
        if material.0 != *new_material {
            material.0 = new_material.clone();
        }
    }
}
