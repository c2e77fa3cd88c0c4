//! The path of a recording, without outliers.

use bevy::math::DVec3;

use super::motion_bounds::corners;

/// Whether a place is among nearly all of `places`, or not many times as far from their middle: one
/// that is, where a file says nonsense, would leave nothing to be seen of the others.
pub(super) fn near_most(places: &[DVec3]) -> impl Fn(&DVec3) -> bool + use<> {
    const NEARLY_ALL: f64 = 0.85;
    const FARTHER: f64 = 40.0;
    let at = |numbers: &mut dyn Iterator<Item = f64>, part: f64| {
        let mut numbers: Vec<f64> = numbers.collect();
        let index = (numbers.len().saturating_sub(1) as f64 * part) as usize;
        if numbers.is_empty() {
            return 0.0;
        }
        *numbers.select_nth_unstable_by(index, f64::total_cmp).1
    };
    let middle = DVec3::from_array(
        [0, 1, 2].map(|axis| at(&mut places.iter().map(|place| place[axis]), 0.5)),
    );
    let reach = at(&mut places.iter().map(|place| place.distance(middle)), NEARLY_ALL);
    move |place| reach == 0.0 || place.distance(middle) <= FARTHER * reach
}

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

    /// What was there, seen from each station.
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

    #[test]
    fn outliers_are_excluded_from_bounds() {
        let mut places: Vec<DVec3> = (0..90).map(|x| DVec3::X * f64::from(x) * 0.1).collect();
        let kept = |places: &[DVec3]| {
            let near = near_most(places);
            places.iter().filter(|place| near(place)).count()
        };
        assert_eq!(kept(&places), 90, "who walks is there all the way");
        places.extend([DVec3::Y * 8600.0; 10]);
        assert_eq!(kept(&places), 90);
        places.extend([DVec3::Y * 8600.0; 20]);
        assert_eq!(kept(&places), 120, "too many to be nonsense");
        assert_eq!(kept(&[DVec3::ZERO, DVec3::ZERO, DVec3::X]), 3);
        assert_eq!(kept(&[]), 0);
        assert_eq!(kept(&[DVec3::ZERO, DVec3::X, DVec3::NAN]), 2);
    }
}
