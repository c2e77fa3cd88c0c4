//! The bounds of a clip's motion and the size of its bones.

use bevy::math::DVec3;

use mutoscope_view::figure::{Mannequins, MovingParts, Proportions};

/// At a greater distance from the origin, in metres, `f32` is not precise enough for the position
/// of a fingertip.
const MAX_F32_DISTANCE: f64 = 500.0;

/// The bounds of a clip's motion, in the viewer's space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MotionBounds {
    /// The origin that is subtracted from every position before conversion to `f32`.
    pub(super) origin: DVec3,
    /// The positions of joints, relative to the origin.
    pub(super) joints: Vec<DVec3>,
    /// The positions of everything else, including the outlines of heads, relative to the origin.
    pub(super) others: Vec<DVec3>,
    /// The mean horizontal direction in which the heads look, or else the mean direction of the
    /// body's front. Zero if unknown.
    pub(super) heading: DVec3,
    /// The height of the grid, relative to the origin.
    pub(super) floor: f64,
    /// The size of the bones relative to those of a hand.
    pub(super) scale: f64,
    pub(super) proportions: Proportions,
    pub(super) mannequins: Mannequins,
    /// The parts that move. The other fields do not include positions of other parts.
    pub(super) moving: MovingParts,
    /// The position of the root at the start, in the viewer's space.
    pub(super) root_start: DVec3,
    /// The positions of joints and others, each relative to the position of the root at the same
    /// time.
    pub(super) around_root: Vec<DVec3>,
    pub(super) has_long_path: bool,
    /// `true` if Minecraft players are drawn as figures.
    pub(super) figures: bool,
}

impl MotionBounds {
    pub(super) fn rebase(&mut self) {
        let [min, max] = self.bounds();
        let middle = (min + max) / 2.0;
        if middle.length() > MAX_F32_DISTANCE {
            // Round the origin to tens of metres, so that the grid lines stay at the same recorded
            // positions.
            self.origin = (middle / 10.0).round() * 10.0;
        }
        self.floor = floor_below(min.y) - self.origin.y;
        self.heading = self.heading.normalize_or_zero();
        for point in self.joints.iter_mut().chain(&mut self.others) {
            *point -= self.origin;
        }
    }

    pub(super) fn move_origin(&mut self, origin: DVec3) {
        let shift = self.origin - origin;
        self.origin = origin;
        self.floor += shift.y;
        self.joints.iter_mut().chain(&mut self.others).for_each(|point| *point += shift);
    }

    /// Returns the extent of the motion along the unit vector `along`, in metres. For a long path,
    /// this is the extent relative to the root.
    pub(super) fn extent(&self, along: DVec3) -> f64 {
        let points = match self.has_long_path {
            true => [&self.around_root[..], &[]],
            false => [&self.joints[..], &self.others],
        };
        let all = points.into_iter().flatten().map(|point| point.dot(along));
        let [min, max] = [all.clone().reduce(f64::min), all.reduce(f64::max)];
        max.unwrap_or(0.0) - min.unwrap_or(0.0)
    }

    pub(super) fn recorded_positions(&self) -> Vec<DVec3> {
        self.joints.iter().chain(&self.others).map(|point| *point + self.origin).collect()
    }

    /// Returns the corners of the box around all positions. If there are no positions, both corners
    /// are the origin.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        bounding_box(self.joints.iter().chain(&self.others))
    }
}

impl Default for MotionBounds {
    fn default() -> Self {
        Self {
            origin: DVec3::ZERO,
            joints: Vec::new(),
            others: Vec::new(),
            heading: DVec3::ZERO,
            floor: 0.0,
            scale: 1.0,
            proportions: Proportions::default(),
            mannequins: Mannequins::default(),
            moving: MovingParts::default(),
            root_start: DVec3::ZERO,
            around_root: Vec::new(),
            has_long_path: false,
            figures: false,
        }
    }
}

pub(super) fn bounding_box<'a>(points: impl Iterator<Item = &'a DVec3> + Clone) -> [DVec3; 2] {
    [
        points.clone().copied().reduce(DVec3::min).unwrap_or_default(),
        points.copied().reduce(DVec3::max).unwrap_or_default(),
    ]
}

/// Returns the height of a floor below `lowest`, in metres. If `lowest` is about 0, the floor is at
/// 0. Otherwise the floor is at a multiple of 0.1 m, with a gap below `lowest`.
fn floor_below(lowest: f64) -> f64 {
    const GAP: f64 = 0.05;
    if (-GAP..0.3).contains(&lowest) { 0.0 } else { ((lowest - GAP) * 10.0).floor() / 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{measure::measure, testing::sample_clip};

    #[test]
    fn floor_is_just_below_the_motion() {
        let cases =
            [(0.0, 0.0), (0.2, 0.0), (-0.04, 0.0), (-0.52, -0.6), (1.0, 0.9), (-0.58, -0.7)];
        for (lowest, floor) in cases {
            assert!((floor_below(lowest) - floor).abs() < 1e-9, "{lowest}");
        }
    }

    #[test]
    fn distant_clips_are_rebased_by_tens_of_metres() {
        let far = DVec3::new(100_003.0, 64.2, -7.0);
        let mut bounds = MotionBounds { joints: vec![far], ..MotionBounds::default() };
        bounds.rebase();
        assert_eq!(bounds.origin, DVec3::new(100_000.0, 60.0, -10.0));
        assert_eq!(bounds.joints, [far - bounds.origin]);
        assert!((bounds.floor - 4.1).abs() < 1e-9, "{}", bounds.floor);
    }

    #[test]
    fn changing_the_origin_keeps_positions() {
        let mut bounds = measure(&sample_clip(), true);
        let (before, shift) = (bounds.clone(), DVec3::new(10.0, -20.0, 5.0));
        bounds.move_origin(bounds.origin + shift);
        let point = |bounds: &MotionBounds| bounds.joints[7] + bounds.origin;
        assert!(point(&bounds).abs_diff_eq(point(&before), 1e-9));
        assert!((bounds.floor + bounds.origin.y - before.floor - before.origin.y).abs() < 1e-9);
        assert!((bounds.extent(DVec3::X) - before.extent(DVec3::X)).abs() < 1e-9);
        let [min, max] = bounds.bounds();
        assert_eq!(bounds.extent(DVec3::Y), max.y - min.y);
    }
}
