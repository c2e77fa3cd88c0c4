//! Palms: what makes a hand of five fingers.

use bevy::{
    camera::visibility::NoFrustumCulling,
    ecs::hierarchy::ChildSpawnerCommands,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{
    appearance::Workshop,
    hand_skin::WithinSkin,
    look::TintedMaterials,
    model,
    subject::{Painted, Parts, Presence, Subject, Subjects, visible},
};
use crate::recording::{Recording, RecordingNode};
use mutoscope_core::{
    clip::NodeId,
    measure::figure::{BONE_RADIUS, Palm, PalmEdge, PalmSurface, palms},
};

/// The palm of a hand, reshaped as its joints move.
#[derive(Component, Clone, Debug)]
pub(super) struct PalmPart {
    wrist: RecordingNode,
    palm: Palm,
    /// The radius of the bones that it is between, in metres.
    radius: f32,
}

/// The palms of all hands of a recording.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    parts: &Parts<'_>,
    workshop: &mut Workshop<'_>,
) {
    for palm in palms(parts.clip) {
        let (wrist, coat) = (palm.wrist, coat(parts, &palm));
        let thickest = palm.fingers.iter().map(|finger| parts.bone_radius(finger.knuckle));
        let radius = thickest.fold(0.0, f32::max).min(BONE_RADIUS * parts.size);
        root.spawn((
            Name::new("palm"),
            Mesh3d(workshop.meshes.add(mesh(PalmSurface::triangles(palm.fingers.len())))),
            MeshMaterial3d(coat.solid.clone()),
            Painted { of: parts.of(wrist), coat, glows_with: None },
            PalmPart { wrist: parts.of(wrist), palm, radius },
            NoFrustumCulling,
            Visibility::Hidden,
        ));
    }
}

/// The materials of a hand's palm.
pub(super) fn coat(parts: &Parts<'_>, palm: &Palm) -> TintedMaterials {
    parts.coats.bone(parts.clip.nodes[palm.fingers[1].knuckle].side).clone()
}

/// A surface in one point; its points are set when it is first shown.
pub(super) fn mesh(triangles: Vec<u32>) -> Mesh {
    let points = triangles.iter().max().map_or(0, |last| *last as usize + 1);
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; points])
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0_f32, 1.0, 0.0]; points])
        .with_inserted_indices(Indices::U32(triangles))
}

/// Shapes the visible palms.
pub(super) fn shape(
    mut palms: Query<(&PalmPart, &Mesh3d, &mut Visibility), Without<Recording>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut surface: Local<PalmSurface>,
    within: Res<WithinSkin>,
    subjects: Subjects,
) {
    for (part, mesh, mut visibility) in &mut palms {
        let Some(subject) = subjects.get(part.wrist.recording) else { continue };
        let edges = edges(&subject, part, &within);
        visibility.set_if_neq(visible(edges.is_some()));
        let Some(((wrist, edges), mut mesh)) = edges.zip(meshes.get_mut(&mesh.0)) else { continue };
        surface.shape(wrist, &edges, part.radius);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, surface.positions.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, surface.normals.clone());
    }
}

/// Where a palm's wrist and edges are, if it is drawn: not within a skin.
fn edges(
    subject: &Subject<'_>,
    part: &PalmPart,
    within: &WithinSkin,
) -> Option<(Vec3, Vec<PalmEdge>)> {
    if !subject.view.bones || within.hides(part.wrist) {
        return None;
    }
    let place = places(subject, part.palm.wrist);
    let wrist = place(part.palm.wrist)?;
    let edges = part.palm.fingers.iter().map(|finger| {
        let base = finger.base.map(|base| place(base).ok_or(())).transpose().ok()?;
        Some(PalmEdge::new(wrist, base, place(finger.knuckle)?, finger.is_thumb))
    });
    Some((wrist, edges.collect::<Option<Vec<_>>>()?))
}

/// Where joints of the hand with this wrist are, as far as they are drawn.
pub(super) fn places(subject: &Subject<'_>, wrist: NodeId) -> impl Fn(NodeId) -> Option<Vec3> {
    let may_show = wrist.index() >= model::covered(subject);
    move |node| {
        let is_there = may_show && subject.presence(node) != Presence::Gone;
        is_there.then(|| subject.staged.local(subject.pose().nodes[node.index()].world.translation))
    }
}
