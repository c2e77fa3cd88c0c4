//! Computes the measures of both hands together over a range.

use super::measure::MeasuredHand;
use crate::{
    measures::Measures,
    range::MeasuredRange,
    signal::{correlation::max_correlation, statistics::mean},
};

const MAX_LAG_S: f64 = 0.5;
/// The shortest time in which both speeds are known, in seconds. Shorter signals may correlate by
/// chance.
const MIN_COMMON_TIME_S: f64 = 2.0;
/// The smallest sum of both path lengths for a symmetry index, in metres. Below it, the index would
/// compare rounding errors.
const MIN_PATH_M: f64 = 1e-9;
/// The smallest correlation for which a lag is reported. Below it, the two speeds are too different
/// for a meaningful lag.
const MIN_LAG_CORRELATION: f64 = 0.3;

pub(crate) fn measure_both_hands(
    [right, left]: [&MeasuredHand; 2],
    range: &MeasuredRange,
    rate: f64,
    measures: &mut Measures,
) {
    let positions = |hand: &MeasuredHand| hand.hand.wrist.positions[range.samples.clone()].to_vec();
    let distances =
        positions(right).into_iter().zip(positions(left)).map(|(right, left)| right.distance(left));
    let distances: Vec<f64> = distances.filter(|distance| distance.is_finite()).collect();
    let has_any = |number: f64| Some(number).filter(|_| !distances.is_empty());
    measures.add(
        "hands_distance_min_m",
        has_any(distances.iter().copied().fold(f64::INFINITY, f64::min)),
    );
    measures.add("hands_distance_mean_m", mean(&distances));
    measures.add("hands_distance_max_m", has_any(distances.iter().copied().fold(0.0, f64::max)));
    let speed = |hand: &'_ MeasuredHand| hand.hand.wrist.speed[range.samples.clone()].to_vec();
    let min_overlap = (MIN_COMMON_TIME_S * rate).round() as usize;
    let max_lag = (MAX_LAG_S * rate + 0.001).floor() as usize;
    let best = max_correlation(&speed(left), &speed(right), max_lag, min_overlap);
    measures.add("hands_speed_correlation", best.map(|best| best.r));
    let lag = best.filter(|best| best.r >= MIN_LAG_CORRELATION).map(|best| best.lag as f64 / rate);
    measures.add("hands_lag_s", lag);
    let path = |hand: &MeasuredHand| hand.path_and_time(range, rate).map(|path| path.0);
    let paths = path(right).zip(path(left)).filter(|(right, left)| right + left > MIN_PATH_M);
    let symmetry = paths.map(|(right, left)| (right - left) / (right + left));
    measures.add("hands_symmetry_index", symmetry);
}
