//! Draws palms, which make five fingers a hand.

use bevy::{
    camera::visibility::NoFrustumCulling,
    ecs::hierarchy::ChildSpawnerCommands,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::{
    appearance::PartAssets,
    hand_skin::SkinCoveredJoints,
    look::TintedMaterials,
    subject::{Painted, PartContext, Presence, Subject, Subjects, visibility_if},
};
use crate::{Recording, RecordingNode};
use mutoscope_core::clip::NodeId;
use mutoscope_view::figure::{BONE_RADIUS, Palm, PalmEdge, PalmSurface, find_palms};

#[derive(Component, Clone, Debug)]
pub(super) struct PalmPart {
    wrist: RecordingNode,
    palm: Palm,
    /// The radius of the adjacent bones, in metres.
    radius: f32,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    parts: &PartContext<'_>,
    assets: &mut PartAssets<'_>,
) {
    for palm in find_palms(parts.clip) {
        let (wrist, materials) = (palm.wrist, palm_materials(parts, &palm));
        let thickest = palm.fingers.iter().map(|finger| parts.bone_radius(finger.knuckle));
        let radius = thickest.fold(0.0, f32::max).min(BONE_RADIUS * parts.size);
        root.spawn((
            Name::new("palm"),
            Mesh3d(assets.meshes.add(collapsed_mesh(PalmSurface::triangles(palm.fingers.len())))),
            MeshMaterial3d(materials.solid.clone()),
            Painted { node: parts.node_ref(wrist), materials, glow_signal: None },
            PalmPart { wrist: parts.node_ref(wrist), palm, radius },
            NoFrustumCulling,
            Visibility::Hidden,
        ));
    }
}

pub(super) fn palm_materials(parts: &PartContext<'_>, palm: &Palm) -> TintedMaterials {
    parts.material_set.bone(parts.clip.nodes[palm.fingers[1].knuckle].side).clone()
}

pub(super) fn collapsed_mesh(triangles: Vec<u32>) -> Mesh {
    let points = triangles.iter().max().map_or(0, |last| *last as usize + 1);
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; points])
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0_f32, 1.0, 0.0]; points])
        .with_inserted_indices(Indices::U32(triangles))
}

pub(super) fn shape_palms(
    mut palms: Query<(&PalmPart, &Mesh3d, &mut Visibility), Without<Recording>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut surface: Local<PalmSurface>,
    covered: Res<SkinCoveredJoints>,
    subjects: Subjects,
) {
    for (part, mesh, mut visibility) in &mut palms {
        let Some(subject) = subjects.get(part.wrist.recording) else { continue };
        let edges = palm_edges(&subject, part, &covered);
        visibility.set_if_neq(visibility_if(edges.is_some()));
        let Some(((wrist, edges), mut mesh)) = edges.zip(meshes.get_mut(&mesh.0)) else { continue };
        surface.update(wrist, &edges, part.radius);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, surface.positions.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, surface.normals.clone());
    }
}

fn palm_edges(
    subject: &Subject<'_>,
    part: &PalmPart,
    covered: &SkinCoveredJoints,
) -> Option<(Vec3, Vec<PalmEdge>)> {
    if !subject.view.bones || subject.is_replaced(part.palm.wrist) || covered.contains(part.wrist) {
        return None;
    }
    let position_of = joint_positions(subject, part.palm.wrist);
    let wrist = position_of(part.palm.wrist)?;
    let edges = part.palm.fingers.iter().map(|finger| {
        let base = finger.base.map(|base| position_of(base).ok_or(())).transpose().ok()?;
        Some(PalmEdge::new(wrist, base, position_of(finger.knuckle)?, finger.is_thumb))
    });
    Some((wrist, edges.collect::<Option<Vec<_>>>()?))
}

pub(super) fn joint_positions(
    subject: &Subject<'_>,
    wrist: NodeId,
) -> impl Fn(NodeId) -> Option<Vec3> {
    let may_show = !subject.view.model || wrist.index() >= subject.clip().model_node_count();
    move |node| {
        let is_there = may_show && subject.presence(node) != Presence::Gone;
        is_there.then(|| subject.staged.to_local(subject.pose()[node].world.translation))
    }
}
