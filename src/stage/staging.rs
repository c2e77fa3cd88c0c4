//! Putting recordings on the stage: parts for every clip, which follow its pose.

use bevy::{math::DVec3, prelude::*};

use super::{
    Look, StageScreen, View,
    appearance::{self, Workshop},
    grid,
    hand_skin::WithinSkin,
    material::Paint,
    measure::measure,
    model,
    subject::{Follows, Painted, Parts, Presence, Staged, Subjects, visible},
};
use crate::recording::{OnClock, Recording, Tint};

/// How thick a tinted recording is, over one in its own colours: where both are at the same place,
/// only the latter is seen.
const TINTED_SIZE: f32 = 0.82;

/// Whether parts have to be moved or painted.
pub(super) fn something_changed(subjects: Subjects) -> bool {
    subjects.is_changed()
}

/// Measures every recording whose clip is another than the one that was measured.
pub(super) fn measure_recordings(mut recordings: Query<(&Recording, &mut Staged)>) {
    for (recording, mut staged) in &mut recordings {
        if staged.measured != Some(recording.revision()) {
            staged.measured = Some(recording.revision());
            staged.bounds = measure(recording.clip());
        }
    }
}

/// Makes the parts of every recording whose clip, tint or origin is another than they were made for.
pub(super) fn stage_recordings(
    mut commands: Commands,
    mut recordings: Query<(Entity, &Recording, &Tint, &mut Staged)>,
    mut workshop: Workshop,
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
        let coats = look.coats(*tint, &mut workshop.paints);
        let thickness = if tint.0.is_some() { TINTED_SIZE } else { 1.0 };
        let parts = Parts {
            recording: entity,
            clip,
            staged: &staged,
            coats: &coats,
            tint: *tint,
            size: staged.bounds.scale as f32 * thickness,
            thickness,
            look: &look,
        };
        let root = (Name::new("Parts"), Transform::default(), Visibility::default());
        let mut root = commands.spawn((root, ChildOf(entity)));
        root.with_children(|root| {
            for one in appearance::of(clip) {
                (one.spawn)(root, &parts, &mut workshop);
            }
        });
        let root = root.id();
        staged.parts = Some(root);
    }
}

/// Lets recordings on one clock share the origin of the first, so that they are drawn where they
/// were recorded relative to each other; tells others how large the grid's squares are.
pub(super) fn share_origins(
    mut recordings: Query<(Entity, &Recording, Option<&OnClock>, &mut Staged)>,
    mut screen: ResMut<StageScreen>,
) {
    let clock = |(entity, on): (Entity, Option<&OnClock>)| on.map_or(entity, |on| on.0);
    let mut all: Vec<_> = recordings
        .iter()
        .map(|(entity, recording, on, staged)| {
            (recording.order(), clock((entity, on)), staged.bounds.origin)
        })
        .collect();
    all.sort_by_key(|(order, ..)| *order);
    for (entity, _, on, mut staged) in &mut recordings {
        let clock = clock((entity, on));
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

/// Removes the parts of what is no recording any more.
pub(super) fn strike(
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

/// Notes where each recording is: its entity, and how far it has gone over the ground since its start
/// if it is to stay in place.
pub(super) fn place_recordings(
    mut recordings: Query<(&Recording, &GlobalTransform, &mut Staged)>,
    view: Res<View>,
) {
    for (recording, space, mut staged) in &mut recordings {
        let gone = match view.in_place {
            true => staged.gone_in(recording.clip(), recording.pose()),
            false => DVec3::ZERO,
        };
        if staged.gone != gone && gone.is_finite() {
            staged.gone = gone;
        }
        if staged.space != *space {
            staged.space = *space;
        }
    }
}

/// Moves parts to where their nodes are.
pub(super) fn follow(
    mut parts: Query<(&Follows, &mut Transform, &mut Visibility), Without<Recording>>,
    within: Res<WithinSkin>,
    subjects: Subjects,
) {
    for (Follows { of, size }, mut transform, mut visibility) in &mut parts {
        let Some(subject) = subjects.get(of.recording) else { continue };
        let is_covered = of.node.index() < model::covered(&subject) || within.hides(*of);
        let node = subject.drawn(of.node).filter(|_| !is_covered);
        visibility.set_if_neq(visible(node.is_some()));
        if let Some(node) = node {
            let place = subject.staged.local_transform(&node.world);
            *transform = place.with_scale(Vec3::splat(*size));
        }
    }
}

/// Gives parts the materials that they should have.
pub(super) fn paint(
    mut parts: Query<(&Painted, &mut MeshMaterial3d<Paint>)>,
    subjects: Subjects,
    look: Res<Look>,
) {
    for (painted, mut material) in &mut parts {
        let Some(subject) = subjects.get(painted.of.recording) else { continue };
        let glows = painted.glows_with.is_some_and(|signal| subject.is_on(signal));
        let wanted = match subject.presence(painted.of.node) {
            Presence::Faded => &painted.coat.faded,
            _ if glows => &look.pinch,
            _ => &painted.coat.solid,
        };
        if material.0 != *wanted {
            material.0 = wanted.clone();
        }
    }
}
