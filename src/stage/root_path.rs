//! The path of a recording's root.

use bevy::math::DVec3;

use super::motion_bounds::corners;

/// The path of the root, and the positions around it.
#[derive(Debug, Default)]
pub(super) struct RootPath {
    /// Each station, and where everything was then.
    visits: Vec<(DVec3, Vec<DVec3>)>,
}

impl RootPath {
    /// Notes where it is carried, and where everything is then.
    pub(super) fn visit(&mut self, station: DVec3, places: Vec<DVec3>) {
        if station.is_finite() && places.iter().all(|place| place.is_finite()) {
            self.visits.push((station, places));
        }
    }

    /// The same without stations and places that are not `near`.
    pub(super) fn kept_to(mut self, near: impl Fn(&DVec3) -> bool) -> Self {
        self.visits.retain(|(station, _)| near(station));
        self.visits.iter_mut().for_each(|(_, places)| places.retain(&near));
        self
    }

    /// The places at each station, relative to it.
    pub(super) fn around(&self) -> Vec<DVec3> {
        let around = |(station, places): &(DVec3, Vec<DVec3>)| {
            places.iter().map(|place| place - station).collect::<Vec<_>>()
        };
        self.visits.iter().flat_map(around).collect()
    }

    /// Whether it goes many times as far as it is large.
    pub(super) fn is_far(&self) -> bool {
        const FAR: f64 = 6.0;
        let size = |places: &[DVec3]| {
            let [least, most] = corners(places.iter());
            (most - least).length()
        };
        let mut sizes: Vec<f64> = self.visits.iter().map(|(_, places)| size(places)).collect();
        sizes.sort_by(f64::total_cmp);
        let [least, most] = corners(self.visits.iter().map(|(station, _)| station));
        sizes.get(sizes.len() / 2).is_some_and(|size| (most - least).length() > FAR * size)
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
                let station = DVec3::X * step * f64::from(index);
                path.visit(station, vec![station, station + DVec3::Y * 2.0]);
            }
            assert_eq!(path.around()[3], DVec3::Y * 2.0);
            path.is_far()
        };
        assert!(is_far(2.0) && !is_far(0.2) && !RootPath::default().is_far());
    }
}
