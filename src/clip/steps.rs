//! The times at which a clip has samples of its own.

use super::{AnyCurve, Clip, KeyTimes};

impl Clip {
    /// The times in seconds at which any track has a key, within the clip's span, each once and
    /// ascending: what stepping sample by sample visits.
    ///
    /// Sorts all key times: meant to be called once and kept.
    pub fn sample_times(&self) -> Vec<f64> {
        let span = self.span.start..=self.span.end();
        let mut times: Vec<f64> = Vec::new();
        let mut last_seen: Option<&KeyTimes> = None;
        let over_time = |curve: &&AnyCurve| !matches!(curve, AnyCurve::Driven(_));
        for curve in self.tracks.iter().map(|track| &track.curve).filter(over_time) {
            let key_times = curve.times();
            if last_seen.is_some_and(|seen| seen.is_shared_with(key_times)) {
                continue;
            }
            last_seen = Some(key_times);
            times.extend(within(curve, &span));
        }
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }
}

fn within<'a>(
    curve: &'a AnyCurve,
    span: &'a std::ops::RangeInclusive<f64>,
) -> impl Iterator<Item = f64> + 'a {
    curve.key_times().iter().copied().filter(|time| span.contains(time))
}
