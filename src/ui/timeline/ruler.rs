//! The ruler: ticks at round times.

use bevy_egui::egui::{Align2, Painter, Rect, Stroke, pos2, vec2};

use crate::ui::{
    style::{Palette, crisp, small_mono},
    words::{self, Frames},
};
use mutoscope_core::measure::timeline::TimeAxis;

/// How far apart labels are at least, in points.
const LABEL_DISTANCE: f64 = 84.0;

/// How much more room labels have that are long.
const LONG_LABELS: f64 = 1.4;

/// Round distances from one second on, and into how many parts each is divided.
const LONG_STEPS: [(f64, u32); 12] = [
    (1.0, 5),
    (2.0, 4),
    (5.0, 5),
    (10.0, 5),
    (30.0, 3),
    (60.0, 6),
    (120.0, 4),
    (300.0, 5),
    (600.0, 5),
    (1800.0, 3),
    (3600.0, 6),
    (7200.0, 4),
];

/// A distance between labelled ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    seconds: f64,
    /// Into how many parts smaller ticks divide it.
    parts: u32,
}

impl Step {
    /// The smallest round step of at least `seconds`: 1, 2 or 5 times a power of ten below one
    /// second, divisions of minutes and hours above.
    fn at_least(seconds: f64) -> Self {
        if seconds <= 1.0 {
            let power = 10_f64.powf(seconds.max(1e-9).log10().floor());
            let steps = [(1.0, 5), (2.0, 4), (5.0, 5), (10.0, 5)];
            let fits = |&(factor, _): &(f64, u32)| factor * power >= seconds * (1.0 - 1e-9);
            let (factor, parts) = steps.into_iter().find(fits).unwrap_or((10.0, 5));
            return Self { seconds: factor * power, parts };
        }
        let found = LONG_STEPS.into_iter().find(|&(step, _)| step >= seconds);
        let (seconds, parts) = found.unwrap_or((3600.0 * (seconds / 3600.0).ceil(), 4));
        Self { seconds, parts }
    }

    /// How many decimals tell neighbouring ticks apart.
    fn decimals(self) -> usize {
        (-self.seconds.log10()).ceil().max(0.0) as usize
    }
}

/// The label of the tick at `seconds`.
fn label(seconds: f64, step: Step) -> String {
    let decimals = step.decimals();
    if seconds.abs() < 59.9995 {
        return format!("{} s", words::trimmed(seconds, decimals));
    }
    let whole = if decimals == 0 { seconds.round() } else { seconds.floor() };
    let (minutes, rest) = ((whole / 60.0).floor(), seconds - (whole / 60.0).floor() * 60.0);
    let width = if decimals == 0 { 2 } else { decimals + 3 };
    if minutes >= 60.0 {
        let (hours, minutes) = ((minutes / 60.0).floor(), minutes % 60.0);
        return format!("{hours}:{minutes:02}:{rest:0width$.decimals$}");
    }
    format!("{minutes}:{rest:0width$.decimals$}")
}

/// A distance between labelled ticks in frames, and into how many parts it is divided: whole
/// frames, 1, 2 or 5 times a power of ten, at least `frames`.
fn frames_step(frames: f64) -> (f64, u32) {
    if frames <= 1.0 {
        return (1.0, 1);
    }
    let power = 10_f64.powf(frames.log10().floor());
    let steps = [(1.0, 5), (2.0, 2), (5.0, 5), (10.0, 5)];
    let fits = |&(factor, _): &(f64, u32)| factor * power >= frames * (1.0 - 1e-9);
    let (factor, parts) = steps.into_iter().find(fits).unwrap_or((10.0, 5));
    let whole = factor * power;
    // No ticks between frames.
    if whole % f64::from(parts) == 0.0 { (whole, parts) } else { (whole, whole as u32) }
}

/// How far apart labels are on `axis`.
fn step(axis: &TimeAxis, frames: Option<Frames>) -> Step {
    let distance = LABEL_DISTANCE * axis.seconds_per_point;
    match frames {
        None => {
            let step = Step::at_least(distance);
            // Labels with many decimals need more room.
            let is_long = step.decimals() > 3;
            if is_long { Step::at_least(LONG_LABELS * distance) } else { step }
        }
        Some(Frames { rate_hz, .. }) => {
            let (count, parts) = frames_step(distance * rate_hz);
            Step { seconds: count / rate_hz, parts }
        }
    }
}

/// The times that are labelled before and after `time`.
pub(super) fn round_times(axis: &TimeAxis, frames: Option<Frames>, time: f64) -> [f64; 2] {
    let seconds = step(axis, frames).seconds;
    let before = (time / seconds).floor();
    [before * seconds, (before + 1.0) * seconds]
}

/// Paints ticks and labels into `rect`: seconds, or `frames`.
pub(super) fn paint(
    painter: &Painter,
    rect: Rect,
    axis: &TimeAxis,
    frames: Option<Frames>,
    palette: &Palette,
) {
    let step = step(axis, frames);
    let small = step.seconds / f64::from(step.parts);
    // Labels at the ends reach over them.
    let painter = painter.with_clip_rect(rect.expand2(vec2(16.0, 0.0)));
    let ticks = axis.open_stretches().flat_map(|(start, end)| {
        let (first, last) = ((start / small).ceil() as i64, (end / small).floor() as i64);
        first..=last
    });
    let mut last_label = f32::NEG_INFINITY;
    for index in ticks {
        let x = crisp(&painter, axis.x_at(index as f64 * small));
        let is_labelled = index.rem_euclid(i64::from(step.parts)) == 0;
        let height = if is_labelled { 7.0 } else { 4.0 };
        let color = if is_labelled { palette.dim } else { palette.dim.gamma_multiply(0.5) };
        let ends = [pos2(x, rect.bottom() - height), pos2(x, rect.bottom())];
        painter.line_segment(ends, Stroke::new(1.0, color));
        // Beyond a fold the next label may be too near.
        if is_labelled && f64::from(x - last_label) > 0.7 * LABEL_DISTANCE {
            last_label = x;
            let time = (index / i64::from(step.parts)) as f64 * step.seconds;
            let text = match frames {
                None => label(time, step),
                Some(frames) => frames.short(time),
            };
            let place = pos2(x, rect.bottom() - 7.0);
            painter.text(place, Align2::CENTER_BOTTOM, text, small_mono(), palette.dim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let cases = [
            (0.0007, 0.001),
            (0.011, 0.02),
            (0.05, 0.05),
            (0.3, 0.5),
            (0.6, 1.0),
            (1.0, 1.0),
            (7.0, 10.0),
            (45.0, 60.0),
            (4000.0, 7200.0),
            (9000.0, 10800.0),
        ];
        for (wanted, step) in cases {
            let found = Step::at_least(wanted).seconds;
            assert!((found - step).abs() < step * 1e-9, "{wanted}: {found}");
        }
    }

    #[test]
    fn frames_are_whole() {
        let cases = [
            (0.03, (1.0, 1)),
            (1.0, (1.0, 1)),
            (1.5, (2.0, 2)),
            (4.0, (5.0, 5)),
            (7.0, (10.0, 5)),
            (12.0, (20.0, 2)),
            (99.0, (100.0, 5)),
        ];
        for (frames, expected) in cases {
            assert_eq!(frames_step(frames), expected, "{frames}");
        }
    }

    #[test]
    fn labels_have_a_unit_or_are_clock_times() {
        let step = |seconds| Step { seconds, parts: 5 };
        assert_eq!(label(2.5, step(0.5)), "2.5 s");
        assert_eq!(label(0.0, step(0.5)), "0 s");
        assert_eq!(label(90.0, step(30.0)), "1:30");
        assert_eq!(label(61.5, step(0.5)), "1:01.5");
        assert_eq!(label(3660.0, step(60.0)), "1:01:00");
    }
}
