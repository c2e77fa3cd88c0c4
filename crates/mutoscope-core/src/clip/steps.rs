//! The times at which a clip has samples of its own.

use std::{collections::HashSet, iter::repeat_n, sync::Arc};

use super::{AnyCurve, Clip};

impl Clip {
    /// The times in seconds at which any track has a key, within the clip's span, each once and
    /// ascending: what stepping sample by sample visits.
    ///
    /// Sorts all key times: meant to be called once and kept.
    pub fn sample_times(&self) -> Vec<f64> {
        let mut times =
            vec![0.0; self.different_times().map(|curve| self.within(curve).count()).sum()];
        let different = self.fill(&mut times);
        times.truncate(different);
        times
    }

    /// The same to be shared. They may be as many as keys, so no copy is made on the way.
    pub fn shared_sample_times(&self) -> Arc<[f64]> {
        let count = self.different_times().map(|curve| self.within(curve).count()).sum();
        let mut times: Arc<[f64]> = repeat_n(0.0, count).collect();
        let different = self.fill(Arc::get_mut(&mut times).expect("nobody else has them yet"));
        if different == count { times } else { times[..different].into() }
    }

    /// Curves over time, one of those that share their key times.
    fn different_times(&self) -> impl Iterator<Item = &AnyCurve> {
        let mut seen = HashSet::new();
        let curves = self.tracks.iter().map(|track| &track.curve);
        let over_time = curves.filter(|curve| !matches!(curve, AnyCurve::Driven(_)));
        over_time.filter(move |curve| seen.insert(curve.key_times().as_ptr_range()))
    }

    fn within<'a>(&self, curve: &'a AnyCurve) -> impl Iterator<Item = f64> + 'a {
        let span = self.span.start..=self.span.end();
        curve.key_times().iter().copied().filter(move |time| span.contains(time))
    }

    /// Fills `times`, of which there are enough, in ascending order, and returns how many are different;
    /// those come first.
    fn fill(&self, times: &mut [f64]) -> usize {
        let all = self.different_times().flat_map(|curve| self.within(curve));
        times.iter_mut().zip(all).for_each(|(to, time)| *to = time);
        times.sort_unstable_by(f64::total_cmp);
        let mut different = 0;
        for index in 0..times.len() {
            if different == 0 || times[different - 1] != times[index] {
                times[different] = times[index];
                different += 1;
            }
        }
        different
    }
}
