//! Counts local maxima by their prominence.

/// Returns the number of local maxima of `samples` with at least this prominence, in linear time.
/// As in `scipy.signal.find_peaks`, a plateau is a single peak, and the first and last samples are
/// never peaks.
pub(crate) fn count_prominent(samples: &[f64], prominence: f64) -> usize {
    let before = left_bases(samples.iter().copied());
    let mut after = left_bases(samples.iter().rev().copied());
    after.reverse();
    let is_prominent = |&peak: &usize| samples[peak] - before[peak].max(after[peak]) >= prominence;
    find_maxima(samples).iter().filter(|peak| is_prominent(peak)).count()
}

fn find_maxima(samples: &[f64]) -> Vec<usize> {
    let mut maxima = Vec::new();
    let mut index = 1;
    while index + 1 < samples.len() {
        if samples[index - 1] < samples[index] {
            let mut ahead = index + 1;
            while ahead + 1 < samples.len() && samples[ahead] == samples[index] {
                ahead += 1;
            }
            if samples[ahead] < samples[index] {
                maxima.push(usize::midpoint(index, ahead - 1));
                index = ahead;
            }
        }
        index += 1;
    }
    maxima
}

fn left_bases(samples: impl Iterator<Item = f64>) -> Vec<f64> {
    // A stack of samples that descend towards the top. Each entry also has the lowest sample since
    // the entry below it.
    let mut higher: Vec<(f64, f64)> = Vec::new();
    let base = |sample: f64| {
        let mut lowest = sample;
        while let Some((_, low)) = higher.pop_if(|(height, _)| *height <= sample) {
            lowest = lowest.min(low);
        }
        higher.push((sample, lowest));
        lowest
    };
    samples.map(base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_have_the_prominence_of_the_higher_side() {
        let samples = [0.0, 5.0, 3.0, 4.0, 2.0, 6.0, 6.0, 6.0, 1.0, 1.5, 1.0, 9.0];
        assert_eq!(find_maxima(&samples), [1, 3, 6, 9]);
        // The prominences are 5 − 2, 4 − 3, 6 − 1 and 1.5 − 1. The 9 at the end is not a maximum,
        // but it ends the right side of the 6.
        for (prominence, expected) in
            [(0.5, 4), (0.6, 3), (1.0, 3), (1.1, 2), (3.0, 2), (3.1, 1), (5.0, 1), (5.1, 0)]
        {
            assert_eq!(count_prominent(&samples, prominence), expected, "{prominence}");
        }
        for none in [&[][..], &[1.0], &[1.0, 2.0], &[1.0, 2.0, 2.0]] {
            assert_eq!(count_prominent(none, 0.0), 0);
        }
    }

    #[test]
    fn prominence_equals_that_of_a_direct_search() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let samples: Vec<f64> = (0..60).map(|_| f64::from(random.u8(0..12))).collect();
            let walk = |peak: usize| {
                let low = |side: &mut dyn Iterator<Item = usize>| {
                    side.take_while(|index| samples[*index] <= samples[peak])
                        .map(|index| samples[index])
                        .fold(samples[peak], f64::min)
                };
                samples[peak] - low(&mut (0..peak).rev()).max(low(&mut (peak..samples.len())))
            };
            for prominence in [1.0, 3.0, 6.0] {
                let expected = find_maxima(&samples)
                    .into_iter()
                    .filter(|peak| walk(*peak) >= prominence)
                    .count();
                assert_eq!(count_prominent(&samples, prominence), expected, "{samples:?}");
            }
        }
    }
}
