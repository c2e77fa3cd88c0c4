//! The times at which a clip has samples.

use std::{collections::HashSet, iter::repeat_n, sync::Arc};

use super::{AnyCurve, Clip};

impl Clip {
    /// Returns the times of all keys within the clip's span, in seconds, in ascending order and
    /// without duplicates. Frame stepping visits these times.
    ///
    /// This sorts all key times, so call it once and keep the result.
    pub fn sample_times(&self) -> Vec<f64> {
        let mut times = vec![
            0.0;
            self.curves_with_distinct_times()
                .map(|curve| self.key_times_in_span(curve).count())
                .sum()
        ];
        let distinct = self.fill_sorted_unique(&mut times);
        times.truncate(distinct);
        times
    }

    /// Returns [`Self::sample_times`] as a shared slice. This fills the slice in place instead of
    /// copying a vector, because there may be as many times as keys.
    pub fn shared_sample_times(&self) -> Arc<[f64]> {
        let count = self
            .curves_with_distinct_times()
            .map(|curve| self.key_times_in_span(curve).count())
            .sum();
        let mut times: Arc<[f64]> = repeat_n(0.0, count).collect();
        let distinct =
            self.fill_sorted_unique(Arc::get_mut(&mut times).expect("sole owner of the Arc"));
        if distinct == count { times } else { times[..distinct].into() }
    }

    fn curves_with_distinct_times(&self) -> impl Iterator<Item = &AnyCurve> {
        let mut seen_times = HashSet::new();
        let curves = self.tracks.iter().map(|track| &track.curve);
        let over_time = curves.filter(|curve| !matches!(curve, AnyCurve::Driven(_)));
        over_time.filter(move |curve| seen_times.insert(curve.key_times().as_ptr_range()))
    }

    fn key_times_in_span<'a>(&self, curve: &'a AnyCurve) -> impl Iterator<Item = f64> + 'a {
        let span = self.span.start..=self.span.end();
        curve.key_times().iter().copied().filter(move |time| span.contains(time))
    }

    /// Fills `times` with the key times, and moves the distinct ones to the front in ascending
    /// order. Returns their number. `times` needs room for all key times.
    fn fill_sorted_unique(&self, times: &mut [f64]) -> usize {
        let all = self.curves_with_distinct_times().flat_map(|curve| self.key_times_in_span(curve));
        times.iter_mut().zip(all).for_each(|(to, time)| *to = time);
        times.sort_unstable_by(f64::total_cmp);
        let mut distinct = 0;
        for index in 0..times.len() {
            if distinct == 0 || times[distinct - 1] != times[index] {
                times[distinct] = times[index];
                distinct += 1;
            }
        }
        distinct
    }
}
