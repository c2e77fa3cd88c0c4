//! Scales and ticks of plots.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) values: [f64; 2],
    pub(super) coordinates: [f64; 2],
    is_logarithmic: bool,
}

impl Scale {
    pub(super) fn new(values: [f64; 2], coordinates: [f64; 2]) -> Self {
        Self { values, coordinates, is_logarithmic: false }
    }

    pub(super) fn logarithmic(values: [f64; 2], coordinates: [f64; 2]) -> Self {
        Self { values, coordinates, is_logarithmic: true }
    }

    pub(super) fn map(&self, value: f64) -> f64 {
        let map = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let ([from, to], [first, last]) = (self.values.map(map), self.coordinates);
        let part = (map(value) - from) / (to - from);
        first + (last - first) * if part.is_finite() { part } else { 0.5 }
    }

    pub(super) fn ticks(&self, count: usize) -> Vec<f64> {
        let [from, to] = self.values;
        let is_span = to > from && (to - from).is_finite();
        if !is_span {
            return vec![from];
        }
        if self.is_logarithmic {
            return logarithmic_ticks(from, to);
        }
        let step = round_step(to - from, count);
        let first = (from / step - 1e-6).ceil();
        let ticks = (0..=2 * count.max(1)).map(|index| (first + index as f64) * step);
        ticks.take_while(|tick| *tick <= to + 1e-6 * step).map(|tick| tick + 0.0).collect()
    }
}

fn logarithmic_ticks(from: f64, to: f64) -> Vec<f64> {
    let decades = from.log10().floor() as i32..=to.log10().ceil() as i32;
    let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(decade)));
    ticks.filter(|tick| (from..=to).contains(tick)).collect()
}

fn round_step(span: f64, count: usize) -> f64 {
    let rough = span / count.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let digit =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= rough * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

pub(super) fn format_tick(tick: f64) -> String {
    let text = format!("{:.4}", tick.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if tick < 0.0 && text != "0" { format!("−{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |from, to, count| Scale::new([from, to], [0.0, 1.0]).ticks(count);
        assert_eq!(ticks(0.0, 15.5, 8), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]);
        assert_eq!(ticks(-0.3, 0.5, 4), [-0.2, 0.0, 0.2, 0.4]);
        assert_eq!(ticks(3.0, 3.0, 4), [3.0]);
        assert_eq!(Scale::logarithmic([3.0, 60.0], [0.0, 1.0]).ticks(4), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(
            [format_tick(-0.2), format_tick(1200.0), format_tick(0.25), format_tick(-0.0)],
            ["−0.2", "1200", "0.25", "0"]
        );
    }
}
