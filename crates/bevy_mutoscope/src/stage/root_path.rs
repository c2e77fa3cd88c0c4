//! Analyses the path of a recording's root.

use bevy::math::DVec3;

use super::motion_bounds::bounding_box;

#[derive(Debug, Default)]
pub(super) struct RootPath {
    samples: Vec<(DVec3, Vec<DVec3>)>,
}

impl RootPath {
    pub(super) fn add_sample(&mut self, root: DVec3, points: Vec<DVec3>) {
        if root.is_finite() && points.iter().all(|point| point.is_finite()) {
            self.samples.push((root, points));
        }
    }

    pub(super) fn filter_near(mut self, near: impl Fn(&DVec3) -> bool) -> Self {
        self.samples.retain(|(root, _)| near(root));
        self.samples.iter_mut().for_each(|(_, points)| points.retain(&near));
        self
    }

    pub(super) fn relative_positions(&self) -> Vec<DVec3> {
        let around = |(root, points): &(DVec3, Vec<DVec3>)| {
            points.iter().map(|point| point - root).collect::<Vec<_>>()
        };
        self.samples.iter().flat_map(around).collect()
    }

    pub(super) fn is_long(&self) -> bool {
        const LONG_PATH_FACTOR: f64 = 6.0;
        let size = |points: &[DVec3]| {
            let [min, max] = bounding_box(points.iter());
            (max - min).length()
        };
        let mut sizes: Vec<f64> = self.samples.iter().map(|(_, points)| size(points)).collect();
        sizes.sort_by(f64::total_cmp);
        let [min, max] = bounding_box(self.samples.iter().map(|(root, _)| root));
        sizes
            .get(sizes.len() / 2)
            .is_some_and(|size| (max - min).length() > LONG_PATH_FACTOR * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walking_goes_far_and_waving_does_not() {
        let is_far = |step: f64| {
            let mut path = RootPath::default();
            for index in 0..10 {
                let root = DVec3::X * step * f64::from(index);
                path.add_sample(root, vec![root, root + DVec3::Y * 2.0]);
            }
            assert_eq!(path.relative_positions()[3], DVec3::Y * 2.0);
            path.is_long()
        };
        assert!(is_far(2.0) && !is_far(0.2) && !RootPath::default().is_long());
    }
}
