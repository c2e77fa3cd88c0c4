//! The parts of an axis on which time runs evenly.

use super::TimeAxis;

/// A part of an axis on which time runs evenly: a fold, or what is beside one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// Where it begins, in seconds.
    pub(super) start: f64,
    /// Where it ends, in seconds.
    pub(super) end: f64,
    /// The same in points after the left end of the axis.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) seconds_per_point: f64,
}

impl TimeAxis {
    /// The parts of it on which time runs evenly, from left to right, nothing between them: one if
    /// nothing is folded.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let whole = Piece {
            start: self.start,
            end: self.end,
            from: 0.0,
            to: f64::from(self.width()),
            seconds_per_point: self.seconds_per_point,
        };
        let mut pieces = vec![whole];
        let edges = self.folds().flat_map(|gap| [gap.start, gap.end]);
        for edge in edges.filter(|edge| (self.start..self.end).contains(edge)) {
            let points = self.points_to(edge);
            let last = pieces.last_mut().expect("there is one from the beginning");
            let rest = Piece { start: edge, from: points, ..*last };
            (last.end, last.to) = (edge, points);
            pieces.push(rest);
        }
        pieces.retain(|piece| piece.from < piece.to);
        for piece in pieces.iter_mut().filter(|_| self.folds().next().is_some()) {
            piece.seconds_per_point = (piece.end - piece.start) / (piece.to - piece.from);
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Folds, Gap, Window};

    #[test]
    fn pieces_tell_the_same_times_as_the_axis() {
        let gaps = [(10.0, 20.0), (30.0, 45.0), (60.0, 80.0)];
        let gaps = gaps.map(|(start, end)| Gap { start, end });
        for folds in [Folds::default(), Folds::new(gaps.to_vec())] {
            for (start, end) in [(0.0, 100.0), (12.0, 70.0), (20.0, 60.0), (31.0, 33.0)] {
                let axis = TimeAxis::folded(Window { start, end }, 7.0, 707.0, folds.clone());
                let pieces = axis.pieces();
                assert_eq!((pieces[0].from, pieces[0].start), (0.0, start));
                let last = pieces[pieces.len() - 1];
                assert!((last.to - 700.0).abs() < 1e-9 && last.end == end, "{last:?}");
                assert!(pieces.windows(2).all(|pair| pair[0].to == pair[1].from));
                for piece in &pieces {
                    for part in [0.0, 0.3, 0.99] {
                        let points = piece.from + part * (piece.to - piece.from);
                        let time = piece.start + (points - piece.from) * piece.seconds_per_point;
                        let expected = axis.time_after(points);
                        assert!((time - expected).abs() < 1e-9, "{time} {expected} {piece:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_folds_there_is_one() {
        let axis = TimeAxis::new(Window { start: 3599.0, end: 3599.0 + 1e-5 }, 0.0, 1000.0);
        let pieces = axis.pieces();
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].seconds_per_point, axis.seconds_per_point);
    }
}
