//! Computes window positions of nodes and labels, for labelling and picking.

use bevy::prelude::*;

use super::{
    ScreenPoint, StageCamera, StageScreen, Tag, TagPoint, areas,
    subject::{Subject, Subjects},
};
use mutoscope_core::clip::NodeId;

pub(super) fn update_screen(
    mut screen: ResMut<StageScreen>,
    camera: Single<(Ref<Camera>, Ref<GlobalTransform>), With<StageCamera>>,
    tags: Query<(&Tag, &GlobalTransform, &InheritedVisibility)>,
    subjects: Subjects,
) {
    let (camera, from) = &*camera;
    if !camera.is_changed() && !from.is_changed() && !subjects.is_changed() {
        return;
    }
    screen.camera_rotation = from.rotation();
    let to_screen = |world_position: Vec3| {
        let position = camera.world_to_viewport(from, world_position).ok()?;
        let inside = camera.logical_viewport_rect()?.contains(position);
        let distance = from.translation().distance(world_position);
        inside.then_some(ScreenPoint { position, distance })
    };
    let point = |subject: &Subject<'_>, id| {
        to_screen(subject.staged.to_world(subject.drawn_pose(id)?.world.translation))
    };
    screen.points.retain(|recording, _| subjects.get(*recording).is_some());
    for subject in subjects.iter() {
        let points = screen.points.entry(subject.entity).or_default();
        points.clear();
        let nodes = (0..subject.pose().nodes.len()).map(NodeId::new);
        points.extend(nodes.map(|id| point(&subject, id)));
    }
    screen.tags.clear();
    let visible_tags =
        tags.iter().filter(|(tag, _, visibility)| visibility.get() && !tag.text().is_empty());
    let tag_point = |(tag, transform, _): (&Tag, &GlobalTransform, _)| {
        Some(TagPoint { text: tag.text().clone(), point: to_screen(transform.translation())? })
    };
    screen.tags.extend(visible_tags.filter_map(tag_point));
    screen.tags.extend(areas::area_tags(&subjects, to_screen));
}
