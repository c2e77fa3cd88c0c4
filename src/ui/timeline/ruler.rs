//! The ruler: ticks at round times.

use bevy_egui::egui::{Align2, Painter, Rect, Stroke, pos2, vec2};

use crate::ui::{
    display_text::{self, Frames},
    style::{Palette, small_mono_font, snap_to_pixel},
};
use mutoscope_view::timeline::TimeAxis;

const MIN_LABEL_DISTANCE: f64 = 84.0;

const LONG_LABEL_FACTOR: f64 = 1.4;

/// Round label steps of one second and more. Each entry has the seconds between two labels, and the
/// number of parts into which small ticks divide a step.
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

#[derive(Clone, Copy, Debug, PartialEq)]
struct TickStep {
    seconds: f64,
    parts: u32,
}

impl TickStep {
    /// Returns the smallest round step of at least `seconds`: 1, 2 or 5 times a power of ten below
    /// one second, and divisions of minutes and hours above.
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

    fn decimals(self) -> usize {
        (-self.seconds.log10()).ceil().max(0.0) as usize
    }
}

fn tick_label(seconds: f64, step: TickStep) -> String {
    let decimals = step.decimals();
    if seconds.abs() < 59.9995 {
        return format!("{} s", display_text::format_decimal(seconds, decimals));
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

fn frame_step(frames: f64) -> (f64, u32) {
    if frames <= 1.0 {
        return (1.0, 1);
    }
    let power = 10_f64.powf(frames.log10().floor());
    let steps = [(1.0, 5), (2.0, 2), (5.0, 5), (10.0, 5)];
    let fits = |&(factor, _): &(f64, u32)| factor * power >= frames * (1.0 - 1e-9);
    let (factor, parts) = steps.into_iter().find(fits).unwrap_or((10.0, 5));
    let whole = factor * power;
    // Do not put ticks between frames.
    if whole % f64::from(parts) == 0.0 { (whole, parts) } else { (whole, whole as u32) }
}

fn label_step(axis: &TimeAxis, frames: Option<Frames>) -> TickStep {
    let distance = MIN_LABEL_DISTANCE * axis.seconds_per_point;
    match frames {
        None => {
            let step = TickStep::at_least(distance);
            // Labels with many decimals need more room.
            let is_long = step.decimals() > 3;
            if is_long { TickStep::at_least(LONG_LABEL_FACTOR * distance) } else { step }
        }
        Some(Frames { rate_hz, .. }) => {
            let (count, parts) = frame_step(distance * rate_hz);
            TickStep { seconds: count / rate_hz, parts }
        }
    }
}

pub(super) fn labelled_times_around(
    axis: &TimeAxis,
    frames: Option<Frames>,
    time: f64,
) -> [f64; 2] {
    let seconds = label_step(axis, frames).seconds;
    let before = (time / seconds).floor();
    [before * seconds, (before + 1.0) * seconds]
}

pub(super) fn paint_ticks(
    painter: &Painter,
    rect: Rect,
    axis: &TimeAxis,
    frames: Option<Frames>,
    palette: &Palette,
) {
    let step = label_step(axis, frames);
    let small = step.seconds / f64::from(step.parts);
    // Labels at the ends extend beyond the ruler.
    let painter = painter.with_clip_rect(rect.expand2(vec2(16.0, 0.0)));
    let ticks = axis.open_stretches().flat_map(|(start, end)| {
        let (first, last) = ((start / small).ceil() as i64, (end / small).floor() as i64);
        first..=last
    });
    let mut last_label = f32::NEG_INFINITY;
    for index in ticks {
        let x = snap_to_pixel(&painter, axis.x_at(index as f64 * small));
        let is_labelled = index.rem_euclid(i64::from(step.parts)) == 0;
        let height = if is_labelled { 7.0 } else { 4.0 };
        let color = if is_labelled { palette.dim } else { palette.dim.gamma_multiply(0.5) };
        let ends = [pos2(x, rect.bottom() - height), pos2(x, rect.bottom())];
        painter.line_segment(ends, Stroke::new(1.0, color));
        // A folded gap can bring two labels too close together, so skip the second label.
        if is_labelled && f64::from(x - last_label) > 0.7 * MIN_LABEL_DISTANCE {
            last_label = x;
            let time = (index / i64::from(step.parts)) as f64 * step.seconds;
            let text = match frames {
                None => tick_label(time, step),
                Some(frames) => frames.format_short(time),
            };
            let position = pos2(x, rect.bottom() - 7.0);
            painter.text(position, Align2::CENTER_BOTTOM, text, small_mono_font(), palette.dim);
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
            let found = TickStep::at_least(wanted).seconds;
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
            assert_eq!(frame_step(frames), expected, "{frames}");
        }
    }

    #[test]
    fn labels_have_a_unit_or_are_clock_times() {
        let step = |seconds| TickStep { seconds, parts: 5 };
        assert_eq!(tick_label(2.5, step(0.5)), "2.5 s");
        assert_eq!(tick_label(0.0, step(0.5)), "0 s");
        assert_eq!(tick_label(90.0, step(30.0)), "1:30");
        assert_eq!(tick_label(61.5, step(0.5)), "1:01.5");
        assert_eq!(tick_label(3660.0, step(60.0)), "1:01:00");
    }
}
