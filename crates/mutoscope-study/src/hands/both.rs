//! The measures of both hands over a range.

use super::measure::MeasuredHand;
use crate::{
    measures::Measures,
    range::MeasuredRange,
    signal::{correlation::largest, statistics::mean},
};

/// The longest lag between the hands, in seconds.
const LONGEST_LAG: f64 = 0.5;
/// The least time that both are known, in seconds.
const LEAST_TIME: f64 = 2.0;
/// Below this, in metres, there is no path.
const LEAST_PATH: f64 = 1e-9;
/// The least correlation that has a lag.
const LEAST_R: f64 = 0.3;

/// Adds the measures of both hands over a range.
pub(crate) fn measure(
    [right, left]: [&MeasuredHand; 2],
    range: &MeasuredRange,
    rate: f64,
    measures: &mut Measures,
) {
    let places = |hand: &MeasuredHand| hand.hand.wrist.places[range.samples.clone()].to_vec();
    let distances =
        places(right).into_iter().zip(places(left)).map(|(one, other)| one.distance(other));
    let distances: Vec<f64> = distances.filter(|distance| distance.is_finite()).collect();
    let has_any = |number: f64| Some(number).filter(|_| !distances.is_empty());
    measures.add(
        "hands_distance_min_m",
        has_any(distances.iter().copied().fold(f64::INFINITY, f64::min)),
    );
    measures.add("hands_distance_mean_m", mean(&distances));
    measures.add("hands_distance_max_m", has_any(distances.iter().copied().fold(0.0, f64::max)));
    let speed = |hand: &'_ MeasuredHand| hand.hand.wrist.speed[range.samples.clone()].to_vec();
    let fewest = (LEAST_TIME * rate).round() as usize;
    let most = (LONGEST_LAG * rate + 0.001).floor() as usize;
    let found = largest(&speed(left), &speed(right), most, fewest);
    measures.add("hands_speed_correlation", found.map(|found| found.r));
    let lag = found.filter(|found| found.r >= LEAST_R).map(|found| found.lag as f64 / rate);
    measures.add("hands_lag_s", lag);
    let path = |hand: &MeasuredHand| hand.path(range, rate).map(|path| path.0);
    let paths = path(right).zip(path(left)).filter(|(right, left)| right + left > LEAST_PATH);
    let symmetry = paths.map(|(right, left)| (right - left) / (right + left));
    measures.add("hands_symmetry_index", symmetry);
}
