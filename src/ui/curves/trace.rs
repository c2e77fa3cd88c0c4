//! From a curve to its line.
//!
//! The work is bounded by the width of the view: between keys one value a point, and of many keys
//! within one point only the least and the greatest.

use super::{
    extremes::{Bounds, Extremes},
    source::Source,
};
use mutoscope_core::{
    clip::{Extrapolation, Hint},
    measure::timeline::TimeAxis,
};

/// Up to this many keys within one point are drawn individually.
const MOST_KEYS_A_POINT: usize = 4;

/// Repetitions narrower than this are drawn as the band that they fill, in points.
const NARROWEST_REPETITION: f64 = 3.0;

/// The line of a curve on a [`TimeAxis`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trace {
    /// From the first key to the last.
    pub(super) inside: Vec<Stroke>,
    /// Before and after.
    pub(super) outside: Vec<Stroke>,
    /// Where there are keys with non-finite values.
    pub(super) broken: Vec<f32>,
}

/// An unbroken line.
pub(super) type Stroke = Vec<Point>;

/// A place on the line: the value is not yet one on the screen, so that zooming in value redraws
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) value: f64,
}

impl Trace {
    /// The line of `source` on `axis`. `extremes` are those of its keys.
    pub(super) fn new(source: &Source<'_>, extremes: &Extremes, axis: &TimeAxis) -> Self {
        let mut tracer = Tracer { source, extremes, axis, hint: Hint::default() };
        let mut trace = Self::default();
        let Some((first, last)) = source.ends() else { return trace };
        let (start, end) = (axis.start, axis.end());
        let (before, after) = source.extrapolation();
        if start < first {
            let pen = tracer.outside(start, first.min(end), before, (first, last));
            trace.take(pen, false);
        }
        if first <= end && start <= last {
            let pen = tracer.inside(start.max(first), end.min(last));
            trace.take(pen, true);
        }
        if last < end {
            let pen = tracer.outside(last.max(start), end, after, (first, last));
            trace.take(pen, false);
        }
        if !source.is_numbers() {
            trace.broken.clear();
        }
        trace
    }

    /// The line through values at these places, unbroken as long as they are finite.
    pub(super) fn through(points: impl Iterator<Item = (f32, f64)>) -> Self {
        let (mut trace, mut pen) = (Self::default(), Pen::default());
        points.for_each(|(x, value)| pen.to(x, value));
        trace.take(pen, true);
        trace
    }

    fn take(&mut self, pen: Pen, is_inside: bool) {
        let strokes = if is_inside { &mut self.inside } else { &mut self.outside };
        strokes.extend(pen.strokes.into_iter().filter(|stroke| !stroke.is_empty()));
        self.broken.extend(pen.broken);
    }

    /// The least and the greatest value of it.
    pub(super) fn bounds(&self) -> Option<(f64, f64)> {
        let values = self.values().map(|value| (value, value));
        values.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The values that it goes through.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.inside.iter().chain(&self.outside).flatten().map(|point| point.value)
    }
}

/// Draws lines that are unbroken as long as values are finite.
#[derive(Default)]
struct Pen {
    strokes: Vec<Stroke>,
    broken: Vec<f32>,
    is_up: bool,
}

impl Pen {
    fn to(&mut self, x: f32, value: f64) {
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

    /// Up and down over all of `bounds`.
    fn band(&mut self, x: f32, bounds: Bounds) {
        if !bounds.is_empty() {
            self.to(x, bounds.low);
            self.to(x, bounds.high);
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
    fn at(&mut self, time: f64) -> f64 {
        self.source.at(time, &mut self.hint)
    }

    /// The times at which points of the screen end, between `from` and `to`, and `to` itself.
    fn edges(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + use<> {
        let axis = self.axis.clone();
        let first = (axis.x_at(from) - axis.left).floor() as i64;
        let last = first + axis.width().ceil() as i64 + 2;
        let edges = (first..=last).map(move |index| axis.time_after(index as f64));
        let after = edges.skip_while(move |edge| *edge <= from);
        after.take_while(move |edge| *edge < to).chain([to])
    }

    /// From key to key.
    fn inside(&mut self, from: f64, to: f64) -> Pen {
        let mut pen = Pen::default();
        let times = self.source.times();
        let mut next = times.partition_point(|&time| time < from);
        if times.get(next).is_none_or(|&time| time > from) {
            pen.to(self.axis.x_at(from), self.at(from));
        }
        let mut edges = self.edges(from, to).peekable();
        while let Some(edge) = edges.next() {
            let is_last = edges.peek().is_none();
            // Keys at the very end are in no later point.
            let is_before = |time: f64| if is_last { time <= edge } else { time < edge };
            let end = next + count_before(&times[next..], is_before);
            self.keys(next..end, &mut pen);
            next = end;
            let is_reached = next > 0 && times[next - 1] == edge;
            let is_keyed = times.get(next) == Some(&edge) || (is_last && is_reached);
            if !is_keyed {
                pen.to(self.axis.x_at(edge), self.at(edge));
            }
        }
        pen
    }

    /// Keys that are within one point.
    fn keys(&self, keys: std::ops::Range<usize>, pen: &mut Pen) {
        let x = |index: usize| self.axis.x_at(self.source.times()[index]);
        if keys.len() <= MOST_KEYS_A_POINT {
            for index in keys {
                let at = x(index);
                if !self.source.key_value(index).is_finite() {
                    pen.broken.push(at);
                }
                self.source.around(index).into_iter().for_each(|value| pen.to(at, value));
            }
            return;
        }
        // Between keys so close, only what they themselves say is visible.
        let (first, last) = (keys.start, keys.end - 1);
        pen.to(x(first), self.source.around(first)[0]);
        let bounds = self.extremes.within(keys, |index| self.source.key_value(index));
        if bounds.is_broken {
            pen.broken.push(x(first));
        }
        pen.band(x(first), bounds);
        pen.to(x(last), self.source.around(last)[2]);
    }

    /// Where there are no keys.
    fn outside(
        &mut self,
        from: f64,
        to: f64,
        extrapolation: Extrapolation,
        (first, last): (f64, f64),
    ) -> Pen {
        let mut pen = Pen::default();
        let length = last - first;
        let repeats =
            !matches!(extrapolation, Extrapolation::Constant | Extrapolation::Linear { .. });
        let is_narrow = length < NARROWEST_REPETITION * self.axis.seconds_per_point;
        let value = self.at(from);
        pen.to(self.axis.x_at(from), value);
        let edges: Vec<_> = self.edges(from, to).collect();
        for edge in edges {
            if repeats && is_narrow && length > 0.0 {
                pen.band(self.axis.x_at(edge), self.repetition(edge, extrapolation, first, length));
            } else {
                let value = self.at(edge);
                pen.to(self.axis.x_at(edge), value);
            }
        }
        pen
    }

    /// The bounds of the repetition that `time` is in.
    fn repetition(&self, time: f64, kind: Extrapolation, first: f64, length: f64) -> Bounds {
        let (value, last) = (|index| self.source.key_value(index), self.source.times().len() - 1);
        let bounds = self.extremes.within(0..last + 1, value);
        let rise = match kind {
            Extrapolation::CycleWithOffset => {
                (value(last) - value(0)) * ((time - first) / length).floor()
            }
            _ => 0.0,
        };
        Bounds { low: bounds.low + rise, high: bounds.high + rise, ..bounds }
    }
}

/// How many of `times`, ascending, are before something: looked for in ever longer strides, since
/// the next few are the likeliest.
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
