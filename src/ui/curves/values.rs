//! The value axis.

use bevy_egui::egui::Rangef;

const FIT_MARGIN: f64 = 0.12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValueWindow {
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValueAxis {
    window: ValueWindow,
    y: Rangef,
}

impl ValueWindow {
    pub(super) fn fitting(low: f64, high: f64) -> Self {
        let height = high - low;
        let size = low.abs().max(high.abs());
        // Do not zoom into rounding errors. If the range is below 1e-9 of the largest value, treat
        // the curve as constant.
        let margin = if height > 1e-9 * size && height > 0.0 {
            FIT_MARGIN * height
        } else if size > 0.0 {
            0.5 * size
        } else {
            1.0
        };
        Self { low: low - margin, high: high + margin }
    }

    fn height(self) -> f64 {
        self.high - self.low
    }

    pub(super) fn zoomed_at(self, factor: f64, value: f64) -> Self {
        let size = self.low.abs().max(self.high.abs());
        let height = (self.height() / factor).clamp(1e-9 * size.max(1e-9), 1e18);
        let part = (value - self.low) / self.height();
        let low = value - part * height;
        Self { low, high: low + height }
    }

    pub(super) fn panned(self, by: f64) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ticks {
    pub(super) step: f64,
    first: i64,
    last: i64,
}

impl Ticks {
    pub(super) fn values(self) -> impl Iterator<Item = f64> {
        (self.first..=self.last).map(move |index| index as f64 * self.step)
    }

    pub(super) fn decimals(self) -> usize {
        (-self.step.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize
    }
}

impl ValueAxis {
    pub(super) fn new(window: ValueWindow, y: Rangef) -> Self {
        Self { window, y }
    }

    pub(super) fn values_per_point(&self) -> f64 {
        self.window.height() / f64::from(self.y.span().max(1.0))
    }

    /// Returns the y of `value`. The result is limited to ±1e6, so that a far value does not become
    /// infinite as `f32`.
    pub(super) fn y_at(&self, value: f64) -> f32 {
        let points = (value - self.window.low) / self.values_per_point();
        (f64::from(self.y.max) - points).clamp(-1e6, 1e6) as f32
    }

    pub(super) fn value_at(&self, y: f32) -> f64 {
        self.window.low + f64::from(self.y.max - y) * self.values_per_point()
    }

    pub(super) fn ticks(&self, distance: f32) -> Ticks {
        let wanted = f64::from(distance) * self.values_per_point();
        let power = 10_f64.powf(wanted.log10().floor());
        let fits = |factor: &f64| factor * power >= wanted * (1.0 - 1e-9);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(fits).unwrap_or(10.0) * power;
        let first = (self.window.low / step).ceil() as i64;
        let last = (self.window.high / step).floor() as i64;
        // Limit the number of ticks. For huge values, the step can be too small to change a value,
        // and the window would have countless ticks.
        let last = last.min(first.saturating_add(100));
        Ticks { step, first, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64) -> ValueAxis {
        ValueAxis::new(ValueWindow { low, high }, Rangef::new(10.0, 110.0))
    }

    #[test]
    fn greater_values_are_drawn_higher() {
        let axis = axis(-1.0, 1.0);
        assert_eq!([-1.0, 0.0, 1.0].map(|value| axis.y_at(value)), [110.0, 60.0, 10.0]);
        assert_eq!(axis.value_at(35.0), 0.5);
    }

    #[test]
    fn fitted_values_have_a_margin() {
        let window = ValueWindow::fitting(-10.0, 40.0);
        assert_eq!((window.low, window.high), (-16.0, 46.0));
        assert_eq!(ValueWindow::fitting(4.0, 4.0), ValueWindow { low: 2.0, high: 6.0 });
        assert_eq!(ValueWindow::fitting(0.0, 0.0), ValueWindow { low: -1.0, high: 1.0 });
        let noise = ValueWindow::fitting(1.0, 1.0 + 1e-13);
        assert!(noise.height() > 0.9, "{noise:?}");
    }

    #[test]
    fn zooming_keeps_the_value_under_the_pointer() {
        let mut window = ValueWindow { low: 0.0, high: 8.0 };
        for _ in 0..300 {
            window = window.zoomed_at(1.2, 3.25);
            let part = (3.25 - window.low) / window.height();
            assert!((part - 3.25 / 8.0).abs() < 1e-3, "{window:?}");
        }
        assert!(window.height() > 0.0);
    }

    #[test]
    fn value_ticks_are_round_and_spaced() {
        let cases = [
            ((0.0, 1.0), 20.0, 0.2, 1, 6),
            ((-90.0, 90.0), 30.0, 100.0, 0, 1),
            ((-90.0, 90.0), 20.0, 50.0, 0, 3),
            ((0.0, 0.001), 10.0, 0.0001, 4, 11),
        ];
        for ((low, high), distance, step, decimals, count) in cases {
            let ticks = axis(low, high).ticks(distance);
            assert!((ticks.step - step).abs() < 1e-9 * step, "{ticks:?}");
            assert_eq!((ticks.decimals(), ticks.values().count()), (decimals, count), "{ticks:?}");
        }
    }
}
