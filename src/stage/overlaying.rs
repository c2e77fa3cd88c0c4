//! How far recordings are moved to be laid over others.

use std::collections::HashMap;

use bevy::{math::DVec3, prelude::*};

use super::{motion_bounds::MotionBounds, subject::Staged};
use crate::recording::{Displacement, Overlay, Recording};
use mutoscope_core::measure::compare::Placement;

/// How much room side by side leaves, over what both take up.
const ROOM: f64 = 1.15;

/// Notes how far each recording is moved: by its own [`Displacement`], and by that of the one it is
/// laid over.
pub(super) fn displace(
    mut recordings: Query<(Entity, &Recording, &Displacement, Option<&Overlay>, &mut Staged)>,
) {
    let mut in_order: Vec<_> =
        recordings.iter().map(|(entity, one, ..)| (one.order(), entity)).collect();
    in_order.sort();
    let mut totals: HashMap<Entity, DVec3> = HashMap::new();
    // How much room is taken to the right of each base.
    let mut taken: HashMap<Entity, f64> = HashMap::new();
    for (_, entity) in in_order {
        let Ok((_, _, displacement, overlay, staged)) = recordings.get(entity) else { continue };
        let mut total = displacement.0;
        if let Some(overlay) = overlay
            && let Ok((.., base)) = recordings.get(overlay.base)
        {
            let bounds = [&base.bounds, &staged.bounds];
            total += totals.get(&overlay.base).copied().unwrap_or_default();
            total += onto(overlay, bounds);
            if overlay.placement == Placement::SideBySide {
                total += aside(taken.entry(overlay.base).or_default(), bounds);
            }
        }
        totals.insert(entity, total);
    }
    for (entity, .., mut staged) in &mut recordings {
        let total = totals.get(&entity).copied().filter(|total| total.is_finite());
        let total = total.unwrap_or_default();
        if staged.displacement != total {
            staged.displacement = total;
        }
    }
}

/// How far a recording is moved to be at the place of its base, if it is to be there.
fn onto(overlay: &Overlay, [base, own]: [&MotionBounds; 2]) -> DVec3 {
    let middle = |bounds: &MotionBounds| {
        let [least, most] = bounds.bounds();
        (least + most) / 2.0
    };
    // Matched joints tell better than boxes.
    let onto = || overlay.mean.map_or_else(|| middle(base) - middle(own), |mean| -mean);
    match overlay.placement {
        Placement::AsRecorded => DVec3::ZERO,
        Placement::Aligned => onto(),
        // Both are on one floor.
        Placement::SideBySide => onto() * DVec3::new(1.0, 0.0, 1.0),
    }
}

/// How far it is moved from there to the right of its base, and of what is there already.
fn aside(taken: &mut f64, [base, own]: [&MotionBounds; 2]) -> DVec3 {
    let right = match base.heading {
        DVec3::ZERO => DVec3::X,
        heading => heading.cross(DVec3::Y),
    };
    let [base, own] = [base, own].map(|bounds| bounds.extent(right));
    let from = if *taken == 0.0 { 0.5 * base } else { *taken };
    let way = right * (from + 0.5 * own) * ROOM;
    *taken = from + own;
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{measure::measure, testing::sample_clip};

    #[test]
    fn side_by_side_is_right_of_the_base_without_overlap() {
        let bounds = measure(&sample_clip());
        let mut taken = 0.0;
        let [first, second] = [(); 2].map(|()| aside(&mut taken, [&bounds, &bounds]));
        // The right of a person who faces −Z is +X.
        assert!(first.x > bounds.extent(DVec3::X) && first.y == 0.0, "{first}");
        assert!(first.x > 5.0 * first.z.abs(), "{first}");
        assert!(second.x > first.x + bounds.extent(DVec3::X), "{second}");
    }

    #[test]
    fn aligned_placement_removes_the_mean_distance() {
        let bounds = measure(&sample_clip());
        let mean = DVec3::new(3.0, 1.0, -2.0);
        let moved = |placement, mean| {
            onto(&Overlay { base: Entity::PLACEHOLDER, placement, mean }, [&bounds, &bounds])
        };
        assert_eq!(moved(Placement::AsRecorded, Some(mean)), DVec3::ZERO);
        assert_eq!(moved(Placement::Aligned, Some(mean)), -mean);
        let expected = DVec3::new(-3.0, 0.0, 2.0);
        assert_eq!(moved(Placement::SideBySide, Some(mean)), expected, "on one floor");
        assert_eq!(moved(Placement::Aligned, None), DVec3::ZERO, "the middles are the same");
    }
}
