//! Places that are too far away to be meant.

use glam::DVec3;

/// Whether a place is among nearly all of `places`, or not many times as far from their middle: one
/// that is, where a file says nonsense, would leave nothing visible of the others.
pub fn near_most(places: &[DVec3]) -> impl Fn(&DVec3) -> bool + use<> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
