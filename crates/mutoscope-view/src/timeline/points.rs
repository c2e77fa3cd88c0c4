//! Maps times to the single points of an axis.

use super::TimeAxis;

pub(super) struct AxisPoints {
    count: usize,
    /// The pieces from left to right, without gaps. Without folds, there is a single piece.
    pieces: Vec<AxisPiece>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct AxisPiece {
    start: f64,
    end: f64,
    /// The start and end in points after the left end of the axis.
    from: f64,
    to: f64,
    seconds_per_point: f64,
}

impl AxisPoints {
    pub(super) fn from_axis(axis: &TimeAxis) -> Self {
        Self { count: axis.width().ceil().max(1.0) as usize, pieces: split_into_pieces(axis) }
    }

    pub(super) fn values_at_edges(&self, value_at: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut edges = vec![0.0; self.count + 1];
        let mut next = 0;
        for (index, piece) in self.pieces.iter().enumerate() {
            let is_last = index + 1 == self.pieces.len();
            let end = if is_last { edges.len() } else { piece.to.ceil() as usize };
            for (edge, value) in edges.iter_mut().enumerate().take(end).skip(next) {
                let points = f64::from(edge as u32) - piece.from;
                *value = value_at(piece.start + points * piece.seconds_per_point);
            }
            next = end;
        }
        edges
    }

    /// Counts the keys in each point. The keys in each of `slices` must ascend and be on the axis.
    pub(super) fn count_keys<'a>(&self, slices: impl Iterator<Item = &'a [f64]>) -> Vec<u32> {
        let mut counts = vec![0; self.count];
        for mut rest in slices {
            for (index, piece) in self.pieces.iter().enumerate() {
                let is_last = index + 1 == self.pieces.len();
                let end = match is_last {
                    true => rest.len(),
                    false => rest.partition_point(|&time| time < piece.end),
                };
                let (inside, after) = rest.split_at(end);
                let points_per_second = piece.seconds_per_point.recip();
                let mut count = |time: &f64| {
                    let point = piece.from + (time - piece.start) * points_per_second;
                    // A time at the right end belongs to the last point.
                    counts[(point as u32 as usize).min(self.count - 1)] += 1;
                };
                // Neighbouring keys are mostly in the same point. Incrementing the same counter
                // twice in a row stalls the CPU. Therefore alternate between the two halves of the
                // keys.
                let (left, right) = inside.split_at(inside.len() / 2);
                for (left, right) in left.iter().zip(right) {
                    count(left);
                    count(right);
                }
                right[left.len()..].iter().for_each(count);
                rest = after;
            }
        }
        counts
    }
}

fn split_into_pieces(axis: &TimeAxis) -> Vec<AxisPiece> {
    let whole = AxisPiece {
        start: axis.start,
        end: axis.end,
        from: 0.0,
        to: f64::from(axis.width()),
        seconds_per_point: axis.seconds_per_point,
    };
    let mut pieces = vec![whole];
    let edges = axis.folds().flat_map(|gap| [gap.start, gap.end]);
    for edge in edges.filter(|edge| (axis.start..axis.end).contains(edge)) {
        let points = axis.points_to(edge);
        let last = pieces.last_mut().expect("the list begins with one piece");
        let rest = AxisPiece { start: edge, from: points, ..*last };
        (last.end, last.to) = (edge, points);
        pieces.push(rest);
    }
    if axis.folds().next().is_some() {
        pieces.retain(|piece| piece.from < piece.to);
        for piece in &mut pieces {
            piece.seconds_per_point = (piece.end - piece.start) / (piece.to - piece.from);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Folds, Gap, TimeWindow};

    #[test]
    fn point_edges_match_axis_times() {
        let gaps = [(10.0, 20.0), (30.0, 45.0), (60.0, 80.0)];
        let gaps = gaps.map(|(start, end)| Gap { start, end });
        for folds in [Folds::default(), Folds::new(gaps.to_vec())] {
            for (start, end) in [(0.0, 100.0), (12.0, 70.0), (20.0, 60.0), (31.0, 33.0)] {
                let axis = TimeAxis::folded(TimeWindow { start, end }, 7.0, 707.5, folds.clone());
                let points = AxisPoints::from_axis(&axis);
                let edges = points.values_at_edges(|time| time);
                assert_eq!((points.count, edges.len()), (701, 702));
                for (edge, time) in edges.iter().enumerate().take(701) {
                    let expected = axis.time_after(edge as f64);
                    assert!((time - expected).abs() < 1e-9, "{time} {expected}");
                }
            }
        }
    }
}
