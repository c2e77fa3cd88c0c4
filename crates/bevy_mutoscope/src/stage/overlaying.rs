//! Computes how far recordings are moved to lay them over others.

use std::collections::HashMap;

use bevy::{math::DVec3, prelude::*};

use super::{motion_bounds::MotionBounds, subject::Staged};
use crate::{Recording, stage::Displacement, stage::Overlay};
use mutoscope_core::measure::compare::Placement;

const SPACING_FACTOR: f64 = 1.15;

pub(super) fn compute_displacements(
    mut recordings: Query<(Entity, &Recording, &Displacement, Option<&Overlay>, &mut Staged)>,
) {
    let mut in_order: Vec<_> =
        recordings.iter().map(|(entity, recording, ..)| (recording.order(), entity)).collect();
    in_order.sort();
    let mut totals: HashMap<Entity, DVec3> = HashMap::new();
    // The width to the right of each base that recordings already occupy, in metres.
    let mut occupied: HashMap<Entity, f64> = HashMap::new();
    for (_, entity) in in_order {
        let Ok((_, _, displacement, overlay, staged)) = recordings.get(entity) else { continue };
        let mut total = displacement.0;
        if let Some(overlay) = overlay
            && let Ok((.., base)) = recordings.get(overlay.base)
        {
            let bounds = [&base.bounds, &staged.bounds];
            total += totals.get(&overlay.base).copied().unwrap_or_default();
            total += alignment_offset(overlay, bounds);
            if overlay.placement == Placement::SideBySide {
                let occupied = occupied.entry(overlay.base).or_default();
                total += side_by_side_offset(occupied, overlay.right, bounds);
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

fn alignment_offset(overlay: &Overlay, [base, own]: [&MotionBounds; 2]) -> DVec3 {
    let middle = |bounds: &MotionBounds| {
        let [min, max] = bounds.bounds();
        (min + max) / 2.0
    };
    // Align the matched joints if they are known, because their mean offset is more accurate than
    // the centres of the bounding boxes.
    let offset = || overlay.mean_offset.map_or_else(|| middle(base) - middle(own), |mean| -mean);
    match overlay.placement {
        Placement::AsRecorded => DVec3::ZERO,
        Placement::Aligned => offset(),
        // Do not move vertically, because both recordings share a floor.
        Placement::SideBySide => offset() * DVec3::new(1.0, 0.0, 1.0),
    }
}

fn side_by_side_offset(
    occupied: &mut f64,
    right: Option<DVec3>,
    [base, own]: [&MotionBounds; 2],
) -> DVec3 {
    let right = right.unwrap_or_else(|| match base.heading {
        DVec3::ZERO => DVec3::X,
        heading => heading.cross(DVec3::Y),
    });
    let [base, own] = [base, own].map(|bounds| bounds.extent(right));
    let from = if *occupied == 0.0 { 0.5 * base } else { *occupied };
    let offset = right * (from + 0.5 * own) * SPACING_FACTOR;
    *occupied = from + own;
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{measure::measure, testing::sample_clip};

    #[test]
    fn side_by_side_is_right_of_the_base_without_overlap() {
        let bounds = measure(&sample_clip(), true);
        let mut occupied = 0.0;
        let [first, second] =
            [(); 2].map(|()| side_by_side_offset(&mut occupied, None, [&bounds, &bounds]));
        // The right of a person who faces −Z is +X.
        assert!(first.x > bounds.extent(DVec3::X) && first.y == 0.0, "{first}");
        assert!(first.x > 5.0 * first.z.abs(), "{first}");
        assert!(second.x > first.x + bounds.extent(DVec3::X), "{second}");
        let chosen = side_by_side_offset(&mut 0.0, Some(DVec3::Z), [&bounds, &bounds]);
        assert!(chosen.z > bounds.extent(DVec3::Z) && chosen.x == 0.0, "{chosen}");
    }

    #[test]
    fn aligned_placement_removes_the_mean_distance() {
        let bounds = measure(&sample_clip(), true);
        let mean = DVec3::new(3.0, 1.0, -2.0);
        let moved = |placement, mean| {
            alignment_offset(
                &Overlay { mean_offset: mean, ..Overlay::new(Entity::PLACEHOLDER, placement) },
                [&bounds, &bounds],
            )
        };
        assert_eq!(moved(Placement::AsRecorded, Some(mean)), DVec3::ZERO);
        assert_eq!(moved(Placement::Aligned, Some(mean)), -mean);
        let expected = DVec3::new(-3.0, 0.0, 2.0);
        assert_eq!(moved(Placement::SideBySide, Some(mean)), expected, "the height is unchanged");
        assert_eq!(moved(Placement::Aligned, None), DVec3::ZERO, "equal centres need no offset");
    }
}
