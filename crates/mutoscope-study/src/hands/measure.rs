//! Computes the measures of one hand over a range.

use mutoscope_core::measure::analysis::Episode;

use super::{
    kinematics::Hand,
    movements::{Movement, first_maximum},
    pinches::Pinch,
    tremor::measure_tremor,
};
use crate::{
    measures::Measures,
    range::MeasuredRange,
    signal::{
        hull_volume,
        statistics::{mean, median},
    },
};

#[derive(Clone, Debug, Default)]
pub(crate) struct MeasuredHand {
    pub(crate) hand: Hand,
    /// The times in which the hand is tracked. `None` if the recording has no tracking signal.
    pub(crate) tracked: Option<Vec<Episode>>,
    pub(crate) movements: Vec<Movement>,
    /// `None` if the recording has no pinch signal.
    pub(crate) pinches: Option<Vec<Pinch>>,
}

impl MeasuredHand {
    /// Returns the length of the wrist's path in metres, and the time in seconds in which the wrist
    /// is tracked. `None` if no step has a length.
    pub(crate) fn path_and_time(&self, range: &MeasuredRange, rate: f64) -> Option<(f64, f64)> {
        let (mut path, mut steps) = (0.0, 0_usize);
        for step in range.steps() {
            let length =
                self.hand.wrist.positions[step].distance(self.hand.wrist.positions[step + 1]);
            if length.is_finite() {
                path += length;
                steps += 1;
            }
        }
        (steps > 0).then(|| (path, steps as f64 / rate))
    }

    pub(crate) fn measure(
        &self,
        name: &str,
        range: &MeasuredRange,
        rate: f64,
        start: f64,
        measures: &mut Measures,
    ) {
        let mut add = |measure: &str, number: crate::Number| {
            measures.add(format!("{name}_{measure}"), number)
        };
        let cover = self
            .tracked
            .as_ref()
            .filter(|_| !range.is_empty())
            .map(|tracked| range.measure_coverage(tracked));
        let duration = Some(range.duration()).filter(|duration| *duration > 0.0);
        add(
            "tracked_share",
            cover.as_ref().zip(duration).map(|(cover, duration)| cover.0 / duration).into(),
        );
        add("losses", cover.as_ref().map(|cover| cover.1.len()).into());
        let longest = cover.as_ref().map(|cover| cover.1.iter().copied().fold(0.0, f64::max));
        add("longest_loss_s", longest.into());
        let path = self.path_and_time(range, rate);
        add("path_length_m", path.map(|path| path.0).into());
        add("speed_mean_mps", path.map(|(path, time)| path / time).into());
        let (at, peak) = first_maximum(&self.hand.wrist.speed[range.samples.clone()]);
        let at = start + (range.samples.start + at) as f64 / rate;
        add("speed_peak_mps", Some(peak).into());
        add("speed_peak_at_s", Some(at).filter(|_| peak.is_finite()).into());
        self.measure_movements(range, &mut add);
        let positions = &self.hand.wrist.positions[range.samples.clone()];
        let positions: Vec<_> =
            positions.iter().copied().filter(|position| position.is_finite()).collect();
        add("workspace_m3", hull_volume(&positions).into());
        let tremor = measure_tremor(&self.hand.raw_wrist, &range.samples, rate);
        add("tremor_rms_m", tremor.map(|tremor| tremor.rms).into());
        add("tremor_peak_hz", tremor.map(|tremor| tremor.peak).into());
        let tracked_time = cover.map(|cover| cover.0).or(duration);
        self.measure_pinches(range, tracked_time, &mut add);
    }

    fn measure_movements(&self, range: &MeasuredRange, add: &mut impl FnMut(&str, crate::Number)) {
        let within: Vec<&Movement> =
            self.movements.iter().filter(|one| range.contains_start(one.start_s)).collect();
        let has_kinematics =
            self.hand.wrist.speed[range.samples.clone()].iter().any(|speed| speed.is_finite());
        add("movements", Some(within.len()).filter(|_| has_kinematics).into());
        let whole = || within.iter().filter(|one| !one.cut);
        let mut add_median = |name: &str, number: fn(&Movement) -> f64| {
            let numbers =
                whole().map(|one| number(one)).filter(|number| number.is_finite()).collect();
            add(&format!("movement_{name}_median{}", unit_suffix(name)), median(numbers).into());
        };
        add_median("duration", |one| one.duration_s);
        add_median("path", |one| one.path_m);
        add_median("peak_speed", |one| one.peak_speed_mps);
        add_median("time_to_peak", |one| one.time_to_peak_s);
        add_median("straightness", |one| one.straightness);
        add_median("speed_peaks", |one| one.speed_peaks as f64);
        add_median("ldlj", |one| one.ldlj);
        add_median("sparc", |one| one.sparc);
    }

    fn measure_pinches(
        &self,
        range: &MeasuredRange,
        tracked_time: Option<f64>,
        add: &mut impl FnMut(&str, crate::Number),
    ) {
        let within: Option<Vec<&Pinch>> =
            self.pinches.as_ref().filter(|_| !range.is_empty()).map(|pinches| {
                pinches.iter().filter(|one| range.contains_start(one.start_s)).collect()
            });
        let count = within.as_ref().map(Vec::len);
        add("pinches", count.into());
        let minutes = tracked_time.map(|time| time / 60.0).filter(|minutes| *minutes > 0.0);
        add(
            "pinch_rate_per_min",
            count.zip(minutes).map(|(count, minutes)| count as f64 / minutes).into(),
        );
        let numbers = |number: fn(&Pinch) -> Option<f64>| -> Vec<f64> {
            within.iter().flatten().filter_map(|one| number(one)).collect()
        };
        let durations = numbers(|one| Some(one.duration_s));
        add("pinch_duration_mean_s", mean(&durations).into());
        add("pinch_duration_median_s", median(durations).into());
        add("pinch_aperture_peak_median_m", median(numbers(|one| one.aperture_peak_m)).into());
        add("pinch_closing_speed_median_mps", median(numbers(|one| one.closing_speed_mps)).into());
        add("reach_median_s", median(numbers(|one| one.reach_s)).into());
        add("gaze_lead_median_s", median(numbers(|one| one.gaze_lead_s)).into());
        add("gaze_lead_onset_median_s", median(numbers(|one| one.gaze_lead_onset_s)).into());
    }
}

fn unit_suffix(name: &str) -> &'static str {
    match name {
        "duration" | "time_to_peak" => "_s",
        "path" => "_m",
        "peak_speed" => "_mps",
        _ => "",
    }
}
