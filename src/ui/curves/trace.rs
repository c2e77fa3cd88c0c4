//! Turns a curve into a line.
//!
//! The width of the view bounds the work. Between keys, one value a point is sampled. If many keys
//! fall into one point, only their minimum and maximum are drawn.

use super::{
    extremes::{Bounds, Extremes},
    source::Source,
};
use mutoscope_core::clip::{Extrapolation, Hint};
use mutoscope_view::timeline::TimeAxis;

const MAX_KEYS_PER_POINT: usize = 4;

/// In points. If a repetition is narrower, the repetitions are drawn as a band between their
/// extremes.
const MIN_REPETITION_WIDTH: f64 = 3.0;

/// The line of a curve on a [`TimeAxis`]. A point has x on the screen, but the unscaled value, so
/// that zooming the values needs no new trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trace {
    pub(super) inside: Vec<Stroke>,
    pub(super) outside: Vec<Stroke>,
    pub(super) non_finite: Vec<f32>,
}

pub(super) type Stroke = Vec<Point>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) value: f64,
}

impl Trace {
    /// `extremes` must have been computed from the keys of `source`.
    pub(super) fn new(source: &Source<'_>, extremes: &Extremes, axis: &TimeAxis) -> Self {
        let mut tracer = Tracer { source, extremes, axis, hint: Hint::default() };
        let mut trace = Self::default();
        let Some((first, last)) = source.domain() else { return trace };
        let (start, end) = (axis.start, axis.end());
        let (before, after) = source.extrapolation();
        if start < first {
            let pen = tracer.trace_extrapolation(start, first.min(end), before, first, last);
            trace.add_strokes(pen, false);
        }
        if first <= end && start <= last {
            let pen = tracer.trace_keys(start.max(first), end.min(last));
            trace.add_strokes(pen, true);
        }
        if last < end {
            let pen = tracer.trace_extrapolation(last.max(start), end, after, first, last);
            trace.add_strokes(pen, false);
        }
        if !source.has_scalar_keys() {
            trace.non_finite.clear();
        }
        trace
    }

    pub(super) fn from_points(points: impl Iterator<Item = (f32, f64)>) -> Self {
        let (mut trace, mut pen) = (Self::default(), Pen::default());
        points.for_each(|(x, value)| pen.line_to(x, value));
        trace.add_strokes(pen, true);
        trace
    }

    fn add_strokes(&mut self, pen: Pen, is_inside: bool) {
        let strokes = if is_inside { &mut self.inside } else { &mut self.outside };
        strokes.extend(pen.strokes.into_iter().filter(|stroke| !stroke.is_empty()));
        self.non_finite.extend(pen.non_finite);
    }

    pub(super) fn bounds(&self) -> Option<(f64, f64)> {
        let values = self.values().map(|value| (value, value));
        values.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.inside.iter().chain(&self.outside).flatten().map(|point| point.value)
    }
}

#[derive(Default)]
struct Pen {
    strokes: Vec<Stroke>,
    non_finite: Vec<f32>,
    is_up: bool,
}

impl Pen {
    fn line_to(&mut self, x: f32, value: f64) {
        if !value.is_finite() {
            self.is_up = true;
            return;
        }
        let point = Point { x, value };
        match self.strokes.last_mut() {
            Some(stroke) if !self.is_up => {
                if stroke.last() != Some(&point) {
                    stroke.push(point);
                }
            }
            _ => {
                self.strokes.push(vec![point]);
                self.is_up = false;
            }
        }
    }

    fn draw_band(&mut self, x: f32, bounds: Bounds) {
        if !bounds.is_empty() {
            self.line_to(x, bounds.low);
            self.line_to(x, bounds.high);
        }
    }
}

struct Tracer<'a> {
    source: &'a Source<'a>,
    extremes: &'a Extremes,
    axis: &'a TimeAxis,
    hint: Hint,
}

impl Tracer<'_> {
    fn value_at(&mut self, time: f64) -> f64 {
        self.source.value_at(time, &mut self.hint)
    }

    fn point_edges(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + use<> {
        let axis = self.axis.clone();
        let first = (axis.x_at(from) - axis.left).floor() as i64;
        let last = first + axis.width().ceil() as i64 + 2;
        let edges = (first..=last).map(move |index| axis.time_after(index as f64));
        let after = edges.skip_while(move |edge| *edge <= from);
        after.take_while(move |edge| *edge < to).chain([to])
    }

    fn trace_keys(&mut self, from: f64, to: f64) -> Pen {
        let mut pen = Pen::default();
        let times = self.source.times();
        let mut next = times.partition_point(|&time| time < from);
        if times.get(next).is_none_or(|&time| time > from) {
            pen.line_to(self.axis.x_at(from), self.value_at(from));
        }
        let mut edges = self.point_edges(from, to).peekable();
        while let Some(edge) = edges.next() {
            let is_last = edges.peek().is_none();
            // A key at the very end belongs to no later point on the screen, so the last point
            // includes it.
            let is_before = |time: f64| if is_last { time <= edge } else { time < edge };
            let end = next + count_before(&times[next..], is_before);
            self.trace_keys_in_point(next..end, &mut pen);
            next = end;
            let is_reached = next > 0 && times[next - 1] == edge;
            let is_keyed = times.get(next) == Some(&edge) || (is_last && is_reached);
            if !is_keyed {
                pen.line_to(self.axis.x_at(edge), self.value_at(edge));
            }
        }
        pen
    }

    fn trace_keys_in_point(&self, keys: std::ops::Range<usize>, pen: &mut Pen) {
        let x = |index: usize| self.axis.x_at(self.source.times()[index]);
        if keys.len() <= MAX_KEYS_PER_POINT {
            for index in keys {
                let at = x(index);
                if !self.source.key_value(index).is_finite() {
                    pen.non_finite.push(at);
                }
                self.source
                    .values_around_key(index)
                    .into_iter()
                    .for_each(|value| pen.line_to(at, value));
            }
            return;
        }
        // The keys are too dense to draw the curve between them, so draw the range of their values.
        let (first, last) = (keys.start, keys.end - 1);
        pen.line_to(x(first), self.source.values_around_key(first)[0]);
        let bounds = self.extremes.bounds_of_keys(keys, |index| self.source.key_value(index));
        if bounds.has_non_finite {
            pen.non_finite.push(x(first));
        }
        pen.draw_band(x(first), bounds);
        pen.line_to(x(last), self.source.values_around_key(last)[2]);
    }

    fn trace_extrapolation(
        &mut self,
        from: f64,
        to: f64,
        extrapolation: Extrapolation,
        first: f64,
        last: f64,
    ) -> Pen {
        let mut pen = Pen::default();
        let length = last - first;
        let repeats =
            !matches!(extrapolation, Extrapolation::Constant | Extrapolation::Linear { .. });
        let is_narrow = length < MIN_REPETITION_WIDTH * self.axis.seconds_per_point;
        let value = self.value_at(from);
        pen.line_to(self.axis.x_at(from), value);
        let edges: Vec<_> = self.point_edges(from, to).collect();
        for edge in edges {
            if repeats && is_narrow && length > 0.0 {
                pen.draw_band(
                    self.axis.x_at(edge),
                    self.repetition_bounds(edge, extrapolation, first, length),
                );
            } else {
                let value = self.value_at(edge);
                pen.line_to(self.axis.x_at(edge), value);
            }
        }
        pen
    }

    fn repetition_bounds(&self, time: f64, kind: Extrapolation, first: f64, length: f64) -> Bounds {
        let (value, last) = (|index| self.source.key_value(index), self.source.times().len() - 1);
        let bounds = self.extremes.bounds_of_keys(0..last + 1, value);
        let rise = match kind {
            Extrapolation::CycleWithOffset => {
                (value(last) - value(0)) * ((time - first) / length).floor()
            }
            _ => 0.0,
        };
        Bounds { low: bounds.low + rise, high: bounds.high + rise, ..bounds }
    }
}

/// Counts the leading `times` for which `is_before` returns `true`. Doubles the stride and then
/// bisects, because the count is usually small.
fn count_before(times: &[f64], is_before: impl Fn(f64) -> bool) -> usize {
    let mut end = 1;
    while end < times.len() && is_before(times[end - 1]) {
        end *= 2;
    }
    let end = end.min(times.len());
    let start = end / 2;
    let start = if start > 0 && is_before(times[start - 1]) { start } else { 0 };
    start + times[start..end].partition_point(|&time| is_before(time))
}

#[cfg(test)]
mod tests;
