//! Where in the window everything is: for labels and picking.

use bevy::prelude::*;

use super::{
    ScreenPoint, StageCamera, StageScreen, Tag, TagPoint, areas,
    subject::{Subject, Subjects},
};
use mutoscope_core::clip::NodeId;

/// Notes where every node is in the viewport.
pub(super) fn note_places(
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
    let seen = |place: Vec3| {
        let position = camera.world_to_viewport(from, place).ok()?;
        let inside = camera.logical_viewport_rect()?.contains(position);
        let distance = from.translation().distance(place);
        inside.then_some(ScreenPoint { position, distance })
    };
    let point = |subject: &Subject<'_>, id| {
        seen(subject.staged.point(subject.drawn(id)?.world.translation))
    };
    screen.points.retain(|recording, _| subjects.get(*recording).is_some());
    for subject in subjects.iter() {
        let points = screen.points.entry(subject.entity).or_default();
        points.clear();
        let nodes = (0..subject.pose().nodes.len()).map(NodeId::new);
        points.extend(nodes.map(|id| point(&subject, id)));
    }
    screen.tags.clear();
    let shown =
        tags.iter().filter(|(tag, _, visibility)| visibility.get() && !tag.text().is_empty());
    let words = |(tag, place, _): (&Tag, &GlobalTransform, _)| {
        Some(TagPoint { text: tag.text().clone(), at: seen(place.translation())? })
    };
    screen.tags.extend(shown.filter_map(words));
    screen.tags.extend(areas::tags(&subjects, seen));
}
