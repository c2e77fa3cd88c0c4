//! Where in the window everything is: for labels and picking.

use bevy::prelude::*;

use super::{
    ScreenPoint, StageCamera, StageScreen, Staged, Tag, TagPoint, View,
    staged::{Presence, presence},
};
use crate::{clip::NodeId, player::Player};

/// Notes where every node is in the picture.
pub(super) fn note_places(
    mut screen: ResMut<StageScreen>,
    camera: Single<(Ref<Camera>, Ref<GlobalTransform>), With<StageCamera>>,
    tags: Query<(&Tag, &GlobalTransform, &InheritedVisibility)>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let (camera, from) = &*camera;
    let changed = camera.is_changed()
        || from.is_changed()
        || player.is_changed()
        || view.is_changed()
        || staged.is_changed();
    if !changed {
        return;
    }
    screen.camera_rotation = from.rotation();
    let nodes = player.clip().map_or(0, |_| player.pose().nodes.len());
    screen.points.clear();
    let seen = |place: Vec3| {
        let position = camera.world_to_viewport(from, place).ok()?;
        let inside = camera.logical_viewport_rect()?.contains(position);
        let distance = from.translation().distance(place);
        inside.then_some(ScreenPoint { position, distance })
    };
    let point = |id| {
        if presence(&player, &view, id) == Presence::Gone {
            return None;
        }
        seen(staged.place(&player.pose().nodes[id.index()].world).translation)
    };
    screen.points.extend((0..nodes).map(NodeId::new).map(point));
    screen.tags.clear();
    let shown =
        tags.iter().filter(|(tag, _, visibility)| visibility.get() && !tag.text().is_empty());
    let words = |(tag, place, _): (&Tag, &GlobalTransform, _)| {
        Some(TagPoint { text: tag.text().clone(), at: seen(place.translation())? })
    };
    screen.tags.extend(shown.filter_map(words));
}
