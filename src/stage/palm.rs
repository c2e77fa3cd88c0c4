//! Palms: what makes a hand of five fingers.

use bevy::{
    camera::visibility::NoFrustumCulling,
    ecs::hierarchy::ChildSpawnerCommands,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{
    appearance::Workshop,
    model,
    subject::{Painted, Parts, Presence, Subject, Subjects, visible},
};
use crate::{
    clip::NodeId,
    figure::{BONE_RADIUS, Palm, PalmEdge, PalmSurface, palms},
    recording::{Recording, RecordingNode},
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
        let (wrist, side) = (palm.wrist, parts.clip.nodes[palm.fingers[1].knuckle].side);
        let coat = parts.coats.bone(side).clone();
        let thickest = palm.fingers.iter().map(|finger| parts.bone_radius(finger.knuckle));
        let radius = thickest.fold(0.0, f32::max).min(BONE_RADIUS * parts.size);
        root.spawn((
            Name::new("palm"),
            Mesh3d(workshop.meshes.add(mesh(palm.fingers.len()))),
            MeshMaterial3d(coat.solid.clone()),
            Painted { of: parts.of(wrist), coat, glows_with: None },
            PalmPart { wrist: parts.of(wrist), palm, radius },
            NoFrustumCulling,
            Visibility::Hidden,
        ));
    }
}

/// A palm in one point; its points are set when it is first shown.
fn mesh(edges: usize) -> Mesh {
    let triangles = PalmSurface::triangles(edges);
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
    subjects: Subjects,
) {
    for (part, mesh, mut visibility) in &mut palms {
        let Some(subject) = subjects.get(part.wrist.recording) else { continue };
        let edges = edges(&subject, part);
        visibility.set_if_neq(visible(edges.is_some()));
        let Some(((wrist, edges), mut mesh)) = edges.zip(meshes.get_mut(&mesh.0)) else { continue };
        surface.shape(wrist, &edges, part.radius);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, surface.positions.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, surface.normals.clone());
    }
}

/// Where a palm's wrist and edges are, if it is drawn.
fn edges(subject: &Subject<'_>, part: &PalmPart) -> Option<(Vec3, Vec<PalmEdge>)> {
    let wrist = part.palm.wrist;
    let may_show = subject.view.bones && wrist.index() >= model::covered(subject);
    let place = |node: NodeId| {
        let is_there = may_show && subject.presence(node) != Presence::Gone;
        is_there.then(|| subject.staged.local(subject.pose().nodes[node.index()].world.translation))
    };
    let wrist = place(wrist)?;
    let edges = part.palm.fingers.iter().map(|finger| {
        let base = finger.base.map(|base| place(base).ok_or(())).transpose().ok()?;
        Some(PalmEdge::new(wrist, base, place(finger.knuckle)?, finger.is_thumb))
    });
    Some((wrist, edges.collect::<Option<Vec<_>>>()?))
}
