//! Searches lists of times outwards from a guess.

/// Returns the index of the first time for which `holds` returns `true`. `holds` must also return
/// `true` for all later times. The search moves outwards from `guess`.
pub(super) fn find_first(times: &[f64], guess: usize, holds: impl Fn(f64) -> bool) -> usize {
    let mut low = guess.min(times.len());
    let mut high = low;
    let mut stride = 1;
    while low > 0 && holds(times[low - 1]) {
        high = low - 1;
        low = low.saturating_sub(stride);
        stride *= 2;
    }
    while high < times.len() && !holds(times[high]) {
        low = high + 1;
        high = (high + stride).min(times.len());
        stride *= 2;
    }
    low + times[low..high].partition_point(|&time| !holds(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_result_does_not_depend_on_the_guess() {
        let times = [0.0, 1.0, 1.0, 2.0, 5.0, 5.5, 6.0, 9.0];
        for guess in 0..12 {
            for (end, count) in [(-1.0, 0), (0.5, 1), (1.0, 1), (5.2, 5), (9.0, 7), (10.0, 8)] {
                let found = find_first(&times, guess, |time| time >= end);
                assert_eq!(found, count, "{end} from {guess}");
            }
        }
        assert_eq!(find_first(&[], 3, |time| time >= 1.0), 0);
    }

    #[test]
    fn guessed_search_matches_binary_search() {
        let mut random = fastrand::Rng::with_seed(21);
        for _ in 0..500 {
            let mut times: Vec<f64> =
                (0..random.usize(0..200)).map(|_| f64::from(random.u8(..))).collect();
            times.sort_unstable_by(f64::total_cmp);
            let (guess, time) = (random.usize(0..220), f64::from(random.u8(..)));
            let expected = times.partition_point(|&other| other < time);
            assert_eq!(find_first(&times, guess, |other| other >= time), expected);
        }
    }
}
