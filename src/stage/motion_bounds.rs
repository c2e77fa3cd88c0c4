//! The bounds of a clip's motion and the size of its bones.

use bevy::math::DVec3;

use mutoscope_core::measure::figure::{MovingParts, Proportions};

/// Farther from the origin than this, in metres, `f32` no longer holds a fingertip.
const FAR: f64 = 500.0;

/// The bounds of a clip's motion, in the viewer's space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MotionBounds {
    /// The origin that is subtracted from every place before it is rounded to `f32`.
    pub(super) origin: DVec3,
    /// Where joints were, less the origin.
    pub(super) joints: Vec<DVec3>,
    /// Where the outlines of heads and the origins of rays were, less the origin.
    pub(super) others: Vec<DVec3>,
    /// The mean direction in which heads looked, on the horizontal plane; zero without a head.
    pub(super) heading: DVec3,
    /// The height of the grid, less the origin's.
    pub(super) floor: f64,
    /// How much larger its bones are than those of a hand.
    pub(super) scale: f64,
    /// How thick its joints and bones are.
    pub(super) proportions: Proportions,
    /// Its moving parts: places of others are not among those above.
    pub(super) moving: MovingParts,
    /// Where its root is at the start, in the viewer's space.
    pub(super) root_from: DVec3,
    /// Where joints and others were, relative to the root at that time.
    pub(super) around: Vec<DVec3>,
    /// Whether it travels so far that framing all of it would show little.
    pub(super) goes_far: bool,
}

impl MotionBounds {
    /// Chooses the origin and the floor, and takes the origin off every place.
    pub(super) fn rebase(&mut self) {
        let [least, most] = self.bounds();
        let middle = (least + most) / 2.0;
        if middle.length() > FAR {
            // In whole tens of metres, so that the lines of the grid stay where they were.
            self.origin = (middle / 10.0).round() * 10.0;
        }
        self.floor = floor_below(least.y) - self.origin.y;
        self.heading = self.heading.normalize_or_zero();
        for place in self.joints.iter_mut().chain(&mut self.others) {
            *place -= self.origin;
        }
    }

    /// Takes another origin off every place.
    pub(super) fn move_origin(&mut self, origin: DVec3) {
        let way = self.origin - origin;
        self.origin = origin;
        self.floor += way.y;
        self.joints.iter_mut().chain(&mut self.others).for_each(|place| *place += way);
    }

    /// How much room everything takes along a direction of length 1, in metres; what goes far takes
    /// as much as there is around what carries it.
    pub(super) fn extent(&self, along: DVec3) -> f64 {
        let places = match self.goes_far {
            true => [&self.around[..], &[]],
            false => [&self.joints[..], &self.others],
        };
        let all = places.into_iter().flatten().map(|place| place.dot(along));
        let [least, most] = [all.clone().reduce(f64::min), all.reduce(f64::max)];
        most.unwrap_or(0.0) - least.unwrap_or(0.0)
    }

    /// Where joints and others were, in the viewer's space.
    pub(super) fn recorded(&self) -> Vec<DVec3> {
        self.joints.iter().chain(&self.others).map(|place| *place + self.origin).collect()
    }

    /// The corners of the box around everything; a point if there is nothing.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        corners(self.joints.iter().chain(&self.others))
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
            moving: MovingParts::default(),
            root_from: DVec3::ZERO,
            around: Vec::new(),
            goes_far: false,
        }
    }
}

/// The corners of the box around `places`; a point if there are none.
pub(super) fn corners<'a>(places: impl Iterator<Item = &'a DVec3> + Clone) -> [DVec3; 2] {
    [
        places.clone().copied().reduce(DVec3::min).unwrap_or_default(),
        places.copied().reduce(DVec3::max).unwrap_or_default(),
    ]
}

/// The height of a floor under something whose lowest point is at `lowest`: zero if that is just
/// below it, else the next whole tenth of a metre that leaves some air.
fn floor_below(lowest: f64) -> f64 {
    const AIR: f64 = 0.05;
    if (-AIR..0.3).contains(&lowest) { 0.0 } else { ((lowest - AIR) * 10.0).floor() / 10.0 }
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
        let mut bounds = measure(&sample_clip());
        let (before, way) = (bounds.clone(), DVec3::new(10.0, -20.0, 5.0));
        bounds.move_origin(bounds.origin + way);
        let place = |bounds: &MotionBounds| bounds.joints[7] + bounds.origin;
        assert!(place(&bounds).abs_diff_eq(place(&before), 1e-9));
        assert!((bounds.floor + bounds.origin.y - before.floor - before.origin.y).abs() < 1e-9);
        assert!((bounds.extent(DVec3::X) - before.extent(DVec3::X)).abs() < 1e-9);
        let [least, most] = bounds.bounds();
        assert_eq!(bounds.extent(DVec3::Y), most.y - least.y);
    }
}
